// What is learned: puzzles, lessons, levels, opinions, variations, tournaments.

import { group } from './group.js';
import learn from './learn.js';
import levels from './levels.js';
import opinion from './opinion.js';
import puzzles from './puzzles.js';
import study from './study.js';
import tournament from './tournament.js';
import variations from './variations.js';

group({ levels, puzzles, learning: learn, opinions: opinion, variations, tournaments: tournament, 'tournaments, studied': study });
