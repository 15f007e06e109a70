//! The evaluations of unfinished boards in the student reports.
//!
//! A board is evaluated between the two halves of a turn: a piece was just placed, the next is not yet given (report 000: "the
//! evaluation happens at a moment when the opponent has made a move; in the next step the opponent selects a piece for
//! us"). So a piece already in hand counts as one of those still to come, and a heuristic sees only the board and the
//! unplaced pieces. Values are always from the point of view of the **receiver**, who gets the next piece.
//!
//! All of them use the lines with exactly three pieces. A table of the rules gives those lines for a set of cells, so a
//! whole board takes nine lookups.
//!
//! In the misère variants the same features count for the other side: where completing a line loses, cells and pieces
//! that complete one are bad for the receiver, so the sign changes. [`Parity`] has its own rules there.

use crate::{ATTRIBUTES, PieceSet, Position};

/// An evaluation of boards: how good it is to receive the next piece here.
pub trait Heuristic: Clone + Send + Sync + 'static {
    /// The value of the board to the receiver, in points, strictly between a loss and a win unless the heuristic is
    /// certain. The piece in hand, if any, counts as unplaced.
    fn evaluate(&self, board: &Position) -> i32;

    /// What a win is worth.
    fn win(&self) -> i32;

    /// The value of a certain draw to the player who searches (minus the contempt of chess programs).
    fn draw(&self) -> i32 {
        0
    }

    /// How many points are one unit of the report's scale.
    fn unit(&self) -> f64 {
        1.0
    }
}

/// The lines with exactly three pieces, and for each attribute value those whose three pieces share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threes {
    /// `sharing[value][attribute]`: bit i is line i of the rules.
    sharing: [[u32; ATTRIBUTES]; 2],
}

impl Threes {
    /// The three-piece lines of a board.
    #[inline]
    pub fn of(board: &Position) -> Self {
        let table = board.rules().threes();
        let three = table[board.occupied().0 as usize];
        let sharing = |value| std::array::from_fn(|i| table[board.having(i, value).0 as usize] & three);
        Threes {
            sharing: [sharing(0), sharing(1)],
        }
    }

    /// The lines whose three pieces share at least one value: the terzos.
    #[inline]
    pub fn terzos(&self) -> u32 {
        self.sharing.iter().flatten().fold(0, |all, lines| all | lines)
    }

    /// Every attribute value with the lines that miss only one piece of it.
    fn values(&self) -> impl Iterator<Item = (PieceSet, u32)> + '_ {
        (0..2).flat_map(move |value| (0..ATTRIBUTES).map(move |i| (PieceSet::WITH[i][value], self.sharing[value][i])))
    }
}

/// The pieces not on the board.
#[inline]
pub fn unplaced(board: &Position) -> PieceSet {
    PieceSet(board.left().0 | board.hand().map_or(0, |piece| piece.bit().0))
}

/// How many almost completed attributes there are: values shared by the three pieces of a line, counted line by line.
///
/// Report 000's first figure names four of them on three lines, and says "three" in the text but "four" in the caption;
/// its third figure adds completing pieces for all four, so four it is.
pub fn almost_completed(board: &Position) -> u32 {
    Threes::of(board)
        .sharing
        .iter()
        .flatten()
        .map(|lines| lines.count_ones())
        .sum()
}

/// How many pieces complete an attribute; a piece that completes more than one is counted more than once.
#[inline]
pub fn completing(board: &Position) -> u32 {
    let unplaced = unplaced(board).0;
    let threes = Threes::of(board);
    threes
        .values()
        .map(|(with, lines)| lines.count_ones() * (with.0 & unplaced).count_ones())
        .sum()
}

/// How many lines hold a terzo: three pieces with something in common. At most one is counted for each line.
#[inline]
pub fn terzos(board: &Position) -> u32 {
    Threes::of(board).terzos().count_ones()
}

