// Tournaments: the list, and one of them live.

import { games, get, send, stream } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { icon } from '../common/icons.js';
import { go } from '../common/router.js';
import { announce, tell } from '../common/say.js';
import { number, t } from '../common/texts.js';
import { Projector } from './projector.js';
import { crosstable, standings } from './standings.js';
import { startForm } from './start.js';
import { stateWord } from './state.js';
import { Study } from './study.js';
import { Watch } from './watch.js';

/** @returns {Promise<import('../common/router.js').Page>} */
export async function tournamentsPage() {
  const [kinds, { tournaments }] = await Promise.all([games(), /** @type {Promise<{ tournaments: TournamentSummary[] }>} */ (get('/api/tournaments'))]);
  return {
    title: t('Tournaments'),
    element: h('div', { class: 'page' },
      h('div', { class: 'heading' }, h('h1', {}, t('Tournaments')), h('p', { class: 'muted' }, t('Every pair of players plays the same openings with seats swapped; all games are recorded.'))),
      h('div', { class: 'two wide-first' }, startForm(kinds),
        h('section', { class: 'card', 'aria-label': t('Tournaments so far') }, h('h2', {}, t('So far')),
          h('ul', { class: 'recent' }, tournaments.length === 0 && h('li', { class: 'muted' }, t('None yet.')), tournaments.map((one) => h('li', {}, h('a', { href: `/tournaments/${one.id}` },
            h('b', {}, one.name || `${one.game} ${one.id}`), h('span', {}, one.players.join(', ')),
            h('small', { class: 'muted' }, `${one.game}, ${t('{count} game|{count} games', { count: one.pairs * 2 })}, ${stateWord(one.state)}`)))))))),
  };
}

/** @param {number} id @returns {Promise<import('../common/router.js').Page>} */
export async function tournamentPage(id) {
  const page = new Live(/** @type {Tournament} */ (await get(`/api/tournaments/${id}`)));
  return { title: page.tournament.name || t('Tournament'), element: page.element, leave: () => page.leave() };
}

/** The same for a room to watch. @param {number} id @returns {Promise<import('../common/router.js').Page>} */
export async function projectorPage(id) {
  const wall = new Projector(/** @type {Tournament} */ (await get(`/api/tournaments/${id}`)));
  return { title: wall.tournament.name || t('Tournament'), element: wall.element, leave: () => wall.leave() };
}

const PAGE = 20;

class Live {
  /** @param {Tournament} tournament */
  constructor(tournament) {
    this.tournament = tournament;
    this.offset = 0;
    this.listed = -1;
    this.head = h('div', { class: 'heading' });
    this.facts = h('dl', { class: 'facts-line' });
    this.progress = h('progress', { 'aria-label': t('Games played') });
    this.standings = h('section', { class: 'card', 'aria-label': t('Standings') });
    this.cross = h('section', { class: 'card', 'aria-label': t('Crosstable') });
    this.running = h('section', { class: 'card running', 'aria-label': t('Running games') });
    this.games = h('section', { class: 'card', 'aria-label': t('Recorded games') });
    this.watch = new Watch(tournament.id);
    this.study = new Study(tournament.id);
    this.element = h('div', { class: 'page tournament' }, this.head, this.progress, this.facts, this.standings, h('div', { class: 'two' }, this.cross, this.running), this.watch.element, this.study.curve, this.study.mistakes, this.games);
    this.close = () => {};
    this.take(tournament);
    if (tournament.state === 'running') this.follow();
  }

  leave() {
    this.close();
    this.watch.leave();
  }

  follow() {
    this.close();
    this.close = stream(`/api/tournaments/${this.tournament.id}/events`, { tournament: (/** @type {Tournament} */ tournament) => this.take(tournament), end: () => {} });
  }

  /** @param {string} action */
  async act(action) {
    const tournament = await tell(/** @type {Promise<Tournament>} */ (send(`/api/tournaments/${this.tournament.id}/${action}`)));
    if (!tournament) return;
    this.take(tournament);
    if (tournament.state === 'running') this.follow();
  }

