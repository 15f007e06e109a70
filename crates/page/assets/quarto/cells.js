// The sixteen cells: their names, and where they lie on the drawing of the board.

import { t } from '../common/texts.js';
import { TILT } from './piece.js';

export const CELLS = Array.from({ length: 16 }, (_, i) => 'abcd'[i % 4] + (1 + (i >> 2)));

export const WIDTH = 100;
export const DEPTH = WIDTH * TILT;

/** The middle of a cell in the drawing, its rows being so deep. @param {string} cell @param {number} [depth] */
export const centre = (cell, depth = DEPTH) => {
  const at = CELLS.indexOf(cell);
  return { x: WIDTH * ((at % 4) + 0.5), y: depth * ((at >> 2) + 0.5), column: at % 4, row: at >> 2 };
};

/** "Row 2", "Column b", "Diagonal a1 to d4", "Square b2 c2 b3 c3". @param {string[]} cells */
export function lineName(cells) {
  const points = cells.map((cell) => centre(cell));
  const columns = new Set(points.map((p) => p.column)), rows = new Set(points.map((p) => p.row));
  if (rows.size === 1) return t('Row {row}', { row: points[0].row + 1 });
  if (columns.size === 1) return t('Column {column}', { column: 'abcd'[points[0].column] });
  if (columns.size === 4) return t('Diagonal {from} to {to}', { from: cells[0], to: cells[3] });
  return t('Square {cells}', { cells: cells.join(' ') });
}

/**
 * A line as a path through the middles of its cells, or around a square. Lines of the torus that wrap around the edge
 * have no such path: null, and only their cells light up.
 * @param {string[]} cells @param {number} [depth]
 */
export function linePath(cells, depth) {
  const points = cells.map((cell) => centre(cell, depth)).sort((a, b) => a.row - b.row || a.column - b.column);
  const [a, b, c, d] = points;
  const step = (/** @type {typeof a} */ p, /** @type {typeof a} */ q) => `${q.column - p.column},${q.row - p.row}`;
  if (step(a, b) === step(b, c) && step(b, c) === step(c, d)) return `M${a.x} ${a.y} L${d.x} ${d.y}`;
  const square = step(a, b) === '1,0' && step(c, d) === '1,0' && step(a, c) === '0,1';
  return square ? `M${a.x} ${a.y} L${b.x} ${b.y} L${d.x} ${d.y} L${c.x} ${c.y}Z` : null;
}
