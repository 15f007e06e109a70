// Boards whose pieces come later or stand alone, and chess with check and mate.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { turn } from './world.js';

export default function lateBoards(world) {
  const at = (x, y) => `.square[data-x="${x}"][data-y="${y}"]`;
  const open = async (name, turns) => (await world.table({ game: await world.sheetNamed(name), turns })).page;

  test('a knight on its tour is moved on a board that shows where it was', async () => {
    const page = await open('tour', ['(jump,2,3)']);
    assert.equal(await page.locator(`${at(2, 3)} .chessman`).count(), 1);
    assert.equal(await page.locator(`${at(1, 1)} .visited`).count(), 1);
    await turn(page, () => page.click(at(4, 4)));
    await page.waitForSelector(`${at(4, 4)} .chessman`);
    await world.leave(page);
  });

  test('amazons stand as queens, and cells that arrows closed are seen', async () => {
    const page = await open('amazons', ['(move,3,1,3,4)', '(shoot,5,4)']);
    assert.equal(await page.locator('.chessman').count(), 4);
    assert.equal(await page.locator(`${at(5, 4)} .closed-cell`).count(), 1);
    assert.equal(await page.locator('.square .word').count(), 0, 'no piece is a word');
    await world.leave(page);
  });

  test('check and mate are written', async () => {
    const page = await open('chess', ['(move,f,2,f,3)', '(move,e,7,e,5)', '(move,g,2,g,4)']);
    await page.waitForSelector('.move', { state: 'attached' });
    assert.ok((await page.locator('.move').allInnerTexts()).includes('Qh4#'));
    await turn(page, () => page.locator(at('d', 8)).dragTo(page.locator(at('h', 4))));
    assert.match(await page.locator('.turn').last().innerText(), /Qh4#/);
    await world.leave(page);
  });

  test('moves that are only words stand in their order', async () => {
    const page = await open('auction', []);
    assert.deepEqual(await page.locator('.action').allInnerTexts(), ['Bid 1', 'Bid 2', 'Bid 3', 'Bid 4', 'Bid 5']);
    await world.leave(page);
  });
}
