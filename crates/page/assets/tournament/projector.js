// A tournament on a wall, for a room to watch: large letters, nothing to read twice, and one button to go on or to stop.

import { get, send, stream } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { tell } from '../common/say.js';
import { number, t } from '../common/texts.js';
import { stateWord } from './state.js';

/** As many players as can be read from the last row of a room. */
const ROWS = 10;
/** What another process plays is not told by this server: its records are looked at so often. */
const LOOK_MS = 2000;

export class Projector {
  /** @param {Tournament} tournament */
  constructor(tournament) {
    this.tournament = tournament;
    /** Whether more was there at the last look than at the one before. */
    this.growing = false;
    this.element = h('div', { class: 'projector' });
    this.close = () => {};
    this.following = false;
    document.documentElement.classList.add('projecting');
    this.take(tournament);
    this.looking = setInterval(() => this.look(), LOOK_MS);
  }

  leave() {
    this.close();
    clearInterval(this.looking);
    document.documentElement.classList.remove('projecting');
  }

  async look() {
    if (this.following) return;
    const before = this.tournament.pairs;
    // A server that is away for a moment is asked again.
    const tournament = await /** @type {Promise<Tournament>} */ (get(`/api/tournaments/${this.tournament.id}`)).catch(() => null);
    if (!tournament || this.following) return;
    this.growing = tournament.pairs > before;
    this.take(tournament);
  }

  follow() {
    this.following = true;
    const ended = () => (this.following = false);
    this.close = stream(`/api/tournaments/${this.tournament.id}/events`, { tournament: (/** @type {Tournament} */ tournament) => this.take(tournament), end: ended }, ended);
  }

  /** @param {string} action */
  async act(action) {
    const tournament = await tell(/** @type {Promise<Tournament>} */ (send(`/api/tournaments/${this.tournament.id}/${action}`)));
    if (tournament) this.take(tournament);
  }

  /** @param {Tournament} tournament */
  take(tournament) {
    this.tournament = tournament;
    const { id, name, game, state, pairs, total, running } = tournament;
    if (state === 'running' && !this.following) this.follow();
    const shown = tournament.standings.slice(0, ROWS), more = tournament.standings.length - shown.length;
    const counted = total ? t('{played} of {all}', { played: pairs * 2, all: total * 2 }) : String(pairs * 2);
    fill(this.element,
      h('header', {}, h('h1', {}, name || t('{game} tournament {id}', { game, id })),
        h('p', { class: `state ${state}` }, `${t('Games')}: ${counted} · ${this.growing ? t('running') : stateWord(state)}`)),
      h('progress', { 'aria-label': t('Games played'), max: total || 1, value: pairs, hidden: !total }),
      h('table', {},
        h('thead', { class: 'aloud' }, h('tr', {}, [t('Rank'), t('Player'), t('Points'), t('Rating')].map((head) => h('th', { scope: 'col' }, head)))),
        h('tbody', {}, shown.map((one, rank) => h('tr', {}, h('td', {}, rank + 1), h('th', { scope: 'row' }, one.name),
          h('td', { class: 'right strong' }, `${number(one.points, { maximumFractionDigits: 1 })} / ${one.games}`), h('td', { class: 'right muted' }, number(one.elo, { maximumFractionDigits: 0 })))))),
      more > 0 && h('p', { class: 'muted' }, t('and {count} more', { count: more })),
      h('p', { class: 'now' }, running.slice(0, 4).map((pair) => h('span', {}, pair.players.join(' – ')))),
      h('footer', {},
        state === 'running' && button(t('Stop'), () => this.act('stop')),
        state === 'stopped' && !this.growing && button(t('Go on'), () => this.act('resume'), { class: 'primary' }),
        button(t('Full screen'), () => document.documentElement.requestFullscreen?.()),
        h('a', { class: 'button', href: `/tournaments/${id}` }, t('All of it'))));
  }
}
