// The page from plain files in a real browser: `scripts/test-static` runs this. DIR is what scripts/page-export wrote.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { brotliCompressSync } from 'node:zlib';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const BUILT = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug');
const TERZO = process.env.TERZO ?? join(BUILT, 'terzo');
const DIR = process.env.DIR ?? assert.fail('DIR names no folder');
const { chromium } = createRequire(join(ROOT, 'crates/page/e2e/package.json'))('playwright-core');
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** As long as something may take beside many busy processes; whoever waits for nothing does not wait for long. */
const PATIENCE = 90_000;

/** A plain file server, as anybody has it. */
class Host {
  static async serve(folder) {
    const host = new Host();
    host.server = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
    const port = await new Promise((found, failed) => {
      host.server.stdout.on('data', (data) => {
        const said = String(data).match(/port (\d+)/);
        if (said) found(said[1]);
      });
      host.server.on('exit', () => failed(new Error('no file server')));
      setTimeout(() => failed(new Error('the file server prints no port')), PATIENCE).unref();
    });
    host.address = `http://127.0.0.1:${port}`;
    return host;
  }

  async stop() {
    const ended = new Promise((done) => this.server.once('exit', done));
    this.server.kill();
    await ended;
  }
}

let browser;
let folder;
let root;
let deep;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'] });
  folder = mkdtempSync(join(tmpdir(), 'terzo-static-'));
  cpSync(DIR, join(folder, 'some/where'), { recursive: true });
  root = await Host.serve(join(folder, 'some/where'));
  deep = await Host.serve(folder);
});
after(async () => {
  await browser?.close();
  await root?.stop();
  await deep?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A page of a new visitor, watched for errors and for requests to anybody else. */
async function visit(address, { viewport = DESKTOP, context } = {}) {
  const page = await (context ?? (await browser.newContext({ viewport }))).newPage();
  page.setDefaultTimeout(PATIENCE);
  page.wrong = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.wrong.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => page.wrong.push(`error: ${error.stack}`));
  page.on('request', (request) => /^https?:\/\/127\.0\.0\.1:|^(data|blob):/.test(request.url()) || page.wrong.push(`request to ${request.url()}`));
  // What keeps the page from answering for more than 50 ms, by the clock: on a busy machine others do that, too.
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(address);
  return page;
}

async function leave(page) {
  assert.deepEqual(page.wrong, []);
  await page.context().close();
}

const here = () => `${deep.address}/some/where/`;

/** A table that the page opens by its own API. */
const open = (page, body) => page.evaluate(async (body) => {
  const answer = await fetch('/api/tables', { method: 'POST', body: JSON.stringify(body) });
  const table = await answer.json();
  if (!answer.ok) throw new Error(JSON.stringify(table));
  location.hash = `#/t/${table.id}`;
  return table;
}, body);

/** Waits until it is the person's turn, or the game is over; true while it goes on. */
async function asked(page) {
  await page.waitForFunction(() => {
    const words = document.querySelector('.status strong')?.textContent ?? '';
    return /^You (give|place|drop|move)/.test(words) || /\bwins?\b|draw|\bover\b/i.test(words);
  });
  return /^You (give|place|drop|move)/.test(await page.locator('.status strong').innerText());
}

/** Does something that makes a turn, and waits until it stands in the list. */
async function turn(page, act) {
  const before = await page.locator('.turn').count();
  await act();
  await page.waitForFunction((count) => document.querySelectorAll('.turn').length > count, before);
}

/** A turn of Quarto with the mouse: the first free cell, the first piece. */
const quartoTurn = (page) => turn(page, async () => {
  const cells = page.locator('.cell.open');
  if (await cells.count()) await cells.first().click();
  // A placement that ends the game needs no piece to give.
  if (await page.locator('.tray-piece.open').count()) await page.locator('.tray-piece.open').first().click();
});

test('a whole game against Perfect under a sub-path is played, judged, and there again after a reload', async () => {
  const page = await visit(here());
  await page.click('.game-card.quarto');
  await page.selectOption('.new-game.quarto select[id^=player] >> nth=1', 'level');
  await page.fill('.new-game.quarto input[type=range]', '10');
  await page.click('#play-quarto');
  for (let turns = 0; await asked(page); turns++) {
    assert.ok(turns < 18, 'the game ends');
    await quartoTurn(page);
  }
  await page.waitForFunction(() => /won|draw/.test(document.querySelectorAll('.seat')[1]?.textContent ?? ''));
  await page.waitForSelector('.accuracy');
  const turns = await page.locator('.turn').count();
  console.log(`tasks of more than 50 ms in a whole game against Perfect, judged: ${JSON.stringify(await page.evaluate(() => globalThis.longTasks))}`);
  assert.ok(page.url().startsWith(`${here()}#/t/`), page.url());
  await page.reload();
  await page.waitForFunction((count) => document.querySelectorAll('.turn').length === count, turns);
  await page.click('nav a >> nth=0');
  await page.waitForSelector('.recent a');
  await leave(page);
});

test('the truth about two hundred positions is what terzo solve says', async () => {
  const positions = readFileSync(join(ROOT, 'crates/browser/e2e/positions.txt'), 'utf8').split('\n').filter(Boolean);
  assert.equal(positions.length, 200);
  const solved = execFileSync(TERZO, ['solve', 'quarto', '--batch', '-', '--json'], { input: positions.join('\n') });
  const expected = String(solved).trim().split('\n').map((line) => JSON.parse(line)).map(({ value, plies }) => ({ value, plies }));
  const page = await visit(here());
  const found = await page.evaluate(async (positions) => {
    const found = [];
    for (const position of positions) {
      const answer = await fetch('/api/tables', { method: 'POST', body: JSON.stringify({ game: 'quarto', position, paused: true }) });
      const { id } = await answer.json();
      found.push(await new Promise((done, failed) => {
        const source = new EventSource(`/api/tables/${id}/truth`);
        let value = null;
        source.addEventListener('value', (event) => (value = JSON.parse(event.data)));
        source.addEventListener('end', () => (source.close(), done(value)));
        source.onerror = () => failed(new Error(position));
      }));
      await fetch(`/api/tables/${id}`, { method: 'DELETE' });
    }
    return found;
  }, positions);
  assert.deepEqual(found, expected);
  await leave(page);
});

test('a hint is proved, and the truth is shown on the board', async () => {
  const page = await visit(`${root.address}/`);
  await open(page, { game: 'quarto', position: '.7../5b../cd68/3.9. 0' });
  await page.click('.tool-truth');
  await page.waitForFunction(() => document.querySelectorAll('.cell .worth:not(:empty)').length === 7);
  const hint = await page.evaluate(async () => (await fetch(`/api/tables/${location.hash.split('/').pop()}/hint`)).json());
  assert.equal(hint.exact, true);
  await leave(page);
});

test('a pasted sheet is checked and played with general, and a broken one is told where', async () => {
  const page = await visit(`${here()}#/gdl`);
  await page.waitForSelector('.verdict.good, .verdict.bad');
  const sheet = readFileSync(join(ROOT, 'crates/gdl/games/tictactoe.kif'), 'utf8');
  await page.fill('#sheet', `${sheet}\n(<= (goal x ?points) (true (control x)))\n`);
  await page.waitForSelector('.problem-line.error');
  await page.fill('#sheet', sheet);
  await page.waitForSelector('.verdict.good');
  await page.selectOption('.picker select >> nth=1', 'general');
  await page.click('#play-sheet');
  await page.waitForSelector('.squares');
  for (let turns = 0; await asked(page); turns++) {
    assert.ok(turns < 9, 'the game ends');
    const choice = (await page.locator('.square.open').count()) ? '.square.open' : '.move:enabled';
    await turn(page, () => page.locator(choice).first().click());
  }
  await leave(page);
});

test('Stack Four’s strong player answers, and programs play each other while somebody watches', async () => {
  const page = await visit(here());
  await open(page, { game: 'stack4', seats: ['strong:nodes=2000', 'strong:nodes=2000'] });
  await page.waitForFunction(() => document.querySelectorAll('.turn').length >= 4);
  await leave(page);
});

test('a page of somebody else shows a position and what it is worth, with one script tag', async () => {
  const position = '.7../5b../cd68/3.9. 0';
  const other = mkdtempSync(join(tmpdir(), 'terzo-other-'));
  cpSync(join(DIR, 'terzo-quarto.js'), join(other, 'terzo-quarto.js'));
  writeFileSync(join(other, 'index.html'), `<!doctype html><title>a lesson</title><link rel="icon" href="data:,"><script type="module" src="terzo-quarto.js"></script><terzo-quarto position="${position}" truth></terzo-quarto>`);
  const host = await Host.serve(other);
  const page = await visit(`${host.address}/`);
  await page.waitForFunction(() => /Best play: draw/.test(document.querySelector('terzo-quarto')?.shadowRoot?.textContent ?? ''));
  const cells = await page.evaluate(() => document.querySelector('terzo-quarto').shadowRoot.querySelectorAll('.cell.draw, .cell.win, .cell.loss').length);
  assert.equal(cells, 7, 'every free cell has its value');
  await page.evaluate(() => document.querySelector('terzo-quarto').setAttribute('position', 'nonsense'));
  await page.waitForFunction(() => /is no position/.test(document.querySelector('terzo-quarto')?.shadowRoot?.textContent ?? ''));
  await leave(page);
  await host.stop();
  rmSync(other, { recursive: true, force: true });
});

test('puzzles, the lesson, the rules and the explorer are there', async () => {
  const page = await visit(`${here()}#/puzzles`);
  await page.waitForSelector('.puzzles .cell');
  for (const [link, sight] of [['#/learn', '.lesson .cell'], ['#/rules', '.rules-list'], ['#/explore', '.branches .branch']]) {
    await page.evaluate((link) => (location.hash = link), link);
    await page.waitForSelector(sight);
  }
  await leave(page);
});

test('what needs a server says so', async () => {
  const page = await visit(here());
  const table = await open(page, { game: 'stack4' });
  const said = await page.evaluate(async (id) => (await fetch(`/api/tables/${id}/opinion`)).json(), table.id);
  assert.match(said.error.message, /needs a server/);
  await leave(page);
});

/** A request of the page's own API. */
const api = (page, method, path, body) => page.evaluate(async ([method, path, body]) => {
  const answer = await fetch(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: answer.status, ...(await answer.json()) };
}, [method, path, body]);

test('a small tournament is played, stopped, gone on with after a reload, and read', async () => {
  const page = await visit(`${here()}#/tournaments`);
  await page.waitForSelector('#start-tournament');
  for (const [body, code] of [[{ game: 'quarto', players: ['novice', 'nobody'], rounds: 1 }, 'unknown_player'], [{ game: 'trio', players: ['random', 'random'], rounds: 1 }, 'bad_tournament'], [{ game: 'quarto', players: ['novice', 'random'], rounds: 0 }, 'bad_tournament']]) {
    assert.equal((await api(page, 'POST', '/api/tournaments', body)).error.code, code);
  }
  const rounds = 40;
  const { id, total } = await api(page, 'POST', '/api/tournaments', { game: 'quarto', players: ['novice', 'random', 'random'], rounds, name: 'evening' });
  await api(page, 'POST', `/api/tournaments/${id}/stop`, {});
  assert.equal(total, 3 * rounds);
  await page.evaluate((id) => (location.hash = `#/tournaments/${id}`), id);
  await page.waitForSelector('.state.stopped');
  await page.reload();
  await page.waitForSelector('.state.stopped');
  const before = (await api(page, 'GET', `/api/tournaments/${id}`)).pairs;
  assert.ok(before < total, `${before} pairs`);
  await page.click('.heading .primary');
  await page.waitForSelector('.state.finished');
  await page.waitForSelector('.rating-curve');
  const { standings, pairs, duels } = await api(page, 'GET', `/api/tournaments/${id}`);
  assert.deepEqual([pairs, standings[0].name, standings[0].games], [total, 'novice', 4 * rounds]);
  assert.deepEqual(standings.map((one) => one.name).sort(), ['novice', 'random', 'random #2']);
  assert.ok(standings[0].low > standings[1].elo, JSON.stringify(standings));
  assert.equal(duels.reduce((sum, { wins, draws, losses }) => sum + wins + draws + losses, 0), 2 * total);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[href$=".csv"]')]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
  assert.equal(lines.length, 1 + 2 * total, lines.slice(0, 4).join('\n'));
  await page.click('.judge-games');
  await page.waitForFunction(() => document.querySelectorAll('.mistakes-of-players tbody tr').length === 3);
  await page.click('.game-row');
  await page.waitForSelector('.turn');
  await leave(page);
});

test('on a phone nothing is wider than the screen, and a turn is played', async () => {
  const page = await visit(here(), { viewport: PHONE });
  await page.waitForSelector('.game-card.quarto');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await open(page, { game: 'quarto', seats: ['human', 'novice'] });
  assert.ok(await asked(page));
  await quartoTurn(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await leave(page);
});

test('after the first visit the page works without a network, and a new version is asked for', async () => {
  const copy = join(folder, 'installed');
  cpSync(DIR, copy, { recursive: true });
  const host = await Host.serve(copy);
  const context = await browser.newContext({ viewport: DESKTOP });
  const page = await visit(`${host.address}/`, { context });
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((later) => setTimeout(later, 50));
  });
  // The next version: anything that changes the service worker.
  const worker = readFileSync(join(copy, 'sw.js'), 'utf8');
  writeFileSync(join(copy, 'sw.js'), worker.replace(/VERSION = '/, "VERSION = 'next-"));
  await page.reload();
  await Promise.all([page.waitForEvent('load'), page.click('.update button')]);
  await page.waitForSelector('.game-card.quarto');
  await host.stop();
  page.wrong.length = 0;
  await page.reload();
  await page.click('.game-card.quarto');
  await page.click('#play-quarto');
  assert.ok(await asked(page));
  await quartoTurn(page);
  assert.ok(await asked(page));
  await context.close();
});

test('the first load is below 400 kB before the books, and all of perfect Quarto below 1.2 MB', () => {
  const size = (name) => brotliCompressSync(readFileSync(join(DIR, name))).length;
  const { files } = JSON.parse(`{"files":[${readFileSync(join(DIR, 'sw.js'), 'utf8').match(/const FILES = \[(.*)\]/)[1].replaceAll("'", '"')}]}`);
  const sum = (wanted) => files.filter(wanted).reduce((total, name) => total + size(name === './' ? 'index.html' : name), 0);
  // The module for all games is for who plays another one. One language is read, and English needs none; the reference and the tournaments are for who goes there.
  const first = sum((name) => !/\.book$|\.puzzles$|\/texts\/|openapi\.json|terzo\.wasm|\/(reference|tournament|sheet|stack4|plain|teach)\//.test(name));
  const whole = first + sum((name) => name.endsWith('/quarto.book'));
  console.log(`first load ${first} bytes, with the book of Quarto ${whole} bytes`);
  assert.ok(first < 400_000, `${first} bytes`);
  assert.ok(whole < 1_200_000, `${whole} bytes`);
});
