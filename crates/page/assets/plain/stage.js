// A table for a game without a stage of its own: its board as a grid or as text, its moves as buttons.

import { fill, h } from '../common/dom.js';
import { MoveList } from '../table/moves.js';
import { does, headlineOf, seatNames } from '../table/names.js';
import { GridView } from './grid.js';

export class PlainStage {
  /** @param {import('../table/session.js').Session} session @param {() => void} changed */
  constructor(session, changed) {
    this.session = session;
    this.changed = changed;
    this.pending = null;
    /** @type {string | null} */
    this.hinted = null;
    this.before = '';
    /** The moves of the cell that was pressed; null for all. @type {string[] | null} */
    this.meant = null;
    /** @type {GridView | null} */
    this.grid = null;
    this.text = h('pre', { class: 'drawing', tabindex: 0, 'aria-label': 'Position' });
    this.main = h('div', { class: 'sheet-main' }, this.text);
    this.list = new MoveList((turn) => this.play(turn), (turn) => turn);
    this.aside = this.list.element;
    this.middle = h('div', { class: 'versus', 'aria-hidden': 'true' }, this.shown.seats.length > 1 ? 'against' : '');
    this.side = [];
  }

  leave() {}

  get shown() {
    return /** @type {TableOf<PlainView>} */ (this.session.shown);
  }

  /** A cell that belongs to one move plays it; one of several leaves these in the list. @param {string[]} turns */
  mean(turns) {
    if (turns.length === 1) this.play(turns[0]);
    else {
      this.meant = turns;
      this.draw();
    }
  }

  /** @param {string} turn */
  play(turn) {
    if (this.session.asked && this.shown.legal.includes(turn)) this.session.play(turn);
  }

  /** @param {Hint} hint */
  hint(hint) {
    this.hinted = hint.turn;
  }

  escape() {
    if (!this.meant) return false;
    this.meant = null;
    this.draw();
    return true;
  }

  /** @param {string} turn */
  turnFace = (turn) => (turn === '?' ? [h('i', {}, 'chosen')] : [turn]);

  mark() {
    return null;
  }

  /** @param {number} seat */
  note(seat) {
    const { mover, outcome, seats } = this.shown;
    const role = seats[seat - 1].role;
    if (outcome) return `${role} · ${outcome.points?.[seat - 1] ?? outcome.payoffs[seat - 1]}`;
    return mover === seat ? `${role} · to move` : role;
  }

  status() {
    const { outcome, mover, thinking, paused } = this.shown;
    const names = seatNames(this.shown);
    if (outcome) return { headline: headlineOf(outcome, names), detail: `${outcome.text}.` };
    if (mover === null) return { headline: '', detail: '' };
    if (thinking) return { headline: `${names[mover - 1]} thinks…`, detail: '' };
    const choice = this.shown.view.board?.moves.length ? 'Choose a cell or a move.' : 'Choose a move.';
    return { headline: does(names[mover - 1], 'move'), detail: paused ? 'The programs are paused.' : this.session.asked ? choice : '' };
  }

  update() {
    const moment = `${this.shown.position} ${this.shown.ply} ${this.session.asked}`;
    if (moment !== this.before) {
      this.hinted = null;
      this.meant = null;
    }
    this.before = moment;
    this.draw();
  }

  draw() {
    const { view, legal } = this.shown;
    const { asked } = this.session;
    if (view.board && (!this.grid || this.grid.outgrown(view.board))) {
      this.grid = new GridView(view.board, (turns) => this.mean(turns));
    }
    const face = view.board && this.grid ? this.grid.element : this.text;
    if (this.main.firstElementChild !== face) fill(this.main, face);
    if (view.board) this.grid?.show(view.board, asked, this.meant, this.hinted);
    else this.text.textContent = view.text;
    this.list.show(legal, this.meant, asked, this.hinted);
  }
}
