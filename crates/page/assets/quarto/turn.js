// A turn with its pieces drawn: digits say nothing to a person.

import { h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { describe, picture } from './piece.js';

/** The piece and its cell, and what is given. @param {string} turn as "c3.7" @param {number} hand the piece that is placed */
export function turnPicture(turn, hand) {
  const [cell, piece] = turn.split('.');
  const drawn = (/** @type {number} */ piece) => [picture(piece, 'tiny'), h('span', { class: 'aloud' }, describe(piece))];
  return h('span', { class: 'turn-picture' },
    cell !== '-' && drawn(hand), cell !== '-' && ` ${cell} `,
    piece !== '-' && h('span', { class: 'muted' }, `${t('gives')} `), piece !== '-' && drawn(parseInt(piece, 16)));
}

/** Turns that follow each other. @param {string[]} turns @param {number} hand the piece that the first one places */
export function lineOfPlay(turns, hand) {
  const given = (/** @type {string} */ turn) => parseInt(turn.split('.')[1], 16);
  return h('ol', { class: 'line-of-play' }, turns.map((turn, i) => h('li', {}, turnPicture(turn, i === 0 || turn.startsWith('-') ? hand : given(turns[i - 1])))));
}

/** The piece that is in hand after some turns, -1 for none. @param {{ start: string, turns: string[] }} game @param {number} ply */
export function handAt({ start, turns }, ply) {
  const piece = ply === 0 ? start.split(' ')[1] : turns[ply - 1].split('.')[1];
  return piece === '-' ? -1 : parseInt(piece, 16);
}
