// How boards and pieces look, as it was chosen here.

import { recall, remember } from './memory.js';
import { t } from './texts.js';

/** The boards there are: their colours are in `base.css`. */
export const boards = () => ({ felt: t('Green felt'), walnut: t('Walnut'), slate: t('Slate'), rose: t('Rose') });

/** The sets of pieces. */
export const sets = () => ({ wood: t('Two woods'), marble: t('Marble'), glass: t('Blue and amber') });

/** Faces of the two kinds of pieces: lit, middle, shaded, top, the rim that catches the light, hole, band. The dark one wears a band. */
const FACES = {
  wood: [
    { name: 'light', lit: '#f8e6bf', mid: '#e6c98f', shade: '#b88f51', top: '#fbedcd', rim: '#fffaf0', hole: '#8a6531', deep: '#5c4019', edge: '#8b6a38', band: '' },
    { name: 'dark', lit: '#7d523a', mid: '#54301d', shade: '#2a150b', top: '#6b412a', rim: '#b98b68', hole: '#24110a', deep: '#0d0503', edge: '#1d0e07', band: '#d8b37e' },
  ],
  marble: [
    { name: 'light', lit: '#ffffff', mid: '#e4e6e6', shade: '#a7aeb0', top: '#fafbfb', rim: '#ffffff', hole: '#7c8486', deep: '#4c5456', edge: '#868e90', band: '' },
    { name: 'dark', lit: '#5d646b', mid: '#33393f', shade: '#14181c', top: '#474e55', rim: '#9aa3ab', hole: '#0f1215', deep: '#050607', edge: '#101316', band: '#cfd6da' },
  ],
  glass: [
    { name: 'light', lit: '#ffe3a1', mid: '#f5b94d', shade: '#b97812', top: '#ffebbd', rim: '#fff8e4', hole: '#8b5a0d', deep: '#583706', edge: '#94630f', band: '' },
    { name: 'dark', lit: '#4c79b8', mid: '#274f8c', shade: '#0d2450', top: '#38659f', rim: '#a6c6ee', hole: '#0a1c3f', deep: '#040c1d', edge: '#0b1f44', band: '#bcd6f5' },
  ],
};

/** The faces of the chosen set. */
export const faces = () => FACES[/** @type {keyof typeof FACES} */ (recall('pieces'))] ?? FACES.wood;

export const board = () => recall('board', 'felt');
export const pieces = () => recall('pieces', 'wood');

/** @param {string} name */
export function chooseBoard(name) {
  remember('board', name);
  document.documentElement.dataset.board = name;
  // The board of Stack Four is painted, not styled.
  dispatchEvent(new Event('themechange'));
}

/** Pieces are carved once a visit. @param {string} name */
export function choosePieces(name) {
  remember('pieces', name);
  location.reload();
}
