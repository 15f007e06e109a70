// A rhombus of hexagons: each row stands half a cell to the right of the one above. The edges have the colours of who joins them.

import { h, s } from '../common/dom.js';

/** A hexagon on its point: as wide as a unit, and this high. */
const HEIGHT = 2 / Math.sqrt(3);
/** Room around the cells for edges and names. */
const ROOM = 0.62;

/** @param {number} columns @param {number} rows */
const size = (columns, rows) => ({ wide: columns + (rows - 1) / 2 + 2 * ROOM, high: (0.75 * (rows - 1) + 1) * HEIGHT + 2 * ROOM });

/** The upper left corner of a cell's box. @param {number} column @param {number} row */
const corner = (column, row) => ({ x: ROOM + column + row / 2, y: ROOM + 0.75 * row * HEIGHT });

/** @param {HTMLElement[]} cells row by row @param {number} columns @param {number} rows */
export function placeHexagons(cells, columns, rows) {
  const { wide, high } = size(columns, rows);
  cells.forEach((cell, at) => {
    const { x, y } = corner(at % columns, Math.floor(at / columns));
    Object.assign(cell.style, { left: `${(100 * x) / wide}%`, top: `${(100 * y) / high}%`, width: `${100 / wide}%`, height: `${(100 * HEIGHT) / high}%` });
  });
}

/**
 * What lies under the cells: coloured edges, and the names of columns and rows.
 * @param {SheetBoard} board @param {string[]} columns @param {string[]} rows @param {boolean} turned
 */
export function hexFrame(board, columns, rows, turned) {
  const { wide, high } = size(columns.length, rows.length);
  const last = { column: columns.length - 1, row: rows.length - 1 };
  /** A point of a cell, in parts of its box. @param {number} column @param {number} row @param {number} x @param {number} y */
  const point = (column, row, x, y) => {
    const at = corner(column, row);
    return `${(at.x + x).toFixed(3)} ${(at.y + y * HEIGHT).toFixed(3)}`;
  };
  const along = columns.map((_, i) => i), down = rows.map((_, i) => i);
  const sides = {
    rows: [along.flatMap((i) => [point(i, 0, 0, 0.25), point(i, 0, 0.5, 0), point(i, 0, 1, 0.25)]),
      along.flatMap((i) => [point(i, last.row, 0, 0.75), point(i, last.row, 0.5, 1), point(i, last.row, 1, 0.75)])],
    columns: [down.flatMap((i) => [point(0, i, 0, 0.25), point(0, i, 0, 0.75)]), down.flatMap((i) => [point(last.column, i, 1, 0.25), point(last.column, i, 1, 0.75)])],
  };
  const edges = board.edges.flatMap(({ role, side }) =>
    (side === 'rows' ? sides.rows : sides.columns).map((points) => s('polyline', { points: points.join(' ').replaceAll(' ', ','), class: `edge ${role.toLowerCase()}` })));
  // Behind every cell its own shape: what is seen between cells has one colour, and no edge shows through.
  const behind = down.flatMap((row) => along.map((column) => s('polygon', { class: 'hex-behind', points: [[0.5, 0], [1, 0.25], [1, 0.75], [0.5, 1], [0, 0.75], [0, 0.25]].map(([x, y]) => point(column, row, x, y).replace(' ', ',')).join(' ') })));
  const name = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) => s('text', { x, y, class: 'hex-name' }, text);
  const names = [
    ...along.map((i) => name(columns[i], corner(i, 0).x + 0.25, ROOM - 0.16)),
    ...down.map((i) => name(rows[i], corner(0, i).x - 0.32, corner(0, i).y + 0.62 * HEIGHT)),
  ];
  const frame = s('svg', { viewBox: `0 0 ${wide.toFixed(3)} ${high.toFixed(3)}`, class: `hex-frame${turned ? ' turned' : ''}`, 'aria-hidden': 'true' }, edges, behind, names);
  return { ratio: wide / high, frame: h('div', { class: 'under-cells' }, frame) };
}
