// Every page on small screens: nothing sticks out to the side, and the board is seen whole.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { comes } from './world.js';

const LONG = 'montecarlo:playouts=10000,time=5s';
const UPRIGHT = [[320, 568], [390, 844]];
const SIDEWAYS = [[568, 320], [844, 390]];
const LARGE = [[1280, 800]];

export default function layout(world) {
  /** Every kind of page there is. */
  async function pages(context) {
    const open = async (body) => `/t/${(await world.open(context, body)).id}`;
    const evening = await world.post('/api/tournaments', { game: 'quarto', players: ['random', 'novice', 'minimax:depth=1', 'montecarlo:playouts=20'], rounds: 3, name: 'A long evening with four players' });
    return ['/', '/puzzles', '/learn', '/rules', '/rules/quarto-torus', '/rules/stack4', '/explore?game=quarto&turns=-.0', '/gdl', '/tournaments', `/tournaments/${evening.id}`, '/api', '/nowhere',
      await open({ game: 'quarto', seats: ['human', LONG], turns: ['-.3', 'a1.8'], paused: true }),
      await open({ game: 'quarto', seats: ['human', 'perfect:level=1'], turns: ['-.0', 'a1.1', 'b1.2', 'c1.3', 'd1.-'] }),
      await open({ game: 'quarto', seats: ['human', 'open'], names: ['Somebody with a rather long name of four words', null], clock: { base_ms: 36_000_000, increment_ms: 5000 } }),
      await open({ game: 'stack4', seats: ['human', 'human'], turns: ['22', '33'] }),
      ...await Promise.all(['chess', 'checkers', 'breakthrough', 'hex', 'reversi', 'connectfour', 'tictactoe', 'trio', 'lights', 'quarto', 'duel', 'nim'].map(async (name) => open({ game: await world.sheetNamed(name) })))];
  }

  /** Looks at every page at some sizes. */
  async function walk(sizes, options, look) {
    const page = await world.visit(null, { ...options, reducedMotion: 'reduce' });
    for (const path of await pages(page.context())) {
      await page.goto(world.address + path);
      await page.waitForSelector('.page, .table');
      if (path.startsWith('/tournaments/')) await page.waitForSelector('.state.finished', { timeout: 60_000 });
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

  test('no page is wider than its screen', async () => {
    await walk([...UPRIGHT, ...SIDEWAYS], touch, fits);
    await walk(LARGE, {}, fits);
  });

  for (const locale of ['de', 'fr', 'it', 'nb']) {
    test(`no page is wider than the smallest phone in ${locale}`, async () => {
      const page = await world.visit('/', { ...touch, locale, reducedMotion: 'reduce', viewport: { width: 320, height: 568 } });
      const open = async (body) => `/t/${(await world.open(page.context(), body)).id}`;
      const over = await open({ game: 'quarto', seats: ['human', 'perfect:level=1'], turns: ['-.0', 'a1.1', 'b1.2', 'c1.3', 'd1.-'] });
      for (const path of ['/', '/puzzles', '/learn', '/rules/quarto', '/explore', '/gdl', '/tournaments', await open({ game: 'stack4', seats: ['human', 'open'] }), over]) {
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

  test('on a phone on its side the board is seen whole', () => walk(SIDEWAYS, touch, async (page, where, width, height) => {
    const board = page.locator('.table :is(.board, .space-frame, .sheet-board)').first();
    if (!(await board.count())) return;
    const box = await board.boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= height, `${where}: ${JSON.stringify(box)}`);
    // Half of the screen is the board's; a wide board fills it from side to side.
    assert.ok(box.height > height * 0.6 || box.width > width * 0.45, `${where}: it is as large as it can be: ${JSON.stringify(box)}`);
  }));

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
