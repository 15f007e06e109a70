// What teaches: the lesson, the rules, one's own mistakes, an analysis that is stopped half way.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { TERZO } from './world.js';

const GAME = '-.7 b2.8 d3.a c2.2 d1.e b4.f d2.d d4.c c1.0 c4.9 a2.5 b1.b a3.1 c3.4 b3.-'.split(' ');

export default function learn(world) {
  const said = (page, pattern) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector('.lesson .verdict')?.textContent ?? ''), pattern);
  const next = (page) => page.click('.next-step');

  test('the lesson is walked from the pieces to the end, and remembered', async () => {
    const page = await world.visit('/learn', { reducedMotion: 'reduce' });
    await page.waitForSelector('.lesson .cell');
    await page.click('.tray-piece[data-piece="4"]');
    await said(page, 'Both are');
    await page.click('.tray-piece[data-piece="a"]');
    await said(page, 'differ in all four');
    await next(page);
    await page.click('[data-cell=a4]');
    await said(page, 'No line there');
    await page.click('text=Try again');
    await page.click('[data-cell=c1]');
    await said(page, 'Row 1 is complete: all hollow');
    await next(page);
    await page.click('.tray-piece[data-piece="0"]');
    await said(page, 'Now place');
    await page.click('[data-cell=a1]');
    await page.click('.tray-piece[data-piece="5"]');
    await said(page, 'That is a turn');
    await page.reload();
    await page.waitForSelector('text=Step 4 of 6');
    await page.click('.tray-piece[data-piece="3"]');
    await said(page, 'completes a line');
    await page.waitForSelector('.spot.lit');
    await page.click('text=Try again');
    await page.click('.tray-piece[data-piece="0"]');
    await said(page, 'Safe');
    await next(page);
    for (const turn of LESSON.trap) await choose(page, turn);
    await said(page, 'Nothing was safe');
    await next(page);
    for (const turn of LESSON.parity) await choose(page, turn);
    await said(page, 'counted better');
    assert.equal(await page.locator('.lesson-steps button:has-text("✓")').count(), 6);
    await next(page);
    await page.waitForSelector('.table .board');
    await world.leave(page);
  });

  /** What is played in the last two steps: the answers, and what completes the line after the longest defence. */
  const LESSON = { trap: ['a2.0', 'b2.-'], parity: ['c3.2', 'a1.f', 'b3.-'] };

  /** Makes a turn on a desk. */
  async function choose(page, turn, where = '') {
    const [cell, piece] = turn.split('.');
    if (cell !== '-') await page.click(`${where}.cell.open[data-cell=${cell}]`);
    if (piece !== '-') await page.click(`${where}.tray-piece.open[data-piece="${piece}"]`);
  }

  test('the rules of every game have a page with pictures, and a door from its tables', async () => {
    const { games } = await world.get('/api/games');
    const page = await world.visit('/rules');
    await page.waitForSelector('.rules-list');
    assert.equal(await page.locator('.rules-list a').count(), games.length);
    for (const [name, shapes] of [['quarto', 3], ['quarto-squares', 4], ['quarto-squares-only', 1], ['quarto-torus-misere', 6]]) {
      await page.goto(`${world.address}/rules/${name}`);
      await page.waitForSelector('.line-pictures');
      assert.equal(await page.locator('.line-pictures figure').count(), shapes, name);
      assert.equal(await page.locator('text=Who completes a line loses').count(), name.endsWith('misere') ? 1 : 0, name);
    }
    for (const [name, words] of [['stack4', /pays 100 points/], [await world.sheetNamed('tictactoe'), /./]]) {
      await page.goto(`${world.address}/rules/${encodeURIComponent(name)}`);
      await page.waitForSelector('.rules-body');
      assert.match(await page.locator('.rules-body').innerText(), words);
    }
    await world.leave(page);
    const { page: table } = await world.table({ game: 'quarto-squares' });
    await table.click('.tool-rules');
    await table.waitForSelector('dialog .line-pictures');
    assert.match(await table.locator('dialog h2').first().innerText(), /Rules of Quarto, squares/);
    await world.leave(table);
  });

  test('each mistake of a game is a puzzle: a wrong try is refuted, a right one keeps the value', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'human'], turns: GAME }, { reducedMotion: 'reduce' });
    await page.waitForSelector('.accuracy');
    const mistakes = await page.locator('.mistakes li').count();
    assert.ok(mistakes > 0);
    assert.doesNotMatch(await page.locator('.mistakes').innerText(), /Better: \w\d\.\w/, 'pieces are drawn, not numbered');
    await page.locator('.mistakes button').last().click();
    await page.waitForSelector('.why .line-of-play li');
    await page.click('.learn-mistakes');
    await page.waitForSelector('dialog .cell.open');
    assert.match(await page.locator('.drill-words').innerText(), new RegExp(`Mistake 1 of ${mistakes}`));
    const { turns } = JSON.parse(execFileSync(TERZO, ['analyse', 'quarto', GAME.join(' '), '--json']));
    const first = turns.find((turn) => turn.mistake);
    await choose(page, first.turn, 'dialog ');
    await page.waitForSelector('dialog .verdict.bad');
    await page.waitForSelector('dialog .line-of-play li');
    await page.click('dialog >> text=Try again');
    await choose(page, first.best[0], 'dialog ');
    await page.waitForSelector('dialog .verdict.good');
    assert.equal(await page.locator('.next-mistake').count(), mistakes > 1 ? 1 : 0);
    await world.leave(page);
  });

  test('an analysis stopped half way says how far it came, and judges nothing else', async () => {
    const page = await world.visit('/?game=quarto-misere&turns=-.1 a2.3 b3.5 c4.7 d1.9 a1.b');
    await page.click('text=Judge every turn so far');
    await page.waitForSelector('.judging');
    assert.match(await page.locator('.judging').innerText(), /\d of 6 turns judged/);
    await page.click('.stop-judging');
    await page.waitForFunction(() => /Stopped: \d of 6 turns were judged/.test(document.querySelector('.analysis')?.textContent ?? ''));
    assert.doesNotMatch(await page.locator('.analysis').innerText(), /no mistake|100 %/);
    assert.equal(await page.locator('.judging').count(), 0);
    await world.leave(page);
  });

  test('the openings are explored from the truth, turn by turn', async () => {
    const { page } = await world.table({ game: 'quarto', turns: ['-.0'] });
    await page.click('.tool-truth');
    await page.click('text=Explore the openings');
    await page.waitForSelector('.branches tbody tr');
    const told = JSON.parse(execFileSync(TERZO, ['explore', 'quarto', '-.0', '--json']));
    assert.equal(await page.locator('.branches tbody tr').count(), told.branches.length);
    assert.equal(await page.locator('.branches tbody tr').first().locator('td').nth(2).innerText(), String(told.branches[0].turns));
    await page.locator('.branch').first().click();
    await page.waitForFunction(() => document.querySelectorAll('.opening-path li').length === 3);
    assert.match(await page.locator('.explorer [data-cell=a1]').getAttribute('aria-label'), /light short round solid/);
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('.opening-path li').length === 2);
    await world.leave(page);
  });
}
