// The first page: a game of Quarto is one press away, the rest is beside it.

import { games, get, remove, send } from './common/api.js';
import { confirmed, dialog } from './common/dialog.js';
import { add, button, fill, h, set } from './common/dom.js';
import { drawn } from './common/frame.js';
import { icon } from './common/icons.js';
import { recall, remember } from './common/memory.js';
import { go } from './common/router.js';
import { note, tell } from './common/say.js';
import { t } from './common/texts.js';
import { Gallery } from './gallery/gallery.js';
import { picture } from './quarto/piece.js';
import { clockPicker } from './table/clock.js';
import { gameName, learnLevels, programName } from './table/names.js';
import { picker, seatLabel, usualOpponent } from './table/seating.js';

/** @param {string} spec */
const isPerson = (spec) => spec === 'human' || spec === 'open';

/** Where links led before, the latest last: who follows one again comes to the same table, unless it was played on there. */
const LINKS = 'links';
const MOST_LINKS = 20;

/** @returns {[string, string][]} */
function links() {
  try {
    return JSON.parse(recall(LINKS, '[]'));
  } catch {
    return [];
  }
}

/** The table that a link led to, if it still is as the link says. @param {string} link @param {string[]} turns */
async function before(link, turns) {
  const id = links().find(([known]) => known === link)?.[1];
  if (!id) return null;
  try {
    const table = /** @type {Table} */ (await get(`/api/tables/${id}`));
    return table.you.in_charge && table.turns.join(' ') === turns.join(' ') && table.ply === turns.length ? table : null;
  } catch {
    return null;
  }
}

/** A game given in the address is opened at once. @param {URLSearchParams} query */
async function fromLink(query) {
  const game = query.get('game');
  if (!game) return null;
  const turns = query.get('turns')?.split(' ').filter(Boolean) ?? [];
  const start = query.get('start') ?? query.get('position');
  const link = new URLSearchParams({ game, turns: turns.join(' '), start: start ?? '' }).toString();
  const known = await before(link, turns);
  if (known) return known;
  const kind = (await games()).find((one) => one.name === game);
  // A game that only has a name is one to play; one with turns is one to look at, and both seats are yours.
  const seats = turns.length === 0 && !start && kind?.seats === 2 ? { seats: ['human', usualOpponent(kind)] } : {};
  const body = { game, ...seats, turns, ...(start ? { position: start } : {}) };
  const table = await tell(/** @type {Promise<Table>} */ (send('/api/tables', body)));
  if (table) remember(LINKS, JSON.stringify([...links().filter(([other]) => other !== link), [link, table.id]].slice(-MOST_LINKS)));
  return table;
}

/** @param {URLSearchParams} query @returns {Promise<import('./common/router.js').Page>} */
export async function lobbyPage(query) {
  const linked = await fromLink(query);
  if (linked) {
    await go(`/t/${linked.id}`, true);
    return { title: '', element: h('div') };
  }
  const kinds = await games();
  learnLevels(kinds);
  const gallery = new Gallery(kinds, ({ title, family, kinds }) => {
    const close = dialog(title, [newGame(title, family, kinds, () => close())], 'new-game-dialog');
  });
  const tables = new TableLists(kinds);
  const search = h('input', { type: 'search', id: 'search', placeholder: t('Search games and tables'), 'aria-label': t('Search games and tables'), oninput: () => {
    gallery.search(search.value);
    tables.search(search.value);
  } });
  const first = kinds.find((kind) => kind.family === 'quarto');
  const element = h('div', { class: 'page lobby' },
    h('section', { class: 'hero' },
      h('div', {}, h('h1', {}, t('Play, understand, watch')),
        h('p', {}, t('Quarto against a perfect player, Stack Four in space, any game from its rules. Switch on the truth and see what every move is worth.')),
        h('div', { class: 'hero-buttons' }, first && button(t('Play Quarto'), () => begin(first, ['human', usualOpponent(first)]), { class: 'primary at-once' }),
          h('a', { class: 'button', href: '/learn' }, t('Learn Quarto')), h('a', { class: 'button', href: '/puzzles' }, t('Today’s puzzle')))),
      h('div', { class: 'parade', 'aria-hidden': 'true' }, [3, 8, 6, 13, 2, 15].map((piece) => picture(piece)))));
  const rest = async () => {
    await drawn();
    add(element, h('div', { class: 'heading' }, h('h2', {}, t('All games')), search), gallery.element);
    await drawn();
    add(element, h('p', { class: 'muted small' }, h('a', { href: '/gdl' }, t('Rule sheets')), ` ${t('are for those who write games: any game from its rules.')}`),
      h('div', { class: 'cards' }, tables.running.element, tables.finished.element));
    await tables.refresh();
    await gallery.draw();
  };
  rest();
  return { title: '', element };
}

/** Sits down to a game. @param {GameKind} kind @param {string[]} seats @param {object} [more] */
async function begin(kind, seats, more = {}) {
  const watched = !seats.some(isPerson);
  try {
    const table = /** @type {Table} */ (await send('/api/tables', { game: kind.name, seats, pace_ms: watched ? 900 : 250, ...(watched ? {} : more) }));
    go(`/t/${table.id}`);
    return true;
  } catch (refused) {
    note(refused instanceof Error ? refused.message : String(refused));
    return false;
  }
}

