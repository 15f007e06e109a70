// Rule sheets: pick one or paste one, see what is wrong with it, play it.

import { Refusal, games, get, send } from '../common/api.js';
import { button, fill, h } from '../common/dom.js';
import { recall, remember } from '../common/memory.js';
import { go } from '../common/router.js';
import { note, tell } from '../common/say.js';
import { t } from '../common/texts.js';
import { picker, usualOpponent } from '../table/seating.js';
import { Editor } from './editor.js';

/** @returns {Promise<import('../common/router.js').Page>} */
export async function sheetPage() {
  const sheets = (await games()).filter((game) => game.family === 'gdl');
  const kind = sheets[0];
  const seats = h('div', { class: 'pickers' });
  /** @type {ReturnType<typeof picker>[]} */
  let pickers = [];
  /** @type {string[]} */
  let roles = [];
  const verdict = h('p', { class: 'verdict', role: 'status' });
  let waiting = 0;
  const editor = new Editor(() => {
    select.value = '';
    verdict.textContent = '';
    clearTimeout(waiting);
    waiting = window.setTimeout(check, 500);
  });

  const sit = (/** @type {string[]} */ names) => {
    if (names.join() === roles.join() && pickers.length) return;
    roles = names;
    pickers = kind ? names.map((role, i) => picker(kind, i === 0 ? 'human' : usualOpponent(kind), role)) : [];
    fill(seats, pickers.map((one) => one.element));
  };

  const check = async () => {
    clearTimeout(waiting);
    const sheet = editor.value;
    remember('sheet', select.value === '' && sheet.length < 60_000 ? sheet : '');
    if (!sheet.trim()) return false;
    const found = await tell(/** @type {Promise<SheetCheck>} */ (send('/api/gdl/check', { sheet })));
    if (!found || sheet !== editor.value) return false;
    show(found.diagnostics, found.ok);
    if (found.ok) sit(found.roles);
    return found.ok;
  };

  const show = (/** @type {Diagnostic[]} */ diagnostics, /** @type {boolean} */ ok) => {
    editor.mark(diagnostics);
    const errors = diagnostics.filter((one) => one.severity === 'error').length;
    verdict.className = `verdict ${ok ? 'good' : 'bad'}`;
    verdict.textContent = ok ? t('Ready to play.') : t('{count} error, listed below the sheet.|{count} errors, listed below the sheet.', { count: errors });
  };

  const play = async () => {
    if (!(await check())) {
      if (!editor.value.trim()) note(t('Pick a sheet or paste one first.'));
      return;
    }
    const chosen = pickers.map((one) => one.value());
    try {
      const body = select.value ? { game: select.value, seats: chosen } : { game: 'gdl', sheet: editor.value, seats: chosen };
      const table = /** @type {Table} */ (await send('/api/tables', body));
      go(`/t/${table.id}`);
    } catch (refused) {
      if (refused instanceof Refusal && refused.diagnostics.length) show(refused.diagnostics, false);
      else note(refused instanceof Error ? refused.message : String(refused));
    }
  };

  const pick = async () => {
    const name = select.value.replace(/^gdl:/, '');
    if (!name) return;
    const sheet = await tell(/** @type {Promise<{ text: string }>} */ (get(`/api/gdl/sheets/${encodeURIComponent(name)}`)));
    if (!sheet) return;
    editor.value = sheet.text;
    check();
  };

  const select = h('select', { id: 'sheet-pick', onchange: pick }, h('option', { value: '' }, t('your own')), sheets.map((game) => h('option', { value: game.name }, game.name.replace(/^gdl:/, ''))));

  editor.value = recall('sheet');
  if (editor.value) check();
  else {
    select.value = (sheets.find((game) => game.name.endsWith('tictactoe')) ?? sheets[0])?.name ?? '';
    pick();
  }
  const element = h('div', { class: 'page sheet-page' },
    h('div', { class: 'heading' }, h('h1', {}, t('Rule sheets')), h('p', { class: 'muted' }, t('Any game written in GDL can be played from its rules alone: pick a sheet, or paste yours.'))),
    h('div', { class: 'two' },
      h('div', {}, h('div', { class: 'line' }, h('label', { for: 'sheet-pick' }, t('Sheet')), select, button(t('Check'), check)),
        h('label', { for: 'sheet', class: 'aloud' }, t('The rules in GDL')), editor.element, editor.problems),
      h('section', { class: 'card', 'aria-label': t('Players') }, h('h2', {}, t('Players')), seats, verdict, button(t('Play'), play, { class: 'primary wide', id: 'play-sheet' }))));
  return { title: t('Rule sheets'), element, leave: () => clearTimeout(waiting) };
}
