// What everybody may have their own way: language, sound, boards and pieces, a name.

import { dialog } from './dialog.js';
import { button, h } from './dom.js';
import { icon } from './icons.js';
import { board, boards, chooseBoard, choosePieces, pieces, sets } from './look.js';
import { recall, remember } from './memory.js';
import { play, setSound, soundOn } from './sound.js';
import { LANGUAGES, choose, spoken, t } from './texts.js';
import { chooseTheme, theme, themes } from './theme.js';

/** @param {string} id @param {string} label @param {Record<string, string>} options @param {string} chosen @param {(value: string) => void} changed */
function select(id, label, options, chosen, changed) {
  const element = h('select', { id, onchange: () => changed(element.value) }, Object.entries(options).map(([value, words]) => h('option', { value }, words)));
  element.value = chosen;
  return h('div', { class: 'field' }, h('label', { for: id }, label), element);
}

export function settingsDialog() {
  const name = h('input', { id: 'my-name', maxlength: 40, autocomplete: 'nickname', placeholder: t('as others see you'), onchange: () => remember('name', name.value) });
  name.value = recall('name');
  const sound = h('input', { type: 'checkbox', id: 'sound', checked: soundOn(), onchange: () => {
    setSound(sound.checked);
    play('asked');
  } });
  dialog(t('Settings'), [
    select('language', t('Language'), LANGUAGES, spoken(), choose),
    h('div', { class: 'field' }, h('label', { for: 'my-name' }, t('Your name')), name),
    select('theme-look', t('Theme'), themes(), theme(), chooseTheme),
    select('board-look', t('Board'), boards(), board(), chooseBoard),
    select('piece-look', t('Pieces'), sets(), pieces(), choosePieces),
    h('div', { class: 'line' }, sound, h('label', { for: 'sound' }, t('Quiet sounds'))),
    h('p', { class: 'muted small' }, h('a', { href: '/api' }, t('The API, for programs'))),
  ], 'settings');
}

export const settingsButton = () => button(icon('settings'), settingsDialog, { class: 'quiet', id: 'settings', 'aria-label': t('Settings'), title: t('Settings') });
