// Which stage a game plays on.

import { QuartoStage } from '../quarto/stage.js';
import { SheetStage } from '../sheet/stage.js';
import { StackStage } from '../stack4/stage.js';

/**
 * What every game brings to the table.
 * @typedef {object} Stage
 * @property {HTMLElement} main the board
 * @property {HTMLElement} aside what is chosen from beside it: pieces left, columns, legal moves
 * @property {HTMLElement} middle what lies between the players
 * @property {HTMLElement[]} side cards of its own
 * @property {string | null} pending half a turn that is made but not sent
 * @property {() => void} update draws the moment shown
 * @property {(seat: number) => string} note what a seat is doing
 * @property {() => { headline: string, detail: string }} status
 * @property {(turn: string, ply: number) => import('../common/dom.js').Child[]} turnFace
 * @property {(ply: number) => { mark: string, label: string } | null} mark
 * @property {(hint: Hint) => void} hint
 * @property {() => boolean} escape
 * @property {() => void} leave
 * @property {boolean} [truthOn]
 * @property {() => void} [toggleTruth]
 * @property {() => void} [setup]
 */

/** @param {import('./session.js').Session} session @param {() => void} changed @returns {Stage} */
export function stageOf(session, changed) {
  if (session.table.family === 'quarto') return new QuartoStage(session, changed);
  if (session.table.family === 'stack4') return new StackStage(session, changed);
  return new SheetStage(session, changed);
}
