/** A game and where it stands: its name or a rule sheet, a position to begin from, and the turns since. */
export interface Place {
  /** The name of a game; `gdl` with a `sheet`. */
  game: string;
  /** A rule sheet in GDL. */
  sheet?: string;
  /** The position it began from; the game's own first one if left out. */
  start?: string;
  /** The turns played since. */
  turns?: string[];
  /** Quarto: the cell where the piece in hand already stands. */
  place?: string;
}

export interface GameInfo {
  name: string;
  family: string;
  title: string;
  summary: string;
  rules: string;
  seats: number;
  roles: string[];
  solvable: boolean;
  misere: boolean;
  players: { name: string; summary: string; options: { key: string; default: string; help: string }[] }[];
}

export interface Look {
  position: string;
  /** Whose turn it is, from 1; null once the game is over. */
  mover: number | null;
  legal: string[];
  /** What every seat got, 0 to 100, once the game is over. */
  payoffs: number[] | null;
  ending: string | null;
}

export interface Said {
  best: string;
  value: number | null;
  depth: number | null;
  nodes: number | null;
  ms: number;
  pv: string[];
}

export interface Worth {
  value: 'win' | 'draw' | 'loss';
  /** Placements until the end when the winner hurries and the loser delays. */
  plies: number;
}

export interface Hint {
  turn: string;
  place: string | null;
  give: string | null;
  value: Worth['value'] | null;
  plies: number | null;
  reason: string;
  /** The same by sentences, to be said in another language. */
  reasons: Sentence[];
  exact: boolean;
}

/** An English text and what stands for the `{names}` in it; of two forms, with `|` between them, `count` chooses one. */
export interface Sentence {
  text: string;
  values: Record<string, number | string | Sentence>;
}

export interface SheetCheck {
  ok: boolean;
  errors: number;
  warnings: number;
  roles: string[];
  diagnostics: { severity: 'error' | 'warning'; message: string; line: number | null; column: number | null; help: string | null }[];
}

export class TerzoError extends Error {
  code: string;
}

export class Terzo {
  /** Loads the module: the one beside this file, unless its bytes are given. */
  static load(bytes?: BufferSource): Promise<Terzo>;
  games(): string[];
  info(game: string): GameInfo;
  /** Reads the book of a variant of Quarto, once. Without it positions with few pieces take long. */
  openBook(game?: string): Promise<boolean>;
  check(sheet: string): SheetCheck;
  look(place: Place): Look;
  think(place: Place, player: string, options?: { seed?: bigint | number; ms?: number }): Said;
  value(place: Place, options?: { ms?: number }): Worth;
  hint(place: Place, options?: { ms?: number }): Hint;
}
