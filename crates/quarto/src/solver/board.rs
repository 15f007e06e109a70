//! A board as the solver sees it: no piece in hand, a piece to be given.
//!
//! At every node the search needs the pieces that are safe to give. So the board is stored by lines instead of cells: for
//! each value of each attribute the set of *lines* whose pieces so far all have it (`alive`), and for each line how many
//! pieces it has (two bit planes). A value is hot if some line alive for it waits for its last piece; a piece is safe
//! if none of its values is hot. Placing a piece is then one AND of eight sets at once.
//!
//! ```text
//! alive    lane v: bit l set while every piece of line l has value v     place p on c: lanes that p does not have
//! ones     bit l: lowest bit of the number of pieces on line l             lose the lines through c
//! twos     bit l: next bit                                                three on a line: ones & twos
//! ```

use super::search::bits;
use super::simd::{LANES, Lanes, extract};
use crate::{ATTRIBUTES, Cell, CellSet, Piece, PieceSet, Position, Rules};

/// What placing needs to know, made once for a variant.
pub(super) struct Geometry {
    /// The lines through a cell.
    through: [u32; Cell::COUNT],
    /// What the lines' sets keep when piece p goes to cell c.
    keep: Box<[[Lanes; Cell::COUNT]; Piece::COUNT]>,
    /// The pieces with at least one of the hot values.
    unsafe_for: [u16; 1 << LANES],
    /// Per lane, the pieces that have its value.
    with: Lanes,
    /// A bit for each lane whose value the piece has.
    values: [u8; Piece::COUNT],
    /// The values that the pieces of a set have: for the first eight pieces and for the others.
    values_of: [[u8; 256]; 2],
    line_cells: Vec<u16>,
    lines: u32,
}

/// The most lines a variant may have to be solved here: one bit each in a lane.
pub const MOST_LINES: usize = 32;

impl Geometry {
    pub(super) fn new(rules: &'static Rules) -> Self {
        assert!(rules.lines().len() <= MOST_LINES, "too many lines to solve");
        let through: [u32; 16] = std::array::from_fn(|cell| {
            let holds = |line: &CellSet| u32::from(line.0 >> cell & 1 != 0);
            rules.lines().iter().rev().fold(0, |set, line| set << 1 | holds(line))
        });
        let has = |piece: usize, lane: usize| Geometry::values_of_piece(piece as u32) >> lane & 1 != 0;
        let values = |piece: usize| Geometry::values_of_piece(piece as u32);
        let keep = Box::new(std::array::from_fn(|piece| {
            std::array::from_fn(|cell| {
                Lanes::new(std::array::from_fn(
                    |lane| if has(piece, lane) { !0 } else { !through[cell] },
                ))
            })
        }));
        let pieces_with = |lane: usize| PieceSet::WITH[lane % ATTRIBUTES][lane / ATTRIBUTES].0;
        let unsafe_for = std::array::from_fn(|hot| {
            (0..LANES)
                .filter(|lane| hot >> lane & 1 != 0)
                .fold(0, |pieces, lane| pieces | pieces_with(lane))
        });
        let count = rules.lines().len() as u32;
        Geometry {
            through,
            keep,
            unsafe_for,
            values: std::array::from_fn(values),
            values_of: std::array::from_fn(|half| {
                std::array::from_fn(|set: usize| {
                    let pieces = (0..8).filter(|i| set >> i & 1 != 0);
                    pieces.fold(0, |all, i| all | values(8 * half + i))
                })
            }),
            line_cells: rules.lines().iter().map(|line| line.0).collect(),
            with: Lanes::new(std::array::from_fn(|lane| u32::from(pieces_with(lane)))),
            lines: if count == 32 { !0 } else { (1 << count) - 1 },
        }
    }

    /// The pieces with at least one of these values.
    #[inline(always)]
    pub(super) fn unsafe_for(&self, hot: u8) -> u16 {
        self.unsafe_for[hot as usize]
    }

