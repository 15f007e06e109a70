// Every page on small screens: nothing sticks out to the side, and the board is seen whole.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { everyPage, goTo } from './pages.js';
import { comes } from './world.js';

const UPRIGHT = [[320, 568], [390, 844]];
const SIDEWAYS = [[568, 320], [844, 390]];
const LARGE = [[1280, 800]];

export default function layout(world) {
  /** Looks at every page at some sizes. */
  async function walk(sizes, options, look) {
    const page = await world.visit(null, { ...options, reducedMotion: 'reduce' });
    for (const one of await everyPage(world, page.context())) {
      const { path } = one;
      await goTo(world, page, one);
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await look(page, `${path} at ${width} × ${height}`, width, height);
      }
    }
    page.wrong = page.wrong.filter((wrong) => !wrong.includes('404'));
    await world.leave(page);
  }

  /** Nothing is wider than the screen, or larger than what holds it. */
  async function fits(page, where, width) {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${where} is ${wide} px wide`);
    const cut = await page.$$eval('.hero h1, .hero p, .hero .parade', (all) => all.filter((one) => one.scrollWidth > one.clientWidth + 8).map((one) => one.className + one.textContent));
    assert.deepEqual(cut, [], `${where}: cut off`);
    const tall = await page.$$eval('.seat', (all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent));
    assert.deepEqual(tall, [], `${where}: a name is taller than its card`);
  }

  const touch = { hasTouch: true, isMobile: true };

  /** The board is seen whole, and as large as it can be. */
  async function isSeenWhole(page, where, width, height) {
    const board = page.locator('.table :is(.board, .space-frame, .sheet-board, .pegs)').first();
    if (!(await board.count())) return;
    const box = await board.boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= height, `${where}: ${JSON.stringify(box)}`);
    // Half of the screen is the board's; a wide board fills it from side to side.
    assert.ok(box.height > height * 0.6 || box.width > width * 0.45, `${where}: it is as large as it can be: ${JSON.stringify(box)}`);
  }

  test('no page is wider than its screen, and on a phone on its side the board is seen whole', async () => {
    await walk([...UPRIGHT, ...SIDEWAYS], touch, async (page, where, width, height) => {
      await fits(page, where, width);
      if (width > height) await isSeenWhole(page, where, width, height);
    });
    await walk(LARGE, {}, fits);
  });

  for (const locale of ['de', 'fr', 'it', 'nb']) {
    test(`no page is wider than the smallest phone in ${locale}`, async () => {
      const page = await world.visit('/', { ...touch, locale, reducedMotion: 'reduce', viewport: { width: 320, height: 568 } });
      const open = async (body) => `/t/${(await world.open(page.context(), body)).id}`;
      const over = await open({ game: 'quarto', seats: ['human', 'perfect:level=1'], turns: ['-.0', 'a1.1', 'b1.2', 'c1.3', 'd1.-'] });
      for (const path of ['/', '/puzzles', '/puzzles?game=nim', '/puzzles?game=stack4', '/learn', '/rules/quarto', '/explore', '/gdl', '/tournaments', '/api', await open({ game: 'towers' }), await open({ game: 'stack4', seats: ['human', 'open'] }), over]) {
        await page.goto(world.address + path);
        await page.waitForSelector('.page, .table');
        await fits(page, `${path} in ${locale}`, 320);
      }
      await page.click('#settings');
      await page.waitForSelector('dialog');
      await fits(page, `the settings in ${locale}`, 320);
      await world.leave(page);
    });
  }

  test('the shadows of pieces are not cut', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'human'], turns: ['-.f'] });
    const overflow = (selector) => page.$$eval(selector, (all) => all.map((one) => getComputedStyle(one).overflow));
    const all = async (selector) => [...new Set(await overflow(selector))];
    await comes(() => all('.hand svg, .tray-piece svg'), ['visible']);
    await page.goto(`${world.address}/`);
    await comes(() => all('.parade svg'), ['visible']);
    await world.leave(page);
  });
}
