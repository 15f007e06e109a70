// Who gives and who places, in words.

import { t } from '../common/texts.js';
import { does, headlineOf, isYou, toward } from '../table/names.js';
import { lineName } from './cells.js';
import { attributeWord, describe } from './piece.js';

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
  if (table.thinking) return { headline: does(me, 'think'), detail: table.thinking.waiting ? t('waiting for a free processor') : verbs(view, me) };
  if (!asked) return { headline: verbs(view, me), detail: table.paused ? t('The programs are paused.') : '' };
  if (pending) return { headline: does(me, 'give'), detail: t('Choose a piece for {name}, or another cell.', { name: toward(other) }) };
  if (view.phase === 'give') return { headline: does(me, 'give'), detail: view.cells.every((piece) => piece === null) ? t('Choose the first piece for {name}.', { name: toward(other) }) : t('Choose a piece for {name}.', { name: toward(other) }) };
  return { headline: does(me, 'place'), detail: t('Put the {piece} piece on a cell.', { piece: describe(parseInt(view.hand ?? '0', 16)) }) };
}

/** @param {QuartoView} view @param {string} me */
const verbs = (view, me) => (view.phase === 'give' ? does(me, 'give') : isYou(me) ? t('You place, then give') : t('{name} places, then gives', { name: me }));

/** How the game ended, without who won: that is the headline. @param {QuartoView} view */
function ending({ completed, misere }) {
  if (completed.length === 0) return t('All sixteen pieces stand, and no line is complete.');
  const lines = completed.map((line) => t('{line} is complete: all {words}.', { line: lineName(line.cells), words: line.shared.map(attributeWord).join(` ${t('and')} `) }));
  return [...lines, misere && t('Who completes a line loses.')].filter(Boolean).join(' ');
}
