// The steps of the lesson: a position, what is asked, which answers are right, and what is said of the others.

import { t } from '../common/texts.js';
import { attributeWord, common } from '../quarto/piece.js';
import { lineName } from '../quarto/cells.js';
import { Attempt } from '../puzzle/attempt.js';
import { parse } from '../puzzle/solver.js';

/** @typedef {import('../puzzle/solver.js').Position} Position */
/** @typedef {import('../puzzle/solver.js').Turn} Turn */
/** @typedef {import('../puzzle/solver.js').Solver} Solver */

/** What a step says to an answer: whether it is done, what follows on the board, and words. @typedef {{ right: boolean, done: boolean, line: Turn[], words: string }} Reply */

/**
 * A step being taken.
 * @typedef {object} Step
 * @property {string} title
 * @property {string[]} words
 * @property {string} task
 * @property {Position} position
 * @property {'turn' | 'cell' | 'piece'} ask
 * @property {(turn: Turn) => Reply} answer may change `position` and `ask`
 */

/** @param {string} words @param {Turn[]} [line] @returns {Reply} */
const right = (words, line = []) => ({ right: true, done: true, line, words });
/** @param {string} words @param {Turn[]} [line] @returns {Reply} */
const wrong = (words, line = []) => ({ right: false, done: false, line, words });

/** @param {string[]} words */
const list = (words) => words.map(attributeWord).join(` ${t('and')} `);

/** Sixteen pieces and four attributes. @returns {Step} */
function pieces() {
  const position = parse('..../..../..../.... 5');
  return {
    title: t('The pieces'), position, ask: 'piece',
    words: [t('Sixteen pieces, no two alike. Each is light or dark, short or tall, round or square, solid or hollow.')],
    task: t('Find the opposite of the piece in hand: the one that shares nothing with it.'),
    answer: ({ give }) => {
      const shared = common([position.hand, give]);
      return shared.length ? wrong(t('Both are {words}.', { words: list(shared) })) : right(t('They differ in all four.'));
    },
  };
}

/** A line of four. @param {Solver} solver @returns {Step} */
function line(solver) {
  const position = parse('9c.a/..5./.3../.... e');
  return {
    title: t('A line'), position, ask: 'cell',
    words: [t('Four in a row, a column or a diagonal that share one attribute are a line. Who completes it wins, whoever placed the others.')],
    task: t('Complete a line with the piece in hand.'),
    answer: ({ place }) => {
      if (!solver.endings(position).includes(place)) return wrong(t('No line there. Look for three that share something.'));
      const cells = solver.completed(solver.play(position, { place, give: -1 }))[0];
      return right(t('{line} is complete: all {words}.', { line: lineName(cells), words: list(['hollow']) }));
    },
  };
}

/** Placing and giving. @returns {Step} */
function giving() {
  /** @type {Step} */
  const step = {
    title: t('Giving'), position: parse('..../.3../..../.... -'), ask: 'piece',
    words: [t('You never choose what you place: your opponent gives it to you. You place it, then you give the next one.')],
    task: t('Give a piece. Then place the one you get, and give again.'),
    answer: (turn) => {
      if (turn.place >= 0) return right(t('That is a turn: place, then give.'));
      const give = turn.give === 12 ? 10 : 12;
      step.ask = 'turn';
      return { right: true, done: false, line: [{ place: 10, give }], words: t('Now place what you got, and give one.') };
    },
  };
  return step;
}

/** A piece that must not be given. @param {Solver} solver @returns {Step} */
function danger(solver) {
  const position = parse('2.e7/..../.8../.... -');
  return {
    title: t('A piece that must not be given'), position, ask: 'piece',
    words: [t('Three of a row are tall. Who gets a tall piece now wins.')],
    task: t('Give a piece that is safe.'),
    answer: (turn) => {
      if (solver.safe(position).includes(turn.give)) return right(t('Safe: a short piece does not complete the row.'));
      return wrong(t('With that piece the opponent completes a line at once.'), [{ place: 1, give: -1 }]);
    },
  };
}

/** A puzzle as a step. @param {Solver} solver @param {Puzzle} puzzle @param {{ title: string, words: string[], task: string, done: string }} told @returns {Step} */
function puzzle(solver, puzzle, { title, words, task, done }) {
  const attempt = new Attempt(puzzle, solver);
  /** @type {Step} */
  const step = {
    title, words, task, position: attempt.position, ask: attempt.ask,
    answer: (turn) => {
      const verdict = attempt.try(turn);
      step.position = attempt.position;
      return { right: verdict.right, done: verdict.right && verdict.over, line: verdict.line, words: verdict.over ? done : verdict.words };
    },
  };
  return step;
}

/** All steps, each made when it is come to. @type {((solver: Solver) => Step)[]} */
export const STEPS = [
  pieces,
  line,
  giving,
  danger,
  (solver) => puzzle(solver, { kind: 'win2', position: '.b../..a./.d4e/63.8 2', answer: 'a2.0', missed: 0 }, {
    title: t('The trap'),
    words: [t('If every piece left completes a line, whatever is given loses. Leave your opponent in that place.')],
    task: t('Place and give so that the opponent has no safe piece to give back.'),
    done: t('Nothing was safe, so the opponent had to give you the line.'),
  }),
  (solver) => puzzle(solver, { kind: 'win3', position: '.3c6/1.b5/...4/897a e', answer: 'c3.2', missed: 0 }, {
    title: t('Counting at the end'),
    words: [t('Late in the game, count the safe pieces. Every turn uses one up; who has none left to give loses. Leave an even number when it is your turn to give.')],
    task: t('Win in {count} turn.|Win in {count} turns.', { count: 3 }),
    done: t('You counted better: the opponent ran out of safe pieces first.'),
  }),
];
