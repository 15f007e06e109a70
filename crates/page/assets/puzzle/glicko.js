// Glicko-2 (Mark Glickman, "Example of the Glicko-2 system"): a rating, how sure it is, and how steady.

/** @typedef {{ rating: number, deviation: number, volatility: number }} Rating */

/** Who has tried nothing yet. @type {Rating} */
export const NEWCOMER = { rating: 1200, deviation: 350, volatility: 0.06 };

const SCALE = 173.7178;
const TAU = 0.5;

/** How much a result counts against somebody whose rating is not sure. @param {number} phi */
const weight = (phi) => 1 / Math.sqrt(1 + (3 * phi * phi) / Math.PI ** 2);

/**
 * The rating after some results: `score` is 1 for a solved puzzle and 0 for one that was not.
 * @param {Rating} before @param {{ rating: number, deviation: number, score: number }[]} results @returns {Rating}
 */
export function rated({ rating, deviation, volatility }, results) {
  const mu = (rating - 1500) / SCALE, phi = deviation / SCALE;
  const met = results.map((one) => {
    const g = weight(one.deviation / SCALE);
    const expected = 1 / (1 + Math.exp(-g * (mu - (one.rating - 1500) / SCALE)));
    return { g, expected, score: one.score };
  });
  const variance = 1 / met.reduce((sum, { g, expected }) => sum + g * g * expected * (1 - expected), 0);
  const gain = met.reduce((sum, { g, expected, score }) => sum + g * (score - expected), 0);
  const steady = newVolatility(volatility, phi, variance, variance * gain);
  const looser = Math.hypot(phi, steady);
  const surer = 1 / Math.sqrt(1 / (looser * looser) + 1 / variance);
  return { rating: 1500 + SCALE * (mu + surer * surer * gain), deviation: SCALE * surer, volatility: steady };
}

/** Step 5 of the paper: the volatility is the root of f, found by the Illinois method. @param {number} sigma @param {number} phi @param {number} v @param {number} delta */
function newVolatility(sigma, phi, v, delta) {
  const a = Math.log(sigma * sigma);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x), sum = phi * phi + v + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
  };
  let low = a, high = a - TAU;
  if (delta * delta > phi * phi + v) high = Math.log(delta * delta - phi * phi - v);
  else while (f(high) < 0) high -= TAU;
  let atLow = f(low), atHigh = f(high);
  while (Math.abs(high - low) > 1e-6) {
    /** @type {number} */
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const at = f(middle);
    if (at * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, at];
  }
  return Math.exp(low / 2);
}
