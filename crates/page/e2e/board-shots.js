// Takes pictures of every bundled game, at desktop and phone size in both themes, into a folder:
// `node board-shots.js FOLDER [GAME…]`. They are for looking at, not for the repository.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DESKTOP, PHONE, World } from './world.js';

const [folder, ...wanted] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const world = await World.begin();
const { games } = await world.get('/api/games');
/** Some turns into a game, for a picture. */
const TURNS = { quarto: '-.7 b2.8 d3.a c1.2', stack4: '22 33 23 21 24 25 14 32 34' };

/** What a sheet names for its picture. */
async function sample(sheet) {
  const { text } = await world.get(`/api/gdl/sheets/${encodeURIComponent(sheet)}`);
  return text.match(/terzo: sample (.*)/)?.[1] ?? '';
}

for (const { name, family } of games.filter((game) => wanted.length === 0 || wanted.includes(game.name))) {
  const short = name.replace(':', '-');
  const turns = (TURNS[family] ?? await sample(name.replace('gdl:', ''))).split(' ').filter(Boolean);
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
