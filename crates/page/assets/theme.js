// Runs before the first paint, so that a chosen theme never flashes. No module: those wait for the document.
(() => {
  try {
    const theme = localStorage.getItem('terzo-theme');
    if (theme) document.documentElement.dataset.theme = theme;
  } catch { /* storage may be forbidden: then the system's choice stands */ }
})();
