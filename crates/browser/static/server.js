// The server, inside the browser: a worker that answers what the page's modules ask, with the same words as a real one. The tables live in the
// module (`house`), are kept in IndexedDB, and programs think in other workers.

import { Engine, moduleFor } from './engine.js';
import { Pool } from './pool.js';
import { Store } from './store.js';
import { analysis, truth } from './streams.js';
import { Tournaments } from './tournaments.js';

/** @typedef {{ status: number, body?: string }} Answer */

const store = new Store('terzo', 'tables');
const others = 'BroadcastChannel' in globalThis ? new BroadcastChannel('terzo-tables') : null;

/** Those who keep the tables and those who think, for each module that was needed so far. @type {Map<string, Promise<{ house: Engine, pool: Pool }>>} */
const staffs = new Map();

/** Who serves a game. @param {string} game */
function staff(game) {
  const name = moduleFor(game);
  let found = staffs.get(name);
  if (!found) {
    found = engage(name);
    staffs.set(name, found);
    // Without a network it may work the next time.
    found.catch(() => staffs.delete(name));
  }
  return found;
}

/** @param {string} name */
async function engage(name) {
  const url = new URL(name, import.meta.url);
  // Some hosts do not know what a module is, and call it a stream of bytes.
  const module = await WebAssembly.compileStreaming(fetch(url)).catch(async () => WebAssembly.compile(await (await fetch(url)).arrayBuffer()));
  return { house: await Engine.of(module), pool: new Pool(module) };
}

const tournaments = new Tournaments(staff);

