//! Random moves for many games at once.
//!
//! The legal moves are stored as planes, one plane for each move, but a move is chosen game by game. So squares of 64 moves
//! by 64 games are transposed: then the legal moves of a game are the bits of a few words, and one of those bits is chosen
//! at random. Where a role has many moves and few are legal, they are listed instead ([`super::lists`]); what is chosen is the same.
//! Roles whose only legal move is to wait are handled first, in all games at once.

use super::lists::LegalLists;
use super::planes::{Plane, literal};
use super::schedule::Schedule;
use super::transpose::transpose;
use crate::propnet::gates::Lit;
use crate::walk::Habits;
use game::{Rng, below};

/// No move.
const NONE: u32 = u32::MAX;

/// What was chosen.
#[derive(Clone, Debug)]
pub struct ChosenMoves<const W: usize> {
    /// For each role and game, the input, where it was chosen game by game.
    inputs: Vec<[[u32; 64]; W]>,
    /// For each move that is often the only one: the games in which it was.
    forced: Vec<Plane<W>>,
    squares: LegalSquares<W>,
    lists: LegalLists<W>,
}

/// The legal moves of one role, 64 moves by 64 games a square.
#[derive(Clone, Debug)]
struct LegalSquares<const W: usize> {
    squares: Vec<[[u64; 64]; W]>,
    /// The games that have any move of a square.
    any: Vec<Plane<W>>,
}

impl<const W: usize> ChosenMoves<W> {
    /// Nothing chosen yet.
    pub fn new(schedule: &Schedule) -> Self {
        let widest = schedule
            .legal
            .iter()
            .map(|legal| legal.len().div_ceil(64))
            .max()
            .unwrap_or(0);
        ChosenMoves {
            inputs: vec![[[NONE; 64]; W]; schedule.legal.len()],
            forced: vec![[0; W]; schedule.idle.iter().map(Vec::len).sum()],
            squares: LegalSquares {
                squares: vec![[[0; 64]; W]; widest],
                any: vec![[0; W]; widest],
            },
            lists: LegalLists::new(schedule),
        }
    }

    /// Takes back the last choices and chooses for every game in `running`. The games in which a role has no move.
    #[inline(always)]
    pub fn choose(
        &mut self,
        schedule: &Schedule,
        planes: &mut [Plane<W>],
        running: &Plane<W>,
        rng: &mut Rng,
        select: impl Fn(u64, u32) -> u32 + Copy,
        habits: Habits,
    ) -> Plane<W> {
        // Everything is taken back before anything is set: roles share disjunctions.
        self.take_back(schedule, planes);
        let mut stuck = [0; W];
        let mut first = 0;
        let mut forced = &mut self.forced[..];
        for (role, legal) in schedule.legal.iter().enumerate() {
            let idle = &schedule.idle[role];
            let (own, others) = forced.split_at_mut(idle.len());
            forced = others;
            let listed = self.lists.has(role);
            let busy = if listed {
                LegalLists::busy(legal, idle, planes)
            } else {
                self.squares.gather(legal, idle, planes)
            };
            let open = self_evident(schedule, planes, running, busy, first, legal, idle, own);
            let inputs = &mut self.inputs[role];
            if listed && self.lists.gather(role, legal, planes, &open) {
                let lists = &self.lists;
                for word in 0..W {
                    let count = |game| lists.count(word, game);
                    let nth = |game, nth| first + lists.nth(word, game, nth);
                    let chosen = &mut inputs[word];
                    stuck[word] |= pick(schedule, planes, open[word], word, chosen, rng, habits, count, nth);
                }
            } else {
                if listed {
                    self.squares.gather(legal, idle, planes);
                }
                let blocks = legal.len().div_ceil(64);
                for word in 0..W {
                    if open[word] != 0 {
                        self.squares.turn(blocks, open[word], word);
                        let squares = &self.squares.squares[..blocks];
                        let count = |game: usize| squares.iter().map(|square| square[word][game].count_ones()).sum();
                        let nth = |game, nth| first + nth_of(squares, word, game, nth, select);
                        let chosen = &mut inputs[word];
                        stuck[word] |= pick(schedule, planes, open[word], word, chosen, rng, habits, count, nth);
                    }
                }
            }
            first += legal.len();
        }
        stuck
    }

    /// Makes a role's choice in one game, which was not among those that chose for themselves.
    #[inline(always)]
    pub fn give(&mut self, schedule: &Schedule, planes: &mut [Plane<W>], role: usize, place: usize, input: u32) {
        self.inputs[role][place / 64][place % 64] = input;
        for &plane in schedule.marks.of(input as usize) {
            planes[plane as usize][place / 64] |= 1 << (place % 64);
        }
    }

    /// Adds what was chosen in some games, where there was a choice, to the moves of each.
    #[inline(always)]
    pub fn record(&self, games: &Plane<W>, played: &mut [Vec<(u8, u32)>]) {
        for (role, inputs) in (0..).zip(&self.inputs) {
            for (word, inputs) in inputs.iter().enumerate() {
                let mut left = games[word];
                while left != 0 {
                    let game = left.trailing_zeros() as usize;
                    left &= left - 1;
                    if inputs[game] != NONE {
                        played[word * 64 + game].push((role, inputs[game]));
                    }
                }
            }
        }
    }

