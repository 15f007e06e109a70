// What is told bit by bit: the truth about a position, and the judgement of a whole game. Easy questions are answered first: each is tried for a
// moment, and what takes longer is tried again, for twice as long, once all others were.

const FIRST_TRY = 30;
const LONGEST_TRY = 480;
/** How long solvers may work for one look at a position; a game has many positions. */
const SOLVING = 20_000;

/** @typedef {{ tell: (event: string, data: any) => void, open: () => boolean }} Listener */

/**
 * Puts questions, and hands on each answer as it comes; null where time ran out.
 * @param {import('./pool.js').Pool} pool @param {any[]} questions @param {number} time @param {Listener} listener @param {(number: number, answer: any) => void} hear
 */
async function put(pool, questions, time, listener, hear) {
  let spent = 0;
  const answer = async (/** @type {any} */ question, /** @type {number} */ number) => {
    for (let ms = FIRST_TRY; spent < time && listener.open(); ms = Math.min(2 * ms, LONGEST_TRY)) {
      // To wait for others costs nothing.
      let began = performance.now();
      const begin = () => {
        began = performance.now();
        return listener.open();
      };
      const said = await pool.ask({ ...question, ms }, { begin });
      spent += performance.now() - began;
      if (!said || said.status !== 200) break;
      if (!said.again) return hear(number, said.answer);
    }
    hear(number, null);
  };
  await Promise.all(questions.map(answer));
}

/** What each cell, or each piece, is worth. @param {import('./pool.js').Pool} pool @param {any} about @param {Listener} listener */
export async function truth(pool, about, listener) {
  const began = performance.now();
  const said = await pool.ask({ op: 'choices', ...about });
  if (said.status !== 200) return said;
  const { choices, known, groups } = said;
  const found = new Map();
  let done = 0;
  const progress = () => listener.tell('progress', { done, of: choices.length, waiting: pool.waiting.length });
  const tell = (/** @type {number} */ number, /** @type {any} */ worth) => {
    done += 1;
    if (!worth) return;
    found.set(number, worth);
    const [kind, name] = choices[number];
    listener.tell(kind, { [kind]: name, ...worth });
  };
  for (const [number, worth] of known) tell(number, worth);
  progress();
  const questions = groups.map((/** @type {number[]} */ _, /** @type {number} */ number) => ({ op: 'question', number, ...about }));
  await put(pool, questions, SOLVING, listener, (number, worth) => {
    for (const choice of groups[number]) tell(choice, worth);
    progress();
  });
  const complete = found.size === choices.length;
  const reason = choices.length === 0 ? 'over' : complete ? 'done' : 'time';
  if (complete && choices.length > 0) listener.tell('value', [...found.values()].reduce((best, worth) => (prefer(worth) > prefer(best) ? worth : best)));
  listener.tell('end', { complete, reason, ms: Math.round(performance.now() - began) });
  return null;
}

/** A win, soon; then a draw; then a loss, late. @param {{ value: string, plies: number }} worth */
const prefer = ({ value, plies }) => (value === 'win' ? 1000 - plies : value === 'draw' ? 0 : plies - 1000);

/**
 * Every turn of a game judged, from the last backwards. @param {import('./pool.js').Pool} pool @param {any} about @param {number} first the seat that began, from 0
 * @param {Listener} listener @param {number} [opening] so many turns that nobody chose are left out
 */
export async function analysis(pool, about, first, listener, opening = 0) {
  const last = about.turns.length - 1;
  const count = about.turns.length - opening;
  const plies = Array.from({ length: count }, (_, i) => last - i);
  const turns = [0, 0];
  for (const ply of plies) turns[(first + ply) % 2] += 1;
  const judged = [0, 0];
  const mistakes = [0, 0];
  let done = 0;
  const progress = () => listener.tell('progress', { done, of: count, waiting: pool.waiting.length });
  await put(pool, plies.map((ply) => ({ op: 'judge', ...about, ply })), 2 * SOLVING, listener, (_, turn) => {
    done += 1;
    if (turn) {
      judged[turn.seat - 1] += 1;
      if (turn.mistake) mistakes[turn.seat - 1] += 1;
      listener.tell('turn', turn);
    }
    progress();
  });
  const complete = judged[0] === turns[0] && judged[1] === turns[1];
  const accuracy = [0, 1].map((seat) => (turns[seat] > 0 && turns[seat] === judged[seat] ? (turns[seat] - mistakes[seat]) / turns[seat] : null));
  listener.tell('end', { complete, reason: complete ? 'done' : 'time', turns, judged, accuracy, mistakes });
}
