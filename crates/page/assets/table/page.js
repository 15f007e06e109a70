// A table on the screen: the stage of its game, the tools that every game has, the turns.

import { games, get } from '../common/api.js';
import { button, fill, h, set } from '../common/dom.js';
import { icon } from '../common/icons.js';
import { announce, tell } from '../common/say.js';
import { remember } from '../common/memory.js';
import { Banner } from './banner.js';
import { keysDialog } from './keys.js';
import { seatNames } from './names.js';
import { seatingDialog } from './seating.js';
import { Session } from './session.js';
import { shareDialog } from './share.js';
import { stageOf } from './stages.js';
import { TurnList } from './turns.js';

/** @param {string} id @returns {Promise<import('../common/router.js').Page>} */
export async function tablePage(id) {
  /** @type {Table} */
  const table = await get(`/api/tables/${id}`);
  const kind = (await games()).find((game) => game.name === table.game || (table.game === 'gdl' && game.family === 'gdl'));
  if (!kind) throw new Error(`The server plays ${table.game} but does not list it.`);
  remember('last-table', id);
  const Stage = await stageOf(table.family);
  const page = new TablePage(new Session(table), kind, Stage);
  return { title: table.game, element: page.element, leave: () => page.leave() };
}

/** @param {import('../common/icons.js').Icon} name @param {string} label @param {() => unknown} press @param {string} [keys] */
const tool = (name, label, press, keys) =>
  button([icon(name), h('span', {}, label)], press, { class: `tool tool-${name}`, title: keys ? `${label} (${keys})` : label });

class TablePage {
  /** @param {Session} session @param {GameKind} kind @param {Awaited<ReturnType<typeof stageOf>>} Stage */
  constructor(session, kind, Stage) {
    this.session = session;
    this.kind = kind;
    const refresh = () => this.update();
    this.stage = new Stage(session, refresh);
    this.banner = new Banner(session, this.stage, () => seatingDialog(session, kind));
    this.turns = new TurnList(session, this.stage.turnFace, (ply) => this.stage.mark(ply));
    this.status = h('div', { class: 'status' });
    this.moment = h('div', { class: 'past', hidden: true },
      h('span', {}), button('Play on here', () => session.change('/goto', { ply: session.shown.ply })), button('Back to game', () => session.view(session.table.ply), { class: 'primary' }));
    this.hintCard = h('section', { class: 'card hint-card', hidden: true, 'aria-label': 'Hint', role: 'status' });
    this.again = h('div', { class: 'again buttons', hidden: true },
      button('Play again', () => session.change('/restart'), { class: 'primary' }),
      button('Swap seats and play', async () => (await session.change('/swap')) && session.change('/restart')),
      h('a', { class: 'button', href: '/' }, 'Another game'));
    this.hintFor = '';
    this.truthTool = this.stage.toggleTruth ? tool('truth', 'Truth', () => this.stage.toggleTruth?.(), 'T') : null;
    this.undoTool = tool('undo', 'Undo', () => session.change('/undo'), 'U');
    this.redoTool = tool('redo', 'Redo', () => session.change('/redo'), 'R');
    this.hintTool = tool('hint', 'Hint', () => this.hint(), 'H');
    this.pauseTool = tool('pause', 'Pause', () => session.change(session.table.paused ? '/resume' : '/pause'), 'P');
    this.tools = this.makeTools();
    this.element = h('div', { class: `table ${session.table.family}` },
      h('h1', { class: 'aloud' }, `${session.table.game}, a game`),
      h('div', { class: 'area-top' }, this.banner.element, this.status),
      h('div', { class: 'area-main' }, this.stage.main),
      h('div', { class: 'area-aside' }, this.stage.aside),
      h('div', { class: 'area-tools' }, this.tools),
      h('div', { class: 'area-side' }, this.again, this.moment, this.hintCard, this.turns.element, this.stage.side, h('p', { class: 'muted small about' }, kind.summary)));
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener('keydown', this.keys);
    session.watch(refresh);
    this.update();
  }

