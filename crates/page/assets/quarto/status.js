// Who gives and who places, in words.

import { does, headlineOf, toward } from '../table/names.js';
import { describe } from './piece.js';

/**
 * @param {TableOf<QuartoView>} table what is on the screen
 * @param {string[]} names
 * @param {{ pending: string | null, asked: boolean }} moment
 * @returns {{ headline: string, detail: string }}
 */
export function status(table, names, { pending, asked }) {
  const { view, mover } = table;
  if (table.outcome) return { headline: headlineOf(table.outcome, names), detail: ending(view) };
  if (mover === null) return { headline: '', detail: '' };
  const me = names[mover - 1], other = names[mover % 2];
  if (table.thinking) return { headline: `${does(me, 'think')}…`, detail: table.thinking.waiting ? 'waiting for a free processor' : verbs(view, me) };
  if (!asked) return { headline: verbs(view, me), detail: table.paused ? 'The programs are paused.' : '' };
  if (pending) return { headline: `${does(me, 'give')}`, detail: `Choose a piece for ${toward(other)}, or another cell.` };
  if (view.phase === 'give') return { headline: does(me, 'give'), detail: `Choose ${view.cells.every((piece) => piece === null) ? 'the first' : 'a'} piece for ${toward(other)}.` };
  return { headline: does(me, 'place'), detail: `Put the ${describe(parseInt(view.hand ?? '0', 16))} piece on a cell.` };
}

/** @param {QuartoView} view @param {string} me */
const verbs = (view, me) => (view.phase === 'give' ? does(me, 'give') : `${does(me, 'place')}, then ${me === 'You' ? 'give' : 'gives'}`);

/** How the game ended, without who won: that is the headline. @param {QuartoView} view */
function ending({ completed, misere }) {
  if (completed.length === 0) return 'All sixteen pieces stand, and no line is complete.';
  const lines = completed.map((line) => `${line.name.charAt(0).toUpperCase()}${line.name.slice(1)} is complete: all ${line.shared.join(' and ')}.`);
  return [...lines, misere && 'Who completes a line loses.'].filter(Boolean).join(' ');
}
