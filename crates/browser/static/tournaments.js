// Tournaments in the browser: every two who meet play pairs of games with seats swapped. A thinker plays a game at a time; who waits for a program at a table comes first.
// A tournament is played by the tab it was started in, and can be gone on with in any.

import { SIZE } from './pool.js';
import { Store } from './store.js';
import { analysis } from './streams.js';

/** @typedef {{ status: number, body?: string }} Answer */
/** @typedef {{ turns: string[], winner: number | null, verdict: string, points: number[] | null, seconds: number[] }} Game */
/** @typedef {{ number: number, first: number, second: number, seed: number, games: Game[] }} Pair */
/** @typedef {{ id: number, name: string, game: string, players: { name: string, spec: string }[], rounds: number, seed: number, format: string, ms: number | undefined, started: string, problem: string | null, pairs: Pair[] }} Kept */
/** What this tab plays of one. @typedef {{ kept: Kept, began: number, before: number, stopping: boolean, playing: Set<number>, listeners: Set<(event: string, data: string) => void>, told: number }} Running */

const MOST_PLAYERS = 16;
const MOST_ROUNDS = 1000;
const LONGEST_TURN = 5000;
/** How often those who watch are told, and how often it is written down, in ms. */
const PULSE = 250;
const WRITTEN = 1000;
/** Pairs whose games are judged, and points of a curve. */
const JUDGED = 6;
const POINTS = 40;

const CSV_HEAD = 'tournament,pair,round,game,seed,seat1,seat2,verdict,winner,turn_count,seconds1,seconds2,start,opening,turns,detail,points1,points2,late1,late2,illegal1,illegal2,processor1,processor2';

/** Something that cannot be played, or is not there. */
class Refusal extends Error {
  /** @param {number} status @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @param {string} why */
const wrong = (why) => new Refusal(422, 'bad_tournament', why);

/** @param {unknown} value */
const json = (value, status = 200) => ({ status, body: JSON.stringify(value) });

/** Who meets whom. @param {Kept} kept @returns {[number, number][]} */
function meetings({ players, format }) {
  const pairs = players.flatMap((_, a) => players.slice(a + 1).map((_, i) => /** @type {[number, number]} */ ([a, a + 1 + i])));
  return format === 'gauntlet' ? pairs.filter(([a]) => a === 0) : pairs;
}

/** @param {Kept} kept */
const total = (kept) => meetings(kept).length * kept.rounds;

/** Who sat where in a game of a pair. @param {Pair} pair @param {number} game from 0 */
const sitting = ({ first, second }, game) => (game === 0 ? [first, second] : [second, first]);

/** A player's half points in a game. @param {Game} game @param {number} seat from 0 */
const halfPoints = ({ winner }, seat) => (winner === null ? 1 : winner === seat + 1 ? 2 : 0);

export class Tournaments {
  /** @param {(game: string) => Promise<{ house: import('./engine.js').Engine, pool: import('./pool.js').Pool }>} staff */
  constructor(staff) {
    this.staff = staff;
    this.store = new Store('terzo-tournaments', 'tournaments');
    /** @type {Map<number, Running>} */
    this.running = new Map();
  }

  /** Answers a request. @param {string} method @param {string} path @param {any} body @param {URLSearchParams} query @returns {Promise<Answer>} */
  async request(method, path, body, query) {
    try {
      if (path === '/api/tournaments') return method === 'POST' ? json(await this.start(body ?? {}), 201) : json({ tournaments: await this.list() });
      const [, id, rest = ''] = path.match(/^\/api\/tournaments\/(\d+)(?:\/(.*))?$/) ?? [];
      const kept = await this.find(Number(id));
      switch (`${method} ${rest.split('/')[0]}`) {
        case 'GET ': return json(await this.status(kept));
        case 'POST stop': return json(await this.stop(kept));
        case 'POST resume': return json(await this.play(kept));
        case 'GET games': return json(rest === 'games' ? list(kept, query) : record(kept, rest));
        // Games here are over before anybody could look on.
        case 'GET live': return json({ games: [] });
        case 'GET curve': return json(await this.curve(kept));
        case 'GET mistakes': return json(await this.mistakes(kept));
        case 'GET records.jsonl': return { status: 200, body: lines(kept).map((line) => `${JSON.stringify(line)}\n`).join('') };
        case 'GET records.csv': return { status: 200, body: `${[CSV_HEAD, ...lines(kept).map(csv)].join('\n')}\n` };
        default: throw new Refusal(404, 'not_found', 'there is no such thing in the API');
      }
    } catch (error) {
      if (error instanceof Refusal) return json({ error: { code: error.code, message: error.message } }, error.status);
      throw error;
    }
  }

