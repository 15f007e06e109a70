// Two people at two screens, and who watches them: seats belong to somebody.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { asked, status, turn, turns } from './world.js';

/** What a page's own server tells it. */
const told = (page, id, rest = '') => page.evaluate(async (path) => (await fetch(path)).text(), `/api/tables/${id}${rest}`);

export default function seats(world) {
  const friends = (game, more) => world.friends(game, more);

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
    const { anna, ben, carla, id } = await friends('quarto');
    await anna.locator('[data-piece="5"]').click();
    await turns(ben, 1);
    // What Anna asks for and what Ben plays are on their way at the same time: the server hears Ben first, and Anna is told.
    const seen = (await (await anna.request.get(`${world.address}/api/tables/${id}`)).json()).version;
    await ben.locator('[data-cell=c2]').click();
    await ben.locator('[data-piece="a"]').click();
    await turns(ben, 2);
    const late = await anna.request.post(`${world.address}/api/tables/${id}/undo`, { data: { version: seen }, headers: { Origin: world.address } });
    assert.equal(late.status(), 409);
    assert.match(await late.text(), /somebody else was faster/);
    for (const page of [anna, ben, carla]) {
      await turns(page, 2);
      assert.equal(await page.locator('.undone').count(), 0);
      assert.match(await page.locator('[data-cell=c2]').getAttribute('aria-label'), /dark short square solid/, 'the piece stands');
    }
    for (const page of [anna, ben, carla]) await world.leave(page);
  });

  test('a turn on its way counts although the other sits down meanwhile', async () => {
    const { page: anna, table } = await world.table({ game: 'quarto', seats: ['human', 'open'] });
    let goOn;
    const held = new Promise((done) => (goOn = done));
    await anna.route('**/turns', async (route) => {
      await held;
      await route.fallback();
    });
    const sent = anna.waitForRequest('**/turns');
    await anna.locator('[data-piece="5"]').click();
    await sent;
    const ben = await world.visit(`/t/${table.id}`);
    await ben.click('.sit');
    await ben.waitForSelector('.sit', { state: 'detached' });
    goOn();
    for (const page of [anna, ben]) await turns(page, 1);
    assert.equal(await anna.locator('.note').count(), 0, 'nothing was refused');
    for (const page of [anna, ben]) await world.leave(page);
  });

  test('a running game at one screen is not given up by one click', async () => {
    const { page } = await world.table({ game: 'stack4' });
    await page.locator('.column.open').first().click();
    await turns(page, 1);
    await page.click('.tool-restart');
    assert.match(await page.locator('dialog').innerText(), /A game of 1 turn is on the table/);
    await page.click('dialog >> text=Cancel');
    await turns(page, 1);
    await page.click('.tool-restart');
    await page.click('dialog .confirm');
    await turns(page, 0);
    await world.leave(page);
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
