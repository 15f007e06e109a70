// What a visitor and a host are offered: a seat to take, or a link for who shall take it.

import { button, fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { access, alone, copyable, linkToTable } from './share.js';

export class Offer {
  /** @param {import('./session.js').Session} session @param {GameKind} kind */
  constructor(session, kind) {
    this.session = session;
    this.kind = kind;
    this.element = h('div', { class: 'offer', role: 'region', 'aria-label': t('Seats') });
    this.drawn = '';
  }

  update() {
    const { table } = this.session;
    const free = table.outcome ? [] : table.seats.filter((seat) => seat.player === 'open' && !seat.name);
    const watches = table.you.seats.length === 0;
    const state = `${watches} ${table.you.in_charge} ${free.map((seat) => seat.seat).join()}`;
    if (state === this.drawn) return;
    this.drawn = state;
    this.element.hidden = free.length === 0;
    fill(this.element, watches && free.map((seat) => button(this.kind.family === 'quarto' ? t('Take seat {seat}', { seat: seat.seat }) : t('Play {role}', { role: seat.role }), () => this.session.sit(seat.seat), { class: 'primary sit' })));
    if (table.you.in_charge && free.length) this.invite();
  }

  /** The link for who shall sit down. */
  async invite() {
    const { drawn } = this;
    const way = await access();
    if (drawn !== this.drawn) return;
    const field = copyable('invitation', t('Send this link to who shall play'), linkToTable(this.session.table, way));
    this.element.append(field);
    if (way.alone) this.element.append(h('small', { class: 'muted' }, alone()));
  }
}
