// A game without a stage of its own in the browser: the one of docs/add-a-game.md.

import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { PHONE, World, asked, findings, status, turn } from './world.js';

export default function plain(world) {
  const game = 'connect4';
  /** A server that knows the game. */
  const here = new World();
  before(async () => Object.assign(here, await world.withOneFileGame()));
  after(() => here.stop());

  test('a whole game is played on the cells of its grid, from the first page on', async () => {
    const page = await here.visit('/');
    await page.click('.game-card.plain');
    await page.selectOption('.new-game.plain .picker select >> nth=1', 'random');
    await page.click('#play-plain');
    await page.waitForSelector('.table .squares');
    assert.equal(await page.locator('.square').count(), 42);
    for (let turns = 0; await asked(page); turns++) {
      assert.ok(turns < 22, 'the game ends');
      await turn(page, () => page.locator('.square.open').nth(turns % 2).click());
    }
    assert.match(await status(page), /win|draw/i);
    assert.equal(await page.locator('.square.open').count(), 0);
    await here.leave(page);
  });

  test('its moves are buttons, its cells are walked with the arrow keys, and a hint marks both', async () => {
    const { page } = await here.table({ game, seats: ['human', 'human'] });
    await page.waitForSelector('.move', { state: 'attached' });
    assert.deepEqual(await page.locator('.move').allInnerTexts(), ['1', '2', '3', '4', '5', '6', '7']);
    await turn(page, () => page.locator('.move >> nth=3').click());
    assert.equal(await page.locator('.square >> nth=38').innerText(), 'x');
    await page.locator('.square').first().focus();
    for (let row = 0; row < 5; row++) await page.keyboard.press('ArrowDown');
    await turn(page, () => page.keyboard.press('Enter'));
    assert.equal(await page.locator('.square >> nth=35').innerText(), 'o');
    assert.match(await page.locator('.square >> nth=35').getAttribute('aria-label'), /^Row 6, column 1: o$/);
    await page.keyboard.press('h');
    await page.waitForSelector('.square.hinted');
    assert.equal(await page.locator('.move.hinted').count(), 1);
    await here.leave(page);
  });

  test('nothing is lost without a mouse, on a phone and in the dark', async () => {
    for (const options of [{}, { viewport: PHONE, colorScheme: 'dark' }]) {
      const { page } = await here.table({ game, turns: ['4', '4', '3'] }, options);
      assert.deepEqual(await findings(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      await here.leave(page);
    }
  });
}
