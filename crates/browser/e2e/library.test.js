// The library under Node: its example, its types' promises, and the same games as natively. `scripts/test-static` runs this. PACKAGE is what scripts/npm-package wrote.

import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import assert from 'node:assert/strict';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const BUILT = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug');
const PACKAGE = process.env.PACKAGE ?? assert.fail('PACKAGE names no folder');
const { Terzo, TerzoError } = await import(pathToFileURL(join(PACKAGE, 'index.js')).href);

test('the example of the package plays a whole game, which the perfect player does not lose', () => {
  const said = String(execFileSync('node', [join(PACKAGE, 'example.js')])).trim().split('\n');
  assert.ok(said[0].startsWith('-.'), said[0]);
  assert.match(said[1], /seat 1 won|draw/i);
});

test('values, hints, sheets and refusals are what they should be', async () => {
  const terzo = await Terzo.load();
  assert.ok(await terzo.openBook('quarto'));
  assert.deepEqual(terzo.value({ game: 'quarto', start: '..../..../..../63.0 1' }), { value: 'win', plies: 1 });
  assert.equal(terzo.hint({ game: 'quarto', start: '3..8/.6../..d./2... 5' }, { ms: 600_000 }).exact, true);
  assert.ok(terzo.games().includes('stack4') && terzo.games().includes('tictactoe'));
  assert.equal(terzo.info('quarto').solvable, true);
  assert.equal(terzo.check('(role x)').ok, false);
  assert.equal(terzo.look({ game: 'quarto', turns: ['-.0'] }).mover, 2);
  assert.throws(() => terzo.look({ game: 'quarto', turns: ['a1.0'] }), TerzoError);
  assert.throws(() => terzo.look({ game: 'quatro' }), (error) => error.code === 'unknown_game' && /quarto/.test(error.message));
});

/** Players that no clock ends, and how many turns of a game are looked at. */
const CASTS = [
  ['quarto', ['random', 'novice'], 17],
  ['quarto', ['mcts:playouts=300', 'perfect:level=3'], 17],
  ['quarto', ['perfect', 'perfect:level=7'], 17],
  ['stack4', ['strong:nodes=3000,threads=1', 'random'], 16],
  ['tictactoe', ['general:nodes=2000,threads=1', 'random'], 9],
  ['connectfour', ['montecarlo:playouts=200', 'random'], 20],
];

test('the same seed plays the same game natively and in WebAssembly', async () => {
  const terzo = await Terzo.load();
  await terzo.openBook('quarto');
  const questions = [];
  const here = [];
  for (const [game, players, most] of CASTS) {
    const place = { game, turns: [] };
    for (let now = terzo.look(place); now.mover !== null && place.turns.length < most; now = terzo.look(place)) {
      const question = { ...place, turns: [...place.turns], spec: players[now.mover - 1], seed: String(1000 + place.turns.length), ms: 600_000 };
      const { best } = terzo.think(place, question.spec, { seed: BigInt(question.seed), ms: question.ms });
      questions.push(JSON.stringify({ op: 'think', ...question }));
      here.push(`${game} ${question.spec} ${place.turns.length}: ${best}`);
      place.turns.push(best);
    }
  }
  const answers = String(execFileSync(join(BUILT, 'examples/ask'), { input: questions.join('\n') })).trim().split('\n');
  const there = answers.map((answer, i) => `${here[i].split(': ')[0]}: ${JSON.parse(answer).said?.best ?? answer}`);
  assert.deepEqual(here, there);
});
