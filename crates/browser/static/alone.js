// What only one tab of the page may do at a time. Whoever does it holds a lock, which the browser takes back when the tab is closed.

const locks = globalThis.navigator?.locks;

/**
 * Does something while no other tab does, and waits for that; null if `patience` ended before.
 * Without locks (they need a secure context) there is nobody to wait for.
 * @template T @param {string} name @param {() => Promise<T>} act @param {AbortSignal} [patience] @returns {Promise<T | null>}
 */
export const alone = (name, act, patience) => hold(name, 'exclusive', act, patience);

/** Waits until no tab does something; false if `patience` ended before. @param {string} name @param {AbortSignal} patience */
export const ended = async (name, patience) => (await hold(name, 'shared', async () => true, patience)) ?? false;

/** Which things some tab does, of those whose names begin like this. @param {string} prefix @returns {Promise<Set<string>>} */
export async function underWay(prefix) {
  const { held = [] } = (await locks?.query()) ?? {};
  return new Set(held.flatMap(({ name, mode }) => (mode === 'exclusive' && name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}

/** @template T @param {string} name @param {LockMode} mode @param {() => Promise<T>} act @param {AbortSignal} [patience] @returns {Promise<T | null>} */
async function hold(name, mode, act, patience) {
  if (!locks) return act();
  let begun = false;
  try {
    return await locks.request(name, { mode, ...(patience ? { signal: patience } : {}) }, () => {
      begun = true;
      return act();
    });
  } catch (error) {
    if (begun || !patience?.aborted) throw error;
    return null;
  }
}
