// The legal moves as buttons, for games whose board does not offer all of them.

import { button, fill, h } from '../common/dom.js';
import { drawn } from '../common/frame.js';
import { t } from '../common/texts.js';

/** More buttons than that are of no use to anybody. */
const MOST = 400;

/** As a reader looks for them: 2 before 10, and a before b. @param {string[]} turns @param {(turn: string) => string} face */
export const inOrder = (turns, face) => [...turns].sort((a, b) => face(a).localeCompare(face(b), 'en', { numeric: true }));

export class MoveList {
  /** @param {(turn: string) => void} play @param {(turn: string) => string} face how a move is written on its button */
  constructor(play, face) {
    this.play = play;
    this.face = face;
    /** @type {{ legal: string[], open: string[], asked: boolean, hinted: string | null }} */
    this.shown = { legal: [], open: [], asked: false, hinted: null };
    /** The board comes first: its list has letters of another face, and both are much to draw. @type {Promise<void> | null} */
    this.afterBoard = null;
    this.ready = false;
    this.filter = h('input', { type: 'search', hidden: true, placeholder: t('Filter moves'), 'aria-label': t('Filter moves'), oninput: () => this.draw() });
    this.moves = h('div', { class: 'moves', role: 'group', 'aria-label': t('Legal moves') });
    this.element = h('section', { class: 'legal', 'aria-label': t('Legal moves') }, this.filter, this.moves);
  }

  /** @param {string[]} legal @param {string[] | null} meant those that are left open, null for all @param {boolean} asked @param {string | null} hinted */
  show(legal, meant, asked, hinted) {
    this.shown = { legal, open: meant ?? legal, asked, hinted };
    if (this.ready) return this.draw();
    this.afterBoard ??= drawn().then(() => {
      this.ready = true;
      this.draw();
    });
  }

  draw() {
    const { legal, open, asked, hinted } = this.shown;
    const wanted = this.filter.value.toLowerCase();
    const moves = inOrder(open, this.face).filter((turn) => turn.toLowerCase().includes(wanted) || this.face(turn).toLowerCase().includes(wanted));
    this.filter.hidden = legal.length < 12;
    fill(this.moves, moves.slice(0, MOST).map((turn) => button(this.face(turn), () => this.play(turn), { class: `move${turn === hinted ? ' hinted' : ''}`, disabled: !asked, 'data-turn': turn })),
      moves.length > MOST && h('p', { class: 'muted' }, t('and {count} more', { count: moves.length - MOST })),
      moves.length === 0 && h('p', { class: 'muted' }, legal.length ? t('No move matches.') : t('No moves.')));
  }
}

/** What the stages share whose game is played from a list of moves, whatever they draw beside it. */
export class ListedStage {
  /** @param {import('./session.js').Session} session @param {(turn: string) => string} face how a move is written */
  constructor(session, face) {
    this.session = session;
    this.face = face;
    this.pending = null;
    /** @type {string | null} */
    this.hinted = null;
    this.before = '';
    /** Moves that the chosen cells leave open; null for all. @type {string[] | null} */
    this.meant = null;
    this.main = h('div', { class: 'sheet-main' });
    this.list = new MoveList((turn) => this.play(turn), face);
    this.aside = this.list.element;
    this.middle = h('div', { class: 'versus', 'aria-hidden': 'true', hidden: session.shown.seats.length !== 2 }, t('against'));
  }

  leave() {}

  /** @param {string} turn */
  play(turn) {
    const { session } = this;
    if (session.asked && session.shown.legal.includes(turn)) session.play(turn);
  }

  /** @param {Hint} hint */
  hint(hint) {
    this.hinted = hint.turn;
  }

  /** Forgets which cells were chosen. */
  clear() {
    this.meant = null;
  }

  escape() {
    if (!this.meant) return false;
    this.clear();
    this.draw();
    return true;
  }

  /** A legal turn as people write it. @param {string} turn */
  written(turn) {
    const { legal, legal_written: written } = this.session.shown;
    return written[legal.indexOf(turn)] ?? turn;
  }

  /** @param {string} turn @param {number} ply */
  turnFace = (turn, ply) => (turn === '?' ? [h('i', {}, t('chosen'))] : [this.session.table.written[ply] ?? turn]);

  mark() {
    return null;
  }

  update() {
    const { position, ply, mover } = this.session.shown;
    const moment = `${position} ${ply} ${mover} ${this.session.asked}`;
    if (moment !== this.before) {
      this.hinted = null;
      this.clear();
    }
    this.before = moment;
    this.draw();
  }

  draw() {
    this.list.show(this.session.shown.legal, this.meant, this.session.asked, this.hinted);
  }
}
