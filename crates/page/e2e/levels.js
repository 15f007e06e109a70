// Levels with names: the same slider for every game.

import { test } from 'node:test';
import assert from 'node:assert/strict';

export default function levels(world) {
  test('every game for two or more has levels, and the slider names them from Beginner to the strongest', async () => {
    const { games } = await world.get('/api/games');
    for (const game of games) {
      if (game.seats > 1) assert.ok(game.levels.length >= 8, game.name);
      else assert.deepEqual(game.levels, [], game.name);
    }
    const page = await world.visit('/');
    for (const [card, last] of [['quarto', 'Perfect'], ['stack4', 'Strongest'], ['connectfour', 'Strongest']]) {
      await page.click(`.game-card[data-game="${card}"]`);
      const slider = page.locator('dialog input[type=range]').last(), words = page.locator('dialog .level-words').last();
      await slider.waitFor();
      assert.equal(await page.locator('dialog .picker select').last().inputValue(), 'level', card);
      const most = Number(await slider.getAttribute('max'));
      await slider.fill('1');
      assert.match(await words.innerText(), /Beginner/, card);
      await slider.fill(String(most));
      assert.match(await words.innerText(), new RegExp(last), card);
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
    }
    await world.leave(page);
  });

  test('who was chosen by level is called by it at the table', async () => {
    const page = await world.visit('/');
    await page.click('.game-card[data-game="tictactoe"]');
    const slider = page.locator('dialog input[type=range]').last();
    await slider.waitFor();
    await slider.fill('2');
    await page.click('dialog .primary');
    await page.waitForFunction(() => document.querySelector('.seat[data-seat="2"] .seat-name')?.textContent === 'Learner, level 2');
    await page.locator('.square.open').first().click();
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
    await world.leave(page);
  });
}
