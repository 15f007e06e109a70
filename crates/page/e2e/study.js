// What a tournament teaches: ratings over time, and mistakes against perfect play.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { findings } from './world.js';

export default function study(world) {
  test('a tournament draws its ratings over time and counts what players give away', async () => {
    const { id } = await world.post('/api/tournaments', { game: 'quarto', players: ['random', 'novice', 'perfect'], rounds: 6 });
    const page = await world.visit(`/tournaments/${id}`);
    await page.waitForSelector('.state.finished');
    await page.waitForFunction(() => document.querySelectorAll('.rating-curve .curve').length === 3);
    await page.click('.judge-games');
    await page.waitForSelector('.mistakes-of-players td');
    const rows = await page.locator('.mistakes-of-players tbody tr').allInnerTexts();
    assert.match(rows[0], /^perfect\s+0\.00\s/, rows.join('; '));
    assert.match(rows[2], /^random\s/, rows.join('; '));
    // The ranks stand one under the other.
    const tops = await page.$$eval('.standings .place', (all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    assert.ok(tops.length === 3 && tops[0] < tops[1] && tops[1] < tops[2], String(tops));
    assert.deepEqual(await findings(page), []);
    await page.setViewportSize({ width: 320, height: 700 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 320);
    await world.leave(page);
  });
}
