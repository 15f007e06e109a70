// Takes pictures of every bundled game from a rule sheet, at desktop and phone size in both themes, into a folder:
// `node board-shots.js FOLDER [GAME…]`. They are for looking at, not for the repository.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DESKTOP, PHONE, World } from './world.js';

const [folder, ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const world = await World.begin();
const { games } = await world.get('/api/games');
for (const { name } of games.filter((game) => game.family === 'gdl' && (wanted.length === 0 || wanted.includes(game.name)))) {
  const short = name.replace('gdl:', '');
  const { text } = await world.get(`/api/gdl/sheets/${encodeURIComponent(short)}`);
  const turns = text.match(/terzo: sample (.*)/)?.[1].split(' ') ?? [];
  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const colorScheme of ['light', 'dark']) {
      const { page } = await world.table({ game: name, turns }, { viewport, colorScheme, reducedMotion: 'reduce' });
      await page.waitForTimeout(200);
      await page.screenshot({ path: join(folder, `${short}-${size}-${colorScheme}.png`) });
      await world.leave(page);
    }
  }
}
await world.end();
