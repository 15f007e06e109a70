// The page of puzzles: one for today, the same for everybody, and as many as one likes.

import { games, get } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { recall, remember } from '../common/memory.js';
import { go } from '../common/router.js';
import { announce, tell } from '../common/say.js';
import { play } from '../common/sound.js';
import { number, spoken, t } from '../common/texts.js';
import { kindName, question } from './attempt.js';
import { count, countDay, difficulty, progress, puzzleOfDay, streak, today } from './progress.js';
import { QuartoBoard } from './quarto.js';
import { StagedBoard } from './staged.js';

/**
 * What came of a try: whether it was right, whether that is all, why, in words, and what follows, as it is written.
 * @typedef {{ right: boolean, over: boolean, words: string, line: Element }} Verdict
 */

/**
 * A board to try puzzles of a game on.
 * @typedef {object} PuzzleBoard
 * @property {HTMLElement} element
 * @property {boolean} begun whether the first turn of the answer is made
 * @property {() => string} you on which side to play, where that must be said
 * @property {(puzzle: Puzzle) => Promise<void>} begin
 * @property {(hinted: boolean) => string} open lets something be tried; what a hint says, if it is not shown
 * @property {(turn: any) => Promise<Verdict>} judge
 * @property {() => Promise<Element>} solution how it goes on to the end
 * @property {(going: () => boolean) => Promise<boolean>} play shows what follows; false if somebody did something else meanwhile
 * @property {() => Promise<void>} [back] the position before a wrong try
 * @property {() => void} leave
 */

/** @param {URLSearchParams} query @returns {Promise<import('../common/router.js').Page>} */
export async function puzzlesPage(query) {
  const kinds = (await games()).filter((kind) => kind.puzzles);
  const kind = kinds.find(({ name }) => name === query.get('game')) ?? kinds[0];
  const set = /** @type {PuzzleSet} */ (await get(`/api/puzzles/${encodeURIComponent(kind.name)}`));
  /** @type {PuzzlesPage | null} */
  let page = null;
  const tried = (/** @type {any} */ turn) => page?.try(turn);
  const board = kind.family === 'quarto' ? new QuartoBoard(set, tried) : await StagedBoard.of(kind, set, tried);
  page = new PuzzlesPage(kinds, kind, set, board);
  await page.begin(puzzleOfDay(set.puzzles, today()), true);
  return { title: t('Puzzles'), element: page.element, leave: () => page?.leave() };
}

class PuzzlesPage {
  /** @param {GameKind[]} kinds @param {GameKind} kind @param {PuzzleSet} set @param {PuzzleBoard} board */
  constructor(kinds, kind, set, board) {
    this.puzzles = set.puzzles;
    this.goal = set.goal;
    this.board = board;
    this.puzzle = set.puzzles[0];
    this.day = today();
    this.daily = true;
    /** Whether this puzzle counts no more, and how many hints were shown. */
    this.counted = false;
    this.hints = 0;
    /** Every change begins a new visit: what was being played out before ends. */
    this.visit = 0;
    this.ask = h('p', { class: 'question', id: 'question' });
    this.verdict = h('div', { class: 'puzzle-verdict', role: 'status' });
    this.buttons = h('div', { class: 'buttons' });
    this.record = h('dl', { class: 'facts-line' });
    const ofSet = [...new Set(set.puzzles.map((puzzle) => puzzle.kind))];
    this.kind = h('select', { id: 'kind', onchange: () => (remember('puzzle-kind', this.kind.value), this.next()) },
      h('option', { value: '' }, t('All kinds')), ofSet.map((one) => h('option', { value: one }, kindName(one, set.goal))));
    this.kind.value = ofSet.includes(recall('puzzle-kind')) ? recall('puzzle-kind') : '';
    this.game = h('select', { id: 'game', onchange: () => go(`/puzzles?game=${encodeURIComponent(this.game.value)}`) },
      kinds.map(({ name, title }) => h('option', { value: name, selected: name === kind.name }, title)));
    this.heading = h('h2', {});
    this.element = h('div', { class: 'page puzzles' },
      h('div', { class: 'heading' }, h('h1', {}, t('Puzzles')), this.record),
      h('div', { class: 'two puzzle-desk' }, board.element,
        h('div', { class: 'puzzle-side' },
          h('section', { class: 'card task-card', 'aria-label': t('Puzzle') }, this.heading, this.ask, this.verdict, this.buttons),
          h('section', { class: 'card', 'aria-label': t('More puzzles') }, h('h2', {}, t('More puzzles')),
            h('div', { class: 'line' }, h('label', { for: 'game' }, t('Which game')), this.game),
            h('div', { class: 'line' }, h('label', { for: 'kind' }, t('Kind')), this.kind),
            button(t('Another puzzle'), () => this.next(), { class: 'wide another' }),
            button(t('Today’s puzzle'), () => this.begin(puzzleOfDay(this.puzzles, this.day), true), { class: 'wide' })))));
  }

