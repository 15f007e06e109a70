// The page of puzzles: one for today, the same for everybody, and as many as one likes.

import { get } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { recall, remember } from '../common/memory.js';
import { announce } from '../common/say.js';
import { play } from '../common/sound.js';
import { number, spoken, t } from '../common/texts.js';
import { digit } from '../quarto/piece.js';
import { lineOfPlay } from '../quarto/turn.js';
import { Attempt, kindName, question } from './attempt.js';
import { Desk } from './desk.js';
import { playOut } from './playout.js';
import { count, countDay, difficulty, progress, puzzleOfDay, streak, today } from './progress.js';
import { Solver, print } from './solver.js';

/** @typedef {import('./solver.js').Turn} Turn */

const GAMES = ['quarto', 'quarto-squares'];
const KINDS = ['win1', 'win2', 'win3', 'win4', 'draw', 'gift', 'trap'];

/** @param {URLSearchParams} query @returns {Promise<import('../common/router.js').Page>} */
export async function puzzlesPage(query) {
  const game = GAMES.find((name) => name === query.get('game')) ?? GAMES[0];
  const set = /** @type {PuzzleSet} */ (await get(`/api/puzzles/${game}`));
  const page = new PuzzlesPage(game, set);
  return { title: t('Puzzles'), element: page.element, leave: () => page.leave() };
}

class PuzzlesPage {
  /** @param {string} game @param {PuzzleSet} set */
  constructor(game, set) {
    this.puzzles = set.puzzles;
    this.solver = new Solver(set.lines);
    this.day = today();
    this.daily = true;
    /** Whether this puzzle counts no more, and how many hints were shown. */
    this.counted = false;
    this.hints = 0;
    /** Every change begins a new visit: what was being played out before ends. */
    this.visit = 0;
    this.desk = new Desk((turn) => this.try(turn), (cell) => this.solver.endings(this.attempt.position).includes(cell));
    this.ask = h('p', { class: 'question', id: 'question' });
    this.verdict = h('div', { class: 'puzzle-verdict', role: 'status' });
    this.buttons = h('div', { class: 'buttons' });
    this.record = h('dl', { class: 'facts-line' });
    this.kind = h('select', { id: 'kind', onchange: () => (remember('puzzle-kind', this.kind.value), this.next()) },
      h('option', { value: '' }, t('All kinds')), KINDS.map((kind) => h('option', { value: kind }, kindName(kind))));
    this.kind.value = KINDS.includes(recall('puzzle-kind')) ? recall('puzzle-kind') : '';
    this.heading = h('h2', {});
    this.attempt = new Attempt(puzzleOfDay(this.puzzles, this.day), this.solver);
    this.element = h('div', { class: 'page puzzles' },
      h('div', { class: 'heading' }, h('h1', {}, t('Puzzles')), this.record),
      h('div', { class: 'two puzzle-desk' }, this.desk.element,
        h('div', { class: 'puzzle-side' },
          h('section', { class: 'card task-card', 'aria-label': t('Puzzle') }, this.heading, this.ask, this.verdict, this.buttons),
          h('section', { class: 'card', 'aria-label': t('More puzzles') }, h('h2', {}, t('More puzzles')),
            h('div', { class: 'line' }, h('label', { for: 'kind' }, t('Kind')), this.kind),
            button(t('Another puzzle'), () => this.next(), { class: 'wide another' }),
            button(t('Today’s puzzle'), () => this.begin(puzzleOfDay(this.puzzles, this.day), true), { class: 'wide' }),
            game === GAMES[0] ? h('a', { href: `/puzzles?game=${GAMES[1]}` }, t('With squares as lines')) : h('a', { href: '/puzzles' }, t('Without squares'))))));
    this.begin(this.attempt.puzzle, true);
  }

  leave() {
    this.visit += 1;
  }

  /** @param {Puzzle} puzzle @param {boolean} daily */
  begin(puzzle, daily) {
    this.visit += 1;
    this.daily = daily;
    this.counted = false;
    this.hints = 0;
    this.attempt = new Attempt(puzzle, this.solver);
    const date = new Date(this.day * 86_400_000).toLocaleDateString(spoken(), { day: 'numeric', month: 'long', timeZone: 'UTC' });
    fill(this.heading, daily ? t('Puzzle of {date}', { date }) : kindName(puzzle.kind), h('small', { class: 'muted' }, ` ${t('rated {rating}', { rating: number(difficulty(puzzle)) })}`));
    fill(this.ask, question(puzzle.kind));
    fill(this.verdict);
    this.set();
    this.tell();
  }

