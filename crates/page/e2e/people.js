// What people do at a table besides playing: names, questions, giving up, clocks; and a server that goes and comes back.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { asked, status, turn, turns } from './world.js';

/** Waits until the page says something. */
const says = (page, words) => page.waitForFunction((words) => document.querySelector('.status')?.textContent?.includes(words), words);

/** Plays a turn of Quarto for who is asked. */
const quartoTurn = (page) => turn(page, async () => {
  if (await page.locator('.cell.open').count()) await page.locator('.cell.open').first().click();
  if (await page.locator('.tray-piece.open').count()) await page.locator('.tray-piece.open').last().click();
});

/** A request that a browser makes beside its page. */
const post = (world, page, path, data) => page.request.post(`${world.address}${path}`, { data, headers: { Origin: world.address } });

/** A table behind a token: Anna has opened it, Ben sat down, Carla watches. */
async function withTwoAndWhoWatches(open, token, body) {
  const visitor = (path) => open.visit(`${path}?token=${token}`);
  const anna = await visitor('/');
  const table = await (await post(open, anna, '/api/tables', body)).json();
  await anna.goto(`${open.address}/t/${table.id}`);
  const ben = await visitor(`/t/${table.id}`);
  await ben.click('.sit');
  await ben.waitForSelector('.sit', { state: 'detached' });
  const carla = await visitor(`/t/${table.id}`);
  await carla.waitForSelector('.watching');
  return { table, anna, ben, carla };
}

