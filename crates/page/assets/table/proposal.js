// What somebody asks the others for: to take a turn back, a draw, another game. Whoever plays on says no.

import { button, fill, h } from '../common/dom.js';
import { note } from '../common/say.js';
import { t } from '../common/texts.js';
import { seatNames } from './names.js';

/** @param {NonNullable<Table['proposal']>['what']} what @param {string} name */
const inWords = (what, name) => ({
  undo: () => t('{name} asks to take turns back.', { name }),
  redo: () => t('{name} asks to play again what was taken back.', { name }),
  restart: () => t('{name} asks for a new game.', { name }),
  swap: () => t('{name} asks to swap seats.', { name }),
  setup: () => t('{name} asks for another position.', { name }),
  draw: () => t('{name} offers a draw.', { name }),
}[what]());

export class ProposalBar {
  /** @param {import('./session.js').Session} session */
  constructor(session) {
    this.session = session;
    this.element = h('div', { class: 'proposal', role: 'status', hidden: true });
    this.drawn = '';
    /** What this screen asked for, and the game it was asked at. @type {string | null} */
    this.own = null;
  }

  update() {
    const { table } = this.session;
    const { proposal, you } = table;
    const game = `${table.turns.join(' ')}|${table.ply}|${table.outcome?.how}|${table.seats.map((seat) => seat.name).join()}|${you.seats.join()}`;
    const mine = proposal !== null && you.seats.includes(proposal.seat);
    if (!proposal && this.own === game) note(t('The other player does not agree.'));
    this.own = mine ? game : null;
    const state = proposal ? `${proposal.what} ${proposal.seat} ${you.seats.join()} ${table.version}` : '';
    if (state === this.drawn) return;
    this.drawn = state;
    this.element.hidden = !proposal;
    if (!proposal) return fill(this.element);
    const answer = (/** @type {boolean} */ agree) => this.session.change('/answer', { agree, version: table.version });
    fill(this.element, h('span', {}, mine ? t('Asked: the other player has to agree.') : inWords(proposal.what, seatNames(table)[proposal.seat - 1])),
      mine ? button(t('Withdraw'), () => {
        this.own = null;
        answer(false);
      }, { class: 'withdraw' })
        : you.seats.length > 0 && h('div', { class: 'buttons' }, button(t('Agree'), () => answer(true), { class: 'primary agree' }), button(t('Decline'), () => answer(false), { class: 'decline' })));
  }
}
