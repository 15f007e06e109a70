// The set: sixteen wooden pieces, drawn once as symbols and then used by name wherever a piece is seen.
// Bit 0 is dark, 1 tall, 2 square, 3 hollow, as everywhere in Terzo. Each attribute can be told without colour:
// the two woods differ in brightness and the dark one wears an inlaid band, the rest is shape.

import { s } from '../common/dom.js';
import { faces } from '../common/look.js';
import { t } from '../common/texts.js';

/** How much the view from above flattens what lies on the table. The board uses the same tilt. */
export const TILT = 0.8;

/** The box a piece is drawn in: its foot stands at (0, 0), y grows downward. */
export const BOX = { x: -40, y: -88, width: 80, height: 122 };

const RADIUS = 27;
const HALF_DIAGONAL = 33;
// Tall enough to be told from short at a glance, not so tall that the top of the piece behind is covered.
const TALL = 58;
const SHORT = 25;

const WOODS = faces();

/** What the server calls the two values of each attribute. */
const WORDS = [['light', 'dark'], ['short', 'tall'], ['round', 'square'], ['solid', 'hollow']];

/** The same in the language of the page. */
const spokenWords = () => [[t('light'), t('dark')], [t('short'), t('tall')], [t('round'), t('square')], [t('solid'), t('hollow')]];

/** @param {string} word */
export const attributeWord = (word) => spokenWords().flat()[WORDS.flat().indexOf(word)] ?? word;

/** @param {number} piece @param {number} attribute */
export const attribute = (piece, attribute) => (piece >> attribute) & 1;

/** "dark tall square hollow". @param {number} piece */
export const describe = (piece) => spokenWords().map((words, i) => words[attribute(piece, i)]).join(' ');

/** The piece's digit. @param {number} piece */
export const digit = (piece) => piece.toString(16);

/** Words that several pieces share: "tall, hollow". @param {number[]} pieces */
export function common(pieces) {
  return WORDS.flatMap((words, i) => {
    const first = attribute(pieces[0], i);
    return pieces.every((p) => attribute(p, i) === first) ? [words[first]] : [];
  });
}

/** @param {string} id @param {[number, string][]} stops @param {import('../common/dom.js').Attributes} [direction] */
const linear = (id, stops, direction = {}) =>
  s('linearGradient', { id, ...direction }, stops.map(([at, colour]) => s('stop', { offset: at, 'stop-color': colour })));

/** The woods as gradients. @param {typeof WOODS[number]} wood */
function gradients(wood) {
  const { name, lit, mid, shade, top, rim, hole, deep } = wood;
  return [
    linear(`${name}-turned`, [[0, mid], [0.18, lit], [0.34, rim], [0.46, lit], [0.72, mid], [1, shade]]),
    linear(`${name}-left`, [[0, lit], [0.75, mid], [1, mid]], { x1: 0, x2: 1, y1: 0, y2: 0.35 }),
    linear(`${name}-right`, [[0, mid], [0.4, shade], [1, shade]], { x1: 0, x2: 1, y1: 0, y2: 0.6 }),
    linear(`${name}-top`, [[0, rim], [0.35, top], [1, lit]], { x1: 0.1, x2: 0.9, y1: 0, y2: 1 }),
    linear(`${name}-hole`, [[0, deep], [0.55, hole], [1, mid]], { x1: 0.3, x2: 0.7, y1: 0, y2: 1 }),
  ];
}

/** A turned piece. @param {typeof WOODS[number]} wood @param {number} height */
function cylinder(wood, height) {
  const r = RADIUS, ry = RADIUS * TILT;
  const ring = (/** @type {number} */ y, /** @type {number} */ thick) =>
    s('path', { d: `M${-r} ${y} A${r} ${ry} 0 0 0 ${r} ${y} V${y + thick} A${r} ${ry} 0 0 1 ${-r} ${y + thick}Z`, fill: wood.band, opacity: 0.9 });
  return [
    s('path', {
      d: `M${-r} ${-height} V0 A${r} ${ry} 0 0 0 ${r} 0 V${-height}Z`,
      fill: `url(#${wood.name}-turned)`, stroke: wood.edge, 'stroke-width': 1,
    }),
    wood.band && ring(-6, 3),
    s('ellipse', { cy: -height, rx: r, ry, fill: `url(#${wood.name}-top)`, stroke: wood.edge, 'stroke-width': 1 }),
    s('ellipse', { cy: -height, rx: r - 2, ry: ry - 2, fill: 'none', stroke: wood.rim, 'stroke-width': 1, opacity: 0.7 }),
  ];
}

/** A sawn piece, a corner towards us. @param {typeof WOODS[number]} wood @param {number} height */
function prism(wood, height) {
  const d = HALF_DIAGONAL, dy = HALF_DIAGONAL * TILT * 0.92;
  const face = (/** @type {number} */ side, /** @type {string} */ fill) =>
    s('path', { d: `M${side * d} ${-height} L0 ${dy - height} V${dy} L${side * d} 0Z`, fill, stroke: wood.edge, 'stroke-width': 1, 'stroke-linejoin': 'round' });
  return [
    face(-1, `url(#${wood.name}-left)`),
    face(1, `url(#${wood.name}-right)`),
    wood.band && s('path', { d: `M${-d} -7 L0 ${dy - 7} L${d} -7 v3 L0 ${dy - 4} L${-d} -4Z`, fill: wood.band, opacity: 0.9 }),
    s('path', { d: `M0 ${-height - dy} L${d} ${-height} L0 ${dy - height} L${-d} ${-height}Z`, fill: `url(#${wood.name}-top)`, stroke: wood.edge, 'stroke-width': 1, 'stroke-linejoin': 'round' }),
    s('path', { d: `M${-d + 3} ${-height} L0 ${dy - height - 2.4} L${d - 3} ${-height}`, fill: 'none', stroke: wood.rim, 'stroke-width': 1.2, opacity: 0.75 }),
  ];
}