/** What is chosen before a game. @param {string} title @param {string} family @param {GameKind[]} kinds variants of the game @param {() => void} done */
function newGame(title, family, kinds, done) {
  let kind = kinds.find((one) => one.name === recall(`${family}-game`)) ?? kinds[0];
  const seats = h('div', { class: 'pickers' });
  /** @type {ReturnType<typeof picker>[]} */
  let pickers = [];
  const sit = (/** @type {string[]} */ specs) => {
    pickers = specs.map((spec, i) => picker(kind, spec, seatLabel(kind, i, kind.roles[i])));
    fill(seats, pickers.map((one) => one.element));
  };
  const remembered = recall(`${family}-seats`);
  const known = (/** @type {string} */ spec) => isPerson(spec) || kind.players.some((player) => player.name === spec.split(':')[0]);
  const specs = remembered ? remembered.split('|') : [];
  sit(specs.length === kind.seats && specs.every(known) ? specs : kind.roles.map((_, i) => (i === 0 ? 'human' : usualOpponent(kind))));
  const rules = h('select', { id: `rules-${family}`, onchange: () => {
    const chosen = pickers.map((one) => one.value());
    kind = kinds.find((one) => one.name === rules.value) ?? kind;
    fill(summary, kind.rules);
    link();
    sit(chosen);
  } }, kinds.map((one) => h('option', { value: one.name }, one.title)));
  rules.value = kind.name;
  const summary = h('p', { class: 'rules' }, kind.rules);
  const more = h('a', { href: '', onclick: done }, t('Rules with pictures'));
  const link = () => set(more, { href: `/rules/${encodeURIComponent(kind.name)}` });
  link();
  const clock = clockPicker();
  const start = async () => {
    const chosen = pickers.map((one) => one.value());
    remember(`${family}-game`, kind.name);
    remember(`${family}-seats`, chosen.join('|'));
    if (await begin(kind, chosen, clock.value())) done();
  };
  return h('section', { class: `new-game ${family}`, 'aria-label': t('New game of {game}', { game: title }) },
    kinds.length > 1 && h('div', { class: 'line' }, h('label', { for: rules.id }, t('Rules')), rules), summary, h('p', { class: 'small' }, more), seats, clock.element,
    h('div', { class: 'buttons' }, kind.seats > 1 && button(`⇅ ${t('Swap')}`, () => sit(pickers.map((one) => one.value()).reverse())), button(t('Play'), start, { class: 'primary', id: `play-${family}` })));
}

/** The tables that are not over, and those that are. */
class TableLists {
  /** @param {GameKind[]} kinds */
  constructor(kinds) {
    this.kinds = kinds;
    this.running = tableList(t('Running'), t('Games that are played here appear in this list and survive a restart.'));
    this.finished = tableList(t('Finished'), t('No game is over yet.'));
    /** @type {{ element: HTMLElement, words: string }[]} */
    this.lines = [];
    this.wanted = '';
  }

  async refresh() {
    const answer = await tell(/** @type {Promise<{ tables: TableLine[] }>} */ (get('/api/tables')));
    const tables = (answer?.tables ?? []).filter((table) => table.ply > 0 || table.seats.some((seat) => seat.player === 'open'));
    const lines = tables.map((table) => ({ table, element: recentTable(table, this.title(table), () => this.refresh()) }));
    for (const [list, over] of /** @type {[ReturnType<typeof tableList>, boolean][]} */ ([[this.running, false], [this.finished, true]])) {
      const here = lines.filter((line) => line.table.over === over).slice(0, MOST_TABLES);
      fill(list.list, here.map((line) => line.element), here.length === 0 && h('li', { class: 'muted' }, list.nothing));
    }
    this.lines = lines.map(({ element }) => ({ element, words: element.textContent?.toLowerCase() ?? '' }));
    this.search(this.wanted);
  }

  /** What the game of a table is called. @param {TableLine} table */
  title = (table) => table.title ?? this.kinds.find((kind) => kind.name === table.game)?.title ?? gameName(table);

  /** Leaves the tables that a text finds. @param {string} text */
  search(text) {
    this.wanted = text;
    const wanted = text.trim().toLowerCase();
    for (const line of this.lines) line.element.hidden = !line.words.includes(wanted);
  }
}

/** No list shows more tables than that. */
const MOST_TABLES = 30;

/** @param {string} title @param {string} nothing what is said if there is none */
function tableList(title, nothing) {
  const list = h('ul', { class: 'recent' });
  return { list, nothing, element: h('section', { class: 'card', 'aria-label': title }, h('h2', {}, title), list) };
}

/** @param {TableLine} table @param {string} name @param {() => void} changed */
function recentTable(table, name, changed) {
  const who = table.seats.map(({ player, name, yours }) => name ?? (yours ? t('You').toLowerCase() : player === 'human' ? t('a person') : player === 'open' ? t('free seat') : programName(player)));
  const state = [table.ply === 0 ? t('not begun') : t('{count} turn|{count} turns', { count: table.ply }), table.over && t('over'), table.id === recall('last-table') && t('your last')].filter(Boolean).join(', ');
  const forget = async () => {
    if (!(await confirmed(t('Delete this table?'), t('{table}. It cannot be brought back.', { table: `${name}: ${who.join(' – ')}, ${state}` }), t('Delete')))) return;
    await tell(remove(`/api/tables/${table.id}`));
    changed();
  };
  return h('li', {}, h('a', { href: `/t/${table.id}` }, h('b', {}, name), h('span', {}, who.join(' – ')), h('small', { class: 'muted' }, state)),
    table.in_charge && button(icon('close'), forget, { class: 'quiet', 'aria-label': t('Delete the table of {table}', { table: `${name}, ${state}` }), title: t('Delete') }));
}
