//! Counting the legal moves of all games at once, and finding each game's n-th.
//!
//! The counters stand upright: plane 0 has the lowest bit of every game's counter, plane 1 the next. Adding a plane to them takes a few
//! instructions for all games together, wherever its bits are; a block of moves is added up first, and its sum is kept. A counter that
//! begins at `n` and counts down by the sums falls below zero in the block that has the n-th legal move. Only there single bits are looked
//! at. So what this costs hardly depends on how many moves are legal (a role of chess has thousands of which some thirty are).

use super::planes::{Plane, literal};
use super::schedule::Schedule;
use crate::propnet::gates::{FALSE, Lit};

/// The bits of a counter at first, and if these are too few.
const FEW_BITS: usize = 8;
const BITS: usize = 12;
/// The moves of a block, and the bits of its sum.
const BLOCK: usize = 15;
const SUM: usize = 4;
/// The most bits of the number of a block.
const BLOCK_BITS: usize = 16;
/// Roles with fewer moves are not counted this way: transposing is quicker.
const FEWEST: usize = 256;
/// The most draws of which one is taken.
pub const MOST_DRAWS: usize = 8;

/// The legal moves of one role at a time, counted.
#[derive(Clone, Debug)]
pub struct LegalTally<const W: usize> {
    /// By counters of how many bits each role is counted; 0 for roles that are not counted this way.
    bits: Vec<usize>,
    /// How many moves of each block are legal.
    sums: Vec<[Plane<W>; SUM]>,
    /// How many are.
    total: [Plane<W>; BITS],
    /// The games that have too many to be counted.
    over: Plane<W>,
}

/// A number for every game.
#[derive(Clone, Copy, Debug)]
pub struct UprightNumbers<const W: usize>([Plane<W>; BITS]);

/// Of every game the block of its move, and how many legal moves of the block come before it.
struct FoundBlocks<const W: usize> {
    block: [Plane<W>; BLOCK_BITS],
    /// How many of these there are.
    bits: usize,
    before: [Plane<W>; SUM],
}

impl<const W: usize> LegalTally<W> {
    /// Nothing counted yet.
    pub fn new(schedule: &Schedule) -> Self {
        LegalTally::from(FEWEST, schedule)
    }

    /// For roles with so many moves.
    pub fn from(fewest: usize, schedule: &Schedule) -> Self {
        let fits = |legal: &Vec<Lit>| (fewest..BLOCK << BLOCK_BITS).contains(&legal.len());
        let bits = |legal: &Vec<Lit>| if fits(legal) { FEW_BITS } else { 0 };
        let most = schedule.legal.iter().filter(|legal| fits(legal)).map(Vec::len).max();
        LegalTally {
            bits: schedule.legal.iter().map(bits).collect(),
            sums: vec![[[0; W]; SUM]; most.map_or(0, |most| most.div_ceil(BLOCK))],
            total: [[0; W]; BITS],
            over: [0; W],
        }
    }

    /// Whether a role is counted.
    pub fn has(&self, role: usize) -> bool {
        self.bits[role] > 0
    }

    /// Whether the counts can be used: no open game has too many moves. Where one has, the role is counted again with more bits, and
    /// from then on; if these do not do either, it is not counted any more.
    #[inline(always)]
    pub fn trust(&mut self, role: usize, legal: &[Lit], planes: &[Plane<W>], open: &Plane<W>) -> bool {
        let fits = |tally: &Self| (0..W).all(|at| tally.over[at] & open[at] == 0);
        if !fits(self) && self.bits[role] == FEW_BITS {
            self.bits[role] = BITS;
            self.count_all(role, legal, &[], planes);
        }
        if !fits(self) {
            self.bits[role] = 0;
        }
        self.has(role)
    }

    /// Counts a role's legal moves in every game. The games in which there is one that is not idle.
    #[inline(always)]
    pub fn count_all(&mut self, role: usize, legal: &[Lit], idle: &[usize], planes: &[Plane<W>]) -> Plane<W> {
        match self.bits[role] {
            BITS => self.count_by::<BITS>(legal, idle, planes),
            _ => self.count_by::<FEW_BITS>(legal, idle, planes),
        }
    }

