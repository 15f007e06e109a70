// A small exact solver of late Quarto positions. Puzzles are judged here, in the browser, so that a try is answered at once and
// the daily puzzle needs nobody. What a line is comes from the server; a test holds every answer against the server's own solver.

import { CELLS } from '../quarto/cells.js';

/**
 * A position: the piece on each cell or -1, the piece in hand or -1, the pieces left as a set of bits.
 * @typedef {{ cells: number[], hand: number, left: number }} Position
 */
/** A value for the mover: placements until the end count, too. @typedef {{ value: 'win' | 'draw' | 'loss', plies: number }} Value */
/** A turn: a cell and a piece, -1 where there is none. @typedef {{ place: number, give: number }} Turn */

/** A win now; each placement until then costs one. */
const WIN = 64;
/** More than any game lasts. */
const ALL = 99;

/** Boards that are remembered, before all are forgotten. */
const MOST_KNOWN = 300_000;

/** @param {string} text @returns {Position} */
export function parse(text) {
  const [board, hand] = text.split(' ');
  const cells = [...board.replaceAll('/', '')].map((symbol) => (symbol === '.' ? -1 : parseInt(symbol, 16)));
  const held = hand === '-' ? -1 : parseInt(hand, 16);
  const used = [...cells, held].reduce((set, piece) => (piece < 0 ? set : set | (1 << piece)), 0);
  return { cells, hand: held, left: 0xffff & ~used };
}

/** The members of a set of bits. @param {number} set */
export const members = (set) => Array.from({ length: 16 }, (_, i) => i).filter((i) => (set >> i) & 1);

/** "c3.7", "-.7", "c3.-". @param {Turn} turn */
export const print = ({ place, give }) => `${place < 0 ? '-' : CELLS[place]}.${give < 0 ? '-' : give.toString(16)}`;

/** @param {string} text @returns {Turn} */
export function parseTurn(text) {
  const [cell, piece] = text.split('.');
  return { place: CELLS.indexOf(cell), give: piece === '-' ? -1 : parseInt(piece, 16) };
}

/** @param {number} score @returns {Value} */
const valueOf = (score) => (score === 0 ? { value: 'draw', plies: 0 } : { value: score > 0 ? 'win' : 'loss', plies: WIN - Math.abs(score) });

/** A score one placement earlier. @param {number} score */
const sooner = (score) => score - Math.sign(score);

export class Solver {
  /** @param {string[][]} lines */
  constructor(lines) {
    this.lines = lines.map((line) => line.reduce((set, cell) => set | (1 << CELLS.indexOf(cell)), 0));
    /** For every set of cells, those that would complete a line with it. */
    this.completing = new Uint16Array(1 << 16);
    for (let set = 0; set < 1 << 16; set++) {
      for (const line of this.lines) {
        const missing = line & ~set;
        if (missing && (missing & (missing - 1)) === 0) this.completing[set] |= missing;
      }
    }
    /** Exact scores of boards. @type {Map<string, number>} */
    this.known = new Map();
  }

  /** The cells with each value of each attribute, and then all that are taken. @param {Position} position */
  board({ cells }) {
    const sets = new Array(9).fill(0);
    cells.forEach((piece, cell) => {
      if (piece < 0) return;
      for (let i = 0; i < 4; i++) sets[2 * i + ((piece >> i) & 1)] |= 1 << cell;
      sets[8] |= 1 << cell;
    });
    return sets;
  }

  /** The cells where a piece completes a line. @param {number[]} board @param {number} piece */
  ends(board, piece) {
    const { completing } = this;
    return (completing[board[piece & 1]] | completing[board[2 + ((piece >> 1) & 1)]] | completing[board[4 + ((piece >> 2) & 1)]] | completing[board[6 + ((piece >> 3) & 1)]]) & ~board[8];
  }

  /** The pieces left that complete nothing. @param {Position} position */
  safe(position) {
    const board = this.board(position);
    return members(position.left).filter((piece) => this.ends(board, piece) === 0);
  }

  /** The cells where the piece in hand completes a line. @param {Position} position */
  endings(position) {
    return position.hand < 0 ? [] : members(this.ends(this.board(position), position.hand));
  }

  /** Completed lines, as names of cells. @param {Position} position */
  completed(position) {
    const board = this.board(position);
    return this.lines.filter((line) => board.slice(0, 8).some((set) => (set & line) === line)).map((line) => members(line).map((cell) => CELLS[cell]));
  }

  /** Whether nobody moves any more. @param {Position} position */
  isOver(position) {
    return position.hand < 0 && (position.left === 0 || this.completed(position).length > 0);
  }

