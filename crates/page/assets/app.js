// Where everything begins.

import { add, h } from './common/dom.js';
import { drawn } from './common/frame.js';
import { route, start } from './common/router.js';
import { listen } from './common/say.js';
import { speak, t } from './common/texts.js';
import { settingsButton } from './common/settings.js';
import { themeSwitch } from './common/theme.js';
import { teaching } from './teach/later.js';
import { lobbyPage } from './lobby.js';
import { carve } from './quarto/piece.js';

/** A page that says what went wrong, where the wanted one could not be made. @param {unknown} problem @returns {import('./common/router.js').Page} */
const sorry = (problem) => ({
  title: t('Not found'),
  element: h('div', { class: 'page' }, h('h1', {}, t('This cannot be shown')), h('p', { class: 'problem' }, problem instanceof Error ? problem.message : String(problem)), h('p', {}, h('a', { href: '/' }, t('To the first page')))),
});

/** @param {import('./common/router.js').Route} open @returns {import('./common/router.js').Route} */
const careful = (open) => async (match, query) => {
  try {
    return await open(match, query);
  } catch (problem) {
    return sorry(problem);
  }
};

/** The words that the document came with. */
function translate() {
  /** @type {[string, string][]} */
  const words = [['.skip', t('To the content')], ['nav a[href="/"]', t('Play')], ['nav a[href="/puzzles"]', t('Puzzles')], ['nav a[href="/learn"]', t('Learn')], ['nav a[href="/gdl"]', t('Rule sheets')], ['nav a[href="/tournaments"]', t('Tournaments')], ['main .loading', t('Setting up the board…')]];
  for (const [place, text] of words) document.querySelector(place)?.replaceChildren(text);
  document.querySelector('nav')?.setAttribute('aria-label', t('Pages'));
  document.querySelector('.brand')?.setAttribute('aria-label', t('Terzo, first page'));
}

async function begin() {
  await speak();
  translate();
  carve();
  listen();
  const header = document.querySelector('header .switches');
  if (header) add(header, themeSwitch(), settingsButton());
  route(/^\/$/, careful((_, query) => lobbyPage(query)));
  route(/^\/t\/([^/]+)$/, careful(async (match) => (await import('./table/page.js')).tablePage(match[1])));
  route(/^\/puzzles$/, careful(async (_, query) => (await teaching()).puzzlesPage(query)));
  route(/^\/explore$/, careful(async (_, query) => (await teaching()).explorePage(query)));
  route(/^\/learn$/, careful(async () => (await teaching()).lessonPage()));
  route(/^\/rules(?:\/([^/]+))?$/, careful(async (match) => (await teaching()).rulesPage(match[1] && decodeURIComponent(match[1]))));
  route(/^\/gdl$/, careful(async () => (await import('./sheet/page.js')).sheetPage()));
  route(/^\/tournaments$/, careful(async () => (await import('./tournament/page.js')).tournamentsPage()));
  route(/^\/tournaments\/(\d+)$/, careful(async (match) => (await import('./tournament/page.js')).tournamentPage(Number(match[1]))));
  route(/^\/tournaments\/(\d+)\/projector$/, careful(async (match) => (await import('./tournament/page.js')).projectorPage(Number(match[1]))));
  route(/^\/api$/, careful(async () => (await import('./reference/page.js')).referencePage()));
  await drawn();
  delete document.documentElement.dataset.frame;
  await drawn();
  start(() => sorry(t('There is no such page.')));
}

begin();
