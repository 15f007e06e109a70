// What is kept in IndexedDB, such as tables. Storage may be forbidden; then it lives as long as the tab.

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((good, bad) => {
  request.onsuccess = () => good(request.result);
  request.onerror = () => bad(request.error);
});

export class Store {
  /** @param {string} name the database @param {string} kind what is in it */
  constructor(name, kind) {
    this.name = name;
    this.kind = kind;
    /** @type {Map<string | number, any>} */
    this.memory = new Map();
    this.database = this.open().catch(() => null);
  }

  async open() {
    const request = indexedDB.open(this.name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(this.kind, { keyPath: 'id' }).createIndex('updated', 'updated');
    return done(request);
  }

  /** @param {'readonly' | 'readwrite'} mode */
  async records(mode) {
    return (await this.database)?.transaction(this.kind, mode).objectStore(this.kind);
  }

  /** @param {any} record */
  async keep(record) {
    const kept = { ...record, updated: new Date().toISOString() };
    this.memory.set(kept.id, kept);
    const records = await this.records('readwrite');
    if (records) await done(records.put(kept)).catch(() => null);
  }

  /** What other tabs have written counts before what this one remembers. @param {string | number} id */
  async find(id) {
    const records = await this.records('readonly');
    return (records && (await done(records.get(id)))) ?? this.memory.get(id);
  }

  /** What was touched last, the newest first. @param {number} most */
  async latest(most) {
    const records = await this.records('readonly');
    const all = records ? await done(records.getAll()) : [...this.memory.values()];
    return all.sort((a, b) => (a.updated < b.updated ? 1 : -1)).slice(0, most);
  }

  /** @param {string | number} id */
  async forget(id) {
    this.memory.delete(id);
    const records = await this.records('readwrite');
    if (records) await done(records.delete(id));
  }
}
