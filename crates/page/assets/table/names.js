// What players are called on the screen.

import { t } from '../common/texts.js';
/** @param {string} spec */
export function parse(spec) {
  const [name, rest] = spec.split(/:(.*)/s);
  /** @type {Record<string, string>} */
  const options = {};
  for (const part of rest ? rest.split(',') : []) {
    const [key, value] = part.split(/=(.*)/s);
    options[key] = value ?? '';
  }
  return { name, options };
}

/** @param {string} name @param {Record<string, string>} options */
export function spec(name, options) {
  const parts = Object.entries(options).filter(([, value]) => value !== '').map(([key, value]) => `${key}=${value}`);
  return parts.length ? `${name}:${parts.join(',')}` : name;
}

/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** What levels are called, the weakest first. */
const levelNames = () => [t('Beginner'), t('Learner'), t('Casual player'), t('Improver'), t('Club player'), t('Strong club player'), t('Expert'), t('Master'), t('Grandmaster')];

/** The levels of all games, by their specs: which one of how many. @type {Map<string, { level: number, count: number }>} */
const LEVELS = new Map();

/** Remembers which specs are levels. @param {GameKind[]} kinds */
export function learnLevels(kinds) {
  for (const { levels } of kinds) levels.forEach((spec, i) => LEVELS.set(spec, { level: i + 1, count: levels.length }));
}

/** What a level is called: only the last of Quarto is perfect. @param {string} spec @param {number} level @param {number} count how many there are */
export function levelName(spec, level, count) {
  if (level < count) return levelNames()[level - 1] ?? t('level {level}', { level });
  return spec.startsWith('perfect') ? t('Perfect') : t('Strongest');
}

/** A program's name: "Club player, level 5". @param {string} text */
export function programName(text) {
  const { name, options } = parse(text);
  const known = LEVELS.get(text) ?? (name === 'perfect' && options.level ? { level: Number(options.level), count: 10 } : null);
  if (known) {
    const { level: _, ...others } = LEVELS.has(text) ? { level: '' } : options;
    return [levelName(text, known.level, known.count), t('level {level}', { level: known.level }), ...inBriefOptions(others)].join(', ');
  }
  return [capital(name), ...inBriefOptions(options)].join(', ');
}

/** @param {Record<string, string>} options */
const inBriefOptions = (options) => Object.entries(options).map(([key, value]) => `${key} ${value}`);

/** What a game is called. Some rule sheets have the name of a game that is also built in. @param {{ game: string, title: string | null }} table */
export const gameName = ({ game, title }) => title ?? (game.startsWith('gdl:') ? t('{game}, from its rules', { game: game.slice(4) }) : game);

/**
 * The name of every seat: who has one seat here is "You", other people and those at one screen are told apart by number,
 * programs by name.
 * @param {Table} table
 * @returns {string[]}
 */
export function seatNames({ seats, you }) {
  const names = seats.map(({ seat, player, name }) => {
    if (player === 'human' && you.seats.length === 1 && you.seats[0] === seat) return t('You');
    if (name) return name;
    if (player === 'open') return t('Seat {seat}', { seat });
    if (player !== 'human') return programName(player);
    return t('Player {seat}', { seat });
  });
  return names.map((name, i) => (names.indexOf(name) !== names.lastIndexOf(name) ? `${name} (${i + 1})` : name));
}

/** Whether this is who looks at the screen. @param {string} name */
export const isYou = (name) => name === t('You');

/** @typedef {'win' | 'move' | 'place' | 'give' | 'think' | 'drop'} Verb */

/** "You place", "Perfect places". @param {string} name @param {Verb} verb */
export function does(name, verb) {
  const you = isYou(name);
  switch (verb) {
    case 'win': return you ? t('You win') : t('{name} wins', { name });
    case 'move': return you ? t('You move') : t('{name} moves', { name });
    case 'place': return you ? t('You place') : t('{name} places', { name });
    case 'give': return you ? t('You give') : t('{name} gives', { name });
    case 'think': return you ? t('You think…') : t('{name} thinks…', { name });
    case 'drop': return you ? t('You drop') : t('{name} drops', { name });
  }
}

/** "you" in the middle of a sentence. @param {string} name */
export const toward = (name) => (isYou(name) ? t('you') : name);

/** @param {Outcome} outcome @param {string[]} names */
export function headlineOf(outcome, names) {
  if (outcome.winner === null) return t('A draw');
  return does(names[outcome.winner - 1], 'win');
}

/** How a game ended that its rules did not end. @param {Outcome} outcome @param {string[]} names */
export function endWords({ how, winner }, names) {
  const loser = names.find((_, i) => winner !== null && i !== winner - 1) ?? '';
  if (how === 'agreement') return t('The players agreed to a draw.');
  if (how === 'time') return isYou(loser) ? t('Your time is up.') : t('The time of {name} is up.', { name: loser });
  return isYou(loser) ? t('You resigned.') : t('{name} resigned.', { name: loser });
}

/** "win in 5", "draw", "loss in 2". @param {Worth} worth */
export const inWords = ({ value, plies }) => ({
  win: () => t('win in {count} placement|win in {count} placements', { count: plies }),
  loss: () => t('loss in {count} placement|loss in {count} placements', { count: plies }),
  draw: () => t('draw'),
}[value]());

/** @param {Worth['value']} value */
export const valueWord = (value) => ({ win: () => t('win'), draw: () => t('draw'), loss: () => t('loss') }[value]());

/** The same for a small badge, its shape telling what colour also tells. @param {Worth} worth */
export const inBrief = ({ value, plies }) => (value === 'draw' ? '=' : `${value === 'win' ? '▲' : '▼'}${plies}`);
