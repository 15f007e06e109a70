// What a visitor and a host are offered: a seat to take, or a link for who shall take it.

import { onFiles } from '../common/place.js';
import { button, fill, h } from '../common/dom.js';
import { myName, remember } from '../common/memory.js';
import { t } from '../common/texts.js';
import { access, alone, copyable, linkToTable, qrDialog } from './share.js';

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
    fill(this.element, free.length > 0 && this.nameField(), watches && free.map((seat) => button(this.kind.family === 'quarto' ? t('Take seat {seat}', { seat: seat.seat }) : t('Play {role}', { role: seat.role }), () => this.session.sit(seat.seat), { class: 'primary sit' })));
    if (table.you.in_charge && free.length) this.invite();
  }

  /** What the others shall call who sits here, or is about to. */
  nameField() {
    const name = h('input', { id: 'seat-name', maxlength: 40, autocomplete: 'nickname', placeholder: t('as others see you'), onchange: () => {
      remember('name', name.value);
      this.introduce();
    } });
    name.value = myName();
    this.introduce();
    return h('div', { class: 'field' }, h('label', { for: name.id }, t('Your name')), name);
  }

  /** Tells the table the name of who has one seat here. */
  introduce() {
    const { you, seats } = this.session.table;
    const name = myName();
    if (you.seats.length !== 1 || (seats[you.seats[0] - 1].name ?? '') === name) return;
    this.session.change('', { names: seats.map(({ seat }) => (seat === you.seats[0] ? name : null)) }, 'PATCH');
  }

  /** The link for who shall sit down. */
  async invite() {
    const { drawn } = this;
    const way = await access();
    if (drawn !== this.drawn) return;
    if (onFiles()) {
      this.element.append(h('small', { class: 'muted' }, alone()));
      return;
    }
    const link = linkToTable(this.session.table, way);
    this.element.append(copyable('invitation', t('Send this link to who shall play'), link), button(t('QR code'), () => qrDialog(link), { class: 'show-qr' }));
    if (way.alone) this.element.append(h('small', { class: 'muted' }, alone()));
  }
}
