// Where the columns stand, and what a stone would complete there.

/** @typedef {{ name: string, x: number, z: number, stones: string }} Column */

/** The columns around the middle of the board. @param {StackColumn[]} columns @returns {Column[]} */
export function stand(columns) {
  const rows = columns.map((column) => column.row), cols = columns.map((column) => column.col);
  const middle = (/** @type {number[]} */ all) => (Math.min(...all) + Math.max(...all)) / 2;
  const row = middle(rows), col = middle(cols);
  return columns.map((column) => ({ name: column.name, x: column.col - col, z: column.row - row, stones: column.stones }));
}

/** One of each pair of opposite directions: 13 of them. */
const DIRECTIONS = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((z) => [-1, 0, 1].map((y) => [x, z, y]))).slice(14);

/**
 * How many lines of four a stone of `colour` on top of `column` would complete: each direction has as many as its
 * run, this stone included, is longer than three.
 * @param {Column[]} columns @param {Column} column @param {string} colour
 */
export function linesAt(columns, column, colour) {
  const at = new Map(columns.map((other) => [`${other.x},${other.z}`, other.stones]));
  const layer = column.stones.length;
  const run = (/** @type {number[]} */ [dx, dz, dy], /** @type {number} */ sign) => {
    let length = 0;
    while (length < 3) {
      const step = sign * (length + 1);
      if (at.get(`${column.x + dx * step},${column.z + dz * step}`)?.[layer + dy * step] !== colour) break;
      length += 1;
    }
    return length;
  };
  return DIRECTIONS.reduce((sum, direction) => sum + Math.max(0, run(direction, 1) + run(direction, -1) - 2), 0);
}

/** What the next `count` lines pay together. @param {number} made @param {number} count */
export const worthOf = (made, count) => Array.from({ length: count }, (_, i) => Math.floor(100 / (made + i + 1))).reduce((a, b) => a + b, 0);

/** How many lines of four the stones of a colour make. @param {Column[]} columns @param {string} colour */
export function countLines(columns, colour) {
  const at = new Map(columns.map((other) => [`${other.x},${other.z}`, other.stones]));
  const own = (/** @type {Column} */ { x, z }, /** @type {number} */ layer, /** @type {number[]} */ [dx, dz, dy]) =>
    [0, 1, 2, 3].every((step) => at.get(`${x + dx * step},${z + dz * step}`)?.[layer + dy * step] === colour);
  return columns.reduce((sum, column) => sum + [...column.stones].reduce((lines, _, layer) => lines + DIRECTIONS.filter((direction) => own(column, layer, direction)).length, 0), 0);
}
