// The page from plain files in a real browser: `scripts/test-static` runs this. DIR is what scripts/page-export wrote.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { brotliCompressSync } from 'node:zlib';
import { DESKTOP, PHONE, ROOT, TERZO, asked, playPerfect, quartoTurn, turn } from '../../page/e2e/hand.js';
import { Host, PATIENCE } from './host.js';
import { LONGEST, launch, visitTasks } from './tasks.js';

const DIR = process.env.DIR ?? assert.fail('DIR names no folder');
let browser;
let folder;
let root;
let deep;

before(async () => {
  browser = await launch();
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
  watch(page);
  await page.goto(address);
  return page;
}

/** Notes what is wrong with a page. */
function watch(page) {
  page.wrong = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.wrong.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => page.wrong.push(`error: ${error.stack}`));
  page.on('request', (request) => /^https?:\/\/127\.0\.0\.1:|^(data|blob):/.test(request.url()) || page.wrong.push(`request to ${request.url()}`));
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

test('a whole game against Perfect under a sub-path is played, judged, and there again after a reload', async () => {
  const page = await visit(here());
  await playPerfect(page);
  await page.waitForFunction(() => /won|draw/.test(document.querySelectorAll('.seat')[1]?.textContent ?? ''));
  await page.waitForSelector('.accuracy');
  const turns = await page.locator('.turn').count();
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

/** Asks until the answer is the one that is waited for. */
async function comes(ask, wanted) {
  const end = Date.now() + PATIENCE;
  for (let found = await ask(); found !== wanted; found = await ask()) {
    assert.ok(Date.now() < end, `${found}, not ${wanted}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

/** A request of the page's own API. */
const api = (page, method, path, body) => page.evaluate(async ([method, path, body]) => {
  const answer = await fetch(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: answer.status, ...(await answer.json()) };
}, [method, path, body]);

test('what needs a server says so', async () => {
  const page = await visit(here());
  const said = await api(page, 'GET', '/api/qr?text=x');
  assert.match(said.error.message, /needs a server/);
  await leave(page);
});

test('the strongest player has an opinion on a game of which nobody knows the truth', async () => {
  const page = await visit(here());
  const { id } = await open(page, { game: 'stack4', turns: ['22', '33', '23'], seats: ['human', 'human'] });
  await page.click('.ask-opinion');
  await page.waitForSelector('.opinion-graph');
  await page.waitForSelector('.cancel-opinion', { state: 'detached' });
  const said = await api(page, 'GET', `/api/tables/${id}/opinion?ply=1`);
  assert.deepEqual([said.player, said.mover, said.forced], ['strong', 2, false]);
  assert.ok(said.expects > 0 && said.expects < 1 && said.line[0] === said.turn, JSON.stringify(said));
  assert.equal((await api(page, 'GET', `/api/tables/${id}/opinion?ply=4`)).error.code, 'not_found');
  const { id: three } = await api(page, 'POST', '/api/tables', { game: 'trio' });
  assert.equal((await api(page, 'GET', `/api/tables/${three}/opinion`)).error.code, 'unsupported');
  await leave(page);
});

test('a program whose tab is closed thinks on in another tab with the same table', async () => {
  const thinking = await visit(here());
  // It rests for a while before it thinks, in which the tab is closed.
  const { id } = await open(thinking, { game: 'stack4', seats: ['human', 'strong:nodes=2000'], pace_ms: 5000 });
  await asked(thinking);
  const other = await visit(`${here()}#/t/${id}`, { context: thinking.context() });
  await asked(other);
  await api(thinking, 'POST', `/api/tables/${id}/turns`, { ply: 0, turn: '22' });
  await other.waitForFunction(() => document.querySelectorAll('.turn').length === 1);
  await thinking.close();
  await other.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
  await leave(other);
});

test('two tabs do not think about the same turn: they end up with the same game', async () => {
  const one = await visit(here());
  const { id } = await open(one, { game: 'quarto', seats: ['novice', 'novice'], pace_ms: 0 });
  const other = await visit(`${here()}#/t/${id}`, { context: one.context() });
  for (const page of [one, other]) await page.waitForFunction(() => /\bwins?\b|draw/i.test(document.querySelector('.status strong')?.textContent ?? ''));
  const [turns, same] = await Promise.all([one, other].map(async (page) => (await api(page, 'GET', `/api/tables/${id}`)).turns));
  assert.deepEqual(turns, same);
  assert.deepEqual(other.wrong, []);
  await leave(one);
});

test('a small tournament is played, stopped, gone on with after a reload, and read', async () => {
  const page = await visit(`${here()}#/tournaments`);
  await page.waitForSelector('#start-tournament');
  for (const [body, code] of [[{ game: 'quarto', players: ['novice', 'nobody'], rounds: 1 }, 'unknown_player'], [{ game: 'trio', players: ['random', 'random'], rounds: 1 }, 'bad_tournament'], [{ game: 'quarto', players: ['novice', 'random'], rounds: 0 }, 'bad_tournament']]) {
    assert.equal((await api(page, 'POST', '/api/tournaments', body)).error.code, code);
  }
  const rounds = 40;
  // Stopped by the page itself: on a busy machine all of it would be played before this process says so.
  const { id, total } = await page.evaluate(async (body) => {
    const begun = await (await fetch('/api/tournaments', { method: 'POST', body: JSON.stringify(body) })).json();
    await fetch(`/api/tournaments/${begun.id}/stop`, { method: 'POST', body: '{}' });
    return begun;
  }, { game: 'quarto', players: ['novice', 'random', 'random'], rounds, name: 'evening' });
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

test('two tabs do not play the same tournament: one plays, the other watches, stops it, and goes on when the first is closed', async () => {
  const playing = await visit(here());
  const { id } = await api(playing, 'POST', '/api/tournaments', { game: 'quarto', players: ['minimax:depth=3', 'minimax:depth=2'], rounds: 1000 });
  const other = await visit(`${here()}#/tournaments/${id}`, { context: playing.context() });
  await other.waitForSelector('.state.running');
  assert.equal((await api(other, 'POST', `/api/tournaments/${id}/resume`, {})).error.code, 'busy');
  await api(other, 'POST', `/api/tournaments/${id}/stop`, {});
  await other.waitForSelector('.state.stopped');
  const before = (await api(playing, 'GET', `/api/tournaments/${id}`)).pairs;
  assert.ok(before > 0 && before < 1000, `${before} pairs`);
  assert.equal((await api(playing, 'POST', `/api/tournaments/${id}/resume`, {})).state, 'running');
  await other.reload();
  await other.waitForSelector('.state.running');
  await playing.close();
  await other.waitForSelector('.state.stopped');
  assert.equal((await api(other, 'POST', `/api/tournaments/${id}/resume`, {})).state, 'running');
  await api(other, 'POST', `/api/tournaments/${id}/stop`, {});
  await comes(async () => (await api(other, 'GET', `/api/tournaments/${id}`)).state, 'stopped');
  const { games } = await api(other, 'GET', `/api/tournaments/${id}/games?limit=200`);
  assert.equal(new Set(games.map(({ pair, game }) => `${pair} ${game}`)).size, games.length, 'no game was played twice');
  other.wrong = other.wrong.filter((wrong) => !wrong.includes('429'));
  await leave(other);
});

test('a tournament begins its rounds with the random turns of terzo tournament, and writes the same table', async () => {
  const page = await visit(here());
  const { id } = await api(page, 'POST', '/api/tournaments', { game: 'quarto', players: ['novice', 'random', 'random'], rounds: 2, seed: 5, opening_plies: 4 });
  await comes(async () => (await api(page, 'GET', `/api/tournaments/${id}`)).state, 'finished');
  const table = await page.evaluate(async (id) => (await fetch(`/api/tournaments/${id}/records.csv`)).text(), id);
  const records = join(folder, 'records.db');
  execFileSync(TERZO, ['tournament', '--db', records, '--game', 'quarto', '--players', 'novice', 'random', 'random', '--rounds', '2', '--seed', '5', '--plies', '4', '--json'], { stdio: 'pipe' });
  const expected = String(execFileSync(TERZO, ['records', 'export', '1', '--db', records, '--format', 'csv']));
  const [head, ...lines] = table.trim().split('\n').map((line) => line.split(','));
  const [expectedHead, ...expectedLines] = expected.trim().split('\n').map((line) => line.split(','));
  assert.deepEqual(head, expectedHead);
  const columns = ['pair', 'round', 'game', 'seat1', 'seat2', 'opening'].map((name) => head.indexOf(name));
  const seen = (all) => all.map((line) => columns.map((at) => line[at]).join(' ')).sort();
  assert.deepEqual(seen(lines), seen(expectedLines));
  assert.equal((await api(page, 'POST', '/api/tournaments', { game: 'quarto', players: ['novice', 'random'], rounds: 1, opening_plies: 101 })).error.code, 'bad_tournament');
  assert.equal((await api(page, 'GET', `/api/tournaments/${id}/games/0/1`)).turns.length, 4 + lines.find((line) => line[1] === '0' && line[3] === '1')[head.indexOf('turns')].split(' ').length);
  await leave(page);
});

test('no task of the page takes a processor for more than 50 ms, nor the clock where the machine has nothing else to do', async () => {
  // What the page itself needs is the least of some visits: beside busy processes a processor is slower, never faster.
  const VISITS = 3;
  // The same on every machine: what is drawn for the first time, or looked at again because of a dialog, comes in pieces.
  const MOST_STYLED = { 'the first page': 400 };
  // For each the page waits for another process. Letters of many sizes at once (23 on the board of Stack Four) took most of the longest tasks.
  const MOST_FONTS = 10;
  // By the clock a task also waits for others who work on the machine: it counts where these had less than a quarter of a core.
  const QUIET = 0.25;
  const least = (/** @type {any[]} */ visits, /** @type {'cpu' | 'wall'} */ what) => (visits[0]?.steps ?? []).map(({ step }, i) => ({ step, ms: Math.min(...visits.map(({ steps }) => steps[i][what])) }));
  const tooLong = (/** @type {{ ms: number }[]} */ steps) => steps.some(({ ms }) => ms > LONGEST);
  const visits = [];
  const quiet = () => visits.filter(({ others }) => others < QUIET);
  while (visits.length < VISITS && (visits.length === 0 || tooLong(least(visits, 'cpu')) || tooLong(least(quiet(), 'wall')))) {
    const pages = [];
    const visit = await visitTasks(browser, here(), (page) => (watch(page), pages.push(page)));
    assert.deepEqual(pages.flatMap((page) => page.wrong), []);
    for (const { step, styled, fonts } of visit.steps) {
      assert.ok(styled <= (MOST_STYLED[step] ?? 1500), `${step}: ${styled} elements are styled at once`);
      assert.ok(fonts <= MOST_FONTS, `${step}: ${fonts} questions for fonts in one task`);
    }
    visits.push(visit);
  }
  const longest = (/** @type {'cpu' | 'wall'} */ what) => Math.max(...visits.flatMap(({ steps }) => steps.map((step) => step[what]))).toFixed(1);
  console.log(`the longest task: ${longest('cpu')} ms of a processor, ${longest('wall')} ms by the clock; others had ${visits.map(({ others }) => others.toFixed(1)).join(', ')} cores${quiet().length ? '' : ': too many for the clock to count'}`);
  for (const { step, ms } of least(visits, 'cpu')) assert.ok(ms <= LONGEST, `${step}: ${ms.toFixed(1)} ms of a processor`);
  for (const { step, ms } of least(quiet(), 'wall')) assert.ok(ms <= LONGEST, `${step}: ${ms.toFixed(1)} ms by the clock`);
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
