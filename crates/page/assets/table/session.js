// A table as this browser sees it: the game as the server has it, and the moment that is being looked at.
// Looking back changes nothing on the server; undoing does.

import { get, send, stream } from '../common/api.js';
import { myName } from '../common/memory.js';
import { note, tell } from '../common/say.js';
import { t } from '../common/texts.js';

/** How long to wait before a server that refused is asked again. */
const RETRY_MS = 2000;

export class Session {
  /** @param {Table} table */
  constructor(table) {
    /** The game as it stands. */
    this.table = table;
    /** When that was told: clocks have run since. */
    this.told = performance.now();
    /** The moment on the screen: the table itself, or an earlier one. */
    this.shown = table;
    /** True until a (re)opened stream has told how things stand: a restarted server may count versions anew. */
    this.anew = false;
    /** True while the server cannot be heard. */
    this.lost = false;
    /** True on an analysis board, where any moment can be played on from. */
    this.analysis = false;
    /** True while a request that changes the game is on its way. */
    this.busy = false;
    /** @type {Map<string, Table>} */
    this.past = new Map();
    /** @type {Set<() => void>} */
    this.watchers = new Set();
    this.close = () => {};
    this.hide = () => (document.hidden ? this.close() : this.open());
    document.addEventListener('visibilitychange', this.hide);
    this.open();
  }

  /** A hidden tab holds no connection: browsers allow only six to a server, for all tabs together. */
  open() {
    this.close();
    const close = stream(`/api/tables/${this.table.id}/events`, {
      open: () => {
        this.anew = true;
        this.hear(true);
      },
      table: (table) => this.take(table),
      gone: () => {
        this.close();
        note(t('This table has been removed.'));
      },
    }, () => {
      // The server answers, but not with this: it is starting, say.
      this.hear(false);
      retry = window.setTimeout(() => this.open(), RETRY_MS);
    }, () => this.hear(false));
    let retry = 0;
    this.close = () => {
      clearTimeout(retry);
      close();
    };
  }

  /** Whether the server is heard. @param {boolean} heard */
  hear(heard) {
    if (this.lost !== heard) return;
    this.lost = !heard;
    if (heard) note(t('Connected again.'), 'done');
    this.tellAll();
  }

  leave() {
    this.close();
    document.removeEventListener('visibilitychange', this.hide);
    this.watchers.clear();
  }

  /** @param {() => void} watcher */
  watch(watcher) {
    this.watchers.add(watcher);
  }

  tellAll() {
    for (const watcher of this.watchers) watcher();
  }

  /** A newer table, from an answer or from the stream; whichever comes late is ignored. @param {Table} table */
  take(table) {
    if (table.version < this.table.version && !this.anew) return;
    this.anew = false;
    const live = this.live;
    const same = table.version === this.table.version;
    this.table = table;
    this.told = performance.now();
    const kept = this.shown.turns.slice(0, this.shown.ply).join(' ') === table.turns.slice(0, this.shown.ply).join(' ');
    if (live || !kept || this.shown.ply >= table.ply) this.shown = table;
    else this.shown = { ...this.shown, seats: table.seats, you: table.you };
    if (!same) this.tellAll();
  }

  /** Is the present moment on the screen? */
  get live() {
    return this.shown.ply === this.table.ply;
  }

  /** May a person at this screen move now, in what is shown? */
  get asked() {
    const { mover, you } = this.shown;
    return (this.live || this.analysis) && mover !== null && you.seats.includes(mover) && !this.busy;
  }

  /** What a seat has left now, in milliseconds; null without a clock. @param {number} seat */
  left(seat) {
    const { clock } = this.table;
    const left = clock?.left_ms[seat - 1] ?? null;
    return left === null || clock?.running !== seat ? left : Math.max(0, left - (performance.now() - this.told));
  }

  /** Does somebody at another screen play, too? */
  get together() {
    const { seats, you } = this.table;
    return seats.some(({ seat, player }) => player === 'human' && !you.seats.includes(seat));
  }

  /**
   * Asks for a change and takes what comes of it. Where others play, too, it says what was on the screen: what they did in
   * the meantime is then not undone by accident.
   * @param {string} action @param {object} [body] @param {'POST' | 'PUT' | 'PATCH'} [method]
   */
  async request(action, body = {}, method = 'POST') {
    const seen = this.together ? { version: this.table.version } : {};
    const table = /** @type {Table} */ (await send(`/api/tables/${this.table.id}${action}`, { ...seen, ...body }, method));
    this.shown = this.table;
    this.busy = false;
    this.take(table);
  }

  /** The same, and says what went wrong. @param {string} action @param {object} [body] @param {'POST' | 'PUT' | 'PATCH'} [method] */
  async change(action, body, method) {
    if (this.busy) return false;
    this.busy = true;
    try {
      await this.request(action, body, method);
      return true;
    } catch (refused) {
      note(refused instanceof Error ? refused.message : String(refused));
      return false;
    } finally {
      this.busy = false;
      this.tellAll();
    }
  }

  /** @param {string} turn */
  async play(turn) {
    if (!this.live && !(await this.change('/goto', { ply: this.shown.ply }))) return false;
    return this.change('/turns', { turn, ply: this.table.ply, version: this.table.version });
  }

  /** Takes a free seat, whatever else has happened meanwhile. @param {number} seat */
  sit(seat) {
    return this.change('/sit', { seat, name: myName() || undefined, version: undefined });
  }

  /** Shows the moment after `ply` turns. @param {number} ply */
  async view(ply) {
    const { table } = this;
    const wanted = Math.max(0, Math.min(ply, table.turns.length));
    if (wanted === this.shown.ply) return;
    if (wanted === table.ply) this.shown = table;
    else {
      const key = `${table.start} ${table.turns.slice(0, wanted).join(' ')}`;
      const past = this.past.get(key) ?? await tell(/** @type {Promise<Table>} */ (get(`/api/tables/${table.id}/at/${wanted}`)));
      if (!past) return;
      this.past.set(key, past);
      // Who sits there now is called by name, not who sat there then.
      this.shown = { ...past, seats: table.seats, you: table.you };
    }
    this.tellAll();
  }
}
