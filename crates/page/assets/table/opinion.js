// What the strongest player thinks of a game of which nobody knows the truth: an opinion, and called one.

import { get } from '../common/api.js';
import { button, fill, h, s } from '../common/dom.js';
import { number, t } from '../common/texts.js';

/** What a turn that cost so much of a win is marked with. @type {[number, string][]} */
const MARKS = [[0.5, '??'], [0.3, '?'], [0.15, '?!']];
const WIDE = 320, HIGH = 90;

export class OpinionCard {
  /** @param {import('./session.js').Session} session @param {() => void} changed */
  constructor(session, changed) {
    this.session = session;
    this.changed = changed;
    this.of = '';
    /** By ply. @type {Map<number, Opinion>} */
    this.found = new Map();
    this.running = false;
    this.problem = '';
    this.element = h('section', { class: 'card opinion', 'aria-label': t('Opinion on the game') });
  }

  /** What is looked at. */
  get game() {
    const { table } = this.session;
    return `${table.game} ${table.start} ${table.turns.join(' ')}`;
  }

  follow() {
    if (this.of && this.of !== this.game) {
      this.of = '';
      this.running = false;
      this.found = new Map();
      this.problem = '';
    }
    this.draw();
  }

  /** Looks at every position once, from the first on. */
  async start() {
    const { game } = this;
    const { id, turns, outcome } = this.session.table;
    this.of = game;
    this.running = true;
    this.problem = '';
    this.changed();
    // A game that is over ends with a position that needs no opinion.
    const last = outcome && outcome.how === 'rules' ? turns.length - 1 : turns.length;
    for (let ply = 0; ply <= last && this.running && this.of === game; ply++) {
      if (this.found.has(ply)) continue;
      try {
        const opinion = /** @type {Opinion} */ (await get(`/api/tables/${id}/opinion?ply=${ply}`));
        if (this.of === game) this.found.set(ply, opinion);
      } catch (refused) {
        this.problem = refused instanceof Error ? refused.message : String(refused);
        break;
      }
      if (this.of === game) this.changed();
    }
    if (this.of === game) this.stop();
  }

  stop() {
    this.running = false;
    this.changed();
  }

  /** What seat 1 is thought to get after so many turns; null if nobody said. @param {number} ply */
  forFirst(ply) {
    const { table } = this.session;
    const { outcome, turns } = table;
    if (outcome && outcome.how === 'rules' && ply === turns.length) return outcome.payoffs[0] / 100;
    const opinion = this.found.get(ply);
    if (!opinion || opinion.expects === null) return null;
    return opinion.mover === 1 ? opinion.expects : 1 - opinion.expects;
  }

  /** What a turn is thought to have cost who made it, 0 to 1; null if nobody knows. @param {number} ply */
  cost(ply) {
    const before = this.forFirst(ply), after = this.forFirst(ply + 1), opinion = this.found.get(ply);
    if (before === null || after === null || !opinion) return null;
    if (opinion.turn === this.session.table.turns[ply]) return 0;
    return Math.max(0, opinion.mover === 1 ? before - after : after - before);
  }

  /** @param {number} ply */
  mark(ply) {
    const cost = this.cost(ply), opinion = this.found.get(ply);
    const found = cost === null ? undefined : MARKS.find(([least]) => cost >= least);
    if (!found || !opinion) return null;
    return { mark: found[1], label: t('{player} would rather have played {turn}', { player: opinion.player, turn: opinion.written }) };
  }

  draw() {
    const { table } = this.session;
    const all = table.turns.length;
    this.element.hidden = all === 0;
    const doubtful = table.turns.map((_, ply) => ply).filter((ply) => this.mark(ply));
    const [first] = this.found.values();
    fill(this.element, h('h2', {}, t('Opinion')),
      h('p', { class: 'muted small' }, first ? t('What {player} thinks: an opinion, not the truth.', { player: first.player }) : t('What the strongest player thinks: an opinion, not the truth.')),
      this.running
        ? h('div', { class: 'buttons' }, h('span', { class: 'muted', role: 'status' }, t('{done} of {all} positions looked at', { done: this.found.size, all: all + 1 })), button(t('Cancel'), () => this.stop(), { class: 'cancel-opinion' }))
        : this.found.size < all && button(t('Ask about every turn so far'), () => this.start(), { class: 'ask-opinion' }),
      this.problem && h('p', { class: 'problem' }, this.problem),
      this.found.size > 1 && this.graph(),
      doubtful.length > 0 && h('ul', { class: 'doubtful' }, doubtful.map((ply) => h('li', {}, button([h('b', {}, `${ply + 1}. ${table.written[ply] ?? table.turns[ply]} ${this.mark(ply)?.mark}`), ' ',
        h('span', {}, t('cost about {percent} % of a win; better: {turn}', { percent: number(100 * (this.cost(ply) ?? 0), { maximumFractionDigits: 0 }), turn: this.found.get(ply)?.written ?? '' }))], () => this.session.view(ply), { class: 'doubt' })))),
      !this.running && this.found.size >= all && doubtful.length === 0 && h('p', {}, t('It finds no turn to object to.')));
  }

  /** The thought course of the game, seat 1 above. */
  graph() {
    const all = this.session.table.turns.length;
    const points = Array.from({ length: all + 1 }, (_, ply) => ({ ply, value: this.forFirst(ply) })).filter(({ value }) => value !== null);
    const line = points.map(({ ply, value }) => `${((WIDE * ply) / Math.max(1, all)).toFixed(1)},${(HIGH * (1 - (value ?? 0))).toFixed(1)}`).join(' ');
    return s('svg', { viewBox: `-2 -2 ${WIDE + 4} ${HIGH + 4}`, class: 'opinion-graph', role: 'img', 'aria-label': t('What is expected for seat 1, turn by turn') },
      s('line', { x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2, class: 'curve-rule' }), s('polyline', { points: line, class: 'curve curve-0' }));
  }
}
