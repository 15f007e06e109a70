// Learning from one’s mistakes: each is a puzzle, find the better turn. What a try is worth is asked of the server, which
// knows early positions, too.

import { get } from '../common/api.js';
import { dialog } from '../common/dialog.js';
import { button, fill, h } from '../common/dom.js';
import { announce } from '../common/say.js';
import { t } from '../common/texts.js';
import { Desk } from '../puzzle/desk.js';
import { playOut } from '../puzzle/playout.js';
import { Solver, parse, parseTurn, print } from '../puzzle/solver.js';
import { lineOfPlay, turnPicture } from '../quarto/turn.js';
import { valueWord } from '../table/names.js';

/** @typedef {import('../puzzle/solver.js').Turn} Turn */

const RANK = { loss: 0, draw: 1, win: 2 };

/** @param {TableOf<QuartoView>} table @param {JudgedTurn[]} mistakes */
export function mistakesDialog(table, mistakes) {
  const drill = new Drill(table, mistakes);
  dialog(t('Learn from your mistakes'), [drill.element], 'wide-dialog drill-dialog', () => drill.leave());
}

class Drill {
  /** @param {TableOf<QuartoView>} table @param {JudgedTurn[]} mistakes */
  constructor(table, mistakes) {
    this.table = table;
    this.mistakes = mistakes;
    this.solver = new Solver(table.view.lines);
    this.visit = 0;
    this.number = 0;
    this.position = parse(table.start);
    this.desk = new Desk((turn) => this.try(turn), (cell) => this.solver.endings(this.position).includes(cell));
    this.words = h('div', { class: 'drill-words' });
    this.verdict = h('div', { class: 'puzzle-verdict', role: 'status' });
    this.buttons = h('div', { class: 'buttons' });
    this.element = h('div', { class: 'drill' }, this.words, this.desk.element, this.verdict, this.buttons);
    this.begin(0);
  }

  leave() {
    this.visit += 1;
  }

  get mistake() {
    return this.mistakes[this.number];
  }

  /** @param {number} number */
  begin(number) {
    this.visit += 1;
    this.number = number;
    const { mistake, table, solver } = this;
    this.position = table.turns.slice(0, mistake.ply).reduce((position, turn) => solver.play(position, parseTurn(turn)), parse(table.start));
    fill(this.words, h('p', { class: 'muted small' }, t('Mistake {number} of {all}', { number: number + 1, all: this.mistakes.length })),
      h('p', {}, `${t('Turn {number}', { number: mistake.ply + 1 })}: `, turnPicture(mistake.turn, this.position.hand), ` ${t('made a {after} of a {before}. Find a better turn.', { before: valueWord(mistake.best_value), after: valueWord(mistake.value) })}`));
    fill(this.verdict);
    this.set();
  }

  set() {
    this.desk.show({ position: this.position, ask: this.position.hand < 0 ? 'piece' : 'turn' });
    fill(this.buttons, button(t('Show what loses'), () => this.show(parseTurn(this.mistake.turn))), button(t('Show the solution'), () => this.show(parseTurn(this.mistake.best[0]))));
  }

  /** @param {Turn} turn @returns {Promise<Consequence | null>} */
  async consequence(turn) {
    const query = new URLSearchParams({ ply: String(this.mistake.ply), turn: print(turn) });
    try {
      return await get(`/api/tables/${this.table.id}/consequence?${query}`);
    } catch (refused) {
      this.say(refused instanceof Error ? refused.message : String(refused), 'bad');
      return null;
    }
  }

  /** @param {Turn} turn */
  async try(turn) {
    const found = await this.follow(turn);
    if (!found) return;
    const good = RANK[found.value] >= RANK[this.mistake.best_value];
    this.say(good ? t('Right: that keeps the {value}.', { value: valueWord(found.value) }) : t('Not that: it is a {value}.', { value: valueWord(found.value) }), good ? 'good' : 'bad', turn, good ? [] : found.line);
    const last = this.number + 1 === this.mistakes.length;
    fill(this.buttons, !good && button(t('Try again'), () => this.begin(this.number), { class: 'primary' }),
      good && !last && button(t('Next mistake'), () => this.begin(this.number + 1), { class: 'primary next-mistake' }), good && last && h('strong', {}, t('That was the last one.')));
  }

  /** Shows what a turn leads to. @param {Turn} turn */
  async show(turn) {
    const found = await this.follow(turn);
    if (!found) return;
    this.say(t('It is a {value}.', { value: valueWord(found.value) }), '', turn, found.line);
    fill(this.buttons, button(t('Try again'), () => this.begin(this.number), { class: 'primary' }));
  }

  /** Plays a turn and what follows on the board. @param {Turn} turn */
  async follow(turn) {
    const visit = ++this.visit;
    this.desk.show({ position: this.position, ask: 'none' });
    fill(this.verdict, h('p', { class: 'muted' }, t('Thinking…')));
    fill(this.buttons);
    const found = await this.consequence(turn);
    if (visit !== this.visit) return null;
    if (!found) {
      this.set();
      return null;
    }
    fill(this.verdict);
    const turns = [turn, ...found.line.map(parseTurn)];
    return (await playOut(this.desk, this.solver, this.position, turns, () => visit === this.visit)) === null ? null : found;
  }

  /** @param {string} words @param {string} look @param {Turn} [turn] @param {string[]} [line] */
  say(words, look, turn, line = []) {
    fill(this.verdict, h('p', { class: `verdict ${look}` }, words), turn && line.length > 0 && lineOfPlay([print(turn), ...line], this.position.hand));
    announce(words);
  }
}
