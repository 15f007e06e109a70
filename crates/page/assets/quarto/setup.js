// Setting up a position by hand: take a piece, put it on a cell, say which one is in hand.

import { button, fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { openSetup } from '../table/setup.js';
import { Board } from './board.js';
import { CELLS } from './cells.js';
import { describe, picture } from './piece.js';
import { Tray } from './tray.js';

/** @param {string} position */
function read(position) {
  const [rows, hand] = position.trim().split(/\s+/);
  const cells = [...(rows ?? '').replaceAll('/', '')].map((letter) => (letter === '.' ? null : letter.toLowerCase()));
  if (cells.length !== 16 || cells.some((cell) => cell !== null && !/^[0-9a-f]$/.test(cell))) return null;
  return { cells, hand: hand && hand !== '-' ? hand : null };
}

/** @param {import('../table/session.js').Session} session */
export function setupDialog(session) {
  let { cells, hand } = read(session.shown.position) ?? { cells: /** @type {(string | null)[]} */ (Array(16).fill(null)), hand: null };
  /** @type {string | null} */
  let chosen = null;
  const board = new Board((cell) => {
    const at = CELLS.indexOf(cell);
    const there = cells[at];
    if (chosen && chosen !== there) {
      cells = cells.map((piece) => (piece === chosen ? null : piece));
      if (hand === chosen) hand = null;
      cells[at] = chosen;
      chosen = null;
    } else cells[at] = null;
    show();
  });
  const tray = new Tray((piece) => {
    chosen = chosen === piece ? null : piece;
    show();
  });
  const text = h('input', { id: 'setup-text', spellcheck: 'false', autocomplete: 'off', onchange: () => {
    const position = read(text.value);
    if (position) ({ cells, hand } = position);
    problem.textContent = position ? '' : t('Expected four rows of four, such as {example}', { example: '0.../..../...f/.... 5' });
    show();
  } });
  const handButton = button('', () => {
    hand = chosen ?? null;
    if (chosen) cells = cells.map((piece) => (piece === chosen ? null : piece));
    chosen = null;
    show();
  }, { class: 'setup-hand' });
  const help = h('p', { class: 'muted', role: 'status' });
  const show = () => {
    const used = [...cells, hand];
    board.show({ cells, pending: null, last: null, lines: [], worths: new Map(), hint: null, open: CELLS, doing: chosen ? t('put here') : t('clear') });
    const left = Array.from({ length: 16 }, (_, i) => i.toString(16)).filter((piece) => !used.includes(piece));
    tray.show({ left, open: left, worths: new Map(), hint: chosen, doing: t('take this piece') });
    fill(handButton, hand ? picture(parseInt(hand, 16)) : h('span', { class: 'no-piece' }), h('small', {}, t('in hand')));
    handButton.setAttribute('aria-label', `${t('In hand: {piece}', { piece: hand ? describe(parseInt(hand, 16)) : t('nothing') })}. ${chosen ? t('Put the chosen piece here') : t('Clear')}`);
    help.textContent = chosen ? t('Now a cell, or the hand, for the {piece} piece.', { piece: describe(parseInt(chosen, 16)) }) : t('Choose a piece, then its place. A click on a placed piece takes it away.');
    text.value = `${[0, 4, 8, 12].map((row) => cells.slice(row, row + 4).map((piece) => piece ?? '.').join('')).join('/')} ${hand ?? '-'}`;
  };
  show();
  const problem = openSetup(session, text, t('As text'), [
    help,
    h('div', { class: 'setup' }, board.element, h('div', { class: 'setup-side' }, handButton, tray.element)),
  ], [button(t('Clear'), () => ((cells = Array(16).fill(null)), (hand = null), show()))]);
}
