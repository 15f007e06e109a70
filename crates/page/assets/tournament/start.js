// Starting a tournament: the game, the players, how many rounds.

import { send } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { go } from '../common/router.js';
import { t } from '../common/texts.js';
import { picker } from '../table/seating.js';

/** @param {GameKind[]} kinds */
export function startForm(kinds) {
  let kind = kinds[0];
  /** @type {ReturnType<typeof picker>[]} */
  let entrants = [];
  const list = h('div', { class: 'entrants' });
  const show = () => fill(list, entrants.map((one, i) => h('div', { class: 'entrant' }, one.element, entrants.length > 2 && button(t('Remove'), () => ((entrants = entrants.filter((other) => other !== one)), show()), { class: 'quiet', 'aria-label': t('Remove player {number}', { number: i + 1 }) }))));
  const join = (/** @type {string} */ spec) => {
    entrants.push(picker(kind, spec, t('Player {seat}', { seat: entrants.length + 1 }), {}));
  };
  const reset = () => {
    entrants = [];
    for (const player of kind.players.slice(0, 3)) join(player.name);
    show();
  };
  const game = h('select', { id: 't-game', onchange: () => ((kind = kinds.find((one) => one.name === game.value) ?? kind), reset()) }, kinds.map((one) => h('option', { value: one.name }, one.name)));
  const rounds = h('input', { id: 't-rounds', type: 'number', min: 1, max: 100000, value: 20 });
  const name = h('input', { id: 't-name', placeholder: t('a name, if you like'), maxlength: 80 });
  const seed = h('input', { id: 't-seed', type: 'number', min: 0, value: 1 });
  const plies = h('input', { id: 't-plies', type: 'number', min: 0, max: 100, value: 0 });
  const format = h('select', { id: 't-format' }, h('option', { value: 'round-robin' }, t('everybody against everybody')), h('option', { value: 'gauntlet' }, t('the first against all others')));
  const problem = h('p', { class: 'problem', role: 'alert' });
  const begin = async () => {
    problem.textContent = '';
    try {
      const made = /** @type {Tournament} */ (await send('/api/tournaments', {
        game: kind.name, players: entrants.map((one) => one.value()), rounds: Number(rounds.value), seed: Number(seed.value), format: format.value, opening_plies: Number(plies.value),
        ...(name.value.trim() ? { name: name.value.trim() } : {}),
      }));
      go(`/tournaments/${made.id}`);
    } catch (refused) {
      problem.textContent = refused instanceof Error ? refused.message : String(refused);
    }
  };
  reset();
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) => h('div', { class: 'field' }, h('label', { for: input.id }, label), input);
  return h('section', { class: 'card start-form', 'aria-label': t('New tournament') }, h('h2', {}, t('New tournament')),
    h('div', { class: 'fields' }, field(t('Game'), game), field(t('Rounds'), rounds), field(t('Format'), format), field(t('Seed'), seed), field(t('Random turns first'), plies), field(t('Name'), name)),
    list, problem,
    h('div', { class: 'buttons' }, button(t('Add a player'), () => (join(kind.players[0].name), show())), button(t('Start'), begin, { class: 'primary', id: 'start-tournament' })));
}
