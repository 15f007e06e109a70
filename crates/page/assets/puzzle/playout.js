// Turns that follow each other on a desk, one after the other, so that eyes can follow.

import { CELLS } from '../quarto/cells.js';

/** How long a turn stays on the board before the next. */
const PACE_MS = 1100;

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A moment for the eye; none for who wants nothing to move. */
export const pause = () => (still() ? Promise.resolve() : new Promise((done) => setTimeout(done, PACE_MS)));

/**
 * Plays turns on a desk, and gives back the last position; nothing if somebody did something else meanwhile.
 * @param {import('./desk.js').Desk} desk @param {import('./solver.js').Solver} solver
 * @param {import('./solver.js').Position} position @param {import('./solver.js').Turn[]} turns @param {() => boolean} going
 */
export async function playOut(desk, solver, position, turns, going) {
  for (const [number, turn] of turns.entries()) {
    if (number > 0) await pause();
    if (!going()) return null;
    position = solver.play(position, turn);
    desk.show({ position, ask: 'none', last: CELLS[turn.place] ?? null, lines: solver.completed(position) });
  }
  return position;
}
