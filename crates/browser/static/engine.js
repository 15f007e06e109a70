// One instance of the module: a question in JSON goes in, an answer in JSON comes out. Browsers and Node alike.

const coder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  /** What the module gives: its memory, and the functions of `abi.rs`. @type {any} */
  exports = null;

  /** @param {WebAssembly.Module} module */
  static async of(module) {
    const engine = new Engine();
    const instance = await WebAssembly.instantiate(module, { terzo: { now: () => performance.now() } });
    engine.exports = instance.exports;
    // The module for all games lets them in; the one for Quarto has none to let in.
    engine.exports.admit?.();
    return engine;
  }

  /** @param {Uint8Array} bytes */
  call(bytes) {
    const { memory, room, call, answer } = this.exports;
    const at = room(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const length = call();
    return decoder.decode(new Uint8Array(memory.buffer, answer(), length));
  }

  /** What it says to a question: an object, or one that is written already. @param {object | string} question */
  ask(question) {
    return JSON.parse(this.call(coder.encode(typeof question === 'string' ? question : JSON.stringify(question))));
  }

  /** Brings a file: `quarto.book`, `quarto.puzzles`. @param {string} name @param {Uint8Array} bytes */
  bring(name, bytes) {
    const line = coder.encode(`${name}\n`);
    const whole = new Uint8Array(line.length + bytes.length);
    whole.set(line);
    whole.set(bytes, line.length);
    return this.call(whole) === 'true';
  }
}

/** Which module plays a game: the small one is enough for Quarto and its variants. @param {string} game */
export const moduleFor = (game) => (/^quarto(-|$)/.test(game) ? 'quarto.wasm' : 'terzo.wasm');

/** The files that a module may need, beside it in the folder `files`. */
export const FILES = ['quarto.book', 'quarto-squares.book', 'quarto-squares-only.book', 'quarto-torus.book', 'quarto.puzzles', 'quarto-squares.puzzles'];