    #[inline(always)]
    fn count_by<const B: usize>(&mut self, legal: &[Lit], idle: &[usize], planes: &[Plane<W>]) -> Plane<W> {
        let mut busy = [0; W];
        let mut total = [[0; W]; B];
        let mut over = [0; W];
        let mut idle = idle.iter().copied().peekable();
        for (number, (block, sum)) in legal.chunks(BLOCK).zip(&mut self.sums).enumerate() {
            let mut lits = [FALSE; BLOCK];
            lits[..block.len()].copy_from_slice(block);
            *sum = add_up(&lits, planes);
            let mut any = [0; W];
            for at in 0..W {
                any[at] = sum[0][at] | sum[1][at] | sum[2][at] | sum[3][at];
            }
            if idle.peek().is_some_and(|&at| at < (number + 1) * BLOCK) {
                any = [0; W];
                for (at, &lit) in (number * BLOCK..).zip(block) {
                    if idle.next_if_eq(&at).is_none() {
                        let holds = literal(planes, lit);
                        for at in 0..W {
                            any[at] |= holds[at];
                        }
                    }
                }
            }
            for at in 0..W {
                busy[at] |= any[at];
            }
            let mut carried = [0; W];
            for (bit, total) in total.iter_mut().enumerate() {
                let own = if bit < SUM { sum[bit] } else { [0; W] };
                carried = add(total, own, carried);
            }
            for at in 0..W {
                over[at] |= carried[at];
            }
        }
        self.total[..B].copy_from_slice(&total);
        self.over = over;
        busy
    }

    /// How many moves a game has.
    #[inline(always)]
    pub fn count(&self, role: usize, word: usize, game: usize) -> u32 {
        number(&self.total[..self.bits[role]], word, game)
    }

    /// Finds, for every game in `wanted`, the legal move before which there are as many as its number says, which must be fewer than it
    /// has. Moves are numbered from `first`.
    #[inline(always)]
    #[allow(
        clippy::too_many_arguments,
        reason = "planes, what is asked of them, and where it goes"
    )]
    pub fn find(
        &self,
        role: usize,
        legal: &[Lit],
        planes: &[Plane<W>],
        wanted: &Plane<W>,
        numbers: &UprightNumbers<W>,
        first: u32,
        select: impl Fn(u64, u32) -> u32 + Copy,
        found: &mut [[u32; 64]; W],
    ) {
        let count = legal.len().div_ceil(BLOCK);
        let blocks = match self.bits[role] {
            BITS => self.blocks(count, numbers.0),
            _ => self.blocks::<FEW_BITS>(count, std::array::from_fn(|bit| numbers.0[bit])),
        };
        for word in 0..W {
            let mut left = wanted[word];
            while left != 0 {
                let game = left.trailing_zeros() as usize;
                left &= left - 1;
                let start = number(&blocks.block[..blocks.bits], word, game) as usize * BLOCK;
                let before = number(&blocks.before, word, game);
                let holds = |lit: Lit| planes[(lit >> 1) as usize][word] >> game & 1 ^ u64::from(lit & 1);
                let block = &legal[start..legal.len().min(start + BLOCK)];
                let bits = (0..).zip(block).fold(0, |bits, (at, &lit)| bits | holds(lit) << at);
                let at = start as u32 + select(bits, before);
                found[word][game] = first + at;
            }
        }
    }

    /// The block of every game's move.
    #[inline(always)]
    fn blocks<const B: usize>(&self, count: usize, mut left: [Plane<W>; B]) -> FoundBlocks<W> {
        let mut found = FoundBlocks {
            block: [[0; W]; BLOCK_BITS],
            bits: BLOCK_BITS.min((usize::BITS - count.leading_zeros()) as usize),
            before: [[0; W]; SUM],
        };
        for (block, sum) in self.sums[..count].iter().enumerate() {
            // Below zero a number has so many high bits set that it does not get there again.
            let was: [Plane<W>; SUM] = std::array::from_fn(|bit| left[bit]);
            let mut borrowed = [0; W];
            for (bit, left) in left.iter_mut().enumerate() {
                let own = if bit < SUM { sum[bit] } else { [0; W] };
                borrowed = subtract(left, own, borrowed);
            }
            for (before, was) in found.before.iter_mut().zip(&was) {
                for at in 0..W {
                    before[at] |= was[at] & borrowed[at];
                }
            }
            for (bit, number) in found.block[..found.bits].iter_mut().enumerate() {
                if block >> bit & 1 == 1 {
                    for at in 0..W {
                        number[at] |= borrowed[at];
                    }
                }
            }
        }
        found
    }
}

impl<const W: usize> UprightNumbers<W> {
    /// All are 0.
    pub const ZERO: Self = UprightNumbers([[0; W]; BITS]);

    /// Sets a game's number, which is 0.
    #[inline(always)]
    pub fn set(&mut self, word: usize, game: usize, number: u32) {
        for (bit, plane) in self.0.iter_mut().enumerate() {
            plane[word] |= u64::from(number >> bit & 1) << game;
        }
    }
}

/// A game's number.
#[inline(always)]
fn number<const W: usize>(planes: &[Plane<W>], word: usize, game: usize) -> u32 {
    let bit = |(at, plane): (usize, &Plane<W>)| ((plane[word] >> game) as u32 & 1) << at;
    planes.iter().enumerate().map(bit).sum()
}

