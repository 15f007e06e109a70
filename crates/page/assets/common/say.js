// What is read aloud, and what appears for a moment at the foot of the page.

import { h } from './dom.js';

const aloud = h('div', { role: 'status', 'aria-live': 'polite', class: 'aloud', id: 'aloud' });
const notes = h('div', { class: 'notes', role: 'alert' });

export function listen() {
  document.body.append(aloud, notes);
}

/** For screen readers: turns, results. @param {string} words */
export function announce(words) {
  if (aloud.textContent !== words) aloud.textContent = words;
}

/** For everybody: what went wrong, or what was copied. @param {string} words @param {'error' | 'done'} [kind] */
export function note(words, kind = 'error') {
  const element = h('div', { class: `note ${kind}` }, words.charAt(0).toUpperCase() + words.slice(1));
  notes.replaceChildren(element);
  setTimeout(() => element.remove(), kind === 'error' ? 7000 : 2500);
}

/** Runs what may be refused, and says so if it is. @template T @param {Promise<T>} work @returns {Promise<T | undefined>} */
export async function tell(work) {
  try {
    return await work;
  } catch (problem) {
    note(problem instanceof Error ? problem.message : String(problem));
    return undefined;
  }
}
