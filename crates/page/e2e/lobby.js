// The list of tables, and how tables come to be in it.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './world.js';

export default function lobby(world) {
  /** The line of a table in the list of a page that is opened anew. */
  async function line(page, table) {
    await page.goto(`${world.address}/`);
    await page.waitForSelector('.recent li');
    return page.locator('.recent li', { has: page.locator(`a[href="/t/${table.id}"]`) });
  }

  test('the list says which game it is, what is over, and who plays', async () => {
    const page = await world.visit('/');
    const open = (body) => world.open(page.context(), body);
    const over = await open({ game: 'quarto', seats: ['human', 'perfect:level=1'], turns: ['-.0', 'a1.1', 'b1.2', 'c1.3', 'd1.-'] });
    const running = await open({ game: 'quarto', seats: ['human', 'human'], turns: ['-.0'] });
    const sheet = await open({ game: 'gdl:quarto', turns: [] , seats: ['human', 'open'] });
    const pasted = await open({ sheet: readFileSync(join(ROOT, 'crates/gdl/games/duel.kif'), 'utf8'), seats: ['human', 'open'] });
    assert.match(await (await line(page, over)).innerText(), /Quarto\s[^]*you – Beginner, level 1[^]*5 turns, over/);
    assert.doesNotMatch(await (await line(page, running)).innerText(), /over/);
    assert.match(await (await line(page, running)).innerText(), /1 turn\b/);
    assert.match(await (await line(page, sheet)).innerText(), /Quarto, from its rules[^]*you – free seat/);
    assert.match(await (await line(page, pasted)).innerText(), /Duel: both decide at once/);
    await page.goto(`${world.address}/t/${pasted.id}`);
    assert.match(await page.locator('.about').innerText(), /Duel: both decide at once/, 'a pasted game is captioned by its own words');
    assert.match(await page.title(), /Duel/);
    await world.leave(page);
  });

  test('a table is deleted from the list by whose it is, after a question', async () => {
    const page = await world.visit('/');
    const mine = await world.open(page.context(), { game: 'quarto', turns: ['-.0'] });
    const theirs = await world.post('/api/tables', { game: 'quarto', turns: ['-.1'] });
    assert.equal(await (await line(page, theirs)).locator('button').count(), 0);
    const own = await line(page, mine);
    await own.locator('button').click();
    await page.click('dialog >> text=Cancel');
    assert.equal(await own.count(), 1);
    await own.locator('button').click();
    await page.click('dialog .confirm');
    await page.waitForSelector(`a[href="/t/${mine.id}"]`, { state: 'detached' });
    await page.goto(`${world.address}/t/${mine.id}`);
    await page.waitForSelector('.problem:has-text("there is no table")');
    page.wrong = page.wrong.filter((wrong) => !wrong.includes('404'));
    await world.leave(page);
  });

  test('a link that is followed again leads to the same table, until it was played on there', async () => {
    const page = await world.visit(null);
    const follow = async (link) => {
      await page.goto(world.address + link);
      await page.waitForSelector('.status strong');
      return page.url();
    };
    for (const link of ['/?game=quarto', '/?game=quarto-misere&turns=-.1%20a2.3', '/?game=stack4&turns=22']) {
      const first = await follow(link);
      assert.equal(await follow(link), first, link);
    }
    const link = '/?game=quarto&turns=-.1%20a2.3';
    const first = await follow(link);
    await page.locator('[data-cell=c3]').click();
    await page.locator('.tray-piece.open').first().click();
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 3);
    assert.notEqual(await follow(link), first, 'the link still shows the game it holds');
    assert.equal(await page.locator('.turn').count(), 2);
    await world.leave(page);
  });

  test('a position that cannot be is called that, not a turn', async () => {
    const { page } = await world.table({ game: 'quarto' });
    await page.click('.tool-share');
    await page.fill('#paste', '0000/..../..../.... 1');
    await page.click('dialog >> text=Open');
    await page.waitForFunction(() => document.querySelector('dialog .problem')?.textContent);
    assert.match(await page.locator('dialog .problem').innerText(), /piece 0/);
    page.wrong = page.wrong.filter((wrong) => !wrong.includes('422'));
    await world.leave(page);
  });
}
