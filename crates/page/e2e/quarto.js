// Quarto in the browser: whole games by mouse, by keyboard and by dragging; hint, undo, the truth, reload, setting up.

import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { playPerfect } from './hand.js';
import { TERZO, asked, status, turn } from './world.js';


export default function quarto(world) {
  const against = (level, more = {}) => world.table({ game: 'quarto', seats: ['human', `perfect:level=${level}`], ...more });

  test('a whole game of Quarto against the perfect player is played with the mouse', async () => {
    const page = await world.visit('/');
    await playPerfect(page, (turns) => turns % 3);
    assert.match(await status(page), /wins|draw/);
    assert.match(await page.locator('.seat').nth(1).innerText(), /won|draw/, 'a perfect player never loses a drawn game');
    await page.waitForSelector('.accuracy');
    assert.equal(await page.locator('.graph svg').count(), 1);
    const last = await page.locator('.turn').count();
    await page.locator('h1').first().focus().catch(() => {});
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('.past:not([hidden])');
    assert.match(await page.locator('.past span').innerText(), new RegExp(`After turn ${last - 1} of ${last}`));
    await world.leave(page);
  });

  test('a whole game of Quarto is played with the keyboard alone', async () => {
    const { page } = await against(3);
    const inside = (name) => page.evaluate((name) => document.activeElement?.classList.contains(name), name);
    for (let i = 0; i < 40 && !(await inside('tray-piece')); i++) await page.keyboard.press('Tab');
    assert.ok(await inside('tray-piece'), 'Tab reaches the pieces');
    await page.keyboard.press('ArrowRight');
    await turn(page, () => page.keyboard.press('Enter'));
    for (let turns = 0; await asked(page); turns++) {
      assert.ok(turns < 18, 'the game ends');
      assert.ok(await inside('cell'), 'the focus is on the board when it is our turn to place');
      const keys = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowUp'];
      for (const key of keys) {
        if (await inside('open')) break;
        await page.keyboard.press(key);
      }
      await turn(page, async () => {
        await page.keyboard.press('Enter');
        if (await inside('tray-piece')) await page.keyboard.press('Enter');
      });
    }
    assert.match(await status(page), /win|draw/i);
    assert.match(await page.locator('#aloud').innerText(), /win|draw/i, 'the result is read aloud');
    await world.leave(page);
  });

  test('pieces can be carried: from the tray to the hand, from the hand to a cell', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'human'] });
    await page.locator('[data-piece="5"]').dragTo(page.locator('.hand'));
    await page.waitForSelector('.held svg');
    await page.locator('.held').dragTo(page.locator('[data-cell=c2]'));
    assert.match(await status(page), /gives/);
    await page.locator('[data-piece="a"]').dragTo(page.locator('.hand'));
    await page.waitForSelector('.turn:has-text("c2")');
    await world.leave(page);
  });

  test('the truth on the board is what the solver says', async () => {
    const position = '3..8/.6../..d./2... 5';
    const { page } = await world.table({ game: 'quarto', position });
    await page.click('.tool-truth');
    await page.waitForFunction(() => document.querySelectorAll('.cell .worth:not(:empty)').length === 11 && !document.querySelector('.value-card progress'));
    const solved = JSON.parse(execFileSync(TERZO, ['solve', 'quarto', position, '--moves', '--json']));
    const rank = { win: 2, draw: 1, loss: 0 };
    const better = (a, b) => rank[a.value] - rank[b.value] || (a.value === 'win' ? b.plies - a.plies : a.plies - b.plies);
    const brief = ({ value, plies }) => (value === 'draw' ? '=' : `${value === 'win' ? '▲' : '▼'}${plies}`);
    const best = (moves) => moves.reduce((a, b) => (better(b, a) > 0 ? b : a));
    const cells = await page.$$eval('.cell', (all) => all.filter((one) => one.querySelector('.worth:not(:empty)')).map((one) => [one.dataset.cell, one.querySelector('.worth').textContent]));
    for (const [cell, shown] of cells) assert.equal(shown, brief(best(solved.moves.filter((move) => move.turn.startsWith(cell)))), cell);
    const [cell] = cells.find(([name]) => solved.moves.some((move) => move.turn.startsWith(name) && !move.turn.endsWith('-')));
    await page.click(`[data-cell=${cell}]`);
    const given = solved.moves.filter((move) => move.turn.startsWith(cell));
    await page.waitForFunction((count) => document.querySelectorAll('.tray-piece .worth:not(:empty)').length === count, given.length);
    const pieces = await page.$$eval('.tray-piece', (all) => all.filter((one) => one.querySelector('.worth:not(:empty)')).map((one) => [one.dataset.piece, one.querySelector('.worth').textContent]));
    for (const [piece, shown] of pieces) assert.equal(shown, brief(given.find((move) => move.turn.endsWith(piece))), `${cell}.${piece}`);
    await world.leave(page);
  });

  test('a hint names a turn and says why', async () => {
    const { page } = await world.table({ game: 'quarto', position: '37../.6../..d./2... f' });
    await page.click('.tool-hint');
    await page.waitForSelector('.hint-turn');
    assert.ok((await page.locator('.hint-card p').innerText()).length > 15);
    assert.equal(await page.locator('.spot.hinted').count(), 1, 'the cell is marked on the board');
    await world.leave(page);
  });

  test('undo takes back to the last choice, redo and restart work', async () => {
    const { page } = await against(4);
    await page.locator('.tray-piece.open').first().click();
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
    await asked(page);
    await page.click('.tool-undo');
    await page.waitForFunction(() => document.querySelectorAll('.undone').length === 2);
    assert.match(await status(page), /You give/);
    await page.keyboard.press('r');
    await page.waitForFunction(() => document.querySelectorAll('.undone').length === 0);
    await page.click('.tool-restart');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.turn').count(), 2, 'a running game is not given up by one click');
    await page.click('.tool-restart');
    await page.click('dialog .confirm');
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 0);
    await world.leave(page);
  });

  test('a reload in the middle of a game changes nothing', async () => {
    const { page } = await against(4);
    await page.locator('.tray-piece.open').nth(3).click();
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
    const before = await page.locator('.turn-list').innerText();
    await page.reload();
    await page.waitForSelector('.turn');
    assert.equal(await page.locator('.turn-list').innerText(), before);
    assert.ok(await asked(page));
    await world.leave(page);
  });

  test('a position is set up by hand and as text, and a bad one is refused in words', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'human'] });
    await page.click('.tool-setup');
    await page.click('dialog [data-piece="3"]');
    await page.click('dialog [data-cell=b2]');
    await page.click('dialog [data-piece="c"]');
    await page.click('.setup-hand');
    assert.equal(await page.inputValue('#setup-text'), '..../.3../..../.... c');
    await page.click('dialog .primary');
    await page.waitForSelector('dialog', { state: 'detached' });
    assert.match(await page.locator('[data-cell=b2]').getAttribute('aria-label'), /dark tall round solid/);
    await page.click('.tool-setup');
    await page.fill('#setup-text', '0246/..../..../.... f');
    await page.locator('#setup-text').blur();
    await page.click('dialog .primary');
    await page.waitForFunction(() => document.querySelector('dialog .problem')?.textContent);
    page.wrong = page.wrong.filter((wrong) => !wrong.includes('422'));
    await world.leave(page);
  });

  test('a game can be pasted and its link opens it again', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'human'] });
    await page.click('.tool-share');
    await page.fill('#paste', '-.0 a1.f b2.3 c3.5');
    await page.click('dialog >> text=Open');
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 4);
    await page.keyboard.press('c');
    const link = await page.inputValue('#copy-whole-game');
    const other = await world.visit(link.replace(world.address, ''));
    await other.waitForFunction(() => document.querySelectorAll('.turn').length === 4);
    await world.leave(other);
    await world.leave(page);
  });

  test('two programs are watched, paused and let go on', async () => {
    const { page } = await world.table({ game: 'quarto-squares', seats: ['novice', 'perfect:level=5'], pace_ms: 400 });
    await page.waitForFunction(() => document.querySelectorAll('.turn').length >= 2);
    await page.click('.tool-pause');
    await page.waitForSelector('.tool-pause:has-text("Go on")');
    const turns = await page.locator('.turn').count();
    await page.waitForTimeout(900);
    assert.equal(await page.locator('.turn').count(), turns);
    await page.click('.tool-pause');
    await page.waitForFunction((count) => document.querySelectorAll('.turn').length > count, turns);
    await world.leave(page);
  });

  test('the board is seen from above, and that is remembered', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'human'], position: '3..8/.6../..d./2... 5' });
    assert.equal(await page.locator('.board.above').count(), 0);
    await page.click('.tool-above');
    await page.waitForSelector('.board.above');
    assert.deepEqual(await page.$$eval('.board .piece', (all) => all.map((one) => one.getAttribute('href')).sort()), ['#top-2', '#top-3', '#top-6', '#top-8', '#top-d']);
    // Cells are square, and a press in the middle of one is a placement there.
    const box = await page.locator('[data-cell=c2]').boundingBox();
    assert.ok(Math.abs(box.width - box.height) < 1.5, JSON.stringify(box));
    await page.reload();
    await page.waitForSelector('.board.above');
    await page.click('[data-cell=c2]');
    await page.waitForSelector('.piece.pending');
    await page.keyboard.press('v');
    await page.waitForSelector('.board:not(.above)');
    await world.leave(page);
  });

  test('a press on the top of a tall piece hits that piece, not the cell behind it', async () => {
    // Tall pieces, a round and a square one, stand on b2 and c2; the cells behind them are free.
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'human'], position: '..../.26./..../.... 5' });
    for (const [cell, behind] of [['b2', 'b1'], ['c2', 'c1']]) {
      const [own, back] = [await page.locator(`[data-cell=${cell}]`).boundingBox(), await page.locator(`[data-cell=${behind}]`).boundingBox()];
      // The top of a tall piece is 58 of 80 parts of a row above its foot.
      const top = { x: own.x + own.width / 2, y: own.y + own.height * (0.5 - 58 / 80) };
      assert.ok(top.y < back.y + back.height && top.y > back.y, 'it is drawn over the cell behind');
      const hit = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('.cell')?.dataset.cell, top);
      assert.equal(hit, cell);
      await page.mouse.click(top.x, top.y);
      assert.equal(await page.locator('.piece.pending').count(), 0, 'nothing is placed');
      await page.click(`[data-cell=${behind}]`);
      await page.waitForSelector('.piece.pending');
      await page.keyboard.press('Escape');
    }
    await world.leave(page);
  });
}
