// The first page: every game with a picture, tables that run and tables that are over, a search for both.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { PHONE, comes, findings, lookAtAllGames } from './world.js';

export default function gallery(world) {
  test('every game has a card with a small board, its name, for how many, and its rules', async () => {
    const page = await world.visit('/');
    const { games } = await world.get('/api/games');
    const picture = '.preview :is(.board svg, canvas, .square, .heap, .counter, .peg)';
    const without = () => page.$$eval('.game-card', (all, picture) => all.filter((card) => !card.querySelector(picture)).map((card) => card.dataset.game), picture);
    await lookAtAllGames(page);
    await comes(without, [], 'cards without a picture');
    const cards = await page.$$eval('.game-card', (all) => all.map((card) => ({ game: card.dataset.game, words: card.textContent })));
    // The variants of Quarto share a card.
    const wanted = games.filter((game) => game.family !== 'quarto' || game.name === 'quarto');
    assert.deepEqual(cards.map((card) => card.game), wanted.map((game) => game.name));
    for (const game of wanted) {
      const card = cards.find((one) => one.game === game.name);
      assert.ok(card.words.includes(game.title) && card.words.includes(`${game.seats} player`) && card.words.includes(game.rules), card.words);
      assert.ok(game.rules.length > 60, `${game.name} says its rules`);
    }
    await world.leave(page);
  });

  test('a board is drawn when somebody comes near its card', async () => {
    const page = await world.visit('/');
    const last = page.locator('.game-card').last();
    await page.waitForSelector('.preview canvas');
    await comes(() => page.locator('.game-card.quarto .preview > *').count(), 1, 'what is on the screen');
    assert.equal(await last.locator('.preview > *').count(), 0, 'what is far below');
    await last.scrollIntoViewIfNeeded();
    await last.locator('.preview > *').first().waitFor();
    await world.leave(page);
  });

  test('a card leads to who sits where, and from there to a table; also for one and for three', async () => {
    for (const [game, seats] of [['lights', 1], ['trio', 3], ['hex', 2]]) {
      const page = await world.visit('/');
      await page.click(`.game-card[data-game="${game}"]`);
      assert.equal(await page.locator('.new-game .picker').count(), seats);
      assert.ok((await page.locator('.new-game .rules').innerText()).length > 60);
      if (seats === 3) assert.deepEqual(await findings(page), []);
      await page.click('#play-gdl');
      await page.waitForSelector('.table .squares');
      assert.equal(await page.locator('.seat').count(), seats);
      await world.leave(page);
    }
  });

  test('Quarto is one press away', async () => {
    const page = await world.visit('/');
    await page.click('.at-once');
    await page.waitForSelector('.table .board');
    await world.leave(page);
  });

  test('running and finished tables are apart, and a search finds games and tables', async () => {
    const page = await world.visit(null);
    const open = (body) => world.open(page.context(), body);
    const over = await open({ game: 'quarto', seats: ['human', 'perfect:level=1'], turns: ['-.0', 'a1.1', 'b1.2', 'c1.3', 'd1.-'] });
    const running = await open({ game: 'hex', turns: ['(fill,1,1)'] });
    await page.goto(`${world.address}/`);
    const list = (name) => page.locator(`section[aria-label="${name}"]`);
    await list('Running').locator(`a[href="/t/${running.id}"]`).waitFor();
    await list('Finished').locator(`a[href="/t/${over.id}"]`).waitFor();
    assert.equal(await list('Running').locator(`a[href="/t/${over.id}"]`).count(), 0);
    await page.fill('#search', 'hex');
    assert.deepEqual(await page.locator('.game-card:visible').evaluateAll((all) => all.map((one) => one.dataset.game)), ['hex']);
    assert.ok(await page.locator(`a[href="/t/${running.id}"]`).isVisible());
    assert.ok(!(await page.locator(`a[href="/t/${over.id}"]`).isVisible()));
    await page.fill('#search', 'zebra');
    await page.waitForSelector('.gallery > p:visible');
    await page.fill('#search', '');
    assert.ok((await page.locator('.game-card:visible').count()) > 10);
    await world.leave(page);
  });

  test('on a phone the gallery is a list of cards that fit', async () => {
    for (const viewport of [PHONE, { width: 320, height: 568 }]) {
      const page = await world.visit('/', { viewport, hasTouch: true, isMobile: true });
      await lookAtAllGames(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= viewport.width, `${wide} px wide`);
      await page.tap('.game-card[data-game="chess"]');
      await page.waitForSelector('.new-game');
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width);
      await world.leave(page);
    }
  });
}