  /** The position on the desk, to be tried. */
  set() {
    const { attempt } = this;
    const { answer } = attempt;
    // A hint shows the cell; of pieces, it leaves two.
    const hinted = this.hints > 0 && !attempt.begun;
    const other = attempt.solver.turns(attempt.position).find((turn) => turn.give !== answer.give)?.give ?? -1;
    this.desk.show({
      position: attempt.position, ask: attempt.ask, hintCell: hinted && answer.place >= 0 ? this.answerCell() : null,
      among: hinted && attempt.ask === 'piece' ? [digit(answer.give), digit(other)] : undefined,
    });
    fill(this.buttons,
      button(t('Hint'), () => this.hint(), { class: 'puzzle-hint', disabled: hinted || attempt.begun }),
      button(t('Show the solution'), () => this.solve(), { class: 'puzzle-solution' }));
  }

  answerCell() {
    return print(this.attempt.answer).split('.')[0];
  }

  hint() {
    this.hints += 1;
    this.count(false);
    this.set();
  }

  /** Only the first try counts, and a hint is one. @param {boolean} right */
  count(right) {
    if (this.counted) return;
    this.counted = true;
    count(this.attempt.puzzle, right);
    this.tell();
  }

  /** @param {Turn} turn */
  async try(turn) {
    const visit = ++this.visit;
    const going = () => visit === this.visit;
    const { attempt, desk, solver } = this;
    const before = attempt.position;
    const verdict = attempt.try(turn);
    if (!verdict.right) this.count(false);
    this.say(verdict.right ? '' : t('Not that.'), verdict.words, verdict.right ? 'good' : 'bad');
    if (!verdict.right) this.write([turn, ...verdict.line], before.hand);
    fill(this.buttons);
    if ((await playOut(desk, solver, before, [turn, ...verdict.line], going)) === null) return;
    if (verdict.right && verdict.over) this.solved(verdict.words);
    else if (verdict.right) this.set();
    else fill(this.buttons, button(t('Try again'), () => (fill(this.verdict), this.set()), { class: 'primary' }), button(t('Show the solution'), () => this.solve(), { class: 'puzzle-solution' }));
  }

  /** @param {string} headline @param {string} words @param {string} look */
  say(headline, words, look) {
    fill(this.verdict, h('p', { class: `verdict ${look}` }, headline && h('strong', {}, headline), headline && ' ', words));
    announce(`${headline} ${words}`);
  }

  /** Writes turns below the words. @param {Turn[]} turns @param {number} hand */
  write(turns, hand) {
    this.verdict.append(lineOfPlay(turns.map(print), hand));
  }

  /** @param {string} words */
  solved(words) {
    this.count(true);
    if (this.daily) countDay(this.day);
    play('win');
    this.say(t('Solved!'), words, 'good');
    this.after();
    this.tell();
  }

  /** Plays the solution. */
  async solve() {
    const visit = ++this.visit;
    this.count(false);
    const line = this.attempt.solution();
    this.say('', t('The solution:'), '');
    this.write(line, this.attempt.position.hand);
    fill(this.buttons);
    if ((await playOut(this.desk, this.solver, this.attempt.position, line, () => visit === this.visit)) !== null) this.after();
  }

  after() {
    fill(this.buttons, button(t('Another puzzle'), () => this.next(), { class: 'primary another' }),
      button(t('From the beginning'), () => this.again()));
  }

  again() {
    this.begin(this.attempt.puzzle, this.daily);
    this.counted = true;
  }

  /** A puzzle that was not solved yet, about as hard as suits. */
  next() {
    const { solved, rating } = progress();
    const ofKind = this.puzzles.filter(({ kind }) => !this.kind.value || kind === this.kind.value);
    const fresh = ofKind.filter(({ position }) => !solved.includes(position) && position !== this.attempt.puzzle.position);
    const away = (/** @type {Puzzle} */ puzzle) => Math.abs(difficulty(puzzle) - rating.rating);
    const near = (fresh.length ? fresh : ofKind).sort((a, b) => away(a) - away(b)).slice(0, 25);
    this.begin(near[Math.floor(Math.random() * near.length)], false);
  }

  /** What was done so far. */
  tell() {
    const { rating, solved, tried } = progress();
    const fact = (/** @type {string} */ name, /** @type {string} */ value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));
    fill(this.record, fact(t('Rating'), tried ? `${number(Math.round(rating.rating))} ± ${number(Math.round(2 * rating.deviation))}` : '–'), fact(t('Solved'), number(solved.length)),
      fact(t('Days in a row'), number(streak())));
  }
}
