// The tables in IndexedDB. Storage may be forbidden; then they live as long as the tab.

const NAME = 'terzo';
const TABLES = 'tables';

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((good, bad) => {
  request.onsuccess = () => good(request.result);
  request.onerror = () => bad(request.error);
});

export class Store {
  constructor() {
    /** @type {Map<string, any>} */
    this.memory = new Map();
    this.database = this.open().catch(() => null);
  }

  async open() {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLES, { keyPath: 'id' }).createIndex('updated', 'updated');
    return done(request);
  }

  /** @param {'readonly' | 'readwrite'} mode */
  async tables(mode) {
    return (await this.database)?.transaction(TABLES, mode).objectStore(TABLES);
  }

  /** @param {any} table */
  async keep(table) {
    const kept = { ...table, updated: new Date().toISOString() };
    this.memory.set(kept.id, kept);
    const tables = await this.tables('readwrite');
    if (tables) await done(tables.put(kept)).catch(() => null);
  }

  /** What other tabs have written counts before what this one remembers. @param {string} id */
  async find(id) {
    const tables = await this.tables('readonly');
    return (tables && (await done(tables.get(id)))) ?? this.memory.get(id);
  }

  /** The tables touched last, the newest first. @param {number} most */
  async latest(most) {
    const tables = await this.tables('readonly');
    const all = tables ? await done(tables.getAll()) : [...this.memory.values()];
    return all.sort((a, b) => (a.updated < b.updated ? 1 : -1)).slice(0, most);
  }

  /** @param {string} id */
  async forget(id) {
    this.memory.delete(id);
    const tables = await this.tables('readwrite');
    if (tables) await done(tables.delete(id));
  }
}
