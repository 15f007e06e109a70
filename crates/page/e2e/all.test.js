// The page in a real browser, from one server: `scripts/test-page` runs this.

import { after, before, describe, test } from 'node:test';
import { World } from './world.js';
import boards from './boards.js';
import gallery from './gallery.js';
import lateBoards from './late-boards.js';
import layout from './layout.js';
import learn from './learn.js';
import levels from './levels.js';
import links from './links.js';
import lobby from './lobby.js';
import manners from './manners.js';
import opinion from './opinion.js';
import people from './people.js';
import plain from './plain.js';
import puzzles from './puzzles.js';
import quarto from './quarto.js';
import refusals from './refusals.js';
import seats from './seats.js';
import sheet from './sheet.js';
import stack4 from './stack4.js';
import study from './study.js';
import texts from './texts.js';
import tournament from './tournament.js';
import variations from './variations.js';
import words from './words.js';

/** Filled before the first test; the suites only need it once they run. */
const world = new World();
before(async () => Object.assign(world, await World.begin()));
after(() => world.end());

describe('Quarto', () => quarto(world));
describe('Stack Four', () => stack4(world));
describe('other games', () => plain(world));
describe('rule sheets', () => sheet(world));
describe('boards', () => boards(world));
describe('late boards', () => lateBoards(world));
describe('levels', () => levels(world));
describe('puzzles', () => puzzles(world));
describe('learning', () => learn(world));
describe('gallery', () => gallery(world));
describe('tournaments', () => tournament(world));
describe('tournaments, studied', () => study(world));
describe('seats', () => seats(world));
describe('people', () => people(world));
describe('links', () => links(world));
describe('lobby', () => lobby(world));
describe('opinions', () => opinion(world));
describe('variations', () => variations(world));
describe('words', () => words(world));
describe('texts', () => texts(world));
describe('refusals', () => refusals(world));
describe('layout', () => layout(world));
describe('manners', () => manners(world));
test('no page had an error, and nobody else was asked for anything', () => world.assertQuiet());
