// Copying a position, a game or a link, and pasting one.

import { get, send, text } from '../common/api.js';
import { button, h } from '../common/dom.js';
import { dialog } from '../common/dialog.js';
import { onFiles, whole } from '../common/place.js';
import { go } from '../common/router.js';
import { note, tell } from '../common/say.js';
import { t } from '../common/texts.js';

/** What every link for somebody else needs: an address that holds elsewhere, and the token if there is one. */
export async function access() {
  const { addresses, token } = (await tell(/** @type {Promise<Access>} */ (get('/api/access')))) ?? { addresses: [], token: null };
  const here = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
  return { origin: (here && addresses[0]) || location.origin, token, alone: onFiles() || (here && addresses.length === 0) };
}

/** Said where a link holds only on this machine. */
export const alone = () => onFiles() ? t('Games on this page stay in this browser. To play on two devices, start Terzo on one of them: “terzo play --listen 0.0.0.0”.') : t('This Terzo is reached only from this machine. Started as “terzo play --listen 0.0.0.0”, it lets others in.');

/** @typedef {Awaited<ReturnType<typeof access>>} Way */

/** A link to the table. @param {Table} table @param {Way} way */
export const linkToTable = (table, { origin, token }) => whole(`/t/${table.id}${token ? `?token=${token}` : ''}`, origin);

/** A link that holds the whole game, good on any Terzo. @param {Table} table @param {Way} way */
function linkToGame(table, { origin, token }) {
  const query = new URLSearchParams({ game: table.game });
  const told = Math.min(table.ply, table.turns.length - table.hidden);
  if (told > 0) query.set('turns', table.turns.slice(0, told).join(' '));
  // A rule sheet's first position follows from the sheet and would only make the link long.
  if (table.family !== 'gdl') query.set('start', table.start);
  if (token) query.set('token', token);
  return whole(`/?${query}`, origin);
}

/** @param {string} words @param {HTMLTextAreaElement | HTMLInputElement} field @param {string} what */
async function copy(words, field, what) {
  try {
    await navigator.clipboard.writeText(words);
    note(t('{what} copied', { what }), 'done');
  } catch {
    // Away from localhost browsers give no clipboard without TLS: then the text is marked, ready for Ctrl-C.
    field.select();
    note(t('{what} selected: press Ctrl-C to copy', { what }), 'done');
  }
}

/** @param {string} name @param {string} label @param {string} value @param {number} [rows] */
export function copyable(name, label, value, rows = 1) {
  const id = `copy-${name}`;
  const field = rows > 1 ? h('textarea', { id, rows, readonly: true }) : h('input', { id, readonly: true });
  field.value = value;
  return h('div', { class: 'copyable' }, h('label', { for: id }, label), field, button(t('Copy'), () => copy(value, field, label), { 'aria-label': t('Copy: {what}', { what: label }) }));
}

/** The link as a picture for the camera of a phone. @param {string} link */
export const qrDialog = (link) => dialog(t('QR code'), [
  h('img', { class: 'qr', src: `/api/qr?${new URLSearchParams({ text: link })}`, alt: t('QR code of the link') }), h('p', { class: 'muted small qr-link' }, link)], 'qr-dialog');

/** @param {import('./session.js').Session} session */
export async function shareDialog(session) {
  const { shown, table } = session;
  const [record, way] = await Promise.all([tell(text(`/api/tables/${table.id}/record`)), access()]);
  const pasted = h('textarea', { id: 'paste', rows: 4, placeholder: t('A position, turns, or a whole game'), spellcheck: 'false' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const open = async () => {
    problem.textContent = '';
    try {
      const made = /** @type {Table} */ (await send('/api/tables', { game: table.game, text: pasted.value, seats: table.seats.map((seat) => seat.player) }));
      close();
      go(`/t/${made.id}`);
    } catch (refused) {
      problem.textContent = refused instanceof Error ? refused.message : String(refused);
    }
  };
  const sheet = table.game === 'gdl';
  const close = dialog(t('Copy and paste'), [
    copyable('position', t('Position'), shown.position, shown.position.length > 60 ? 3 : 1),
    copyable('game', t('Game'), record ?? '', 5),
    copyable('table', t('Link to this table'), linkToTable(table, way)),
    !sheet && copyable('whole-game', t('Link with the whole game'), linkToGame(shown, way)),
    way.alone && h('p', { class: 'muted small' }, alone()),
    h('hr', {}),
    h('div', { class: 'copyable' }, h('label', { for: 'paste' }, t('Paste')), pasted, button(t('Open'), open, { class: 'primary' })),
    problem,
  ], 'share');
}
