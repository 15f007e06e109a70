// What is worked out once, when the page is made: which games there are (a server would build every rule sheet for that), and the component in one file.
// node data.js QUARTO ALL FOLDER

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Engine } from '../static/engine.js';

const [quarto, all, folder] = process.argv.slice(2);
const engine = await Engine.of(await WebAssembly.compile(readFileSync(all)));

/** @param {object} question */
const ask = (question) => {
  const said = engine.ask(question);
  if (said.status !== 200) throw new Error(`${JSON.stringify(question)}: ${JSON.stringify(said.error)}`);
  return JSON.parse(said.body);
};

/** @type {string[]} */
const names = ask({ op: 'games' });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'games.json'), JSON.stringify({ games: names.map((game) => ask({ op: 'info', game })) }));
writeFileSync(join(folder, 'previews.json'), JSON.stringify({ previews: names.map((game) => ask({ op: 'preview', game })) }));

/** @param {string} path */
const text = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const parts = {
  ENGINE: JSON.stringify(text('../static/engine.js').replaceAll(/^export /gm, '')),
  MODULE: `'${gzipSync(readFileSync(quarto), { level: 9 }).toString('base64')}'`,
  BOOK: `'${readFileSync(new URL('../../quarto/src/book/quarto.book', import.meta.url)).toString('base64')}'`,
};
const component = Object.entries(parts).reduce((whole, [name, value]) => whole.replace(`'@${name}@'`, () => value), text('component.js'));
writeFileSync(join(folder, 'terzo-quarto.js'), component);
