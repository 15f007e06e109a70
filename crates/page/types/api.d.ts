// What the server answers, by the names the page's modules use. For the type checker alone: nothing of this is loaded by a
// browser. The shapes are in openapi.d.ts, which scripts/test-page generates from docs/openapi.json.

type Schemas = import('./openapi').components['schemas'];

type GameKind = Schemas['GameInfo'];
type Outcome = Schemas['Outcome'];
type LastTurn = Schemas['LastTurn'];
type TableLine = Schemas['TableLine'];
type Access = Schemas['Access'];

/** What to draw, by its `kind`. */
type View = Schemas['View'];
type QuartoView = Extract<View, { kind: 'quarto' }>;
type StackView = Extract<View, { kind: 'stack4' }>;
type SheetView = Extract<View, { kind: 'gdl' }>;
type PlainView = Extract<View, { kind: 'plain' }>;
type StackColumn = Schemas['ColumnView'];
type SheetBoard = Schemas['Board'];
type PlainGrid = Schemas['Grid'];

type Table = Schemas['Table'];
/** A table of one kind of view. A description in JSON has no type parameters, so this one is written here. */
type TableOf<V extends View> = Omit<Table, 'view'> & { view: V };

type Worth = Schemas['Worth'];
// The events `cell` and `piece` name their choice by a field of their own name, which the server does not know as a type.
type CellWorth = Worth & { cell: string };
type PieceWorth = Worth & { piece: string };
type Progress = Schemas['Progress'];
type TruthEnd = Schemas['TruthEnd'];
type JudgedTurn = Schemas['JudgedTurn'];
type AnalysisEnd = Schemas['AnalysisEnd'];
type Hint = Schemas['Hint'];
type Sentence = Schemas['Sentence'];
type Opinion = Schemas['Opinion'];
type Consequence = Schemas['Consequence'];
type Branch = Schemas['Branch'];
type Opening = Schemas['Opening'];
type PuzzleSet = Schemas['PuzzleSet'];
type Puzzle = Schemas['Puzzle'];
type PuzzleTry = Schemas['PuzzleTry'];
type PuzzleMoment = Schemas['PuzzleMoment'];

type Diagnostic = Schemas['Remark'];
type SheetCheck = Schemas['Checked'];

type TournamentSummary = Schemas['Summary'];
type Tournament = Schemas['TournamentStatus'];
type Standing = Schemas['Standing'];
type RecordedGame = Schemas['GameLine'];
type GameRecord = Schemas['RecordedGame'];
type WatchedGame = Schemas['WatchedGame'];
type RatingCurve = Schemas['RatingCurve'];
type TournamentMistakes = Schemas['TournamentMistakes'];

/** What `theme.js` asks for before any module runs. */
declare var terzoGames: Promise<Response | null> | undefined;
