// A puzzle of Quarto on its board. Tries are judged here, by a small solver: nobody else is asked.

import { h } from '../common/dom.js';
import { digit } from '../quarto/piece.js';
import { lineOfPlay } from '../quarto/turn.js';
import { Attempt } from './attempt.js';
import { Desk } from './desk.js';
import { playOut } from './playout.js';
import { Solver, print } from './solver.js';

/** @typedef {import('./solver.js').Turn} Turn */
/** @typedef {import('./page.js').PuzzleBoard} PuzzleBoard */

/** @implements {PuzzleBoard} */
export class QuartoBoard {
  /** @param {PuzzleSet} set @param {(turn: Turn) => void} tried */
  constructor(set, tried) {
    this.solver = new Solver(set.lines);
    this.desk = new Desk(tried, (cell) => this.solver.endings(this.attempt.position).includes(cell));
    this.element = this.desk.element;
    this.attempt = new Attempt(set.puzzles[0], this.solver);
    /** What is to be played out. @type {{ from: import('./solver.js').Position, line: Turn[] }} */
    this.next = { from: this.attempt.position, line: [] };
  }

  get begun() {
    return this.attempt.begun;
  }

  /** Nobody need be told on which side to play. */
  you() {
    return '';
  }

  /** @param {Puzzle} puzzle */
  async begin(puzzle) {
    this.attempt = new Attempt(puzzle, this.solver);
  }

  /** A hint shows the cell; of pieces, it leaves two. @param {boolean} hinted */
  open(hinted) {
    const { attempt } = this;
    const { answer } = attempt;
    const other = attempt.solver.turns(attempt.position).find((turn) => turn.give !== answer.give)?.give ?? -1;
    this.desk.show({
      position: attempt.position, ask: attempt.ask, hintCell: hinted && answer.place >= 0 ? print(answer).split('.')[0] : null,
      among: hinted && attempt.ask === 'piece' ? [digit(answer.give), digit(other)] : undefined,
    });
    return '';
  }

  /** @param {Turn} turn */
  async judge(turn) {
    const from = this.attempt.position;
    const verdict = this.attempt.try(turn);
    this.next = { from, line: [turn, ...verdict.line] };
    return { ...verdict, line: this.written() };
  }

  async solution() {
    this.next = { from: this.attempt.position, line: this.attempt.solution() };
    return this.written();
  }

  written() {
    const { from, line } = this.next;
    return line.length ? lineOfPlay(line.map(print), from.hand) : h('span', {});
  }

  /** @param {() => boolean} going */
  async play(going) {
    const { from, line } = this.next;
    return (await playOut(this.desk, this.solver, from, line, going)) !== null;
  }

  leave() {}
}
