// A small picture of a position, drawn by what draws the large one.

import { h } from '../common/dom.js';
import { GridView } from '../plain/grid.js';
import { Board } from '../quarto/board.js';
import { Beside } from '../sheet/beside.js';
import { SheetBoardView } from '../sheet/board.js';
import { stand } from '../stack4/columns.js';
import { paint } from '../stack4/painter.js';
import { Camera } from '../stack4/space.js';

/** @param {View} view @returns {Element[]} */
export function preview(view) {
  if (view.kind === 'quarto') return [quarto(view)];
  if (view.kind === 'stack4') return [stack(view)];
  if (view.kind === 'gdl') return sheet(view);
  if (!view.board) return [h('pre', { class: 'drawing' }, view.text)];
  const grid = new GridView(view.board, () => {});
  grid.show(view.board, false, null, null);
  return [grid.element];
}

/** @param {QuartoView} view */
function quarto(view) {
  const board = new Board(() => {});
  board.show({ cells: view.cells, pending: null, last: null, lines: [], worths: new Map(), hint: null, open: [] });
  return board.element;
}

/** @param {StackView} view */
function stack(view) {
  const size = 360;
  const canvas = h('canvas', { class: 'space-picture', width: size, height: size });
  const pen = canvas.getContext('2d');
  const camera = new Camera();
  Object.assign(camera, { width: size, height: size });
  if (pen) paint(pen, camera, { columns: stand(view.columns), faded: new Set(), lines: [], fresh: new Set(), preview: null, last: null, hinted: null, falling: null });
  return canvas;
}

/** @param {SheetView} view */
function sheet(view) {
  const boards = view.boards.map((board) => {
    const drawn = new SheetBoardView(board, false, () => {});
    drawn.show(board, false, null);
    return drawn.element;
  });
  if (boards.length) return boards;
  const beside = new Beside(() => {}, (turn) => turn);
  beside.show(view, false, null);
  return [beside.heaps, beside.counters];
}
