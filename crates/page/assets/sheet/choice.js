// Asks which of several moves is meant that go to the same place: what a pawn becomes, for one.

import { button, h } from '../common/dom.js';
import { dialog } from '../common/dialog.js';
import { t } from '../common/texts.js';
import { content } from './contents.js';

/**
 * @param {string[]} turns
 * @param {SheetBoard} board
 * @param {string} colour whose move it is
 * @param {(turn: string) => string} face
 * @param {(turn: string) => void} play
 * @param {() => void} away nothing was chosen
 */
export function choiceDialog(turns, board, colour, face, play, away) {
  let chosen = false;
  const words = turns.map((turn) => turn.replace(/[()]/g, '').split(','));
  /** The words in which the moves differ. @param {string[]} move */
  const own = (move) => move.filter((word, i) => words.some((other) => other[i] !== word)).join(' ');
  const close = dialog(t('Which move?'), [h('div', { class: 'choices' }, turns.map((turn, i) => {
    const kind = own(words[i]);
    const sign = board.pieces === 'chess' ? content(`${colour} ${kind}`, board) : null;
    return button([sign, h('span', {}, kind || face(turn))], () => ((chosen = true), close(), play(turn)), { class: 'choice', 'data-turn': turn, title: face(turn) });
  }))], 'choice-dialog', () => chosen || away());
}
