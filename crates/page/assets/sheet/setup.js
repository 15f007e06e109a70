// Setting up a position of a game from a rule sheet: put what can stand there on the cells, say whose turn it is.

import { button, fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { openSetup } from '../table/setup.js';
import { SheetBoardView } from './board.js';
import { content, describe } from './contents.js';

/** @param {string} position the facts, perhaps with choices that some have made already @returns {string[]} */
const factsOf = (position) => position.split(' / ')[0].match(/\([^()]*\)|[^()\s]+/g) ?? [];

/** @param {import('../table/session.js').Session} session */
export function setupDialog(session) {
  const { view, position } = /** @type {TableOf<SheetView>} */ (session.shown);
  let facts = factsOf(position);
  let board = view.boards[0];
  /** What a press puts down; null takes away. @type {SheetBoard['palette'][number] | null} */
  let stamp = board?.palette.find((one) => one.content !== board.blank) ?? null;
  const at = (/** @type {SheetBoard['palette'][number]} */ one, /** @type {string} */ x, /** @type {string} */ y) => one.fact.replace('?x', x).replace('?y', y);
  const put = (/** @type {string} */ x, /** @type {string} */ y) => {
    const before = board.palette.find((one) => facts.includes(at(one, x, y)));
    const blank = board.palette.find((one) => one.content === board.blank) ?? null;
    // What stands there already is taken away by putting it there again.
    const now = stamp && before?.content !== stamp.content ? stamp : blank;
    facts = facts.filter((fact) => !board.palette.some((one) => fact === at(one, x, y)));
    if (now) facts.push(at(now, x, y));
    show();
  };
  const drawn = board ? new SheetBoardView(board, false, () => {}) : null;
  if (drawn) drawn.press = put;
  const palette = h('div', { class: 'palette', role: 'group', 'aria-label': t('What to put down') });
  const turn = h('select', { id: 'setup-turn', onchange: () => {
    facts = [...facts.filter((fact) => !view.turn_facts.includes(fact)), turn.value];
    show();
  } }, view.turn_facts.map((fact) => h('option', { value: fact }, fact.replace(/[()]/g, ''))));
  const text = h('textarea', { id: 'setup-text', rows: 5, spellcheck: 'false', onchange: () => {
    facts = factsOf(text.value);
    show();
  } });
  const show = () => {
    text.value = facts.join(' ');
    turn.value = view.turn_facts.find((fact) => facts.includes(fact)) ?? '';
    if (!board || !drawn) return;
    const cells = board.ys.flatMap((y) => board.xs.flatMap((x) => {
      const there = board.palette.find((one) => facts.includes(at(one, x, y)));
      return there ? [{ x, y, content: there.content }] : [];
    }));
    board = { ...board, cells, moves: [], last: [], won: [] };
    drawn.show(board, true, null);
    for (const cell of drawn.cells) {
      cell.classList.add('open');
      cell.removeAttribute('aria-disabled');
    }
    fill(palette, [...board.palette.filter((one) => one.content !== board.blank), null].map((one) => button(one ? content(one.content, board) : t('Take away'),
      () => ((stamp = one), show()), { class: 'stamp', 'aria-pressed': String(stamp?.content === one?.content), 'aria-label': one ? describe(one.content, board) : t('Take away'), 'data-content': one?.content ?? '' })));
  };
  show();
  openSetup(session, text, t('All facts, as text'), [
    board && h('p', { class: 'muted' }, t('Choose what to put down, then press cells. Pressing again takes it away.')),
    h('div', { class: board ? 'setup' : '' }, drawn?.element, h('div', { class: 'setup-side' }, board && palette,
      view.turn_facts.length > 0 && [h('label', { for: 'setup-turn' }, t('Whose turn')), turn],
      board && button(t('Clear the board'), () => {
        const blank = board.palette.find((one) => one.content === board.blank);
        const all = board.xs.flatMap((x) => board.ys.map((y) => ({ x, y })));
        const gone = new Set(all.flatMap(({ x, y }) => board.palette.map((one) => at(one, x, y))));
        const was = facts.filter((fact) => gone.has(fact)).length;
        facts = facts.filter((fact) => !gone.has(fact));
        if (blank && was) facts.push(...all.map(({ x, y }) => at(blank, x, y)));
        show();
      }))),
  ]);
}
