// A puzzle of any game on the game's own stage. Who serves the page judges the tries.

import { get } from '../common/api.js';
import { fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { stageOf } from '../table/stages.js';
import { pause } from './playout.js';

/** @typedef {import('../table/stages.js').Stage} Stage */
/** @typedef {import('./page.js').PuzzleBoard} PuzzleBoard */

/** @implements {PuzzleBoard} */
export class StagedBoard {
  /** @param {GameKind} kind @param {PuzzleSet} set @param {import('../table/stages.js').StageClass} Stage @param {(turn: string) => void} tried */
  constructor(kind, set, Stage, tried) {
    this.kind = kind;
    this.set = set;
    this.Stage = Stage;
    this.element = h('div', { class: 'stage-desk' });
    this.puzzle = set.puzzles[0];
    /** The turns so far, the other's among them. @type {string[]} */
    this.turns = [];
    /** What is to be played out. @type {PuzzleMoment[]} */
    this.next = [];
    /** What the stage takes for a table. */
    this.table = new PuzzleTable(kind, tried);
    /** @type {Stage | null} */
    this.stage = null;
  }

  /** @param {GameKind} kind @param {PuzzleSet} set @param {(turn: string) => void} tried */
  static async of(kind, set, tried) {
    return new StagedBoard(kind, set, await stageOf(kind.family), tried);
  }

  get begun() {
    return this.turns.length > 0;
  }

  you() {
    return t('You play {role}.', { role: this.kind.roles[this.table.me - 1] ?? '' });
  }

  /** @param {string[]} turns @param {boolean} [solution] @returns {Promise<PuzzleTry>} */
  async ask(turns, solution = false) {
    const query = new URLSearchParams({ turns: turns.join(' '), ...(solution && { solution: 'true' }) });
    return /** @type {PuzzleTry} */ (await get(`/api/puzzles/${encodeURIComponent(this.kind.name)}/${this.set.puzzles.indexOf(this.puzzle)}?${query}`));
  }

  /** @param {Puzzle} puzzle */
  async begin(puzzle) {
    this.puzzle = puzzle;
    this.turns = [];
    const { moments } = await this.ask([]);
    this.table.me = moments[0].mover ?? 1;
    this.table.show(moments[0], 0, false);
    this.stage?.leave();
    this.stage = new this.Stage(/** @type {any} */ (this.table), () => {});
    fill(this.element, this.stage.main, this.stage.aside);
    this.stage.update();
  }

  /** A hint leaves two turns. @param {boolean} hinted */
  open(hinted) {
    const { shown } = this.table;
    this.table.show(shown, shown.ply, true);
    this.stage?.update();
    if (!hinted) return '';
    const other = shown.legal.find((/** @type {string} */ turn) => turn !== this.puzzle.answer) ?? '';
    const [first, second] = [this.puzzle.answer, other].map((turn) => shown.legal_written[shown.legal.indexOf(turn)] ?? turn).sort();
    return t('It is one of these two: {first} or {second}.', { first, second });
  }

  /** @param {string} turn */
  async judge(turn) {
    // One try at a time.
    this.table.open = false;
    const told = await this.ask([...this.turns, turn]);
    this.next = told.moments.slice(this.turns.length + 1);
    const right = told.verdict !== 'wrong', over = told.verdict === 'solved';
    if (right) this.turns = told.moments.slice(1).map((moment) => moment.turn ?? '');
    return { right, over, line: this.written(), words: right ? (over ? this.because() : t('Right. And now?')) : this.why(told) };
  }

  async solution() {
    const { moments } = await this.ask(this.turns, true);
    this.next = moments.slice(this.turns.length + 1);
    return this.written();
  }

  /** Why a try is wrong. @param {PuzzleTry} told */
  why({ why, moments, asked }) {
    const line = this.set.goal === 'line';
    const mine = Math.ceil((moments.length - 1 - asked) / 2);
    if (why === 'loses') {
      return line ? t('Then the other completes a line in {count} turn.|Then the other completes a line in {count} turns.', { count: Math.max(1, mine) })
        : t('Then the other wins in {count} turn.|Then the other wins in {count} turns.', { count: Math.max(1, mine) });
    }
    if (why === 'draws') return t('The opponent can hold that: it is only a draw.');
    return line ? t('The other has an answer: there is no line in time.') : t('That wins, too, but not in time.');
  }

  /** Why the answer is the only one. */
  because() {
    return this.puzzle.kind === 'hold' ? (this.set.goal === 'line' ? t('After any other turn the other makes sure of a line.') : t('Every other turn loses.')) : '';
  }

  written() {
    return h('ol', { class: 'line-of-play' }, this.next.map(({ written, turn }) => h('li', {}, written ?? turn)));
  }

  /** @param {() => boolean} going */
  async play(going) {
    for (const [number, moment] of this.next.entries()) {
      if (number > 0) await pause();
      if (!going()) return false;
      this.table.show(moment, this.table.shown.ply + 1, false);
      this.stage?.update();
    }
    return true;
  }

  /** The position before the last try, after a wrong one. */
  async back() {
    const { moments } = await this.ask(this.turns);
    this.table.show(moments[this.turns.length], this.turns.length, false);
  }

  leave() {
    this.stage?.leave();
  }
}

/** As much of a table as a stage looks at: one person, and a position that follows from what was tried. */
class PuzzleTable {
  /** @param {GameKind} kind @param {(turn: string) => void} tried */
  constructor(kind, tried) {
    this.kind = kind;
    this.tried = tried;
    this.me = 1;
    this.live = true;
    this.analysis = false;
    this.open = false;
    /** @type {any} */
    this.shown = null;
    /** @type {any} */
    this.table = null;
  }

  get asked() {
    return this.open && this.shown.mover === this.me;
  }

  /** @param {PuzzleMoment} moment @param {number} ply @param {boolean} open whether something may be tried */
  show(moment, ply, open) {
    const { kind, me } = this;
    this.open = open;
    this.shown = this.table = {
      ...moment, ply, game: kind.name, family: kind.family, start: moment.position, turns: [], written: [], outcome: null, thinking: null, paused: false, proposal: null,
      seats: kind.roles.map((role, i) => ({ seat: i + 1, role, player: 'human', name: null })), you: { seats: [me], in_charge: false },
      last: moment.turn ? { turn: moment.turn, seat: moment.mover === me ? 3 - me : me, text: '', thought: null } : null,
    };
  }

  /** @param {string} turn */
  async play(turn) {
    this.tried(turn);
    return true;
  }
}
