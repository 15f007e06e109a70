// What the server refuses is said in the language of the page.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './world.js';

export default function refusals(world) {
  test('every code of a refusal has words in the languages of the page', () => {
    const source = readFileSync(join(ROOT, 'crates/page/src/api_error.rs'), 'utf8');
    const codes = [...source.matchAll(/^    (\w+) = [A-Z_]+;$/gm)].map(([, code]) => code);
    assert.ok(codes.length > 20, `codes: ${codes}`);
    const said = readFileSync(join(ROOT, 'crates/page/assets/common/api.js'), 'utf8');
    assert.deepEqual(codes.filter((code) => !said.includes(`case '${code}'`)), []);
  });

  test('a refusal is told in German to who reads German', async () => {
    const page = await world.visit('/t/0000000000', { locale: 'de-DE' });
    await page.waitForFunction(() => document.querySelector('.problem')?.textContent?.startsWith('Das gibt es hier nicht.'));
    // The browser itself reports the answer 404.
    page.wrong = [];
    await world.leave(page);
  });
}
