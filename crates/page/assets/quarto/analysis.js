// What every turn of the game was worth: a graph of the value, the mistakes of both sides, how exactly each played.

import { get, stream } from '../common/api.js';
import { button, fill, h, s } from '../common/dom.js';
import { t } from '../common/texts.js';
import { teaching } from '../teach/later.js';
import { does, inWords, seatNames, valueWord } from '../table/names.js';
import { handAt, lineOfPlay, turnPicture } from './turn.js';

const WIDTH = 320, HEIGHT = 120, LEFT = 4, TOP = 8;

/** How high a value stands: a win that is near stands higher than one that is far. @param {JudgedTurn} turn */
const height = (turn) => turn.value_for_seat1 * (0.45 + 0.55 * Math.max(0, 1 - (turn.plies - 1) / 15));

export class Analysis {
  /**
   * @param {import('../table/session.js').Session} session @param {() => void} changed
   * @param {(turn: JudgedTurn) => void} better shows what should have been played
   */
  constructor(session, changed, better) {
    this.better = better;
    this.session = session;
    this.changed = changed;
    this.of = '';
    this.close = () => {};
    /** @type {Map<number, JudgedTurn>} */
    this.turns = new Map();
    /** @type {AnalysisEnd | null} */
    this.end = null;
    this.state = '';
    /** Why a turn was a mistake: what followed from it, by ply. @type {Map<number, Consequence>} */
    this.why = new Map();
    this.element = h('section', { class: 'analysis card', 'aria-label': t('Analysis of the game') });
  }

  /** Asks once for every finished game, and whenever `start` is pressed. */
  follow() {
    const { table } = this.session;
    const game = `${table.game} ${table.start} ${table.turns.join(' ')}`;
    if (this.of && this.of !== game) this.forget();
    if (!this.of && table.outcome && table.turns.length) this.start();
    this.draw();
  }

  forget() {
    this.close();
    this.of = '';
    this.turns = new Map();
    this.end = null;
    this.state = '';
    this.why = new Map();
  }

  /** Ends the judging; what was found stays. */
  stop() {
    this.close();
    this.state = 'cancelled';
    this.changed();
  }

  /** Shows a better turn, and finds out what a mistake led to. @param {JudgedTurn} turn */
  async explain(turn) {
    this.better(turn);
    const { of } = this;
    if (this.why.has(turn.ply)) return;
    try {
      const query = new URLSearchParams({ ply: String(turn.ply), turn: turn.turn });
      const found = /** @type {Consequence} */ (await get(`/api/tables/${this.session.table.id}/consequence?${query}`));
      if (of !== this.of) return;
      this.why.set(turn.ply, found);
      this.changed();
    } catch { /* the better turn is shown all the same */ }
  }

  /** The mistakes of the people at this screen; where only programs played, of all. @param {JudgedTurn[]} mistakes */
  own(mistakes) {
    const { seats } = this.session.table.you;
    const own = mistakes.filter((turn) => seats.includes(turn.seat));
    return own.length ? own : mistakes;
  }

  async drill(/** @type {JudgedTurn[]} */ mistakes) {
    const teach = await teaching();
    teach.mistakesDialog(/** @type {TableOf<QuartoView>} */ (this.session.table), mistakes);
  }

  start() {
    const { table } = this.session;
    this.forget();
    this.of = `${table.game} ${table.start} ${table.turns.join(' ')}`;
    this.state = 'working';
    this.close = stream(`/api/tables/${table.id}/analysis`, {
      turn: (/** @type {JudgedTurn} */ turn) => (this.turns.set(turn.ply, turn), this.changed()),
      end: (/** @type {AnalysisEnd} */ end) => ((this.end = end), (this.state = end.complete ? 'done' : 'stopped'), this.changed()),
    }, () => ((this.state = 'refused'), this.changed()));
  }

  draw() {
    const { table, shown } = this.session;
    const count = table.turns.length;
    if (!this.of) {
      fill(this.element, h('h2', {}, t('Analysis')),
        count > 0
          ? button(t('Judge every turn so far'), () => (this.start(), this.changed()), { class: 'wide' })
          : h('p', { class: 'muted' }, t('After the game: the value of every turn, and the mistakes of both sides.')));
      return;
    }
    const names = seatNames(table);
    const mistakes = [...this.turns.values()].filter((turn) => turn.mistake).sort((a, b) => a.ply - b.ply);
    const working = this.state === 'working';
    fill(this.element,
      h('h2', {}, t('Analysis')),
      working && h('p', { class: 'judging' }, t('{judged} of {count} turn judged|{judged} of {count} turns judged', { judged: this.turns.size, count }), ' ', button(t('Cancel'), () => this.stop(), { class: 'stop-judging' })),
      this.state === 'refused' && h('p', { class: 'problem' }, t('The solver is busy. Try again in a moment.')),
      this.graph(count, shown.ply, names),
      ['stopped', 'cancelled'].includes(this.state) && h('p', { class: 'muted' }, `${this.state === 'stopped' ? t('Time ran out: {judged} of {all} turns were judged.', { judged: this.turns.size, all: count }) : t('Stopped: {judged} of {all} turns were judged.', { judged: this.turns.size, all: count })} `, button(t('Go on'), () => (this.start(), this.changed()))),
      this.end && h('dl', { class: 'accuracy' }, names.map((name, i) => h('div', {}, h('dt', {}, name), verdict(/** @type {AnalysisEnd} */ (this.end), i)))),
      !working && mistakes.length > 0 && button(t('Learn from your mistakes'), () => this.drill(this.own(mistakes)), { class: 'wide learn-mistakes' }),
      mistakes.length > 0 && h('ol', { class: 'mistakes' }, mistakes.map((turn) => this.mistake(turn, names[turn.seat - 1], shown.ply === turn.ply))));
  }

