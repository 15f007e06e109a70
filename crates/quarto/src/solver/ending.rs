//! The last seven cells, in a form of their own.
//!
//! When few cells are empty, it is best to store what is missing. For every set of empty cells: the values that would be
//! completed by filling exactly these cells with pieces that have them, over all lines that miss exactly these cells.
//! That is a byte (a bit for each value) for each subset, and nothing else of the board matters: two lines that miss the
//! same cells can be merged, because it only counts whether *some* line is completed. Placing a piece on a cell moves the
//! bytes of the sets with the cell, reduced to the values of the piece, onto the sets without it: half of the bytes remain.
//!
//! ```text
//! cells  bytes  kept as      subset {c0, c2} of the cells is byte 0b101
//!   7    128    [u64; 16]    cells 0 to 2 choose the byte within a word, cells 3 and up the word
//!   6     64    [u64; 8]
//!   5     32    [u64; 4]
//!   4     16    [u64; 2]
//!   3      8    u64
//!   2      4    u32
//!   1      2    u16
//! ```

use super::board::{Geometry, SolverBoard};
use super::closing::{other_wins_four, other_wins_three, values_in_bytes};
use super::misere::MisereEndgame;
use super::search::bits;
use super::simd::{extract, part_pair};

/// The most empty cells an ending may have.
pub(super) const MOST_CELLS: usize = 7;

/// With so many empty cells the answers to all placements of a gift are too near to put them in order.
const UNORDERED: usize = 5;

/// How rounds are counted; see `search`.
pub(super) struct Rounds<const MISERE: bool>;

impl<const MISERE: bool> Rounds<MISERE> {
    /// The rounds left to the giver after a gift was placed.
    #[inline(always)]
    pub(super) fn after_gift(rounds: u32) -> u32 {
        rounds - u32::from(MISERE)
    }

    /// The rounds left to the other after it placed.
    #[inline(always)]
    pub(super) fn after_placement(rounds: u32) -> u32 {
        rounds - u32::from(!MISERE)
    }

    /// The rounds that a board with so many empty cells has room for.
    #[inline(always)]
    pub(super) fn most(giver: bool, cells: u32) -> u32 {
        if giver == MISERE { cells.div_ceil(2) } else { cells / 2 }
    }

    /// The placements that a win in so many rounds takes.
    pub(super) fn placements(giver: bool, rounds: u32) -> u32 {
        if giver == MISERE { 2 * rounds - 1 } else { 2 * rounds }
    }
}

/// What is known of a board without searching it.
pub(super) enum StaticVerdict {
    /// The answer.
    Known(bool),
    /// The pieces worth giving.
    Open(u16),
}

/// Whether the giver (or else the other) wins within `rounds`, on a board with at most [`MOST_CELLS`] empty cells.
pub(super) fn wins<const GIVER: bool, const MISERE: bool>(
    geometry: &Geometry,
    node: &SolverBoard,
    rounds: u32,
    nodes: &mut u64,
) -> bool {
    let left = node.left;
    macro_rules! ask {
        ($ending:expr) => {
            match (MISERE, GIVER) {
                (false, true) => Endgame { geometry, nodes }.giver_wins(&$ending, left, rounds),
                (false, false) => Endgame { geometry, nodes }.other_wins(&$ending, left, rounds),
                (true, true) => MisereEndgame::new(geometry, nodes).giver_wins(&$ending, left, rounds),
                (true, false) => MisereEndgame::new(geometry, nodes).other_wins(&$ending, left, rounds),
            }
        };
    }
    match left.count_ones() {
        7 => ask!(Wide::<16>(geometry.missing(node))),
        6 => ask!(Wide::<8>(geometry.missing(node))),
        5 => ask!(Wide::<4>(geometry.missing(node))),
        4 => ask!(Wide::<2>(geometry.missing(node))),
        cells => {
            let [word] = geometry.missing(node);
            match cells {
                3 => ask!(Three(word)),
                2 => ask!(Two(word)),
                1 => ask!(One(word)),
                _ => false,
            }
        }
    }
}

/// A board with a fixed number of empty cells.
pub(super) trait Ending: Copy {
    /// The board after a placement.
    type Next: Ending;
    /// How many cells are empty.
    const CELLS: usize;

    /// The board after a piece with these values (a bit each) went to empty cell number `cell`.
    fn place(&self, cell: usize, values: u8) -> Self::Next;