  leave() {
    this.visit += 1;
    this.board.leave();
  }

  /** @param {Puzzle} puzzle @param {boolean} daily */
  async begin(puzzle, daily) {
    const visit = ++this.visit;
    this.puzzle = puzzle;
    this.daily = daily;
    this.counted = false;
    this.hints = 0;
    await this.board.begin(puzzle);
    if (visit !== this.visit) return;
    const date = new Date(this.day * 86_400_000).toLocaleDateString(spoken(), { day: 'numeric', month: 'long', timeZone: 'UTC' });
    fill(this.heading, daily ? t('Puzzle of {date}', { date }) : kindName(puzzle.kind, this.goal), h('small', { class: 'muted' }, ` ${t('rated {rating}', { rating: number(difficulty(puzzle)) })}`));
    fill(this.ask, question(puzzle.kind, this.goal), ' ', h('small', { class: 'muted' }, this.board.you()));
    fill(this.verdict);
    this.set();
    this.tell();
  }

  /** The position on the board, to be tried. */
  set() {
    const hinted = this.hints > 0 && !this.board.begun;
    const hint = this.board.open(hinted);
    if (hint) this.say('', hint, '');
    fill(this.buttons,
      button(t('Hint'), () => this.hint(), { class: 'puzzle-hint', disabled: hinted || this.board.begun }),
      button(t('Show the solution'), () => this.solve(), { class: 'puzzle-solution' }));
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
    count(this.puzzle, right);
    this.tell();
  }

  /** @param {any} turn */
  async try(turn) {
    const visit = ++this.visit;
    const going = () => visit === this.visit;
    const verdict = await tell(this.board.judge(turn));
    if (!going()) return;
    if (!verdict) {
      this.set();
      return;
    }
    if (!verdict.right) this.count(false);
    this.say(verdict.right ? '' : t('Not that.'), verdict.words, verdict.right ? 'good' : 'bad');
    if (!verdict.right) this.verdict.append(verdict.line);
    fill(this.buttons);
    if (!(await this.board.play(going))) return;
    if (verdict.right && verdict.over) this.solved(verdict.words);
    else if (verdict.right) this.set();
    else fill(this.buttons, button(t('Try again'), () => this.back(), { class: 'primary' }), button(t('Show the solution'), () => this.solve(), { class: 'puzzle-solution' }));
  }

  /** Before the try that was wrong. */
  async back() {
    const visit = ++this.visit;
    fill(this.verdict);
    await tell(this.board.back?.() ?? Promise.resolve());
    if (visit === this.visit) this.set();
  }

  /** @param {string} headline @param {string} words @param {string} look */
  say(headline, words, look) {
    fill(this.verdict, h('p', { class: `verdict ${look}` }, headline && h('strong', {}, headline), headline && ' ', words));
    announce(`${headline} ${words}`);
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
    fill(this.buttons);
    // After a wrong try it stands elsewhere.
    await tell(this.board.back?.() ?? Promise.resolve());
    const line = await tell(this.board.solution());
    if (!line || visit !== this.visit) return;
    this.say('', t('The solution:'), '');
    this.verdict.append(line);
    if (await this.board.play(() => visit === this.visit)) this.after();
  }

  after() {
    fill(this.buttons, button(t('Another puzzle'), () => this.next(), { class: 'primary another' }),
      button(t('From the beginning'), () => this.again()));
  }

  async again() {
    await this.begin(this.puzzle, this.daily);
    this.counted = true;
  }

  /** A puzzle that was not solved yet, about as hard as suits. */
  next() {
    const { solved, rating } = progress();
    const ofKind = this.puzzles.filter(({ kind }) => !this.kind.value || kind === this.kind.value);
    const fresh = ofKind.filter(({ position }) => !solved.includes(position) && position !== this.puzzle.position);
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
