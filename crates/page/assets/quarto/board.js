// The board: a drawing with the pieces on it, and over it sixteen buttons, which are what mouse, finger, keyboard and
// screen reader meet.

import { fill, h, s, set, button } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { t } from '../common/texts.js';
import { inBrief, inWords } from '../table/names.js';
import { CELLS, DEPTH, WIDTH, centre, linePath } from './cells.js';
import { TILT, describe, fromAbove, outline, standing } from './piece.js';

const MARGIN = 24;

/**
 * How the board is seen: how deep its rows are, how much circles are flattened, the room above for what stands, the thickness of the wood.
 * @typedef {{ depth: number, tilt: number, headroom: number, thick: number }} Angle
 */
/** @type {Angle} */
const ASLANT = { depth: DEPTH, tilt: TILT, headroom: 45, thick: 13 };
/** @type {Angle} */
const ABOVE = { depth: WIDTH, tilt: 1, headroom: MARGIN + 8, thick: 0 };

/** @param {Angle} angle */
const boxOf = ({ depth, tilt, headroom, thick }) => ({ x: -MARGIN - 8, y: -headroom, width: 4 * WIDTH + 2 * MARGIN + 16, height: headroom + 4 * depth + MARGIN * tilt + thick + 12 });

/**
 * @typedef {object} Scene
 * @property {(string | null)[]} cells what stands on each cell
 * @property {string | null} pending the cell of a piece that is placed but not yet sent
 * @property {string | null} last the cell of the last turn
 * @property {string[][]} lines completed lines
 * @property {Map<string, Worth>} worths what placing on a cell is worth
 * @property {{ cell: string, piece: string } | null} hint
 * @property {string[]} open cells that may be chosen now
 * @property {string} [doing] what choosing a cell does, for screen readers
 */

export class Board {
  /** @param {(cell: string) => void} choose @param {boolean} [above] whether it is seen from above */
  constructor(choose, above = false) {
    this.light = s('g', {});
    this.pieces = s('g', {});
    this.buttons = CELLS.map((cell) => button([h('span', { class: 'worth' }), h('span', { class: 'body', 'aria-hidden': 'true' })], () => choose(cell), { class: 'cell', 'data-cell': cell }));
    this.overlay = h('div', { class: 'cells', role: 'group', 'aria-label': t('Board') }, this.buttons);
    arrows(this.overlay, this.buttons, 4, () => !this.buttons.some((element) => element.classList.contains('open')));
    this.wood = s('g', {});
    this.svg = s('svg', { 'aria-hidden': 'true' }, this.wood, this.light, this.pieces);
    this.element = h('div', { class: 'board' }, this.svg, this.overlay);
    /** @type {Angle} */
    this.angle = ASLANT;
    this.look(above);
    /** @type {(string | null)[]} */
    this.before = [];
  }

  /** Looks at it from above, or aslant. @param {boolean} above */
  look(above) {
    this.angle = above ? ABOVE : ASLANT;
    const { depth, headroom } = this.angle;
    const box = boxOf(this.angle);
    set(this.svg, { viewBox: `${box.x} ${box.y} ${box.width} ${box.height}` });
    fill(this.wood, slab(this.angle));
    // The buttons lie exactly over the drawing's cells, whatever its size.
    this.overlay.style.inset = `${(100 * headroom) / box.height}% ${(100 * -box.x) / box.width}% auto`;
    this.overlay.style.height = `${(400 * depth) / box.height}%`;
    this.element.style.aspectRatio = `${box.width} / ${box.height}`;
    this.element.style.setProperty('--ratio', String(box.width / box.height));
    this.element.classList.toggle('above', above);
  }

  /** @param {Scene} scene */
  show(scene) {
    const { angle } = this;
    const put = angle === ABOVE ? fromAbove : standing;
    const lit = new Set(scene.lines.flat());
    fill(this.light,
      scene.lines.map((line) => linePath(line, angle.depth)).map((d) => d && s('path', { d, class: 'line-glow' })),
      [...lit].map((cell) => spot(cell, 'lit', angle)),
      scene.last && !lit.has(scene.last) && spot(scene.last, 'last', angle),
      scene.hint && spot(scene.hint.cell, 'hinted', angle));
    // Drawn row by row from the back, so that what stands in front covers what stands behind.
    fill(this.pieces, CELLS.map((cell, i) => {
      const { x, y } = centre(cell, angle.depth);
      const piece = scene.cells[i];
      if (piece === null) return scene.hint?.cell === cell ? put(parseInt(scene.hint.piece, 16), x, y, 'piece ghost') : null;
      const fresh = this.before.length && this.before[i] === null ? ' fresh' : '';
      return put(parseInt(piece, 16), x, y, `piece${fresh}${scene.pending === cell ? ' pending' : ''}`);
    }));
    this.before = scene.cells;
    this.buttons.forEach((element, i) => this.label(element, CELLS[i], scene));
  }

