// Games at a table, whole, with mouse, finger and keys.

import { group } from './group.js';
import plain from './plain.js';
import quarto from './quarto.js';
import sheet from './sheet.js';
import stack4 from './stack4.js';

group({ Quarto: quarto, 'Stack Four': stack4, 'other games': plain, 'rule sheets': sheet });