    /// The values that complete a line if filled into this set of cells.
    fn missing(&self, cells: usize) -> u8;

    /// The values that complete a line on empty cell number `cell`.
    #[inline(always)]
    fn at(&self, cell: usize) -> u8 {
        self.missing(1 << cell)
    }

    /// The values for which some line can still be completed.
    fn alive(&self) -> u8;

    /// What is missing, as far as the first three cells go.
    fn first_word(&self) -> u64;

    /// What is missing, as far as the first four cells go.
    fn first_words(&self) -> [u64; 2];

    /// The values that complete a line somewhere.
    #[inline(always)]
    fn hot(&self) -> u8 {
        (0..Self::CELLS).fold(0, |hot, cell| hot | self.at(cell))
    }
}

/// A byte repeated.
#[inline(always)]
fn spread(values: u8) -> u64 {
    u64::from(values) * 0x0101_0101_0101_0101
}

/// The bytes of a word whose number lacks bit `cell`, and those that have it, each moved together.
#[inline(always)]
fn halves(word: u64, cell: usize) -> (u64, u64) {
    part_pair([word, 0], cell)
}

/// All bytes of a word joined.
#[inline(always)]
fn join(word: u64) -> u8 {
    let word = word | word >> 32;
    let word = word | word >> 16;
    (word | word >> 8) as u8
}

/// An ending of more than three cells: `W` words.
#[derive(Clone, Copy)]
struct Wide<const W: usize>([u64; W]);

macro_rules! wide {
    ($words:literal, $half:literal, $cells:literal, $next:ty, $make:expr) => {
        impl Ending for Wide<$words> {
            type Next = $next;
            const CELLS: usize = $cells;

            #[inline(always)]
            fn place(&self, cell: usize, values: u8) -> $next {
                let has = spread(values);
                let mut next = [0; $half];
                if cell >= 3 {
                    let bit = 1 << (cell - 3);
                    for (i, word) in next.iter_mut().enumerate() {
                        let without = (i & (bit - 1)) | (i & !(bit - 1)) << 1;
                        *word = self.0[without] | self.0[without | bit] & has;
                    }
                } else {
                    for (i, word) in next.iter_mut().enumerate() {
                        let (without, with) = part_pair([self.0[2 * i], self.0[2 * i + 1]], cell);
                        *word = without | with & has;
                    }
                }
                $make(next)
            }

            #[inline(always)]
            fn missing(&self, cells: usize) -> u8 {
                (self.0[cells >> 3] >> (8 * (cells & 7))) as u8
            }

            #[inline(always)]
            fn alive(&self) -> u8 {
                join(self.0.iter().fold(0, |all, word| all | word))
            }

            #[inline(always)]
            fn first_word(&self) -> u64 {
                self.0[0]
            }

            #[inline(always)]
            fn first_words(&self) -> [u64; 2] {
                [self.0[0], self.0[1]]
            }
        }
    };
}

wide!(16, 8, 7, Wide<8>, Wide);
wide!(8, 4, 6, Wide<4>, Wide);
wide!(4, 2, 5, Wide<2>, Wide);
wide!(2, 1, 4, Three, |[word]: [u64; 1]| Three(word));

/// Three cells.
#[derive(Clone, Copy)]
struct Three(u64);

/// Two cells.
#[derive(Clone, Copy)]
struct Two(u64);

/// One cell.
#[derive(Clone, Copy)]
struct One(u64);

/// A full board.
#[derive(Clone, Copy)]
struct FullBoard;

macro_rules! narrow {
    ($type:ty, $cells:literal, $next:ty, $make:expr) => {
        impl Ending for $type {
            type Next = $next;
            const CELLS: usize = $cells;

            #[inline(always)]
            fn place(&self, cell: usize, values: u8) -> $next {
                let (without, with) = halves(self.0, cell);
                $make(without | with & spread(values))
            }

            #[inline(always)]
            fn missing(&self, cells: usize) -> u8 {
                (self.0 >> (8 * cells)) as u8
            }

            #[inline(always)]
            fn alive(&self) -> u8 {
                join(self.0)
            }

            #[inline(always)]
            fn first_word(&self) -> u64 {
                self.0
            }

            #[inline(always)]
            fn first_words(&self) -> [u64; 2] {
                [self.0, 0]
            }
        }
    };
}

