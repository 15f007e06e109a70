// A board drawn from facts that look like one. A move that names several cells is made by choosing them one after
// the other, until only one move is meant.

import { button, fill, h, set } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { content } from './contents.js';

export class SheetBoardView {
  /** @param {SheetBoard} board @param {(turns: string[]) => void} choose what the chosen cells may mean */
  constructor(board, choose) {
    this.choose = choose;
    this.xs = board.xs;
    // Numbers grow upwards, as on a chessboard or in a column of discs.
    this.ys = board.ys.every((y) => /^\d+$/.test(y)) ? [...board.ys].reverse() : board.ys;
    this.cells = this.ys.flatMap((y) => this.xs.map((x) => button('', () => this.press(x, y), { class: 'square', 'data-x': x, 'data-y': y })));
    this.grid = h('div', { class: 'squares', role: 'group', 'aria-label': `Board of ${board.relation}` }, this.cells);
    this.grid.style.gridTemplateColumns = `repeat(${this.xs.length}, 1fr)`;
    this.grid.style.gridTemplateRows = `repeat(${this.ys.length}, minmax(0, 1fr))`;
    this.grid.style.aspectRatio = `${this.xs.length} / ${this.ys.length}`;
    arrows(this.grid, this.cells, this.xs.length);
    this.element = h('div', { class: 'sheet-board' }, this.grid);
    // What makes it a chequered or a plain board: men on both colours look better chequered.
    this.element.classList.toggle('chequered', this.xs.length === 8 && this.ys.length === 8);
    this.board = board;
    /** @type {string[] | null} */
    this.meant = null;
    /** @type {{ x: string, y: string }[]} */
    this.chosen = [];
    this.asked = false;
  }

  /** @param {string} x @param {string} y */
  turnsAt = (x, y) => this.board.moves.find((move) => move.x === x && move.y === y)?.turns ?? [];

  /** @param {string} x @param {string} y */
  press(x, y) {
    if (!this.asked) return;
    const here = this.turnsAt(x, y);
    const both = this.meant?.filter((turn) => here.includes(turn)) ?? [];
    if (this.meant && both.length && !this.chosen.some((cell) => cell.x === x && cell.y === y)) {
      this.meant = both;
      this.chosen.push({ x, y });
    } else if (here.length && !this.chosen.some((cell) => cell.x === x && cell.y === y)) {
      this.meant = here;
      this.chosen = [{ x, y }];
    } else this.clear();
    this.choose(this.meant ?? []);
    this.draw();
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
    const at = new Map(this.board.cells.map((cell) => [`${cell.x} ${cell.y}`, cell.content]));
    for (const cell of this.cells) {
      const x = cell.dataset.x ?? '', y = cell.dataset.y ?? '';
      const what = at.get(`${x} ${y}`);
      const turns = this.turnsAt(x, y);
      const open = this.asked && turns.length > 0 && (!this.meant || turns.some((turn) => this.meant?.includes(turn)));
      const chosen = this.chosen.some((one) => one.x === x && one.y === y);
      cell.className = `square${open ? ' open' : ''}${chosen ? ' chosen' : ''}${this.hint && turns.includes(this.hint) ? ' hinted' : ''}${(this.xs.indexOf(x) + this.ys.indexOf(y)) % 2 ? ' odd' : ''}`;
      // Drawn again only when it changed: a press that began on a sign must find it there at its end.
      if (cell.dataset.what !== what) fill(cell, what !== undefined && what !== this.board.blank ? content(what) : null);
      cell.dataset.what = what;
      set(cell, { 'aria-label': `${x} ${y}: ${what ?? 'nothing'}${open ? `, ${turns.length === 1 ? turns[0] : `${turns.length} moves`}` : ''}`, 'aria-disabled': open ? null : 'true' });
    }
  }
}
