// The solver in WebAssembly beside the native one, on the same positions, one thread each: node measure.js PACKAGE ASK, where PACKAGE is what scripts/npm-package wrote and
// ASK the example `ask` of this crate. Each position is solved by both, one right after the other; then the perfect player's turns are timed over whole games.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { Engine } from '../static/engine.js';

const [folder, program] = process.argv.slice(2);
const engine = await Engine.of(await WebAssembly.compile(readFileSync(join(folder, 'terzo.wasm'))));
engine.bring('quarto.book', readFileSync(join(folder, 'files/quarto.book')));
const native = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: native.stdout })[Symbol.asyncIterator]();

/** @param {object} question */
async function natively(question) {
  native.stdin.write(`${JSON.stringify(question)}\n`);
  return JSON.parse((await lines.next()).value);
}

/** Six pieces placed: beyond the book, and a moment's work. */
const POSITIONS = ['0.3./.5.9/c.../..e. 6', '01../.6../..b./d... 4', '7..2/.c../..9./.1.4 a', '5.a./..3./.8../f..0 1', '.2.b/4.../.d.7/..8. f', '9.../.06./..f./3..c 2'];

const sums = { here: { nodes: 0, ms: 0 }, there: { nodes: 0, ms: 0 } };
for (const start of POSITIONS) {
  const question = { op: 'value', game: 'quarto', start, ms: 120_000 };
  const [here, there] = [engine.ask(question), await natively(question)];
  if (here.body !== there.body) throw new Error(`${start}: ${here.body ?? JSON.stringify(here)} here, ${there.body ?? JSON.stringify(there)} natively`);
  for (const [sum, said] of /** @type {const} */ ([[sums.here, here], [sums.there, there]])) {
    sum.nodes += said.nodes;
    sum.ms += said.ms;
  }
  console.log(`${start}: ${here.nodes} boards, ${here.ms.toFixed(0)} ms; natively ${there.nodes}, ${there.ms.toFixed(0)} ms`);
}
const rate = ({ nodes, ms }) => nodes / ms / 1000;
console.log(`${rate(sums.here).toFixed(2)} million boards a second, natively ${rate(sums.there).toFixed(2)}: ${(rate(sums.here) / rate(sums.there)).toFixed(2)} of it`);

const times = [];
for (let game = 0; game < 20; game++) {
  const turns = [];
  for (;;) {
    const now = JSON.parse(engine.ask({ op: 'look', game: 'quarto', turns }).body);
    if (now.mover === null) break;
    const began = performance.now();
    const { said } = engine.ask({ op: 'think', game: 'quarto', turns, spec: now.mover === 1 + (game % 2) ? 'perfect' : 'novice', seed: String(game) });
    if (now.mover === 1 + (game % 2)) times.push(performance.now() - began);
    turns.push(said.best);
  }
}
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
console.log(`${times.length} turns of the perfect player: median ${at(0.5)} ms, 99 in 100 within ${at(0.99)} ms, longest ${at(1)} ms`);
native.stdin.end();
