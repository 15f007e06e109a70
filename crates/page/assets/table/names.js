// What players are called on the screen.

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

/** A program's name: "Perfect, level 5". @param {string} text */
export function programName(text) {
  const { name, options } = parse(text);
  const rest = Object.entries(options).map(([key, value]) => (key === 'level' ? `level ${value}` : `${key} ${value}`));
  return [capital(name), ...rest].join(', ');
}

/** What a game is called. Some rule sheets have the name of a game that is also built in. @param {{ game: string, title: string | null }} table */
export const gameName = ({ game, title }) => title ?? (game.startsWith('gdl:') ? `${game.slice(4)}, from its rules` : game);

/**
 * The name of every seat: who has one seat here is "You", other people and those at one screen are told apart by number,
 * programs by name.
 * @param {Table} table
 * @returns {string[]}
 */
export function seatNames({ seats, you }) {
  const names = seats.map(({ seat, player, name }) => {
    if (name) return name;
    if (player === 'open') return `Seat ${seat}`;
    if (player !== 'human') return programName(player);
    return you.seats.length === 1 && you.seats[0] === seat ? 'You' : `Player ${seat}`;
  });
  return names.map((name, i) => (names.indexOf(name) !== names.lastIndexOf(name) ? `${name} (${i + 1})` : name));
}

/** "You place", "Perfect places". @param {string} name @param {string} verb */
export const does = (name, verb) => (name === 'You' ? `You ${verb}` : `${name} ${verb}s`);

/** "you" in the middle of a sentence. @param {string} name */
export const toward = (name) => (name === 'You' ? 'you' : name);

/** @param {Outcome} outcome @param {string[]} names */
export function headlineOf(outcome, names) {
  if (outcome.winner === null) return 'A draw';
  return does(names[outcome.winner - 1], 'win');
}

/** "win in 5", "draw", "loss in 2". @param {Worth} worth */
export const inWords = ({ value, plies }) =>
  value === 'draw' ? 'draw' : `${value} in ${plies} placement${plies === 1 ? '' : 's'}`;

/** The same for a small badge, its shape telling what colour also tells. @param {Worth} worth */
export const inBrief = ({ value, plies }) => (value === 'draw' ? '=' : `${value === 'win' ? '▲' : '▼'}${plies}`);
