// A board drawn from facts that look like one, as the sheet's hints say or as it was detected. A move that names several
// cells is made by choosing them one after the other, or by carrying what stands there, until only one move is meant.

import { carry } from '../common/carry.js';
import { button, fill, h, set } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { t } from '../common/texts.js';
import { content, describe } from './contents.js';
import { hexFrame, placeHexagons } from './hex.js';

/** @typedef {{ x: string, y: string }} Place */
/** @param {Place} place */
const key = ({ x, y }) => `${x} ${y}`;

export class SheetBoardView {
  /**
   * @param {SheetBoard} board
   * @param {boolean} turned whether it is seen from the other side
   * @param {(turns: string[], sure: boolean) => void} choose what the chosen cells may mean, and whether that is a whole move
   */
  constructor(board, turned, choose) {
    this.choose = choose;
    this.turned = turned;
    // Numbers grow upwards, as on a chessboard or in a column of discs, unless the sheet says otherwise.
    const down = board.rows_down || !board.ys.every((y) => /^\d+$/.test(y));
    this.xs = turned ? [...board.xs].reverse() : board.xs;
    this.ys = down === turned ? [...board.ys].reverse() : board.ys;
    this.board = board;
    /** @type {string[] | null} */
    this.meant = null;
    /** @type {Place[]} */
    this.chosen = [];
    this.asked = false;
    /** @type {string | null} */
    this.hint = null;
    this.cells = this.ys.flatMap((y) => this.xs.map((x) => button([h('span', { class: 'stand' })], () => this.press(x, y), { class: 'square', 'data-x': x, 'data-y': y })));
    this.grid = h('div', { class: 'squares', role: 'group', 'aria-label': t('Board of {relation}', { relation: board.relation }) });
    this.element = h('div', { class: `sheet-board look-${board.look}${board.pieces ? ` pieces-${board.pieces}` : ''}` }, this.grid);
    if (board.look === 'hex') this.layHexagons();
    else this.laySquares();
    arrows(this.grid, this.cells, this.xs.length, () => !this.asked);
    carry(this.grid, { from: '.square.open', onto: '.square' }, (from) => this.lift(from), (from, onto) => this.drop(from, onto), (from) => this.begin(from));
  }

  laySquares() {
    const { xs, ys, board } = this;
    fill(this.grid, this.cells);
    this.grid.style.gridTemplateColumns = `repeat(${xs.length}, minmax(0, 1fr))`;
    this.grid.style.gridTemplateRows = `repeat(${ys.length}, minmax(0, 1fr))`;
    this.grid.style.aspectRatio = `${xs.length} / ${ys.length}`;
    this.element.style.setProperty('--ratio', String(xs.length / ys.length));
    // Names of columns and rows stand in the outermost cells; discs are dropped from above, so there the columns' are on top.
    const top = board.look === 'holes';
    this.cells.forEach((cell, at) => {
      const row = Math.floor(at / xs.length), column = at % xs.length;
      if (row === (top ? 0 : ys.length - 1)) cell.append(coordinate('file', this.column(xs[column])));
      if (column === 0 && !top) cell.append(coordinate('rank', ys[row]));
      const dark = (board.xs.indexOf(xs[column]) + board.ys.indexOf(ys[row])) % 2 === 0;
      cell.dataset.shade = dark ? 'dark' : 'light';
      if (board.numbered && dark) cell.append(coordinate('book-number', String(bookNumber(board.xs.indexOf(xs[column]) + 1, board.ys.indexOf(ys[row]) + 1))));
    });
  }

  layHexagons() {
    const { xs, ys, board } = this;
    const { ratio, frame } = hexFrame(board, xs.map((x) => this.column(x)), ys, this.turned);
    fill(this.grid, frame, this.cells);
    this.grid.style.aspectRatio = String(ratio);
    this.element.style.setProperty('--ratio', String(ratio));
    placeHexagons(this.cells, xs.length, ys.length);
  }

  /** What people call a column. @param {string} x */
  column(x) {
    const at = this.board.xs.indexOf(x);
    return this.board.letters && /^\d+$/.test(x) && at < 26 ? String.fromCharCode(97 + at) : x;
  }

  /** The moves that name a cell, or its whole column. @param {string} x @param {string} y */
  movesAt = (x, y) => this.board.moves.filter((move) => (move.cells.length ? move.cells.some((cell) => cell.x === x && cell.y === y) : move.x === x));

  /** The moves that begin on a cell. @param {string} x @param {string} y */
  movesFrom = (x, y) => this.board.moves.filter((move) => move.cells.length > 1 && move.cells[0].x === x && move.cells[0].y === y);

