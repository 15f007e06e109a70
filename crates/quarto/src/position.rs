//! A Quarto position as bitboards, and the rules played on it.

use crate::symmetry::{PIECE_SYMMETRIES, PieceSymmetry};
use crate::{ATTRIBUTES, Cell, CellSet, Piece, PieceSet, Rules, notation, policy};
use game::{Game, GameError, Parts, Payoffs, Rng, Seat, mix};
use std::fmt;

/// A turn: place the piece in hand, then give one.
///
/// The first turn only gives; the turn that completes a line or fills the board only places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// Where the piece in hand goes.
    pub place: Option<Cell>,
    /// The piece the opponent gets.
    pub give: Option<Piece>,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.place {
            Some(cell) => write!(f, "{cell}.")?,
            None => f.write_str("-.")?,
        }
        match self.give {
            Some(piece) => write!(f, "{piece}"),
            None => f.write_str("-"),
        }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How far the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum GameStage {
    Playing,
    /// The last placement completed a line.
    Completed,
    /// All pieces are placed and no line is complete.
    Full,
}

/// Sixteen bits of a word for each attribute, attribute 0 highest.
const fn shift(attribute: usize) -> usize {
    16 * (ATTRIBUTES - 1 - attribute)
}

/// A set of cells in the place of every attribute, when it is multiplied by this.
const EACH: u64 = 0x0001_0001_0001_0001;

/// By piece: all bits of those attributes of which its value is 1.
const ONES: [u64; Piece::COUNT] = {
    let mut ones = [0; Piece::COUNT];
    let mut bit = 0;
    while bit < Piece::COUNT * ATTRIBUTES {
        let (piece, attribute) = (bit / ATTRIBUTES, bit % ATTRIBUTES);
        if piece >> attribute & 1 != 0 {
            ones[piece] |= 0xffff << shift(attribute);
        }
        bit += 1;
    }
    ones
};

/// A position: the board, the piece in hand if there is one, and the rules.
///
/// ```text
/// cells of a set           having[value]                     who moves, n pieces placed
///   0  1  2  3  row 1        attribute 0 .. attribute 3        piece in hand: seat (n + 1) mod 2 places
///   4  5  6  7  row 2        of each, the cells whose piece    none in hand:  seat n mod 2 gives
///   8  9 10 11  row 3        has that value
///  12 13 14 15  row 4
/// ```
///
/// The four sets of a value are one word: they are written together, and a copy need not wait for four small writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    rules: &'static Rules,
    having: [u64; 2],
    /// Neither on the board nor in hand.
    left: PieceSet,
    hand: Option<Piece>,
    stage: GameStage,
}

impl Position {
    /// The empty board.
    pub fn new(rules: &'static Rules) -> Self {
        Position {
            rules,
            having: [0; 2],
            left: PieceSet::ALL,
            hand: None,
            stage: GameStage::Playing,
        }
    }

    /// A position from pieces on different cells, each piece used once. The stage follows from the board.
    pub(crate) fn from_parts(
        rules: &'static Rules,
        pieces: impl Iterator<Item = (Cell, Piece)>,
        hand: Option<Piece>,
    ) -> Self {
        let mut position = Position::new(rules);
        for (cell, piece) in pieces {
            position.put(cell, piece);
            position.left.0 &= !piece.bit().0;
        }
        position.hand = hand;
        if let Some(piece) = hand {
            position.left.0 &= !piece.bit().0;
        }
        if !position.completed_lines().is_empty() {
            position.stage = GameStage::Completed;
        } else if position.occupied() == CellSet::ALL {
            position.stage = GameStage::Full;
        }
        position
    }

    /// The variant.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The cells whose piece has `value` (0 or 1) of `attribute`.
    #[inline]
    pub fn having(&self, attribute: usize, value: usize) -> CellSet {
        CellSet((self.having[value] >> shift(attribute)) as u16)
    }

    /// For each attribute, the cells whose piece has the value of `piece`.
    #[inline]
    fn alike(&self, piece: Piece) -> u64 {
        let ones = ONES[usize::from(piece.number())];
        self.having[1] & ones | self.having[0] & !ones
    }

