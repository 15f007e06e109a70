// Runs before the first paint, so that a chosen theme never flashes, and while the modules are still on their way. No module: those
// wait for the document. It stands before the style sheets, which scripts after them wait for.
(() => {
  try {
    const theme = localStorage.getItem('terzo-theme');
    if (theme) document.documentElement.dataset.theme = theme;
    const board = localStorage.getItem('terzo-board');
    if (board) document.documentElement.dataset.board = board;
  } catch { /* storage may be forbidden: then the system's choice stands */ }
  // Almost every page needs to know the games: they are asked for now.
  if (/^\/($|t\/|gdl$|tournaments$)/.test(location.pathname)) globalThis.terzoGames = fetch('/api/games').catch(() => null);
})();
