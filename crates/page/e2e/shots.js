// Takes the pictures under docs/screenshots: each part of the page at desktop size in the light theme and at phone
// size in the dark one.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DESKTOP, PHONE, ROOT, World, asked, lookAtAllGames } from './world.js';

const folder = join(ROOT, 'docs/screenshots');
mkdirSync(folder, { recursive: true });
const world = await World.begin();

const stones = '22 33 23 21 24 25 14 32 34 44 13 12 02 35 23 23 22 24 21 22 21 21 24 13 32 12 14 14 32 32 33 34 44 33'.split(' ');
const evening = await world.post('/api/tournaments', { game: 'quarto', players: ['random', 'novice', 'minimax:depth=2', 'perfect:level=5'], rounds: 25, name: 'An evening with four' });
const first = (await world.get('/api/games')).games.find((game) => game.name === 'stack4');

/** @type {Record<string, { table?: object, path?: string, before?: (page: import('playwright-core').Page) => Promise<unknown> }>} */
const pictures = {
  lobby: { path: '/', before: lookAtAllGames },
  quarto: { table: { game: 'quarto', seats: ['human', 'perfect:level=5'], position: '3..8/.6../..d./2... 5' }, before: (page) => page.hover('[data-cell=c2]').catch(() => {}) },
  truth: {
    table: { game: 'quarto', seats: ['human', 'perfect:level=3'], turns: '-.7 b2.8 d3.a c2.2 d1.e b4.f d2.d d4.c c1.0 c4.9'.split(' ') },
    before: async (page) => {
      await page.keyboard.press('t');
      await page.keyboard.press('h');
      await page.waitForSelector('.hint-turn');
      await page.waitForFunction(() => document.querySelectorAll('.cell .worth:not(:empty)').length >= 7);
    },
  },
  analysis: {
    table: { game: 'quarto', seats: ['human', 'perfect:level=3'], turns: '-.7 b2.8 d3.a c2.2 d1.e b4.f d2.d d4.c c1.0 c4.9 a2.5 b1.b a3.1 c3.4 b3.-'.split(' ') },
    before: (page) => page.waitForSelector('.accuracy').catch(() => {}),
  },
  puzzle: {
    path: '/puzzles',
    before: async (page) => {
      await page.selectOption('#kind', 'gift');
      await page.locator('.tray-piece.open').first().click();
      await page.waitForSelector('.line-of-play li');
    },
  },
  lesson: { path: '/learn' },
  stack4: {
    table: { game: 'stack4', seats: ['human', first?.players.at(-1)?.name ?? 'random'], turns: stones },
    before: async (page) => {
      await page.waitForTimeout(500);
      const box = await page.locator('.space').boundingBox();
      await page.mouse.move(box.x + box.width * 0.42, box.y + box.height * 0.75);
    },
  },
  chess: { table: { game: await world.sheetNamed('chess'), seats: ['human', 'general'], turns: ['(move,e,2,e,4)', '(move,e,7,e,5)', '(move,g,1,f,3)', '(move,b,8,c,6)'] } },
  sheet: {
    path: '/gdl',
    before: async (page) => {
      await page.fill('#sheet', '; Two players, one pile.\n(role first)\n(role second)\n(init (pile 7))\n(init (control first))\n\n(<= (legal ?role (take ?n))\n    (true (control ?role))\n    (amount ?n))\n(amount 1) (amount 2)\n\n(<= (next (pile ?left))\n    (does ?role (take ?n))\n    (true (pile ?all)))\n');
      await page.waitForSelector('.problem-line');
    },
  },
  tournament: { path: `/tournaments/${evening.id}`, before: (page) => page.waitForSelector('.state.finished', { timeout: 60_000 }) },
};

const wanted = process.argv.slice(2);
for (const [name, { table, path, before }] of Object.entries(pictures)) {
  if (wanted.length && !wanted.includes(name)) continue;
  for (const [size, viewport, colorScheme] of [['desktop', DESKTOP, 'light'], ['phone', PHONE, 'dark']]) {
    const page = await world.visit(null, { viewport, colorScheme, reducedMotion: 'reduce' });
    await page.goto(world.address + (table ? `/t/${(await world.open(page.context(), table)).id}` : path));
    await page.waitForSelector('.page, .table');
    if (table) await asked(page).catch(() => {});
    await before?.(page);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}-${size}.png`) });
    await page.context().close();
  }
}
await world.end();
