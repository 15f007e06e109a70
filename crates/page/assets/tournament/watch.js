// Games of a tournament while they are played: a small board each, as they stand.

import { get } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { stageOf } from '../table/stages.js';

/** How long a moment stays before the next is asked for. */
const PACE_MS = 600;

export class Watch {
  /** @param {number} id the tournament */
  constructor(id) {
    this.id = id;
    this.on = false;
    this.timer = 0;
    this.games = h('div', { class: 'watched' });
    this.button = button(t('Watch the games'), () => this.toggle(), { class: 'watch', 'aria-pressed': 'false' });
    this.element = h('section', { class: 'card', 'aria-label': t('Games being played') }, this.button, this.games);
  }

  /** Only what runs can be watched. @param {boolean} runs */
  take(runs) {
    this.element.hidden = !runs;
    if (!runs) this.leave();
  }

  toggle() {
    if (this.on) this.leave();
    else {
      this.on = true;
      this.look();
    }
    this.button.setAttribute('aria-pressed', String(this.on));
  }

  leave() {
    this.on = false;
    clearTimeout(this.timer);
    this.button.setAttribute('aria-pressed', 'false');
    fill(this.games);
  }

  async look() {
    try {
      const { games } = /** @type {{ games: WatchedGame[] }} */ (await get(`/api/tournaments/${this.id}/live`));
      const cards = await Promise.all(games.map((game) => this.card(game)));
      if (!this.on) return;
      // Between two games the last one stays.
      if (cards.length) fill(this.games, cards);
      else if (!this.games.querySelector('figure')) fill(this.games, h('p', { class: 'muted' }, t('Waiting for the next turn.')));
    } catch { /* the server is away for a moment: the next look may find it */ }
    // A hidden tab looks at nothing.
    const again = () => (document.hidden ? (this.timer = window.setTimeout(again, PACE_MS)) : this.look());
    if (this.on) this.timer = window.setTimeout(again, PACE_MS);
  }

  /** @param {WatchedGame} game */
  async card({ pair, game, players, turns, last, view }) {
    const Stage = await stageOf(view.kind);
    return h('figure', { class: `watched-game ${view.kind}` },
      h('span', { class: 'preview', 'aria-hidden': 'true', inert: true }, Stage.picture(view)),
      h('figcaption', {}, h('b', {}, players.join(' – ')), h('small', { class: 'muted' }, ` ${pair + 1}.${game}, ${t('{count} turn|{count} turns', { count: turns })}${last ? `, ${last}` : ''}`)));
  }
}
