// What the server answers, for the type checker only: nothing of this is loaded by a browser.

type Family = 'quarto' | 'stack4' | 'gdl' | 'plain';
type Value = 'win' | 'draw' | 'loss';

interface Option { key: string; default: string; help: string }
interface PlayerKind { name: string; summary: string; options: Option[] }
interface GameKind {
  name: string; family: Family; summary: string; seats: number; roles: string[];
  solvable: boolean; misere: boolean; players: PlayerKind[];
}

/** `player` is "human", "open" (free to take) or a program's spec. */
interface Seat { seat: number; role: string; player: string; name: string | null }
interface Thought { value: number | null; depth: number | null; nodes: number | null; ms: number | null; line: string[] }
interface Outcome { winner: number | null; payoffs: number[]; points: number[] | null; text: string }
interface LastTurn { seat: number; turn: string; text: string; thought: Thought | null }

interface TableOf<V> {
  id: string; version: number; game: string; title: string | null; family: Family; pace_ms: number;
  /** Your seats, and whether you may change the table; who has none watches. */
  you: { seats: number[]; in_charge: boolean };
  /** The last `hidden` turns are not told yet, and written `?`. */
  seats: Seat[]; start: string; position: string; ply: number; turns: string[]; redoable: number; hidden: number;
  mover: number | null; to_move: 'human' | 'program' | null;
  thinking: { seat: number; player: string; waiting: boolean } | null; paused: boolean;
  legal: string[]; outcome: Outcome | null; last: LastTurn | null;
  problem: { code: string; message: string } | null; view: V;
}

interface QuartoView {
  kind: 'quarto'; misere: boolean; cells: (string | null)[]; hand: string | null; left: string[];
  phase: 'give' | 'place' | 'over'; lines: string[][]; completed: { cells: string[]; shared: string[]; name: string }[];
  completing: string[]; threats: { cell: string; values: string[]; line: string[] }[];
  safe: string[]; safe_after: Record<string, string[]>;
}

interface StackColumn { name: string; row: number; col: number; stones: string }
interface StackLine { seat: number; cells: { column: string; layer: number }[]; points: number | null }
interface StackView {
  kind: 'stack4'; columns: StackColumn[]; landing: Record<string, number>; points: number[]; made: number;
  next_worth: number; stones_left: number[]; lines: StackLine[]; new_lines: number[];
}

interface SheetBoard {
  relation: string; xs: string[]; ys: string[]; cells: { x: string; y: string; content: string }[]; blank: string | null;
  /** The cells a move names, in its order; `x` for one that names only a column. */
  moves: { turn: string; cells: { x: string; y: string }[]; x: string | null }[];
}
interface SheetView {
  kind: 'gdl'; name: string; roles: string[]; facts: string[]; legal: Record<string, string[]>;
  chosen: string[]; boards: SheetBoard[];
}

/** A press on a cell plays a move that belongs to it. */
interface PlainGrid { rows: string[][]; moves: { turn: string; row: number; column: number }[] }
interface PlainView { kind: 'plain'; board: PlainGrid | null; text: string }

type Table = TableOf<QuartoView | StackView | SheetView | PlainView>;

interface TableLine {
  id: string; game: string; title: string | null; seats: { player: string; name: string | null; yours: boolean }[];
  ply: number; over: boolean; in_charge: boolean; updated: string;
}
interface Access { addresses: string[]; token: string | null }

interface CellWorth { cell: string; value: Value; plies: number }
interface PieceWorth { piece: string; value: Value; plies: number }
interface Worth { value: Value; plies: number }
interface Progress { done: number; of: number; waiting: number; nodes: number }
interface TruthEnd { complete: boolean; reason: string; ms: number }
interface JudgedTurn {
  ply: number; seat: number; turn: string; value: Value; plies: number; best_value: Value; best_plies: number;
  best: string[]; mistake: boolean; value_for_seat1: number;
}
interface AnalysisEnd { complete: boolean; reason: string; turns: number[]; judged: number[]; accuracy: (number | null)[]; mistakes: number[] }
interface Hint { turn: string; place: string | null; give: string | null; value: Value | null; plies: number | null; reason: string; exact: boolean }

interface Diagnostic {
  severity: 'error' | 'warning'; message: string; line: number | null; column: number | null;
  end_line: number | null; end_column: number | null; snippet: string | null; label: string | null; help: string | null;
}
interface SheetCheck { ok: boolean; errors: number; warnings: number; roles: string[]; diagnostics: Diagnostic[] }

interface TournamentSummary {
  id: number; name: string; game: string; players: string[]; pairs: number; total: number | null;
  started: string; state: 'running' | 'stopped' | 'finished';
}
interface Standing {
  number: number; name: string; spec: string; elo: number; low: number; high: number; games: number;
  wins: number; draws: number; losses: number; points: number; ms_per_turn: number; forfeits: number;
  difference: number | null; late: number; illegal: number;
}
interface Tournament extends TournamentSummary {
  rounds: number; games: number; rate: number; seconds: number; standings: Standing[];
  duels: { first: number; second: number; wins: number; draws: number; losses: number }[];
  running: { pair: number; players: string[] }[]; problem: string | null;
}
interface RecordedGame { pair: number; game: number; seats: string[]; winner: number | null; verdict: string; turns: number }
interface GameRecord { seats: string[]; players: (string | null)[]; text: string }
