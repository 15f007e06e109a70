// Setting up a position by hand: stones are put on columns and taken off again from above.

import { button, fill, h } from '../common/dom.js';
import { t } from '../common/texts.js';
import { openSetup } from '../table/setup.js';
import { countLines, stand, worthOf } from './columns.js';

const HIGHEST = 6;

/** @param {import('../table/session.js').Session} session */
export function setupDialog(session) {
  const { view } = /** @type {TableOf<StackView>} */ (session.shown);
  const columns = view.columns.map((column) => ({ ...column }));
  /** What a press does: puts a stone of a colour, or takes one away. @type {'b' | 'w' | ''} */
  let stone = 'b';
  let points = [...view.points];
  const cells = columns.map((column) => button('', () => {
    if (stone && column.stones.length < HIGHEST) column.stones += stone;
    else if (!stone) column.stones = column.stones.slice(0, -1);
    suggest();
    show();
  }, { class: 'column open', 'data-column': column.name }));
  const low = Math.min(...columns.map((column) => column.row)), left = Math.min(...columns.map((column) => column.col));
  cells.forEach((cell, i) => {
    cell.style.gridRow = String(columns[i].row - low + 1);
    cell.style.gridColumn = String(columns[i].col - left + 1);
  });
  const names = () => ({ b: t('Black stone'), w: t('White stone'), '': t('Take away') });
  const palette = h('div', { class: 'palette', role: 'group', 'aria-label': t('What to put down') });
  const fields = [0, 1].map((seat) => h('input', { id: `setup-points-${seat + 1}`, type: 'number', min: 0, max: 999, onchange: () => ((points[seat] = Number(fields[seat].value) || 0), show()) }));
  const text = h('input', { id: 'setup-text', spellcheck: 'false', autocomplete: 'off' });
  /** The points that the lines on the board pay if Black made all of its own first. */
  const suggest = () => {
    const placed = stand(columns);
    const [black, white] = [countLines(placed, 'b'), countLines(placed, 'w')];
    points = [worthOf(0, black), worthOf(black, white)];
  };
  const show = () => {
    columns.forEach((column, i) => {
      fill(cells[i], h('span', { class: 'column-name', 'aria-hidden': 'true' }, column.name), [...column.stones].map((one) => h('i', { class: one })));
      cells[i].setAttribute('aria-label', t('Column {name}: {stones}', { name: column.name, stones: [...column.stones].map((one) => (one === 'b' ? t('black') : t('white'))).join(', ') || t('empty') }));
    });
    fill(palette, Object.entries(names()).map(([colour, words]) => button([colour && h('span', { class: `stone-dot ${colour}` }), words], () => ((stone = /** @type {'b' | 'w' | ''} */ (colour)), show()), { 'aria-pressed': String(stone === colour), class: 'stone-choice', 'data-stone': colour })));
    fields.forEach((field, seat) => (field.value = String(points[seat])));
    const stones = columns.map((column) => column.stones).join('');
    const mover = [...stones].filter((one) => one === 'b').length > [...stones].filter((one) => one === 'w').length ? 'w' : 'b';
    const rows = [...new Set(columns.map((column) => column.row))].map((row) => columns.filter((column) => column.row === row).map((column) => column.stones || '.').join(','));
    text.value = `${rows.join('/')}:${mover}:${points[0]}:${points[1]}`;
  };
  show();
  openSetup(session, text, t('As text'), [
    h('p', { class: 'muted' }, t('Choose a stone, then press columns. The points are those that the lines pay; change them if the lines were made in another order.')),
    h('div', { class: 'setup' }, h('div', { class: 'column-map', role: 'group', 'aria-label': t('Columns, seen from above') }, cells),
      h('div', { class: 'setup-side' }, palette,
        h('label', { for: fields[0].id }, t('Points of Black')), fields[0], h('label', { for: fields[1].id }, t('Points of White')), fields[1],
        button(t('Clear'), () => (columns.forEach((column) => (column.stones = '')), suggest(), show())))),
  ]);
}
