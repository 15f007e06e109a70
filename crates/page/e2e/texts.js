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

/** Every sentence that the server sends by its text: `Sentence::of("…")` in the registry, its tests left out. */
function sentences() {
  const folder = join(ASSETS, '../../games/src');
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.rs'));
  return files.flatMap((file) => {
    const [source] = readFileSync(join(folder, file), 'utf8').split('#[cfg(test)]\nmod tests');
    return [...source.matchAll(/Sentence::of\(\s*"((?:[^"\\]|\\.)+)"/g)].map(([, text]) => text);
  });
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
      const { games } = await world.get('/api/games');
      const players = games.flatMap((game) => game.players.flatMap((player) => [player.summary, ...player.options.map((option) => option.help)]));
      const texts = [...said().texts, ...sentences(), ...players];
      assert.deepEqual(texts.filter((text) => !Object.hasOwn(table, text)), [], 'missing');
      assert.deepEqual(Object.keys(table).filter((text) => !texts.includes(text)), [], 'left over');
      for (const [english, text] of Object.entries(table)) {
        assert.ok(text.trim(), `${english} is empty`);
        assert.equal(text.split('|').length, english.split('|').length, `${english}: as many forms`);
        assert.equal(holes(text), holes(english), `${english}: the same values`);
      }
    });
  }

  test('why a turn is advised is said in the language of the page, and in English as the server says it', async () => {
    assert.ok(sentences().length > 25, `${sentences()}`);
    const wins = { game: 'quarto', position: '012./4.7./a..d/.... 3' };
    const lost = { game: 'quarto', position: '012./cde./..../.... -' };
    const stones = { game: 'stack4', turns: ['22', '32', '22', '32', '22'] };
    const hints = [
      [wins, 'de', /^Die Figur auf d1 vollendet Reihe 1 \(alle rund und massiv\): Das gewinnt\.$/],
      [lost, 'fr', /^Toute pièce perd .* une pièce ronde ou pleine complète la rangée 1 en d1, une pièce carrée ou creuse complète la rangée 2 en d2\.$/],
      [stones, 'it', /^Prende la casella dove l’avversario completerebbe una linea \(la prossima paga \d+\)\./],
      [{ game: 'tictactoe' }, 'nb', /^\S+ (venter \d+ av 100 poeng herfra med dette trekket|foretrekker det)\.$/],
    ];
    for (const [body, locale, words] of hints) {
      const { page } = await world.table(body, { locale });
      await page.keyboard.press('h');
      await page.waitForSelector('.hint-turn');
      assert.match(await page.locator('.hint-card p').innerText(), words);
      await world.leave(page);
      // What a search says may be another the next time.
      if (body.game === 'tictactoe') continue;
      const { page: english, table } = await world.table(body, { locale: 'en' });
      await english.keyboard.press('h');
      await english.waitForSelector('.hint-turn');
      assert.equal(await english.locator('.hint-card p').innerText(), (await world.get(`/api/tables/${table.id}/hint`)).reason);
      await world.leave(english);
    }
  });

  test('what a program does is said in the language of the page', async () => {
    const page = await world.visit('/', { locale: 'de' });
    await page.click('.game-card.quarto');
    await page.selectOption('.new-game.quarto select[id^=player] >> nth=1', 'novice');
    await page.waitForFunction(() => /nimmt einen Gewinn; gibt nie/.test(document.querySelector('.new-game.quarto')?.textContent ?? ''));
    await page.selectOption('.new-game.quarto select[id^=player] >> nth=1', 'montecarlo');
    await page.waitForFunction(() => /Partien für jeden Zug/.test(document.querySelector('.new-game.quarto .option')?.textContent ?? ''));
    await world.leave(page);
  });

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
