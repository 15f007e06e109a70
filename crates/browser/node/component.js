// <terzo-quarto position="3..8/.6../..d./2... 5" truth></terzo-quarto>: a position of Quarto on any page, and with `truth` what every cell (or every piece to
// give) is worth, worked out in the reader's browser. One script tag and this one file; nothing is fetched. Its parts are filled in when the page is made.

const PARTS = { engine: '@ENGINE@', module: '@MODULE@', book: '@BOOK@' };

const WORK = `${PARTS.engine}
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
let engine;
async function prepare({ module, book }) {
  const plain = new Blob([bytes(module)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const made = await Engine.of(await WebAssembly.compile(await new Response(plain).arrayBuffer()));
  made.bring('quarto.book', bytes(book));
  return made;
}
onmessage = async ({ data }) => {
  if (data.module) engine = prepare(data);
  else try { postMessage({ number: data.number, said: (await engine).ask(data.question) }); } catch (error) { postMessage({ number: data.number, said: { failed: String(error) } }); }
};`;

/** All elements of a page share one worker. @type {Worker | null} */
let worker = null;
let last = 0;
/** @type {Map<number, (said: any) => void>} */
const asked = new Map();

/** @param {object} question @returns {Promise<any>} */
function ask(question) {
  if (!worker) {
    worker = new Worker(URL.createObjectURL(new Blob([WORK], { type: 'text/javascript' })));
    worker.onmessage = ({ data }) => {
      asked.get(data.number)?.(data.said);
      asked.delete(data.number);
    };
    worker.postMessage({ module: PARTS.module, book: PARTS.book });
  }
  const number = ++last;
  return new Promise((answer) => {
    asked.set(number, answer);
    worker?.postMessage({ number, question });
  });
}

const STYLE = `:host { display: inline-block; font: 14px system-ui, sans-serif; max-width: 100% }
svg { width: 100%; max-width: 280px; display: block }
.cell { fill: #e9dfcc; stroke: #8a7a5c } .win { fill: #8fce9f } .draw { fill: #d8d8d8 } .loss { fill: #eea79c }
.light { fill: #f3d9a4; stroke: #6b5223 } .dark { fill: #6b4423; stroke: #2b1a0a } .hole { fill: #0006; stroke: none }
text { font: 9px system-ui, sans-serif; text-anchor: middle; fill: #222 } p { margin: .3em 0 } .wrong { color: #b00020 }`;

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} tag @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

const WORDS = [['light', 'dark'], ['short', 'tall'], ['round', 'square'], ['solid', 'hollow']];

/** A piece from above: bit 0 is dark, 1 tall, 2 square, 3 hollow. @param {string} digit @param {number} x @param {number} y */
function piece(digit, x, y) {
  const bits = parseInt(digit, 16);
  const [dark, tall, square, hollow] = [0, 1, 2, 3].map((bit) => (bits >> bit) & 1);
  const size = tall ? 20 : 13;
  const face = { class: dark ? 'dark' : 'light', 'stroke-width': 2 };
  const body = square ? draw('rect', { x: x - size, y: y - size, width: 2 * size, height: 2 * size, rx: 2, ...face }) : draw('circle', { cx: x, cy: y, r: size, ...face });
  const words = WORDS.map((pair, bit) => pair[(bits >> bit) & 1]).join(' ');
  return draw('g', {}, draw('title', {}, words), body, ...(hollow ? [draw('circle', { cx: x, cy: y, r: 6, class: 'hole' })] : []));
}

/** A win, soon; then a draw; then a loss, late. @param {{ value: string, plies: number }} worth */
const prefer = ({ value, plies }) => (value === 'win' ? 1000 - plies : value === 'draw' ? 0 : plies - 1000);

/** @param {{ value: string, plies: number }} worth */
const inWords = ({ value, plies }) => (value === 'draw' ? 'draw' : `${value} in ${plies}`);

class TerzoQuarto extends HTMLElement {
  static observedAttributes = ['position', 'truth'];

  constructor() {
    super();
    this.attachShadow({ mode: 'open' });
    this.turn = 0;
  }

  connectedCallback() {
    this.show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.show();
  }

  async show() {
    const turn = ++this.turn;
    const position = this.getAttribute('position')?.trim() || '..../..../..../.... -';
    const [board, hand = '-'] = position.split(/\s+/);
    const rows = board.split('/');
    const words = document.createElement('p');
    words.setAttribute('role', 'status');
    const style = Object.assign(document.createElement('style'), { textContent: STYLE });
    if (rows.length !== 4 || rows.some((row) => !/^[.0-9a-f]{4}$/.test(row)) || !/^[-0-9a-f]$/.test(hand)) {
      words.className = 'wrong';
      words.textContent = `“${position}” is no position: expected four rows of four cells with / between them and the piece in hand, such as 3..8/.6../..d./2... 5`;
      this.shadowRoot?.replaceChildren(style, words);
      return;
    }
    const svg = draw('svg', { viewBox: '0 0 220 272', role: 'img', 'aria-label': `Quarto: ${position}` });
    /** @type {Map<string, Element>} */
    const places = new Map();
    rows.forEach((row, y) => [...row].forEach((digit, x) => {
      const name = 'abcd'[x] + (y + 1);
      const cell = draw('rect', { x: 10 + 50 * x, y: 10 + 50 * y, width: 48, height: 48, rx: 4, class: 'cell', 'data-cell': name });
      places.set(name, cell);
      svg.append(cell);
      if (digit !== '.') svg.append(piece(digit, 34 + 50 * x, 34 + 50 * y));
    }));
    if (hand !== '-') svg.append(draw('text', { x: 60, y: 244 }, 'in hand:'), piece(hand, 110, 240));
    this.shadowRoot?.replaceChildren(style, svg, words);
    if (!this.hasAttribute('truth')) return;
    words.textContent = '…';
    const about = { game: 'quarto', start: `${board} ${hand}` };
    const said = await ask({ op: 'choices', ...about });
    if (turn !== this.turn) return;
    if (said.status !== 200) {
      words.className = 'wrong';
      words.textContent = said.error?.error.message ?? said.failed;
      return;
    }
    /** @type {Map<number, { value: string, plies: number }>} */
    const found = new Map(said.known);
    for (const [number, group] of said.groups.entries()) {
      const { answer } = await ask({ op: 'question', number, ...about, ms: 10_000 });
      if (turn !== this.turn) return;
      if (answer) for (const choice of group) found.set(choice, answer);
    }
    for (const [number, worth] of found) {
      const cell = said.choices[number][0] === 'cell' && places.get(said.choices[number][1]);
      if (!cell) continue;
      cell.classList.add(worth.value);
      cell.append(draw('title', {}, inWords(worth)));
      svg.append(draw('text', { x: Number(cell.getAttribute('x')) + 24, y: Number(cell.getAttribute('y')) + 27 }, inWords(worth)));
    }
    const pieces = said.choices.map((/** @type {string[]} */ [kind, name], /** @type {number} */ number) => (kind === 'piece' && found.has(number) ? `${name}: ${inWords(/** @type {any} */ (found.get(number)))}` : '')).filter(Boolean);
    if (said.choices.length === 0) words.textContent = 'The game is over.';
    else if (found.size < said.choices.length) words.textContent = 'Too early in the game to be worked out here.';
    else words.textContent = [`Best play: ${inWords([...found.values()].reduce((best, worth) => (prefer(worth) > prefer(best) ? worth : best)))}`, ...pieces].join(' · ');
  }
}

customElements.define('terzo-quarto', TerzoQuarto);
