// What stands on a cell: signs that everybody knows where the words or the sheet's hints tell them, else the word itself.

import { h, s } from '../common/dom.js';
import { describe as quartoWords, picture } from '../quarto/piece.js';

const CHESS = { k: '♚', q: '♛', r: '♜', b: '♝', n: '♞', p: '♟' };
const KINDS = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
/** Said of a glyph that it is a letter and no picture of the system's. */
const PLAIN = '\uFE0E';

const COLOURS = /^(red|black|white|blue|yellow|green|r|w)(?:_?(?:disc|piece|pawn|stone))?$/;
const MAN = /^(w|b|white|black)[ _]?(k|q|r|b|n|p|king|queen|rook|bishop|knight|pawn|amazon|shooter)$/;
const CHESSMAN = /^(king|queen|rook|bishop|knight|pawn)$/;
/** A cell that nobody can enter any more. */
const CLOSED = /^(closed|burnt|blocked|wall)$/;

/** @typedef {{ relation: string, pieces?: string | null, look?: string }} Set */

/** A Quarto piece's number: `p3` or `3`. @param {string} word */
const quartoPiece = (word) => (/^p?[0-9a-f]$/.test(word) ? parseInt(word.at(-1) ?? '0', 16) : null);

/** @param {RegExpMatchArray} chess @returns {keyof typeof CHESS} */
const kindOf = (chess) => (['amazon', 'shooter'].includes(chess[2]) ? 'q' : letterOf(chess[2]));

/** @param {string} kind @returns {keyof typeof CHESS} */
const letterOf = (kind) => (kind === 'knight' ? 'n' : /** @type {keyof typeof CHESS} */ (kind[0]));

/** In words. @param {string} content @param {Set} set */
export function describe(content, { relation, pieces }) {
  const word = content.toLowerCase(), piece = pieces === 'quarto' ? quartoPiece(word) : null;
  if (piece !== null) return quartoWords(piece);
  const chess = word.match(MAN);
  if (chess) return `${chess[1][0] === 'w' ? 'white' : 'black'} ${chess[2].length > 1 ? chess[2] : KINDS[kindOf(chess)]}`;
  return content === relation ? 'on' : content;
}

/** @param {string} content @param {Set} set @returns {Node} */
export function content(content, { relation, pieces, look }) {
  const word = content.toLowerCase();
  const piece = pieces === 'quarto' ? quartoPiece(word) : null;
  if (piece !== null) return picture(piece, 'sign quarto-piece');
  // A cell of which nothing is said but that it is so: a lamp that shines.
  if (content === relation) return look === 'lamps' ? h('span', { class: 'lamp' }) : sign('disc yellow', s('circle', { r: 7 }));
  const draught = pieces === 'draughts' || relation.split(' ').includes('man') ? word.match(/^(red|black|white) (man|king)$/) : null;
  if (draught) {
    return sign(`disc ${draught[1]}`, s('circle', { r: 7.4 }), draught[2] === 'king' ? s('path', { d: 'M-4 3 L-4.5 -3 L-2 0 L0 -4 L2 0 L4.5 -3 L4 3Z', class: 'crown' }) : [s('circle', { r: 5.4, class: 'groove' }), s('circle', { r: 3, class: 'groove' })]);
  }
  if (word === 'x') return sign('cross', s('path', { d: 'M-5.5 -5.5 L5.5 5.5 M5.5 -5.5 L-5.5 5.5' }));
  if (word === 'o') return sign('nought', s('circle', { r: 5.8 }));
  const disc = word.match(COLOURS);
  if (disc && pieces === 'pawns') return man('p', disc[1][0]);
  if (disc) return sign(`disc ${{ r: 'red', w: 'white' }[disc[1]] ?? disc[1]}`, s('circle', { r: 7.4 }), s('circle', { r: 5.6, class: 'groove' }));
  const chess = word.match(MAN);
  if (chess) return man(kindOf(chess), chess[1][0]);
  if (CHESSMAN.test(word)) return man(letterOf(word), 'b');
  if (CLOSED.test(word)) return h('span', { class: 'closed-cell' });
  if (word === 'visited') return sign('visited', s('circle', { r: 2.6 }));
  return h('span', { class: `word tint-${tint(word)}` }, content.length > 6 ? `${content.slice(0, 5)}…` : content);
}

/** @param {keyof typeof CHESS} kind @param {string} colour */
const man = (kind, colour) => h('span', { class: `chessman ${colour === 'w' ? 'w' : 'b'}` }, CHESS[kind] + PLAIN);

/** @param {string} name @param {(Node | Node[])[]} shapes */
const sign = (name, ...shapes) => s('svg', { viewBox: '-10 -10 20 20', class: `sign ${name}`, 'aria-hidden': 'true' }, ...shapes);

/** The same word always has the same of six tints. @param {string} word */
const tint = (word) => [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % 6;