  /** A mistake: the turn, what it gave away, what was better, and once somebody has asked, what followed from it. @param {JudgedTurn} turn @param {string} name @param {boolean} here */
  mistake(turn, name, here) {
    const hand = handAt(this.session.table, turn.ply);
    const why = this.why.get(turn.ply);
    return h('li', {},
      button([h('b', {}, `${turn.ply + 1}. `, turnPicture(turn.turn, hand), ` ${markOf(turn)}`), ` ${t('{name}: a {before} became a {after}.', { name, before: inWords({ value: turn.best_value, plies: turn.best_plies }), after: valueWord(turn.value) })} ${t('Better:')} `, turnPicture(turn.best[0], hand)],
        () => this.explain(turn), { class: here ? 'here' : '' }),
      here && why && why.line.length > 0 && h('div', { class: 'why' }, h('p', { class: 'small muted' }, t('How it goes on with best play:')), lineOfPlay(why.line, handAt({ start: this.session.table.start, turns: [turn.turn] }, 1))));
  }

  /** @param {number} count @param {number} here @param {string[]} names */
  graph(count, here, names) {
    const x = (/** @type {number} */ ply) => LEFT + ((WIDTH - 2 * LEFT) * ply) / Math.max(1, count);
    const y = (/** @type {number} */ value) => TOP + ((HEIGHT - 2 * TOP) * (1 - value)) / 2;
    const turns = [...this.turns.values()].sort((a, b) => a.ply - b.ply);
    const steps = turns.map((turn) => `L${x(turn.ply)} ${y(height(turn))} L${x(turn.ply + 1)} ${y(height(turn))}`).join(' ');
    const from = turns.length ? turns[0].ply : 0;
    const to = turns.length ? turns[turns.length - 1].ply + 1 : 0;
    const words = turns.map((turn) => `${turn.ply + 1}: ${turn.value_for_seat1 === 0 ? t('draw') : does(names[turn.value_for_seat1 > 0 ? 0 : 1], 'win')}${turn.mistake ? `, ${t('mistake')}` : ''}`);
    return h('div', { class: 'graph' },
      s('svg', {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${t('Value of the game.')} ${words.join('; ')}`,
        onclick: (/** @type {MouseEvent} */ event) => {
          const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
          this.session.view(Math.round(((event.clientX - box.left) / box.width) * count));
        },
      },
        s('rect', { x: LEFT, y: TOP, width: WIDTH - 2 * LEFT, height: (HEIGHT - 2 * TOP) / 2, class: 'half first' }),
        s('rect', { x: LEFT, y: HEIGHT / 2, width: WIDTH - 2 * LEFT, height: (HEIGHT - 2 * TOP) / 2, class: 'half second' }),
        steps && s('path', { d: `M${x(from)} ${y(0)} ${steps} L${x(to)} ${y(0)}Z`, class: 'value-area' }),
        steps && s('path', { d: `M${steps.slice(1)}`, class: 'value-line' }),
        s('line', { x1: LEFT, x2: WIDTH - LEFT, y1: y(0), y2: y(0), class: 'draw-line' }),
        s('line', { x1: x(here), x2: x(here), y1: TOP, y2: HEIGHT - TOP, class: 'here-line' }),
        turns.filter((turn) => turn.mistake).map((turn) => s('g', { class: `slip seat-${turn.seat}` },
          s('circle', { cx: x(turn.ply + 0.5), cy: y(height(turn)), r: 7 }), s('text', { x: x(turn.ply + 0.5), y: y(height(turn)) + 4 }, '?')))),
      h('div', { class: 'graph-words', 'aria-hidden': 'true' }, h('span', {}, `${names[0]} ▲`), h('span', {}, `${names[1]} ▼`)));
  }
}

/** How much a turn gave away: a whole win, or half of it. @param {JudgedTurn} turn */
export const markOf = (turn) => (turn.best_value === 'win' && turn.value === 'loss' ? '??' : '?');

/** What can be said of a side: never anything about turns that were not judged. @param {AnalysisEnd} end @param {number} seat */
function verdict({ turns, judged, accuracy, mistakes }, seat) {
  const found = mistakes[seat] === 0 ? t('no mistake') : t('{count} mistake|{count} mistakes', { count: mistakes[seat] });
  if (turns[seat] === 0) return h('dd', {}, '–', h('small', {}, ` ${t('no turn')}`));
  if (judged[seat] === 0) return h('dd', {}, '–', h('small', {}, ` ${t('not judged')}`));
  if (judged[seat] < turns[seat]) return h('dd', {}, '–', h('small', {}, ` ${t('{found} in {judged} of {all} turns', { found, judged: judged[seat], all: turns[seat] })}`));
  return h('dd', {}, `${Math.round((accuracy[seat] ?? 0) * 100)} %`, h('small', {}, ` ${found}`));
}
