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

export function themeSwitch() {
  let theme = recall('theme');
  const show = () => {
    const here = THEMES[theme] ?? THEMES[''];
    document.documentElement.dataset.theme = theme;
    fill(element, icon(here.icon));
    set(element, { 'aria-label': here.label(), title: here.label() });
  };
  const element = button('', () => {
    theme = (THEMES[theme] ?? THEMES['']).next;
    remember('theme', theme);
    show();
    dispatchEvent(new Event('themechange'));
  }, { class: 'quiet', id: 'theme' });
  show();
  return element;
}