/// Whether two three-piece lines have opposite values of an attribute, so that every piece finishes one of them.
#[inline]
pub fn opposed(board: &Position) -> bool {
    let threes = Threes::of(board);
    (0..ATTRIBUTES).any(|i| threes.sharing[0][i] != 0 && threes.sharing[1][i] != 0)
}

/// Whether every unplaced piece would complete a line, so that whatever is given loses.
#[inline]
pub fn none_safe(board: &Position) -> bool {
    let unplaced = unplaced(board);
    !unplaced.is_empty() && unplaced.0 & !board.completing_pieces().0 == 0
}

/// The completing pieces of every almost completed attribute, line by line: report 000's 4 + 4 + 3 + 4.
pub fn completing_by_attribute(board: &Position) -> Vec<u32> {
    let unplaced = unplaced(board).0;
    let threes = Threes::of(board);
    let each = |(with, lines): (PieceSet, u32)| {
        let pieces = (with.0 & unplaced).count_ones();
        std::iter::repeat_n(pieces, lines.count_ones() as usize)
    };
    threes.values().flat_map(each).collect()
}

/// For every terzo, how many unplaced pieces finish it.
pub fn finishing(board: &Position) -> impl Iterator<Item = u32> {
    let unplaced = unplaced(board).0;
    let threes = Threes::of(board);
    let mut open = threes.terzos();
    std::iter::from_fn(move || {
        let line = open & open.wrapping_neg();
        open ^= line;
        let sharing = threes.values().filter(|(_, lines)| lines & line != 0);
        let finishing = sharing.fold(0, |pieces, (with, _)| pieces | with.0);
        (line != 0).then_some((finishing & unplaced).count_ones())
    })
}

/// Changes the sign of a count that is good for the receiver where completing a line loses.
#[inline]
fn good_for_receiver(board: &Position, points: i32) -> i32 {
    if board.rules().misere() { -points } else { points }
}

/// A win on the scales whose report gives none: above whatever can be counted on any board.
const WIN: i32 = 1_000_000;

/// Report 000's trivial function: every board is worth the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zero;

impl Heuristic for Zero {
    #[inline]
    fn evaluate(&self, _: &Position) -> i32 {
        0
    }

    fn win(&self) -> i32 {
        WIN
    }
}

/// Report 000's almost completed attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Almost;

impl Heuristic for Almost {
    #[inline]
    fn evaluate(&self, board: &Position) -> i32 {
        good_for_receiver(board, almost_completed(board) as i32)
    }

    fn win(&self) -> i32 {
        WIN
    }
}

/// Report 000's completing pieces, absolute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Absolute;

impl Heuristic for Absolute {
    #[inline]
    fn evaluate(&self, board: &Position) -> i32 {
        good_for_receiver(board, completing(board) as i32)
    }

    fn win(&self) -> i32 {
        WIN
    }
}

/// Report 000's completing pieces in relation to the remaining ones, times the constant C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relative {
    /// The report's stretching factor. It stretches what is shown; no choice of moves depends on it, since finished
    /// games are worth more than any board.
    pub c: u32,
}

impl Relative {
    /// The largest constant whose values stay below a win on every board.
    pub const LARGEST: u32 = 1000;
    /// Points to one unit of the quotient: fine enough that different quotients differ.
    const POINTS: i64 = 1_000_000;
}

impl Default for Relative {
    fn default() -> Self {
        Relative { c: 1 }
    }
}

impl Heuristic for Relative {
    #[inline]
    fn evaluate(&self, board: &Position) -> i32 {
        let remaining = i64::from(unplaced(board).len().max(1));
        // At most 32 lines with four values each: the quotient is at most 128.
        good_for_receiver(board, (i64::from(completing(board)) * Self::POINTS / remaining) as i32)
    }

    fn win(&self) -> i32 {
        1_000 * Self::POINTS as i32
    }

    fn unit(&self) -> f64 {
        Self::POINTS as f64 / f64::from(self.c)
    }
}

