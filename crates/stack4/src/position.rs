//! The rules: what a position is and what a move does to it.

use crate::geometry::{COLUMNS, Cell, Column, LAYERS, OTHERS, SYMMETRIES};
use crate::{Cells, notation, points};
use game::{Game, GameError, Payoffs, Rng, Seat, below};
use std::cmp::Ordering;

/// Moves in a game: 32 stones each.
pub const GAME_LENGTH: u32 = 64;

/// What the `k`-th line of a game gives its maker, `k` counted from 1 over both players.
#[inline]
pub const fn line_value(k: u32) -> u32 {
    100 / k
}

/// The heights of all columns, three bits each, sliced: word i holds bit i of every column's height. So the full
/// columns are one AND away, and raising one is a carry through three words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Heights([u32; 3]);

impl Heights {
    #[inline]
    const fn of(self, column: Column) -> usize {
        let [ones, twos, fours] = self.0;
        let at = column.index();
        ((ones >> at & 1) | (twos >> at & 1) << 1 | (fours >> at & 1) << 2) as usize
    }

    /// Columns with room, a bit each. The full height 6 is binary 110.
    #[inline]
    const fn open(self) -> u32 {
        !(self.0[1] & self.0[2]) & ((1 << COLUMNS) - 1)
    }

    #[inline]
    const fn raise(&mut self, column: Column) {
        let mut carry = 1 << column.index();
        let mut i = 0;
        while i < 3 {
            let sum = self.0[i] ^ carry;
            carry &= self.0[i];
            self.0[i] = sum;
            i += 1;
        }
    }
}

/// A position of Stack Four: the stones, and the points both players have made on the way (the board alone tells how
/// many lines there are, but not whose came first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    stones: [Cells; 2],
    heights: Heights,
    points: [u16; 2],
    lines: u16,
    moves: u16,
}

impl Default for Position {
    fn default() -> Self {
        Position::new()
    }
}

impl Position {
    /// The empty board, Black to move.
    pub const fn new() -> Self {
        Position {
            stones: [Cells::EMPTY; 2],
            heights: Heights([0; 3]),
            points: [0; 2],
            lines: 0,
            moves: 0,
        }
    }

    /// The position with these stones and points, if it can be reached: no stone floats, Black has as many stones as
    /// White or one more, and the points are a way to share out the lines on the board.
    ///
    /// # Errors
    /// What is wrong: a stone that floats, two on one cell, too many of one side, or points that the lines cannot have made.
    pub fn from_stones(stones: [Cells; 2], score: [u32; 2]) -> Result<Self, String> {
        if !(stones[0] & stones[1]).is_empty() {
            return Err("a cell holds two stones".into());
        }
        let taken = stones[0] | stones[1];
        if !(taken.raised() | Cells::BOTTOM).covers(taken) {
            return Err("a stone floats".into());
        }
        let [black, white] = stones.map(Cells::len);
        if black != white && black != white + 1 {
            return Err(format!(
                "{black} black and {white} white stones: Black moves first, then they take turns"
            ));
        }
        if black + white > GAME_LENGTH {
            return Err(format!("{} stones, and a game has only {GAME_LENGTH}", black + white));
        }
        let lines = stones.map(points::count_lines);
        if !points::possible(lines, score) {
            return Err(format!(
                "{} black and {} white lines cannot have made {}:{} points",
                lines[0], lines[1], score[0], score[1]
            ));
        }
        let mut heights = Heights::default();
        taken.iter().for_each(|cell| heights.raise(cell.column()));
        Ok(Position {
            stones,
            heights,
            points: score.map(|points| points as u16),
            lines: (lines[0] + lines[1]) as u16,
            moves: (black + white) as u16,
        })
    }

    /// The stones of Black (0) or White (1).
    #[inline]
    pub const fn stones(&self, seat: Seat) -> Cells {
        self.stones[seat.index()]
    }

    /// How many stones are on a column.
    #[inline]
    pub const fn height(&self, column: Column) -> usize {
        self.heights.of(column)
    }

    /// The cell that a stone on this column would come to, if there is room.
    pub fn next_cell(&self, column: Column) -> Option<Cell> {
        let height = self.height(column);
        (height < LAYERS).then(|| column.cell(height))
    }

    /// The columns with room, one bit for each column number. Also of a finished game.
    #[inline]
    pub const fn open_columns(&self) -> u32 {
        self.heights.open()
    }

    /// The points of Black and White.
    pub fn score(&self) -> [u32; 2] {
        self.points.map(u32::from)
    }

    /// Lines made so far, by both together.
    pub const fn lines(&self) -> u32 {
        self.lines as u32
    }

    /// Stones played so far.
    pub const fn moves(&self) -> u32 {
        self.moves as u32
    }

