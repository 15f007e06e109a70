// What every test stands on: a server of its own with empty records, a real browser, and pages that are watched for
// console errors and for requests to anybody else.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { BUILT, DESKTOP, PHONE, ROOT, TERZO, asked, quartoTurn, turn } from './hand.js';

export { DESKTOP, PHONE, ROOT, TERZO, asked, quartoTurn, turn };
/** The page with a game that has no stage of its own. */
const ONE_FILE_GAME = join(BUILT, 'examples/one_file_game');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** `LATE=400` lets every answer of the server come up to so many milliseconds late: what reads the page too soon then fails. */
const LATE = Number(process.env.LATE ?? 0);

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export class World {
  static async begin() {
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
    return new World().settle(browser, []);
  }

  /** The same browser before another server, started with other arguments. */
  another(...args) {
    return new World().settle(this.browser, args);
  }

  /** The same browser before a server for others, whose token stays the same. */
  withToken(token) {
    const world = new World();
    world.env = { TERZO_TOKEN: token };
    return world.settle(this.browser, ['--listen', '0.0.0.0']);
  }

  /** The same browser before a server that also plays the game of docs/add-a-game.md. */
  withOneFileGame() {
    return new World().settle(this.browser, [], ONE_FILE_GAME);
  }

  async settle(browser, args, program = TERZO) {
    this.program = program;
    this.args = args;
    this.browser = browser;
    this.pages = [];
    this.folder = mkdtempSync(join(tmpdir(), 'terzo-page-'));
    await this.serve(args);
    return this;
  }

  /** Starts the server and waits for what it prints: its addresses, then how to end it. */
  serve(args, port = '0') {
    const assets = process.env.DEV_ASSETS ? ['--dev-assets', process.env.DEV_ASSETS] : [];
    this.server = spawn(this.program, ['play', '--no-open', '--port', port, '--db', join(this.folder, 'page.db'), ...assets, ...args], { cwd: this.folder, env: { ...process.env, ...this.env } });
    return new Promise((found, failed) => {
      this.said = '';
      const hear = (data) => {
        this.said += data;
        this.address = this.said.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0];
        if (this.address && this.said.includes('Ctrl-C')) found(undefined);
      };
      this.server.stdout.on('data', hear);
      this.server.stderr.on('data', hear);
      this.server.on('exit', (code) => failed(new Error(`terzo play ended with ${code}: ${this.said}`)));
      this.server.on('error', failed);
      setTimeout(() => failed(new Error(`terzo play prints no address: ${this.said}`)), 60_000).unref();
    });
  }

  /** Ends the server as Ctrl-C does, and waits until it has ended. */
  async close() {
    const ended = new Promise((done) => {
      this.server.removeAllListeners('exit');
      this.server.on('exit', done);
    });
    this.server.kill('SIGTERM');
    await ended;
  }

  /** Starts it again at the same address, with the same records. */
  async reopen() {
    const { address } = this;
    await this.serve(this.args, new URL(address).port);
    this.address = address;
  }

  async end() {
    await this.browser?.close();
    this.stop();
  }

  /** Ends the server, but not the browser. */
  stop() {
    this.server?.removeAllListeners('exit');
    this.server?.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A fresh page, as a new visitor has it; or one of a browser that has been here before. */
  async visit(path = '/', { viewport = DESKTOP, context: known, ...options } = {}) {
    const context = known ?? await this.browser.newContext({ viewport, ...options });
    const page = await context.newPage();
    // As long as a browser may take beside many busy processes; whoever waits for nothing does not wait for long.
    page.setDefaultTimeout(90_000);
    page.wrong = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.wrong.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => page.wrong.push(`error: ${error.stack}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(this.address) && !request.url().startsWith('data:')) page.wrong.push(`request to ${request.url()}`);
    });
    if (LATE) await page.route('**/*', async (route) => {
      await new Promise((done) => setTimeout(done, Math.random() * LATE));
      await route.fallback().catch(() => {});
    });
    this.pages.push(page);
    if (path !== null) await page.goto(this.address + path);
    return page;
  }

  async post(path, body) {
    const response = await fetch(this.address + path, { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: this.address }, body: JSON.stringify(body) });
    const answer = await response.json();
    assert.ok(response.ok, `${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async get(path) {
    return (await fetch(this.address + path)).json();
  }

  /** What the server calls a bundled rule sheet. */
  async sheetNamed(name) {
    const { games } = await this.get('/api/games');
    return games.find((game) => game.family === 'gdl' && game.name.endsWith(name))?.name ?? assert.fail(`no sheet ${name}`);
  }

  /** A table that a browser opens, so that its seats are that browser's. */
  async open(context, body) {
    // The page gives every browser a key.
    if (!(await context.cookies(this.address)).length) await context.request.get(`${this.address}/`);
    const response = await context.request.post(`${this.address}/api/tables`, { data: body, headers: { Origin: this.address } });
    const answer = await response.json();
    assert.ok(response.ok(), JSON.stringify(answer));
    return answer;
  }

  /** A page at a new table of its own. */
  async table(body, options) {
    const page = await this.visit(null, options);
    const table = await this.open(page.context(), body);
    await page.goto(`${this.address}/t/${table.id}`);
    await page.waitForSelector('.status strong');
    return { page, table };
  }

  /** A table where Anna sits, Ben has followed her link and sat down, and Carla watches. */
  async friends(game, more = {}) {
    const { page: anna, table } = await this.table({ game, seats: ['human', 'open'], ...more });
    const link = await anna.inputValue('#copy-invitation');
    const ben = await this.visit(link.replace(this.address, ''));
    await ben.click('.sit');
    await ben.waitForSelector('.sit', { state: 'detached' });
    await anna.waitForSelector('.offer', { state: 'hidden' });
    const carla = await this.visit(`/t/${table.id}`);
    await carla.waitForSelector('.watching');
    return { anna, ben, carla, id: table.id };
  }

  /** Nothing went wrong on any page, and nobody else was asked for anything. */
  assertQuiet() {
    assert.deepEqual(this.pages.flatMap((page) => page.wrong), []);
  }

  async leave(page) {
    assert.deepEqual(page.wrong, []);
    await page.context().close();
  }
}

/** Reads until it reads what is wanted: a page draws what it is told some moments later. */
export async function comes(read, wanted, what) {
  const end = Date.now() + 30_000;
  let seen = await read();
  while (!isDeepStrictEqual(seen, wanted) && Date.now() < end) {
    await new Promise((done) => setTimeout(done, 50));
    seen = await read();
  }
  assert.deepEqual(seen, wanted, what);
}

/** Looks at every card of the first page: what is far below is drawn when somebody comes near. @param {import('playwright-core').Page} page */
export async function lookAtAllGames(page) {
  await page.waitForSelector('.game-card');
  for (const card of await page.$$('.game-card')) {
    await card.scrollIntoViewIfNeeded();
    await card.waitForSelector('.preview > *', { state: 'attached' });
  }
  await page.evaluate(() => scrollTo(0, 0));
}

/** What the page shows as the state of the game. */
export const status = (page) => page.locator('.status').innerText();

/** Waits for so many turns on the screen. */
export const turns = (page, count) => page.waitForFunction((count) => document.querySelectorAll('.turn').length === count, count);

/** What axe-core finds serious or critical. */
export async function findings(page, only) {
  const { violations } = await page.evaluate(`${AXE}; axe.run(document, ${JSON.stringify(only ? { runOnly: only } : {})})`);
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`);
}
