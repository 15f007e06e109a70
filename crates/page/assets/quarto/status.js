// Who gives and who places, in words.

import { does } from '../table/names.js';
import { describe } from './piece.js';

/**
 * @param {TableOf<QuartoView>} table what is on the screen
 * @param {string[]} names
 * @param {{ pending: string | null, asked: boolean }} moment
 * @returns {{ headline: string, detail: string }}
 */
export function status(table, names, { pending, asked }) {
  const { view, mover } = table;
  if (table.outcome) return { headline: headlineOf(table.outcome, names), detail: table.outcome.text };
  if (mover === null) return { headline: '', detail: '' };
  const me = names[mover - 1], other = names[mover % 2];
  if (table.thinking) return { headline: `${me} ${me === 'You' ? 'think' : 'thinks'}…`, detail: table.thinking.waiting ? 'waiting for a free processor' : verbs(view, me) };
  if (!asked) return { headline: verbs(view, me), detail: table.paused ? 'The programs are paused.' : '' };
  if (pending) return { headline: `${does(me, 'give')}`, detail: `Choose a piece for ${other === 'You' ? 'you' : other}, or another cell.` };
  if (view.phase === 'give') return { headline: does(me, 'give'), detail: `Choose the first piece for ${other}.` };
  return { headline: does(me, 'place'), detail: `Put the ${describe(parseInt(view.hand ?? '0', 16))} piece on a cell.` };
}

/** @param {QuartoView} view @param {string} me */
const verbs = (view, me) => (view.phase === 'give' ? does(me, 'give') : `${does(me, 'place')}, then ${me === 'You' ? 'give' : 'gives'}`);

/** @param {Outcome} outcome @param {string[]} names */
export function headlineOf(outcome, names) {
  if (outcome.winner === null) return 'A draw';
  const name = names[outcome.winner - 1];
  return name === 'You' ? 'You win' : `${name} wins`;
}