  /** @param {number} id @returns {Promise<Kept>} */
  async find(id) {
    const kept = this.running.get(id)?.kept ?? (await this.store.find(id));
    if (!kept) throw new Refusal(404, 'not_found', `there is no tournament ${id}`);
    return kept;
  }

  async list() {
    const all = /** @type {Kept[]} */ (await this.store.latest(1000));
    return all.map((kept) => this.summary(this.running.get(kept.id)?.kept ?? kept)).sort((a, b) => b.id - a.id);
  }

  /** @param {any} wanted */
  async start({ game, players, rounds, name, seed = 1, format = 'round-robin', time, opening_plies: opening }) {
    if (!Array.isArray(players) || players.length < 2 || players.length > MOST_PLAYERS) throw wrong(`players: expected 2 to ${MOST_PLAYERS}`);
    if (!Number.isInteger(rounds) || rounds < 1 || rounds > MOST_ROUNDS) throw wrong(`rounds: expected 1 to ${MOST_ROUNDS}; a server plays longer ones`);
    if (!['round-robin', 'gauntlet'].includes(format)) throw wrong('format: expected round-robin or gauntlet');
    if (!Number.isSafeInteger(seed) || seed < 0) throw wrong('seed: expected a whole number');
    if (opening) throw wrong('opening_plies: random openings need a server');
    const ms = time === undefined || time === null ? undefined : Number(String(time).match(/^(\d+)ms$/)?.[1] ?? NaN);
    if (ms !== undefined && !(ms > 0 && ms <= LONGEST_TURN)) throw wrong('time: expected a time for a turn such as 100ms, at most 5000ms');
    const { pool } = await this.staff(game);
    const said = await pool.ask({ op: 'entrants', game, players }, { urgent: true });
    if (said.status !== 200) throw new Refusal(said.status, said.error.error.code, said.error.error.message);
    /** @type {string[]} */
    const names = [];
    for (const spec of players) {
      let called = spec;
      for (let number = 2; names.includes(called); number++) called = `${spec} #${number}`;
      names.push(called);
    }
    const id = 1 + Math.max(0, ...(await this.store.latest(1000)).map((kept) => kept.id));
    return this.play({
      id, name: (name ?? '').trim().slice(0, 80) || game, game, players: players.map((spec, i) => ({ name: names[i], spec })), rounds, seed, format, ms,
      started: new Date().toISOString().slice(0, 19).replace('T', ' '), problem: null, pairs: [],
    });
  }

  /** Plays what is left. @param {Kept} kept */
  async play(kept) {
    if (this.running.has(kept.id)) throw new Refusal(429, 'busy', 'this very tournament is running already');
    /** @type {Running} */
    const running = { kept: { ...kept, problem: null }, began: performance.now(), before: kept.pairs.length, stopping: false, playing: new Set(), listeners: new Set(), told: 0 };
    this.running.set(kept.id, running);
    await this.store.keep(running.kept);
    this.work(running);
    return this.status(running.kept);
  }

  /** @param {Running} running */
  async work(running) {
    const { kept } = running;
    const met = meetings(kept);
    const played = new Set(kept.pairs.map((pair) => pair.number));
    const left = Array.from({ length: total(kept) }, (_, number) => number).filter((number) => !played.has(number));
    let written = performance.now();
    const lane = async () => {
      while (!running.stopping && left.length > 0) {
        const number = /** @type {number} */ (left.shift());
        const [first, second] = met[number % met.length];
        running.playing.add(number);
        const games = await this.pair(running, { number, first, second, seed: kept.seed + number, games: [] });
        running.playing.delete(number);
        if (!games) return;
        kept.pairs.push({ number, first, second, seed: kept.seed + number, games });
        if (performance.now() - written > WRITTEN) {
          written = performance.now();
          await this.store.keep(kept);
        }
        await this.tell(running);
      }
    };
    // One thinker is left to the tables where there are several.
    try {
      await Promise.all(Array.from({ length: Math.max(1, SIZE - 1) }, lane));
    } catch (error) {
      // Such as a module that cannot be fetched without a network: it can be gone on with later.
      running.stopping = true;
      kept.problem = String(error);
    }
    kept.pairs.sort((a, b) => a.number - b.number);
    await this.store.keep(kept);
    this.running.delete(kept.id);
    await this.tell(running, true);
  }