  /** @param {HTMLButtonElement} element @param {string} cell @param {Scene} scene */
  label(element, cell, scene) {
    const piece = scene.cells[CELLS.indexOf(cell)];
    const worth = scene.worths.get(cell);
    const open = scene.open.includes(cell);
    const words = [cell, piece === null ? t('empty') : describe(parseInt(piece, 16))];
    if (scene.pending === cell) words.push(t('not sent yet'));
    if (scene.last === cell) words.push(t('last turn'));
    if (scene.lines.flat().includes(cell)) words.push(t('part of a completed line'));
    if (worth) words.push(inWords(worth));
    if (open && scene.doing) words.push(scene.doing);
    set(element, { 'aria-label': words.join(', '), 'aria-disabled': open ? null : 'true' });
    element.classList.toggle('open', open);
    this.cover(/** @type {HTMLElement} */ (element.lastElementChild), piece);
    const badge = /** @type {HTMLElement} */ (element.firstElementChild);
    badge.className = worth ? `worth ${worth.value}` : 'worth';
    badge.textContent = worth ? inBrief(worth) : '';
  }

  /** What stands in front hides the row behind, so it is what a press there hits: its outline belongs to its cell. @param {HTMLElement} body @param {string | null} piece */
  cover(body, piece) {
    body.hidden = piece === null || this.angle === ABOVE;
    if (piece === null || body.dataset.piece === piece) return;
    body.dataset.piece = piece;
    const { half, deep, up, down, square } = outline(parseInt(piece, 16));
    const high = up + down, part = (/** @type {number} */ y) => `${((100 * y) / high).toFixed(1)}%`;
    Object.assign(body.style, {
      left: `${50 - half}%`, width: `${2 * half}%`, top: `${(100 * (DEPTH / 2 - up)) / DEPTH}%`, height: `${(100 * high) / DEPTH}%`,
      borderRadius: square ? '0' : `50% / ${part(deep)}`,
      clipPath: square ? `polygon(50% 0, 100% ${part(deep)}, 100% ${part(high - deep)}, 50% 100%, 0 ${part(high - deep)}, 0 ${part(deep)})` : 'none',
    });
  }

  /** Puts the keyboard on the board: where it was, or on the first open cell. */
  focus() {
    const open = this.buttons.filter((element) => element.classList.contains('open'));
    (open.find((element) => element.tabIndex === 0) ?? open[0] ?? this.buttons[0]).focus();
  }
}

/** @param {string} cell @param {string} name @param {Angle} angle */
function spot(cell, name, { depth, tilt }) {
  const { x, y } = centre(cell, depth);
  return s('ellipse', { cx: x, cy: y, rx: 41, ry: 41 * tilt, class: `spot ${name}` });
}

/** The wood of the board itself, with its rings and the names of rows and columns. @param {Angle} angle */
function slab({ depth, tilt, thick }) {
  const deep = MARGIN * tilt;
  const face = { x: -MARGIN, width: 4 * WIDTH + 2 * MARGIN, height: 4 * depth + 2 * deep, rx: 16 };
  return s('g', { class: 'slab' },
    s('rect', { ...face, y: -deep + thick + 6, class: 'slab-shadow' }),
    s('rect', { ...face, y: -deep + thick, class: 'slab-side' }),
    s('rect', { ...face, y: -deep, class: 'slab-top' }),
    s('rect', { ...face, x: face.x + 5, y: -deep + 4, width: face.width - 10, height: face.height - 8, rx: 12, class: 'slab-inlay' }),
    CELLS.map((cell) => {
      const { x, y } = centre(cell, depth);
      return [s('ellipse', { cx: x, cy: y, rx: 41, ry: 41 * tilt, class: 'ring' }), s('ellipse', { cx: x, cy: y + 1.5, rx: 38, ry: 38 * tilt, class: 'dish' })];
    }).flat(),
    [...'abcd'].map((letter, i) => s('text', { x: WIDTH * (i + 0.5), y: 4 * depth + deep - 7, class: 'coordinate' }, letter)),
    [...'1234'].map((letter, i) => s('text', { x: -14, y: depth * (i + 0.5) + 4, class: 'coordinate' }, letter)));
}
