// The explorer of openings: what every class of turns is worth, as far as the book and the solver tell.

import { games, get } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { go } from '../common/router.js';
import { number, t } from '../common/texts.js';
import { Board } from '../quarto/board.js';
import { describe, picture } from '../quarto/piece.js';
import { handAt, turnPicture } from '../quarto/turn.js';
import { inBrief, inWords } from '../table/names.js';

/** @param {string} game @param {string[]} turns */
const address = (game, turns) => `/explore?${new URLSearchParams({ game, ...(turns.length ? { turns: turns.join(' ') } : {}) })}`;

/** @param {URLSearchParams} query @returns {Promise<import('../common/router.js').Page>} */
export async function explorePage(query) {
  const kinds = (await games()).filter((kind) => kind.family === 'quarto');
  const game = kinds.find((kind) => kind.name === query.get('game'))?.name ?? kinds[0].name;
  const turns = query.get('turns')?.split(' ').filter(Boolean) ?? [];
  const choice = h('select', { id: 'explore-game', onchange: () => go(address(choice.value, [])) }, kinds.map((kind) => h('option', { value: kind.name }, kind.title)));
  choice.value = game;
  const place = h('div', { class: 'two explorer' }, h('p', { class: 'muted' }, t('Finding out…')));
  const show = async () => {
    try {
      const opening = /** @type {Opening} */ (await get(`/api/openings/${game}?${new URLSearchParams({ turns: turns.join(' ') })}`));
      fill(place, board(opening.view), h('section', { class: 'card', 'aria-label': t('Turns') }, path(game, turns), table(game, turns, opening)));
    } catch (problem) {
      fill(place, h('p', { class: 'problem' }, problem instanceof Error ? problem.message : String(problem)), turns.length > 0 && h('p', {}, h('a', { href: address(game, turns.slice(0, -1)) }, t('One turn back'))));
    }
  };
  show();
  return {
    title: t('Openings'),
    element: h('div', { class: 'page' },
      h('div', { class: 'heading' }, h('h1', {}, t('Openings')), h('div', { class: 'line' }, h('label', { for: choice.id }, t('Rules')), choice)), place),
  };
}

/** @param {View} view */
function board(view) {
  const drawn = new Board(() => {});
  if (view.kind === 'quarto') drawn.show({ cells: view.cells, pending: null, last: null, lines: view.completed.map((line) => line.cells), worths: new Map(), hint: null, open: [] });
  drawn.element.inert = true;
  const hand = view.kind === 'quarto' && view.hand !== null ? parseInt(view.hand, 16) : -1;
  return h('div', { class: 'explorer-board' }, drawn.element, hand >= 0 && h('div', { class: 'hand', role: 'img', 'aria-label': t('In hand: {piece}', { piece: describe(hand) }) }, h('span', { class: 'held' }, picture(hand)), h('small', {}, t('in hand'))));
}

/** The turns so far; each leads back to where it was made. @param {string} game @param {string[]} turns */
function path(game, turns) {
  const start = '..../..../..../.... -';
  return h('ol', { class: 'opening-path' }, h('li', {}, h('a', { href: address(game, []) }, t('First position'))),
    turns.map((turn, i) => h('li', {}, h('a', { href: address(game, turns.slice(0, i + 1)) }, turnPicture(turn, handAt({ start, turns }, i))))));
}

/** How games went, for who made the turn: "12: 5 won, 4 drawn, 3 lost". @param {Opening['recorded'][number] | undefined} choice */
const fared = (choice) => (choice?.games ? t('{games}: {wins} won, {draws} drawn, {losses} lost', { games: number(choice.games), wins: number(choice.wins), draws: number(choice.draws), losses: number(choice.losses) }) : '–');

/** @param {string} game @param {string[]} turns @param {Opening} opening */
function table(game, turns, { branches, recorded }) {
  if (branches.length === 0) return h('p', { class: 'muted' }, t('The game is over.'));
  const hand = handAt({ start: '..../..../..../.... -', turns }, turns.length);
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('Turns') }, h('table', { class: 'branches' },
    h('thead', {}, h('tr', {}, [t('Turn'), t('Worth'), t('Equal turns'), t('Replies that err'), t('Recorded games')].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, branches.map((branch, i) => h('tr', {},
      h('td', {}, button(turnPicture(branch.turn, hand), () => go(address(game, [...turns, branch.turn])), { class: 'quiet branch' })),
      h('td', {}, h('span', { class: `worth ${branch.value}`, title: inWords(branch) }, inBrief(branch)), h('span', { class: 'aloud' }, inWords(branch))),
      h('td', {}, number(branch.turns)),
      h('td', {}, branch.errors === null ? '–' : t('{errors} of {replies}', { errors: number(branch.errors), replies: number(branch.replies) })),
      h('td', { class: 'recorded' }, fared(recorded[i])))))));
}
