// The players and what lies between them: who is to move is always to be seen here.

import { button, fill, h } from '../common/dom.js';
import { icon } from '../common/icons.js';
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
    this.cards = session.table.seats.map((seat) => button('', seating, { class: 'seat', 'data-seat': seat.seat }));
    const half = Math.ceil(this.cards.length / 2);
    this.element = h('div', { class: 'banner' }, this.cards.slice(0, half), stage.middle, this.cards.slice(half));
  }

  update() {
    const { shown } = this.session;
    const names = seatNames(shown);
    this.cards.forEach((card, i) => {
      const seat = shown.seats[i];
      const person = seat.player === 'human';
      const active = shown.mover === seat.seat;
      const note = this.stage.note(seat.seat);
      const thinks = shown.thinking?.seat === seat.seat;
      card.className = `seat${active ? ' active' : ''}${shown.outcome?.winner === seat.seat ? ' winner' : ''}${thinks ? ' thinks' : ''}`;
      fill(card, icon(person ? 'person' : 'program'), h('span', { class: 'seat-name' }, names[i]), h('span', { class: 'seat-note' }, note), h('span', { class: 'aloud' }, `${thinks ? 'thinks. ' : ''}Change players`));
    });
  }
}
