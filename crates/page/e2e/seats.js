// Two people at two screens, and who watches them: seats belong to somebody.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { asked, status, turn } from './world.js';

/** The number of turns on the screen. */
const turns = (page, count) => page.waitForFunction((count) => document.querySelectorAll('.turn').length === count, count);

/** What a page's own server tells it. */
const told = (page, id, rest = '') => page.evaluate(async (path) => (await fetch(path)).text(), `/api/tables/${id}${rest}`);

export default function seats(world) {
  /** A table where Anna sits, Ben has followed her link and sat down, and Carla watches. */
  async function friends(game, more = {}) {
    const { page: anna, table } = await world.table({ game, seats: ['human', 'open'], ...more });
    const link = await anna.inputValue('#copy-invitation');
    const ben = await world.visit(link.replace(world.address, ''));
    await ben.click('.sit');
    await ben.waitForSelector('.sit', { state: 'detached' });
    await anna.waitForSelector('.offer', { state: 'hidden' });
    const carla = await world.visit(`/t/${table.id}`);
    await carla.waitForSelector('.watching');
    return { anna, ben, carla, id: table.id };
  }

  test('two browsers play a whole game, each its own seat, and a third only watches', async () => {
    const { anna, ben, carla } = await friends('quarto');
    assert.equal(await carla.locator('.sit').count(), 0, 'no seat is free');
    for (const tool of ['undo', 'redo', 'restart', 'swap', 'setup']) assert.ok(await carla.locator(`.tool-${tool}`).isDisabled(), tool);
    let mine = anna, theirs = ben;
    for (let played = 0; await asked(mine); played++) {
      assert.ok(played < 18, 'the game ends');
      assert.equal(await theirs.locator('.cell.open, .tray-piece.open').count(), 0, 'nobody moves for the other');
      await turn(mine, async () => {
        if (await mine.locator('.cell.open').count()) await mine.locator('.cell.open').first().click();
        if (await mine.locator('.tray-piece.open').count()) await mine.locator('.tray-piece.open').last().click();
      });
      for (const page of [theirs, carla]) await turns(page, played + 1);
      assert.equal(await carla.locator('.cell.open, .tray-piece.open').count(), 0, 'who watches moves nothing');
      [mine, theirs] = [theirs, mine];
    }
    const results = [];
    for (const page of [anna, ben, carla]) results.push(await status(page));
    assert.match(results[2], /Player [12] wins|A draw/);
    if (/wins/.test(results[2])) assert.equal(results.filter((one) => /^You win/.test(one)).length, 1);
    for (const page of [anna, ben, carla]) await world.leave(page);
  });

  test('of two who act at once one is told, and no piece vanishes', async () => {
    const { anna, ben, carla } = await friends('quarto');
    await anna.locator('[data-piece="5"]').click();
    await turns(ben, 1);
    await anna.click('.tool-undo');
    await anna.waitForSelector('dialog .confirm');
    await ben.locator('[data-cell=c2]').click();
    await ben.locator('[data-piece="a"]').click();
    await turns(ben, 2);
    await turns(anna, 2);
    await anna.click('dialog .confirm');
    await anna.waitForSelector('.note:has-text("Somebody else was faster")');
    for (const page of [anna, ben, carla]) {
      assert.equal(await page.locator('.undone').count(), 0);
      assert.match(await page.locator('[data-cell=c2]').getAttribute('aria-label'), /dark short square solid/, 'the piece stands');
    }
    // Asked for again, it is done, and both see it.
    await anna.click('.tool-undo');
    await anna.click('dialog .confirm');
    await ben.waitForFunction(() => document.querySelectorAll('.undone').length === 1);
    anna.wrong = anna.wrong.filter((wrong) => !wrong.includes('409'));
    for (const page of [anna, ben, carla]) await world.leave(page);
  });

  test('a running game is given up only by who plays it, and not by one click', async () => {
    const { anna, ben, carla } = await friends('stack4');
    await anna.locator('.column.open').first().click();
    await turns(ben, 1);
    await ben.click('.tool-restart');
    assert.match(await ben.locator('dialog').innerText(), /A game of 1 turn is on the table, and the other player has not been asked/);
    await ben.click('dialog >> text=Cancel');
    await turns(anna, 1);
    await ben.click('.tool-restart');
    await ben.click('dialog .confirm');
    await turns(anna, 0);
    for (const page of [anna, ben, carla]) await world.leave(page);
  });

  test('two friends at one screen play as before, without a word about seats', async () => {
    const { page } = await world.table({ game: 'quarto' });
    assert.ok(await page.locator('.offer').isHidden());
    await page.locator('[data-piece="5"]').click();
    await page.locator('[data-cell=c2]').click();
    await page.locator('[data-piece="a"]').click();
    await turns(page, 2);
    await page.click('.tool-undo');
    await page.waitForFunction(() => document.querySelectorAll('.undone').length === 1);
    assert.match(await status(page), /Player 2 places/);
    await world.leave(page);
  });

  test('seats are kept over a reload, and a seat can be given to somebody else', async () => {
    const { page: anna, table } = await world.table({ game: 'stack4' });
    await anna.click('.seat[data-seat="2"]');
    await anna.selectOption('dialog .picker select >> nth=1', 'open');
    await anna.click('dialog .primary');
    await anna.waitForSelector('#copy-invitation');
    const ben = await world.visit(`/t/${table.id}`);
    await ben.click('.seat[data-seat="2"]');
    await ben.waitForSelector('.offer', { state: 'hidden' });
    await ben.reload();
    await ben.waitForFunction(() => /You/.test(document.querySelector('.seat[data-seat="2"]')?.textContent ?? ''));
    await anna.reload();
    await anna.waitForFunction(() => /Player 2/.test(document.querySelector('.seat[data-seat="2"]')?.textContent ?? ''));
    await anna.click('.seat[data-seat="2"]');
    assert.match(await anna.locator('dialog').innerText(), /somebody at another screen/);
    await anna.keyboard.press('Escape');
    for (const page of [anna, ben]) await world.leave(page);
  });

  test('what two choose at the same time is told when both have chosen', async () => {
    const { anna, ben, carla, id } = await friends(await world.sheetNamed('duel'));
    await anna.click('[data-turn=load]');
    for (const page of [anna, ben, carla]) {
      await turns(page, 1);
      assert.match(await page.locator('.turn').innerText(), /chosen/);
      assert.equal((await page.locator('.turn-list, .status, .seat, #aloud').allInnerTexts()).filter((words) => /load/.test(words)).length, 0);
      for (const rest of ['', '/at/1', '/record']) {
        const words = await told(page, id, rest);
        assert.ok(!/"turns":\["load"|"left":"load"|"turn":"load"|\/ load|^load/m.test(words), `${rest}: ${words}`);
      }
    }
    assert.match(await status(anna), /You have chosen/);
    assert.ok(await asked(ben));
    await ben.click('[data-turn=duck]');
    for (const page of [anna, ben, carla]) {
      await turns(page, 2);
      assert.deepEqual((await page.locator('.turn').allInnerTexts()).map((words) => words.trim().split(/\s+/).at(-1)), ['load', 'duck']);
    }
    for (const page of [anna, ben, carla]) await world.leave(page);
  });
}
