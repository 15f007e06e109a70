// Boards from hints in rule sheets: every bundled game as its players know it.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, comes, status, turn } from './world.js';

export default function boards(world) {
  const open = async (name, body = {}, options) => world.table({ game: await world.sheetNamed(name), ...body }, options);
  const at = (x, y) => `.square[data-x="${x}"][data-y="${y}"]`;
  const turns = (page) => page.locator('.turn').evaluateAll((all) => all.map((one) => [...one.childNodes].filter((node) => node.className !== 'aloud').map((node) => node.textContent).join('')));
  const marked = (page, name) => page.$$eval(`.square.${name}`, (all) => all.map((one) => one.dataset.x + one.dataset.y).sort());

  test('hex is a rhombus of hexagons with coloured edges, and the winning chain is marked', async () => {
    const moves = [1, 2, 3, 4, 5, 6].flatMap((x) => [`(fill,${x},4)`, `(fill,${x},1)`]);
    const { page } = await open('hex', { turns: moves });
    assert.deepEqual((await page.$$eval('.edge', (all) => all.map((one) => one.getAttribute('class')))).sort(), ['edge blue', 'edge blue', 'edge red', 'edge red']);
    // Every row stands half a cell to the right of the one above, and cells of a row touch.
    const box = async (x, y) => page.locator(at(x, y)).boundingBox();
    const [a, b, c] = [await box(1, 1), await box(2, 1), await box(1, 2)];
    assert.ok(Math.abs(b.x - a.x - a.width) < 1 && Math.abs(c.x - a.x - a.width / 2) < 1 && c.y > a.y, JSON.stringify([a, b, c]));
    await turn(page, () => page.click(at(7, 4)));
    await page.waitForSelector('.square.won');
    assert.deepEqual(await marked(page, 'won'), ['14', '24', '34', '44', '54', '64', '74']);
    assert.equal((await turns(page)).at(-1), 'g4');
    await world.leave(page);
  });

  test('reversi is green, shows where a stone may be put, and marks the one that was', async () => {
    const { page } = await open('reversi');
    assert.deepEqual(await marked(page, 'open'), ['34', '43', '56', '65']);
    const dot = await page.locator(at(3, 4)).evaluate((cell) => getComputedStyle(cell, '::after').backgroundColor);
    assert.notEqual(dot, 'rgba(0, 0, 0, 0)', 'a legal cell is seen');
    await turn(page, () => page.click(at(3, 4)));
    assert.deepEqual(await marked(page, 'last'), ['34']);
    assert.deepEqual(await turns(page), ['c4']);
    // Row 1 is on top.
    assert.ok((await page.locator(at(1, 1)).boundingBox()).y < (await page.locator(at(1, 8)).boundingBox()).y);
    await world.leave(page);
  });

  test('chess has coordinates, is carried with the mouse, and is written as in books', async () => {
    const { page } = await open('chess');
    assert.deepEqual(await page.$$eval('.file', (all) => all.map((one) => one.dataset.name)), [...'abcdefgh']);
    assert.deepEqual(await page.$$eval('.rank', (all) => all.map((one) => one.dataset.name)), [...'87654321']);
    await turn(page, () => page.locator(at('e', 2)).dragTo(page.locator(at('e', 4))));
    assert.deepEqual(await marked(page, 'last'), ['e2', 'e4']);
    await page.click(at('g', 8));
    assert.deepEqual(await marked(page, 'reach'), ['f6', 'h6']);
    await turn(page, () => page.click(at('f', 6)));
    assert.deepEqual(await turns(page), ['e4', 'Nf6']);
    assert.ok((await page.locator('.move').allInnerTexts()).includes('Nc3'));
    // A piece that is let go where it cannot be is back where it was.
    await page.locator(at('b', 1)).dragTo(page.locator(at('b', 5)));
    assert.equal(await page.locator('.turn').count(), 2);
    assert.equal(await page.locator('.chosen').count(), 0);
    await world.leave(page);
  });

  test('a pawn that arrives is asked what it becomes', async () => {
    const moves = 'h2h4 g7g5 h4g5 h7h6 g5h6 a7a6 h6h7 a6a5'.split(' ').map((move) => `(move,${[...move].join()})`);
    const { page } = await open('chess', { turns: moves });
    await page.click(at('h', 7));
    await page.click(at('g', 8));
    await page.waitForSelector('.choice');
    assert.deepEqual((await page.locator('.choice span:last-child').allInnerTexts()).map((one) => one.toLowerCase()).sort(), ['bishop', 'knight', 'queen', 'rook']);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    assert.equal(await page.locator('.chosen').count(), 0, 'whoever chooses nothing may choose anew');
    await page.locator(at('h', 7)).dragTo(page.locator(at('g', 8)));
    await turn(page, () => page.click('.choice:has-text("queen")'));
    assert.equal((await turns(page)).at(-1), 'hxg8=Q');
    await world.leave(page);
  });

  test('seat 2 sees the board from its own side, and anybody can turn it', async () => {
    for (const [name, corner] of [['chess', 'h1'], ['breakthrough', '81'], ['checkers', '81']]) {
      const { page } = await open(name, { seats: ['random', 'human'], paused: true });
      const first = () => page.locator('.square').first().evaluate((cell) => cell.dataset.x + cell.dataset.y);
      assert.equal(await first(), corner, name);
      await page.click('.turn-board');
      await page.waitForFunction((corner) => { const { x, y } = document.querySelector('.square').dataset; return x + y !== corner; }, corner);
      await world.leave(page);
    }
  });

  test('checkers has the numbers of the books, and its moves are written with them', async () => {
    const { page } = await open('checkers');
    assert.equal(await page.locator('.book-number').count(), 32);
    await page.click(at(3, 3));
    await turn(page, () => page.click(at(4, 4)));
    assert.deepEqual(await turns(page), ['11-15']);
    await world.leave(page);
  });

  test('the winning line of connect four and tic-tac-toe is marked', async () => {
    const { page } = await open('connectfour', { turns: [1, 2, 1, 2, 1, 2].map((x) => `(drop,${x})`) });
    assert.equal(await page.locator('.look-holes').count(), 1);
    await turn(page, () => page.click(at(1, 6)));
    await page.waitForSelector('.square.won');
    assert.deepEqual(await marked(page, 'won'), ['11', '12', '13', '14']);
    await world.leave(page);
    const small = await open('tictactoe', { turns: ['(mark,1,1)', '(mark,2,1)', '(mark,1,2)', '(mark,2,2)', '(mark,1,3)'] });
    assert.deepEqual(await marked(small.page, 'won'), ['11', '12', '13']);
    assert.match(await small.page.locator(at(1, 1)).getAttribute('aria-label'), /^a1: x, won by this/);
    await world.leave(small.page);
  });

  test('nim is played on its heaps', async () => {
    const { page } = await open('nim');
    assert.deepEqual(await page.locator('.heap').evaluateAll((all) => all.map((one) => one.querySelectorAll('.heap-stone').length)), [3, 4, 5, 6]);
    await turn(page, () => page.locator('.heap').nth(3).locator('.heap-stone[data-left="2"]').click());
    await page.waitForFunction(() => document.querySelectorAll('.heap')[3].querySelectorAll('.heap-stone').length === 2);
    assert.deepEqual(await turns(page), ['d → 2']);
    await world.leave(page);
  });

  test('discs are carried from peg to peg, by pressing both or with the mouse, and a small one takes no larger', async () => {
    const { page } = await world.table({ game: await world.sheetNamed('towers') });
    const peg = (name) => page.locator(`.peg[data-peg=${name}]`);
    const discs = (name) => peg(name).locator('.peg-disc').evaluateAll((all) => all.map((one) => one.dataset.name));
    const stand = (wanted) => comes(async () => [await discs('left'), await discs('middle'), await discs('right')], wanted);
    await stand([['4', '3', '2', '1'], [], []]);
    assert.match(await status(page), /Choose a peg, then where its top disc goes/);
    await peg('left').click();
    await page.waitForSelector('.peg[data-peg=left][aria-pressed=true]');
    assert.equal(await page.locator('.peg.reach').count(), 2);
    await turn(page, () => peg('middle').click());
    await stand([['4', '3', '2'], ['1'], []]);
    await turn(page, () => peg('left').locator('.disc-top').dragTo(peg('right')));
    await stand([['4', '3'], ['1'], ['2']]);
    // Disc 2 may not lie on disc 1, and who presses elsewhere has chosen that instead.
    await peg('right').click();
    await page.waitForFunction(() => [...document.querySelectorAll('.peg.reach')].map((one) => one.getAttribute('data-peg')).join() === 'left');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('.peg.reach, .peg.chosen'));
    // Without a mouse, too.
    await peg('middle').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await turn(page, () => page.keyboard.press('Enter'));
    await stand([['4', '3'], [], ['2', '1']]);
    assert.deepEqual(await turns(page), ['left → middle', 'left → right', 'middle → right']);
    await world.leave(page);
  });

  test('numbers are counters, and a game without a board has large buttons', async () => {
    const { page } = await open('duel', { turns: ['load', 'load'] });
    assert.deepEqual(await page.locator('.counter').evaluateAll((all) => all.map((one) => `${one.querySelector('dt').textContent} ${one.querySelector('dd').textContent}`)), ['Bullets, left 1', 'Bullets, right 1', 'Round 2']);
    assert.deepEqual((await page.locator('.action').allInnerTexts()).map((word) => word.toLowerCase()).sort(), ['duck', 'load', 'shoot']);
    await turn(page, () => page.click('.action:has-text("duck")'));
    await world.leave(page);
    const lights = await open('lights');
    assert.equal(await lights.page.locator('.lamp').count(), 12);
    await turn(lights.page, () => lights.page.click(at(1, 1)));
    assert.match(await lights.page.locator('.counter').innerText(), /Presses of 15\s+1/);
    await world.leave(lights.page);
  });

  test('what lies beside the board is pressed, too: quarto from its rules', async () => {
    const { page } = await open('quarto');
    assert.equal(await page.locator('.shelf-piece').count(), 16);
    await turn(page, () => page.locator('.shelf-piece.open').nth(3).click());
    await turn(page, () => page.click(at(2, 2)));
    assert.equal(await page.locator(`${at(2, 2)} .quarto-piece`).count(), 1);
    assert.match(await page.locator(at(2, 2)).getAttribute('aria-label'), /^b2: dark tall round solid/);
    await world.leave(page);
  });

  test('a sheet of somebody else gets its board from its own hints, and a wrong hint is told', async () => {
    const hinted = readFileSync(join(ROOT, 'crates/gdl/games/tictactoe.kif'), 'utf8').replace('; terzo: columns letters', '; terzo: board green');
    const page = await world.visit(null);
    const table = await world.open(page.context(), { sheet: hinted });
    await page.goto(`${world.address}/t/${table.id}`);
    await page.waitForSelector('.look-green');
    await page.goto(`${world.address}/gdl`);
    await page.waitForSelector('.verdict.good, .verdict.bad');
    await page.fill('#sheet', hinted.replace('board green', 'board gren'));
    await page.waitForSelector('.problem-line.warning');
    assert.match(await page.locator('.problem-line.warning').innerText(), /board gren.*expected `board` and one of plain/s);
    await world.leave(page);
  });

  test('the tools stay where they are, however many moves there are', async () => {
    for (const name of ['reversi', 'tictactoe', 'nim', 'race']) {
      const { page } = await open(name, { seats: name === 'race' ? ['human', 'random', 'random'] : ['human', 'random'] });
      const where = async () => (await page.locator('.tools').boundingBox()).y;
      const before = await where();
      for (let i = 0; i < 3; i++) {
        await turn(page, () => page.locator('.square.open, .heap-stone.open, .action:enabled').first().click());
        await page.waitForFunction(() => /You move|win|draw|over/i.test(document.querySelector('.status strong')?.textContent ?? ''));
        assert.equal(await where(), before, `${name} after ${i + 1}`);
        if (/win|draw|over/i.test(await page.locator('.status strong').innerText())) break;
      }
      await world.leave(page);
    }
  });

  test('a position of a rule sheet is set up by hand, and a bad one is refused in words', async () => {
    const { page } = await open('tictactoe');
    await page.click('.tool-setup');
    await page.click('dialog .stamp[data-content=x]');
    await page.click(`dialog ${at(1, 1)}`);
    await page.click(`dialog ${at(2, 2)}`);
    await page.click('dialog .stamp[data-content=o]');
    await page.click(`dialog ${at(3, 3)}`);
    await page.click(`dialog ${at(2, 2)}`);
    await page.click(`dialog ${at(2, 2)}`);
    await page.selectOption('#setup-turn', '(control o)');
    assert.match(await page.inputValue('#setup-text'), /\(cell 3 3 o\)/);
    await page.click('dialog .primary');
    await page.waitForSelector('dialog', { state: 'detached' });
    const signs = await page.$$eval('.square.taken', (all) => all.map((one) => one.dataset.x + one.dataset.y + one.dataset.what).sort());
    assert.deepEqual(signs, ['11x', '33o']);
    assert.match(await page.locator('.seat.active').innerText(), /o · to move/);
    await page.click('.tool-setup');
    await page.fill('#setup-text', '(cell 9 9 x)');
    await page.locator('#setup-text').blur();
    await page.click('dialog .primary');
    await page.waitForFunction(() => /cell 9 9 x/.test(document.querySelector('dialog .problem')?.textContent ?? ''));
    page.wrong = page.wrong.filter((wrong) => !wrong.includes('422'));
    await world.leave(page);
  });
}
