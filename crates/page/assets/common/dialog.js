// Dialogs: the browser's own, which keep the focus inside, close with Escape and give the focus back.

import { h, button } from './dom.js';
import { icon } from './icons.js';

/**
 * @param {string} title
 * @param {import('./dom.js').Child[]} content
 * @param {string} [name]
 */
export function dialog(title, content, name = '') {
  const close = () => element.close();
  const element = h('dialog', { class: `dialog ${name}`, 'aria-labelledby': 'dialog-title' },
    h('header', {}, h('h2', { id: 'dialog-title' }, title), button(icon('close'), close, { class: 'quiet', 'aria-label': 'Close' })),
    h('div', { class: 'dialog-body' }, content));
  element.addEventListener('close', () => element.remove());
  element.addEventListener('click', (event) => {
    if (event.target === element) close();
  });
  document.body.append(element);
  element.showModal();
  return close;
}
