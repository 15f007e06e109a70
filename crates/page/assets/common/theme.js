// The theme switch: as the system has it, light, dark.

import { button, fill, set } from './dom.js';
import { icon } from './icons.js';
import { recall, remember } from './memory.js';
import { t } from './texts.js';

/** @type {{ [name: string]: { next: string, icon: import('./icons.js').Icon, label: () => string } }} */
const THEMES = {
  '': { next: 'light', icon: 'auto', label: () => t('Theme: as the system') },
  light: { next: 'dark', icon: 'sun', label: () => t('Theme: light') },
  dark: { next: '', icon: 'moon', label: () => t('Theme: dark') },
};

/** The theme that was chosen. */
export const theme = () => recall('theme');

/** @param {string} name */
export function chooseTheme(name) {
  remember('theme', name);
  document.documentElement.dataset.theme = name;
  dispatchEvent(new Event('themechange'));
}

/** The themes in words. */
export const themes = () => ({ '': t('as the system'), light: t('light'), dark: t('dark') });

export function themeSwitch() {
  const show = () => {
    const here = THEMES[theme()] ?? THEMES[''];
    fill(element, icon(here.icon));
    set(element, { 'aria-label': here.label(), title: here.label() });
  };
  const element = button('', () => {
    chooseTheme((THEMES[theme()] ?? THEMES['']).next);
  }, { class: 'quiet', id: 'theme' });
  addEventListener('themechange', show);
  show();
  return element;
}
