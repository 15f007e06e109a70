// What the page says, and what it must not say.

import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { comes, status } from './world.js';

export default function words(world) {
  /** A server whose solver has no time. */
  let hasty;
  before(async () => (hasty = await world.another('--dev-solving', '0')));
  after(() => hasty.stop());

  const seat = (page, number) => page.locator(`.seat[data-seat="${number}"] :is(.seat-name, .seat-note)`).allInnerTexts();

  test('what a player does agrees with who it is', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'novice'] });
    assert.deepEqual(await seat(page, 1), ['You', 'give']);
    await page.locator('[data-piece="5"]').click();
    await comes(() => seat(page, 1), ['You', 'place']);
    await page.locator('.cell.open').first().click();
    await comes(() => seat(page, 1), ['You', 'give']);
    await world.leave(page);
    const two = await world.table({ game: 'quarto' });
    assert.deepEqual(await seat(two.page, 1), ['Player 1', 'gives']);
    await world.leave(two.page);
  });

  test('the end of a game is told once', async () => {
    const said = async (body) => {
      const { page } = await world.table(body);
      const words = await status(page);
      await world.leave(page);
      return words;
    };
    const row = ['-.0', 'a1.1', 'b1.2', 'c1.3', 'd1.-'];
    assert.equal(await said({ game: 'quarto', seats: ['perfect:level=1', 'human'], turns: row }), 'Beginner, level 1 wins Row 1 is complete: all round and solid.');
    assert.equal(await said({ game: 'quarto', seats: ['human', 'novice'], turns: row }), 'You win Row 1 is complete: all round and solid.');
    assert.equal(await said({ game: 'quarto-misere', turns: row }), 'Player 2 wins Row 1 is complete: all round and solid. Who completes a line loses.');
    assert.equal(await said({ game: 'quarto', position: 'c827/50a4/be93/1d6f -' }), 'A draw All sixteen pieces stand, and no line is complete.');
    assert.equal(await said({ game: 'tictactoe', turns: ['(mark,1,1)', '(mark,2,1)', '(mark,1,2)', '(mark,2,2)', '(mark,1,3)'] }), 'Player 1 wins x 100, o 0.');
  });

  test('the first piece is called that only on an empty board', async () => {
    const { page } = await world.table({ game: 'quarto', position: '3..8/.6../..d./2... -' });
    assert.match(await status(page), /Choose a piece for Player/);
    await world.leave(page);
    const empty = await world.table({ game: 'quarto' });
    assert.match(await status(empty.page), /Choose the first piece for Player 2/);
    await world.leave(empty.page);
  });

  test('what was done is announced with who did it, once', async () => {
    const { page } = await world.table({ game: 'quarto', turns: ['-.0', 'a1.1'] });
    const aloud = await page.locator('#aloud').innerText();
    assert.match(aloud, /^Player 2 placed the light short round solid piece on a1/);
    assert.doesNotMatch(aloud, /seat/);
    await world.leave(page);
  });

  test('a truth that took too long is not being found out any more', async () => {
    const { page } = await hasty.table({ game: 'quarto-torus' });
    await page.click('.tool-truth');
    await page.waitForFunction(() => /takes longer/.test(document.querySelector('.value-card')?.textContent ?? ''));
    assert.doesNotMatch(await page.locator('.value-card').innerText(), /Finding out|Stopped/);
    await hasty.leave(page);
  });

  test('turns that were not judged are called neither good nor bad', async () => {
    const page = await hasty.visit('/?game=quarto-misere&turns=-.1 a2.3 b3.5 c4.7 d1.9 a1.b');
    await page.click('text=Judge every turn so far');
    await page.waitForSelector('.accuracy');
    const verdict = await page.locator('.analysis').innerText();
    assert.match(verdict, /0 of 6 turns were judged/);
    assert.deepEqual(await page.locator('.accuracy small').allInnerTexts(), [' not judged', ' not judged']);
    assert.doesNotMatch(verdict, /no mistake|100/);
    await hasty.leave(page);
  });
}
