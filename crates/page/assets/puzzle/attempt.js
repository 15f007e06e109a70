// A puzzle being tried: which tries are right, what the opponent answers, why a wrong one fails.

import { t } from '../common/texts.js';
import { CELLS } from '../quarto/cells.js';
import { parse, parseTurn, print } from './solver.js';

/** @typedef {import('./solver.js').Position} Position */
/** @typedef {import('./solver.js').Turn} Turn */
/** What came of a try: whether it was right, what follows on the board, and why, in words. @typedef {{ right: boolean, over: boolean, line: Turn[], words: string }} Verdict */

/** What a puzzle asks, in words. @param {string} kind @param {string} [goal] what is to be reached */
export function question(kind, goal = 'win') {
  const count = Number(kind.slice(3));
  if (goal === 'line') {
    if (kind === 'hold') return t('Only one turn keeps the other from a line soon. Which?');
    return kind === 'win1' ? t('Complete a line at once.') : t('Make sure of a line in {count} turns, whatever the other does.', { count });
  }
  switch (kind) {
    case 'hold': return t('Only one turn does not lose. Which?');
    case 'win1': return t('Win at once.');
    case 'draw': return t('Only one cell does not lose. Which?');
    case 'gift': return t('Only one piece can be given without losing. Which?');
    case 'trap': return t('Many turns look safe. Only one does not lose.');
    default: return t('Win in {count} turn.|Win in {count} turns.', { count });
  }
}

/** A short name for a kind of puzzle. @param {string} kind @param {string} [goal] */
export function kindName(kind, goal = 'win') {
  const count = Number(kind.slice(3));
  if (kind === 'hold') return t('The only defence');
  if (goal === 'line') return t('A line in {count}', { count });
  switch (kind) {
    case 'draw': return t('The only cell');
    case 'gift': return t('The only gift');
    case 'trap': return t('The trap');
    default: return t('Win in {count}', { count });
  }
}

export class Attempt {
  /** @param {Puzzle} puzzle @param {import('./solver.js').Solver} solver */
  constructor(puzzle, solver) {
    this.puzzle = puzzle;
    this.solver = solver;
    this.position = parse(puzzle.position);
    /** Turns that are left to win in. */
    this.left = this.wins ? Number(puzzle.kind.slice(3)) : 1;
    this.begun = false;
  }

  get wins() {
    return this.puzzle.kind.startsWith('win');
  }

  /** What is to be chosen. @returns {'turn' | 'cell' | 'piece'} */
  get ask() {
    if (this.position.hand < 0) return 'piece';
    return this.puzzle.kind === 'draw' ? 'cell' : 'turn';
  }

  /** The answer as a turn; of a cell, without a piece. */
  get answer() {
    const { answer } = this.puzzle;
    return parseTurn(answer.includes('.') ? answer : `${answer}.-`);
  }

  /** @param {Turn} turn @returns {Verdict} */
  try(turn) {
    const { solver, position } = this;
    const after = solver.play(position, turn);
    if (!this.right(turn)) return { right: false, over: false, line: this.refutation(after, turn), words: this.why(after, turn) };
    this.begun = true;
    if (!this.wins) return { right: true, over: true, line: [], words: this.because() };
    this.left -= 1;
    if (solver.isOver(after)) return { right: true, over: true, line: [], words: '' };
    // The longest defence.
    const { turn: reply } = solver.best(after);
    this.position = solver.play(after, reply);
    return { right: true, over: false, line: [reply], words: t('Right. And now?') };
  }

  /** @param {Turn} turn */
  right(turn) {
    if (!this.wins || !this.begun) return print(turn) === print(this.answer);
    const { value, plies } = this.solver.worth(this.position, turn);
    return value === 'win' && plies <= 2 * this.left - 1;
  }

  /** How the opponent makes use of a wrong try: to the end if that is a win, or else the one reply that holds. @param {Position} after @param {Turn} turn @returns {Turn[]} */
  refutation(after, turn) {
    const { solver } = this;
    const line = [];
    // Where a cell alone was chosen, the best piece is given with it.
    const mine = turn.give < 0 && after.hand < 0 && !solver.isOver(after);
    const lost = this.solver.worth(this.position, turn).value === 'loss';
    for (let position = after; !solver.isOver(position) && line.length < 20;) {
      const { turn: next } = solver.best(position);
      line.push(next);
      if (!lost && line.length > (mine ? 1 : 0)) break;
      position = solver.play(position, next);
    }
    return line;
  }

  /** Why a try is wrong. @param {Position} after @param {Turn} turn */
  why(after, turn) {
    const { value, plies } = this.solver.worth(this.position, turn);
    if (value === 'win') return t('That wins, too, but not in time.');
    if (value === 'draw') return t('The opponent can hold that: it is only a draw.');
    if (after.hand >= 0 && this.solver.endings(after).length) return t('With that piece the opponent completes a line at once.');
    return t('The opponent wins after {count} more placement.|The opponent wins after {count} more placements.', { count: Math.max(1, plies - (turn.place < 0 ? 0 : 1)) });
  }

  /** Why the answer is the only one. */
  because() {
    const { solver, position, answer, puzzle } = this;
    if (puzzle.kind === 'gift') {
      const safe = solver.safe(position), others = solver.turns(position).length - 1;
      const later = safe.filter((piece) => piece !== answer.give).length;
      return t('Of the {others} other pieces {now} complete a line at once; {later} look safe and lose later.', { others, now: others - later, later });
    }
    if (puzzle.kind === 'draw') return t('On {cell} you hold the draw; on every other cell you lose, whatever you give.', { cell: CELLS[answer.place] });
    const tempting = solver.turns(position).filter((turn) => turn.give >= 0 && print(turn) !== puzzle.answer && solver.endings(solver.play(position, turn)).length === 0);
    return t('{count} other turns look as safe, and all of them lose.', { count: tempting.length });
  }

  /** All that follows from the answer: to the end, if it wins. @returns {Turn[]} */
  solution() {
    const { solver } = this;
    const line = [this.begun ? solver.best(this.position).turn : this.answer];
    for (let position = solver.play(this.position, line[0]); this.wins && !solver.isOver(position);) {
      const { turn } = solver.best(position);
      line.push(turn);
      position = solver.play(position, turn);
    }
    return line;
  }
}
