// Choosing who sits where: a person, or any player of the game with its options.

import { add, button, fill, h } from '../common/dom.js';
import { dialog } from '../common/dialog.js';
import { t } from '../common/texts.js';
import { myName } from '../common/memory.js';
import { levelName, parse, spec } from './names.js';

/** What the levels of Quarto feel like. What exactly each one sees is the player's own matter, and in the help of its option. */
const feelings = () => [t('for a first game'), t('slips now and then'), t('takes a win, gives none away'), t('looks ahead at times'), t('looks ahead'), t('hard to surprise'),
  t('strong'), t('very strong'), t('seldom wrong'), t('perfect')];

let serial = 0;

/** The choice of a level instead of a program. */
const LEVEL = 'level';

/** A level that is not hopeless to play against. @param {GameKind} kind */
const usualLevel = (kind) => Math.min(4, kind.levels.length);

/** Who sits opposite until somebody else is chosen. @param {GameKind} kind */
export const usualOpponent = (kind) => kind.levels[usualLevel(kind) - 1] ?? kind.players.at(-1)?.name ?? 'random';

/** Who can sit down besides programs. */
const seated = () => ({ human: t('a person at this screen'), open: t('somebody else, by a link') });

/**
 * @param {GameKind} kind
 * @param {string} chosen a spec
 * @param {string} label
 * @param {Record<string, string>} [people]
 */
export function picker(kind, chosen, label, people = seated()) {
  const id = `player-${++serial}`;
  let { name, options } = parse(chosen);
  let level = kind.levels.indexOf(chosen) + 1;
  if (level) name = LEVEL;
  const rest = h('div', { class: 'picker-options' });
  const select = h('select', { id, onchange: () => ((name = select.value), (options = {}), show()) },
    Object.entries(people).map(([value, words]) => h('option', { value }, words)),
    kind.levels.length > 0 && h('option', { value: LEVEL }, t('a program, by level')),
    h('optgroup', { label: t('Programs by name') }, [...kind.players].reverse().map((player) => h('option', { value: player.name }, player.name))));
  const show = () => {
    select.value = name;
    if (name === LEVEL) {
      level ||= usualLevel(kind);
      fill(rest, slider(`${id}-level`, kind.levels, level, (value) => (level = value)));
      return;
    }
    const player = kind.players.find((other) => other.name === name);
    fill(rest, player && h('p', { class: 'muted small' }, player.summary));
    if (!player) return;
    if (player.options.length === 0) return;
    add(rest, h('details', {}, h('summary', {}, t('Options')), player.options.map((option) => h('label', { class: 'option' },
      h('span', {}, option.key),
      h('input', { value: options[option.key] ?? '', placeholder: option.default, onchange: (/** @type {Event} */ event) => (options[option.key] = /** @type {HTMLInputElement} */ (event.target).value.trim()) }),
      h('small', { class: 'muted' }, option.help)))));
  };
  show();
  return {
    element: h('div', { class: 'picker' }, h('label', { for: id }, label), select, rest),
    value: () => (name === LEVEL ? kind.levels[level - 1] : spec(name, options)),
  };
}

/** @param {string} id @param {string[]} levels @param {number} chosen @param {(level: number) => void} changed */
function slider(id, levels, chosen, changed) {
  const words = () => {
    const level = Number(range.value), name = levelName(levels[level - 1], level, levels.length), feeling = feelings()[level - 1];
    return levels[0].startsWith('perfect') && feeling ? t('Level {level}, {name}: {words}', { level, name, words: feeling }) : t('Level {level} of {count}, {name}', { level, count: levels.length, name });
  };
  const output = h('label', { for: id, class: 'level-words' });
  const range = h('input', { type: 'range', min: 1, max: levels.length, step: 1, id, value: chosen, oninput: () => ((output.textContent = words()), changed(Number(range.value))) });
  output.textContent = words();
  return h('div', { class: 'level' }, output, range);
}

/** What the seats of a game are called when choosing. @param {GameKind} kind @param {number} seat @param {string} role */
export const seatLabel = (kind, seat, role) =>
  kind.family === 'quarto' ? [t('Seat 1, gives first'), t('Seat 2, places first')][seat]
    : kind.family === 'stack4' ? [t('Black, moves first'), t('White')][seat] : role;

/**
 * Changes the players of a table. Seats of people at other screens stay theirs.
 * @param {import('./session.js').Session} session @param {GameKind} kind
 */
export function seatingDialog(session, kind) {
  const { seats, you, pace_ms: before } = session.table;
  const pickers = seats.map((seat, i) => {
    const label = seatLabel(kind, i, seat.role);
    const theirs = seat.player === 'human' && !you.seats.includes(seat.seat);
    return theirs ? { element: h('p', { class: 'muted' }, t('{seat}: somebody at another screen', { seat: label })), value: () => seat.player } : picker(kind, seat.player, label);
  });
  const called = seats.map(({ seat, player, name }) => {
    if (player !== 'human' || !you.seats.includes(seat)) return null;
    const field = h('input', { id: `name-${seat}`, maxlength: 40, autocomplete: 'off', placeholder: t('as others see you') });
    field.value = name ?? (you.seats.length === 1 ? myName() : '');
    return field;
  });
  const pace = h('input', { type: 'range', id: 'pace', min: 0, max: 3000, step: 100, value: before });
  const close = dialog(t('Players'), [
    ...pickers.map((one, i) => [one.element, called[i] && h('div', { class: 'field' }, h('label', { for: `name-${i + 1}` }, t('Name')), called[i])]).flat(),
    h('label', { class: 'option', for: 'pace' }, h('span', {}, t('Pause before a program’s turn')), pace),
    h('div', { class: 'buttons' },
      button(t('Take seats'), async () => {
        // Who stays seated is not told to sit down again.
        const chosen = pickers.map((one, i) => (one.value() === seats[i].player ? null : one.value()));
        // A seat that somebody else takes has no name yet.
        const names = called.map((field, i) => (field && chosen[i] === null ? field.value : null));
        if (await session.change('', { seats: chosen, names, pace_ms: Number(pace.value) }, 'PATCH')) close();
      }, { class: 'primary' })),
  ]);
}
