// Runs before the first paint, so that a chosen theme never flashes, and while the modules are still on their way. No module: those
// wait for the document. It stands before the style sheets, which scripts after them wait for.
(() => {
  try {
    const theme = localStorage.getItem('terzo-theme');
    if (theme) document.documentElement.dataset.theme = theme;
    const board = localStorage.getItem('terzo-board');
    if (board) document.documentElement.dataset.board = board;
  } catch { /* storage may be forbidden: then the system's choice stands */ }
  // What waits for the second frame (base.css says why). `app.js` ends it.
  document.documentElement.dataset.frame = 'first';
  // What this page will need besides is sent for at once, not only when the first module asks for it.
  const part = new Map([['t', 'table/page.js'], ['gdl', 'sheet/page.js'], ['tournaments', 'tournament/page.js'], ['puzzles', 'teach/all.js'], ['learn', 'teach/all.js'], ['rules', 'teach/all.js'], ['explore', 'teach/all.js']]).get(location.pathname.split('/')[1]);
  const here = document.currentScript?.getAttribute('src') ?? '';
  if (part) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: here.replace('theme.js', part) }));
  // Almost every page needs to know the games. The document's header told the browser to ask for them; here is the answer.
  if (/^\/($|t\/|gdl$|tournaments$)/.test(location.pathname)) globalThis.terzoGames = fetch('/api/games').catch(() => null);
})();
