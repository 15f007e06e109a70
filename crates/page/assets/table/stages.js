// Which stage a game plays on. Each is loaded when somebody first sits down to its game.

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
 * @property {boolean} [above]
 * @property {() => void} [toggleAbove]
 * @property {() => void} [setup]
 */

/**
 * A stage, and the small picture that it makes of a view of its kind.
 * @typedef {{ new (session: import('./session.js').Session, changed: () => void): Stage, picture: (view: any) => Element[] }} StageClass
 */

/**
 * @param {string} family
 * @returns {Promise<StageClass>}
 */
export async function stageOf(family) {
  if (family === 'quarto') return (await import('../quarto/stage.js')).QuartoStage;
  if (family === 'stack4') return (await import('../stack4/stage.js')).StackStage;
  if (family === 'gdl') return (await import('../sheet/stage.js')).SheetStage;
  return (await import('../plain/stage.js')).PlainStage;
}