    /// The cells, free or not, that complete a line together with those where something is like `piece`.
    #[inline]
    fn completing(&self, piece: Piece) -> CellSet {
        let alike = self.alike(piece);
        CellSet((0..ATTRIBUTES).fold(0, |cells, i| {
            cells | self.rules.completing(CellSet((alike >> shift(i)) as u16)).0
        }))
    }

    /// The cells that hold a piece.
    #[inline]
    pub fn occupied(&self) -> CellSet {
        CellSet((self.having[0] | self.having[1]) as u16)
    }

    /// The cells that hold none.
    #[inline]
    pub fn empty(&self) -> CellSet {
        self.occupied().complement()
    }

    /// How many pieces are placed.
    pub fn placed(&self) -> u32 {
        self.occupied().len()
    }

    /// The piece on a cell.
    pub fn piece_at(&self, cell: Cell) -> Option<Piece> {
        let number = (0..ATTRIBUTES).fold(0, |number, i| number | u32::from(self.having(i, 1).contains(cell)) << i);
        self.occupied().contains(cell).then(|| Piece::wrapping(number))
    }

    /// Whether the game goes on.
    #[inline]
    pub fn playing(&self) -> bool {
        self.stage == GameStage::Playing
    }

    /// The piece that the mover must place, if one was given.
    pub fn hand(&self) -> Option<Piece> {
        self.hand
    }

    /// The pieces neither placed nor in hand.
    #[inline]
    pub fn left(&self) -> PieceSet {
        self.left
    }

    /// Whether the last placement completed a line.
    pub fn completed(&self) -> bool {
        self.stage == GameStage::Completed
    }

    /// The empty cells where a piece with that value completes a line.
    #[inline]
    pub fn threats(&self, attribute: usize, value: usize) -> CellSet {
        let cells = self.rules.completing(self.having(attribute, value));
        CellSet(cells.0 & self.empty().0)
    }

    /// The empty cells where `piece` completes a line.
    #[inline]
    pub fn completing_cells(&self, piece: Piece) -> CellSet {
        CellSet(self.completing(piece).0 & self.empty().0)
    }

    /// The pieces of `PieceSet::ALL`, used or not, that would complete a line somewhere on this board.
    #[inline]
    pub fn completing_pieces(&self) -> PieceSet {
        let mut pieces = 0;
        for (i, with) in PieceSet::WITH.iter().enumerate() {
            for (value, with) in with.iter().enumerate() {
                if !self.threats(i, value).is_empty() {
                    pieces |= with.0;
                }
            }
        }
        PieceSet(pieces)
    }

    /// The lines whose four pieces share a value.
    pub fn completed_lines(&self) -> Vec<CellSet> {
        let all = |line: &CellSet, i, value| line.0 & self.having(i, value).0 == line.0;
        let complete = |line: &&CellSet| (0..ATTRIBUTES).any(|i| all(line, i, 0) || all(line, i, 1));
        self.rules.lines().iter().filter(complete).copied().collect()
    }

    /// Whether `piece` on the empty `cell` completes a line.
    #[inline]
    pub fn completes(&self, cell: Cell, piece: Piece) -> bool {
        self.completing(piece).contains(cell)
    }

    /// The board after the piece in hand was placed on an empty cell and before another was given.
    #[inline]
    pub fn placing(&self, cell: Cell) -> Position {
        let mut next = *self;
        if let Some(piece) = self.hand {
            let completes = self.completes(cell, piece);
            next.put(cell, piece);
            next.hand = None;
            next.stage = if completes {
                GameStage::Completed
            } else if next.left.is_empty() {
                GameStage::Full
            } else {
                GameStage::Playing
            };
        }
        next
    }

    /// The position after giving a piece that is left.
    #[inline]
    pub fn giving(&self, piece: Piece) -> Position {
        let mut next = *self;
        next.hand = Some(piece);
        next.left.0 &= !piece.bit().0;
        next
    }

