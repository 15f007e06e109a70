// Paints the board from back to front. Stones are spheres that never touch more than at a point, so sorting them by
// distance is exact and no depth buffer is needed.

import { RISE, STONE } from './space.js';

/**
 * @typedef {object} Picture
 * @property {import('./columns.js').Column[]} columns
 * @property {Set<number>} faded layers to see through
 * @property {{ column: string, layer: number }[][]} lines scored lines, to light up
 * @property {Set<string>} fresh the newest lines' cells, `column/layer`
 * @property {{ column: string, colour: string } | null} preview
 * @property {string | null} last the column of the last turn
 * @property {string | null} hinted
 * @property {{ column: string, height: number } | null} falling the newest stone on its way down
 */

const STONES = {
  b: { light: '#8d97a5', body: '#39414d', dark: '#12161c', rim: 'rgb(255 255 255 / .28)' },
  w: { light: '#ffffff', body: '#f0e3c8', dark: '#ab9468', rim: 'rgb(90 65 25 / .45)' },
};

/** The size of a column's name before it is scaled, in pixels. */
const LETTER = 16;

/** @param {string} name */
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#888';

/** @param {CanvasRenderingContext2D} pen @param {import('./space.js').Camera} camera @param {Picture} picture */
export function paint(pen, camera, picture) {
  const colours = { plate: token('--plate'), side: token('--plate-side'), line: token('--plate-line'), ink: token('--ink'), gold: token('--gold'), accent: token('--accent') };
  pen.clearRect(0, 0, camera.width, camera.height);
  base(pen, camera, picture, colours);
  names(pen, camera, picture, colours.ink);
  const lit = new Set(picture.lines.flat().map((cell) => `${cell.column}/${cell.layer}`));
  /** @type {{ depth: number, draw: () => void }[]} */
  const things = [];
  for (const column of picture.columns) {
    [...column.stones].forEach((colour, layer) => {
      const falling = picture.falling?.column === column.name && layer === column.stones.length - 1 ? picture.falling.height : 0;
      const seen = camera.see(column.x, (layer + 0.5) * RISE + falling, column.z);
      const faded = picture.faded.has(layer);
      const key = `${column.name}/${layer}`;
      things.push({ depth: seen.depth, draw: () => {
        pen.globalAlpha = faded ? 0.13 : 1;
        stone(pen, seen, colour, lit.has(key) ? colours.gold : null, picture.fresh.has(key));
        if (!faded && picture.last === column.name && layer === column.stones.length - 1) crown(pen, seen, colours.accent);
        pen.globalAlpha = 1;
      } });
    });
    if (picture.preview?.column === column.name || picture.hinted === column.name) {
      const colour = picture.preview?.column === column.name ? picture.preview.colour : '';
      const seen = camera.see(column.x, (column.stones.length + 0.5) * RISE, column.z);
      things.push({ depth: seen.depth, draw: () => ghost(pen, seen, colour, colours.accent) });
    }
  }
  things.sort((a, b) => a.depth - b.depth);
  for (const thing of things) thing.draw();
  for (const line of picture.lines) glow(pen, camera, picture, line, colours.gold);
}

/** @typedef {ReturnType<import('./space.js').Camera['see']>} Seen */

/** The base: a slab under each column. @param {CanvasRenderingContext2D} pen @param {import('./space.js').Camera} camera @param {Picture} picture @param {Record<string, string>} colours */
function base(pen, camera, picture, colours) {
  const corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
  const slab = (/** @type {import('./columns.js').Column} */ column, /** @type {number} */ y, /** @type {number} */ shrink) => {
    pen.beginPath();
    for (const [dx, dz] of corners) {
      const seen = camera.see(column.x + dx * shrink, y, column.z + dz * shrink);
      pen.lineTo(seen.x, seen.y);
    }
    pen.closePath();
  };
  // The sides first: each tile's top then covers what hangs behind it.
  pen.fillStyle = colours.side;
  for (const column of picture.columns) {
    corners.forEach(([dx, dz], i) => {
      const [ex, ez] = corners[(i + 1) % 4];
      pen.beginPath();
      for (const [x, y, z] of [[dx, 0, dz], [ex, 0, ez], [ex, -0.32, ez], [dx, -0.32, dz]]) {
        const seen = camera.see(column.x + x * 1.06, y, column.z + z * 1.06);
        pen.lineTo(seen.x, seen.y);
      }
      pen.fill();
    });
  }
  for (const column of picture.columns) {
    slab(column, 0, 1.06);
    pen.fillStyle = colours.plate;
    pen.fill();
  }
  for (const column of picture.columns) {
    slab(column, 0, 0.92);
    const chosen = picture.preview?.column === column.name || picture.hinted === column.name;
    pen.strokeStyle = chosen ? colours.accent : colours.line;
    pen.lineWidth = chosen ? 2.5 : 1;
    pen.stroke();
    const seen = camera.see(column.x, 0, column.z);
    pen.beginPath();
    pen.ellipse(seen.x, seen.y, STONE * 0.9 * seen.scale, STONE * 0.9 * seen.scale * Math.sin(camera.pitch), 0, 0, 7);
    pen.fillStyle = 'rgb(0 0 0 / .13)';
    pen.fill();
  }
}

