// The camera: from places on the board to places on the screen. x and z lie on the base, y points up.

/** How far apart layers are, in widths of a column, and how big a stone is. */
export const RISE = 0.8;
export const STONE = 0.41;

const DISTANCE = 20;
const MIDDLE = 2.35 * RISE;

export class Camera {
  constructor() {
    this.width = 1;
    this.height = 1;
    this.yaw = -0.62;
    this.pitch = 0.5;
    this.zoom = 1;
  }

  reset() {
    this.yaw = -0.62;
    this.pitch = 0.5;
    this.zoom = 1;
  }

  /** @param {number} yaw @param {number} pitch */
  turn(yaw, pitch) {
    this.yaw += yaw;
    // Never from below: the base would hide everything.
    this.pitch = Math.min(1.5, Math.max(0.12, this.pitch + pitch));
  }

  /** @param {number} factor */
  approach(factor) {
    this.zoom = Math.min(2.6, Math.max(0.6, this.zoom * factor));
  }

  /**
   * Where a point is seen, how far away it is, and how large a unit looks there.
   * @param {number} x @param {number} y @param {number} z
   */
  see(x, y, z) {
    const cy = Math.cos(this.yaw), sy = Math.sin(this.yaw), cp = Math.cos(this.pitch), sp = Math.sin(this.pitch);
    const across = x * cy - z * sy, along = x * sy + z * cy, up = y - MIDDLE;
    const depth = along * cp + up * sp;
    const rise = up * cp - along * sp;
    const scale = ((Math.min(this.width, this.height * 1.1) * 1.5 * this.zoom) / 12) * (DISTANCE / (DISTANCE - depth));
    return { x: this.width / 2 + across * scale, y: this.height / 2 - rise * scale, depth, scale };
  }
}
