// A board of rows and columns: what stands on each cell, and the moves that belong to it.

import { button, fill, h, set } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { t } from '../common/texts.js';

/** @param {PlainGrid} grid */
const sizeOf = (grid) => ({ rows: grid.rows.length, columns: Math.max(0, ...grid.rows.map((row) => row.length)) });

export class GridView {
  /** @param {PlainGrid} grid @param {(turns: string[]) => void} choose the moves of a cell that was pressed */
  constructor(grid, choose) {
    const { rows, columns } = sizeOf(grid);
    this.size = `${rows} ${columns}`;
    this.choose = choose;
    /** @type {string[][]} the moves of each cell */
    this.turns = [];
    this.open = false;
    this.cells = Array.from({ length: rows * columns }, (_, at) => button('', () => this.press(at), { class: 'square' }));
    this.squares = h('div', { class: 'squares', role: 'group', 'aria-label': t('Board') }, this.cells);
    this.squares.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    this.squares.style.gridTemplateRows = `repeat(${rows}, minmax(0, 1fr))`;
    this.squares.style.aspectRatio = `${columns} / ${rows}`;
    // While no move is asked for, left and right walk through the game.
    if (this.cells.length) arrows(this.squares, this.cells, columns, () => !this.open);
    this.element = h('div', { class: 'sheet-board' }, this.squares);
    this.columns = columns;
  }

  /** Whether a board has another shape than this one. @param {PlainGrid} grid */
  outgrown(grid) {
    const { rows, columns } = sizeOf(grid);
    return this.size !== `${rows} ${columns}`;
  }

  /** @param {number} at */
  press(at) {
    if (this.open && this.turns[at].length) this.choose(this.turns[at]);
  }

  /** @param {PlainGrid} grid @param {boolean} asked @param {string[] | null} meant the moves left open @param {string | null} hinted */
  show(grid, asked, meant, hinted) {
    this.open = asked;
    this.turns = this.cells.map(() => []);
    for (const { turn, row, column } of grid.moves) this.turns[row * this.columns + column]?.push(turn);
    this.cells.forEach((cell, at) => {
      const row = Math.floor(at / this.columns), column = at % this.columns;
      const text = grid.rows[row][column] ?? '', turns = this.turns[at];
      const open = asked && turns.length > 0;
      const chosen = open && meant !== null && turns.some((turn) => meant.includes(turn));
      cell.className = `square${open ? ' open' : ''}${chosen ? ' chosen' : ''}${hinted !== null && turns.includes(hinted) ? ' hinted' : ''}`;
      // Drawn again only when it changed: a press that began on a word must find it there at its end.
      if (cell.dataset.what !== text) fill(cell, text && h('span', { class: 'glyph' }, text));
      cell.dataset.what = text;
      const does = turns.length === 1 ? turns[0] : t('{count} move|{count} moves', { count: turns.length });
      set(cell, { 'aria-label': `${t('Row {row}, column {column}: {what}', { row: row + 1, column: column + 1, what: text || t('empty') })}${open ? `, ${does}` : ''}`, 'aria-disabled': open ? null : 'true' });
    });
  }
}
