// The rules of a game, with pictures: from the lobby as a page, from a table as a dialog.

import { games, get } from '../common/api.js';
import { dialog } from '../common/dialog.js';
import { h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { Board } from '../quarto/board.js';
import { linePath } from '../quarto/cells.js';
import { picture } from '../quarto/piece.js';
import { stageOf } from '../table/stages.js';

/** @typedef {{ name: string, view: View }} Preview */

/** What the server draws of every game. */
const previews = async () => /** @type {{ previews: Preview[] }} */ (await get('/api/games/previews')).previews;

/** @param {string | undefined} name @returns {Promise<import('../common/router.js').Page>} */
export async function rulesPage(name) {
  const [kinds, pictures] = await Promise.all([games(), previews()]);
  const kind = kinds.find((one) => one.name === name);
  if (name && !kind) throw new Error(t('There is no such page.'));
  return {
    title: kind ? t('Rules of {game}', { game: kind.title }) : t('Rules'),
    element: h('div', { class: 'page rules-page' },
      h('div', { class: 'heading' }, h('h1', {}, kind ? t('Rules of {game}', { game: kind.title }) : t('Rules')), h('p', {}, h('a', { href: '/learn' }, t('Learn Quarto')))),
      kind && h('section', { class: 'card rules-body', 'aria-label': t('Rules') }, await content(kind, pictures.find((one) => one.name === kind.name)?.view)),
      kind && h('p', {}, h('a', { class: 'button primary', href: `/?game=${encodeURIComponent(kind.name)}` }, t('Play'))),
      h('nav', { class: 'card', 'aria-label': t('Rules of all games') }, h('h2', {}, t('Rules of all games')),
        h('ul', { class: 'rules-list' }, kinds.map((one) => h('li', {}, h('a', { href: `/rules/${encodeURIComponent(one.name)}`, 'aria-current': one === kind ? 'page' : null }, one.title)))))),
  };
}

/** The rules of the game on a table. @param {GameKind} kind @param {boolean} pasted whether its sheet was pasted: then it says itself what it is */
export async function rulesDialog(kind, pasted) {
  const view = pasted ? undefined : (await previews()).find((one) => one.name === kind.name)?.view;
  const words = pasted ? [h('p', {}, kind.summary)] : await content(kind, view);
  dialog(t('Rules of {game}', { game: pasted ? kind.summary : kind.title }), [h('div', { class: 'rules-body' }, words)], 'wide-dialog');
}

/** @param {GameKind} kind @param {View | undefined} view */
async function content(kind, view) {
  if (view?.kind === 'quarto') return quarto(view);
  const drawn = view && h('div', { class: 'preview rules-picture', 'aria-hidden': 'true', inert: true }, (await stageOf(kind.family)).picture(view));
  if (kind.family === 'stack4') return [drawn, ...stackFour().map((words) => h('p', {}, words))];
  return [drawn, h('p', {}, kind.rules)];
}

const stackFour = () => [
  t('Black and White drop stones in turn on 24 columns, six stones high at most; each has 32 stones.'),
  t('Four of your own in a straight line make a line: upright, level or askew through space.'),
  t('The first line of the game pays 100 points, the second 50, the third 33, the next always 100 divided by its number, whoever makes it. More points win.'),
];

/** @param {QuartoView} view */
const quarto = ({ lines, misere }) => [
  h('h2', {}, t('The pieces')),
  h('p', {}, t('Sixteen pieces, no two alike. Each is light or dark, short or tall, round or square, solid or hollow.')),
  h('div', { class: 'all-pieces', 'aria-hidden': 'true' }, Array.from({ length: 16 }, (_, piece) => picture(piece, 'portrait', true))),
  h('h2', {}, t('A turn')),
  h('p', {}, t('You never choose what you place: your opponent gives it to you. You place it, then you give the next one.')),
  h('h2', {}, t('Lines')),
  h('p', {}, t('Four pieces that share an attribute make a line:')),
  h('div', { class: 'line-pictures' }, shapes(lines).map(({ name, line, count }) => h('figure', {}, lineBoard(line), h('figcaption', {}, `${name} (${count})`)))),
  h('h2', {}, t('The end')),
  h('p', {}, misere ? t('Who completes a line loses, whoever placed the others.') : t('Who completes a line wins, whoever placed the others.'), ' ', t('A full board without one is a draw.')),
];

/** The shapes of lines, one of each and how many there are. @param {string[][]} lines */
function shapes(lines) {
  /** @type {Map<string, { name: string, line: string[], count: number }>} */
  const all = new Map();
  for (const line of lines) {
    const name = shapeOf(line);
    const known = all.get(name);
    if (known) known.count += 1;
    else all.set(name, { name, line, count: 1 });
  }
  return [...all.values()];
}

/** @param {string[]} line */
function shapeOf(line) {
  const columns = new Set(line.map((cell) => cell[0])).size, rows = new Set(line.map((cell) => cell[1])).size;
  const path = linePath(line);
  if (rows === 1) return t('Rows');
  if (columns === 1) return t('Columns');
  if (rows === 4) return path ? t('Diagonals') : t('Diagonals around the edge');
  return path ? t('Squares') : t('Squares around the edge');
}

/** A board with one line lit. @param {string[]} line */
function lineBoard(line) {
  const board = new Board(() => {}, true);
  board.show({ cells: new Array(16).fill(null), pending: null, last: null, lines: [line], worths: new Map(), hint: null, open: [] });
  return h('div', { class: 'line-board', inert: true, 'aria-hidden': 'true' }, board.element);
}