  /** The two games of a pair; null if it was stopped before. @param {Running} running @param {Pair} pair @returns {Promise<Game[] | null>} */
  async pair(running, pair) {
    const { kept } = running;
    const { pool } = await this.staff(kept.game);
    const games = [];
    for (const game of [0, 1]) {
      const players = sitting(pair, game).map((number) => kept.players[number].spec);
      const said = await pool.ask({ op: 'play', game: kept.game, players, seed: String(2 * pair.seed + game), ms: kept.ms }, { begin: () => !running.stopping });
      if (!said) return null;
      if (said.status !== 200) {
        running.stopping = true;
        kept.problem = said.error?.error.message ?? 'it could not be played on';
        return null;
      }
      const { turns, winner, verdict, points, seconds } = said;
      games.push({ turns, winner, verdict, points, seconds });
    }
    return games;
  }

  /** Stops it after the games that are running. @param {Kept} kept */
  stop(kept) {
    const running = this.running.get(kept.id);
    if (running) running.stopping = true;
    return this.status(kept);
  }

  /** Lets somebody hear how it goes; the answer ends that. @param {number} id @param {(event: string, data: string) => void} listener @returns {Promise<() => void>} */
  async follow(id, listener) {
    const running = this.running.get(id);
    listener('tournament', JSON.stringify(await this.status(await this.find(id))));
    if (!running || !this.running.has(id)) listener('end', '{}');
    running?.listeners.add(listener);
    return () => running?.listeners.delete(listener);
  }

  /** @param {Running} running @param {boolean} [last] */
  async tell(running, last = false) {
    if (!last && performance.now() - running.told < PULSE) return;
    running.told = performance.now();
    const status = JSON.stringify(await this.status(running.kept, running));
    for (const listener of running.listeners) {
      listener('tournament', status);
      if (last) listener('end', '{}');
    }
  }

  /** @param {Kept} kept */
  summary(kept) {
    const { id, name, game, players, pairs, started } = kept;
    const state = this.running.has(id) ? 'running' : pairs.length >= total(kept) ? 'finished' : 'stopped';
    return { id, name, game, players: players.map((player) => player.name), pairs: pairs.length, total: total(kept), started, state };
  }

  /** How the players stand after some pairs. @param {Kept} kept @param {Pair[]} pairs */
  async ratings(kept, pairs) {
    const met = meetings(kept).map(([first, second]) => /** @type {[number, number, number[]]} */ ([first, second, [0, 0, 0, 0, 0]]));
    for (const { number, games } of pairs) met[number % met.length][2][halfPoints(games[0], 0) + halfPoints(games[1], 1)] += 1;
    const { house } = await this.staff(kept.game);
    return /** @type {{ elo: number, low: number, high: number }[]} */ (house.ask({ op: 'ratings', players: kept.players.length, meetings: met }).ratings);
  }

  /** A tournament as it stands. @param {Kept} kept @param {Running | undefined} [running] */
  async status(kept, running = this.running.get(kept.id)) {
    const rated = await this.ratings(kept, kept.pairs);
    const seconds = running ? (performance.now() - running.began) / 1000 : 0;
    const standings = kept.players.map(({ name, spec }, number) => {
      const own = kept.pairs.flatMap((pair) => pair.games.map((game, i) => ({ game, seat: sitting(pair, i).indexOf(number) }))).filter(({ seat }) => seat >= 0);
      const [losses, draws, wins] = [0, 1, 2].map((half) => own.filter(({ game, seat }) => halfPoints(game, seat) === half).length);
      const sum = (/** @type {(one: { game: Game, seat: number }) => number} */ of) => own.reduce((all, one) => all + of(one), 0);
      const turns = sum(({ game }) => game.turns.length / 2);
      const difference = own.some(({ game }) => game.points) ? sum(({ game, seat }) => (game.points ? game.points[seat] - game.points[1 - seat] : 0)) : null;
      return { number, name, spec, ...rated[number], games: own.length, wins, draws, losses, points: wins + draws / 2, ms_per_turn: turns ? (1000 * sum(({ game, seat }) => game.seconds[seat])) / turns : 0, forfeits: 0, difference, late: 0, illegal: 0 };
    });
    const duels = meetings(kept).map(([first, second]) => {
      const halves = kept.pairs.filter((pair) => pair.first === first && pair.second === second).flatMap(({ games }) => games.map(halfPoints));
      const [losses, draws, wins] = [0, 1, 2].map((half) => halves.filter((one) => one === half).length);
      return { first, second, wins, draws, losses };
    });
    return {
      ...this.summary(kept), rounds: kept.rounds, games: 2 * kept.pairs.length, rate: seconds ? (2 * (kept.pairs.length - (running?.before ?? 0))) / seconds : 0, seconds,
      standings: standings.sort((a, b) => b.elo - a.elo || (b.difference ?? 0) - (a.difference ?? 0)), duels, results: null,
      running: [...(running?.playing ?? [])].map((pair) => ({ pair, players: meetings(kept)[pair % meetings(kept).length].map((number) => kept.players[number].name) })),
      problem: kept.problem,
    };
  }

