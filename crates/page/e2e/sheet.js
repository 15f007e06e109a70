// Rule sheets in the browser: a pasted game, a broken one, a bundled one.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, asked, status, turn } from './world.js';

/** The editor, once it has judged the sheet that it remembers: until then it may still change its text. */
async function editor(world) {
  const page = await world.visit('/gdl');
  await page.waitForSelector('.verdict.good, .verdict.bad');
  return page;
}

export default function sheet(world) {
  const tictactoe = readFileSync(join(ROOT, 'crates/gdl/games/tictactoe.kif'), 'utf8');

  test('a game is played from a pasted sheet, on the board that its facts suggest', async () => {
    const page = await editor(world);
    await page.fill('#sheet', tictactoe);
    await page.waitForSelector('.verdict.good');
    await page.selectOption('.picker select >> nth=1', 'random');
    await page.click('#play-sheet');
    await page.waitForSelector('.squares');
    assert.equal(await page.locator('.square').count(), 9);
    for (let turns = 0; await asked(page); turns++) {
      assert.ok(turns < 9, 'the game ends');
      const choice = (await page.locator('.square.open').count()) ? '.square.open' : '.move:enabled';
      await turn(page, () => page.locator(choice).first().click());
    }
    assert.match(await status(page), /win|over|draw/i);
    assert.ok((await page.locator('.sign').count()) >= 5, 'noughts and crosses are drawn');
    await world.leave(page);
  });

  test('a broken sheet is told where it is broken', async () => {
    const page = await editor(world);
    const broken = `${tictactoe}\n(<= (goal x ?points) (true (control x)))\n`;
    await page.fill('#sheet', broken);
    await page.waitForSelector('.problem-line.error');
    const words = await page.locator('.problem-line.error').first().innerText();
    const line = broken.split('\n').findIndex((text) => text.includes('?points')) + 1;
    assert.match(words, new RegExp(`line ${line}`));
    assert.ok(await page.locator('.sheet-under mark.error').count(), 'the place is marked in the text');
    await page.click('.problem-line.error');
    const selected = await page.evaluate(() => {
      const field = document.querySelector('#sheet');
      return field.value.slice(0, field.selectionStart).split('\n').length;
    });
    assert.equal(selected, line, 'and pressing the error goes there');
    await world.leave(page);
  });

  test('a bundled sheet is picked and its moves are listed', async () => {
    const page = await world.visit('/gdl');
    await page.selectOption('#sheet-pick', await world.sheetNamed('connectfour'));
    await page.waitForSelector('.verdict.good');
    await page.click('#play-sheet');
    await page.waitForSelector('.move');
    assert.ok(await asked(page));
    const moves = await page.locator('.move').count();
    assert.ok(moves >= 7);
    await page.locator('.move:enabled').first().click();
    await page.waitForFunction(() => document.querySelectorAll('.turn').length >= 1);
    await world.leave(page);
  });
}
