// A Quarto board to try something on, without a table: the board, the pieces left, the piece in hand. It knows half a turn;
// what a whole one means is for who asked.

import { fill, h, set } from '../common/dom.js';
import { recall } from '../common/memory.js';
import { t } from '../common/texts.js';
import { Board } from '../quarto/board.js';
import { CELLS } from '../quarto/cells.js';
import { describe, digit, picture } from '../quarto/piece.js';
import { Tray } from '../quarto/tray.js';
import { members } from './solver.js';

/** @typedef {import('./solver.js').Position} Position */
/** @typedef {import('./solver.js').Turn} Turn */

/**
 * What is on the desk.
 * @typedef {object} Moment
 * @property {Position} position
 * @property {'turn' | 'cell' | 'piece' | 'none'} ask what may be chosen: a whole turn, a cell alone, a piece alone
 * @property {string | null} [last] the cell of the last turn
 * @property {string[][]} [lines] lines to light up
 * @property {string | null} [hintCell]
 * @property {string | null} [hintPiece]
 * @property {string[]} [among] if only some pieces may be chosen
 */

export class Desk {
  /** @param {(turn: Turn) => void} chosen @param {(cell: number) => boolean} ends whether a placement ends the game */
  constructor(chosen, ends) {
    this.chosen = chosen;
    this.ends = ends;
    /** A cell that is chosen while the piece to give is not. @type {number} */
    this.pending = -1;
    this.board = new Board((cell) => this.chooseCell(CELLS.indexOf(cell)), recall('above') === 'yes');
    this.tray = new Tray((piece) => this.choosePiece(parseInt(piece, 16)));
    this.hand = h('div', { class: 'hand', role: 'img' });
    this.element = h('div', { class: 'desk' }, this.board.element, h('div', { class: 'desk-side' }, this.hand, this.tray.element));
    /** @type {Moment | null} */
    this.moment = null;
  }

  /** @param {Moment} moment */
  show(moment) {
    if (moment.position !== this.moment?.position) this.pending = -1;
    this.moment = moment;
    this.draw();
  }

  /** @param {number} cell */
  chooseCell(cell) {
    const { moment } = this;
    if (!moment || !['turn', 'cell'].includes(moment.ask) || moment.position.cells[cell] >= 0) return;
    if (moment.ask === 'cell' || this.ends(cell)) {
      this.chosen({ place: cell, give: -1 });
      return;
    }
    const keyboard = this.board.overlay.contains(document.activeElement);
    this.pending = this.pending === cell ? -1 : cell;
    this.draw();
    if (keyboard && this.pending >= 0) this.tray.focus();
  }

  /** @param {number} piece */
  choosePiece(piece) {
    if (!this.givable.includes(piece)) return;
    const place = this.pending;
    this.pending = -1;
    this.chosen({ place, give: piece });
  }

  /** Pieces that may be chosen now. */
  get givable() {
    const { moment } = this;
    if (!moment || !(moment.ask === 'piece' || (moment.ask === 'turn' && this.pending >= 0))) return [];
    const all = members(moment.position.left);
    return moment.among ? all.filter((piece) => moment.among?.includes(digit(piece))) : all;
  }

  draw() {
    const { moment } = this;
    if (!moment) return;
    const { position, ask } = moment;
    const cells = position.cells.map((piece, cell) => (cell === this.pending ? digit(position.hand) : piece < 0 ? null : digit(piece)));
    const places = ask === 'turn' || ask === 'cell' ? CELLS.filter((_, cell) => position.cells[cell] < 0) : [];
    this.board.show({
      cells, pending: CELLS[this.pending] ?? null, last: moment.last ?? null, lines: moment.lines ?? [], worths: new Map(),
      hint: moment.hintCell && this.pending < 0 && position.hand >= 0 ? { cell: moment.hintCell, piece: digit(position.hand) } : null, open: places, doing: t('place here'),
    });
    this.tray.show({ left: members(position.left).map(digit), open: this.givable.map(digit), worths: new Map(), hint: moment.hintPiece ?? null, doing: t('give this piece') });
    const held = this.pending < 0 ? position.hand : -1;
    set(this.hand, { 'aria-label': held < 0 ? t('no piece in hand') : t('In hand: {piece}', { piece: describe(held) }) });
    fill(this.hand, held < 0 ? h('span', { class: 'no-piece' }) : h('span', { class: 'held' }, picture(held)), h('small', {}, held < 0 ? (this.givable.length ? t('give') : '') : t('in hand')));
  }
}
