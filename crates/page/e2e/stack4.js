// Stack Four in the browser.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { asked, status, turn } from './world.js';

export default function stack4(world) {
  test('a whole game of Stack Four is played, by pointing into space and on the map', async () => {
    const { page } = await world.table({ game: 'stack4', seats: ['human', 'random'] });
    const box = await page.locator('.space').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.72);
    await page.waitForSelector('.landing:not([hidden])');
    assert.match(await page.locator('.landing').innerText(), /Column \d\d, layer 1/, 'the landing is shown on hover');
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelectorAll('.turn').length >= 2);
    await page.mouse.move(box.x + 60, box.y + box.height - 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + box.height - 60, { steps: 4 });
    await page.mouse.up();
    assert.equal(await page.locator('.turn').count(), 2, 'turning the board drops no stone');
    let lines = 0;
    for (let turns = 0; await asked(page); turns++) {
      assert.ok(turns < 33, 'the game ends');
      const completing = page.locator('.column.open[aria-label*=completes]');
      const column = (await completing.count()) ? completing.first() : page.locator('.column.open').nth(turns % 4);
      await turn(page, () => column.click());
      lines = await page.locator('.lines li').count();
    }
    assert.ok(lines > 0, 'lines were made and listed');
    assert.equal(await page.locator('.turn').count(), 64);
    assert.match(await status(page), /win|draw/i);
    await world.leave(page);
  });

  test('layers fade, and the map is walked with the arrow keys', async () => {
    const { page } = await world.table({ game: 'stack4', seats: ['human', 'human'] });
    const pixels = () => page.evaluate(() => document.querySelector('canvas').toDataURL().length);
    await page.locator('.column').nth(8).click();
    await page.waitForSelector('.turn');
    await page.mouse.move(5, 5);
    await page.waitForTimeout(500);
    const solid = await pixels();
    await page.locator('.layers input').last().uncheck();
    await page.waitForTimeout(100);
    assert.notEqual(await pixels(), solid, 'a faded layer is drawn otherwise');
    await page.locator('.column').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
    await world.leave(page);
  });

  test('columns have names, on the map and on the board', async () => {
    const { page } = await world.table({ game: 'stack4', seats: ['human', 'human'], turns: ['22', '22'] });
    const names = await page.locator('.column').evaluateAll((all) => all.map((one) => one.dataset.column));
    assert.deepEqual(await page.locator('.column-name').allInnerTexts(), names);
    // The canvas is asked what it writes when it is painted anew.
    await page.evaluate(() => {
      window.written = new Set();
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        window.written.add(text);
        fillText.call(this, text, ...rest);
      };
    });
    await page.locator('.look').first().click();
    await page.waitForFunction((count) => window.written.size === count, names.length);
    assert.deepEqual(await page.evaluate(() => [...window.written].sort()), names.sort());
    await world.leave(page);
  });

  test('a position is set up by hand, with the points that its lines pay', async () => {
    const { page } = await world.table({ game: 'stack4', seats: ['human', 'human'] });
    await page.click('.tool-setup');
    for (let i = 0; i < 4; i++) {
      await page.click('dialog [data-stone=b]');
      await page.click('dialog [data-column="22"]');
      await page.click('dialog [data-stone=w]');
      await page.click(`dialog [data-column="${['32', '33', '12', '13'][i]}"]`);
    }
    assert.equal(await page.inputValue('#setup-points-1'), '100');
    assert.match(await page.inputValue('#setup-text'), /:b:100:0$/);
    await page.click('dialog .primary');
    await page.waitForSelector('dialog', { state: 'detached' });
    assert.match(await page.locator('.seat').first().innerText(), /100 points/);
    assert.equal(await page.locator('.column[data-column="22"] i').count(), 4);
    await page.click('.tool-setup');
    await page.click('dialog [data-stone=w]');
    await page.click('dialog [data-column="32"]');
    await page.click('dialog [data-column="32"]');
    await page.click('dialog .primary');
    await page.waitForFunction(() => document.querySelector('dialog .problem')?.textContent);
    page.wrong = page.wrong.filter((wrong) => !wrong.includes('422'));
    await world.leave(page);
  });
}
