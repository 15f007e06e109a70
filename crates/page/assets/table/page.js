// A table on the screen: the stage of its game, the tools that every game has, the turns.

import { games, get } from '../common/api.js';
import { confirmed } from '../common/dialog.js';
import { button, fill, h, set } from '../common/dom.js';
import { icon } from '../common/icons.js';
import { announce, tell } from '../common/say.js';
import { remember } from '../common/memory.js';
import { spoken, t, told } from '../common/texts.js';
import { play } from '../common/sound.js';
import { teaching } from '../teach/later.js';
import { Banner } from './banner.js';
import { keysDialog } from './keys.js';
import { endWords, gameName, headlineOf, learnLevels, seatNames, valueWord } from './names.js';
import { Offer } from './offer.js';
import { OpinionCard } from './opinion.js';
import { ProposalBar } from './proposal.js';
import { seatingDialog } from './seating.js';
import { Session } from './session.js';
import { shareDialog } from './share.js';
import { stageOf } from './stages.js';
import { TurnList } from './turns.js';
import { Variations, analyse, isAnalysis } from './variations.js';
import { celebrate } from './winner.js';

/** @param {string} id @returns {Promise<import('../common/router.js').Page>} */
export async function tablePage(id) {
  /** @type {Table} */
  const table = await get(`/api/tables/${id}`);
  const kinds = await games();
  learnLevels(kinds);
  const found = kinds.find((game) => game.name === table.game || (table.game === 'gdl' && game.family === 'gdl'));
  if (!found) throw new Error(t('The server plays {game} but does not list it.', { game: table.game }));
  // A pasted game has the players of any other sheet, and says itself what it is.
  const kind = { ...found, summary: table.title ?? found.summary };
  remember('last-table', id);
  const Stage = await stageOf(table.family);
  const page = new TablePage(new Session(table), kind, Stage);
  return { title: gameName(table), element: page.element, leave: () => page.leave() };
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
    this.offer = new Offer(session, kind);
    this.proposal = new ProposalBar(session);
    // What nobody knows exactly, the strongest player has an opinion on. Who still plays with somebody elsewhere is not advised.
    this.opinion = kind.solvable || kind.seats !== 2 ? null : new OpinionCard(session, refresh);
    this.turns = new TurnList(session, this.stage.turnFace, (ply) => this.stage.mark(ply) ?? this.opinion?.mark(ply) ?? null);
    this.status = h('div', { class: 'status' });
    this.moment = h('div', { class: 'past', hidden: true },
      h('span', {}), button(t('Play on here'), () => this.goBack('/goto', { ply: session.shown.ply }), { class: 'on-here' }), button(t('Back to game'), () => session.view(session.table.ply), { class: 'primary' }));
    this.hintCard = h('section', { class: 'card hint-card', hidden: true, 'aria-label': t('Hint'), role: 'status' });
    this.again = h('div', { class: 'again buttons', hidden: true },
      button(t('Play again'), () => session.change('/restart'), { class: 'primary' }),
      button(t('Swap seats and play'), async () => (await session.change('/swap')) && session.change('/restart'), { class: 'swap-again' }),
      h('a', { class: 'button', href: '/' }, t('Another game')));
    this.hintFor = '';
    this.truthTool = this.stage.toggleTruth ? tool('truth', t('Truth'), () => this.stage.toggleTruth?.(), 'T') : null;
    this.undoTool = tool('undo', t('Undo'), () => this.goBack('/undo'), 'U');
    this.redoTool = tool('redo', t('Redo'), () => this.goBack('/redo'), 'R');
    this.hintTool = tool('hint', t('Hint'), () => this.hint(), 'H');
    this.pauseTool = tool('pause', t('Pause'), () => this.pause(), 'P');
    this.restartTool = tool('restart', t('Restart'), () => this.anew('/restart', t('Begin anew')));
    this.swapTool = tool('swap', t('Swap'), () => (session.together ? this.anew('/swap', t('Swap seats')) : session.change('/swap')));
    this.setupTool = this.stage.setup ? tool('setup', t('Set up'), () => this.stage.setup?.()) : null;
    this.resignTool = tool('resign', t('Resign'), () => this.resign());
    this.drawTool = tool('draw', t('Draw'), () => session.change('/draw', { version: undefined }));
    this.aboveTool = this.stage.toggleAbove ? tool('above', t('Above'), () => this.stage.toggleAbove?.(), 'V') : null;
    // A pasted game has no name to open another table by.
    this.analyseTool = session.table.game === 'gdl' ? null : tool('analyse', t('Analyse'), () => analyse(session.table));
    session.analysis = isAnalysis(session.table.id);
    this.variations = session.analysis ? new Variations(session) : null;
    this.tools = this.makeTools();
    this.connection = h('div', { class: 'connection', role: 'status', hidden: true }, t('Connection lost. Trying again…'));
    this.element = h('div', { class: `table ${session.table.family}` },
      h('h1', { class: 'aloud' }, t('{game}, a game', { game: gameName(session.table) })),
      h('div', { class: 'area-top' }, this.connection, this.banner.element, this.status, this.proposal.element),
      h('div', { class: 'area-main' }, this.stage.main),
      h('div', { class: 'area-aside' }, this.stage.aside),
      h('div', { class: 'area-tools' }, this.tools),
      h('div', { class: 'area-side' }, this.again, this.moment, this.hintCard, this.turns.element, this.variations?.element, this.stage.side, this.opinion?.element, h('p', { class: 'muted small about' }, kind.summary)));
    this.heard = { turns: session.table.turns.length, over: session.table.outcome !== null };
    this.clock = session.table.clock ? window.setInterval(() => this.banner.tick(), 200) : 0;
    // Where there is room, an invitation lies beside the board; on a phone it comes before it.
    this.wide = matchMedia('(min-width: 1021px)');
    this.place = () => (this.wide.matches ? this.element.querySelector('.area-side')?.prepend(this.offer.element) : this.element.querySelector('.area-top')?.after(this.offer.element));
    this.wide.addEventListener('change', this.place);
    this.place();
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener('keydown', this.keys);
    session.watch(refresh);
    this.update();
  }

  leave() {
    document.removeEventListener('keydown', this.keys);
    this.wide.removeEventListener('change', this.place);
    clearInterval(this.clock);
    this.stage.leave();
    this.session.leave();
  }

  makeTools() {
    return h('div', { class: 'tools', role: 'toolbar', 'aria-label': t('Game') },
      this.undoTool, this.redoTool, this.hintTool, this.truthTool, this.analyseTool, this.pauseTool, this.restartTool, this.swapTool, this.setupTool, this.aboveTool, this.resignTool, this.drawTool,
      tool('share', t('Copy'), () => shareDialog(this.session), 'C'),
      tool('rules', t('Rules'), () => this.rules()),
      tool('keys', t('Keys'), () => keysDialog()));
  }

  async rules() {
    const teach = await teaching();
    await tell(teach.rulesDialog(this.kind, this.session.table.game === 'gdl'));
  }

  /** Goes back or forth in the game itself. Who plays with somebody elsewhere asks them for it. @param {string} action @param {object} [body] */
  goBack(action, body) {
    if (this.session.table.you.in_charge) this.session.change(action, body);
  }

  /** Leaves the game on the table for another, which is asked about while it is running; somebody elsewhere has to agree. @param {string} action @param {string} title */
  async anew(action, title) {
    const { session } = this;
    const { ply, outcome } = session.table;
    const words = t('A game of {count} turn is on the table.|A game of {count} turns is on the table.', { count: ply });
    if (!session.together && ply > 0 && !outcome && !(await confirmed(`${title}?`, words, title))) return;
    session.change(action);
  }

  async resign() {
    if (await confirmed(t('Give up the game?'), t('The other side wins.'), t('Resign'))) this.session.change('/resign', { version: undefined });
  }

  pause() {
    const { session } = this;
    if (session.table.you.in_charge) session.change(session.table.paused ? '/resume' : '/pause', { version: undefined });
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
      u: () => this.goBack('/undo'), r: () => this.goBack('/redo'), h: () => this.hint(), t: () => this.stage.toggleTruth?.(), v: () => this.stage.toggleAbove?.(),
      p: () => this.pause(), c: () => shareDialog(session), '?': () => keysDialog(),
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
    fill(this.hintCard, h('h2', {}, t('Hint')), h('p', { class: 'muted' }, t('Thinking…')));
    this.hintCard.hidden = false;
    this.hintFor = shown.position;
    const query = new URLSearchParams({ ply: String(shown.ply), ...(place ? { place } : {}) });
    const hint = /** @type {Hint | undefined} */ (await tell(get(`/api/tables/${shown.id}/hint?${query}`)));
    if (moment !== `${session.shown.position} ${stage.pending ?? ''}`) return;
    if (!hint) {
      this.hintCard.hidden = true;
      return;
    }
    fill(this.hintCard, h('h2', {}, `${t('Hint')} `, h('b', { class: 'hint-turn' }, shown.legal_written[shown.legal.indexOf(hint.turn)] ?? hint.turn), hint.value && h('span', { class: `worth ${hint.value}` }, valueWord(hint.value))), h('p', {}, hint.reasons.map(told).join(' ')));
    stage.hint(hint);
    this.update();
  }

  update() {
    const { session, stage } = this;
    const { table, shown } = session;
    stage.update();
    this.banner.update();
    this.turns.update();
    this.variations?.update();
    this.opinion?.follow();
    if (this.opinion && session.together && table.outcome === null) this.opinion.element.hidden = true;
    this.offer.update();
    const { headline, detail } = this.say();
    fill(this.status, h('strong', {}, headline), ' ', h('span', {}, detail), !table.you.in_charge && h('span', { class: 'watching' }, ` ${t('You are watching.')}`));
    if (table.problem) fill(this.status, h('strong', { class: 'problem' }, table.problem.message));
    this.again.hidden = !table.outcome || !session.live || !table.you.in_charge;
    this.moment.hidden = session.live;
    if (!session.live) /** @type {Element} */ (this.moment.firstElementChild).textContent = t('After turn {ply} of {all}', { ply: shown.ply, all: table.turns.length });
    if (this.hintFor !== shown.position) this.hintCard.hidden = true;
    this.proposal.update();
    this.connection.hidden = !session.lost;
    this.updateTools();
    this.react();
    if (session.live) announce([table.last && `${seatNames(table)[table.last.seat - 1]} ${spoken() === 'en' ? table.last.text : table.last.turn}.`, headline + '.', detail].filter(Boolean).join(' '));
  }

  /** Lets a turn be heard, and the end be seen. */
  react() {
    const { table } = this.session;
    const { outcome, you } = table;
    const { turns, over } = this.heard;
    this.heard = { turns: table.turns.length, over: outcome !== null };
    if (outcome && !over) {
      const { winner } = outcome;
      play(winner === null ? 'draw' : you.seats.length === 1 && winner !== you.seats[0] ? 'loss' : 'win');
      if (winner !== null) celebrate(this.banner.cards[winner - 1]);
    } else if (table.turns.length > turns) play(table.mover !== null && you.seats.includes(table.mover) ? 'asked' : 'turn');
  }

  /** What is going on, in words. */
  say() {
    const { shown } = this.session;
    if (shown.outcome && shown.outcome.how !== 'rules') return { headline: headlineOf(shown.outcome, seatNames(shown)), detail: endWords(shown.outcome, seatNames(shown)) };
    const seat = shown.mover === null ? null : shown.seats[shown.mover - 1];
    if (seat?.player === 'open' && !seat.name) return { headline: t('Seat {seat} is free', { seat: seat.seat }), detail: t('The game goes on when somebody sits down there.') };
    return this.stage.status();
  }

  /** Who watches has only the tools that change nothing. */
  updateTools() {
    const { session, stage } = this;
    const { table, shown } = session;
    const watches = !table.you.in_charge;
    this.undoTool.disabled = watches || table.ply === 0;
    this.redoTool.disabled = watches || table.redoable === 0;
    for (const one of [this.restartTool, this.swapTool, this.setupTool, this.moment.querySelector('button')]) if (one) one.disabled = watches;
    const people = table.seats.every((seat) => seat.player === 'human');
    this.resignTool.disabled = table.you.seats.length === 0 || table.outcome !== null || table.seats.length !== 2 || table.ply === 0;
    this.drawTool.disabled = this.resignTool.disabled || !people;
    const swap = this.again.querySelector('.swap-again');
    if (swap instanceof HTMLElement) swap.hidden = session.together;
    this.hintTool.disabled = shown.mover === null;
    // Who still plays with somebody elsewhere looks up nothing.
    if (this.analyseTool) this.analyseTool.disabled = table.ply === 0 || (session.together && table.outcome === null);
    // A tool that comes and goes would make the others jump: it is there for the whole game, or never.
    this.pauseTool.hidden = table.seats.every((seat) => ['human', 'open'].includes(seat.player));
    this.pauseTool.disabled = watches || table.outcome !== null;
    fill(this.pauseTool, icon(table.paused ? 'play' : 'pause'), h('span', {}, table.paused ? t('Go on') : t('Pause')));
    if (this.aboveTool) set(this.aboveTool, { 'aria-pressed': String(stage.above ?? false) });
    if (this.truthTool) set(this.truthTool, { 'aria-pressed': String(stage.truthOn ?? false) });
  }
}
