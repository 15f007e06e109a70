// The board: a drawing with the pieces on it, and over it sixteen buttons, which are what mouse, finger, keyboard and
// screen reader meet.

import { fill, h, s, set, button } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { t } from '../common/texts.js';
import { inBrief, inWords } from '../table/names.js';
import { CELLS, DEPTH, WIDTH, centre, linePath } from './cells.js';
import { TILT, describe, standing } from './piece.js';

const MARGIN = 24;
const HEADROOM = 45;
const THICK = 13;
const BOX = { x: -MARGIN - 8, y: -HEADROOM, width: 4 * WIDTH + 2 * MARGIN + 16, height: HEADROOM + 4 * DEPTH + MARGIN * TILT + THICK + 12 };

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
  /** @param {(cell: string) => void} choose */
  constructor(choose) {
    this.light = s('g', {});
    this.pieces = s('g', {});
    this.buttons = CELLS.map((cell) => button(h('span', { class: 'worth' }), () => choose(cell), { class: 'cell', 'data-cell': cell }));
    this.overlay = h('div', { class: 'cells', role: 'group', 'aria-label': t('Board') }, this.buttons);
    arrows(this.overlay, this.buttons, 4, () => !this.buttons.some((element) => element.classList.contains('open')));
    this.element = h('div', { class: 'board' },
      s('svg', { viewBox: `${BOX.x} ${BOX.y} ${BOX.width} ${BOX.height}`, 'aria-hidden': 'true' }, slab(), this.light, this.pieces),
      this.overlay);
    // The buttons lie exactly over the drawing's cells, whatever its size.
    this.overlay.style.inset = `${(100 * HEADROOM) / BOX.height}% ${(100 * -BOX.x) / BOX.width}% auto`;
    this.overlay.style.height = `${(400 * DEPTH) / BOX.height}%`;
    this.element.style.aspectRatio = `${BOX.width} / ${BOX.height}`;
    /** @type {(string | null)[]} */
    this.before = [];
  }

  /** @param {Scene} scene */
  show(scene) {
    const lit = new Set(scene.lines.flat());
    fill(this.light,
      scene.lines.map((line) => linePath(line)).map((d) => d && s('path', { d, class: 'line-glow' })),
      [...lit].map((cell) => spot(cell, 'lit')),
      scene.last && !lit.has(scene.last) && spot(scene.last, 'last'),
      scene.hint && spot(scene.hint.cell, 'hinted'));
    // Drawn row by row from the back, so that what stands in front covers what stands behind.
    fill(this.pieces, CELLS.map((cell, i) => {
      const { x, y } = centre(cell);
      const piece = scene.cells[i];
      if (piece === null) return scene.hint?.cell === cell ? standing(parseInt(scene.hint.piece, 16), x, y, 'piece ghost') : null;
      const fresh = this.before.length && this.before[i] === null ? ' fresh' : '';
      return standing(parseInt(piece, 16), x, y, `piece${fresh}${scene.pending === cell ? ' pending' : ''}`);
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
    const badge = /** @type {HTMLElement} */ (element.firstElementChild);
    badge.className = worth ? `worth ${worth.value}` : 'worth';
    badge.textContent = worth ? inBrief(worth) : '';
  }

  /** Puts the keyboard on the board: where it was, or on the first open cell. */
  focus() {
    const open = this.buttons.filter((element) => element.classList.contains('open'));
    (open.find((element) => element.tabIndex === 0) ?? open[0] ?? this.buttons[0]).focus();
  }
}

/** @param {string} cell @param {string} name */
function spot(cell, name) {
  const { x, y } = centre(cell);
  return s('ellipse', { cx: x, cy: y, rx: 41, ry: 41 * TILT, class: `spot ${name}` });
}

/** The wood of the board itself, with its rings and the names of rows and columns. */
function slab() {
  const deep = MARGIN * TILT;
  const face = { x: -MARGIN, width: 4 * WIDTH + 2 * MARGIN, height: 4 * DEPTH + 2 * deep, rx: 16 };
  return s('g', { class: 'slab' },
    s('rect', { ...face, y: -deep + THICK + 6, class: 'slab-shadow' }),
    s('rect', { ...face, y: -deep + THICK, class: 'slab-side' }),
    s('rect', { ...face, y: -deep, class: 'slab-top' }),
    s('rect', { ...face, x: face.x + 5, y: -deep + 4, width: face.width - 10, height: face.height - 8, rx: 12, class: 'slab-inlay' }),
    CELLS.map((cell) => {
      const { x, y } = centre(cell);
      return [s('ellipse', { cx: x, cy: y, rx: 41, ry: 41 * TILT, class: 'ring' }), s('ellipse', { cx: x, cy: y + 1.5, rx: 38, ry: 38 * TILT, class: 'dish' })];
    }).flat(),
    [...'abcd'].map((letter, i) => s('text', { x: WIDTH * (i + 0.5), y: 4 * DEPTH + deep - 7, class: 'coordinate' }, letter)),
    [...'1234'].map((letter, i) => s('text', { x: -14, y: DEPTH * (i + 0.5) + 4, class: 'coordinate' }, letter)));
}
