// The page's own manners: small, usable on a phone and without a mouse or eyes, in both themes.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { everyPage, goTo } from './pages.js';
import { PHONE, findings } from './world.js';

export default function manners(world) {
  test('the whole page, with the boards of all games, is less than 120 KB of transfer', { skip: process.env.DEV_ASSETS && 'files from a folder are not pressed' }, async () => {
    const page = await world.visit(null);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
    await page.goto(`${world.address}/`);
    await page.waitForSelector('.preview canvas');
    await page.click('.at-once');
    await page.waitForSelector('.table .board');
    for (const path of ['/gdl', '/tournaments']) {
      await page.click(`nav a[href="${path}"]`);
      await page.waitForSelector('.heading');
    }
    assert.ok(bytes > 10_000 && bytes < 120_000, `${bytes} bytes`);
    console.log(`# transferred ${bytes} bytes`);
    await world.leave(page);
  });

  test('the first page is asked for in three steps, and what it is made of is kept for ever', { skip: process.env.DEV_ASSETS && 'files from a folder are not put together' }, async () => {
    const page = await world.visit(null);
    const asked = [];
    page.on('response', (response) => asked.push({ path: new URL(response.url()).pathname, kept: response.headers()['cache-control'] }));
    await page.goto(`${world.address}/`);
    await page.waitForSelector('.preview canvas');
    // Pictures of the games come when the page stands.
    asked.splice(asked.findIndex(({ path }) => path === '/api/games/previews'));
    const firstPage = asked.length;
    const files = asked.filter(({ path }) => !path.startsWith('/api/') && path !== '/icon.svg');
    assert.equal(files.length, 4, JSON.stringify(files));
    assert.ok(files.slice(1).every(({ path, kept }) => path.startsWith('/a/') && kept.includes('immutable')), JSON.stringify(files));
    await page.goto(`${world.address}/gdl`);
    await page.waitForSelector('.sheet-page');
    assert.match(await page.locator('link[rel=modulepreload]').getAttribute('href'), /\/a\/\w+\/sheet\/page\.js$/);
    assert.equal(asked.filter(({ path }) => path.endsWith('/sheet/page.js')).length, 1, 'what was sent for early is not sent twice');
    assert.deepEqual(asked.slice(0, firstPage).filter(({ path }) => path.startsWith('/api/')).map(({ path }) => path).sort(), ['/api/games', '/api/tables']);
    await world.leave(page);
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`axe-core finds nothing serious, ${colorScheme}`, async () => {
      // Only contrast depends on the theme; the rest need not be looked at twice.
      const only = colorScheme === 'dark' ? ['color-contrast'] : null;
      const page = await world.visit('/', { colorScheme, reducedMotion: 'reduce' });
      const open = (body) => world.open(page.context(), body);
      const quarto = await open({ game: 'quarto', seats: ['human', 'human'], turns: ['-.3', 'a1.8', 'd1.6'] });
      const invites = await open({ game: 'quarto', seats: ['human', 'open'] });
      const timed = await open({ game: 'quarto', seats: ['human', 'novice'], turns: ['-.3', 'a1.8'], clock: { base_ms: 3_600_000, increment_ms: 0 }, paused: true });
      const truth = { path: `/t/${quarto.id}`, seen: '.cell .worth:not(:empty)', then: (page) => page.click('.tool-truth') };
      for (const one of [...await everyPage(world, page.context()), truth, { path: `/t/${timed.id}`, seen: '.seat-clock' }]) {
        await goTo(world, page, one);
        assert.deepEqual(await findings(page, only), [], one.path);
      }
      page.wrong = page.wrong.filter((wrong) => !wrong.includes('404'));
      await page.goto(`${world.address}/t/${quarto.id}`);
      for (const tool of ['share', 'setup', 'rules', 'keys', 'restart', 'resign']) {
        await page.click(`.tool-${tool}`);
        await page.waitForSelector('dialog');
        assert.deepEqual(await findings(page, only), [], tool);
        await page.keyboard.press('Escape');
      }
      for (const board of ['walnut', 'slate', 'rose']) {
        await page.click('#settings');
        await page.selectOption('#board-look', board);
        assert.deepEqual(await findings(page, only), [], 'the settings');
        await page.keyboard.press('Escape');
        assert.deepEqual(await findings(page, ['color-contrast']), [], board);
      }
      await page.goto(`${world.address}/t/${invites.id}`);
      await page.click('.show-qr');
      await page.waitForSelector('dialog img');
      assert.deepEqual(await findings(page, only), [], 'the QR code');
      await world.leave(page);
    });
  }

  test('on a phone everything fits, and a turn is made with a finger', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'perfect:level=3'] }, { viewport: PHONE, hasTouch: true, isMobile: true });
    // On a phone a page that is too wide is made smaller, and `innerWidth` with it.
    const wide = () => page.evaluate((width) => document.documentElement.scrollWidth - width, PHONE.width);
    assert.ok((await wide()) <= 0, 'nothing sticks out to the side');
    await page.locator('.tray-piece.open').first().tap();
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
    const cell = page.locator('.cell.open').first();
    const box = await cell.boundingBox();
    assert.ok(box.width >= 44 && box.height >= 44, 'a cell is large enough for a finger');
    await cell.tap();
    await page.locator('.tray-piece.open').first().tap();
    await page.waitForFunction(() => document.querySelectorAll('.turn').length >= 3);
    for (const path of ['/', '/gdl', '/tournaments']) {
      await page.goto(world.address + path);
      await page.waitForSelector('.page');
      assert.ok((await wide()) <= 0, `${path} fits`);
    }
    await world.leave(page);
  });

  test('the theme is switched and remembered', async () => {
    const page = await world.visit('/', { colorScheme: 'light' });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.click('#theme');
    await page.click('#theme');
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.reload();
    await page.waitForSelector('#theme');
    assert.equal(await paper(), dark);
    await world.leave(page);
  });

  test('turns are announced to screen readers', async () => {
    const { page } = await world.table({ game: 'quarto', seats: ['human', 'novice'] });
    assert.equal(await page.locator('#aloud').getAttribute('aria-live'), 'polite');
    await page.locator('.tray-piece.open').first().click();
    await page.waitForFunction(() => /Novice/.test(document.querySelector('#aloud')?.textContent ?? '') && /You place/.test(document.querySelector('#aloud')?.textContent ?? ''));
    await world.leave(page);
  });
}
