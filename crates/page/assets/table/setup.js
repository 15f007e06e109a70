// The frame of every game's "Set up a position": what a stage draws, the position as text, and playing from there.

import { button, h } from '../common/dom.js';
import { dialog } from '../common/dialog.js';
import { t } from '../common/texts.js';

/**
 * Opens the dialog. Returns the line that says what is wrong with the text, for stages that read it themselves.
 * @param {import('./session.js').Session} session
 * @param {HTMLInputElement | HTMLTextAreaElement} text the position as text; what it says is played
 * @param {string} label what the text is called
 * @param {(HTMLElement | null | undefined | false)[]} drawn what stands above the text
 * @param {HTMLElement[]} tools buttons beside "Play from here"
 */
export function openSetup(session, text, label, drawn, tools = []) {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const play = async () => {
    try {
      await session.request('/game', { position: text.value.trim() }, 'PUT');
      close();
    } catch (refused) {
      problem.textContent = refused instanceof Error ? refused.message : String(refused);
    }
  };
  const close = dialog(t('Set up a position'), [
    ...drawn.filter((part) => part instanceof HTMLElement),
    h('label', { for: text.id }, label), text, problem,
    h('div', { class: 'buttons' }, tools, button(t('Play from here'), play, { class: 'primary' })),
  ], 'wide-dialog');
  return problem;
}