    /// Clears what the last choices set.
    #[inline(always)]
    fn take_back(&mut self, schedule: &Schedule, planes: &mut [Plane<W>]) {
        let mut first = 0;
        let mut forced = self.forced.iter();
        for (role, legal) in schedule.legal.iter().enumerate() {
            for (&input, games) in schedule.idle[role].iter().zip(&mut forced) {
                for &mark in schedule.marks.of(first + input) {
                    let plane = &mut planes[mark as usize];
                    for at in 0..W {
                        plane[at] &= !games[at];
                    }
                }
            }
            for (word, chosen) in self.inputs[role].iter_mut().enumerate() {
                for (game, input) in chosen.iter_mut().enumerate() {
                    if *input != NONE {
                        for &mark in schedule.marks.of(*input as usize) {
                            planes[mark as usize][word] &= !(1 << game);
                        }
                        *input = NONE;
                    }
                }
            }
            first += legal.len();
        }
    }
}

impl<const W: usize> LegalSquares<W> {
    /// Reads the planes of what is legal. The games that have a move other than the idle ones.
    #[inline(always)]
    fn gather(&mut self, legal: &[Lit], idle: &[usize], planes: &[Plane<W>]) -> Plane<W> {
        let mut busy = [0; W];
        let mut waiting = idle.iter().copied().peekable();
        for (at, block) in legal.chunks(64).enumerate() {
            let (square, any) = (&mut self.squares[at], &mut self.any[at]);
            *any = [0; W];
            for (row, &lit) in block.iter().enumerate() {
                let holds = literal(planes, lit);
                let counts = u64::from(waiting.next_if_eq(&(at * 64 + row)).is_none()).wrapping_neg();
                for word in 0..W {
                    square[word][row] = holds[word];
                    any[word] |= holds[word];
                    busy[word] |= holds[word] & counts;
                }
            }
            for square in square {
                square[block.len()..].fill(0);
            }
        }
        busy
    }

    /// Makes rows of moves rows of games, for the games of one word.
    #[inline(always)]
    fn turn(&mut self, blocks: usize, games: u64, word: usize) {
        for (square, any) in self.squares[..blocks].iter_mut().zip(&self.any) {
            if any[word] & games == 0 {
                square[word].fill(0);
            } else {
                transpose(&mut square[word]);
            }
        }
    }
}

/// Plays, in all games at once, the moves that are the only ones of their role, if they are among those that often
/// are. The games that remain to be decided.
#[inline(always)]
#[allow(
    clippy::too_many_arguments,
    reason = "the parts of one step, borrowed apart; a struct would borrow them together"
)]
fn self_evident<const W: usize>(
    schedule: &Schedule,
    planes: &mut [Plane<W>],
    running: &Plane<W>,
    busy: Plane<W>,
    first: usize,
    legal: &[Lit],
    idle: &[usize],
    forced: &mut [Plane<W>],
) -> Plane<W> {
    let mut open = *running;
    for (&input, plane) in idle.iter().zip(forced) {
        let mut other = busy;
        for &rival in idle.iter().filter(|&&rival| rival != input) {
            let holds = literal(planes, legal[rival]);
            for at in 0..W {
                other[at] |= holds[at];
            }
        }
        let holds = literal(planes, legal[input]);
        *plane = std::array::from_fn(|at| running[at] & holds[at] & !other[at]);
        for &mark in schedule.marks.of(first + input) {
            let marked = &mut planes[mark as usize];
            for at in 0..W {
                marked[at] |= plane[at];
            }
        }
        for at in 0..W {
            open[at] &= !plane[at];
        }
    }
    open
}

/// Move number `nth` of a game.
#[inline(always)]
fn nth_of<const W: usize>(
    squares: &[[[u64; 64]; W]],
    word: usize,
    game: usize,
    mut nth: u32,
    select: impl Fn(u64, u32) -> u32,
) -> usize {
    let mut block = 0;
    let mut own = squares[0][word][game];
    while nth >= own.count_ones() {
        nth -= own.count_ones();
        block += 1;
        own = squares[block][word][game];
    }
    block * 64 + select(own, nth) as usize
}

/// Picks a random one of each game's moves. The games that have none.
#[inline(always)]
#[allow(
    clippy::too_many_arguments,
    reason = "the parts of one step, borrowed apart; a struct would borrow them together"
)]
fn pick<const W: usize>(
    schedule: &Schedule,
    planes: &mut [Plane<W>],
    games: u64,
    word: usize,
    chosen: &mut [u32; 64],
    rng: &mut Rng,
    habits: Habits,
    count: impl Fn(usize) -> u32,
    nth: impl Fn(usize, u32) -> usize,
) -> u64 {
    let mut stuck = 0;
    let mut left = games;
    while left != 0 {
        let game = left.trailing_zeros() as usize;
        left &= left - 1;
        let count = count(game);
        if count == 0 {
            stuck |= 1 << game;
            continue;
        }
        let mut input = nth(game, below(rng, count));
        if count > 1 {
            // The best of a few that were drawn: what has been better is chosen more often, and everything sometimes.
            for _ in 1..habits.draws {
                let rival = nth(game, below(rng, count));
                if habits.of(rival) > habits.of(input) {
                    input = rival;
                }
            }
        }
        chosen[game] = input as u32;
        for &plane in schedule.marks.of(input) {
            planes[plane as usize][word] |= 1 << game;
        }
    }
    stuck
}

/// The place of bit number `n` of `mask`, counted from 0 among those that are set.
#[inline(always)]
pub fn select(mask: u64, n: u32) -> u32 {
    let mut mask = mask;
    for _ in 0..n {
        mask &= mask - 1;
    }
    mask.trailing_zeros()
}