  leave() {
    document.removeEventListener('keydown', this.keys);
    this.stage.leave();
    this.session.leave();
  }

  makeTools() {
    const { session, stage } = this;
    return h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Game' },
      this.undoTool, this.redoTool, this.hintTool, this.truthTool, this.pauseTool,
      tool('restart', 'Restart', () => session.change('/restart')),
      tool('swap', 'Swap', () => session.change('/swap')),
      stage.setup && tool('setup', 'Set up', () => stage.setup?.()),
      tool('share', 'Copy', () => shareDialog(session), 'C'),
      tool('keys', 'Keys', () => keysDialog()));
  }

  /** What the page does with a key, unless a field, a dialog or a group of buttons wants it. @param {KeyboardEvent} event */
  key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input, select, textarea, dialog')) return;
    const { session } = this;
    /** @type {Record<string, () => unknown>} */
    const keys = {
      ArrowLeft: () => session.view(session.shown.ply - 1), ArrowRight: () => session.view(session.shown.ply + 1),
      Home: () => session.view(0), End: () => session.view(session.table.turns.length),
      u: () => session.change('/undo'), r: () => session.change('/redo'), h: () => this.hint(), t: () => this.stage.toggleTruth?.(),
      p: () => session.change(session.table.paused ? '/resume' : '/pause'), c: () => shareDialog(session), '?': () => keysDialog(),
      Escape: () => this.stage.escape() || session.view(session.table.ply),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  async hint() {
    const { session, stage } = this;
    const { shown } = session;
    if (shown.mover === null) return;
    const place = stage.pending;
    const moment = `${shown.position} ${place ?? ''}`;
    fill(this.hintCard, h('h2', {}, 'Hint'), h('p', { class: 'muted' }, 'Thinking…'));
    this.hintCard.hidden = false;
    this.hintFor = shown.position;
    const query = new URLSearchParams({ ply: String(shown.ply), ...(place ? { place } : {}) });
    const hint = /** @type {Hint | undefined} */ (await tell(get(`/api/tables/${shown.id}/hint?${query}`)));
    if (moment !== `${session.shown.position} ${stage.pending ?? ''}`) return;
    if (!hint) {
      this.hintCard.hidden = true;
      return;
    }
    fill(this.hintCard, h('h2', {}, 'Hint ', h('b', { class: 'hint-turn' }, hint.turn), hint.value && h('span', { class: `worth ${hint.value}` }, hint.value)), h('p', {}, hint.reason));
    stage.hint(hint);
    this.update();
  }

  update() {
    const { session, stage } = this;
    const { table, shown } = session;
    stage.update();
    this.banner.update();
    this.turns.update();
    const { headline, detail } = stage.status();
    fill(this.status, h('strong', {}, headline), ' ', h('span', {}, detail));
    if (table.problem) fill(this.status, h('strong', { class: 'problem' }, table.problem.message));
    this.again.hidden = !table.outcome || !session.live;
    this.moment.hidden = session.live;
    if (!session.live) /** @type {Element} */ (this.moment.firstElementChild).textContent = `After turn ${shown.ply} of ${table.turns.length}`;
    if (this.hintFor !== shown.position) this.hintCard.hidden = true;
    const programs = table.seats.some((seat) => seat.player !== 'human');
    this.undoTool.disabled = table.ply === 0;
    this.redoTool.disabled = table.redoable === 0;
    this.hintTool.disabled = shown.mover === null;
    this.pauseTool.hidden = !programs || table.outcome !== null;
    fill(this.pauseTool, icon(table.paused ? 'play' : 'pause'), h('span', {}, table.paused ? 'Go on' : 'Pause'));
    if (this.truthTool) set(this.truthTool, { 'aria-pressed': String(stage.truthOn ?? false) });
    if (session.live) announce([table.last?.text && `${seatNames(table)[table.last.seat - 1]} ${table.last.text}.`, headline + '.', detail].filter(Boolean).join(' '));
  }
}