export default function people(world) {
  test('people have names, and the invitation is a picture, too', async () => {
    const { page: anna, table } = await world.table({ game: 'quarto', seats: ['human', 'open'] });
    await anna.fill('#seat-name', 'Anna');
    await anna.press('#seat-name', 'Tab');
    await anna.click('.show-qr');
    await anna.waitForFunction(() => document.querySelector('dialog img.qr')?.naturalWidth > 0);
    await anna.keyboard.press('Escape');
    const ben = await world.visit(`/t/${table.id}`);
    await ben.fill('#seat-name', 'Ben');
    await ben.click('.sit');
    const called = (page, seat, name) => page.waitForFunction(([seat, name]) => document.querySelector(`.seat[data-seat="${seat}"] .seat-name`)?.textContent === name, [seat, name]);
    await called(ben, 1, 'Anna');
    await called(ben, 2, 'You');
    await called(anna, 2, 'Ben');
    const carla = await world.visit(`/t/${table.id}`);
    await called(carla, 1, 'Anna');
    await called(carla, 2, 'Ben');
    // The name is remembered for the next table.
    const { page: again } = await world.table({ game: 'stack4', seats: ['human', 'open'] }, { context: ben.context() });
    assert.equal(await again.inputValue('#seat-name'), 'Ben');
    for (const page of [anna, ben, carla]) await world.leave(page);
  });

  test('a turn is taken back when the other agrees, and stays when not', async () => {
    const { anna, ben, carla } = await world.friends('quarto');
    await anna.locator('[data-piece="5"]').click();
    await turns(ben, 1);
    await anna.click('.tool-undo');
    await carla.waitForSelector('.proposal:has-text("Player 1 asks to take turns back.")');
    assert.equal(await carla.locator('.proposal button').count(), 0, 'who watches is not asked');
    await ben.click('.decline');
    await anna.waitForSelector('.note:has-text("does not agree")');
    assert.equal(await anna.locator('.undone').count(), 0);
    await anna.click('.tool-undo');
    await ben.click('.agree');
    for (const page of [anna, ben, carla]) await page.waitForFunction(() => document.querySelectorAll('.undone').length === 1);
    // Who plays on has said no.
    await anna.locator('[data-piece="6"]').click();
    await turns(ben, 1);
    await anna.click('.tool-draw');
    await ben.waitForSelector('.proposal:has-text("offers a draw")');
    await quartoTurn(ben);
    await anna.waitForSelector('.proposal', { state: 'hidden' });
    for (const page of [anna, ben, carla]) await world.leave(page);
  });

  test('a draw is agreed, a new game too, and who resigns has lost', async () => {
    const { anna, ben, carla } = await world.friends('stack4');
    await anna.locator('.column.open').first().click();
    await turns(ben, 1);
    await ben.click('.tool-draw');
    await anna.click('.agree');
    for (const page of [anna, ben, carla]) await says(page, 'The players agreed to a draw.');
    await anna.click('text=Play again');
    await ben.click('.agree');
    for (const page of [anna, ben, carla]) await turns(page, 0);
    await anna.locator('.column.open').first().click();
    await turns(ben, 1);
    await anna.click('.tool-resign');
    await anna.click('dialog .confirm');
    await says(anna, 'You resigned.');
    await says(ben, 'You win');
    await says(carla, 'Player 1 resigned.');
    for (const page of [anna, ben, carla]) await world.leave(page);
  });

  test('a clock runs out at the server, whoever looks', async () => {
    const { anna, ben, carla } = await world.friends('quarto', { clock: { base_ms: 2000, increment_ms: 0 } });
    assert.equal(await anna.locator('.seat-clock').count(), 2);
    await anna.locator('[data-piece="5"]').click();
    await says(ben, 'Your time is up.');
    await says(anna, 'The time of Player 2 is up.');
    await says(carla, 'Player 1 wins');
    assert.equal(await ben.locator('.cell.open').count(), 0);
    assert.match(await carla.locator('.seat[data-seat="2"] .seat-clock').innerText(), /^0:00/);
    for (const page of [anna, ben, carla]) await world.leave(page);
  });

  test('with a token and clocks, two play and one watches while the server goes and comes back: nothing is lost or told', async () => {
    const token = 'a-token-that-stays-0123456789';
    const open = await world.withToken(token);
    assert.equal(new URL(open.said.match(/http:\/\/\S+/)[0]).searchParams.get('token'), token);
    const { table, anna, ben, carla } = await withTwoAndWhoWatches(open, token, { game: 'duel', seats: ['human', 'open'], clock: { base_ms: 3_600_000, increment_ms: 1000 } });
    await anna.click('[data-turn=load]');
    for (const page of [ben, carla]) await turns(page, 1);

    await open.close();
    for (const page of [anna, ben, carla]) await page.waitForSelector('.connection:not([hidden])');
    await open.reopen();
    for (const page of [anna, ben, carla]) await page.waitForSelector('.connection', { state: 'hidden' });
    // What Anna chose before is still hidden, and Ben still has his seat and his clock.
    for (const page of [anna, ben, carla]) {
      assert.match(await page.locator('.turn').innerText(), /chosen/);
      const told = await (await page.request.get(`${open.address}/api/tables/${table.id}`)).text();
      assert.ok(!/"turns":\["load"|"turn":"load"/.test(told), told);
      assert.ok(!told.includes(token), 'the table does not tell the token');
    }
    const clock = (await (await carla.request.get(`${open.address}/api/tables/${table.id}`)).json()).clock;
    assert.equal(clock.running, 2);
    assert.ok(clock.left_ms[1] > 3_000_000, `${clock.left_ms}`);
    assert.equal((await post(open, carla, `/api/tables/${table.id}/turns`, { turn: 'duck', ply: 1 })).status(), 403);
    // Both at once: the same turn twice is played once, and a second one is refused.
    const both = await Promise.all(['duck', 'duck'].map((turn) => post(open, ben, `/api/tables/${table.id}/turns`, { turn, ply: 1 })));
    assert.ok(both.every((answer) => answer.ok()));
    for (const page of [anna, ben, carla]) {
      await turns(page, 2);
      assert.deepEqual((await page.locator('.turn').allInnerTexts()).map((words) => words.trim().split(/\s+/).at(-1)), ['load', 'duck']);
    }
    assert.ok(await asked(anna));
    for (const page of [anna, ben, carla]) {
      // A browser says so itself when a server is gone.
      page.wrong = page.wrong.filter((wrong) => !/ERR_|Failed to load|403/.test(wrong));
      await open.leave(page);
    }
    open.stop();
  });

  test('with a token and who watches, both move at once, the server goes and comes back, and time runs out: nothing is lost or told', async () => {
    const token = 'another-token-that-stays-987654';
    const open = await world.withToken(token);
    const { table, anna, ben, carla } = await withTwoAndWhoWatches(open, token, { game: 'quarto', seats: ['human', 'open'], clock: { base_ms: 5000, increment_ms: 0 } });
    const pages = [anna, ben, carla];
    const path = `/api/tables/${table.id}`;
    const seen = await (await carla.request.get(open.address + path)).json();
    // All three at once, and Anna from two tabs: one turn counts, all others are told why theirs does not.
    const turn = (page, turn) => post(open, page, `${path}/turns`, { turn, ply: 0, version: seen.version });
    const codes = (await Promise.all([turn(anna, '-.5'), turn(ben, '-.7'), turn(carla, '-.8'), turn(anna, '-.6')])).map((answer) => answer.status());
    assert.equal(codes.filter((code) => code === 200).length, 1, `${codes}`);
    assert.deepEqual([codes[1], codes[2]], [409, 403]);
    // Ben's clock runs. While the server is away it stands, and then it runs out.
    await open.close();
    for (const page of pages) await page.waitForSelector('.connection:not([hidden])');
    await open.reopen();
    for (const page of pages) await page.waitForSelector('.connection', { state: 'hidden' });
    await says(ben, 'Your time is up.');
    await says(anna, 'The time of Player 2 is up.');
    await says(carla, 'Player 1 wins');
    const late = await post(open, ben, `${path}/turns`, { turn: 'a1.1', ply: 1 });
    assert.equal(late.status(), 409);
    for (const page of pages) {
      await turns(page, 1);
      const told = await (await page.request.get(open.address + path)).json();
      assert.deepEqual([told.turns, told.clock.left_ms[1], told.outcome.how], [[codes[0] === 200 ? '-.5' : '-.6'], 0, 'time']);
      assert.ok(!JSON.stringify(told).includes(token), 'the table does not tell the token');
    }
    const stranger = await fetch(open.address + path);
    assert.equal(stranger.status, 401, 'who has no token is told nothing');
    for (const page of pages) {
      // A browser says so itself when a server is gone, or refuses.
      page.wrong = page.wrong.filter((wrong) => !/ERR_|Failed to load/.test(wrong));
      await open.leave(page);
    }
    open.stop();
  });

  test('sounds are off until they are switched on, boards and pieces are chosen, and all is remembered', async () => {
    const page = await world.visit('/');
    await page.click('#settings');
    assert.equal(await page.isChecked('#sound'), false);
    await page.check('#sound');
    await page.selectOption('#board-look', 'slate');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.board), 'slate');
    await page.selectOption('#piece-look', 'marble');
    await page.waitForFunction(() => document.querySelector('.lobby') && !document.querySelector('dialog'));
    await page.click('#settings');
    assert.equal(await page.isChecked('#sound'), true);
    assert.deepEqual([await page.inputValue('#board-look'), await page.inputValue('#piece-look')], ['slate', 'marble']);
    await page.click('dialog a[href="/api"]');
    await page.waitForSelector('.reference h3');
    assert.match(await page.locator('.reference').innerText(), /\/api\/tables\/\{id\}\/resign/);
    await world.leave(page);
  });

  test('the winner has a moment, but nothing moves for who wants that', async () => {
    for (const [reducedMotion, papers] of [['no-preference', true], ['reduce', false]]) {
      const { page } = await world.table({ game: 'quarto', turns: ['-.0', 'a1.1', 'b1.2', 'c1.3'] }, { reducedMotion });
      await page.evaluate(() => new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
        if (node instanceof Element && node.matches('.burst')) document.body.dataset.burst = 'yes';
      }))).observe(document.body, { childList: true }));
      await page.click('[data-cell=d1]');
      await says(page, 'Player 1 wins');
      assert.equal(await page.evaluate(() => document.body.dataset.burst === 'yes'), papers, reducedMotion);
      await world.leave(page);
    }
  });

  test('nobody plays on after the end of the game, and it stands in the list as over', async () => {
    const { page, table } = await world.table({ game: 'quarto', seats: ['human', 'novice'], turns: ['-.0'], paused: true });
    await page.click('.tool-resign');
    await page.click('dialog .confirm');
    await says(page, 'You resigned.');
    assert.match(await status(page), /Novice wins/);
    assert.ok(await page.locator('.tool-draw').isDisabled());
    const { tables } = await (await page.request.get(`${world.address}/api/tables`)).json();
    assert.equal(tables.find((one) => one.id === table.id).over, true);
    await world.leave(page);
  });
}
