// What the browser remembers between visits. Storage may be forbidden; then nothing is remembered and nothing breaks.

/** @param {string} name @param {string} [otherwise] */
export function recall(name, otherwise = '') {
  try {
    return localStorage.getItem(`terzo-${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(`terzo-${name}`, value);
  } catch { /* see above */ }
}

/** What the person at this screen is called. */
export const myName = () => recall('name').trim();