    #[inline]
    fn put(&mut self, cell: Cell, piece: Piece) {
        let (cells, ones) = (u64::from(cell.bit().0) * EACH, ONES[usize::from(piece.number())]);
        self.having[1] |= cells & ones;
        self.having[0] |= cells & !ones;
    }
}

impl Game for Position {
    type Move = Turn;

    fn start(&self) -> Self {
        Position::new(self.rules)
    }

    #[inline]
    fn mover(&self) -> Seat {
        let passed = self.placed() + u32::from(self.hand.is_some());
        Seat::new((passed % 2) as u8)
    }

    #[inline]
    fn outcome(&self) -> Option<Payoffs> {
        match self.stage {
            GameStage::Playing => None,
            GameStage::Full => Some(Payoffs::draw()),
            GameStage::Completed => {
                // Nothing was given after the last placement, so it is still its maker's move.
                let maker = self.mover();
                Some(Payoffs::win(if self.rules.misere() { maker.other() } else { maker }))
            }
        }
    }

    #[inline]
    fn legal_moves(&self, into: &mut Vec<Turn>) {
        into.clear();
        if self.stage != GameStage::Playing {
            return;
        }
        let Some(piece) = self.hand else {
            into.extend(self.left.into_iter().map(|piece| Turn {
                place: None,
                give: Some(piece),
            }));
            return;
        };
        let completing = self.completing_cells(piece);
        for cell in self.empty() {
            let place = Some(cell);
            if completing.contains(cell) || self.left.is_empty() {
                into.push(Turn { place, give: None });
            } else {
                into.extend(self.left.into_iter().map(|piece| Turn {
                    place,
                    give: Some(piece),
                }));
            }
        }
    }

    #[inline]
    fn legal_count(&self) -> usize {
        if self.stage != GameStage::Playing {
            return 0;
        }
        let left = self.left.len();
        let Some(piece) = self.hand else {
            return left as usize;
        };
        let ending = self.completing_cells(piece).len();
        (ending + (self.empty().len() - ending) * left.max(1)) as usize
    }

    #[inline]
    fn is_legal(&self, turn: Turn) -> bool {
        self.stage == GameStage::Playing && self.objection(turn).is_none()
    }

    fn why_illegal(&self, turn: Turn) -> String {
        match self.objection(turn) {
            Some(objection) => self.in_words(objection),
            None => "the game is over".into(),
        }
    }

    #[inline]
    fn play_unchecked(&mut self, turn: Turn) {
        if let Some(cell) = turn.place {
            *self = self.placing(cell);
        }
        if let Some(piece) = turn.give {
            *self = self.giving(piece);
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _buffer: &mut Vec<Turn>) -> Option<Turn> {
        policy::turn(&policy::Random, self, rng)
    }

    #[inline]
    fn key(&self) -> u64 {
        let hand = self.hand.map_or(16, |piece| u64::from(piece.number()));
        mix(self.having[1], &[u64::from(self.occupied().0) << 8 | hand])
    }

    fn print(&self) -> String {
        notation::print(self)
    }

    fn parse(&self, text: &str) -> Result<Self, GameError> {
        notation::parse(self.rules, text)
    }

    fn print_move(&self, turn: Turn) -> String {
        turn.to_string()
    }

    #[inline]
    fn write_move(&self, turn: Turn, into: &mut String) {
        match turn.place {
            Some(cell) => into.extend([(b'a' + cell.column()) as char, (b'1' + cell.row()) as char]),
            None => into.push('-'),
        }
        into.push('.');
        into.push(
            turn.give
                .map_or('-', |piece| char::from_digit(piece.number().into(), 16).unwrap_or('-')),
        );
    }

    /// A piece given in the turn that completes a line is ignored: many programs always name one.
    fn parse_move(&self, text: &str) -> Result<Turn, GameError> {
        let turn = notation::parse_turn(text)?;
        let ends = |cell: Cell| {
            let placed = self.hand.filter(|_| self.piece_at(cell).is_none());
            placed.is_some_and(|piece| self.completes(cell, piece))
        };
        Ok(Turn {
            give: turn.give.filter(|_| !turn.place.is_some_and(ends)),
            ..turn
        })
    }

    #[inline]
    fn parts(&self, turn: Turn) -> Parts {
        match turn {
            Turn { place: None, .. } => Parts::Give,
            Turn { give: None, .. } => Parts::Place,
            _ => Parts::Both,
        }
    }

    fn symmetries(&self) -> usize {
        self.rules.symmetries().permutations().len() * PIECE_SYMMETRIES
    }

    fn transform(&self, symmetry: usize) -> Self {
        let pieces = self.occupied().into_iter().filter_map(|cell| {
            let piece = self.piece_at(cell)?;
            Some((self.cell_image(symmetry, cell), piece_image(symmetry, piece)))
        });
        Position::from_parts(self.rules, pieces, self.hand.map(|piece| piece_image(symmetry, piece)))
    }

    fn transform_move(&self, symmetry: usize, turn: Turn) -> Turn {
        Turn {
            place: turn.place.map(|cell| self.cell_image(symmetry, cell)),
            give: turn.give.map(|piece| piece_image(symmetry, piece)),
        }
    }
}

impl Position {
    fn cell_image(&self, symmetry: usize, cell: Cell) -> Cell {
        self.rules.symmetries().permutations()[symmetry / PIECE_SYMMETRIES].cell(cell)
    }