/** The name of every column on the corner of its tile that is nearest to who looks. @param {CanvasRenderingContext2D} pen @param {import('./space.js').Camera} camera @param {Picture} picture @param {string} ink */
function names(pen, camera, picture, ink) {
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, z]) => ({ x: x * 0.34, z: z * 0.34, y: camera.see(x, 0, z).y }));
  const near = corners.reduce((a, b) => (b.y > a.y ? b : a));
  pen.fillStyle = ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  // Letters of one size, scaled: for every other size of a font the browser asks another process, and waits. A board that is turned has new ones in every frame.
  pen.font = `600 ${LETTER}px system-ui, sans-serif`;
  for (const column of picture.columns) {
    const seen = camera.see(column.x + near.x, 0, column.z + near.z);
    const size = (0.21 * seen.scale) / LETTER;
    pen.save();
    pen.translate(seen.x, seen.y);
    pen.scale(size, size);
    pen.fillText(column.name, 0, 0);
    pen.restore();
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Seen} seen @param {string} colour @param {string | null} gold @param {boolean} fresh */
function stone(pen, seen, colour, gold, fresh) {
  const { light, body, dark, rim } = colour === 'b' ? STONES.b : STONES.w;
  const r = STONE * seen.scale;
  const shade = pen.createRadialGradient(seen.x - r * 0.38, seen.y - r * 0.45, r * 0.05, seen.x, seen.y, r * 1.08);
  shade.addColorStop(0, light);
  shade.addColorStop(0.45, body);
  shade.addColorStop(1, dark);
  pen.beginPath();
  pen.arc(seen.x, seen.y, r, 0, 7);
  pen.fillStyle = shade;
  pen.fill();
  pen.strokeStyle = gold ?? rim;
  pen.lineWidth = gold ? Math.max(2, r * (fresh ? 0.22 : 0.13)) : 1;
  pen.stroke();
}

/** The last stone wears a small ring. @param {CanvasRenderingContext2D} pen @param {Seen} seen @param {string} colour */
function crown(pen, seen, colour) {
  pen.beginPath();
  pen.arc(seen.x, seen.y, STONE * 0.3 * seen.scale, 0, 7);
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = 'rgb(255 255 255 / .8)';
  pen.lineWidth = 1.5;
  pen.stroke();
}

/** Where a stone would land. @param {CanvasRenderingContext2D} pen @param {Seen} seen @param {string} colour @param {string} accent */
function ghost(pen, seen, colour, accent) {
  if (colour) {
    pen.globalAlpha = 0.62;
    stone(pen, seen, colour, null, false);
    pen.globalAlpha = 1;
  }
  pen.beginPath();
  pen.arc(seen.x, seen.y, STONE * 1.06 * seen.scale, 0, 7);
  pen.setLineDash([5, 4]);
  pen.strokeStyle = accent;
  pen.lineWidth = 2.2;
  pen.stroke();
  pen.setLineDash([]);
}

/** @param {CanvasRenderingContext2D} pen @param {import('./space.js').Camera} camera @param {Picture} picture @param {{ column: string, layer: number }[]} line @param {string} gold */
function glow(pen, camera, picture, line, gold) {
  const seen = line.flatMap(({ column, layer }) => {
    const at = picture.columns.find((other) => other.name === column);
    return at ? [camera.see(at.x, (layer + 0.5) * RISE, at.z)] : [];
  });
  if (seen.length < 2) return;
  pen.beginPath();
  for (const { x, y } of seen) pen.lineTo(x, y);
  pen.lineCap = 'round';
  for (const [width, alpha] of [[0.3, 0.16], [0.1, 0.75]]) {
    pen.globalAlpha = alpha;
    pen.strokeStyle = gold;
    pen.lineWidth = width * seen[0].scale;
    pen.stroke();
  }
  pen.globalAlpha = 1;
}