/// Report 001's terzos: 0 to 10 on the ten lines, a draw 11, a win 12.
///
/// - The report gives the count the sign of "the current player", which can be who made the last move or who is to
///   move. Here it counts for the receiver, who is to move; [`Turned`] is the other reading. `terzo reproduce 001` plays both.
/// - A certain draw is worth 11 to the player who searches, whoever plays the last move: the report wants certain draws
///   preferred to uncertain boards, "minimizing losses whenever possible". At a fixed depth the 11 changes no choice: all
///   leaves hold the same number of pieces, so where one of them is a draw none is an unfinished board.
/// - On variants with more lines the count stops at 10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terzo;

impl Terzo {
    const MOST: i32 = 10;
}

impl Heuristic for Terzo {
    #[inline]
    fn evaluate(&self, board: &Position) -> i32 {
        good_for_receiver(board, (terzos(board) as i32).min(Self::MOST))
    }

    fn win(&self) -> i32 {
        12
    }

    fn draw(&self) -> i32 {
        11
    }
}

/// A heuristic whose counts are good for the giver, who made the last placement: the other reading of a report that leaves the
/// sign open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turned<H>(pub H);

impl<H: Heuristic> Heuristic for Turned<H> {
    #[inline]
    fn evaluate(&self, board: &Position) -> i32 {
        -self.0.evaluate(board)
    }

    fn win(&self) -> i32 {
        self.0.win()
    }

    fn draw(&self) -> i32 {
        self.0.draw()
    }

    fn unit(&self) -> f64 {
        self.0.unit()
    }
}

/// Report 004's heuristic on [-100, 100]: a win 100, a tie 0, a guaranteed loss -100, and three-piece lines weighted by
/// the parity of the pieces that finish them.
///
/// - A guaranteed loss (two three-piece lines with opposite values) is the giver's: whatever is given wins.
/// - An even number of finishing pieces forces the giver to hand one over in the end, an odd number the receiver. The
///   report weighs even lines "heavier" without saying how much: here 10 against 5, kept within ±99.
/// - A line that no piece can finish any more counts for nothing.
/// - Misère: nobody is forced to finish a line by being given a piece. What is guaranteed there is the receiver's loss
///   when some unplaced piece would complete a line on every empty cell: -100. The weights of the lines change sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parity {
    /// What a line with an even number of finishing pieces is worth to the receiver.
    pub even: i32,
    /// What a line with an odd number of them is worth to the giver.
    pub odd: i32,
}

impl Default for Parity {
    fn default() -> Self {
        Parity { even: 10, odd: 5 }
    }
}

impl Parity {
    /// The largest weight of a line, either way.
    pub const LARGEST: i32 = 50;
    const SURE: i32 = 100;

    /// The weighted lines alone, between a loss and a win.
    #[inline]
    fn lines(&self, board: &Position) -> i32 {
        let weight = |pieces: u32| match pieces {
            0 => 0,
            _ if pieces.is_multiple_of(2) => self.even,
            _ => -self.odd,
        };
        let sum: i32 = finishing(board).map(weight).sum();
        good_for_receiver(board, sum).clamp(1 - Self::SURE, Self::SURE - 1)
    }
}

impl Heuristic for Parity {
    #[inline]
    fn evaluate(&self, board: &Position) -> i32 {
        if board.rules().misere() {
            let fatal = |piece| board.completing_cells(piece) == board.empty();
            if unplaced(board).into_iter().any(fatal) {
                return -Self::SURE;
            }
        } else if opposed(board) {
            return Self::SURE;
        }
        self.lines(board)
    }

    fn win(&self) -> i32 {
        Self::SURE
    }
}

/// Report 004's heuristic with what its authors wished for: it sees every board whose giver has no safe piece left, not only
/// those where two lines have opposite values of one attribute. In misère games it is [`Parity`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost(pub Parity);

impl Heuristic for Lost {
    #[inline]
    fn evaluate(&self, board: &Position) -> i32 {
        if board.rules().misere() {
            return self.0.evaluate(board);
        }
        if none_safe(board) {
            return Parity::SURE;
        }
        self.0.lines(board)
    }

    fn win(&self) -> i32 {
        Parity::SURE
    }
}
