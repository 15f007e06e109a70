// What keeps the page from answering: the tasks of its main thread, by the clock and by the processor time they took. On a busy machine, and where the browser waits
// for its own processes (fonts!), a task takes long by the clock; the processor's time is the page's own part in it.
//
// `DIR=page node crates/browser/e2e/tasks.js VISITS` walks through the page and prints the longest task of every step.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Host, PATIENCE } from './host.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The longest task that the page may have, in ms. */
export const LONGEST = 50;

const goTo = (place) => (page) => page.evaluate((place) => (location.hash = place), place);
const open = (body) => (page) => page.evaluate(async (body) => {
  const table = await (await fetch('/api/tables', { method: 'POST', body: JSON.stringify(body) })).json();
  location.hash = `#/t/${table.id}`;
}, body);

/** All that somebody may look at: what is done, and what is there when it is done. @type {[string, (page: any) => Promise<unknown>, string][]} */
const WALK = [
  ['the first page', async () => {}, '.preview canvas'],
  ['who sits where', (page) => page.click('.game-card.quarto'), '#play-quarto'],
  ['a table of Quarto', (page) => page.click('#play-quarto'), '.tray-piece.open'],
  ['a turn, and the answer', (page) => page.locator('.tray-piece.open').first().click(), '.turn >> nth=1'],
  ['a table of Stack Four', open({ game: 'stack4', seats: ['human', 'human'] }), '.table.stack4 canvas'],
  ['a table of chess', open({ game: 'chess', seats: ['human', 'human'] }), '.table.gdl .square .chessman'],
  ['a table of gomoku', open({ game: 'gomoku', seats: ['human', 'human'] }), '.table.gdl .square >> nth=80'],
  ['puzzles', goTo('#/puzzles'), '.puzzles .cell'],
  ['the lesson', goTo('#/learn'), '.lesson .cell'],
  ['the rules', goTo('#/rules'), '.rules-list'],
  ['the explorer', goTo('#/explore'), '.branches .branch'],
  ['rule sheets', goTo('#/gdl'), '.verdict.good, .verdict.bad'],
  ['tournaments', goTo('#/tournaments'), '#start-tournament'],
  ['all games', (page) => page.evaluate(async () => {
    location.hash = '#/';
    while (!document.querySelector('.recent li')) await new Promise((later) => setTimeout(later, 10));
    for (const card of document.querySelectorAll('.game-card')) {
      card.scrollIntoView();
      while (!card.querySelector('.preview > *')) await new Promise((later) => setTimeout(later, 10));
    }
    scrollTo(0, 0);
  }), '.gallery'],
];

/**
 * What is longest in a step, whichever task it was.
 * @typedef {object} Step
 * @property {string} step
 * @property {number} cpu the processor time of a task, in ms
 * @property {number} wall the same by the clock
 * @property {number} long how many tasks were too long by the clock
 * @property {number} styled how many elements were styled at once: the same on every machine
 */

/** What is longest between the marks that were set in a trace. @param {any[]} events @param {string[]} steps in their order, each marked where it ended @returns {Step[]} */
function longest(events, steps) {
  const marks = steps.map((step) => events.find(({ cat, name }) => cat.includes('user_timing') && name === step));
  // A new visitor's page has a process of its own.
  const mine = ({ pid, tid }) => pid === marks[0]?.pid && tid === marks[0]?.tid;
  return steps.map((step, i) => {
    const during = events.filter((event) => event.ph === 'X' && mine(event) && event.ts > (marks[i - 1]?.ts ?? 0) && event.ts <= (marks[i]?.ts ?? 0));
    const tasks = during.filter(({ name }) => name === 'ThreadControllerImpl::RunTask');
    if (tasks.length === 0) throw new Error(`${step}: the browser tells of no task`);
    const most = (/** @type {number[]} */ values) => Math.max(0, ...values);
    return {
      step, cpu: most(tasks.map(({ tdur }) => (tdur ?? 0) / 1000)), wall: most(tasks.map(({ dur }) => dur / 1000)), long: tasks.filter(({ dur }) => dur > 1000 * LONGEST).length,
      styled: most(during.map(({ name, args }) => (name === 'UpdateLayoutTree' ? args.elementCount : 0))),
    };
  });
}

/** A visit of the whole page: the longest task of every step. @param {any} browser @param {string} address @param {(page: any) => void} [watch] */
export async function visitTasks(browser, address, watch = () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  watch(page);
  const tracer = await browser.newBrowserCDPSession();
  /** @type {any[]} */
  const events = [];
  tracer.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await tracer.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'blink.user_timing', 'devtools.timeline'], excludedCategories: ['*'] } });
  await page.goto(address);
  for (const [step, act, sight] of WALK) {
    await act(page);
    await page.waitForSelector(sight);
    // Until it is drawn.
    await page.evaluate((step) => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.mark(step).name)))), step);
  }
  const whole = new Promise((done) => tracer.once('Tracing.tracingComplete', done));
  await tracer.send('Tracing.end');
  await whole;
  await tracer.detach();
  await context.close();
  return longest(events, WALK.map(([step]) => step));
}

/** The browser of the tests. @returns {Promise<any>} */
export function launch() {
  const { chromium } = createRequire(join(ROOT, 'crates/page/e2e/package.json'))('playwright-core');
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const host = await Host.serve(process.env.DIR ?? 'page');
  const browser = await launch();
  for (let visit = 1; visit <= Number(process.argv[2] ?? 5); visit++) {
    const steps = await visitTasks(browser, `${host.address}/`);
    console.log(`visit ${visit}: ${steps.reduce((sum, { long }) => sum + long, 0)} tasks of more than ${LONGEST} ms by the clock`);
    for (const { step, cpu, wall, styled } of steps) console.log(`  ${step.padEnd(24)} ${cpu.toFixed(1).padStart(6)} ms of a processor, ${wall.toFixed(1).padStart(6)} ms by the clock, ${String(styled).padStart(5)} elements`);
  }
  await browser.close();
  await host.stop();
}
