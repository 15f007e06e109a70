// The analysis board: a copy of a game, with variations.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { turn, turns } from './world.js';

export default function variations(world) {
  const at = (x, y) => `.square[data-x="${x}"][data-y="${y}"]`;

  test('a game is analysed on a copy: any moment can be played on from, lines stay, and the game is not touched', async () => {
    const moves = ['(mark,2,2)', '(mark,1,1)', '(mark,3,3)'];
    const { page, table } = await world.table({ game: await world.sheetNamed('tictactoe'), seats: ['human', 'human'], turns: moves });
    await page.click('.tool-analyse');
    await page.waitForSelector('.variation');
    assert.notEqual(new URL(page.url()).pathname, `/t/${table.id}`);
    await turns(page, 3);
    // From an earlier moment, another turn.
    await page.locator('.turn').first().click();
    await page.waitForFunction(() => document.querySelector('.turn[aria-current]')?.textContent?.includes('1'));
    await page.click(at(3, 1));
    await page.waitForFunction(() => document.querySelectorAll('.variation').length === 2);
    await turns(page, 2);
    assert.match(await page.locator('.variation').last().innerText(), /Variation 1 2\. c1/);
    // The line goes on, and does not become a third one.
    await turn(page, () => page.click(at(1, 3)));
    await page.waitForFunction(() => /2\. c1 a3/.test(document.querySelectorAll('.variation')[1]?.textContent ?? ''));
    assert.equal(await page.locator('.variation').count(), 2);
    // Back to the game, as it was.
    await page.locator('.variation').first().click();
    await page.waitForFunction(() => document.querySelector('.variation[aria-current]')?.textContent?.startsWith('The game'));
    await turns(page, 3);
    // The lines are still there after a reload.
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('.variation').length === 2);
    assert.deepEqual((await world.get(`/api/tables/${table.id}`)).turns, moves);
    await world.leave(page);
  });

  test('who plays with somebody elsewhere may analyse when the game is over, not before', async () => {
    const { anna, ben, carla } = await world.friends('quarto');
    await anna.locator('[data-piece="5"]').click();
    await turns(ben, 1);
    await ben.waitForFunction(() => document.querySelector('.tool-analyse')?.disabled === true);
    await ben.click('.tool-resign');
    await ben.click('dialog .confirm');
    await ben.waitForFunction(() => document.querySelector('.tool-analyse')?.disabled === false);
    for (const page of [anna, ben, carla]) await world.leave(page);
  });
}
