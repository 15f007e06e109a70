// A whole game of Quarto: the perfect player against a novice. node example.js

import { Terzo } from './index.js';

const terzo = await Terzo.load();
await terzo.openBook('quarto');
const players = ['perfect', 'novice'];
const place = { game: 'quarto', turns: [] };
for (let now = terzo.look(place); now.mover !== null; now = terzo.look(place)) {
  const said = terzo.think(place, players[now.mover - 1], { seed: place.turns.length });
  place.turns.push(said.best);
}
console.log(place.turns.join(' '));
console.log(terzo.look(place).ending);