  /** @param {string} x @param {string} y */
  press(x, y) {
    if (!this.asked) return;
    const here = this.movesAt(x, y);
    const again = this.chosen.some((cell) => cell.x === x && cell.y === y);
    const on = again ? [] : here.filter((move) => this.meant?.includes(move.turn));
    // The first cell is where a move begins, unless none does begin here.
    const from = here.filter((move) => move.cells.length === 0 || (move.cells[0].x === x && move.cells[0].y === y));
    const moves = on.length ? on : again ? [] : from.length ? from : here;
    this.mean(moves, on.length ? [...this.chosen, { x, y }] : [{ x, y }]);
  }

  /** Chosen cells leave some moves open, or one, or none. @param {SheetBoard['moves']} moves @param {Place[]} chosen */
  mean(moves, chosen) {
    if (moves.length === 0) this.clear();
    else {
      this.chosen = chosen;
      this.meant = moves.map((move) => move.turn);
    }
    this.choose(this.meant ?? [], moves.length > 0 && moves.every((move) => move.cells.length <= this.chosen.length));
    this.draw();
  }

  /** @param {Element} from */
  lift(from) {
    const { x = '', y = '' } = /** @type {HTMLElement} */ (from).dataset;
    return this.asked && this.movesFrom(x, y).length ? from.querySelector('.stand > *') : null;
  }

  /** @param {Element} from */
  begin(from) {
    const { x = '', y = '' } = /** @type {HTMLElement} */ (from).dataset;
    this.mean(this.movesFrom(x, y), [{ x, y }]);
  }

  /** @param {Element} from @param {Element} onto */
  drop(from, onto) {
    const a = /** @type {HTMLElement} */ (from).dataset, b = /** @type {HTMLElement} */ (onto).dataset;
    const moves = this.movesFrom(a.x ?? '', a.y ?? '').filter((move) => move.cells[1].x === b.x && move.cells[1].y === b.y);
    // Let go where it came from: it stays chosen, and its goal can be pressed.
    if (from === onto) return;
    this.mean(moves, moves.length ? moves[0].cells : []);
  }

  clear() {
    this.meant = null;
    this.chosen = [];
  }

  /** @param {SheetBoard} board @param {boolean} asked @param {string | null} hint */
  show(board, asked, hint) {
    this.board = board;
    this.asked = asked;
    this.hint = hint;
    this.draw();
  }

  draw() {
    const { board, meant } = this;
    const at = new Map(board.cells.map((cell) => [key(cell), cell.content]));
    const [last, won] = [board.last, board.won].map((places) => new Set(places.map(key)));
    for (const cell of this.cells) {
      const x = cell.dataset.x ?? '', y = cell.dataset.y ?? '';
      const what = at.get(key({ x, y })) ?? board.blank ?? '';
      const turns = this.movesAt(x, y).map((move) => move.turn);
      // Before anything is chosen only cells are open where a move begins.
      const begins = this.board.moves.some((move) => (move.cells.length ? move.cells[0].x === x && move.cells[0].y === y : move.x === x));
      const open = this.asked && (meant ? turns.some((turn) => meant.includes(turn)) : begins);
      const chosen = this.chosen.some((one) => one.x === x && one.y === y);
      const states = { open, chosen, reach: open && meant && !chosen, carries: open && this.movesFrom(x, y).length > 0, last: last.has(key({ x, y })), won: won.has(key({ x, y })), hinted: this.hint && turns.includes(this.hint), taken: what !== '' && what !== board.blank };
      cell.className = ['square', ...Object.entries(states).filter(([, on]) => on).map(([name]) => name)].join(' ');
      const stand = /** @type {Element} */ (cell.firstElementChild);
      // Drawn again only when it changed: a press that began on a sign must find it there at its end.
      if (cell.dataset.what !== what) fill(stand, what === board.blank || what === '' ? null : content(what, board));
      cell.dataset.what = what;
      const words = [`${this.column(x)}${y}: ${what === board.blank || what === '' ? t('empty') : describe(what, board)}`, states.last && t('last move'), states.won && t('won by this'), open && t('{count} move|{count} moves', { count: turns.length })];
      set(cell, { 'aria-label': words.filter(Boolean).join(', '), 'aria-disabled': open ? null : 'true' });
    }
  }
}

/** A name on the board, drawn by the style sheet: what a cell is called is said by its label. @param {string} kind @param {string} name */
const coordinate = (kind, name) => h('span', { class: kind, 'aria-hidden': 'true', 'data-name': name });

/** The number of a dark square in the books on checkers. @param {number} column @param {number} row */
const bookNumber = (column, row) => 4 * (row - 1) + Math.ceil((9 - column) / 2);