    /// Whether all 64 stones are played.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.moves as u32 >= GAME_LENGTH
    }

    /// Drops a stone of the mover on a column that has room.
    #[inline]
    pub fn drop_stone(&mut self, column: Column) {
        let height = self.height(column);
        debug_assert!(height < LAYERS && !self.is_over());
        // On a full column, which the caller promised not to name, the top cell: wrong, but not out of bounds.
        let cell = column.cell(height.min(LAYERS - 1));
        let seat = usize::from(self.moves & 1);
        let own = self.stones[seat];
        let made: u32 = OTHERS[cell.index()]
            .masks()
            .iter()
            .map(|&others| u32::from(own.covers(others)))
            .sum();
        for _ in 0..made {
            self.lines += 1;
            self.points[seat] += line_value(self.lines.into()) as u16;
        }
        self.stones[seat] = own.with(cell);
        self.heights.raise(column);
        self.moves += 1;
    }

    /// A column drawn evenly from those with room.
    #[inline]
    pub fn random_column(&self, rng: &mut Rng) -> Column {
        let open = self.open_columns();
        // In a game at most 10 of the 24 columns can be full, so this soon hits.
        loop {
            match Column::new(below(rng, COLUMNS as u32) as usize) {
                Some(column) if open >> column.index() & 1 != 0 => return column,
                _ => {}
            }
        }
    }

    /// Drops a stone on such a column. The game must not be over.
    #[inline]
    pub fn drop_random(&mut self, rng: &mut Rng) {
        self.drop_stone(self.random_column(rng));
    }
}

impl Game for Position {
    type Move = Column;

    fn start(&self) -> Self {
        Position::new()
    }

    fn roles(&self) -> Vec<String> {
        vec!["Black".into(), "White".into()]
    }

    #[inline]
    fn mover(&self) -> Seat {
        Seat::new((self.moves & 1) as u8)
    }

    #[inline]
    fn outcome(&self) -> Option<Payoffs> {
        if !self.is_over() {
            return None;
        }
        let [black, white] = self.points;
        Some(match black.cmp(&white) {
            Ordering::Greater => Payoffs::win(Seat::FIRST),
            Ordering::Less => Payoffs::win(Seat::SECOND),
            Ordering::Equal => Payoffs::draw(),
        })
    }

    #[inline]
    fn points(&self) -> Option<[i32; 2]> {
        Some(self.points.map(i32::from))
    }

    #[inline]
    fn legal_moves(&self, into: &mut Vec<Column>) {
        into.clear();
        if self.is_over() {
            return;
        }
        let open = self.open_columns();
        if open.count_ones() == COLUMNS as u32 {
            into.extend(Column::all());
        } else {
            into.extend(Column::all().filter(|column| open >> column.index() & 1 != 0));
        }
    }

    #[inline]
    fn legal_count(&self) -> usize {
        if self.is_over() {
            0
        } else {
            self.open_columns().count_ones() as usize
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng, _: &mut Vec<Column>) -> Option<Column> {
        (!self.is_over()).then(|| self.random_column(rng))
    }

    #[inline]
    fn is_legal(&self, column: Column) -> bool {
        !self.is_over() && self.height(column) < LAYERS
    }

    fn why_illegal(&self, column: Column) -> String {
        if self.is_over() {
            format!("all {GAME_LENGTH} stones are played")
        } else {
            format!("column {column} is full")
        }
    }

    #[inline]
    fn play_unchecked(&mut self, column: Column) {
        self.drop_stone(column);
    }

    #[inline]
    fn key(&self) -> u64 {
        let [Cells(black), Cells(white)] = self.stones;
        let points = u64::from(self.points[0]) << 16 | u64::from(self.points[1]);
        game::mix(points, &[black[0], black[1], black[2], white[0], white[1], white[2]])
    }

    fn print(&self) -> String {
        notation::print(self)
    }

    fn parse(&self, text: &str) -> Result<Self, GameError> {
        notation::parse(text)
    }

    fn print_move(&self, column: Column) -> String {
        column.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Column, GameError> {
        text.parse()
    }

    fn symmetries(&self) -> usize {
        SYMMETRIES
    }

    fn transform(&self, symmetry: usize) -> Self {
        let image = |cell: Cell| cell.column().transform(symmetry).cell(cell.layer());
        let mut heights = Heights::default();
        let taken = self.stones[0] | self.stones[1];
        taken.iter().for_each(|cell| heights.raise(image(cell).column()));
        Position {
            stones: self.stones.map(|stones| {
                stones
                    .iter()
                    .fold(Cells::EMPTY, |image_of, cell| image_of.with(image(cell)))
            }),
            heights,
            ..*self
        }
    }

    fn transform_move(&self, symmetry: usize, column: Column) -> Column {
        column.transform(symmetry)
    }
}
