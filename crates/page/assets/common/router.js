// From addresses to pages, without loading anything again.

import { here, link, onFiles } from './place.js';

/** @typedef {{ title: string, element: HTMLElement, leave?: () => void }} Page */
/** @typedef {(match: RegExpMatchArray, query: URLSearchParams) => Promise<Page> | Page} Route */

/** @type {[RegExp, Route][]} */
const routes = [];
/** @type {Page | null} */
let present = null;
let visit = 0;
/** @type {() => Page} */
let nowhere = () => ({ title: '', element: document.createElement('div') });

/** @param {RegExp} path @param {Route} open */
export const route = (path, open) => routes.push([path, open]);

/** @param {string} address @param {boolean} [replace] @returns {Promise<void>} */
export function go(address, replace = false) {
  if (replace) history.replaceState(null, '', link(address));
  else history.pushState(null, '', link(address));
  return show();
}

/** @returns {Promise<void>} */
export async function show() {
  // A place on the page that is shown is no other page.
  if (onFiles() && location.hash && !location.hash.startsWith('#/')) return;
  const mine = ++visit;
  const { pathname, searchParams } = here();
  const found = routes.map(([path, open]) => ({ match: pathname.match(path), open })).find(({ match }) => match);
  const page = found?.match ? await found.open(found.match, searchParams) : nowhere();
  // Somebody may have gone elsewhere while this page was being made.
  if (mine !== visit) return page.leave?.();
  present?.leave?.();
  present = page;
  // Where the page before begins, for to scroll the new one it would have to be laid out at once.
  scrollTo(0, 0);
  document.title = page.title ? `${page.title} · Terzo` : 'Terzo';
  document.getElementById('page')?.replaceChildren(page.element);
  for (const entry of document.querySelectorAll('nav a')) {
    const href = (entry.getAttribute('href') ?? '').replace(/^#/, '');
    const current = href === '/' ? pathname === '/' || pathname.startsWith('/t/') : pathname.startsWith(href);
    entry.toggleAttribute('aria-current', current);
    if (current) entry.setAttribute('aria-current', 'page');
  }
}

/** @param {() => Page} lost what is shown at an address that leads nowhere */
export function start(lost) {
  nowhere = lost;
  addEventListener('popstate', () => show());
  // Where pages are places in one document, the browser follows links by itself.
  if (onFiles()) {
    for (const anchor of document.querySelectorAll('a[href^="/"]')) anchor.setAttribute('href', link(anchor.getAttribute('href') ?? ''));
    return show();
  }
  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (!anchor || anchor.target || anchor.hasAttribute('download') || anchor.origin !== location.origin) return;
    if (anchor.pathname.startsWith('/api/') || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(anchor.href);
  });
  return show();
}
