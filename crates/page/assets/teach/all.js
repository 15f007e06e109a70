// All that teaches, as one file that is loaded when somebody first wants to learn something.

import { explorePage } from './explore.js';
import { lessonPage } from './lesson.js';
import { mistakesDialog } from './mistakes.js';
import { rulesDialog, rulesPage } from './rules.js';
import { puzzlesPage } from '../puzzle/page.js';

export const teach = { explorePage, lessonPage, mistakesDialog, puzzlesPage, rulesDialog, rulesPage };
