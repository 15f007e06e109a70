// Every kind of page there is, for the tests that walk all of them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './world.js';

const LONG = 'montecarlo:playouts=10000,time=5s';

/** The pages that people come to, and what must be seen on each before it is looked at. */
export async function everyPage(world, context) {
  const open = async (body) => `/t/${(await world.open(context, body)).id}`;
  const evening = await world.post('/api/tournaments', { game: 'quarto', players: ['random', 'novice', 'minimax:depth=1', 'montecarlo:playouts=20'], rounds: 3, name: 'A long evening with four players' });
  const { games } = await world.get('/api/games');
  const sheets = games.filter((game) => game.family === 'gdl').map((game) => game.name);
  const watched = await world.post('/api/tables', { game: 'stack4', seats: ['human', 'open'] });
  const tables = [
    { game: 'quarto', seats: ['human', LONG], turns: ['-.3', 'a1.8'], paused: true },
    { game: 'quarto', seats: ['human', 'perfect:level=1'], turns: ['-.0', 'a1.1', 'b1.2', 'c1.3', 'd1.-'] },
    { game: 'quarto', seats: ['human', 'open'], names: ['Somebody with a rather long name of four words', null], clock: { base_ms: 36_000_000, increment_ms: 5000 } },
    { game: 'stack4', seats: ['human', 'human'], turns: ['22', '33'] },
    ...sheets.map((game) => ({ game })),
  ];
  const paths = ['/', '/puzzles', '/puzzles?game=connectfour', '/puzzles?game=stack4', '/learn', '/rules', '/rules/quarto-torus', '/rules/stack4', '/rules/chess', '/explore?game=quarto&turns=-.0', '/gdl', '/tournaments', '/api', '/nowhere', `/t/${watched.id}`];
  const pages = [...paths, ...await Promise.all(tables.map(open))].map((path) => ({ path, seen: '.page, .table' }));
  pages.push({ path: `/tournaments/${evening.id}`, seen: '.state.finished' }, { path: `/tournaments/${evening.id}/projector`, seen: '.projector .state' });
  const analysed = await open({ game: 'quarto', seats: ['human', 'human'], turns: ['-.3', 'a1.8', 'd1.6'] });
  pages.push({ path: analysed, seen: '.variation', then: (page) => page.click('.tool-analyse') });
  assertComplete(pages.map(({ path }) => path));
  return pages;
}

/** No address that the page knows is left out. */
function assertComplete(paths) {
  const source = readFileSync(join(ROOT, 'crates/page/assets/app.js'), 'utf8');
  const routes = [...source.matchAll(/^ {2}route\(\/(.*?)\/, /gm)].map(([, route]) => new RegExp(route));
  assert.ok(routes.length >= 11, `${routes}`);
  assert.deepEqual(routes.filter((route) => !paths.some((path) => route.test(path.split('?')[0]))), []);
}

/** Goes to a page and waits for what must be seen there. */
export async function goTo(world, page, { path, seen, then }) {
  await page.goto(world.address + path);
  await page.waitForSelector('.page, .table, .projector');
  await then?.(page);
  await page.waitForSelector(seen);
}
