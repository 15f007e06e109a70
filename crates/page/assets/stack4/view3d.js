// The canvas: turning, coming closer, pointing at a column. Painted only when something changes.

import { h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { paint } from './painter.js';
import { Camera, RISE } from './space.js';

/** @typedef {import('./painter.js').Picture} Picture */

export class View3d {
  /** @param {(column: string | null) => void} point @param {(column: string) => void} choose */
  constructor(point, choose) {
    this.point = point;
    this.choose = choose;
    this.camera = new Camera();
    /** @type {Picture} */
    this.picture = { columns: [], faded: new Set(), lines: [], fresh: new Set(), preview: null, last: null, hinted: null, falling: null };
    this.canvas = h('canvas', { class: 'space', tabindex: 0, role: 'img', 'aria-label': t('The board in space. Arrow keys turn it, plus and minus zoom; columns are chosen in the map beside it.') });
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    /** @type {Map<number, PointerEvent>} */
    this.pointers = new Map();
    this.moved = 0;
    this.frame = 0;
    this.sizes = new ResizeObserver(() => this.fit());
    this.sizes.observe(this.canvas);
    this.listen();
    this.repaint = () => this.soon();
    addEventListener('themechange', this.repaint);
  }

  leave() {
    this.sizes.disconnect();
    removeEventListener('themechange', this.repaint);
    cancelAnimationFrame(this.frame);
  }

  fit() {
    const ratio = Math.min(devicePixelRatio || 1, 2.5);
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.camera.width = clientWidth;
    this.camera.height = clientHeight;
    this.soon();
  }

  soon() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      paint(this.pen, this.camera, this.picture);
    });
  }

  /** @param {Partial<Picture>} picture */
  show(picture) {
    Object.assign(this.picture, picture);
    this.soon();
  }

  /** Lets the newest stone of a column fall into place. @param {string} column */
  fall(column) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const from = performance.now();
    const stones = this.picture.columns.find((other) => other.name === column)?.stones.length ?? 1;
    const drop = (6.4 - stones) * RISE;
    const step = (/** @type {number} */ now) => {
      const t = Math.min(1, (now - from) / 320);
      this.picture.falling = t < 1 ? { column, height: drop * (1 - t * t) } : null;
      this.soon();
      if (t < 1) requestAnimationFrame(step);
    };
    step(from);
  }

  /** The column under a point of the screen: the nearest pole, the front one where two are as near. @param {number} x @param {number} y */
  columnAt(x, y) {
    let best = null, least = 0.62;
    for (const column of this.picture.columns) {
      const a = this.camera.see(column.x, 0, column.z), b = this.camera.see(column.x, Math.max(1.2, column.stones.length + 0.9) * RISE, column.z);
      const dx = b.x - a.x, dy = b.y - a.y;
      const t = Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
      const far = Math.hypot(x - a.x - t * dx, y - a.y - t * dy) / a.scale - a.depth * 0.012;
      if (far < least) [best, least] = [column.name, far];
    }
    return best;
  }

  listen() {
    const { canvas, camera, pointers } = this;
    const at = (/** @type {PointerEvent} */ event) => this.columnAt(event.offsetX, event.offsetY);
    canvas.addEventListener('pointerdown', (event) => {
      if (pointers.size === 0) this.moved = 0;
      pointers.set(event.pointerId, event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return this.point(at(event));
      const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
      const other = [...pointers.values()].find((one) => one.pointerId !== event.pointerId);
      if (other) {
        const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
        camera.approach(Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY) / (was || 1));
        this.moved = 100;
      } else {
        this.moved += Math.hypot(dx, dy);
        if (this.moved > 5) camera.turn(dx * 0.008, dy * 0.006);
      }
      pointers.set(event.pointerId, event);
      this.soon();
    });
    const up = (/** @type {PointerEvent} */ event) => {
      pointers.delete(event.pointerId);
      if (event.type !== 'pointerup' || this.moved > 5) return;
      const column = at(event);
      if (!column) return this.point(null);
      // A finger cannot hover: its first tap shows where the stone would land, the second drops it.
      if (event.pointerType === 'touch' && this.picture.preview?.column !== column) this.point(column);
      else this.choose(column);
    };
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && this.point(null));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      camera.approach(Math.exp(-event.deltaY * 0.0012));
      this.soon();
    }, { passive: false });
    canvas.addEventListener('keydown', (event) => {
      /** @type {Record<string, () => void>} */
      const keys = {
        ArrowLeft: () => camera.turn(-0.12, 0), ArrowRight: () => camera.turn(0.12, 0), ArrowUp: () => camera.turn(0, 0.08), ArrowDown: () => camera.turn(0, -0.08),
        '+': () => camera.approach(1.1), '-': () => camera.approach(1 / 1.1), 0: () => camera.reset(),
      };
      if (!keys[event.key]) return;
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
      this.soon();
    });
  }
}
