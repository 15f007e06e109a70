// Discs on pegs: a peg is pressed, then the one that its top disc goes to; or the disc is carried there.

import { carry } from '../common/carry.js';
import { button, fill, h, set } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { t } from '../common/texts.js';

/** @typedef {SheetView['pegs'][number]} Peg */

/** What is on a peg, the lowest first. @param {Peg} peg */
const contents = (peg) => (peg.discs.length ? peg.discs.join(' ') : t('empty'));

/** The name of a peg's button. @param {Element} element */
const nameOf = (element) => /** @type {HTMLElement} */ (element).dataset.peg ?? '';

export class Pegs {
  /** @param {SheetView['pegs']} pegs @param {(turns: string[], sure: boolean) => void} choose the moves that are left open, and whether that is a whole move */
  constructor(pegs, choose) {
    this.pegs = pegs;
    this.choose = choose;
    /** The peg that a disc is to be taken from. @type {string | null} */
    this.from = null;
    this.asked = false;
    /** @type {string | null} */
    this.hint = null;
    this.buttons = pegs.map(({ name }) => button([h('span', { class: 'discs' }), h('b', { 'aria-hidden': 'true' }, name)], () => this.press(name), { class: 'peg', 'data-peg': name }));
    this.element = h('div', { class: 'pegs', role: 'group', 'aria-label': t('Pegs') }, this.buttons);
    arrows(this.element, this.buttons, this.buttons.length, () => !this.asked);
    carry(this.element, { from: '.peg.carries', onto: '.peg' }, (from) => from.querySelector('.disc-top'), (from, onto) => this.drop(nameOf(from), nameOf(onto)), (from) => this.begin(nameOf(from)));
  }

  /** @param {string} name */
  movesFrom = (name) => this.pegs.find((peg) => peg.name === name)?.moves ?? [];

  /** @param {string} name */
  press(name) {
    if (!this.asked) return;
    if (this.from && this.from !== name && this.movesFrom(this.from).some(({ to }) => to === name)) this.drop(this.from, name);
    else this.begin(this.from === name ? '' : name);
  }

  /** A disc is to be taken from here, or from nowhere. @param {string} name */
  begin(name) {
    const turns = this.movesFrom(name).map(({ turn }) => turn);
    this.from = turns.length ? name : null;
    this.choose(turns, false);
    this.draw();
  }

  /** @param {string} from @param {string} onto */
  drop(from, onto) {
    // Let go where it came from: it stays chosen, and its goal can be pressed.
    if (from === onto) return;
    const turns = this.movesFrom(from).filter(({ to }) => to === onto).map(({ turn }) => turn);
    this.from = null;
    this.choose(turns, turns.length > 0);
    this.draw();
  }

  clear() {
    this.from = null;
  }

  /** @param {SheetView['pegs']} pegs @param {boolean} asked @param {string | null} hint */
  show(pegs, asked, hint) {
    this.pegs = pegs;
    this.asked = asked;
    this.hint = hint;
    this.draw();
  }

  draw() {
    const { pegs, asked, from } = this;
    const largest = Math.max(1, ...pegs.flatMap((peg) => peg.discs));
    const all = pegs.reduce((sum, peg) => sum + peg.discs.length, 0);
    this.element.style.setProperty('--discs', String(Math.max(3, all)));
    const goals = new Set(from ? this.movesFrom(from).map(({ to }) => to) : []);
    const hinted = pegs.flatMap((peg) => peg.moves.filter(({ turn }) => turn === this.hint).flatMap(({ to }) => [peg.name, to]));
    pegs.forEach((peg, at) => {
      const { name, discs, moves } = peg;
      const element = this.buttons[at];
      const open = asked && (from ? goals.has(name) || from === name : moves.length > 0);
      const states = { open, carries: asked && moves.length > 0, chosen: from === name, reach: asked && goals.has(name), hinted: hinted.includes(name) };
      element.className = ['peg', ...Object.entries(states).filter(([, on]) => on).map(([state]) => state)].join(' ');
      // Drawn again only when it changed: a press that began on a disc must find it there at its end.
      const what = discs.join(' ');
      if (element.dataset.what !== what) fill(/** @type {Element} */ (element.firstElementChild), discs.map((size, layer) => disc(size, largest, layer === discs.length - 1)));
      element.dataset.what = what;
      const words = [t('Peg {name}: {discs}', { name, discs: contents(peg) }), open && !from && t('{count} move|{count} moves', { count: moves.length })];
      set(element, { 'aria-label': words.filter(Boolean).join(', '), 'aria-pressed': from === name ? 'true' : null, 'aria-disabled': open ? null : 'true' });
    });
  }
}

/** Its number is drawn by the style sheet: what lies on a peg is said by the peg's label. @param {number} size @param {number} largest @param {boolean} top */
function disc(size, largest, top) {
  const element = h('span', { class: `peg-disc${top ? ' disc-top' : ''}`, 'aria-hidden': 'true', 'data-name': size });
  element.style.setProperty('--size', String(size / largest));
  element.style.setProperty('--hue', String(Math.round(size / largest * 260)));
  return element;
}
