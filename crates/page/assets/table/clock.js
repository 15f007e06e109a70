// Clocks: how they are chosen, and how they look.

import { h } from '../common/dom.js';
import { recall, remember } from '../common/memory.js';
import { t } from '../common/texts.js';

/** Minutes for the game, and seconds that every turn adds. */
const CONTROLS = [[1, 1], [3, 2], [5, 3], [10, 5], [30, 20]];

/** Where few seconds are left, tenths are told. */
const LOW_MS = 20_000;

/** "4:09", "0:07.3". @param {number} ms */
export function timeText(ms) {
  const tenths = Math.ceil(ms / 100);
  const seconds = ms < LOW_MS ? Math.floor(tenths / 10) : Math.ceil(ms / 1000);
  const rest = String(seconds % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const whole = minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
  return ms < LOW_MS ? `${whole}.${tenths % 10}` : whole;
}

/** What a seat has left; nothing where no clock is. @param {import('./session.js').Session} session @param {number} seat */
export function clockFace(session, seat) {
  const left = session.left(seat);
  if (left === null) return null;
  const runs = session.table.clock?.running === seat;
  return h('span', { class: `seat-clock${runs ? ' runs' : ''}${left < LOW_MS ? ' low' : ''}`, title: t('Time left') }, timeText(left));
}

/** Chooses the clock of a new game; `value` is what the server is asked for. */
export function clockPicker() {
  const select = h('select', { class: 'clock-pick', 'aria-label': t('Clock') }, h('option', { value: '' }, t('no clock')),
    CONTROLS.map(([minutes, seconds]) => h('option', { value: `${minutes}+${seconds}` }, t('{minutes} min + {seconds} s a turn', { minutes, seconds }))));
  select.value = recall('clock');
  if (select.selectedIndex < 0) select.value = '';
  return {
    element: h('label', { class: 'line clock-line' }, h('span', {}, t('Clock')), select),
    value: () => {
      remember('clock', select.value);
      const [minutes, seconds] = select.value.split('+').map(Number);
      return select.value ? { clock: { base_ms: minutes * 60_000, increment_ms: seconds * 1000 } } : {};
    },
  };
}