  /** @param {Tournament} tournament */
  take(tournament) {
    const before = this.tournament.state;
    this.tournament = tournament;
    const { id, name, game, state, pairs, total, rate, running, seconds } = tournament;
    const base = `/api/tournaments/${id}/records`;
    fill(this.head,
      h('div', {}, h('h1', {}, name || t('{game} tournament {id}', { game, id })), h('p', { class: 'muted' }, `${game}, `, h('span', { class: `state ${state}` }, stateWord(state)))),
      h('div', { class: 'buttons' },
        state === 'running' && button([icon('stop'), t('Stop')], () => this.act('stop')),
        state === 'stopped' && button([icon('play'), t('Go on')], () => this.act('resume'), { class: 'primary' }),
        h('a', { class: 'button', href: `/tournaments/${id}/projector` }, t('Projector')),
        h('a', { class: 'button', href: `${base}.jsonl`, download: true }, icon('down'), t('JSON lines')), h('a', { class: 'button', href: `${base}.csv`, download: true }, icon('down'), 'CSV')));
    if (total) this.progress.max = total;
    this.progress.value = pairs;
    this.progress.hidden = !total;
    const fact = (/** @type {string} */ label, /** @type {string} */ value) => h('div', {}, h('dt', {}, label), h('dd', {}, value));
    fill(this.facts, fact(t('Games'), total ? t('{played} of {all}', { played: pairs * 2, all: total * 2 }) : String(pairs * 2)), fact(t('Games a second'), rate ? number(rate, { maximumSignificantDigits: 3 }) : '–'), fact(t('Time'), `${number(seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`), fact(t('Running'), String(running.length)));
    fill(this.standings, h('h2', {}, t('Standings')), tournament.problem && h('p', { class: 'problem' }, tournament.problem), tournament.standings.length ? standings(tournament) : h('p', { class: 'muted' }, t('No games yet.')));
    fill(this.cross, h('h2', {}, t('Between players')), crosstable(tournament));
    fill(this.running, h('h2', {}, t('Running')), running.length ? h('ul', {}, running.map((pair) => h('li', {}, h('span', { class: 'muted' }, `${t('pair {number}', { number: pair.pair + 1 })} `), pair.players.join(' – ')))) : h('p', { class: 'muted' }, state === 'running' ? t('Between two games.') : t('Nothing runs.')));
    if (state !== 'running' && before === 'running') announce(t('Tournament {state}. {name} leads.', { state: stateWord(state), name: tournament.standings[0]?.name ?? '–' }));
    this.watch.take(state === 'running');
    this.study.take(tournament);
    // The list of games is only asked for again when there is something new to see in it.
    if (this.listed < 0 || (state !== 'running' && this.listed !== pairs) || this.listed < Math.min(pairs, PAGE)) this.list();
  }

  async list() {
    this.listed = this.tournament.pairs;
    const answer = await tell(/** @type {Promise<{ total: number, games: RecordedGame[] }>} */ (get(`/api/tournaments/${this.tournament.id}/games?offset=${this.offset}&limit=${PAGE}`)));
    if (!answer) return;
    const turn = (/** @type {number} */ by) => button(icon(by < 0 ? 'back' : 'on'), () => ((this.offset += by), this.list()), { class: 'quiet', 'aria-label': by < 0 ? t('Earlier games') : t('Later games'), disabled: by < 0 ? this.offset === 0 : this.offset + PAGE >= answer.total });
    fill(this.games, h('h2', {}, t('Games')),
      h('div', { class: 'line' }, turn(-PAGE), h('span', { class: 'muted' }, answer.total ? t('{first} to {last} of {all}', { first: this.offset + 1, last: Math.min(answer.total, this.offset + PAGE), all: answer.total }) : t('none yet')), turn(PAGE)),
      h('ul', { class: 'game-list' }, answer.games.map((game) => h('li', {}, button([
        h('span', { class: 'muted' }, `${game.pair + 1}.${game.game}`), h('span', {}, h('span', { class: game.winner === 1 ? 'strong' : '' }, game.seats[0]), ' – ', h('span', { class: game.winner === 2 ? 'strong' : '' }, game.seats[1])),
        h('span', {}, game.winner === null ? '½ – ½' : game.winner === 1 ? '1 – 0' : '0 – 1'), h('span', { class: 'muted' }, t('{count} turn|{count} turns', { count: game.turns })),
      ], () => this.open(game), { class: 'game-row' })))));
  }

  /** @param {RecordedGame} game */
  async open(game) {
    const record = await tell(/** @type {Promise<GameRecord>} */ (get(`/api/tournaments/${this.tournament.id}/games/${game.pair}/${game.game}`)));
    if (!record) return;
    // Those who played sit at the table, by the name they had there. Engines cannot come; their seats are free.
    const names = record.seats.map((name, i) => (name === record.players[i] ? null : name));
    const body = { game: this.tournament.game, text: record.text, seats: record.players.map((player) => player ?? 'open'), names, paused: true };
    const table = await tell(/** @type {Promise<Table>} */ (send('/api/tables', body)));
    if (table) go(`/t/${table.id}`);
  }
}
