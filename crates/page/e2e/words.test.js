// What every page has: words, layout, manners.

import { group } from './group.js';
import layout from './layout.js';
import manners from './manners.js';
import refusals from './refusals.js';
import texts from './texts.js';
import words from './words.js';

group({ words, texts, refusals, layout, manners });
