// What a visitor has done with puzzles, kept in the browser: the rating, the puzzles solved, the days in a row.

import { recall, remember } from '../common/memory.js';
import { NEWCOMER, rated } from './glicko.js';

/** @typedef {{ rating: import('./glicko.js').Rating, solved: string[], tried: number, last: number, streak: number }} Progress */

const NAME = 'puzzles';
const A_DAY = 86_400_000;

/** @returns {Progress} */
export function progress() {
  /** @type {Progress} */
  const none = { rating: NEWCOMER, solved: [], tried: 0, last: 0, streak: 0 };
  try {
    return { ...none, ...JSON.parse(recall(NAME, '{}')) };
  } catch {
    return none;
  }
}

/** @param {Progress} now */
const keep = (now) => remember(NAME, JSON.stringify(now));

/** The day by the calendar of who looks, as a number. @param {Date} [now] */
export const today = (now = new Date()) => Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / A_DAY;

/** How hard a puzzle is: what it asks, and how many levels of player miss it. An estimate, on the scale of ratings. @param {Puzzle} puzzle */
export function difficulty({ kind, missed }) {
  const base = /** @type {Record<string, number>} */ ({ win1: 600, win2: 800, win3: 1000, win4: 1150, draw: 850, gift: 750, trap: 950, hold: 800 })[kind] ?? 800;
  return base + 90 * missed;
}

/** The puzzle of a day: the same for everybody, and each before any comes again. @param {Puzzle[]} puzzles @param {number} day */
export const puzzleOfDay = (puzzles, day) => puzzles[(day * 7919) % puzzles.length];

/** How sure the difficulty of a puzzle is. */
const DEVIATION = 100;

/** Counts the first try of a puzzle. @param {Puzzle} puzzle @param {boolean} right */
export function count(puzzle, right) {
  const now = progress();
  now.rating = rated(now.rating, [{ rating: difficulty(puzzle), deviation: DEVIATION, score: right ? 1 : 0 }]);
  now.tried += 1;
  if (right && !now.solved.includes(puzzle.position)) now.solved.push(puzzle.position);
  keep(now);
}

/** The puzzle of a day is solved, at whatever try. @param {number} day */
export function countDay(day) {
  const now = progress();
  if (now.last === day) return;
  now.streak = now.last === day - 1 ? now.streak + 1 : 1;
  now.last = day;
  keep(now);
}

/** Days in a row until today or yesterday: today's puzzle may still be to come. */
export function streak() {
  const { last, streak } = progress();
  return last >= today() - 1 ? streak : 0;
}
