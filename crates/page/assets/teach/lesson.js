// The lesson: Quarto in a few steps on a real board. How far one came is kept in the browser.

import { get, send } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { recall, remember } from '../common/memory.js';
import { go } from '../common/router.js';
import { announce, tell } from '../common/say.js';
import { t } from '../common/texts.js';
import { Desk } from '../puzzle/desk.js';
import { playOut } from '../puzzle/playout.js';
import { Solver } from '../puzzle/solver.js';
import { STEPS } from './steps.js';

const DONE = 'lesson';

/** How many steps are done. */
const done = () => Math.min(STEPS.length, Number(recall(DONE, '0')) || 0);

/** @returns {Promise<import('../common/router.js').Page>} */
export async function lessonPage() {
  const { previews } = /** @type {{ previews: { name: string, view: View }[] }} */ (await get('/api/games/previews'));
  const quarto = previews.find(({ name }) => name === 'quarto')?.view;
  const lesson = new Lesson(new Solver(quarto?.kind === 'quarto' ? quarto.lines : []));
  return { title: t('Learn'), element: lesson.element, leave: () => lesson.leave() };
}

class Lesson {
  /** @param {Solver} solver */
  constructor(solver) {
    this.solver = solver;
    this.visit = 0;
    this.desk = new Desk((turn) => this.answer(turn), (cell) => this.solver.endings(this.step.position).includes(cell));
    this.number = Math.min(done(), STEPS.length - 1);
    this.step = STEPS[this.number](solver);
    this.words = h('section', { class: 'card task-card lesson-words', 'aria-labelledby': 'step-title' });
    this.verdict = h('p', { class: 'verdict', role: 'status' });
    this.list = h('ol', { class: 'lesson-steps' });
    this.element = h('div', { class: 'page lesson' },
      h('div', { class: 'heading' }, h('h1', {}, t('Learn Quarto')), h('p', {}, h('a', { href: '/rules/quarto' }, t('Rules')))),
      h('div', { class: 'two puzzle-desk' }, this.desk.element, h('div', { class: 'puzzle-side' }, this.words, this.list)));
    this.begin(this.number);
  }

  leave() {
    this.visit += 1;
  }

  /** @param {number} number */
  begin(number) {
    this.visit += 1;
    this.number = number;
    this.step = STEPS[number](this.solver);
    this.say('', '');
    this.draw();
    this.set();
  }

  set() {
    this.desk.show({ position: this.step.position, ask: this.step.ask });
  }

  /** @param {string} words @param {string} look */
  say(words, look) {
    this.verdict.className = `verdict ${look}`;
    fill(this.verdict, words);
    if (words) announce(words);
  }

  /** @param {import('../common/dom.js').Child[]} after what stands below the task */
  draw(...after) {
    const { step, number } = this;
    fill(this.words, h('p', { class: 'muted small' }, t('Step {number} of {all}', { number: number + 1, all: STEPS.length })), h('h2', { id: 'step-title' }, step.title),
      step.words.map((words) => h('p', {}, words)), h('p', { class: 'task' }, h('strong', {}, step.task)), this.verdict, ...after);
    fill(this.list, STEPS.map((make, i) => h('li', {}, button([i < done() ? '✓ ' : `${i + 1}. `, make(this.solver).title], () => this.begin(i), { class: 'quiet', 'aria-current': i === number ? 'step' : null, disabled: i > done() }))));
  }

  /** @param {import('../puzzle/solver.js').Turn} turn */
  async answer(turn) {
    const visit = ++this.visit;
    const { step, desk, solver } = this;
    const before = step.position;
    const reply = step.answer(turn);
    this.say(reply.words, reply.right ? 'good' : 'bad');
    // In the first step a piece is only pointed at.
    const turns = before.hand >= 0 && turn.place < 0 ? [] : [turn, ...reply.line];
    const after = await playOut(desk, solver, before, turns, () => visit === this.visit);
    if (after === null) return;
    if (reply.done) this.finish();
    else if (!reply.right && turns.length > 0) this.draw(h('div', { class: 'buttons' }, button(t('Try again'), () => this.begin(this.number), { class: 'primary' })));
    else {
      if (reply.right) step.position = after ?? before;
      this.set();
    }
  }

  finish() {
    if (this.number >= done()) remember(DONE, String(this.number + 1));
    const more = this.number + 1 < STEPS.length;
    const next = more
      ? button(t('Next step'), () => this.begin(this.number + 1), { class: 'primary next-step' })
      : button(t('Play a beginner'), () => this.playBeginner(), { class: 'primary next-step' });
    this.draw(h('div', { class: 'buttons' }, !more && h('a', { class: 'button', href: '/puzzles' }, t('Puzzles')), next));
    next.focus();
  }

  async playBeginner() {
    const table = await tell(/** @type {Promise<Table>} */ (send('/api/tables', { game: 'quarto', seats: ['human', 'perfect:level=1'], pace_ms: 250 })));
    if (table) go(`/t/${table.id}`);
  }
}
