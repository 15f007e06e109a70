// The exact values of what may be done now, as they come in from the solver. Asking is cheap to give up: whenever the
// moment on the screen changes, the old question is dropped.

import { stream } from '../common/api.js';

export class Truth {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.on = false;
    this.asked = '';
    this.close = () => {};
    /** @type {Map<string, Worth>} */
    this.cells = new Map();
    /** @type {Map<string, Worth>} */
    this.pieces = new Map();
    /** @type {Worth | null} */
    this.value = null;
    /** @type {Progress | null} */
    this.progress = null;
    this.state = '';
  }

  clear() {
    this.cells = new Map();
    this.pieces = new Map();
    this.value = null;
    this.progress = null;
    this.state = '';
  }

  /** Follows the moment shown; `place` is the cell of a piece that is placed but not sent. @param {Table} table @param {string | null} place */
  follow(table, place) {
    const asked = this.on && table.to_move !== null ? `${table.position} ${place ?? ''}` : '';
    if (asked === this.asked) return;
    this.close();
    this.asked = asked;
    this.clear();
    if (!asked) return;
    let waiting = false;
    const soon = () => {
      // Hundreds of values may come at once; one drawing a frame is enough.
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.changed();
      });
    };
    // A placement that is on the screen but not sent still counts: the numbers are those of the whole turn.
    const begun = place ? 1 : 0;
    const query = new URLSearchParams({ ply: String(table.ply), ...(place ? { place } : {}) });
    this.state = 'working';
    this.close = stream(`/api/tables/${table.id}/truth?${query}`, {
      cell: (/** @type {CellWorth} */ worth) => (this.cells.set(worth.cell, worth), soon()),
      piece: (/** @type {PieceWorth} */ { piece, value, plies }) => (this.pieces.set(piece, { value, plies: plies + begun }), soon()),
      value: (/** @type {Worth} */ { value, plies }) => ((this.value = { value, plies: plies + begun }), soon()),
      progress: (/** @type {Progress} */ progress) => ((this.progress = progress), soon()),
      end: (/** @type {TruthEnd} */ end) => ((this.state = end.complete ? 'done' : 'stopped'), soon()),
    }, () => ((this.state = 'refused'), soon()));
  }
}
