// A board drawn from facts that look like one. A move that names several cells is made by choosing them one after
// the other, until only one move is meant.

import { button, fill, h, set } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { t } from '../common/texts.js';
import { content } from './contents.js';

export class SheetBoardView {
  /** @param {SheetBoard} board @param {(turns: string[], sure: boolean) => void} choose what the chosen cells may mean, and whether that is a whole move */
  constructor(board, choose) {
    this.choose = choose;
    this.xs = board.xs;
    // Numbers grow upwards, as on a chessboard or in a column of discs.
    this.ys = board.ys.every((y) => /^\d+$/.test(y)) ? [...board.ys].reverse() : board.ys;
    this.cells = this.ys.flatMap((y) => this.xs.map((x) => button('', () => this.press(x, y), { class: 'square', 'data-x': x, 'data-y': y })));
    this.grid = h('div', { class: 'squares', role: 'group', 'aria-label': t('Board of {relation}', { relation: board.relation }) }, this.cells);
    this.grid.style.gridTemplateColumns = `repeat(${this.xs.length}, 1fr)`;
    this.grid.style.gridTemplateRows = `repeat(${this.ys.length}, minmax(0, 1fr))`;
    this.grid.style.aspectRatio = `${this.xs.length} / ${this.ys.length}`;
    arrows(this.grid, this.cells, this.xs.length);
    this.element = h('div', { class: 'sheet-board' }, this.grid);
    // What makes it a chequered or a plain board: men on both colours look better chequered.
    this.element.classList.toggle('chequered', this.xs.length === 8 && this.ys.length === 8);
    // Moves that name only a column drop something into it: then the cells are holes.
    this.element.classList.toggle('drops', board.moves.length > 0 && board.moves.every((move) => move.cells.length === 0));
    this.board = board;
    /** @type {string[] | null} */
    this.meant = null;
    /** @type {{ x: string, y: string }[]} */
    this.chosen = [];
    this.asked = false;
    /** @type {Set<string>} */
    this.changed = new Set();
  }

  /** The moves that name a cell, or its whole column. @param {string} x @param {string} y */
  movesAt = (x, y) => this.board.moves.filter((move) => (move.cells.length ? move.cells.some((cell) => cell.x === x && cell.y === y) : move.x === x));

  /** @param {string} x @param {string} y */
  press(x, y) {
    if (!this.asked) return;
    const here = this.movesAt(x, y);
    const again = this.chosen.some((cell) => cell.x === x && cell.y === y);
    const on = again ? [] : here.filter((move) => this.meant?.includes(move.turn));
    // The first cell is where a move begins, unless none does begin here.
    const from = here.filter((move) => move.cells.length === 0 || (move.cells[0].x === x && move.cells[0].y === y));
    const moves = on.length ? on : again ? [] : from.length ? from : here;
    if (moves.length === 0) this.clear();
    else {
      this.chosen = on.length ? [...this.chosen, { x, y }] : [{ x, y }];
      this.meant = moves.map((move) => move.turn);
    }
    const sure = moves.length === 1 && moves[0].cells.length <= this.chosen.length;
    this.choose(this.meant ?? [], sure);
    this.draw();
  }

  clear() {
    this.meant = null;
    this.chosen = [];
  }

  /** @param {SheetBoard} board @param {boolean} asked @param {string | null} hint */
  show(board, asked, hint) {
    const before = new Map(this.board.cells.map((cell) => [`${cell.x} ${cell.y}`, cell.content]));
    const after = new Map(board.cells.map((cell) => [`${cell.x} ${cell.y}`, cell.content]));
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter((cell) => before.get(cell) !== after.get(cell));
    // What the last move changed stays marked until the next one.
    if (changed.length) this.changed = new Set(changed);
    this.board = board;
    this.asked = asked;
    this.hint = hint;
    this.draw();
  }

  draw() {
    const at = new Map(this.board.cells.map((cell) => [`${cell.x} ${cell.y}`, cell.content]));
    for (const cell of this.cells) {
      const x = cell.dataset.x ?? '', y = cell.dataset.y ?? '';
      const what = at.get(`${x} ${y}`);
      const turns = this.movesAt(x, y).map((move) => move.turn);
      const open = this.asked && turns.length > 0 && (!this.meant || turns.some((turn) => this.meant?.includes(turn)));
      const chosen = this.chosen.some((one) => one.x === x && one.y === y);
      cell.className = `square${open ? ' open' : ''}${chosen ? ' chosen' : ''}${open && this.meant && !chosen ? ' reach' : ''}${this.changed.has(`${x} ${y}`) ? ' changed' : ''}${this.hint && turns.includes(this.hint) ? ' hinted' : ''}${(this.xs.indexOf(x) + this.ys.indexOf(y)) % 2 ? ' odd' : ''}`;
      // Drawn again only when it changed: a press that began on a sign must find it there at its end.
      if (cell.dataset.what !== what) fill(cell, what !== undefined && what !== this.board.blank ? content(what, this.board.relation) : null);
      cell.dataset.what = what;
      set(cell, { 'aria-label': `${x} ${y}: ${what ?? t('nothing')}${open ? `, ${turns.length === 1 ? turns[0] : t('{count} move|{count} moves', { count: turns.length })}` : ''}`, 'aria-disabled': open ? null : 'true' });
    }
  }
}
