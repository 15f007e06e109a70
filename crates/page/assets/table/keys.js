// What the keys do.

import { h } from '../common/dom.js';
import { dialog } from '../common/dialog.js';

const KEYS = [
  ['Tab', 'to the board, the pieces, the tools'],
  ['← ↑ → ↓', 'on the board or among the pieces: to the next one; elsewhere ← and → walk through the game'],
  ['Enter, Space', 'place, give, drop'],
  ['Esc', 'take back a piece that is not sent; back to the game'],
  ['U, R', 'undo, redo'],
  ['H', 'hint'],
  ['T', 'truth on and off'],
  ['P', 'pause the programs'],
  ['C', 'copy and paste'],
  ['Home, End', 'first and last position'],
];

export const keysDialog = () =>
  dialog('Keys', [h('dl', { class: 'key-list' }, KEYS.map(([keys, words]) => h('div', {}, h('dt', {}, keys.split(', ').map((key, i) => [i > 0 && ', ', h('kbd', {}, key)]).flat()), h('dd', {}, words))))]);