    /// What the rules have against a turn in a game that goes on.
    #[inline]
    fn objection(&self, turn: Turn) -> Option<Objection> {
        let ends = match (self.hand, turn.place) {
            (None, None) => false,
            (None, Some(cell)) => return Some(Objection::EmptyHand(cell)),
            (Some(piece), None) => return Some(Objection::HandFull(piece)),
            (Some(_), Some(cell)) if self.occupied().contains(cell) => return Some(Objection::Taken(cell)),
            (Some(piece), Some(cell)) if self.completes(cell, piece) => {
                return turn.give.is_some().then_some(Objection::Completed(piece, cell));
            }
            (Some(_), Some(_)) => self.left.is_empty(),
        };
        match turn.give {
            Some(_) if ends => Some(Objection::NoneLeft),
            Some(piece) if !self.left.contains(piece) => Some(Objection::NotLeft(piece)),
            None if !ends => Some(Objection::GivesNothing),
            _ => None,
        }
    }

    fn in_words(&self, objection: Objection) -> String {
        match objection {
            Objection::EmptyHand(cell) => {
                format!("no piece is in hand to place on {cell}: only give one, as in `-.c`")
            }
            Objection::HandFull(piece) => format!("piece {piece} is in hand and must be placed first"),
            Objection::Taken(cell) => match self.piece_at(cell) {
                Some(there) => format!("cell {cell} is taken by piece {there}"),
                None => format!("cell {cell} is taken"),
            },
            Objection::Completed(piece, cell) => {
                format!("piece {piece} on {cell} completes a line and ends the game: write `{cell}.-`")
            }
            Objection::NoneLeft => "no piece is left to give: end the turn with `.-`".into(),
            Objection::NotLeft(piece) if self.hand == Some(piece) => format!("piece {piece} is the one in hand"),
            Objection::NotLeft(piece) => format!("piece {piece} is already on the board"),
            Objection::GivesNothing => format!("a piece must be given, one of {}", self.left),
        }
    }
}

/// What the rules have against a turn.
#[derive(Clone, Copy)]
enum Objection {
    /// It places a piece where none is in hand.
    EmptyHand(Cell),
    /// It does not place the piece in hand.
    HandFull(Piece),
    /// It places where a piece stands.
    Taken(Cell),
    /// It gives after the game has ended.
    Completed(Piece, Cell),
    /// It gives where nothing is left.
    NoneLeft,
    /// It gives what is in hand or on the board.
    NotLeft(Piece),
    /// It gives nothing.
    GivesNothing,
}

fn piece_image(symmetry: usize, piece: Piece) -> Piece {
    PieceSymmetry::new(symmetry % PIECE_SYMMETRIES).piece(piece)
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.rules.name(), self.print())
    }
}