/** What is drilled into a hollow piece. @param {typeof WOODS[number]} wood @param {number} height */
function hole(wood, height) {
  const r = 15.5, ry = r * TILT;
  return [
    s('ellipse', { cy: -height, rx: r, ry, fill: `url(#${wood.name}-hole)`, stroke: wood.edge, 'stroke-width': 1.2 }),
    s('path', { d: `M${-r} ${-height} A${r} ${ry} 0 0 0 ${r} ${-height}`, fill: 'none', stroke: wood.rim, 'stroke-width': 1.6, opacity: 0.8 }),
  ];
}

/** @param {number} piece */
function symbol(piece) {
  const wood = WOODS[attribute(piece, 0)];
  const height = attribute(piece, 1) ? TALL : SHORT;
  const square = attribute(piece, 2) === 1;
  return s('symbol', { id: `piece-${digit(piece)}`, viewBox: `${BOX.x} ${BOX.y} ${BOX.width} ${BOX.height}`, overflow: 'visible' },
    s('ellipse', { cx: 7, cy: 5, rx: square ? 36 : 33, ry: (square ? 31 : 29) * TILT, fill: '#000', opacity: 0.16 }),
    s('ellipse', { cx: 4, cy: 3, rx: square ? 33 : 30, ry: (square ? 28 : 26) * TILT, fill: '#000', opacity: 0.22 }),
    square ? prism(wood, height) : cylinder(wood, height),
    attribute(piece, 3) && hole(wood, height));
}

/** The box of a piece seen from above, around its middle. */
export const TOP_BOX = { x: -40, y: -40, width: 80, height: 80 };

/** The same piece seen from above, where height cannot be seen: a tall one is large, a short one small. @param {number} piece */
function topSymbol(piece) {
  const wood = WOODS[attribute(piece, 0)];
  const r = attribute(piece, 1) ? 34 : 23;
  const square = attribute(piece, 2) === 1;
  const shape = (/** @type {number} */ r, /** @type {import('../common/dom.js').Attributes} */ look) =>
    (square ? s('rect', { x: -0.9 * r, y: -0.9 * r, width: 1.8 * r, height: 1.8 * r, rx: 3, ...look }) : s('circle', { r, ...look }));
  return s('symbol', { id: `top-${digit(piece)}`, viewBox: `${TOP_BOX.x} ${TOP_BOX.y} ${TOP_BOX.width} ${TOP_BOX.height}`, overflow: 'visible' },
    s('g', { transform: 'translate(3 4)', opacity: 0.25 }, shape(r, { fill: '#000' })),
    shape(r, { fill: `url(#${wood.name}-top)`, stroke: wood.edge, 'stroke-width': 1.5 }),
    shape(r - 4, { fill: 'none', stroke: wood.band || wood.rim, 'stroke-width': wood.band ? 2 : 1 }),
    attribute(piece, 3) && s('circle', { r: 12, fill: `url(#${wood.name}-hole)`, stroke: wood.edge, 'stroke-width': 1.5 }));
}

/** Puts the set where `<use>` finds it. Called once. */
export function carve() {
  document.body.append(s('svg', { width: 0, height: 0, 'aria-hidden': 'true', class: 'carved' },
    s('defs', {}, WOODS.flatMap(gradients)),
    Array.from({ length: 16 }, (_, piece) => [symbol(piece), topSymbol(piece)]).flat()));
}

/** A piece standing with its foot at (x, y) of a drawing. @param {number} piece @param {number} x @param {number} y @param {string} [name] */
export function standing(piece, x, y, name = 'piece') {
  return s('use', { href: `#piece-${digit(piece)}`, x: x + BOX.x, y: y + BOX.y, width: BOX.width, height: BOX.height, class: name });
}

/** A piece seen from above, its middle at (x, y) of a drawing. @param {number} piece @param {number} x @param {number} y @param {string} [name] */
export function fromAbove(piece, x, y, name = 'piece') {
  return s('use', { href: `#top-${digit(piece)}`, x: x + TOP_BOX.x, y: y + TOP_BOX.y, width: TOP_BOX.width, height: TOP_BOX.height, class: name });
}

/**
 * The outline of a standing piece around its foot: half its width, how far it reaches up and down, and whether it has corners. It is
 * drawn in a little, so that a cell whose middle is seen can be hit there.
 * @param {number} piece
 */
export function outline(piece) {
  const square = attribute(piece, 2) === 1;
  const half = (square ? HALF_DIAGONAL : RADIUS) - 2, deep = (square ? HALF_DIAGONAL * 0.92 : RADIUS) * TILT;
  return { half, deep, up: (attribute(piece, 1) ? TALL : SHORT) + deep - 6, down: deep, square };
}

/**
 * A piece by itself. All are drawn to the same scale; `close` leaves out the empty room above a short one.
 * @param {number} piece @param {string} [name] @param {boolean} [close]
 */
export function picture(piece, name = 'portrait', close = false) {
  const above = close && !attribute(piece, 1) ? TALL - SHORT : 0;
  return s('svg', { viewBox: `${BOX.x} ${BOX.y + above} ${BOX.width} ${BOX.height - above}`, class: name, 'aria-hidden': 'true', focusable: 'false' },
    s('use', { href: `#piece-${digit(piece)}`, ...BOX }));
}
