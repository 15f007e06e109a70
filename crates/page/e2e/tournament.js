// A tournament from the page: started, watched to its end, a game of it opened, its records downloaded.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export default function tournament(world) {
  test('a tournament is started and watched to its end', async () => {
    const page = await world.visit('/tournaments');
    await page.fill('#t-rounds', '30');
    await page.fill('#t-name', 'An evening with three');
    await page.selectOption('.entrant select >> nth=0', 'random');
    await page.selectOption('.entrant select >> nth=1', 'novice');
    await page.selectOption('.entrant select >> nth=2', 'minimax');
    await page.click('#start-tournament');
    await page.waitForSelector('.state.finished', { timeout: 60_000 });
    const order = await page.$$eval('.standings tbody th', (all) => all.map((one) => one.textContent));
    assert.equal(order.length, 3);
    assert.match(order[0], /minimax/, 'the strongest leads');
    assert.match(order[2], /random/);
    assert.equal(await page.locator('.error-bar').count(), 3);
    const games = Number((await page.locator('.facts-line dd').first().innerText()).match(/^\d+/)[0]);
    assert.equal(games, 3 * 30 * 2, 'three duels, thirty rounds, two games a pair');

    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=JSON lines')]);
    const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
    assert.ok(lines.length >= games / 2);
    for (const line of lines) JSON.parse(line);

    await page.locator('.game-row').first().click();
    await page.waitForSelector('.board');
    assert.ok(await page.locator('.turn').count());
    assert.match(await page.locator('.banner').innerText(), /Random|Novice|Minimax/, 'those who played sit at the table');
    assert.doesNotMatch(await page.locator('.banner').innerText(), /Player/);
    await page.waitForSelector('.accuracy');
    await world.leave(page);
  });

  test('games of a running tournament are watched as they are played', async () => {
    // Slow enough to be seen, and quick enough to change while somebody looks.
    const { id } = await world.post('/api/tournaments', { game: 'quarto', players: ['mcts:playouts=500', 'mcts:playouts=501'], rounds: 2000, name: 'Watched' });
    const page = await world.visit(`/tournaments/${id}`);
    await page.click('.watch');
    const game = page.locator('.watched-game').first();
    await game.waitFor({ timeout: 90_000 });
    assert.ok(await game.locator('.board').count(), 'the board is drawn');
    const turns = () => page.locator('.watched-game figcaption').first().innerText();
    const before = await turns();
    await page.waitForFunction((before) => { const now = document.querySelector('.watched-game figcaption'); return now && now.innerText !== before; }, before, { timeout: 90_000 });
    await page.click('.watch');
    assert.equal(await page.locator('.watched-game').count(), 0);
    await page.click('button:has-text("Stop")');
    await page.waitForSelector('.state.stopped', { timeout: 90_000 });
    assert.equal(await page.locator('.watch').isVisible(), false);
    await world.leave(page);
  });

  test('on a projector a tournament is watched, stopped and gone on with', async () => {
    // Two games are over soon, and all of them not before it is stopped.
    const players = [500, 501, 502].map((playouts) => `mcts:playouts=${playouts}`);
    const { id } = await world.post('/api/tournaments', { game: 'quarto', players, rounds: 2000, name: 'On the wall' });
    const page = await world.visit(`/tournaments/${id}`);
    await page.click('text=Projector');
    const wall = page.locator('.projector');
    await wall.locator('h1', { hasText: 'On the wall' }).waitFor();
    assert.equal(await page.locator('header.top').isVisible(), false, 'a room sees the tournament alone');
    const played = async () => Number((await wall.locator('.state').innerText()).match(/\d+/)[0]);
    const until = (least) => page.waitForFunction((least) => Number(document.querySelector('.projector .state')?.textContent?.match(/\d+/)?.[0]) >= least, least, { timeout: 90_000 });
    await until(2);
    assert.equal(await wall.locator('tbody tr').count(), 3);
    await wall.locator('button', { hasText: 'Stop' }).click();
    await wall.locator('.state.stopped').waitFor({ timeout: 90_000 });
    const before = await played();
    await wall.locator('button', { hasText: 'Go on' }).click();
    await wall.locator('.state.running').waitFor({ timeout: 90_000 });
    await until(before + 2);
    await wall.locator('button', { hasText: 'Stop' }).click();
    await wall.locator('.state.stopped').waitFor({ timeout: 90_000 });
    await page.click('text=All of it');
    await page.waitForSelector('.standings');
    assert.equal(await page.locator('header.top').isVisible(), true);
    await world.leave(page);
  });
}
