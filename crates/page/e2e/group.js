// Suites of tests before one server and one browser. Every file of them is a process of its own, and `scripts/test-page`
// lets several run side by side: most of their time they wait.

import { after, before, describe, test } from 'node:test';
import { World } from './world.js';

/** @param {Record<string, (world: World) => void>} suites */
export function group(suites) {
  /** Filled before the first test; the suites only need it once they run. */
  const world = new World();
  before(async () => Object.assign(world, await World.begin()));
  after(() => world.end());
  for (const [name, suite] of Object.entries(suites)) describe(name, () => suite(world));
  test('no page had an error, and nobody else was asked for anything', () => world.assertQuiet());
}
