// The pieces that are left, each always in its own place, so that eyes and fingers find it again.

import { button, h, set } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { t } from '../common/texts.js';
import { inBrief, inWords } from '../table/names.js';
import { describe, digit, picture } from './piece.js';

/**
 * @typedef {object} Offer
 * @property {string[]} left pieces that are still here
 * @property {string[]} open pieces that may be chosen now
 * @property {Map<string, Worth>} worths what giving a piece is worth
 * @property {string | null} hint
 * @property {string} doing what choosing does
 */

/** Sorted for the eye, light and dark beside each other: short before tall, round before square, solid before hollow. */
const ORDER = Array.from({ length: 16 }, (_, i) => i).sort((a, b) => (a & 2) - (b & 2) || (a & 8) - (b & 8) || (a & 4) - (b & 4) || (a & 1) - (b & 1));

export class Tray {
  /** @param {(piece: string) => void} choose */
  constructor(choose) {
    this.buttons = ORDER.map((piece) =>
      button([picture(piece, 'portrait', true), h('span', { class: 'worth' })], () => choose(digit(piece)), { class: 'tray-piece', 'data-piece': digit(piece) }));
    this.group = h('div', { class: 'tray-pieces', role: 'group', 'aria-label': t('Pieces left') }, this.buttons);
    this.element = h('section', { class: 'tray', 'aria-label': t('Pieces left') }, this.group);
    arrows(this.group, this.buttons, () => getComputedStyle(this.group).gridTemplateColumns.split(' ').length);
  }

  /** @param {Offer} offer */
  show(offer) {
    this.element.classList.toggle('asked', offer.open.length > 0);
    for (const element of this.buttons) {
      const piece = element.dataset.piece ?? '0';
      const open = offer.open.includes(piece), worth = offer.worths.get(piece);
      const words = [describe(parseInt(piece, 16)), worth ? inWords(worth) : '', open ? offer.doing : ''].filter(Boolean);
      element.disabled = !offer.left.includes(piece);
      element.classList.toggle('open', open);
      element.classList.toggle('hinted', offer.hint === piece);
      set(element, { 'aria-label': words.join(', '), 'aria-disabled': open ? null : 'true', title: describe(parseInt(piece, 16)) });
      const badge = /** @type {HTMLElement} */ (element.lastElementChild);
      badge.className = worth ? `worth ${worth.value}` : 'worth';
      badge.textContent = worth ? inBrief(worth) : '';
    }
    // A roving stop on a piece that has gone would be a dead end for the Tab key.
    if (!this.buttons.some((element) => element.tabIndex === 0 && !element.disabled)) {
      const first = this.buttons.find((element) => !element.disabled);
      this.buttons.forEach((element) => (element.tabIndex = element === first ? 0 : -1));
    }
  }

  focus() {
    (this.buttons.find((element) => element.classList.contains('open') && element.tabIndex === 0)
      ?? this.buttons.find((element) => element.classList.contains('open')))?.focus();
  }
}
