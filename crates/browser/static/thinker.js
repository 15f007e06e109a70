// A worker that thinks: one question at a time.

import { Engine, FILES } from './engine.js';

/** @type {Promise<Engine>} */
let engine;
const opened = new Set();

/** Without its book a variant is played all the same, only not perfectly from the first turn on. @param {string} name */
async function open(name) {
  if (!FILES.includes(name) || opened.has(name)) return;
  opened.add(name);
  try {
    const answer = await fetch(new URL(`files/${name}`, import.meta.url));
    if (answer.ok) (await engine).bring(name, new Uint8Array(await answer.arrayBuffer()));
  } catch {
    opened.delete(name);
  }
}

addEventListener('message', async ({ data }) => {
  if (data.module) {
    engine = Engine.of(data.module);
    return;
  }
  try {
    await open(`${data.game}.${data.op === 'puzzles' ? 'puzzles' : 'book'}`);
    postMessage((await engine).ask(data.question));
  } catch (error) {
    postMessage({ broken: String(error) });
  }
});