    /// The values of a piece, a bit for each lane: computed, not looked up.
    pub(super) fn values_of_piece(piece: u32) -> u8 {
        let has = |lane: usize| (piece >> (lane % ATTRIBUTES) & 1) as usize == lane / ATTRIBUTES;
        (0..LANES).fold(0, |bits, lane| bits | u8::from(has(lane)) << lane)
    }

    /// The values of a piece, a bit for each lane.
    #[inline(always)]
    pub(super) fn values(&self, piece: u32) -> u8 {
        self.values[(piece & 15) as usize]
    }

    /// The values that at least one piece of a set has.
    #[inline(always)]
    pub(super) fn values_of(&self, pieces: u16) -> u8 {
        self.values_of[0][(pieces & 0xff) as usize] | self.values_of[1][(pieces >> 8) as usize]
    }

    /// What a board with few empty cells misses: see `ending`.
    #[inline(always)]
    pub(super) fn missing<const W: usize>(&self, node: &SolverBoard) -> [u64; W] {
        let empty = !node.occupied;
        let mut words = [0u64; W];
        for (line, cells) in self.line_cells.iter().enumerate() {
            let values = u64::from(node.alive.column(line as u32));
            let missing = extract(u64::from(cells & empty), u64::from(empty)) as usize;
            words[(missing >> 3) % W] |= values << (8 * (missing & 7));
        }
        words
    }

    /// The empty board.
    fn empty(&self) -> SolverBoard {
        SolverBoard {
            alive: Lanes::all(self.lines),
            ones: 0,
            twos: 0,
            cells: 0,
            occupied: 0,
            left: PieceSet::ALL.0,
        }
    }

    /// The board of a position without completed lines; a piece in hand counts as not left.
    pub(super) fn board(&self, position: &Position) -> SolverBoard {
        let mut node = self.empty();
        for cell in position.occupied() {
            if let Some(piece) = position.piece_at(cell) {
                node = self.place(&node, u32::from(piece.number()), cell.index() as u32);
            }
        }
        if let Some(piece) = position.hand() {
            node.left &= !piece.bit().0;
        }
        node
    }

    /// The board after `piece` went to the empty `cell`, completing nothing.
    #[inline(always)]
    pub(super) fn place(&self, node: &SolverBoard, piece: u32, cell: u32) -> SolverBoard {
        let (piece, cell) = (piece & 15, cell & 15);
        let through = self.through[cell as usize];
        let carry = node.ones & through;
        SolverBoard {
            alive: node.alive.and(self.keep[piece as usize][cell as usize]),
            ones: node.ones ^ through,
            twos: node.twos ^ carry,
            cells: node.cells | u128::from(piece) << (8 * cell),
            occupied: node.occupied | 1 << cell,
            left: node.left & !(1 << piece),
        }
    }

    /// The pieces left that complete nothing anywhere.
    #[inline(always)]
    pub(super) fn safe(&self, node: &SolverBoard) -> u16 {
        let hot = node.alive.and(Lanes::all(node.ones & node.twos)).filled();
        node.left & !self.unsafe_for[hot as usize]
    }

