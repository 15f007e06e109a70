// Who is there: people at one table, seats, links, the list of tables.

import { group } from './group.js';
import links from './links.js';
import lobby from './lobby.js';
import people from './people.js';
import seats from './seats.js';

group({ seats, people, links, lobby });
