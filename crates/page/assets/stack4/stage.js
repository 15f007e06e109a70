// A Stack Four table: the board in space, the map of its columns, points and what the next line pays.

import { button, fill, h, set } from '../common/dom.js';
import { arrows } from '../common/roving.js';
import { t } from '../common/texts.js';
import { does, headlineOf, seatNames } from '../table/names.js';
import { linesAt, stand, worthOf } from './columns.js';
import { paint } from './painter.js';
import { setupDialog } from './setup.js';
import { Camera } from './space.js';
import { View3d } from './view3d.js';

const colours = () => [t('Black'), t('White')];

export class StackStage {
  /** @param {import('../table/session.js').Session} session @param {() => void} changed */
  constructor(session, changed) {
    this.session = session;
    this.changed = changed;
    this.pending = null;
    /** @type {string | null} */
    this.pointed = null;
    /** @type {string | null} */
    this.hinted = null;
    this.before = '';
    /** @type {Set<number>} */
    this.faded = new Set();
    this.view3d = new View3d((column) => this.pointAt(column), (column) => this.choose(column));
    this.landing = h('div', { class: 'landing' });
    const { camera } = this.view3d;
    const look = (/** @type {string} */ words, /** @type {() => void} */ act) => button(words, () => (act(), this.view3d.soon()), { class: 'look' });
    this.main = h('div', { class: 'space-frame' }, this.view3d.canvas, this.landing,
      h('div', { class: 'looks', role: 'group', 'aria-label': t('View') },
        look('⟲', () => camera.turn(-0.3, 0)), look('⟳', () => camera.turn(0.3, 0)), look('+', () => camera.approach(1.15)), look('−', () => camera.approach(1 / 1.15)),
        look(t('Top'), () => camera.turn(0, 9)), look(t('Front'), () => camera.reset())));
    [t('Turn left'), t('Turn right'), t('Closer'), t('Farther'), t('Top view'), t('Front view')].forEach((label, i) =>
      set(/** @type {Element} */ (this.main.querySelectorAll('.look')[i]), { 'aria-label': label, title: label }));
    this.middle = h('div', { class: 'next-line' });
    this.map = this.makeMap();
    this.layers = this.makeLayers();
    this.aside = h('section', { class: 'columns', 'aria-label': t('Columns') }, this.map, this.layers);
    this.lines = h('section', { class: 'card lines', 'aria-label': t('Lines made') });
    this.side = [this.lines];
  }

  /** A small picture of a position. @param {StackView} view */
  static picture(view) {
    const size = 360;
    const canvas = h('canvas', { class: 'space-picture', width: size, height: size });
    const pen = canvas.getContext('2d');
    const camera = Object.assign(new Camera(), { width: size, height: size, zoom: 1.15 });
    if (pen) paint(pen, camera, { columns: stand(view.columns), faded: new Set(), lines: [], fresh: new Set(), preview: null, last: null, hinted: null, falling: null });
    return [canvas];
  }

  leave() {
    this.view3d.leave();
  }

  get shown() {
    return /** @type {TableOf<StackView>} */ (this.session.shown);
  }

  makeMap() {
    const { columns } = this.shown.view;
    const low = Math.min(...columns.map((column) => column.row)), left = Math.min(...columns.map((column) => column.col));
    this.cells = columns.map((column) => button(h('span', { class: 'column-name', 'aria-hidden': 'true' }, column.name), () => this.choose(column.name), {
      class: 'column', 'data-column': column.name,
      onpointerenter: () => this.pointAt(column.name), onpointerleave: () => this.pointAt(null), onfocus: () => this.pointAt(column.name), onblur: () => this.pointAt(null),
    }));
    this.cells.forEach((cell, i) => {
      cell.style.gridRow = String(columns[i].row - low + 1);
      cell.style.gridColumn = String(columns[i].col - left + 1);
    });
    const map = h('div', { class: 'column-map', role: 'group', 'aria-label': t('Columns, seen from above') }, this.cells);
    // The rows are 2, 4, 6, 6, 4, 2 long, so up and down go to the nearest column of the next row instead of a fixed step.
    arrows(map, this.cells, 0);
    map.addEventListener('keydown', (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const at = this.cells?.indexOf(/** @type {HTMLButtonElement} */ (event.target)) ?? -1;
      if (!step || at < 0) return;
      event.preventDefault();
      event.stopPropagation();
      const here = columns[at];
      const row = columns.filter((column) => column.row === here.row + step).sort((a, b) => Math.abs(a.col - here.col) - Math.abs(b.col - here.col));
      if (row[0]) this.cells?.[columns.indexOf(row[0])].focus();
    });
    return map;
  }

  makeLayers() {
    return h('fieldset', { class: 'layers' }, h('legend', {}, t('Layers')), [5, 4, 3, 2, 1, 0].map((layer) => h('label', {},
      h('input', { type: 'checkbox', checked: true, onchange: (/** @type {Event} */ event) => {
        if (/** @type {HTMLInputElement} */ (event.target).checked) this.faded.delete(layer);
        else this.faded.add(layer);
        this.draw();
      } }), layer + 1)));
  }

  /** @param {string | null} column */
  pointAt(column) {
    if (column === this.pointed) return;
    this.pointed = column;
    this.draw();
  }

  /** @param {string} column */
  choose(column) {
    if (!this.session.asked || !this.shown.legal.includes(column)) return;
    this.session.play(column);
  }

  /** @param {Hint} hint */
  hint(hint) {
    this.hinted = hint.turn;
  }

  setup() {
    setupDialog(this.session);
  }

