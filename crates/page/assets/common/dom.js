// Making elements, and nothing else. Text always goes in as text, so nothing that a player, a sheet or a
// program says can become markup.

import { link } from './place.js';

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : name === 'href' && String(value).startsWith('/') ? link(String(value)) : String(value));
  }
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
export function add(element, ...children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Empties an element and fills it again.
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, ...children);
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  add(element, ...children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  add(element, ...children);
  return element;
}

/**
 * A button with a written or drawn face. `label` is what is read aloud where the face says too little.
 * @param {Child | Child[]} face
 * @param {(event: MouseEvent) => void} press
 * @param {Attributes} [attributes]
 */
export function button(face, press, attributes = {}) {
  return h('button', { type: 'button', onclick: press, ...attributes }, face);
}
