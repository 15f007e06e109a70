// Runs before the first paint, so that a chosen theme never flashes. No module: those wait for the document.
(() => {
  try {
    const theme = localStorage.getItem('terzo-theme');
    if (theme) document.documentElement.dataset.theme = theme;
    const board = localStorage.getItem('terzo-board');
    if (board) document.documentElement.dataset.board = board;
  } catch { /* storage may be forbidden: then the system's choice stands */ }
})();
