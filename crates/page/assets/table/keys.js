// What the keys do.

import { h } from '../common/dom.js';
import { dialog } from '../common/dialog.js';
import { t } from '../common/texts.js';

const keys = () => [
  ['Tab', t('to the board, the pieces, the tools')],
  ['← ↑ → ↓', t('on the board or among the pieces: to the next one; elsewhere ← and → walk through the game')],
  ['Enter, Space', t('place, give, drop')],
  ['Esc', t('take back a piece that is not sent; back to the game')],
  ['U, R', t('undo, redo')],
  ['H', t('hint')],
  ['T', t('truth on and off')],
  ['V', t('Quarto from above or aslant')],
  ['P', t('pause the programs')],
  ['C', t('copy and paste')],
  ['Home, End', t('first and last position')],
];

export const keysDialog = () =>
  dialog(t('Keys'), [h('dl', { class: 'key-list' }, keys().map(([keys, words]) => h('div', {}, h('dt', {}, keys.split(', ').map((key, i) => [i > 0 && ', ', h('kbd', {}, key)]).flat()), h('dd', {}, words))))]);
