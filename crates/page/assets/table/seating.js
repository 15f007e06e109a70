// Choosing who sits where: a person, or any player of the game with its options.

import { add, button, fill, h } from '../common/dom.js';
import { dialog } from '../common/dialog.js';
import { parse, spec } from './names.js';

/** What the levels feel like. What exactly each one sees is the player's own matter, and in the help of its option. */
const LEVELS = ['for a first game', 'slips now and then', 'takes a win, gives none away', 'looks ahead at times', 'looks ahead', 'hard to surprise',
  'strong', 'very strong', 'seldom wrong', 'perfect'];

let serial = 0;

/**
 * @param {GameKind} kind
 * @param {string} chosen a spec
 * @param {string} label
 */
export function picker(kind, chosen, label) {
  const id = `player-${++serial}`;
  let { name, options } = parse(chosen);
  const rest = h('div', { class: 'picker-options' });
  const select = h('select', { id, onchange: () => ((name = select.value), (options = {}), show()) },
    h('option', { value: 'human' }, 'a person'),
    [...kind.players].reverse().map((player) => h('option', { value: player.name }, player.name)));
  const show = () => {
    select.value = name;
    const player = kind.players.find((other) => other.name === name);
    fill(rest, player && h('p', { class: 'muted small' }, player.summary));
    if (!player) return;
    const level = player.options.find((option) => option.key === 'level');
    if (level) add(rest, slider(`${id}-level`, options.level ?? level.default, level.help, (value) => (options.level = value)));
    const others = player.options.filter((option) => option.key !== 'level');
    if (others.length === 0) return;
    add(rest, h('details', {}, h('summary', {}, 'Options'), others.map((option) => h('label', { class: 'option' },
      h('span', {}, option.key),
      h('input', { value: options[option.key] ?? '', placeholder: option.default, onchange: (/** @type {Event} */ event) => (options[option.key] = /** @type {HTMLInputElement} */ (event.target).value.trim()) }),
      h('small', { class: 'muted' }, option.help)))));
  };
  show();
  return {
    element: h('div', { class: 'picker' }, h('label', { for: id }, label), select, rest),
    value: () => spec(name, options),
  };
}

/** @param {string} id @param {string} value @param {string} help @param {(value: string) => void} changed */
function slider(id, value, help, changed) {
  const words = () => `Level ${range.value}: ${LEVELS[Number(range.value) - 1]}`;
  const output = h('label', { for: id, class: 'level-words' });
  const range = h('input', { type: 'range', min: 1, max: 10, step: 1, id, value, title: help, oninput: () => ((output.textContent = words()), changed(range.value)) });
  output.textContent = words();
  return h('div', { class: 'level' }, output, range);
}

/** What the seats of a game are called when choosing. @param {GameKind} kind @param {number} seat @param {string} role */
export const seatLabel = (kind, seat, role) =>
  kind.family === 'quarto' ? ['Seat 1, gives first', 'Seat 2, places first'][seat]
    : kind.family === 'stack4' ? ['Black, moves first', 'White'][seat] : role;

/**
 * Changes the players of a table.
 * @param {import('./session.js').Session} session @param {GameKind} kind
 */
export function seatingDialog(session, kind) {
  const pickers = session.table.seats.map((seat, i) => picker(kind, seat.player, seatLabel(kind, i, seat.role)));
  const pace = h('input', { type: 'range', id: 'pace', min: 0, max: 3000, step: 100, value: session.table.pace_ms });
  const close = dialog('Players', [
    ...pickers.map((one) => one.element),
    h('label', { class: 'option', for: 'pace' }, h('span', {}, 'Pause before a program’s turn'), pace),
    h('div', { class: 'buttons' },
      button('Swap seats', async () => (close(), session.change('/swap'))),
      button('Take seats', async () => {
        const seats = pickers.map((one) => one.value());
        if (await session.change('', { seats, pace_ms: Number(pace.value) }, 'PATCH')) close();
      }, { class: 'primary' })),
  ]);
}
