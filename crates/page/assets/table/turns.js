// The list of turns, and the buttons that walk along it.

import { button, fill, h } from '../common/dom.js';
import { icon } from '../common/icons.js';
import { number, t } from '../common/texts.js';

export class TurnList {
  /**
   * @param {import('./session.js').Session} session
   * @param {(turn: string, ply: number) => import('../common/dom.js').Child[]} face how this game writes a turn
   * @param {(ply: number) => { mark: string, label: string } | null} mark what the analysis says about it
   */
  constructor(session, face, mark) {
    this.session = session;
    this.face = face;
    this.mark = mark;
    this.list = h('ol', { class: 'turn-list', tabindex: 0, 'aria-label': t('Turns') });
    this.thought = h('p', { class: 'muted small thought' });
    const step = (/** @type {import('../common/icons.js').Icon} */ name, /** @type {string} */ label, /** @type {() => number} */ to) =>
      button(icon(name), () => session.view(to()), { 'aria-label': label, title: label, class: 'quiet' });
    this.element = h('section', { class: 'card turns', 'aria-label': t('Turns') },
      h('div', { class: 'walk' },
        step('first', t('First position'), () => 0), step('back', t('One turn back (left arrow)'), () => session.shown.ply - 1),
        step('on', t('One turn on (right arrow)'), () => session.shown.ply + 1), step('last', t('Last position'), () => session.table.turns.length)),
      this.list, this.thought);
    this.drawn = '';
  }

  update() {
    const { table, shown } = this.session;
    const marks = table.turns.map((_, ply) => this.mark(ply));
    const state = `${table.turns.join(' ')}|${table.ply}|${shown.ply}|${marks.map((mark) => mark?.mark ?? '').join()}`;
    if (state === this.drawn) return;
    this.drawn = state;
    this.thought.textContent = thoughtOf(shown.last, table.written[shown.ply - 1]);
    fill(this.list, table.turns.length === 0 && h('li', { class: 'muted none' }, t('No turns yet')), table.turns.map((turn, ply) => {
      const mark = marks[ply];
      return h('li', { class: ply >= table.ply ? 'undone' : '' },
        h('span', { class: 'number', 'aria-hidden': 'true' }, ply + 1),
        button([h('span', { class: 'aloud' }, t('Turn {number}', { number: ply + 1 })), ...this.face(turn, ply), mark && h('span', { class: 'slip-mark', title: mark.label }, mark.mark)], () => this.session.view(ply + 1), {
          class: 'turn', 'aria-current': shown.ply === ply + 1 ? 'step' : null, title: mark?.label,
        }));
    }));
    // Only the list itself scrolls; the page must not jump while somebody plays. Sizes are known once it is on the page.
    requestAnimationFrame(() => {
      const here = this.list.querySelector('[aria-current]')?.parentElement;
      this.list.scrollTop = here ? here.offsetTop - this.list.clientHeight / 2 : 0;
    });
  }
}

/** What a program said about its turn: "looked 5 deep, at 1,234 positions, in 12 ms". @param {LastTurn | null} last @param {string | undefined} written */
function thoughtOf(last, written) {
  const thought = last?.thought;
  if (!last || !thought?.nodes) return '';
  const parts = [thought.depth && t('looked {depth} deep', { depth: thought.depth }), thought.nodes && t('at {nodes} positions', { nodes: number(thought.nodes) }),
    thought.ms !== null && t('in {ms} ms', { ms: number(thought.ms, { maximumFractionDigits: thought.ms < 10 ? 1 : 0 }) })];
  return `${written ?? last.turn}: ${parts.filter(Boolean).join(', ')}`;
}
