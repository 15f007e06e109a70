// Puzzles in the browser: the one of the day, right and wrong tries, without a server; and the browser's own solver.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Solver, parse, parseTurn, print } from '../assets/puzzle/solver.js';
import { NEWCOMER, rated } from '../assets/puzzle/glicko.js';
import { puzzleOfDay } from '../assets/puzzle/progress.js';

/** A day on which the puzzle is of a kind, and that puzzle. */
function dayOf(puzzles, wanted, from = 20_800) {
  const day = Array.from({ length: 2000 }, (_, i) => from + i).find((day) => wanted(puzzleOfDay(puzzles, day)));
  assert.ok(day, 'there is such a day');
  return { day, puzzle: puzzleOfDay(puzzles, day) };
}

export default function puzzles(world) {
  /** The page of puzzles at noon of a day. */
  async function visit(day, options = {}, game = 'quarto') {
    const page = await world.visit(null, { timezoneId: 'UTC', reducedMotion: 'reduce', ...options });
    await page.addInitScript((now) => {
      const Real = Date;
      globalThis.Date = class extends Real {
        constructor(...given) {
          super(...(given.length ? given : [now]));
        }
      };
      Object.defineProperty(Date, 'now', { value: () => now });
    }, (day + 0.5) * 86_400_000);
    await page.goto(`${world.address}/puzzles${game === 'quarto' ? '' : `?game=${game}`}`);
    await page.waitForSelector('.puzzle-side .puzzle-hint');
    return page;
  }

  /** Makes a turn on the board. */
  async function choose(page, { place, give }) {
    if (place >= 0) await page.click(`[data-cell=${print({ place, give: -1 }).slice(0, 2)}]`);
    if (give >= 0) await page.click(`.tray-piece[data-piece="${give.toString(16)}"]`);
  }

  const verdict = (page) => page.locator('.puzzle-verdict').innerText();
  const fact = (page, number) => page.locator('.puzzles .facts-line dd').nth(number).innerText();

  test('the rating is the one of the paper on Glicko-2', () => {
    const results = [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]].map(([rating, deviation, score]) => ({ rating, deviation, score }));
    const { rating, deviation, volatility } = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, results);
    assert.deepEqual([rating.toFixed(2), deviation.toFixed(2), volatility.toFixed(5)], ['1464.05', '151.52', '0.06000']);
    assert.ok(rated(NEWCOMER, [{ rating: 1200, deviation: 100, score: 1 }]).rating > 1200);
  });

  for (const game of ['quarto', 'quarto-squares']) {
    test(`the browser’s solver finds the one answer of puzzles of ${game}`, async () => {
      const { lines, puzzles } = await world.get(`/api/puzzles/${game}`);
      const solver = new Solver(lines);
      for (const kind of ['win1', 'win2', 'win3', 'win4', 'draw', 'gift', 'trap']) {
        const some = puzzles.filter((one) => one.kind === kind).slice(0, 4);
        assert.equal(some.length, 4, `${kind} is there`);
        for (const puzzle of some) {
          const position = parse(puzzle.position);
          const good = solver.turns(position).filter((turn) => {
            const { value } = solver.worth(position, turn);
            return value === 'win' || (value === 'draw' && !kind.startsWith('win'));
          });
          const answers = new Set(good.map((turn) => (kind === 'draw' ? print(turn).slice(0, 2) : print(turn))));
          assert.deepEqual([...answers], [puzzle.answer], `${kind} ${puzzle.position}`);
          if (kind.startsWith('win')) assert.equal(Math.ceil(solver.worth(position, good[0]).plies / 2), Number(kind[3]), puzzle.position);
        }
      }
    });
  }

  test('the puzzle of the day is solved without a server, and counts', async () => {
    const { puzzles, lines } = await world.get('/api/puzzles/quarto');
    const { day, puzzle } = dayOf(puzzles, ({ kind }) => kind === 'win2');
    const page = await visit(day);
    assert.match(await page.locator('.question').innerText(), /Win in 2 turns/);
    const other = await visit(day);
    const board = (page) => page.$$eval('.cell', (all) => all.map((one) => one.getAttribute('aria-label')).join());
    assert.equal(await board(other), await board(page), 'everybody gets the same');
    await world.leave(other);
    assert.deepEqual([await fact(page, 1), await fact(page, 2)], ['0', '0']);
    await page.context().setOffline(true);
    await choose(page, parseTurn(puzzle.answer));
    await page.waitForFunction(() => /And now/.test(document.querySelector('.puzzle-verdict')?.textContent ?? ''));
    // Whatever was given back completes a line.
    const solver = new Solver(lines);
    const cells = await page.$$eval('.cell', (all) => all.map((one) => one.getAttribute('aria-label')));
    assert.equal(cells.filter((label) => /empty/.test(label)).length, parse(puzzle.position).cells.filter((piece) => piece < 0).length - 2);
    const after = solver.play(parse(puzzle.position), parseTurn(puzzle.answer));
    const last = solver.play(after, solver.best(after).turn);
    await choose(page, { place: solver.endings(last)[0], give: -1 });
    await page.waitForFunction(() => /Solved/.test(document.querySelector('.puzzle-verdict')?.textContent ?? ''));
    assert.deepEqual([await fact(page, 1), await fact(page, 2)], ['1', '1']);
    assert.match(await fact(page, 0), /^1,[2-9]\d\d ± /, 'the rating has risen');
    await page.context().setOffline(false);
    await page.reload();
    await page.waitForSelector('.puzzles .cell');
    assert.deepEqual([await fact(page, 1), await fact(page, 2)], ['1', '1'], 'it is remembered');
    await world.leave(page);
  });

  test('a wrong try is refuted on the board to the completed line, and may be tried again', async () => {
    const { puzzles, lines } = await world.get('/api/puzzles/quarto');
    const { day, puzzle } = dayOf(puzzles, ({ kind }) => kind === 'gift');
    const solver = new Solver(lines), position = parse(puzzle.position);
    const page = await visit(day);
    for (const give of [...solver.turns(position)].map((turn) => turn.give).filter((give) => give !== parseTurn(puzzle.answer).give).slice(0, 2)) {
      await page.click(`.tray-piece[data-piece="${give.toString(16)}"]`);
      await page.waitForSelector('.verdict.bad');
      assert.match(await verdict(page), /Not that/);
      assert.ok(await page.locator('.line-of-play li').count() >= 2, 'the try and what follows');
      await page.waitForSelector('.spot.lit');
      await page.click('text=Try again');
    }
    await page.click('.puzzle-hint');
    await page.waitForFunction(() => document.querySelectorAll('.tray-piece.open').length === 2);
    await choose(page, parseTurn(puzzle.answer));
    await page.waitForFunction(() => /Solved/.test(document.querySelector('.puzzle-verdict')?.textContent ?? ''));
    assert.deepEqual([await fact(page, 1), await fact(page, 2)], ['0', '1'], 'the day counts, but not as solved at the first try');
    assert.match(await fact(page, 0), /^1,1\d\d ± |^\d\d\d ± /, 'the rating has fallen');
    await page.click('.another');
    await page.waitForFunction(() => !/Solved/.test(document.querySelector('.puzzle-verdict')?.textContent ?? ''));
    await world.leave(page);
  });

  /** Tries a turn on the game's own board: a cell, or a column. */
  async function press(page, game, turn) {
    const [, x, y] = turn.match(/^\(\w+,(\w+)(?:,(\w+))?\)$/) ?? [];
    if (game === 'stack4') await page.click(`.column[data-column="${turn}"]`);
    else if (y) await page.click(`.square[data-x="${x}"][data-y="${y}"]`);
    else await page.click(`.square[data-x="${x}"]`);
  }

  const untilSaid = (page, pattern) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector('.puzzle-verdict')?.textContent ?? ''), pattern);

  for (const [game, kind] of [['tictactoe', 'hold'], ['connectfour', 'win2'], ['stack4', 'win2']]) {
    test(`a puzzle of ${game} is tried on its own board: wrong tries are refuted, the right one solves it`, async () => {
      const { puzzles } = await world.get(`/api/puzzles/${game}`);
      const { day, puzzle } = dayOf(puzzles, (one) => one.kind === kind);
      const number = puzzles.indexOf(puzzle);
      const page = await visit(day, {}, game);
      assert.match(await page.locator('.question').innerText(), /You play/);
      const { moments } = await world.get(`/api/puzzles/${game}/${number}`);
      const wrong = moments[0].legal.find((turn) => turn !== puzzle.answer);
      await press(page, game, wrong);
      await untilSaid(page, 'Not that');
      await page.waitForSelector('.line-of-play li');
      await page.click('text=Try again');
      await page.click('.puzzle-hint');
      await untilSaid(page, 'one of these two');
      const turns = [];
      let verdict = 'right';
      for (let turn = puzzle.answer; verdict === 'right';) {
        await press(page, game, turn);
        const told = await world.get(`/api/puzzles/${game}/${number}?turns=${encodeURIComponent([...turns, turn].join(' '))}`);
        ({ verdict } = told);
        turns.splice(0, turns.length, ...told.moments.slice(1).map((moment) => moment.turn));
        await untilSaid(page, verdict === 'right' ? 'And now' : 'Solved');
        if (verdict !== 'right') break;
        const next = await world.get(`/api/puzzles/${game}/${number}?solution=true&turns=${encodeURIComponent(turns.join(' '))}`);
        turn = next.moments[turns.length + 1].turn;
      }
      assert.equal(verdict, 'solved');
      assert.equal(await fact(page, 1), '0', 'a try that was wrong counts, and so does a hint');
      await page.click('.puzzle-side .another.primary');
      await page.waitForSelector('.puzzle-hint:enabled');
      await page.click('.puzzle-solution');
      await page.waitForSelector('.puzzle-side .another.primary');
      assert.ok(await page.locator('.line-of-play li').count());
      await world.leave(page);
    });
  }

  test('another game is chosen beside the board', async () => {
    const page = await visit(20_800);
    const offered = await page.$$eval('#game option', (all) => all.map((one) => one.value));
    assert.deepEqual(offered, ['quarto', 'quarto-squares', 'stack4', 'tictactoe', 'connectfour', 'nim']);
    await page.selectOption('#game', 'nim');
    await page.waitForSelector('.puzzles .heaps');
    assert.match(page.url(), /game=nim/);
    await page.click('.puzzle-solution');
    await page.waitForSelector('.line-of-play li');
    await world.leave(page);
  });

  test('a puzzle of every kind is asked for, shown and solved with the keyboard', async () => {
    const page = await visit(20_800);
    for (const kind of ['win1', 'win3', 'draw', 'trap']) {
      await page.selectOption('#kind', kind);
      await page.click('.puzzle-solution');
      await page.waitForSelector('.line-of-play li');
      await page.waitForSelector('.puzzle-side .another.primary');
    }
    await page.selectOption('#kind', 'win1');
    const cell = page.locator('.cell.open').first();
    await cell.focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.pending, .verdict'));
    await world.leave(page);
  });
}
