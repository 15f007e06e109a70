// The players and what lies between them: who is to move is always to be seen here.

import { button, fill, h, set } from '../common/dom.js';
import { icon } from '../common/icons.js';
import { t } from '../common/texts.js';
import { clockFace } from './clock.js';
import { seatNames } from './names.js';

export class Banner {
  /**
   * @param {import('./session.js').Session} session
   * @param {{ middle: HTMLElement, note: (seat: number) => string }} stage
   * @param {() => void} seating
   */
  constructor(session, stage, seating) {
    this.session = session;
    this.stage = stage;
    this.cards = session.table.seats.map(({ seat }) => button('', () => {
      const { you, seats } = session.table;
      if (you.in_charge) seating();
      else if (seats[seat - 1].player === 'open') session.sit(seat);
    }, { class: 'seat', 'data-seat': seat }));
    const half = Math.ceil(this.cards.length / 2);
    this.element = h('div', { class: 'banner' }, this.cards.slice(0, half), stage.middle, this.cards.slice(half));
  }

  /** Lets the clocks show what they do meanwhile. */
  tick() {
    this.cards.forEach((card, i) => card.querySelector('.seat-clock')?.replaceWith(clockFace(this.session, i + 1) ?? ''));
  }

  update() {
    const { shown } = this.session;
    const names = seatNames(shown);
    this.cards.forEach((card, i) => {
      const seat = shown.seats[i];
      const free = seat.player === 'open' && !seat.name;
      const person = free || seat.player === 'human';
      const active = shown.mover === seat.seat;
      const note = free && !shown.outcome ? t('{note}, free', { note: this.stage.note(seat.seat) }) : this.stage.note(seat.seat);
      const thinks = shown.thinking?.seat === seat.seat;
      const does = shown.you.in_charge ? t('Change players') : free ? t('Sit down here') : '';
      card.className = `seat${active ? ' active' : ''}${shown.outcome?.winner === seat.seat ? ' winner' : ''}${thinks ? ' thinks' : ''}`;
      fill(card, icon(person ? 'person' : 'program'), h('span', { class: 'seat-name' }, names[i]), clockFace(this.session, seat.seat), h('span', { class: 'seat-note' }, note), h('span', { class: 'aloud' }, `${thinks ? `${t('thinks')}. ` : ''}${does}`));
      card.title = names[i];
      set(card, { 'aria-disabled': does ? null : 'true' });
    });
  }
}
