// Opinions on games of which nobody knows the truth.

import { test } from 'node:test';
import assert from 'node:assert/strict';

export default function opinion(world) {
  test('a turn that gives the game away is found by opinion, called one, and can be looked at', async () => {
    // Yellow does not stop three on one column.
    const turns = [1, 7, 1, 7, 1, 4].map((column) => `(drop,${column})`);
    const { page } = await world.table({ game: 'connectfour', seats: ['human', 'human'], turns });
    assert.match(await page.locator('.opinion').innerText(), /an opinion, not the truth/);
    await page.click('.ask-opinion');
    await page.waitForSelector('.doubt');
    await page.waitForFunction(() => !document.querySelector('.cancel-opinion'));
    const doubts = await page.locator('.doubt').allInnerTexts();
    assert.ok(doubts.some((words) => /^6\. 4 \?/.test(words)), doubts.join('; '));
    assert.ok(await page.locator('.slip-mark').count() > 0);
    await page.locator('.doubt').first().click();
    await page.waitForSelector('.past:not([hidden])');
    await world.leave(page);
  });

  test('asking for opinions can be stopped', async () => {
    const turns = '22 33 23 21 24 25 14 32 34 44'.split(' ');
    const { page } = await world.table({ game: 'stack4', seats: ['human', 'human'], turns });
    await page.click('.ask-opinion');
    await page.click('.cancel-opinion');
    await page.waitForSelector('.ask-opinion');
    assert.doesNotMatch(await page.locator('.opinion').innerText(), /no turn to object/);
    await world.leave(page);
  });
}
