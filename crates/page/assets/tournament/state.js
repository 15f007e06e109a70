// What a tournament does, in a word.

import { t } from '../common/texts.js';

/** @param {Tournament['state']} state */
export const stateWord = (state) => ({ running: () => t('running'), stopped: () => t('stopped'), finished: () => t('finished'), failed: () => t('failed') }[state]?.() ?? state);
