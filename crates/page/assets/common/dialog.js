// Dialogs: the browser's own, which keep the focus inside, close with Escape and give the focus back.

import { h, button } from './dom.js';
import { icon } from './icons.js';
import { t } from './texts.js';

/**
 * @param {string} title
 * @param {import('./dom.js').Child[]} content
 * @param {string} [name]
 * @param {() => void} [closed]
 */
export function dialog(title, content, name = '', closed = () => {}) {
  const close = () => element.close();
  const element = h('dialog', { class: `dialog ${name}`, 'aria-labelledby': 'dialog-title' },
    h('header', {}, h('h2', { id: 'dialog-title' }, title), button(icon('close'), close, { class: 'quiet', 'aria-label': t('Close') })),
    h('div', { class: 'dialog-body' }, content));
  element.addEventListener('close', () => (element.remove(), closed()));
  element.addEventListener('click', (event) => {
    if (event.target === element) close();
  });
  document.body.append(element);
  element.showModal();
  return close;
}

/**
 * Asks before something is done that cannot simply be done otherwise again.
 * @param {string} title @param {string} words @param {string} yes @returns {Promise<boolean>}
 */
export const confirmed = (title, words, yes) => new Promise((answer) => {
  let sure = false;
  const close = dialog(title, [h('p', {}, words), h('div', { class: 'buttons' },
    button(t('Cancel'), () => close()), button(yes, () => ((sure = true), close()), { class: 'primary confirm' }))], '', () => answer(sure));
});
