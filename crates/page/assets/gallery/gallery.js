// All games as cards: a small board, a name, for how many, the rules in short. Pressing one sits down to it.

import { get } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { drawn } from '../common/frame.js';
import { t } from '../common/texts.js';
import { stageOf } from '../table/stages.js';

/** Games that share a card: the variants of one. @typedef {{ title: string, family: string, kinds: GameKind[] }} Group */

/** The variants of Quarto are one game to choose; every other game stands for itself. @param {GameKind[]} kinds @returns {Group[]} */
export function groups(kinds) {
  /** @type {Group[]} */
  const all = [];
  for (const kind of kinds) {
    const same = kind.family === 'quarto' ? all.find((group) => group.family === 'quarto') : undefined;
    if (same) same.kinds.push(kind);
    else all.push({ title: kind.title, family: kind.family, kinds: [kind] });
  }
  return all;
}

/** All that a search may find of a game. @param {Group} group */
const words = ({ title, kinds }) => [title, ...kinds.flatMap((kind) => [kind.name, kind.summary, kind.rules])].join(' ').toLowerCase();

/** How far below the screen a card is already drawn. */
const AHEAD = '0px 0px 25% 0px';

/** What a board has for whoever plays on it. Every element counts: a dialog has the browser look at all of them. */
const NEEDLESS = '.cells, .file, .rank, .book-number, .hex-name, .stand:empty';

/** A stage draws its game small as it does large. @param {{ group: Group, picture: HTMLElement }} card @param {View} view */
async function paint({ group, picture }, view) {
  const stage = await stageOf(group.family);
  await drawn();
  const parts = stage.picture(view);
  for (const needless of parts.flatMap((part) => [...part.querySelectorAll(NEEDLESS)])) needless.remove();
  fill(picture, parts);
}

export class Gallery {
  /** @param {GameKind[]} kinds @param {(group: Group) => void} open */
  constructor(kinds, open) {
    this.cards = groups(kinds).map((group) => {
      const picture = h('span', { class: 'preview', 'aria-hidden': 'true', inert: true });
      const [kind] = group.kinds;
      const element = button([picture, h('span', { class: 'card-words' }, h('b', {}, group.title), h('small', {}, t('{count} player|{count} players', { count: kind.seats })), h('span', { class: 'card-rules' }, kind.rules))],
        () => open(group), { class: `game-card ${group.family}`, 'data-game': kind.name });
      return { group, picture, element, words: words(group) };
    });
    this.none = h('p', { class: 'muted', hidden: true }, t('No game is called that.'));
    this.element = h('section', { class: 'gallery', 'aria-label': t('All games') }, this.cards.map((card) => card.element), this.none);
  }

  /** Pictures come when the page stands, each by itself: nobody waits for them. Those that cannot be seen yet are drawn when somebody comes near. */
  async draw() {
    try {
      const { previews } = /** @type {{ previews: { name: string, view: View }[] }} */ (await get('/api/games/previews'));
      let before = Promise.resolve();
      const near = new IntersectionObserver((seen) => {
        for (const { target } of seen.filter((one) => one.isIntersecting)) {
          near.unobserve(target);
          const card = this.cards.find((card) => card.element === target);
          const found = previews.find((one) => one.name === card?.group.kinds[0].name);
          if (card && found) before = before.then(() => paint(card, found.view)).catch(() => { /* a card without a picture is one all the same */ });
        }
      }, { rootMargin: AHEAD });
      for (const { element } of this.cards) near.observe(element);
    } catch { /* a gallery without pictures is one all the same */ }
  }

  /** Leaves the games that a text finds. @param {string} text */
  search(text) {
    const wanted = text.trim().toLowerCase();
    for (const card of this.cards) card.element.hidden = !card.words.includes(wanted);
    this.none.hidden = this.cards.some((card) => !card.element.hidden);
  }
}
