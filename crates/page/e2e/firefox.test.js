// The page in Firefox: the lobby, whole games, two people and somebody who watches. Chromium has the whole suite; here is what would
// show if the other engine did not understand the page. Driven over WebDriver BiDi, which Debian's own Firefox speaks.

import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { firefox } from 'playwright-bidi';
import { World, asked, lookAtAllGames, quartoTurn, status, turn, turns } from './world.js';

/** @type {World} */
let world;
before(async () => {
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr', timeout: 120_000 });
  world = await new World().settle(browser, []);
});
after(() => world?.end());

/** Whether the game is over, as the page says. */
const over = async (page) => /wins|win |draw/.test(await status(page));

/** Plays what comes first for who is asked, until the game is over on every screen. */
async function playOut(pages) {
  const late = Date.now() + 180_000;
  while (!(await over(pages[0]))) {
    assert.ok(Date.now() < late, `the game does not go on: ${await status(pages[0])}`);
    const before = await pages[0].locator('.turn').count();
    const open = [];
    for (const page of pages) if (await page.locator('.cell.open, .tray-piece.open').count()) open.push(page);
    if (open.length === 0) {
      await pages[0].waitForTimeout(50);
      continue;
    }
    const [page] = open;
    if (await page.locator('.cell.open').count()) await page.locator('.cell.open').first().click();
    if (await page.locator('.tray-piece.open').count()) await page.locator('.tray-piece.open').first().click();
    for (const one of pages) await one.waitForFunction((count) => document.querySelectorAll('.turn').length > count, before);
  }
}

test('the lobby shows every game with its picture and sits down to one', async () => {
  const page = await world.visit('/');
  await lookAtAllGames(page);
  assert.ok((await page.locator('.game-card').count()) > 15);
  await page.fill('#search', 'reversi');
  await page.waitForFunction(() => document.querySelectorAll('.game-card:not([hidden])').length === 1);
  await page.click('.game-card:not([hidden])');
  await page.click('dialog .primary');
  await page.waitForSelector('.square.open');
  await turn(page, () => page.locator('.square.open').first().click());
  await world.leave(page);
});

test('a whole game of Quarto against a program', async () => {
  const { page } = await world.table({ game: 'quarto', seats: ['human', 'novice'] });
  while (await asked(page)) {
    await quartoTurn(page);
  }
  assert.match(await status(page), /win|draw/i);
  await world.leave(page);
});

test('two people play a whole game, and a third watches', async () => {
  const { anna, ben, carla } = await world.friends('quarto');
  await playOut([anna, ben]);
  const count = await anna.locator('.turn').count();
  await turns(carla, count);
  await carla.waitForFunction(() => /wins|draw/i.test(document.querySelector('.status')?.textContent ?? ''));
  for (const page of [anna, ben, carla]) await world.leave(page);
});

test('Stack Four is drawn, and a stone falls where a column is pressed', async () => {
  const { page } = await world.table({ game: 'stack4' });
  await turn(page, () => page.locator('.column.open').first().click());
  await page.waitForFunction(() => {
    const canvas = document.querySelector('canvas');
    return canvas && canvas.width > 0 && canvas.height > 0;
  });
  await world.leave(page);
});

test('a piece of chess is carried to its square', async () => {
  const { page } = await world.table({ game: await world.sheetNamed('chess') });
  const at = (name) => page.locator(`.square[data-x="${name[0]}"][data-y="${name[1]}"]`);
  await turn(page, () => at('e2').dragTo(at('e4')));
  assert.match(await page.locator('.turn').first().innerText(), /e4/);
  await world.leave(page);
});

test('no page had an error', () => world.assertQuiet());
