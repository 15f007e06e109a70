// What a tournament teaches: its ratings pair by pair, and how far its players are from perfect play.

import { get } from '../common/api.js';
import { button, fill, h, s } from '../common/dom.js';
import { number, t } from '../common/texts.js';

/** The drawing's own units. */
const WIDE = 600, HIGH = 220, LEFT = 44, BOTTOM = 22, TOP = 8;

/** @param {RatingCurve} curve */
export function curvePicture({ players, points }) {
  const all = points.flatMap((point) => point.elo);
  const low = Math.min(...all), high = Math.max(...all), last = points[points.length - 1].pairs;
  const x = (/** @type {number} */ pairs) => LEFT + ((WIDE - LEFT - 6) * pairs) / last;
  const y = (/** @type {number} */ elo) => TOP + (HIGH - TOP - BOTTOM) * (high === low ? 0.5 : (high - elo) / (high - low));
  const line = players.map((_, i) => s('polyline', { class: `curve curve-${i % 8}`, points: points.map((point) => `${x(point.pairs).toFixed(1)},${y(point.elo[i]).toFixed(1)}`).join(' ') }));
  const words = [high, (high + low) / 2, low].map((elo) => s('text', { x: LEFT - 6, y: y(elo) + 4, class: 'curve-word end' }, String(Math.round(elo))));
  const rules = [high, (high + low) / 2, low].map((elo) => s('line', { x1: LEFT, x2: WIDE, y1: y(elo), y2: y(elo), class: 'curve-rule' }));
  const under = [s('text', { x: LEFT, y: HIGH - 4, class: 'curve-word' }, '0'), s('text', { x: WIDE - 4, y: HIGH - 4, class: 'curve-word end' }, t('{count} pair|{count} pairs', { count: last }))];
  return [
    s('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, class: 'rating-curve', role: 'img', 'aria-label': t('Ratings as the pairs were played') }, rules, line, words, under),
    h('ul', { class: 'curve-names' }, players.map((name, i) => h('li', {}, h('i', { class: `curve-dot curve-${i % 8}`, 'aria-hidden': 'true' }), name, h('small', { class: 'muted' }, ` ${number(points[points.length - 1].elo[i], { maximumFractionDigits: 0 })}`)))),
  ];
}

/** The two cards of a tournament. */
export class Study {
  /** @param {number} id */
  constructor(id) {
    this.id = id;
    this.counted = -1;
    this.curve = h('section', { class: 'card', 'aria-label': t('Ratings over time') });
    this.found = h('div', {});
    this.mistakes = h('section', { class: 'card mistakes-of-players', 'aria-label': t('Against perfect play') }, h('h2', {}, t('Against perfect play')),
      h('p', { class: 'muted small' }, t('How often a game a player gives away a win or a draw, judged by the exact truth.')),
      button(t('Judge the games'), () => this.judge(), { class: 'judge-games' }), this.found);
  }

  /** @param {Tournament} tournament */
  async take({ pairs, state }) {
    this.curve.hidden = this.counted < 0;
    this.mistakes.hidden = pairs === 0 || state === 'running';
    // The curve of a tournament that runs is drawn again when it has grown by a tenth.
    if (pairs < 2 || pairs === this.counted || (state === 'running' && pairs < 1.1 * this.counted)) return;
    this.counted = pairs;
    try {
      const curve = /** @type {RatingCurve} */ (await get(`/api/tournaments/${this.id}/curve`));
      this.curve.hidden = curve.points.length < 2;
      if (curve.points.length > 1) fill(this.curve, h('h2', {}, t('Ratings over time')), curvePicture(curve));
    } catch {
      this.curve.hidden = true;
    }
  }

  async judge() {
    fill(this.found, h('p', { class: 'muted' }, t('Judging…')));
    try {
      const { players } = /** @type {TournamentMistakes} */ (await get(`/api/tournaments/${this.id}/mistakes`));
      const best = [...players].sort((a, b) => (a.per_game ?? Infinity) - (b.per_game ?? Infinity));
      fill(this.found, h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('Mistakes a game') }, h('table', { class: 'standings' },
        h('thead', {}, h('tr', {}, [t('Player'), t('Mistakes a game'), t('Games'), t('Turns judged')].map((head, i) => h('th', { scope: 'col', class: i ? 'right' : '' }, head)))),
        h('tbody', {}, best.map((one) => h('tr', {}, h('th', { scope: 'row' }, one.name), h('td', { class: 'right strong' }, one.per_game === null ? '–' : number(one.per_game, { minimumFractionDigits: 2, maximumFractionDigits: 2 })),
          h('td', { class: 'right' }, one.games), h('td', { class: 'right' }, `${number(100 * one.judged, { maximumFractionDigits: 0 })} %`)))))));
    } catch (refused) {
      fill(this.found, h('p', { class: 'problem' }, refused instanceof Error ? refused.message : String(refused)));
    }
  }
}
