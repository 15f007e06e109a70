// A Quarto table: board, tray, the hand between the players, and what the truth says about it.

import { carry } from '../common/carry.js';
import { fill, h, set } from '../common/dom.js';
import { recall, remember } from '../common/memory.js';
import { t } from '../common/texts.js';
import { inWords, isYou, seatNames, toward, valueWord } from '../table/names.js';
import { Analysis, markOf } from './analysis.js';
import { Board } from './board.js';
import { CELLS } from './cells.js';
import { describe, picture } from './piece.js';
import { setupDialog } from './setup.js';
import { status } from './status.js';
import { Tray } from './tray.js';
import { Truth } from './truth.js';

/** @typedef {import('../table/session.js').Session} Session */

/** Where a game begins by its rules. */
const FIRST = '..../..../..../.... -';

export class QuartoStage {
  /** @param {Session} session @param {() => void} changed */
  constructor(session, changed) {
    this.session = session;
    this.changed = changed;
    /** The cell of a piece that is placed on the screen, while the one to give is being chosen. @type {string | null} */
    this.pending = null;
    this.moment = '';
    /** @type {Hint | null} */
    this.hinted = null;
    this.above = recall('above') === 'yes';
    this.board = new Board((cell) => this.chooseCell(cell), this.above);
    this.tray = new Tray((piece) => this.choosePiece(piece));
    this.hand = h('div', { class: 'hand', 'data-drop': 'hand' });
    this.truth = new Truth(changed);
    this.truth.on = recall('truth') === 'on';
    this.analysis = new Analysis(session, changed, (turn) => this.showBetter(turn));
    this.worth = h('section', { class: 'card value-card', 'aria-label': t('Truth') });
    this.main = this.board.element;
    this.side = [this.worth, this.analysis.element];
    this.middle = this.hand;
    this.aside = this.tray.element;
    for (const place of [this.hand, this.tray.element]) {
      carry(place, { from: '[data-carry], .tray-piece', onto: '.cell.open, [data-drop]' }, (from) => this.lift(from), (from, onto) => this.drop(from, onto));
    }
  }

  /** A small picture of a position. @param {QuartoView} view */
  static picture(view) {
    const board = new Board(() => {});
    board.show({ cells: view.cells, pending: null, last: null, lines: [], worths: new Map(), hint: null, open: [] });
    return [board.element];
  }

  leave() {
    this.truth.close();
    this.analysis.close();
  }

  get shown() {
    return /** @type {TableOf<QuartoView>} */ (this.session.shown);
  }

  /** @param {string} cell */
  ending = (cell) => this.shown.legal.includes(`${cell}.-`);

  /** Pieces that may be given now. */
  get givable() {
    if (!this.session.asked) return [];
    const { legal, view } = this.shown;
    if (view.phase === 'give') return legal.map((turn) => turn.slice(2));
    return this.pending ? legal.filter((turn) => turn.startsWith(`${this.pending}.`)).map((turn) => turn.slice(3)) : [];
  }

  /** Cells where the piece in hand may be put now. */
  get placeable() {
    if (!this.session.asked || this.shown.view.phase !== 'place') return [];
    return CELLS.filter((_, i) => this.shown.view.cells[i] === null);
  }

  /** @param {string} cell */
  chooseCell(cell) {
    if (!this.placeable.includes(cell)) return;
    const keyboard = this.board.overlay.contains(document.activeElement);
    if (this.pending === cell) this.pending = null;
    else this.pending = cell;
    if (this.ending(cell)) {
      this.send(`${cell}.-`);
      return;
    }
    this.changed();
    if (keyboard && this.pending) this.tray.focus();
  }

  /** @param {string} piece */
  choosePiece(piece) {
    if (!this.givable.includes(piece)) return;
    this.send(`${this.pending ?? '-'}.${piece}`);
  }

  /** @param {string} turn */
  async send(turn) {
    const keyboard = this.main.contains(document.activeElement) || this.aside.contains(document.activeElement);
    await this.session.play(turn);
    if (keyboard) this.board.focus();
  }

  /** @param {Element} from */
  lift(from) {
    if (from instanceof HTMLElement && from.dataset.piece) {
      return this.givable.includes(from.dataset.piece) ? from.querySelector('svg') : null;
    }
    return this.placeable.length && !this.pending ? from.querySelector('svg') ?? from : null;
  }

  /** @param {Element} from @param {Element} onto */
  drop(from, onto) {
    const piece = from instanceof HTMLElement ? from.dataset.piece : undefined;
    const cell = onto instanceof HTMLElement ? onto.dataset.cell : undefined;
    if (piece && !cell) this.choosePiece(piece);
    else if (!piece && cell) this.chooseCell(cell);
    else return false;
    return true;
  }

  /** Takes the placed piece back. */
  escape() {
    if (!this.pending) return false;
    this.pending = null;
    this.changed();
    this.board.focus();
    return true;
  }

  /** @param {Hint} hint */
  hint(hint) {
    this.hinted = hint;
  }

  /** Goes to the moment of a mistake, with a better turn on the board. @param {JudgedTurn} judged */
  async showBetter({ ply, best, best_value: value, best_plies: plies }) {
    await this.session.view(ply);
    const [cell, piece] = best[0].split('.');
    this.hinted = { turn: best[0], place: cell === '-' ? null : cell, give: piece === '-' ? null : piece, value, plies, reason: '', reasons: [], exact: true };
    this.changed();
  }

  toggleTruth() {
    this.truth.on = !this.truth.on;
    remember('truth', this.truth.on ? 'on' : 'off');
    this.changed();
  }