narrow!(Three, 3, Two, Two);
narrow!(Two, 2, One, One);
narrow!(One, 1, FullBoard, |_| FullBoard);

impl Ending for FullBoard {
    type Next = FullBoard;
    const CELLS: usize = 0;

    fn place(&self, _: usize, _: u8) -> FullBoard {
        FullBoard
    }

    fn missing(&self, _: usize) -> u8 {
        0
    }

    fn alive(&self) -> u8 {
        0
    }

    fn first_word(&self) -> u64 {
        0
    }

    fn first_words(&self) -> [u64; 2] {
        [0; 2]
    }
}

/// What will complete a line after a piece went to a cell, a byte for each cell it may go to.
struct HotAfter {
    /// Whatever the piece is: what is hot on the other cells.
    others: u64,
    /// If the piece has it, too: what misses the cell and one other.
    pairs: u64,
}

impl HotAfter {
    // In a browser the first load counts more: once a number of cells, not once a caller.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn new<E: Ending>(ending: &E) -> Self {
        let (mut once, mut twice, mut singles, mut pairs) = (0, 0, 0, 0);
        for cell in 0..E::CELLS {
            let values = ending.at(cell);
            twice |= once & values;
            once |= values;
            singles |= u64::from(values) << (8 * cell);
            for other in 0..cell {
                let values = u64::from(ending.missing(1 << cell | 1 << other));
                pairs |= values << (8 * cell) | values << (8 * other);
            }
        }
        HotAfter {
            others: spread(once) & !singles | spread(twice),
            pairs,
        }
    }

    /// The same for a piece with these values, a byte for each cell.
    #[inline(always)]
    fn with(&self, values: u8) -> u64 {
        self.others | self.pairs & spread(values)
    }
}

/// The search of endings of the normal game: as in `search`, without transposition table or threads.
struct Endgame<'a> {
    geometry: &'a Geometry,
    nodes: &'a mut u64,
}

