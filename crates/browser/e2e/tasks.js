// What keeps the page from answering: the tasks of its main thread, by the clock and by the processor time they took. On a busy machine, and where the browser waits
// for its own processes (fonts!), a task takes long by the clock; the processor's time is the page's own part in it.
//
// `DIR=page node crates/browser/e2e/tasks.js VISITS` walks through the page and prints the longest task of every step; with `ADDRESS=http://…/` that of a server.

import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Host, PATIENCE } from './host.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The longest task that the page may have, in ms. */
export const LONGEST = 50;

/** Goes to a page of the page: a place in the document on a host of files, a path on a server. @param {any} page @param {string} path */
const go = (page, path) => page.evaluate((path) => {
  if (document.documentElement.dataset.host === 'files') location.hash = `#${path}`;
  else {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }
}, path);
const goTo = (/** @type {string} */ path) => (/** @type {any} */ page) => go(page, path);
const open = (/** @type {object} */ body) => async (/** @type {any} */ page) => {
  const id = await page.evaluate(async (body) => (await (await fetch('/api/tables', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json()).id, body);
  await go(page, `/t/${id}`);
};

/** All that somebody may look at: what is done, and what is there when it is done. @type {[string, (page: any) => Promise<unknown>, string][]} */
const WALK = [
  ['the first page', async () => {}, '.preview canvas'],
  ['who sits where', (page) => page.click('.game-card.quarto'), '#play-quarto'],
  ['a table of Quarto', (page) => page.click('#play-quarto'), '.tray-piece.open'],
  ['a turn, and the answer', (page) => page.locator('.tray-piece.open').first().click(), '.turn >> nth=1'],
  ['a table of Stack Four', open({ game: 'stack4', seats: ['human', 'human'] }), '.table.stack4 canvas'],
  ['a table of chess', open({ game: 'chess', seats: ['human', 'human'] }), '.table.gdl .square .chessman'],
  ['a table of gomoku', open({ game: 'gomoku', seats: ['human', 'human'] }), '.table.gdl .square >> nth=80'],
  ['puzzles', goTo('/puzzles'), '.puzzles .cell'],
  ['the lesson', goTo('/learn'), '.lesson .cell'],
  ['the rules', goTo('/rules'), '.rules-list'],
  ['the explorer', goTo('/explore'), '.branches .branch'],
  ['rule sheets', goTo('/gdl'), '.verdict.good, .verdict.bad'],
  ['tournaments', goTo('/tournaments'), '#start-tournament'],
  ['all games', async (page) => {
    await go(page, '/');
    await page.evaluate(async () => {
      while (!document.querySelector('.recent li')) await new Promise((later) => setTimeout(later, 10));
      for (const card of document.querySelectorAll('.game-card')) {
        card.scrollIntoView();
        while (!card.querySelector('.preview > *')) await new Promise((later) => setTimeout(later, 10));
      }
      scrollTo(0, 0);
    });
  }, '.gallery'],
];

/**
 * What is longest in a step, whichever task it was.
 * @typedef {object} Step
 * @property {string} step
 * @property {number} cpu the processor time of a task, in ms
 * @property {number} wall the same by the clock
 * @property {number} long how many tasks were too long by the clock
 * @property {number} styled how many elements were styled at once: the same on every machine
 * @property {number} fonts how many questions for fonts a task asked, for each of which the page waits: almost the same on every machine
 */

/** What the browser calls its questions to another process: which font has a name, and how one is drawn in a size. */
const FONT_QUESTIONS = /^FontDataManager::on(MatchFamilyStyle|LegacyMakeTypeface)|GetWebFontRenderStyleForStrike$/;

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
    const questions = during.filter(({ name }) => FONT_QUESTIONS.test(name));
    return {
      step, cpu: most(tasks.map(({ tdur }) => (tdur ?? 0) / 1000)), wall: most(tasks.map(({ dur }) => dur / 1000)), long: tasks.filter(({ dur }) => dur > 1000 * LONGEST).length,
      styled: most(during.map(({ name, args }) => (name === 'UpdateLayoutTree' ? args.elementCount : 0))),
      fonts: most(tasks.map((task) => questions.filter(({ ts }) => ts >= task.ts && ts < task.ts + task.dur).length)),
    };
  });
}

/** The processor time of the browser's processes so far, in seconds. @returns {Promise<number>} */
const worked = async (/** @type {any} */ tracer) => (await tracer.send('SystemInfo.getProcessInfo')).processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);

/** The processor time of everybody on this machine so far, in seconds. */
const everybody = () => cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;

/**
 * Waits until the browser has come to rest: a new window is drawn by a page of the browser's own, which takes both of two cores for a while. Who follows a link has that behind
 * her. Gives how many cores others have while it rests. A browser that finds no rest is taken as it is, beside others without number.
 * @param {any} tracer @returns {Promise<number>}
 */
async function rest(tracer) {
  const MOST_LOOKS = 50, CALM_LOOKS = 3, CALM = 0.01;
  const look = async () => ({ clock: performance.now() / 1000, all: everybody(), browser: await worked(tracer) });
  let before = await look(), from = before;
  for (let looks = 0, calm = 0; looks < MOST_LOOKS; looks++) {
    await new Promise((later) => setTimeout(later, 100));
    const now = await look();
    calm = now.browser - before.browser < CALM ? calm + 1 : 0;
    if (calm === 0) from = now;
    if (calm === CALM_LOOKS) return (now.all - from.all) / (now.clock - from.clock);
    before = now;
  }
  return Infinity;
}

/**
 * A visit of the whole page: the longest task of every step, and how many cores others had before or after it.
 * @param {any} browser @param {string} address @param {(page: any) => void} [watch] @returns {Promise<{ steps: Step[], others: number }>}
 */
export async function visitTasks(browser, address, watch = () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  watch(page);
  const tracer = await browser.newBrowserCDPSession();
  /** @type {any[]} */
  const events = [];
  tracer.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await tracer.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'blink.user_timing', 'devtools.timeline', 'fonts'], excludedCategories: ['*'] } });
  const before = await rest(tracer);
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
  await context.close();
  const after = await rest(tracer);
  await tracer.detach();
  return { steps: longest(events, WALK.map(([step]) => step)), others: Math.max(before, after) };
}

/** The browser of the tests. @returns {Promise<any>} */
export function launch() {
  const { chromium } = createRequire(join(ROOT, 'crates/page/e2e/package.json'))('playwright-core');
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const host = process.env.ADDRESS ? null : await Host.serve(process.env.DIR ?? 'page');
  const address = process.env.ADDRESS ?? `${host?.address}/`;
  const browser = await launch();
  for (let visit = 1; visit <= Number(process.argv[2] ?? 5); visit++) {
    const { steps, others } = await visitTasks(browser, address);
    console.log(`visit ${visit}: ${steps.reduce((sum, { long }) => sum + long, 0)} tasks of more than ${LONGEST} ms by the clock; others had ${others.toFixed(1)} cores`);
    for (const { step, cpu, wall, styled, fonts } of steps) {
      console.log(`  ${step.padEnd(24)} ${cpu.toFixed(1).padStart(6)} ms of a processor, ${wall.toFixed(1).padStart(6)} ms by the clock, ${String(styled).padStart(5)} elements, ${String(fonts).padStart(2)} questions for fonts`);
    }
  }
  await browser.close();
  await host?.stop();
}
