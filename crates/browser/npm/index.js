// Terzo as a library: games, players and exact values. Everything is worked out here, in one thread, when it is asked for; a page should do that in a worker.

import { Engine, FILES } from './engine.js';

/** What was refused, and why. */
export class TerzoError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'TerzoError';
    this.code = code;
  }
}

/** The bytes of a file beside this one: from the disk in Node, from the network elsewhere. */
async function file(name) {
  const url = new URL(name, import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new TerzoError('unavailable', `${name}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

export class Terzo {
  #engine;
  #opened = new Map();

  /** Loads the module. */
  static async load(bytes) {
    const terzo = new Terzo();
    terzo.#engine = await Engine.of(await WebAssembly.compile(bytes ?? (await file('terzo.wasm'))));
    return terzo;
  }

  #ask(question) {
    const said = this.#engine.ask(question);
    if (said.error) throw new TerzoError(said.error.error.code, said.error.error.message);
    return said;
  }

  #body(question) {
    return JSON.parse(this.#ask(question).body);
  }

  /** The names of all games. */
  games() {
    return this.#body({ op: 'games' });
  }

  /** A game: its title, rules, seats, and who plays it. */
  info(game) {
    return this.#body({ op: 'info', game });
  }

  /** Reads the book of a variant of Quarto, once. Without it positions with few pieces take long. */
  async openBook(game = 'quarto') {
    const name = `${game}.book`;
    if (!FILES.includes(name)) return false;
    if (!this.#opened.has(name)) this.#opened.set(name, file(`files/${name}`).then((bytes) => this.#engine.bring(name, bytes)));
    return this.#opened.get(name);
  }

  /** What is wrong with a rule sheet. */
  check(sheet) {
    return this.#body({ op: 'check', sheet });
  }

  /** Where a game stands: whose turn it is, what is legal, how it ended. */
  look(place) {
    return this.#body({ op: 'look', ...place });
  }

  /** A player's turn, and what it says about it. The same seed gives the same turn, whatever the machine, unless a clock ends the search. */
  think(place, player, { seed = 0n, ms } = {}) {
    return this.#ask({ op: 'think', ...place, spec: player, seed: String(seed), ms }).said;
  }

  /** What a position of Quarto is worth to who is to move. */
  value(place, { ms = 20_000 } = {}) {
    return this.#body({ op: 'value', ...place, ms });
  }

  /** The best turn, and why. */
  hint(place, { ms = 3_000 } = {}) {
    return this.#body({ op: 'hint', ...place, ms });
  }
}
