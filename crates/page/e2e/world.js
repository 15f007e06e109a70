// What every test stands on: a server of its own with empty records, a real browser, and pages that are watched for
// console errors and for requests to anybody else.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const TERZO = process.env.TERZO ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug/terzo');
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export class World {
  static async begin() {
    const world = new World();
    world.folder = mkdtempSync(join(tmpdir(), 'terzo-page-'));
    world.address = await world.serve();
    world.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
    world.pages = [];
    return world;
  }

  /** Starts the server and waits for the address it prints. */
  serve() {
    const assets = process.env.DEV_ASSETS ? ['--dev-assets', process.env.DEV_ASSETS] : [];
    this.server = spawn(TERZO, ['play', '--no-open', '--port', '0', '--db', join(this.folder, 'page.db'), ...assets], { cwd: this.folder });
    return new Promise((found, failed) => {
      let said = '';
      const hear = (data) => {
        said += data;
        const address = said.match(/http:\/\/127\.0\.0\.1:\d+/);
        if (address) found(address[0]);
      };
      this.server.stdout.on('data', hear);
      this.server.stderr.on('data', hear);
      this.server.on('exit', (code) => failed(new Error(`terzo play ended with ${code}: ${said}`)));
      this.server.on('error', failed);
    });
  }

  async end() {
    await this.browser?.close();
    this.server?.removeAllListeners('exit');
    this.server?.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A fresh page, as a new visitor has it. */
  async visit(path = '/', { viewport = DESKTOP, ...options } = {}) {
    const context = await this.browser.newContext({ viewport, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.wrong = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.wrong.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => page.wrong.push(`error: ${error.stack}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(this.address) && !request.url().startsWith('data:')) page.wrong.push(`request to ${request.url()}`);
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

  /** A page at a new table. */
  async table(body, options) {
    const table = await this.post('/api/tables', body);
    const page = await this.visit(`/t/${table.id}`, options);
    await page.waitForSelector('.status strong');
    return { page, table };
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

/** What the page shows as the state of the game. */
export const status = (page) => page.locator('.status').innerText();

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
    return /^You (give|place|drop|move)/.test(words) || /win|draw|over/i.test(words);
  });
  return /^You (give|place|drop|move)/.test(await page.locator('.status strong').innerText());
}