  escape() {
    return false;
  }

  /** @param {string} turn */
  turnFace = (turn, ply = 0) => [h('span', { class: `stone-dot ${ply % 2 ? 'w' : 'b'}` }), turn];

  mark() {
    return null;
  }

  /** @param {number} seat */
  note(seat) {
    const { view } = this.shown;
    return t('{points} points · {stones} left', { points: view.points[seat - 1], stones: view.stones_left[seat - 1] });
  }

  status() {
    const { outcome, mover, thinking, view, paused } = this.shown;
    const names = seatNames(this.shown);
    if (outcome) return { headline: headlineOf(outcome, names), detail: score(view.points) };
    if (mover === null) return { headline: '', detail: '' };
    const me = names[mover - 1];
    if (thinking) return { headline: does(me, 'think'), detail: thinking.waiting ? t('waiting for a free processor') : t('{colour} to drop a stone', { colour: colours()[mover - 1] }) };
    const fresh = view.new_lines.length ? `${t('A line was made.|{count} lines were made.', { count: view.new_lines.length })} ` : '';
    return { headline: does(me, 'drop'), detail: paused ? t('The programs are paused.') : `${fresh}${t('{colour} chooses a column.', { colour: colours()[mover - 1] })}` };
  }

  update() {
    const { position } = this.shown;
    if (position !== this.before) this.hinted = null;
    const grown = position !== this.before && this.before !== '' && this.session.live;
    this.before = position;
    this.draw();
    if (grown && this.shown.last) this.view3d.fall(this.shown.last.turn);
  }

  draw() {
    const { view, mover, legal, last, ply } = this.shown;
    const columns = stand(view.columns);
    const colour = mover === 2 ? 'w' : 'b';
    const open = this.session.asked ? legal : [];
    const pointed = this.pointed && open.includes(this.pointed) ? this.pointed : null;
    const fresh = new Set(view.new_lines.flatMap((i) => view.lines[i]?.cells ?? []).map((cell) => `${cell.column}/${cell.layer}`));
    this.view3d.show({
      columns, faded: this.faded, lines: view.lines.map((line) => line.cells), fresh, hinted: this.hinted,
      preview: pointed ? { column: pointed, colour } : null, last: last && ply > 0 ? last.turn : null,
    });
    this.drawLanding(columns, pointed, colour);
    this.drawMap(columns, open, colour);
    fill(this.middle, h('small', {}, t('next line')), h('b', {}, view.next_worth), h('small', {}, t('{made} made', { made: view.made })));
    set(this.middle, { role: 'img', 'aria-label': t('The next line pays {points} points; {made} lines are made', { points: view.next_worth, made: view.made }) });
    this.drawLines(view);
  }

  /** @param {import('./columns.js').Column[]} columns @param {string | null} pointed @param {string} colour */
  drawLanding(columns, pointed, colour) {
    const column = columns.find((other) => other.name === pointed);
    this.landing.hidden = !column;
    if (!column) return;
    const lines = linesAt(columns, column, colour);
    fill(this.landing, t('Column {column}, layer {layer}', { column: column.name, layer: column.stones.length + 1 }), lines > 0 && h('b', {}, ` ${t('a line|{count} lines', { count: lines })}: +${worthOf(this.shown.view.made, lines)}`));
  }

  /** @param {import('./columns.js').Column[]} columns @param {string[]} open @param {string} colour */
  drawMap(columns, open, colour) {
    columns.forEach((column, i) => {
      const cell = this.cells?.[i];
      if (!cell) return;
      const lines = open.includes(column.name) ? linesAt(columns, column, colour) : 0;
      const top = column.stones.at(-1);
      cell.className = `column${open.includes(column.name) ? ' open' : ''}${this.pointed === column.name ? ' pointed' : ''}${this.hinted === column.name ? ' hinted' : ''}${this.shown.last?.turn === column.name ? ' last' : ''}`;
      // Drawn again only when it grew: a press that began on a stone of the map must find it there at its end.
      if (cell.children.length !== column.stones.length + 1) fill(cell, h('span', { class: 'column-name', 'aria-hidden': 'true' }, column.name), [...column.stones].map((stone) => h('i', { class: stone })));
      set(cell, {
        'aria-disabled': open.includes(column.name) ? null : 'true',
        'aria-label': `${t('Column {column}', { column: column.name })}, ${column.stones.length === 0 ? t('empty') : top === 'b' ? t('{stones} high, black on top', { stones: column.stones.length }) : t('{stones} high, white on top', { stones: column.stones.length })}${lines ? `, ${t('completes {lines}', { lines })}` : ''}`,
      });
    });
  }

  /** @param {StackView} view */
  drawLines(view) {
    const names = seatNames(this.shown);
    fill(this.lines, h('h2', {}, t('Lines')), view.lines.length === 0 ? h('p', { class: 'muted' }, t('None yet. The first one pays 100.'))
      : h('ol', { tabindex: 0, 'aria-label': t('Lines, newest first') }, view.lines.map((line, i) => h('li', { class: view.new_lines.includes(i) ? 'new' : '' },
        h('span', { class: `stone-dot ${line.seat === 1 ? 'b' : 'w'}` }), ` ${names[line.seat - 1]}`, line.points !== null && h('b', {}, ` +${line.points}`))).reverse()));
  }
}

/** The points at the end, the more first. @param {number[]} points */
const score = ([black, white]) => (black === white ? t('{points} points each.', { points: black }) : t('{more} points to {less}.', { more: Math.max(black, white), less: Math.min(black, white) }));
