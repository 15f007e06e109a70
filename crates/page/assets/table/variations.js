// An analysis board: a copy of a game at a table of its own, where either side can be played from any moment, and every line that was
// tried stays. The game itself is not touched.

import { send, text } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { recall, remember } from '../common/memory.js';
import { go } from '../common/router.js';
import { tell } from '../common/say.js';
import { t } from '../common/texts.js';

/** The tables that are analysis boards, and the lines tried at each; the latest last. */
const BOARDS = 'analysis';
const MOST_BOARDS = 20;
/** More lines than that nobody looks through. */
const MOST_LINES = 24;

/** @typedef {{ turns: string[], written: string[] }} Line */
/** @typedef {[string, Line[]][]} Boards */

/** @returns {Boards} */
function boards() {
  try {
    return JSON.parse(recall(BOARDS, '[]'));
  } catch {
    return [];
  }
}

/** @param {string} id @param {Line[]} lines */
const keep = (id, lines) => remember(BOARDS, JSON.stringify([...boards().filter(([other]) => other !== id), [id, lines]].slice(-MOST_BOARDS)));

/** Whether a table is an analysis board of this browser. @param {string} id */
export const isAnalysis = (id) => boards().some(([own]) => own === id);

/** Opens an analysis board with the game of a table. @param {Table} table */
export async function analyse(table) {
  const record = await tell(text(`/api/tables/${table.id}/record`));
  if (record === undefined) return;
  const made = await tell(/** @type {Promise<Table>} */ (send('/api/tables', { game: table.game, text: record })));
  if (!made) return;
  keep(made.id, []);
  go(`/t/${made.id}`);
}

/** @param {string[]} short @param {string[]} long */
const begins = (short, long) => short.length <= long.length && short.every((turn, i) => turn === long[i]);

/** The lines that were tried, to be gone back to. */
export class Variations {
  /** @param {import('./session.js').Session} session */
  constructor(session) {
    this.session = session;
    /** @type {Line[]} */
    this.lines = boards().find(([id]) => id === session.table.id)?.[1] ?? [];
    this.list = h('ol', { class: 'variations' });
    this.element = h('section', { class: 'card', 'aria-label': t('Variations') }, h('h2', {}, t('Analysis board')),
      h('p', { class: 'muted small' }, t('A copy: the game itself is not touched. Play either side, from any moment; every line that you try stays here.')), this.list);
    this.drawn = '';
  }

  update() {
    const { turns, written, id } = this.session.table;
    if (!this.lines.some((line) => begins(turns, line.turns))) {
      // A line that goes on takes the place of its beginning.
      const at = this.lines.findIndex((line) => begins(line.turns, turns));
      this.lines.splice(at < 0 ? this.lines.length : at, at < 0 ? 0 : 1, { turns, written });
      this.lines = this.lines.slice(0, MOST_LINES);
      keep(id, this.lines);
    }
    this.draw();
  }

  draw() {
    const { turns, ply } = this.session.table;
    const state = JSON.stringify([this.lines.map((line) => line.turns), turns, ply]);
    if (state === this.drawn) return;
    this.drawn = state;
    const [main] = this.lines;
    fill(this.list, this.lines.map((line, i) => {
      // What differs from the game is what is told.
      const same = line === main ? 0 : line.turns.findIndex((turn, at) => turn !== main.turns[at]);
      const from = Math.max(0, same);
      const words = line.turns.length ? `${from + 1}. ${line.written.slice(from).join(' ')}` : t('No turns yet');
      return h('li', {}, button([h('b', {}, i === 0 ? t('The game') : t('Variation {number}', { number: i })), ' ', h('span', {}, words)], () => this.open(line), { class: 'variation', 'aria-current': begins(turns, line.turns) ? 'true' : null }));
    }));
  }

  /** @param {Line} line */
  open(line) {
    this.session.change('/game', { position: this.session.table.start, turns: line.turns }, 'PUT');
  }
}