    /// What will complete a line after a piece went to a cell: a line that waits for its last piece elsewhere, and one through the cell that
    /// waits for two, if the piece has its value.
    // In a browser the first load counts more.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) fn hot_after(&self, node: &SolverBoard) -> HotValues {
        let (lack_one, lack_two) = (node.ones & node.twos, node.twos & !node.ones);
        let mut hot = HotValues::NOTHING;
        for cell in bits(!node.occupied) {
            let (cell, through) = (cell as usize, self.through[cell as usize]);
            hot.others[cell] = node.alive.and(Lanes::all(lack_one & !through)).filled();
            hot.pairs[cell] = node.alive.and(Lanes::all(lack_two & through)).filled();
        }
        hot
    }

    /// The pieces of `left` that complete nothing after `piece` went to `cell`.
    #[inline(always)]
    pub(super) fn safe_after(&self, hot: &HotValues, left: u16, piece: u32, cell: u32) -> u16 {
        let cell = (cell & 15) as usize;
        left & !self.unsafe_for(hot.others[cell] | hot.pairs[cell] & self.values(piece))
    }

    /// Whether no line can be completed any more with the pieces left: the game will be drawn. For each value, a line
    /// that lacks k pieces needs at least k pieces with the value to be left.
    #[inline(always)]
    pub(super) fn dead(&self, node: &SolverBoard) -> bool {
        let one_left = Lanes::all(u32::from(node.left)).and(self.with);
        let two_left = one_left.without_lowest();
        let three_left = two_left.without_lowest();
        let four_left = three_left.without_lowest();
        let lack_one = Lanes::all(node.ones & node.twos);
        let lack_two = Lanes::all(node.twos);
        let lack_three = Lanes::all(node.ones | node.twos);
        let reachable = (lack_one.unless(one_left.empty()))
            .or(lack_two.unless(two_left.empty()))
            .or(lack_three.unless(three_left.empty()))
            .or(Lanes::all(!0).unless(four_left.empty()));
        node.alive.and(reachable).filled() == 0
    }

    /// Where pieces cannot go without completing a line.
    #[inline(always)]
    pub(super) fn blocked(&self, node: &SolverBoard) -> Blocked {
        let mut blocked = Blocked::NOTHING;
        let mut waiting = node.ones & node.twos;
        while waiting != 0 {
            let line = waiting.trailing_zeros();
            waiting &= waiting - 1;
            let values = node.alive.column(line);
            if values != 0 {
                let cell = self.line_cells[line as usize] & !node.occupied;
                blocked.hot[(cell.trailing_zeros() & 15) as usize] |= values;
                blocked.cells |= cell;
            }
        }
        blocked
    }

    /// The pieces left that can go nowhere without completing a line.
    #[inline(always)]
    pub(super) fn stuck(&self, node: &SolverBoard, blocked: &Blocked) -> u16 {
        if blocked.cells != !node.occupied {
            return 0;
        }
        bits(blocked.cells).fold(node.left, |stuck, cell| {
            stuck & self.unsafe_for(blocked.hot[cell as usize])
        })
    }

    /// How many pairs there are of a piece left and an empty cell where it cannot go.
    #[inline(always)]
    pub(super) fn blocked_pairs(&self, node: &SolverBoard, blocked: &Blocked) -> u32 {
        bits(blocked.cells).fold(0, |pairs, cell| {
            pairs + (node.left & self.unsafe_for(blocked.hot[cell as usize])).count_ones()
        })
    }

    /// The empty cells where `piece` can go.
    #[inline(always)]
    pub(super) fn room(&self, node: &SolverBoard, blocked: &Blocked, piece: u32) -> u16 {
        let values = self.values(piece);
        bits(blocked.cells).fold(!node.occupied, |room, cell| {
            let hot = blocked.hot[cell as usize] & values != 0;
            room & !(u16::from(hot) << cell)
        })
    }

    /// The empty cells where `piece` completes a line.
    #[inline(always)]
    pub(super) fn completing(&self, node: &SolverBoard, piece: u32) -> u16 {
        let waiting = node.ones & node.twos;
        let hot = node.alive.and(Lanes::all(waiting)).to_array();
        let values = self.values(piece);
        let lines = (0..LANES).fold(0, |lines, lane| {
            let has = u32::from(values >> lane & 1).wrapping_neg();
            lines | hot[lane] & has
        });
        let mut cells = 0;
        let mut rest = lines;
        while rest != 0 {
            cells |= self.line_cells[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        cells & !node.occupied
    }
}

/// The values that will complete a line after a placement, for each cell: whatever is placed there, and if the piece has them.
pub(super) struct HotValues {
    others: [u8; Cell::COUNT],
    pairs: [u8; Cell::COUNT],
}

impl HotValues {
    /// No value completes a line.
    pub(super) const NOTHING: HotValues = HotValues {
        others: [0; Cell::COUNT],
        pairs: [0; Cell::COUNT],
    };
}

/// The values that complete a line on each empty cell.
#[derive(Clone, Copy)]
pub(super) struct Blocked {
    hot: [u8; Cell::COUNT],
    /// The empty cells where some value does.
    cells: u16,
}

impl Blocked {
    /// No value completes a line anywhere.
    pub(super) const NOTHING: Blocked = Blocked {
        hot: [0; Cell::COUNT],
        cells: 0,
    };
}

/// A board with no piece in hand. See the module.
#[derive(Clone, Copy)]
pub(super) struct SolverBoard {
    alive: Lanes,
    ones: u32,
    twos: u32,
    /// The piece on each cell, a byte each; 0 where there is none.
    pub(super) cells: u128,
    pub(super) occupied: u16,
    pub(super) left: u16,
}

impl SolverBoard {
    /// How many values of how many lines can still be completed.
    #[inline(always)]
    pub(super) fn alive_count(&self) -> i32 {
        self.alive.count()
    }

    pub(super) fn placed(&self) -> u32 {
        self.occupied.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Novice, turn};
    use game::{Game, rng};

    #[test]
    fn safe_pieces_completing_cells_and_room_are_those_of_the_position() {
        let mut rng = rng(2);
        for rules in Rules::all() {
            let geometry = Geometry::new(rules);
            for _ in 0..500 {
                let mut position = Position::new(rules);
                while position.playing() {
                    let node = geometry.board(&position);
                    let safe = position.left().0 & !position.completing_pieces().0;
                    assert_eq!(geometry.safe(&node), safe, "{position:?}");
                    for piece in Piece::all() {
                        let cells = geometry.completing(&node, u32::from(piece.number()));
                        assert_eq!(CellSet(cells), position.completing_cells(piece), "{position:?} {piece}");
                        let room = geometry.room(&node, &geometry.blocked(&node), u32::from(piece.number()));
                        assert_eq!(room, !node.occupied & !cells, "{position:?} {piece}");
                    }
                    let hot = geometry.hot_after(&node);
                    for (piece, cell) in
                        bits(safe).flat_map(|piece| bits(!node.occupied).map(move |cell| (piece, cell)))
                    {
                        let after = geometry.place(&node, piece, cell);
                        let expected = geometry.safe(&after);
                        assert_eq!(
                            geometry.safe_after(&hot, after.left, piece, cell),
                            expected,
                            "{position:?}"
                        );
                    }
                    let blocked = geometry.blocked(&node);
                    let room = |piece: u32| geometry.room(&node, &blocked, piece);
                    let stuck = bits(node.left).filter(|piece| room(*piece) == 0);
                    assert_eq!(
                        geometry.stuck(&node, &blocked),
                        stuck.fold(0, |set, piece| set | 1 << piece)
                    );
                    let pairs = bits(node.left).map(|piece| 16 - node.placed() - room(piece).count_ones());
                    assert_eq!(geometry.blocked_pairs(&node, &blocked), pairs.sum::<u32>());
                    match turn(&Novice, &position, &mut rng) {
                        Some(turn) => position.play_unchecked(turn),
                        None => break,
                    }
                }
            }
        }
    }

    #[test]
    fn from_a_dead_board_no_play_completes_a_line() {
        let mut rng = rng(3);
        let mut seen = 0;
        for rules in Rules::all() {
            let geometry = Geometry::new(rules);
            for _ in 0..3000 {
                let mut position = Position::new(rules);
                let mut was_dead = false;
                while let Some(turn) = turn(&Novice, &position, &mut rng) {
                    position.play_unchecked(turn);
                    // A piece in hand can still complete something, so only boards before a gift count.
                    if position.playing() && !was_dead {
                        let mut board = geometry.board(&position);
                        board.left |= position.hand().map_or(0, |piece| piece.bit().0);
                        was_dead = geometry.dead(&board);
                    }
                }
                assert!(!(was_dead && position.completed()), "{position:?}");
                seen += u32::from(was_dead);
            }
        }
        assert!(seen > 1000, "too few dead boards to mean anything: {seen}");
    }
}