  /** Looks from above, where nothing hides anything, or aslant. */
  toggleAbove() {
    this.above = !this.above;
    remember('above', this.above ? 'yes' : 'no');
    this.board.look(this.above);
    this.changed();
  }

  status() {
    return status(this.shown, seatNames(this.shown), { pending: this.pending, asked: this.session.asked });
  }

  get truthOn() {
    return this.truth.on;
  }

  setup() {
    setupDialog(this.session);
  }

  /** The cell, and the piece that was given. @param {string} turn */
  turnFace = (turn) => {
    const [cell, piece] = turn.split('.');
    return [cell === '-' ? t('first') : cell, piece !== '-' && picture(parseInt(piece, 16), 'tiny'), piece !== '-' && h('span', { class: 'aloud' }, t('gives {piece}', { piece: describe(parseInt(piece, 16)) }))];
  };

  /** @param {number} ply */
  mark(ply) {
    const turn = this.analysis.turns.get(ply);
    return turn?.mistake ? { mark: markOf(turn), label: t('mistake: a {before} became a {after}', { before: valueWord(turn.best_value), after: valueWord(turn.value) }) } : null;
  }

  /** @param {number} seat */
  note(seat) {
    const { view, mover, outcome } = this.shown;
    if (outcome) return outcome.winner === null ? t('draw') : outcome.winner === seat ? t('won') : t('lost');
    if (mover !== seat) return view.phase === 'give' ? t('will place') : t('gave it');
    const you = isYou(seatNames(this.shown)[seat - 1]);
    if (view.phase === 'give' || this.pending) return you ? t('give') : t('gives');
    return you ? t('place') : t('places');
  }

  update() {
    const { shown, session } = this;
    const moment = `${shown.position} ${session.asked}`;
    if (moment !== this.moment) {
      this.pending = null;
      this.hinted = null;
    }
    this.moment = moment;
    this.truth.follow(shown, this.pending);
    this.analysis.follow();
    this.draw();
  }

  draw() {
    const { view, last } = this.shown;
    const cells = [...view.cells];
    if (this.pending) cells[CELLS.indexOf(this.pending)] = view.hand;
    const hintCell = !this.pending && this.hinted?.place && view.hand ? { cell: this.hinted.place, piece: view.hand } : null;
    this.board.show({
      cells, pending: this.pending, last: last && last.turn[0] !== '-' ? last.turn.slice(0, 2) : null,
      lines: view.completed.map((line) => line.cells), worths: this.pending ? new Map() : this.truth.cells,
      hint: hintCell, open: this.placeable, doing: t('place here'),
    });
    // While playing, the piece to give is only marked once the other one is placed; looking back, both at once.
    const waits = !this.session.asked || !this.hinted?.place || this.pending === this.hinted.place;
    this.tray.show({
      left: view.left, open: this.givable, worths: this.truth.pieces,
      hint: waits ? this.hinted?.give ?? null : null, doing: t('give this piece'),
    });
    this.drawHand(view);
    this.drawWorth();
  }

  /** @param {QuartoView} view */
  drawHand(view) {
    const piece = this.pending ? null : view.hand;
    const words = piece === null ? (view.phase === 'over' ? '' : t('no piece in hand')) : t('In hand: {piece}', { piece: describe(parseInt(piece, 16)) });
    set(this.hand, { role: 'img', 'aria-label': words || t('The game is over') });
    this.hand.classList.toggle('asked', this.givable.length > 0);
    this.hand.dataset.holder = String(this.shown.mover ?? 0);
    const held = piece === null ? h('span', { class: 'no-piece' }) : h('span', { class: 'held', 'data-carry': 'hand' }, picture(parseInt(piece, 16)));
    held.classList.toggle('liftable', this.placeable.length > 0);
    fill(this.hand, held, h('small', {}, piece === null ? (this.givable.length ? t('give') : '') : t('in hand')));
  }

  drawWorth() {
    const { truth, shown } = this;
    this.worth.hidden = !truth.on;
    if (!truth.on) return;
    const name = shown.mover === null ? '' : seatNames(shown)[shown.mover - 1];
    const { value, progress } = truth;
    fill(this.worth,
      h('h2', {}, t('Truth')),
      shown.mover === null ? h('p', { class: 'muted' }, t('The game is over.'))
        : value ? h('p', {}, h('span', { class: `worth ${value.value}` }, valueWord(value.value)), ` ${t('for {name}', { name: toward(name) })}`, value.value !== 'draw' && h('span', { class: 'muted' }, `, ${inWords(value)}`))
          : h('p', { class: 'muted' }, { refused: t('The solver is busy.'), stopped: t('This position takes longer than a page may ask for.') }[truth.state] ?? t('Finding out…')),
      truth.state === 'working' && h('progress', { max: progress?.of ?? 1, value: progress?.done ?? 0, 'aria-label': t('Solved') }),
      h('p', { class: 'legend' }, /** @type {const} */ (['win', 'draw', 'loss']).map((worth) => h('span', {}, h('span', { class: `worth ${worth}` }, { win: '▲5', draw: '=', loss: '▼4' }[worth]), ` ${valueWord(worth)}`)),
        h('span', { class: 'muted' }, t('and in how many placements'))),
      shown.start === FIRST && h('p', { class: 'small' }, h('a', { href: `/explore?${new URLSearchParams({ game: shown.game, turns: shown.turns.slice(0, shown.ply).join(' ') })}` }, t('Explore the openings'))));
  }
}
