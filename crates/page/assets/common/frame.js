// Long work in pieces: between two of them the browser draws, and answers whoever presses something.

/** Waits until the browser has drawn what there is. A page that nobody sees is not drawn, and goes on at once. @returns {Promise<void>} */
export const drawn = () => new Promise((done) => {
  // The frame is drawn right after this is called, the rest follows it.
  if (document.hidden) setTimeout(done);
  else requestAnimationFrame(() => setTimeout(done));
});
