// The one table of texts. A text is written in English where it is used, `t('Play')`, and that is its name in the tables of
// the other languages (`texts/*.js`). A text with a count has two forms, `{count} turn|{count} turns`. A test looks for texts
// that a table lacks and for those that nobody uses, so the text is always written out in the call.

import { recall, remember } from './memory.js';

/** The languages, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', it: 'Italiano', nb: 'Norsk' };

/** @typedef {keyof typeof LANGUAGES} Language */
/** @typedef {Record<string, string>} Texts */

/** @type {Record<string, () => Promise<{ default: Texts }>>} */
const TABLES = {
  de: () => import('../texts/de.js'),
  fr: () => import('../texts/fr.js'),
  it: () => import('../texts/it.js'),
  nb: () => import('../texts/nb.js'),
};

/** What games are called and their rules in short, by their names. @typedef {Record<string, { title: string, rules: string }>} GameTexts */

/** @type {Record<string, () => Promise<{ default: GameTexts }>>} */
const GAMES = {
  de: () => import('../texts/games-de.js'),
  fr: () => import('../texts/games-fr.js'),
  it: () => import('../texts/games-it.js'),
  nb: () => import('../texts/games-nb.js'),
};

/** Other names of a language that there is. @type {Record<string, Language>} */
const ALSO = { no: 'nb', nn: 'nb' };

/** @param {string} text @returns {text is Language} */
const known = (text) => Object.hasOwn(LANGUAGES, text);

/** What was chosen here, or the first language of the browser that there is. @returns {Language} */
function wanted() {
  for (const asked of [recall('language'), ...navigator.languages]) {
    const short = asked.toLowerCase().split('-')[0];
    const language = ALSO[short] ?? short;
    if (known(language)) return language;
  }
  return 'en';
}

/** @type {Language} */
let language = 'en';
/** @type {Texts} */
let texts = {};
/** @type {GameTexts} */
let games = {};

/** Reads the tables of the language. English needs none. */
export async function speak() {
  const asked = wanted();
  try {
    const [all, ofGames] = await Promise.all([TABLES[asked]?.(), GAMES[asked]?.()]);
    texts = all?.default ?? {};
    games = ofGames?.default ?? {};
    language = asked;
  } catch { /* without the table it is English */ }
  document.documentElement.lang = language;
}

/** The language of the page. */
export const spoken = () => language;

/** Another language, from the next page on: everything is made anew. @param {string} chosen */
export function choose(chosen) {
  remember('language', chosen);
  location.reload();
}

/**
 * A text in the language of the page. `{name}` stands for a value; of two forms `count` chooses one.
 * @param {string} english @param {Record<string, string | number>} [values]
 */
export function t(english, values = {}) {
  const forms = (texts[english] ?? english).split('|');
  const one = forms.length > 1 && new Intl.PluralRules(language).select(Number(values.count)) === 'one';
  const form = forms.length > 1 && !one ? forms[1] : forms[0];
  return form.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** What the server says: its English is the name of the text here, too. @param {Sentence} sentence @returns {string} */
export function told({ text, values }) {
  const words = Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? told(value) : value]);
  return t(text, Object.fromEntries(words));
}

/** A player and its options as the language describes them. @template {{ summary: string, options: { help: string }[] }} Player @param {Player} player @returns {Player} */
const playerInWords = (player) => ({
  ...player,
  summary: texts[player.summary] ?? player.summary,
  options: player.options.map((option) => ({ ...option, help: texts[option.help] ?? option.help })),
});

/** A game as the language calls it; one that no table knows speaks for itself. @template {{ name: string, title: string, summary: string, rules: string, players: { summary: string, options: { help: string }[] }[] }} Kind @param {Kind} kind @returns {Kind} */
export function gameInWords(kind) {
  const known = games[kind.name];
  const players = kind.players.map(playerInWords);
  return known ? { ...kind, ...known, summary: known.title, players } : { ...kind, players };
}

/** A number as the language writes it. @param {number} value @param {Intl.NumberFormatOptions} [options] */
export const number = (value, options) => value.toLocaleString(language, options);
