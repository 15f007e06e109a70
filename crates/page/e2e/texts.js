// The one table of texts: nothing said that a language lacks, nothing translated that nobody says.

import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ASSETS = join(dirname(fileURLToPath(import.meta.url)), '../assets');
const LANGUAGES = ['de', 'fr', 'it', 'nb'];

/** Every text that a module says, and the calls whose text is not written out. */
export function said() {
  const texts = new Set(), unreadable = [];
  const files = readdirSync(ASSETS, { recursive: true }).filter((file) => file.endsWith('.js') && !file.startsWith('texts/') && file !== 'common/texts.js');
  for (const file of files) {
    const source = readFileSync(join(ASSETS, file), 'utf8');
    for (const call of source.matchAll(/(?<![\w.$])t\(/g)) {
      const text = source.slice(call.index).match(/^t\('((?:[^'\\]|\\.)+)'[,)]/)?.[1];
      if (text) texts.add(text.replaceAll("\\'", "'"));
      else unreadable.push(`${file}: ${source.slice(call.index, call.index + 60)}`);
    }
  }
  return { texts: [...texts].sort(), unreadable };
}

/** What stands for a value in a text, each once. */
const holes = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join();

export default function texts(world) {
  test('every text is written out where it is said', () => assert.deepEqual(said().unreadable, []));

  test('no text is said past the table', () => {
    // Where texts are usually written, and two words after a capital letter.
    const PAST = /(?:aria-label'?|title|placeholder|headline|detail): '[A-Z][a-z]+ ?|(?:button|dialog|note|announce)\('[A-Z][a-z]|h\('\w+', \{[^}]*\}, '[A-Z][a-z]+ /;
    const files = readdirSync(ASSETS, { recursive: true }).filter((file) => file.endsWith('.js') && !file.startsWith('texts/'));
    const lines = files.flatMap((file) => readFileSync(join(ASSETS, file), 'utf8').split('\n').map((line, i) => `${file}:${i + 1}: ${line.trim()}`));
    assert.deepEqual(lines.filter((line) => PAST.test(line)), []);
  });

  for (const language of LANGUAGES) {
    test(`${language}: no text is missing, none is left over, and each says what the English one says`, async () => {
      const { default: table } = await import(pathToFileURL(join(ASSETS, `texts/${language}.js`)).href);
      const { texts } = said();
      assert.deepEqual(texts.filter((text) => !Object.hasOwn(table, text)), [], 'missing');
      assert.deepEqual(Object.keys(table).filter((text) => !texts.includes(text)), [], 'left over');
      for (const [english, text] of Object.entries(table)) {
        assert.ok(text.trim(), `${english} is empty`);
        assert.equal(text.split('|').length, english.split('|').length, `${english}: as many forms`);
        assert.equal(holes(text), holes(english), `${english}: the same values`);
      }
    });
  }

  test('every game that comes with the program has a name and rules in every language, and no other has', async () => {
    const { games } = await world.get('/api/games');
    for (const language of LANGUAGES) {
      const { default: table } = await import(pathToFileURL(join(ASSETS, `texts/games-${language}.js`)).href);
      assert.deepEqual(Object.keys(table).sort(), games.map((game) => game.name).sort(), language);
      for (const { title, rules } of Object.values(table)) assert.ok(title.trim() && rules.trim().length > 40);
    }
    const page = await world.visit('/', { locale: 'de-DE' });
    await page.waitForSelector('.game-card');
    assert.match(await page.locator('.game-card[data-game="chess"]').innerText(), /Schach[^]*Rochade/);
    await world.leave(page);
  });

  test('the page speaks the language of the browser, and another that is chosen', async () => {
    for (const [locale, word] of [['de-CH', 'Spielen'], ['fr-FR', 'Jouer'], ['it-IT', 'Gioca'], ['nn-NO', 'Spill'], ['nb-NO', 'Spill'], ['ja-JP', 'Play'], ['en-GB', 'Play']]) {
      const page = await world.visit('/', { locale });
      await page.waitForSelector('.lobby');
      assert.equal(await page.locator('nav a').first().innerText(), word, locale);
      await world.leave(page);
    }
    const page = await world.visit('/', { locale: 'de-DE' });
    await page.click('#settings');
    await page.selectOption('#language', 'it');
    await page.waitForFunction(() => document.documentElement.lang === 'it' && document.querySelector('.lobby'));
    assert.equal(await page.locator('nav a').first().innerText(), 'Gioca');
    await page.reload();
    await page.waitForFunction(() => document.documentElement.lang === 'it');
    await world.leave(page);
  });
}
