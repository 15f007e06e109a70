// The tables of a tournament: who stands where, and who beat whom.

import { h } from '../common/dom.js';
import { number, t } from '../common/texts.js';
import { errorBar, scale } from './bars.js';

const fixed = (/** @type {number} */ value, digits = 0) => number(value, { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** What went wrong with a player's moves. @param {Standing} one */
const problems = (one) => [[one.forfeits, t('forfeited')], [one.late, t('late')], [one.illegal, t('illegal')]]
  .filter(([count]) => Number(count) > 0).map(([count, word]) => `${count} ${word}`).join(', ');

/** @param {Tournament} tournament */
export function standings(tournament) {
  const at = scale(tournament.standings);
  // Where the game counts points, they tell apart who is rated the same.
  const counts = tournament.standings.some((one) => one.difference !== null);
  const signed = (/** @type {number | null} */ value) => (value === null ? '·' : `${value > 0 ? '+' : ''}${fixed(value)}`);
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('Table of standings') }, h('table', { class: 'standings' },
    h('thead', {}, h('tr', {}, ['', t('Player'), t('Rating'), t('95 % interval'), t('Points'), t('Games'), t('Won'), t('Drawn'), t('Lost'), ...(counts ? [t('Difference')] : []), t('ms a turn')].map((head, i) => h('th', { scope: 'col', class: i > 3 || i === 2 ? 'right' : '' }, head || h('span', { class: 'aloud' }, t('Rank')))))),
    h('tbody', {}, tournament.standings.map((one, rank) => h('tr', {},
      h('td', { class: 'place' }, rank + 1),
      h('th', { scope: 'row' }, one.name, problems(one) && h('small', { class: 'problem' }, ` ${problems(one)}`)),
      h('td', { class: 'right strong' }, fixed(one.elo)),
      h('td', { class: 'bar-cell' }, errorBar(one, at), h('small', { class: 'muted' }, `${fixed(one.low)} … ${fixed(one.high)}`)),
      [fixed(one.points, 1), one.games, one.wins, one.draws, one.losses, ...(counts ? [signed(one.difference)] : []), fixed(one.ms_per_turn, 2)].map((value) => h('td', { class: 'right' }, value)))))));
}

/** Everybody against everybody: the row's points out of the games between the two. @param {Tournament} tournament */
export function crosstable(tournament) {
  const order = tournament.standings;
  const duel = (/** @type {number} */ a, /** @type {number} */ b) => {
    for (const one of tournament.duels) {
      const games = one.wins + one.draws + one.losses;
      if (one.first === a && one.second === b) return { points: one.wins + one.draws / 2, games };
      if (one.first === b && one.second === a) return { points: one.losses + one.draws / 2, games };
    }
    return null;
  };
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('Results between players') }, h('table', { class: 'crosstable' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('Points of')), order.map((one, i) => h('th', { scope: 'col', title: one.name, class: 'right' }, h('span', { class: 'aloud' }, t('against {name}', { name: one.name })), h('span', { 'aria-hidden': 'true' }, i + 1))))),
    h('tbody', {}, order.map((row, i) => h('tr', {}, h('th', { scope: 'row' }, `${i + 1}. ${row.name}`), order.map((column) => {
      const found = row === column ? null : duel(row.number, column.number);
      const cell = h('td', { class: 'right' }, found && found.games ? `${found.points} / ${found.games}` : '·');
      if (found?.games) cell.style.setProperty('--share', String(found.points / found.games));
      if (found?.games) cell.classList.add('shared');
      return cell;
    }))))));
}
