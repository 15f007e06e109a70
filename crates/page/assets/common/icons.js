// The few icons of the page, one path each on a 24 x 24 grid, drawn with the colour of the text around them.

import { s } from './dom.js';

const PATHS = {
  undo: 'M9 7 4.5 11.5 9 16M5 11.5h9.5a5 5 0 0 1 0 10H12',
  redo: 'M15 7l4.5 4.5L15 16M19 11.5H9.5a5 5 0 0 0 0 10H12',
  restart: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4M17.5 2.5v4.5H13',
  swap: 'M4 8.5h14M14.5 5 18 8.5 14.5 12M20 15.5H6M9.5 12 6 15.5 9.5 19',
  hint: 'M9.5 18h5M10.5 21h3M8.5 14.5c-1.6-1.2-2.5-3-2.5-5a6 6 0 0 1 12 0c0 2-.9 3.8-2.5 5V15.5h-7z',
  truth: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  setup: 'M4 4h6.5v6.5H4zM13.5 13.5H20V20h-6.5zM16.75 4v6.5M13.5 7.25H20M4 16.75h6.5',
  share: 'M8 12.5 16 8M8 11.5l8 4.5M6 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 20a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  above: 'M4 4h16v16H4zM12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z',
  analyse: 'M6 20V9M6 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM6 16h6a4 4 0 0 0 4-4v-1M16 11a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  first: 'M6 5v14M18 5l-9 7 9 7z',
  back: 'M16 5l-9 7 9 7z',
  on: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M6 5l9 7-9 7z',
  play: 'M7 4.5 19 12 7 19.5z',
  pause: 'M8 5v14M16 5v14',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z',
  auto: 'M12 3.5v17a8.5 8.5 0 0 0 0-17ZM12 20.5a8.5 8.5 0 1 1 0-17',
  keys: 'M3 6.5h18v11H3zM6.5 10h.01M10 10h.01M14 10h.01M17.5 10h.01M8 14h8',
  rules: 'M12 6.5C10 5 7 4.5 4 4.5v14c3 0 6 .5 8 2 2-1.5 5-2 8-2v-14c-3 0-6 .5-8 2ZM12 6.5v14',
  plus: 'M12 5v14M5 12h14',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6',
  program: 'M7 7h10v10H7zM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5',
  down: 'M12 4v12M7 11.5l5 5 5-5M4.5 20h15',
  stop: 'M6.5 6.5h11v11h-11z',
  close: 'M6 6l12 12M18 6 6 18',
  resign: 'M6 21V4M6 4.5h11.5l-2.5 4 2.5 4H6',
  draw: 'M4 9.5h16M4 14.5h16',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
};

/** @typedef {keyof typeof PATHS} Icon */

/** @param {Icon} name */
export function icon(name) {
  return s('svg', { viewBox: '0 0 24 24', class: `icon icon-${name}`, 'aria-hidden': 'true', focusable: 'false' },
    s('path', { d: PATHS[name] }));
}
