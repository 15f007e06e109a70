// From addresses to pages, without loading anything again.

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
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  return show();
}

/** @returns {Promise<void>} */
export async function show() {
  const mine = ++visit;
  const found = routes.map(([path, open]) => ({ match: location.pathname.match(path), open })).find(({ match }) => match);
  const page = found?.match ? await found.open(found.match, new URLSearchParams(location.search)) : nowhere();
  // Somebody may have gone elsewhere while this page was being made.
  if (mine !== visit) return page.leave?.();
  present?.leave?.();
  present = page;
  document.title = page.title ? `${page.title} · Terzo` : 'Terzo';
  document.getElementById('page')?.replaceChildren(page.element);
  for (const link of document.querySelectorAll('nav a')) {
    const href = link.getAttribute('href') ?? '';
    const here = href === '/' ? location.pathname === '/' || location.pathname.startsWith('/t/') : location.pathname.startsWith(href);
    link.toggleAttribute('aria-current', here);
    if (here) link.setAttribute('aria-current', 'page');
  }
  scrollTo(0, 0);
}

/** @param {() => Page} lost what is shown at an address that leads nowhere */
export function start(lost) {
  nowhere = lost;
  addEventListener('popstate', () => show());
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname.startsWith('/api/') || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(link.href);
  });
  return show();
}
