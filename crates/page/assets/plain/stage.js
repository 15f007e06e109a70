// A table for a game without a stage of its own: its board as a grid or as text, its moves as buttons.

import { fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { ListedStage } from '../table/moves.js';
import { does, headlineOf, seatNames } from '../table/names.js';
import { GridView } from './grid.js';

export class PlainStage extends ListedStage {
  /** @param {import('../table/session.js').Session} session */
  constructor(session) {
    super(session, (turn) => turn);
    /** @type {GridView | null} */
    this.grid = null;
    this.text = h('pre', { class: 'drawing', tabindex: 0, 'aria-label': t('Position') });
    this.side = [];
  }

  /** A small picture of a position. @param {PlainView} view @returns {Element[]} */
  static picture(view) {
    if (!view.board) return [h('pre', { class: 'drawing' }, view.text)];
    const grid = new GridView(view.board, () => {});
    grid.show(view.board, false, null, null);
    return [grid.element];
  }

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

  /** @param {number} seat */
  note(seat) {
    const { mover, outcome, seats } = this.shown;
    const role = seats[seat - 1].role;
    if (outcome) return `${role} · ${outcome.points?.[seat - 1] ?? outcome.payoffs[seat - 1]}`;
    return mover === seat ? `${role} · ${t('to move')}` : role;
  }

  status() {
    const { outcome, mover, thinking, paused } = this.shown;
    const names = seatNames(this.shown);
    if (outcome) return { headline: headlineOf(outcome, names), detail: `${outcome.text}.` };
    if (mover === null) return { headline: '', detail: '' };
    if (thinking) return { headline: does(names[mover - 1], 'think'), detail: '' };
    const choice = this.shown.view.board?.moves.length ? t('Choose a cell or a move.') : t('Choose a move.');
    return { headline: does(names[mover - 1], 'move'), detail: paused ? t('The programs are paused.') : this.session.asked ? choice : '' };
  }

  draw() {
    const { view } = this.shown;
    const { asked } = this.session;
    if (view.board && (!this.grid || this.grid.outgrown(view.board))) {
      this.grid = new GridView(view.board, (turns) => this.mean(turns));
    }
    const face = view.board && this.grid ? this.grid.element : this.text;
    if (this.main.firstElementChild !== face) fill(this.main, face);
    if (view.board) this.grid?.show(view.board, asked, this.meant, this.hinted);
    else this.text.textContent = view.text;
    super.draw();
  }
}