  /** @param {Position} position @returns {Turn[]} */
  turns(position) {
    const { cells, hand, left } = position;
    if (this.isOver(position)) return [];
    if (hand < 0) return members(left).map((give) => ({ place: -1, give }));
    const ends = this.ends(this.board(position), hand);
    return cells.flatMap((piece, place) => (piece >= 0 ? [] : (ends >> place) & 1 || left === 0 ? [{ place, give: -1 }] : members(left).map((give) => ({ place, give }))));
  }

  /** @param {Position} position @param {Turn} turn @returns {Position} */
  play({ cells, hand, left }, { place, give }) {
    const after = cells.map((piece, cell) => (cell === place ? hand : piece));
    return { cells: after, hand: give, left: give < 0 ? left : left & ~(1 << give) };
  }

  /** What a position that goes on is worth to the mover, as far as so many placements show. @param {Position} position @param {number} [depth] @returns {Value} */
  value(position, depth = ALL) {
    if (this.known.size > MOST_KNOWN) this.known.clear();
    const board = this.board(position);
    const score = position.hand < 0 ? this.giving(board, position.left, -WIN, WIN, depth) : this.placing(board, position.hand, position.left, -WIN, WIN, depth);
    return valueOf(score);
  }

  /** What a turn, or its first half, is worth to who makes it. @param {Position} position @param {Turn} turn @param {number} [depth] @returns {Value} */
  worth(position, turn, depth = ALL) {
    const after = this.play(position, turn), begun = turn.place < 0 ? 0 : 1;
    if (this.isOver(after)) return this.completed(after).length ? { value: 'win', plies: 1 } : { value: 'draw', plies: 0 };
    const { value, plies } = this.value(after, depth - begun);
    // Who has placed and not given yet is still to move.
    if (after.hand < 0) return { value, plies: plies + begun };
    return { value: value === 'win' ? 'loss' : value === 'loss' ? 'win' : 'draw', plies: plies + begun };
  }

  /** The best turn: of wins the shortest, of losses the longest. @param {Position} position @param {number} [depth] */
  best(position, depth = ALL) {
    const rank = (/** @type {Value} */ { value, plies }) => (value === 'win' ? WIN - plies : value === 'loss' ? plies - WIN : 0);
    const turns = this.turns(position).map((turn) => ({ turn, worth: this.worth(position, turn, depth) }));
    return turns.reduce((best, one) => (rank(one.worth) > rank(best.worth) ? one : best));
  }

  /** For who gives; the score is good within the window. @param {number[]} board @param {number} left @param {number} alpha @param {number} beta @param {number} depth @returns {number} */
  giving(board, left, alpha, beta, depth) {
    if (left === 0 || depth <= 0) return 0;
    let safe = 0;
    for (let piece = 0; piece < 16; piece++) if ((left >> piece) & 1 && this.ends(board, piece) === 0) safe |= 1 << piece;
    if (safe === 0) return 1 - WIN;
    const key = left.toString(36) + board.join() + depth;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    let best = -WIN;
    const from = alpha;
    for (let piece = 0; piece < 16 && best < beta; piece++) {
      if (!((safe >> piece) & 1)) continue;
      best = Math.max(best, -this.placing(board, piece, left & ~(1 << piece), -beta, -Math.max(alpha, best), depth));
    }
    if (best > from && best < beta) this.known.set(key, best);
    return best;
  }

  /** For who places. @param {number[]} board @param {number} piece @param {number} left what is left after it @param {number} alpha @param {number} beta @param {number} depth @returns {number} */
  placing(board, piece, left, alpha, beta, depth) {
    if (depth <= 0) return 0;
    if (this.ends(board, piece)) return WIN - 1;
    if (left === 0) return 0;
    /** @type {[number, number[]][]} */
    const boards = [];
    for (let cell = 0; cell < 16; cell++) {
      if ((board[8] >> cell) & 1) continue;
      const after = board.slice();
      for (let i = 0; i < 4; i++) after[2 * i + ((piece >> i) & 1)] |= 1 << cell;
      after[8] |= 1 << cell;
      let safe = 0;
      for (let other = 0; other < 16; other++) if ((left >> other) & 1 && this.ends(after, other) === 0) safe++;
      boards.push([safe, after]);
    }
    // Where the fewest pieces stay safe, the game is nearly decided: short proofs come first.
    boards.sort((a, b) => a[0] - b[0]);
    let best = -WIN;
    for (const [, after] of boards) {
      best = Math.max(best, sooner(this.giving(after, left, Math.max(alpha, best) - 1, beta + 1, depth - 1)));
      if (best >= beta) break;
    }
    return best;
  }
}
