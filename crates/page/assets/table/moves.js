// The legal moves as buttons, for games whose board does not offer all of them.

import { button, fill, h } from '../common/dom.js';

/** More buttons than that are of no use to anybody. */
const MOST = 400;

export class MoveList {
  /** @param {(turn: string) => void} play @param {(turn: string) => string} face how a move is written on its button */
  constructor(play, face) {
    this.play = play;
    this.face = face;
    /** @type {{ legal: string[], open: string[], asked: boolean, hinted: string | null }} */
    this.shown = { legal: [], open: [], asked: false, hinted: null };
    this.filter = h('input', { type: 'search', placeholder: 'Filter moves', 'aria-label': 'Filter moves', oninput: () => this.draw() });
    this.moves = h('div', { class: 'moves', role: 'group', 'aria-label': 'Legal moves' });
    this.element = h('section', { class: 'legal', 'aria-label': 'Legal moves' }, this.filter, this.moves);
  }

  /** @param {string[]} legal @param {string[] | null} meant those that are left open, null for all @param {boolean} asked @param {string | null} hinted */
  show(legal, meant, asked, hinted) {
    this.shown = { legal, open: meant ?? legal, asked, hinted };
    this.draw();
  }

  draw() {
    const { legal, open, asked, hinted } = this.shown;
    const wanted = this.filter.value.toLowerCase();
    const moves = open.filter((turn) => turn.toLowerCase().includes(wanted) || this.face(turn).toLowerCase().includes(wanted));
    this.filter.hidden = legal.length < 12;
    fill(this.moves, moves.slice(0, MOST).map((turn) => button(this.face(turn), () => this.play(turn), { class: `move${turn === hinted ? ' hinted' : ''}`, disabled: !asked, 'data-turn': turn })),
      moves.length > MOST && h('p', { class: 'muted' }, `and ${moves.length - MOST} more`),
      moves.length === 0 && h('p', { class: 'muted' }, legal.length ? 'No move matches.' : 'No moves.'));
  }
}
