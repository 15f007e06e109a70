// Where everything begins.

import { add, h } from './common/dom.js';
import { route, start } from './common/router.js';
import { listen } from './common/say.js';
import { themeSwitch } from './common/theme.js';
import { lobbyPage } from './lobby.js';
import { carve } from './quarto/piece.js';
import { tablePage } from './table/page.js';

/** A page that says what went wrong, where the wanted one could not be made. @param {unknown} problem @returns {import('./common/router.js').Page} */
const sorry = (problem) => ({
  title: 'Not found',
  element: h('div', { class: 'page' }, h('h1', {}, 'This cannot be shown'), h('p', { class: 'problem' }, problem instanceof Error ? problem.message : String(problem)), h('p', {}, h('a', { href: '/' }, 'To the first page'))),
});

/** @param {import('./common/router.js').Route} open @returns {import('./common/router.js').Route} */
const careful = (open) => async (match, query) => {
  try {
    return await open(match, query);
  } catch (problem) {
    return sorry(problem);
  }
};

carve();
listen();
const header = document.querySelector('header .switches');
if (header) add(header, themeSwitch());
route(/^\/$/, careful((_, query) => lobbyPage(query)));
route(/^\/t\/([^/]+)$/, careful((match) => tablePage(match[1])));
route(/^\/gdl$/, careful(async () => (await import('./sheet/page.js')).sheetPage()));
route(/^\/tournaments$/, careful(async () => (await import('./tournament/page.js')).tournamentsPage()));
route(/^\/tournaments\/(\d+)$/, careful(async (match) => (await import('./tournament/page.js')).tournamentPage(Number(match[1]))));
start(() => sorry('There is no such page.'));
