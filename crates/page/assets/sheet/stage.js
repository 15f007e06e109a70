// A table for any game written in GDL: a board if there is one to see, the legal moves, the facts.

import { fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { ListedStage } from '../table/moves.js';
import { does, headlineOf, seatNames } from '../table/names.js';
import { SheetBoardView } from './board.js';

export class SheetStage extends ListedStage {
  /** @param {import('../table/session.js').Session} session */
  constructor(session) {
    super(session, spaced);
    this.boards = this.shown.view.boards.map((board) => new SheetBoardView(board, (turns, sure) => this.mean(turns, sure)));
    this.facts = h('pre', { tabindex: 0 });
    this.side = [h('details', { class: 'card facts' }, h('summary', {}, t('Facts')), this.facts)];
  }

  get shown() {
    return /** @type {TableOf<SheetView>} */ (this.session.shown);
  }

  /** @param {string[]} turns @param {boolean} sure */
  mean(turns, sure) {
    this.meant = turns.length ? turns : null;
    if (sure) this.play(turns[0]);
    else super.draw();
  }

  clear() {
    super.clear();
    this.boards.forEach((board) => board.clear());
  }

  /** @param {number} seat */
  note(seat) {
    const { view, mover, outcome, seats } = this.shown;
    const role = seats[seat - 1].role;
    if (outcome) return `${role} · ${outcome.payoffs[seat - 1]}`;
    if (view.chosen.includes(role)) return `${role} · ${t('has chosen')}`;
    return mover === seat ? `${role} · ${t('to move')}` : role;
  }

  status() {
    const { outcome, mover, thinking, paused, seats, view, you } = this.shown;
    const names = seatNames(this.shown);
    if (outcome) {
      const draw = seats.length > 1 && outcome.payoffs.every((payoff) => payoff === outcome.payoffs[0]);
      return { headline: outcome.winner === null && !draw ? t('The game is over') : headlineOf(outcome, names), detail: `${seats.map((seat, i) => `${seat.role} ${outcome.payoffs[i]}`).join(', ')}.` };
    }
    const waiting = mover !== null && !you.seats.includes(mover) && you.seats.some((seat) => view.chosen.includes(seats[seat - 1].role));
    if (waiting) return { headline: t('You have chosen'), detail: t('Waiting for {name}: both choices are told together.', { name: names[mover - 1] }) };
    if (mover === null) return { headline: '', detail: '' };
    if (thinking) return { headline: does(names[mover - 1], 'think'), detail: '' };
    return { headline: does(names[mover - 1], 'move'), detail: paused ? t('The programs are paused.') : this.session.asked ? t('Choose a cell or a move.') : '' };
  }

  draw() {
    const { view } = this.shown;
    // A board may grow or change its shape (or first show itself) during a game.
    const shape = (/** @type {SheetBoard} */ board) => `${board.relation} ${board.xs.join()} ${board.ys.join()}`;
    if (view.boards.map(shape).join(';') !== this.boards.map((one) => shape(one.board)).join(';')) {
      this.boards = view.boards.map((board) => new SheetBoardView(board, (turns, sure) => this.mean(turns, sure)));
      this.main.replaceChildren();
    }
    if (this.main.children.length === 0) {
      fill(this.main, this.boards.length ? this.boards.map((board) => board.element) : h('div', { class: 'no-board' }));
    }
    view.boards.forEach((board, i) => this.boards[i].show(board, this.session.asked, this.hinted));
    if (this.boards.length === 0) {
      fill(/** @type {Element} */ (this.main.firstElementChild), h('p', { class: 'muted' }, t('Nothing here looks like a board, so these are the facts:')),
        h('ul', { class: 'fact-list' }, view.facts.map((fact) => h('li', {}, fact))));
    }
    this.facts.textContent = view.facts.join('\n');
    super.draw();
  }
}

/** `(mark,1,1)` as people write it: `mark 1 1`. @param {string} turn */
export const spaced = (turn) => turn.replace(/^\((.*)\)$/, '$1').replaceAll(',', ' ');
