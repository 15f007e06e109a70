// What stands on a cell of a game nobody drew for: signs everybody knows where the words are known, else the word itself.

import { h, s } from '../common/dom.js';

const CHESS = { k: '♚', q: '♛', r: '♜', b: '♝', n: '♞', p: '♟' };

/** @param {string} content @param {string} relation what the facts of the board are called @returns {Node} */
export function content(content, relation) {
  const word = content.toLowerCase();
  // A cell of which nothing is said but that it is so: a lamp that shines.
  if (content === relation) return sign('disc yellow', s('circle', { r: 7 }));
  const draught = relation.split(' ').includes('man') ? word.match(/^(red|black|white) (man|king)$/) : null;
  if (draught) {
    return sign(`disc ${draught[1]}`, s('circle', { r: 7 }), draught[2] === 'king' ? s('path', { d: 'M-4 3 L-4.5 -3 L-2 0 L0 -4 L2 0 L4.5 -3 L4 3Z', class: 'crown' }) : s('circle', { r: 4.6, class: 'groove' }));
  }
  if (word === 'x') return sign('cross', s('path', { d: 'M-5.5 -5.5 L5.5 5.5 M5.5 -5.5 L-5.5 5.5' }));
  if (word === 'o') return sign('nought', s('circle', { r: 5.8 }));
  const disc = word.match(/^(red|black|white|blue|yellow|green|r|w)(?:_?(?:disc|piece|pawn|stone))?$/);
  if (disc) return sign(`disc ${{ r: 'red', w: 'white' }[disc[1]] ?? disc[1]}`, s('circle', { r: 7 }));
  const chess = word.match(/^(w|b|white|black)[ _]?(k|q|r|b|n|p|king|queen|rook|bishop|knight|pawn)$/);
  if (chess) {
    const kind = chess[2] === 'knight' ? 'n' : /** @type {keyof typeof CHESS} */ (chess[2][0]);
    return h('span', { class: `chessman ${chess[1][0]}` }, CHESS[/** @type {keyof typeof CHESS} */ (kind)]);
  }
  return h('span', { class: `word tint-${tint(word)}` }, content.length > 6 ? `${content.slice(0, 5)}…` : content);
}

/** @param {string} name @param {Node[]} shapes */
const sign = (name, ...shapes) => s('svg', { viewBox: '-10 -10 20 20', class: `sign ${name}`, 'aria-hidden': 'true' }, shapes);

/** The same word always has the same of six tints. @param {string} word */
const tint = (word) => [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % 6;