/// How many of a block's literals hold.
#[inline(always)]
fn add_up<const W: usize>(lits: &[Lit; BLOCK], planes: &[Plane<W>]) -> [Plane<W>; SUM] {
    let lit = |at: usize| literal(planes, lits[at]);
    let mut ones = lit(0);
    let mut twos = add(&mut ones, lit(1), lit(2));
    let (two, other) = (add(&mut ones, lit(3), lit(4)), add(&mut ones, lit(5), lit(6)));
    let mut fours = add(&mut twos, two, other);
    let (two, other) = (add(&mut ones, lit(7), lit(8)), add(&mut ones, lit(9), lit(10)));
    let four = add(&mut twos, two, other);
    let (two, other) = (add(&mut ones, lit(11), lit(12)), add(&mut ones, lit(13), lit(14)));
    let last = add(&mut twos, two, other);
    let eights = add(&mut fours, four, last);
    [ones, twos, fours, eights]
}

/// Adds two bits to a bit; what is carried.
#[inline(always)]
fn add<const W: usize>(sum: &mut Plane<W>, a: Plane<W>, b: Plane<W>) -> Plane<W> {
    let mut carried = [0; W];
    for at in 0..W {
        let own = sum[at];
        carried[at] = own & (a[at] | b[at]) | a[at] & b[at];
        sum[at] = own ^ a[at] ^ b[at];
    }
    carried
}

/// Takes two bits from a bit; what is borrowed.
#[inline(always)]
fn subtract<const W: usize>(rest: &mut Plane<W>, a: Plane<W>, b: Plane<W>) -> Plane<W> {
    let mut borrowed = [0; W];
    for at in 0..W {
        let own = rest[at];
        borrowed[at] = !own & (a[at] | b[at]) | a[at] & b[at];
        rest[at] = own ^ a[at] ^ b[at];
    }
    borrowed
}

#[cfg(test)]
mod tests {
    use super::super::choose::select;
    use super::*;
    use game::below;

    #[test]
    fn upright_numbers_count_and_find_what_a_loop_over_bits_does() {
        const W: usize = 2;
        let mut rng = game::rng(3);
        for moves in [1, 14, 15, 16, 64, 254, 300, 1100, 4000, 20_000] {
            // Some games have a quarter of the moves, some hardly any.
            let mut word = |rare| (0..64).fold(0, |word, at| word | u64::from(below(&mut rng, rare) == 0) << at);
            let mut planes: Vec<Plane<W>> = (0..=moves).map(|_| [word(4), word(60)]).collect();
            planes[0] = [0; W];
            let legal: Vec<Lit> = (1..=moves as u32).map(|plane| plane << 1).collect();
            let idle: Vec<usize> = [0, 5, 15].into_iter().filter(|&at| at < moves).collect();
            let mut tally = LegalTally::<W> {
                bits: vec![FEW_BITS],
                sums: vec![[[9; W]; SUM]; legal.len().div_ceil(BLOCK)],
                total: [[9; W]; BITS],
                over: [9; W],
            };
            let busy = tally.count_all(0, &legal, &idle, &planes);
            let games = || (0..W).flat_map(|word| (0..64).map(move |game| (word, game)));
            let own = |word: usize, game: usize| -> Vec<usize> {
                let holds = |at: &usize| literal(&planes, legal[*at])[word] >> game & 1 == 1;
                (0..moves).filter(holds).collect()
            };
            for (word, game) in games() {
                let own = own(word, game);
                let is_busy = own.iter().any(|at| !idle.contains(at));
                assert_eq!(busy[word] >> game & 1 == 1, is_busy);
                assert_eq!(tally.over[word] >> game & 1 == 1, own.len() >= 1 << FEW_BITS);
            }
            let most = games().map(|(word, game)| own(word, game).len()).max().unwrap();
            assert_eq!(tally.trust(0, &legal, &planes, &[!0; W]), most < 1 << BITS);
            let bits = [FEW_BITS, BITS, 0]
                .into_iter()
                .find(|&bits| bits == 0 || most < 1 << bits);
            assert_eq!(Some(tally.bits[0]), bits, "{most}");
            if most >= 1 << BITS {
                continue;
            }
            let mut numbers = UprightNumbers::ZERO;
            let mut expected = [[u32::MAX; 64]; W];
            let mut wanted = [0; W];
            for (word, game) in games() {
                let own = own(word, game);
                assert_eq!(tally.count(0, word, game) as usize, own.len());
                if !own.is_empty() && below(&mut rng, 8) > 0 {
                    let nth = below(&mut rng, own.len() as u32);
                    numbers.set(word, game, nth);
                    wanted[word] |= 1 << game;
                    expected[word][game] = own[nth as usize] as u32 + 7;
                }
            }
            let mut found = [[u32::MAX; 64]; W];
            tally.find(0, &legal, &planes, &wanted, &numbers, 7, select, &mut found);
            assert_eq!(found, expected, "{moves} moves");
        }
    }
}
