// A moment for the winner: a handful of coloured paper over their name, for who likes things to move.

import { h } from '../common/dom.js';

const PAPERS = 28;
const LASTS_MS = 2600;

/** @param {HTMLElement} card the seat of the winner */
export function celebrate(card) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const papers = Array.from({ length: PAPERS }, (_, i) => {
    const paper = h('i', { class: `paper paper-${i % 5}` });
    // Spread like a fan, and never the same twice.
    paper.style.setProperty('--across', `${(i / (PAPERS - 1) - 0.5) * 260 + (Math.random() - 0.5) * 40}px`);
    paper.style.setProperty('--up', `${-60 - Math.random() * 90}px`);
    paper.style.setProperty('--turn', `${(Math.random() - 0.5) * 900}deg`);
    return paper;
  });
  const burst = h('span', { class: 'burst', 'aria-hidden': 'true' }, papers);
  const { left, top, width, height } = card.getBoundingClientRect();
  burst.style.left = `${left + scrollX + width / 2}px`;
  burst.style.top = `${top + scrollY + height / 2}px`;
  document.body.append(burst);
  setTimeout(() => burst.remove(), LASTS_MS);
}
