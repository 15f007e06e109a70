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
}
