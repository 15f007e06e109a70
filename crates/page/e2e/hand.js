// What a hand does at a table, and what it waits for: for the tests of the page before its server, and of the page without one
// (crates/browser/e2e). It needs no package.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const BUILT = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug');
export const TERZO = process.env.TERZO ?? join(BUILT, 'terzo');
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** Does something that makes a turn, and waits until it stands in the list. */
export async function turn(page, act) {
  const before = await page.locator('.turn').count();
  await act();
  await page.waitForFunction((count) => document.querySelectorAll('.turn').length > count, before);
}

/** Waits until it is the person's turn, or the game is over; true while it goes on. */
export async function asked(page) {
  await page.waitForFunction(() => {
    const words = document.querySelector('.status strong')?.textContent ?? '';
    return /^You (give|place|drop|move)/.test(words) || /\bwins?\b|draw|\bover\b/i.test(words);
  });
  return /^You (give|place|drop|move)/.test(await page.locator('.status strong').innerText());
}

/** A turn of Quarto with the mouse: the open cell of that number, if there are so many, and the first piece. */
export const quartoTurn = (page, number = 0) => turn(page, async () => {
  const open = page.locator('.cell.open');
  if (await open.count()) await open.nth(number % (await open.count())).click();
  // A placement that ends the game needs no piece to give.
  if (await page.locator('.tray-piece.open').count()) await page.locator('.tray-piece.open').first().click();
});

/** A whole game of Quarto against the perfect player, begun from the first page and played with the mouse; `cells` says which of the open cells a turn takes. */
export async function playPerfect(page, cells = () => 0) {
  await page.click('.game-card.quarto');
  await page.selectOption('.new-game.quarto select[id^=player] >> nth=1', 'level');
  await page.fill('.new-game.quarto input[type=range]', '10');
  await page.click('#play-quarto');
  for (let turns = 0; await asked(page); turns++) {
    assert.ok(turns < 18, 'the game ends');
    await quartoTurn(page, cells(turns));
  }
}
