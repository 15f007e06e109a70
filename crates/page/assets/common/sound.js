// Quiet sounds, made by the browser itself. Off until somebody switches them on.

import { recall, remember } from './memory.js';

export const soundOn = () => recall('sound') === 'on';

/** @param {boolean} on */
export const setSound = (on) => remember('sound', on ? 'on' : 'off');

/** @type {AudioContext | null} */
let context = null;

/** A soft tone. @param {number} pitch in Hz @param {number} after in seconds @param {number} length in seconds */
function tone(pitch, after, length) {
  if (!context) return;
  const start = context.currentTime + after;
  const source = context.createOscillator(), volume = context.createGain();
  source.type = 'sine';
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.06, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + length);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}

/** What is heard, as pitches one after the other. */
const TUNES = { turn: [320], asked: [440], win: [523, 659, 784], loss: [392, 330], draw: [440, 440] };

/** @param {keyof typeof TUNES} what */
export function play(what) {
  if (!soundOn()) return;
  try {
    context ??= new AudioContext();
    TUNES[what].forEach((pitch, i) => tone(pitch, i * 0.16, TUNES[what].length > 1 ? 0.4 : 0.12));
  } catch { /* a browser without sound */ }
}