impl Endgame<'_> {
    fn giver_wins<E: Ending>(&mut self, ending: &E, left: u16, rounds: u32) -> bool {
        match self.giver_verdict(ending, left, rounds) {
            StaticVerdict::Known(answer) => answer,
            StaticVerdict::Open(gifts) => self.some_gift_wins(ending, left, gifts, rounds),
        }
    }

    fn other_wins<E: Ending>(&mut self, ending: &E, left: u16, rounds: u32) -> bool {
        match self.other_verdict(ending, left, rounds) {
            StaticVerdict::Known(answer) => answer,
            StaticVerdict::Open(gifts) => self.every_gift_loses(ending, left, gifts, rounds),
        }
    }

    #[inline(always)]
    fn safe<E: Ending>(&self, ending: &E, left: u16) -> u16 {
        left & !self.geometry.unsafe_for(ending.hot())
    }

    /// Whether no line can be completed any more with the pieces left.
    #[inline(always)]
    fn dead<E: Ending>(&self, ending: &E, left: u16) -> bool {
        ending.alive() & self.geometry.values_of(left) == 0
    }

    #[inline(always)]
    fn giver_verdict<E: Ending>(&self, ending: &E, left: u16, rounds: u32) -> StaticVerdict {
        let gifts = self.safe(ending, left);
        if E::CELLS < 2 || rounds == 0 || gifts == 0 || self.dead(ending, left) {
            return StaticVerdict::Known(false);
        }
        StaticVerdict::Open(gifts)
    }

    #[inline(always)]
    fn other_verdict<E: Ending>(&self, ending: &E, left: u16, rounds: u32) -> StaticVerdict {
        let safe = self.safe(ending, left);
        if safe == 0 {
            return StaticVerdict::Known(E::CELLS > 0 && rounds > 0);
        }
        if E::CELLS < 3 || rounds <= 1 || self.dead(ending, left) {
            return StaticVerdict::Known(false);
        }
        StaticVerdict::Open(safe)
    }

    fn some_gift_wins<E: Ending>(&mut self, ending: &E, left: u16, gifts: u16, rounds: u32) -> bool {
        *self.nodes += 1;
        let after = Rounds::<false>::after_gift(rounds);
        let hot = HotAfter::new(ending);
        let geometry = self.geometry;
        'gifts: for piece in bits(gifts) {
            let left = left & !(1 << piece);
            let values = self.geometry.values(piece);
            let hot = hot.with(values);
            let safe_after = |cell: usize| left & !geometry.unsafe_for((hot >> (8 * cell)) as u8);
            if E::CELLS <= UNORDERED {
                let wins = (0..E::CELLS).all(|cell| match safe_after(cell) {
                    0 => true,
                    _ if E::CELLS < 4 || after <= 1 => false,
                    safe => self.every_gift_loses(&ending.place(cell, values), left, safe, after),
                });
                if wins {
                    return true;
                }
                continue;
            }
            let mut placements = OrderedPlacements::default();
            for cell in 0..E::CELLS {
                let safe = safe_after(cell);
                if safe == 0 {
                    continue;
                }
                // What completes a line with some piece left is alive.
                let dead = || safe == left && self.dead(&ending.place(cell, values), left);
                if after <= 1 || dead() {
                    continue 'gifts;
                }
                placements.push(safe, cell);
            }
            let wins = placements
                .cells()
                .all(|cell| self.every_gift_loses(&ending.place(cell, values), left, safe_after(cell), after));
            if wins {
                return true;
            }
        }
        false
    }

    /// Asked only of three cells and more, in two rounds and more.
    fn every_gift_loses<E: Ending>(&mut self, ending: &E, left: u16, gifts: u16, rounds: u32) -> bool {
        *self.nodes += 1;
        match E::CELLS {
            3 => return other_wins_three(ending.first_word(), values_in_bytes(left)),
            4 => {
                let gifts = extract(u64::from(gifts), u64::from(left)) as u8;
                return other_wins_four(ending.first_words(), values_in_bytes(left), gifts);
            }
            _ => {}
        }
        let after = Rounds::<false>::after_placement(rounds);
        let hot = HotAfter::new(ending);
        let mut branches = [(OrderedPlacements::default(), 0); MOST_CELLS];
        let mut count = 0;
        for piece in bits(gifts) {
            let left = left & !(1 << piece);
            let values = self.geometry.values(piece);
            let hot = hot.with(values);
            let mut placements = OrderedPlacements::default();
            for cell in 0..E::CELLS {
                let safe = left & !self.geometry.unsafe_for((hot >> (8 * cell)) as u8);
                let dead = || safe == left && self.dead(&ending.place(cell, values), left);
                if safe != 0 && !dead() {
                    placements.push(safe, cell);
                }
            }
            if placements.is_empty() {
                return false;
            }
            branches[count] = (placements, piece);
            count += 1;
        }
        each_has_a_cell(&mut branches[..count], |piece, cell| {
            let left = left & !(1 << piece);
            let next = ending.place(cell, self.geometry.values(piece));
            let gifts = self.safe(&next, left);
            self.some_gift_wins(&next, left, gifts, after)
        })
    }
}

/// Whether every gift has a placement that wins, those with the fewest chances asked first.
#[inline(always)]
pub(super) fn each_has_a_cell(
    branches: &mut [(OrderedPlacements, u32)],
    mut wins: impl FnMut(u32, usize) -> bool,
) -> bool {
    cheapest_first(branches);
    branches
        .iter()
        .all(|(placements, piece)| placements.cells().any(|cell| wins(*piece, cell)))
}

/// Sorts by cost. A function of its own, so that sorting becomes code once and not for every search that asks.
fn cheapest_first(branches: &mut [(OrderedPlacements, u32)]) {
    branches.sort_unstable_by_key(|(placements, _)| placements.score);
}

/// The placements of a piece, those that leave the fewest safe pieces first.
#[derive(Clone, Copy, Default)]
pub(super) struct OrderedPlacements {
    /// The number of safe pieces in the upper half of a byte, the cell in the lower.
    entries: [u8; MOST_CELLS],
    count: usize,
    /// What searching them all costs, roughly.
    score: u32,
}

impl OrderedPlacements {
    #[inline(always)]
    pub(super) fn push(&mut self, safe: u16, cell: usize) {
        let safe = safe.count_ones();
        let entry = (safe as u8) << 4 | cell as u8;
        let mut at = self.count;
        while at > 0 && self.entries[at - 1] > entry {
            self.entries[at] = self.entries[at - 1];
            at -= 1;
        }
        self.entries[at] = entry;
        self.count += 1;
        self.score += safe + 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(super) fn cells(&self) -> impl Iterator<Item = usize> {
        self.entries[..self.count].iter().map(|&entry| usize::from(entry & 15))
    }
}
