// What is no board and still can be seen and pressed: heaps of stones, pieces on a shelf, numbers that change.

import { button, fill, h, set } from '../common/dom.js';
import { t } from '../common/texts.js';
import { content, describe } from './contents.js';

/** More than this many of something are told by the number alone. */
const MOST_PIPS = 12;

export class Beside {
  /** @param {(turn: string) => void} play @param {(turn: string) => string} face */
  constructor(play, face) {
    this.play = play;
    this.face = face;
    this.heaps = h('div', { class: 'heaps', role: 'group', 'aria-label': t('Heaps') });
    this.shelves = h('div', { class: 'shelves' });
    this.counters = h('dl', { class: 'counters' });
    this.drawn = '';
  }

  /** @param {SheetView} view @param {boolean} asked @param {string | null} hinted */
  show(view, asked, hinted) {
    // Drawn again only when something changed: a press that began on a stone must find it there at its end.
    const state = JSON.stringify([view.heaps, view.shelves, view.counters, asked, hinted]);
    if (state === this.drawn) return;
    this.drawn = state;
    this.heaps.hidden = view.heaps.length === 0;
    this.shelves.hidden = view.shelves.length === 0;
    this.counters.hidden = view.counters.length === 0;
    fill(this.heaps, view.heaps.map((heap) => this.heap(heap, asked, hinted)));
    const pieces = view.boards[0]?.pieces ?? null;
    fill(this.shelves, view.shelves.map((shelf) => this.shelf(shelf, pieces, asked, hinted)));
    fill(this.counters, view.counters.map(counter));
  }

  /** A stone that is pressed goes, and all above it. @param {SheetView['heaps'][number]} heap @param {boolean} asked @param {string | null} hinted */
  heap(heap, asked, hinted) {
    const stones = Array.from({ length: heap.stones }, (_, i) => {
      const move = heap.moves.find((one) => one.left === i);
      const takes = heap.stones - i;
      return button('', () => move && this.play(move.turn), {
        class: `heap-stone${move && asked ? ' open' : ''}${move && move.turn === hinted ? ' hinted' : ''}`, disabled: !move || !asked, 'data-left': i,
        'aria-label': t('Heap {name}: take {taken}, leave {left}', { name: heap.name, taken: takes, left: i }), title: t('take {taken}', { taken: takes }),
      });
    });
    return h('div', { class: 'heap', role: 'group', 'aria-label': t('Heap {name}: {stones}', { name: heap.name, stones: heap.stones }) },
      h('div', { class: 'heap-stones' }, stones), h('b', { 'aria-hidden': 'true' }, heap.name), h('small', { class: 'muted', 'aria-hidden': 'true' }, heap.stones));
  }

  /** @param {SheetView['shelves'][number]} shelf @param {string | null} pieces @param {boolean} asked @param {string | null} hinted */
  shelf(shelf, pieces, asked, hinted) {
    const set = { relation: '', pieces };
    return h('section', { class: 'shelf', 'aria-label': shelf.name }, h('h2', {}, shelf.name),
      h('div', { class: 'shelf-pieces' }, shelf.pieces.map((piece) => {
        const { turn } = piece;
        return button(content(piece.content, set), () => turn && this.play(turn), { class: `shelf-piece${turn && asked ? ' open' : ''}${turn && turn === hinted ? ' hinted' : ''}`, 'aria-disabled': turn && asked ? null : 'true', 'aria-label': `${describe(piece.content, set)}${turn && asked ? `, ${this.face(turn)}` : ''}` });
      }), shelf.pieces.length === 0 && h('span', { class: 'muted' }, t('empty'))));
  }
}

/** @param {SheetView['counters'][number]} one */
function counter({ name, of, value }) {
  const count = /^\d+$/.test(value) ? Number(value) : NaN;
  const pips = of !== null && count <= MOST_PIPS ? h('span', { class: 'pips', 'aria-hidden': 'true' }, Array.from({ length: count }, () => h('i', {}))) : null;
  const element = h('div', { class: 'counter' }, h('dt', {}, of === null ? name : `${name}, ${of}`), h('dd', {}, value, pips));
  if (of !== null) set(element, { 'data-of': of });
  return element;
}
