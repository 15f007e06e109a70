// A table for any game written in GDL: boards, heaps and shelves if there are any to see, the legal moves, the facts.

import { button, fill, h } from '../common/dom.js';
import { recall, remember } from '../common/memory.js';
import { t } from '../common/texts.js';
import { ListedStage, inOrder } from '../table/moves.js';
import { does, headlineOf, seatNames } from '../table/names.js';
import { Beside } from './beside.js';
import { SheetBoardView } from './board.js';
import { choiceDialog } from './choice.js';
import { Pegs } from './pegs.js';
import { setupDialog } from './setup.js';

/** More moves than that are no row of buttons. */
const MOST_ACTIONS = 12;

export class SheetStage extends ListedStage {
  /** @param {import('../table/session.js').Session} session */
  constructor(session) {
    super(session, (turn) => this.written(turn));
    /** Whether the person wants the board the other way round than the seat suggests. */
    this.otherWay = recall('turn-board') === 'yes';
    /** @type {SheetBoardView[]} */
    this.boards = [];
    /** @type {Pegs | null} */
    this.pegs = null;
    this.beside = new Beside((turn) => this.play(turn), this.face);
    this.actions = h('div', { class: 'actions', role: 'group', 'aria-label': t('Moves') });
    this.turnButton = button(t('Turn the board'), () => this.turnBoard(), { class: 'quiet turn-board' });
    this.facts = h('pre', { tabindex: 0 });
    this.side = [h('details', { class: 'card facts' }, h('summary', {}, t('Facts')), this.facts)];
    this.aside = h('div', { class: 'sheet-aside' }, this.beside.shelves, this.list.element, this.turnButton);
    this.shape = '';
  }

  /** A small picture of a position. @param {SheetView} view */
  static picture(view) {
    const boards = view.boards.map((board) => {
      const drawn = new SheetBoardView(board, false, () => {});
      drawn.show(board, false, null);
      return drawn.element;
    });
    if (boards.length) return boards;
    if (view.pegs.length) {
      const pegs = new Pegs(view.pegs, () => {});
      pegs.show(view.pegs, false, null);
      return [pegs.element];
    }
    const beside = new Beside(() => {}, (turn) => turn);
    beside.show(view, false, null);
    return [beside.heaps, beside.counters];
  }

  get shown() {
    return /** @type {TableOf<SheetView>} */ (this.session.shown);
  }

  /** Whether somebody here sits on the other side of the board. */
  get turned() {
    const { you, seats, view } = this.shown;
    const other = view.boards.some((board) => you.seats.length > 0 && you.seats.every((seat) => board.turned.includes(seats[seat - 1].role)));
    return other !== this.otherWay;
  }

  turnBoard() {
    this.otherWay = !this.otherWay;
    remember('turn-board', this.otherWay ? 'yes' : 'no');
    this.clear();
    this.draw();
  }

  setup() {
    setupDialog(this.session);
  }

  /** @param {SheetBoardView} board @param {string[]} turns @param {boolean} sure */
  mean(board, turns, sure) {
    this.meant = turns.length ? turns : null;
    if (sure && turns.length > 1) {
      const { seats, mover } = this.shown;
      choiceDialog(turns, board.board, seats[(mover ?? 1) - 1].role, this.face, (turn) => this.play(turn), () => (this.clear(), this.draw()));
    } else if (sure) this.play(turns[0]);
    super.draw();
  }

  /** @param {string[]} turns @param {boolean} sure */
  meanDisc(turns, sure) {
    this.meant = turns.length ? turns : null;
    if (sure) this.play(turns[0]);
    super.draw();
  }

  clear() {
    super.clear();
    this.pegs?.clear();
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
    return { headline: does(names[mover - 1], 'move'), detail: paused ? t('The programs are paused.') : this.session.asked ? this.what() : '' };
  }

  /** What is to be done, by what there is to press. */
  what() {
    const { view } = this.shown;
    if (view.boards.some((board) => board.moves.some((move) => move.cells.length > 1))) return t('Choose a piece, then its goal.');
    if (view.boards.some((board) => board.moves.length)) return view.boards[0].look === 'holes' ? t('Choose a column.') : t('Choose a cell.');
    if (view.pegs.length) return t('Choose a peg, then where its top disc goes.');
    if (view.heaps.length) return t('Take stones from one heap.');
    if (view.shelves.some((shelf) => shelf.pieces.some((piece) => piece.turn))) return t('Choose a piece.');
    return t('Choose a move.');
  }

  /** Can all moves be made without the list? */
  get covered() {
    const { view, legal } = this.shown;
    const offered = new Set([...view.boards.flatMap((board) => board.moves.map((move) => move.turn)), ...view.heaps.flatMap((heap) => heap.moves.map((move) => move.turn)),
      ...view.pegs.flatMap((peg) => peg.moves.map((move) => move.turn)),
      ...view.shelves.flatMap((shelf) => shelf.pieces.map((piece) => piece.turn))]);
    return legal.every((turn) => offered.has(turn));
  }

  /** Builds what is drawn anew where its shape has changed: a board may grow (or first show itself) during a game. */
  build() {
    const { view } = this.shown;
    const { turned } = this;
    const shape = `${turned} ${view.boards.map((board) => `${board.relation} ${board.look} ${board.xs.join()} ${board.ys.join()}`).join(';')} ${view.heaps.length > 0} ${view.pegs.map((peg) => peg.name).join()} ${view.shelves.length}`;
    if (shape === this.shape) return;
    this.shape = shape;
    this.boards = view.boards.map((board) => {
      const drawn = new SheetBoardView(board, turned, (turns, sure) => this.mean(drawn, turns, sure));
      return drawn;
    });
    this.pegs = view.pegs.length ? new Pegs(view.pegs, (turns, sure) => this.meanDisc(turns, sure)) : null;
    /** Whether there is nothing to press but the moves themselves. */
    this.bare = this.boards.length + view.heaps.length + view.pegs.length + view.shelves.length === 0;
    fill(this.main, this.beside.counters, this.boards.map((board) => board.element), this.pegs?.element, this.beside.heaps, this.bare && this.actions);
    this.turnButton.hidden = !view.boards.some((board) => board.turned.length);
  }

  draw() {
    const { view, legal } = this.shown;
    const { asked } = this.session;
    this.build();
    view.boards.forEach((board, i) => this.boards[i].show(board, asked, this.hinted));
    this.pegs?.show(view.pegs, asked, this.hinted);
    this.beside.show(view, asked, this.hinted);
    const few = legal.length <= MOST_ACTIONS ? legal : [];
    fill(this.actions, inOrder(few, this.face).map((turn) => button(this.face(turn), () => this.play(turn), { class: `action${turn === this.hinted ? ' hinted' : ''}`, disabled: !asked, 'data-turn': turn })));
    this.facts.textContent = view.facts.join('\n');
    super.draw();
    this.list.element.classList.toggle('spare', this.covered);
    this.list.element.classList.toggle('idle', this.bare === true && legal.length <= MOST_ACTIONS);
  }
}
