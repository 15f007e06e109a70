// Boards that rule sheets get, and the cards of all games.

import { group } from './group.js';
import boards from './boards.js';
import gallery from './gallery.js';
import lateBoards from './late-boards.js';

group({ boards, 'late boards': lateBoards, gallery });
