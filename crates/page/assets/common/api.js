// The only door to the server: requests with JSON, and streams of events.

import { gameInWords, spoken, t } from './texts.js';
/** What the server refused, in its own words. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message @param {Diagnostic[]} [diagnostics] */
  constructor(code, message, diagnostics = []) {
    super(message);
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/** What people meet in a game, in their language. The server's own words are English and know more. @param {string} code */
function inWords(code) {
  if (spoken() === 'en') return null;
  switch (code) {
    case 'stale_version': case 'stale_ply': return t('Somebody else was faster: nothing was done.');
    case 'not_seated': return t('You are watching; only those who play may do that.');
    case 'seat_taken': return t('Somebody else sits there.');
    case 'not_your_turn': return t('Somebody else is to move.');
    case 'game_over': return t('The game is over.');
    case 'nothing_to_undo': return t('There is no turn to take back.');
    case 'nothing_to_redo': return t('No turn was taken back.');
    case 'illegal_turn': return t('The rules do not allow that.');
    case 'busy': return t('Too much at once. Try again in a moment.');
    case 'token': return t('This needs the whole link, with its token.');
    case 'origin': return t('Requests of other sites are not served.');
    default: return null;
  }
}

/** What else may be refused. Here the server's words say what exactly was wrong, so they follow. @param {string} code */
function inGeneral(code) {
  if (spoken() === 'en') return null;
  switch (code) {
    case 'bad_request': case 'method_not_allowed': case 'media_type': return t('The server cannot read what was asked.');
    case 'not_found': return t('There is no such thing here.');
    case 'unsupported': return t('This game does not have that.');
    case 'too_large': return t('That is too much at once.');
    case 'bad_turn': return t('This is no turn.');
    case 'bad_position': return t('This is no position.');
    case 'bad_record': return t('This is no record of a game.');
    case 'bad_sheet': return t('This rule sheet cannot be played.');
    case 'unknown_game': return t('There is no game of that name.');
    case 'unknown_player': return t('There is no such player.');
    case 'bad_tournament': return t('This tournament cannot be played.');
    case 'unavailable': return t('The server cannot do that now.');
    default: return null;
  }
}

/** A refusal for people. @param {string} code @param {string} message the server's words */
function worded(code, message) {
  const general = inGeneral(code);
  return inWords(code) ?? (general ? `${general} (${message})` : message);
}

/** @param {Response} response */
async function refusal(response) {
  try {
    const { error } = await response.json();
    return new Refusal(error.code, worded(error.code, error.message), error.diagnostics);
  } catch {
    return new Refusal(`http_${response.status}`, t('The server answered {status}.', { status: `${response.status} ${response.statusText}`.trim() }));
  }
}

/**
 * @param {string} method @param {string} path @param {unknown} [body]
 * @returns {Promise<Response>}
 */
async function ask(method, path, body) {
  let response;
  try {
    response = await fetch(path, method === 'GET' ? {} : {
      method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}),
    });
  } catch {
    throw new Refusal('unreachable', t('The server does not answer. Is terzo play still running?'));
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** @template T @param {string} path @returns {Promise<T>} */
export const get = async (path) => (await ask('GET', path)).json();

/** @param {string} path */
export const text = async (path) => (await ask('GET', path)).text();

/** @template T @param {string} path @param {unknown} [body] @param {'POST' | 'PUT' | 'PATCH'} [method] @returns {Promise<T>} */
export const send = async (path, body, method = 'POST') => (await ask(method, path, body)).json();

/** @param {string} path */
export const remove = (path) => ask('DELETE', path);

/**
 * Listens to a stream until it ends or the returned function is called. `failed` hears of a stream that the server
 * would not open; a broken connection, of which `lost` hears, is made again by the browser itself.
 * @param {string} path
 * @param {Record<string, (data: any) => void>} events
 * @param {() => void} [failed]
 * @param {() => void} [lost]
 * @returns {() => void}
 */
export function stream(path, events, failed, lost) {
  const source = new EventSource(path);
  for (const [name, hear] of Object.entries(events)) {
    source.addEventListener(name, (event) => {
      if (name === 'end') source.close();
      hear(JSON.parse(/** @type {MessageEvent} */ (event).data || 'null'));
    });
  }
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) failed?.();
    else lost?.();
  };
  return () => source.close();
}

/** The games there are, asked for once. @type {Promise<GameKind[]> | null} */
let catalogue = null;

/** The answer that `theme.js` has asked for already; else it is asked for now. @returns {Promise<{ games: GameKind[] }>} */
async function askGames() {
  const early = await globalThis.terzoGames;
  globalThis.terzoGames = undefined;
  return early?.ok ? early.json() : get('/api/games');
}

export function games() {
  catalogue ??= askGames().then((answer) => answer.games.map(gameInWords));
  catalogue.catch(() => (catalogue = null));
  return catalogue;
}