/** The game that somebody asks for: what a pasted text says counts first. @param {{ game?: string, sheet?: string, text?: string }} body */
const wanted = ({ game, sheet, text }) => (sheet ? 'gdl' : text?.match(/^#\s*game (.*)$/m)?.[1].trim() ?? game ?? 'quarto');

/** The tables in memory: what is kept of each, who follows it, and what ends its clock. @type {Map<string, { kept: any, version: number, alarm: any, followers: Set<(event: string, data: string) => void> }>} */
const tables = new Map();

/** @param {any} said @returns {Answer} */
const answer = (said) => ({ status: said.status, body: said.body ?? (said.error ? JSON.stringify(said.error) : undefined) });

/** @param {number} status @param {string} code @param {string} message @returns {Answer} */
const refuse = (status, code, message) => ({ status, body: JSON.stringify({ error: { code, message } }) });

/** @param {unknown} value @returns {Answer} */
const json = (value) => ({ status: 200, body: JSON.stringify(value) });

/** A name for a table: sixty bits, twelve letters and digits. */
const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'[byte & 31]).join('');

/** @param {string} id */
const watched = (id) => (tables.get(id)?.followers.size ?? 0) > 0;

/** Does what follows from a change: keeps the table, tells its followers, sets its alarm, asks the program that is to move. @param {any} said @param {{ quiet?: boolean }} [how] */
async function follow(said, { quiet = false } = {}) {
  if (!said.id) return;
  const { id } = said;
  const table = tables.get(id) ?? { kept: null, version: -1, alarm: 0, followers: new Set() };
  tables.set(id, table);
  const changed = table.version !== said.version;
  Object.assign(table, { kept: said.kept, version: said.version });
  clearTimeout(table.alarm);
  if (said.deadline_ms !== null) table.alarm = setTimeout(() => ask(said.kept.game, { op: 'tick', id, watched: watched(id) }), said.deadline_ms + 5);
  for (const tell of table.followers) tell('table', said.body);
  if (said.task && !quiet) think(id, said.kept.game, said);
  if (changed && !quiet) {
    await store.keep(said.kept);
    others?.postMessage(id);
  }
}

/** Asks the house of a game, and does what follows. @param {string} game @param {any} question */
async function ask(game, question) {
  const { house } = await staff(game);
  const said = house.ask(question);
  await follow(said);
  return said;
}

/** Has a program think, and tells the house what it said. @param {string} id @param {string} game @param {{ version: number, task: string, pace_ms: number }} asked */
async function think(id, game, { version, task, pace_ms: pace }) {
  const { house, pool } = await staff(game);
  if (pace > 0) await new Promise((rest) => setTimeout(rest, pace));
  // A table that has changed meanwhile, or that nobody looks at any more, needs no thought.
  const begin = () => {
    const said = house.ask({ op: 'start', id, version, watched: watched(id) });
    if (said.status !== 200) return false;
    for (const tell of tables.get(id)?.followers ?? []) tell('table', said.body);
    return true;
  };
  const said = await pool.ask(task, { urgent: true, begin });
  if (said) await ask(game, { op: 'answer', id, version, watched: watched(id), said: said.said ?? null, failed: said.said ? null : said.error?.error.message });
}

/** Brings a table into memory. Null if there is none. @param {string} id @param {boolean} [anew] */
async function find(id, anew = false) {
  const known = tables.get(id);
  if (known && !anew) return known;
  const kept = await store.find(id);
  if (!kept) return null;
  const { house } = await staff(kept.game);
  const said = house.ask({ op: 'open', kept });
  if (said.status !== 200) return null;
  // Who opens a table has changed nothing; whose turn it is, is looked at when somebody follows it.
  await follow(said, { quiet: true });
  return tables.get(id) ?? null;
}

/** What a thinker must know of a table. @param {any} kept @param {URLSearchParams} query */
const about = ({ game, sheet, start, turns, ply }, query) => ({ game, sheet, start, turns, ply: Number(query.get('ply') ?? ply), place: query.get('place') });

const NEEDS_SERVER = 'This needs a server: start Terzo on a machine of yours with “terzo play”.';

/** The routes that concern no table in memory. @type {[string, RegExp, (match: RegExpMatchArray, body: any, query: URLSearchParams) => Promise<Answer>][]} */
const ROUTES = [
  ['GET', /^\/api\/tables$/, async () => json({ tables: (await store.latest(50)).map(line) })],
  ['GET', /^\/api\/access$/, async () => json({ addresses: [], token: null })],
  ['GET', /^\/api\/status$/, async () => json({ version: 'static', tables: tables.size, streams: 0, thinkers: { running: 0, waiting: 0 }, solver: { running: 0, waiting: 0 }, trouble: null })],
  ['GET', /^\/api\/puzzles\/([^/]+)$/, async ([, game]) => answer(await (await staff(game)).pool.ask({ op: 'puzzles', game: decodeURIComponent(game) }))],
  ['GET', /^\/api\/puzzles\/([^/]+)\/(\d+)$/, async ([, game, number], _, query) => answer(await (await staff(game)).pool.ask({
    op: 'try', game: decodeURIComponent(game), number: Number(number), turns: (query.get('turns') ?? '').split(' ').filter(Boolean), solution: query.get('solution') === 'true',
  }, { urgent: true }))],
  ['GET', /^\/api\/openings\/([^/]+)$/, async ([, game], _, query) => answer(await (await staff(game)).pool.ask({ op: 'opening', game: decodeURIComponent(game), turns: (query.get('turns') ?? '').split(' ').filter(Boolean), ms: 20_000 }))],
  ['POST', /^\/api\/gdl\/check$/, async (_, body) => answer(await (await staff('gdl')).pool.ask({ op: 'check', sheet: body.sheet }, { urgent: true }))],
  ['GET', /^\/api\/tables\/[^/]+\/opinion$/, async () => refuse(409, 'unsupported', NEEDS_SERVER)],
  ['GET', /^\/api\/qr/, async () => refuse(409, 'unsupported', NEEDS_SERVER)],
];

/** A table in a list. @param {any} kept */
const line = ({ id, game, title, seats, ply, over, updated }) => ({
  id, game, title, ply, over, in_charge: true, updated, seats: seats.map((/** @type {{ player: string, name: string | null }} */ { player, name }) => ({ player, name, yours: player === 'human' })),
});

/** @param {string} method @param {string} path @param {any} body @param {URLSearchParams} query @returns {Promise<Answer>} */
async function request(method, path, body, query) {
  for (const [verb, pattern, reply] of ROUTES) {
    const match = verb === method && path.match(pattern);
    if (match) return reply(match, body, query);
  }
  if (path.startsWith('/api/tournaments')) return tournaments.request(method, path, body, query);
  if (method === 'POST' && path === '/api/tables') return answer(await ask(wanted(body ?? {}), { op: 'request', method, path, body, id: fresh() }));
  const [, id, word = ''] = path.match(/^\/api\/tables\/([^/]+)(?:\/([^/]+))?/) ?? [];
  if (!id) return answer(await ask('gdl', { op: 'request', method, path, body: body ?? {} }));
  const table = await find(id);
  if (!table) return refuse(404, 'not_found', `there is no table \`${id.slice(0, 60)}\``);
  if (method === 'DELETE') return forget(id);
  const { game } = table.kept;
  const { pool } = await staff(game);
  switch (word) {
    case 'hint': return answer(await pool.ask({ op: 'hint', ...about(table.kept, query), ms: 3000 }, { urgent: true }));
    case 'consequence': return answer(await pool.ask({ op: 'consequence', ...about(table.kept, query), turn: query.get('turn'), ms: 20_000 }));
    default: return answer(await ask(game, { op: 'request', method, path, body: body ?? {}, watched: watched(id) }));
  }
}

/** @param {string} id @returns {Promise<Answer>} */
async function forget(id) {
  const table = tables.get(id);
  if (table) (await staff(table.kept.game)).house.ask({ op: 'forget', id });
  clearTimeout(table?.alarm);
  tables.delete(id);
  await store.forget(id);
  for (const tell of table?.followers ?? []) tell('gone', '{}');
  others?.postMessage(id);
  return { status: 204 };
}

/** The open streams, by number: what is done when one is closed. @type {Map<number, () => void>} */
const streams = new Map();

/** @param {number} stream @param {string} path @param {URLSearchParams} query */
async function listen(stream, path, query) {
  const [, tournament] = path.match(/^\/api\/tournaments\/(\d+)\/events$/) ?? [];
  if (tournament) {
    let open = true;
    const leave = await tournaments.follow(Number(tournament), (event, data) => open && postMessage({ stream, event, data }));
    streams.set(stream, () => {
      open = false;
      leave();
    });
    return undefined;
  }
  const [, id, word] = path.match(/^\/api\/tables\/([^/]+)\/(events|truth|analysis)$/) ?? [];
  const table = id ? await find(id) : null;
  if (!table || !word) return postMessage({ stream, failed: true });
  let open = true;
  const tell = (/** @type {string} */ event, /** @type {string} */ data) => open && postMessage({ stream, event, data });
  streams.set(stream, () => {
    open = false;
    table.followers.delete(tell);
  });
  tell('open', '');
  if (word === 'events') {
    table.followers.add(tell);
    await ask(table.kept.game, { op: 'watch', id, watched: true });
    return undefined;
  }
  const listener = { tell: (/** @type {string} */ event, /** @type {any} */ data) => tell(event, JSON.stringify(data)), open: () => open };
  const { house, pool } = await staff(table.kept.game);
  if (word === 'truth') {
    const refused = await truth(pool, about(table.kept, query), listener);
    if (refused) postMessage({ stream, failed: true });
    return undefined;
  }
  const first = JSON.parse(house.ask({ op: 'request', method: 'GET', path: `/api/tables/${id}/at/0` }).body).mover ?? 1;
  return analysis(pool, about(table.kept, query), first - 1, listener);
}

addEventListener('message', async ({ data }) => {
  if (data.close) {
    streams.get(data.stream)?.();
    streams.delete(data.stream);
    return;
  }
  const url = new URL(data.address);
  try {
    if (data.stream !== undefined) await listen(data.stream, url.pathname, url.searchParams);
    else postMessage({ number: data.number, ...(await request(data.method, url.pathname, data.body, url.searchParams)) });
  } catch (error) {
    postMessage(data.stream !== undefined ? { stream: data.stream, failed: true } : { number: data.number, ...refuse(503, 'unavailable', String(error)) });
  }
});

// Another tab has changed a table that this one holds, too.
others?.addEventListener('message', async ({ data: id }) => {
  if (!tables.has(id)) return;
  if (await store.find(id)) await find(id, true);
  else for (const tell of tables.get(id)?.followers ?? []) tell('gone', '{}');
});
