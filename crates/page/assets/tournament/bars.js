// Ratings with their error bars, on one common scale.

import { s } from '../common/dom.js';
import { t } from '../common/texts.js';

/** @param {Standing[]} standings */
export function scale(standings) {
  const low = Math.min(...standings.map((one) => one.low)), high = Math.max(...standings.map((one) => one.high));
  const pad = Math.max(10, (high - low) * 0.04);
  return (/** @type {number} */ elo) => (100 * (elo - low + pad)) / (high - low + 2 * pad);
}

/** @param {Standing} standing @param {(elo: number) => number} at */
export function errorBar(standing, at) {
  const [low, mid, high] = [at(standing.low), at(standing.elo), at(standing.high)];
  return s('svg', { viewBox: '0 0 100 12', preserveAspectRatio: 'none', class: 'error-bar', role: 'img', 'aria-label': t('{low} to {high}', { low: Math.round(standing.low), high: Math.round(standing.high) }) },
    s('line', { x1: 0, x2: 100, y1: 6, y2: 6, class: 'track' }),
    s('rect', { x: low, y: 3.5, width: Math.max(0.6, high - low), height: 5, class: 'spread' }),
    s('rect', { x: mid - 0.5, y: 1, width: 1, height: 10, class: 'rating' }));
}