  /** How the ratings came about. @param {Kept} kept */
  async curve(kept) {
    const pairs = [...kept.pairs].sort((a, b) => a.number - b.number);
    const step = Math.max(1, Math.ceil(pairs.length / POINTS));
    const points = [];
    for (let count = step; count <= pairs.length; count += step) points.push({ pairs: count, elo: (await this.ratings(kept, pairs.slice(0, count))).map(({ elo }) => elo) });
    return { players: kept.players.map(({ name }) => name), points };
  }

  /** What the players give away a game, in a sample spread over the rounds. @param {Kept} kept */
  async mistakes(kept) {
    const { pool } = await this.staff(kept.game);
    const known = await pool.ask({ op: 'choices', game: kept.game, turns: [] });
    if (known.status !== 200) throw new Refusal(409, 'unsupported', 'nobody knows what positions of this game are worth');
    const found = kept.players.map(({ name }) => ({ name, games: 0, mistakes: 0, turns: 0, judged: 0 }));
    const step = Math.max(1, Math.ceil(kept.pairs.length / JUDGED));
    for (const pair of kept.pairs.filter((_, i) => i % step === 0)) {
      for (const [number, game] of pair.games.entries()) {
        /** @type {any} */
        let end = null;
        await analysis(pool, { game: kept.game, turns: game.turns }, 0, { tell: (event, data) => event === 'end' && (end = data), open: () => true });
        for (const [seat, player] of sitting(pair, number).entries()) {
          found[player].games += 1;
          for (const what of /** @type {const} */ (['mistakes', 'turns', 'judged'])) found[player][what] += end[what][seat];
        }
      }
    }
    return { players: found.map(({ name, games, mistakes, turns, judged }) => ({ name, games, per_game: games ? mistakes / games : null, judged: turns ? judged / turns : 0 })) };
  }
}

/** The games, a part of them. @param {Kept} kept @param {URLSearchParams} query */
function list(kept, query) {
  const offset = Number(query.get('offset') ?? 0);
  const games = kept.pairs.flatMap((pair) => pair.games.map(({ winner, verdict, turns }, i) => ({ pair: pair.number, game: i + 1, seats: sitting(pair, i).map((number) => kept.players[number].name), winner, verdict, turns: turns.length })));
  return { total: games.length, games: games.slice(offset, offset + Math.min(200, Number(query.get('limit') ?? 50))) };
}

/** One recorded game, to be opened as a table. @param {Kept} kept @param {string} path */
function record(kept, path) {
  const [, number, game] = path.match(/^games\/(\d+)\/([12])$/)?.map(Number) ?? [];
  const pair = kept.pairs.find((pair) => pair.number === number);
  if (!pair) throw new Refusal(404, 'not_found', 'there is no such game');
  const { turns, winner, verdict } = pair.games[game - 1];
  const seated = sitting(pair, game - 1).map((player) => kept.players[player]);
  const text = [`# game ${kept.game}`, ...seated.map(({ name }, i) => `# seat ${i + 1} ${name}`), turns.join(' '), ''].join('\n');
  return { game: kept.game, seats: seated.map(({ name }) => name), players: seated.map(({ spec }) => spec), winner, verdict, start: null, turns, text };
}

/** The games as other programs read them, in the words of a server's records. @param {Kept} kept */
const lines = (kept) => kept.pairs.flatMap((pair) => pair.games.map(({ turns, winner, verdict, points, seconds }, i) => ({
  tournament: kept.id, game: kept.game, pair: pair.number, round: Math.floor(pair.number / meetings(kept).length), number: i + 1, seed: pair.seed,
  seats: sitting(pair, i).map((number) => kept.players[number].name), start: null, opening: [], turns, seconds, verdict, winner, points,
})));

/** @param {ReturnType<typeof lines>[number]} line */
const csv = ({ tournament, pair, round, number, seed, seats, verdict, winner, turns, seconds, points }) =>
  [tournament, pair, round, number, seed, ...seats, verdict, winner ?? '', turns.length, ...seconds.map((each) => each.toFixed(9)), '', '', turns.join(' '), '', ...(points ?? ['', '']), 0, 0, 0, 0, '', '']
    .map((cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell)).join(',');
