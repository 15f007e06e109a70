//! Random moves for many games at once.
//!
//! The legal moves are stored as planes, one plane for each move, but a move is chosen game by game. So squares of 64 moves
//! by 64 games are transposed: then the legal moves of a game are the bits of a few words, and one of those bits is chosen
//! at random. Where a role has many moves, they are counted upright instead ([`super::tally`]); what is chosen is the same.
//! Roles whose only legal move is to wait are handled first, in all games at once.

use super::planes::{Plane, literal};
use super::schedule::Schedule;
use super::tally::{LegalTally, MOST_DRAWS, UprightNumbers};
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
    tally: LegalTally<W>,
    drawn: DrawnMoves<W>,
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
            tally: LegalTally::new(schedule),
            drawn: DrawnMoves::new(),
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
            let inputs = &mut self.inputs[role];
            let open;
            if self.tally.has(role) && habits.draws as usize <= MOST_DRAWS {
                let busy = self.tally.count_all(role, legal, idle, planes);
                open = self_evident(schedule, planes, running, busy, first, legal, idle, own);
                if self.tally.trust(role, legal, planes, &open) {
                    self.drawn.draw(&self.tally, role, &open, rng, habits);
                    self.drawn
                        .find(&self.tally, role, legal, planes, first as u32, select, habits, inputs);
                    for word in 0..W {
                        stuck[word] |= open[word] & !self.drawn.some[word];
                        let mut left = self.drawn.some[word];
                        while left != 0 {
                            let game = left.trailing_zeros() as usize;
                            left &= left - 1;
                            mark(schedule, planes, word, game, inputs[word][game] as usize);
                        }
                    }
                    first += legal.len();
                    continue;
                }
                self.squares.gather(legal, idle, planes);
            } else {
                let busy = self.squares.gather(legal, idle, planes);
                open = self_evident(schedule, planes, running, busy, first, legal, idle, own);
            }
            let blocks = legal.len().div_ceil(64);
            for word in 0..W {
                if open[word] != 0 {
                    self.squares.turn(blocks, open[word], word);
                    let squares = &self.squares.squares[..blocks];
                    let count = |game: usize| squares.iter().map(|square| square[word][game].count_ones()).sum();
                    let nth = |game, nth| first + nth_of(squares, word, game, nth, select);
                    let own = &mut inputs[word];
                    let done = |game: usize, input: usize| {
                        own[game] = input as u32;
                        mark(schedule, planes, word, game, input);
                    };
                    stuck[word] |= pick(open[word], rng, habits, count, nth, done);
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
        mark(schedule, planes, place / 64, place % 64, input as usize);
    }

    /// Makes another choice in one game, of a role that has chosen there.
    #[inline(always)]
    pub fn replace(&mut self, schedule: &Schedule, planes: &mut [Plane<W>], role: usize, place: usize, input: u32) {
        let (word, game) = (place / 64, place % 64);
        let old = std::mem::replace(&mut self.inputs[role][word][game], input);
        if old != NONE {
            for &plane in schedule.marks.of(old as usize) {
                planes[plane as usize][word] &= !(1 << game);
            }
        }
        mark(schedule, planes, word, game, input as usize);
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

/// What was drawn of moves that are counted: of those that are legal, the how manieth.
#[derive(Clone, Debug)]
struct DrawnMoves<const W: usize> {
    numbers: [UprightNumbers<W>; MOST_DRAWS],
    /// The games that have a move, and those that have several.
    some: Plane<W>,
    several: Plane<W>,
}

impl<const W: usize> DrawnMoves<W> {
    fn new() -> Self {
        DrawnMoves {
            numbers: [UprightNumbers::ZERO; MOST_DRAWS],
            some: [0; W],
            several: [0; W],
        }
    }

    /// Draws for every game in `open`.
    #[inline(always)]
    fn draw(&mut self, tally: &LegalTally<W>, role: usize, open: &Plane<W>, rng: &mut Rng, habits: Habits) {
        self.numbers[..habits.draws.max(1) as usize].fill(UprightNumbers::ZERO);
        (self.some, self.several) = ([0; W], [0; W]);
        for (word, &games) in open.iter().enumerate() {
            let mut left = games;
            while left != 0 {
                let game = left.trailing_zeros() as usize;
                left &= left - 1;
                let count = tally.count(role, word, game);
                if count == 0 {
                    continue;
                }
                self.some[word] |= 1 << game;
                self.several[word] |= u64::from(count > 1) << game;
                for numbers in &mut self.numbers[..draws(habits, count) as usize] {
                    numbers.set(word, game, below(rng, count));
                }
            }
        }
    }

    /// Finds the moves, which are numbered from `first`, and takes the best of each game.
    #[inline(always)]
    #[allow(
        clippy::too_many_arguments,
        reason = "planes, what is asked of them, and where it goes"
    )]
    fn find(
        &self,
        tally: &LegalTally<W>,
        role: usize,
        legal: &[Lit],
        planes: &[Plane<W>],
        first: u32,
        select: impl Fn(u64, u32) -> u32 + Copy,
        habits: Habits,
        inputs: &mut [[u32; 64]; W],
    ) {
        tally.find(role, legal, planes, &self.some, &self.numbers[0], first, select, inputs);
        if self.several == [0; W] {
            return;
        }
        let mut rivals = [[NONE; 64]; W];
        for numbers in &self.numbers[1..habits.draws.max(1) as usize] {
            tally.find(role, legal, planes, &self.several, numbers, first, select, &mut rivals);
            for word in 0..W {
                let mut left = self.several[word];
                while left != 0 {
                    let game = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let (rival, input) = (rivals[word][game], &mut inputs[word][game]);
                    if habits.of(rival as usize) > habits.of(*input as usize) {
                        *input = rival;
                    }
                }
            }
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

/// Picks a random one of each game's moves and tells `done`. The games that have none.
#[inline(always)]
fn pick(
    games: u64,
    rng: &mut Rng,
    habits: Habits,
    count: impl Fn(usize) -> u32,
    nth: impl Fn(usize, u32) -> usize,
    mut done: impl FnMut(usize, usize),
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
        for _ in 1..draws(habits, count) {
            let rival = nth(game, below(rng, count));
            if habits.of(rival) > habits.of(input) {
                input = rival;
            }
        }
        done(game, input);
    }
    stuck
}

/// How many moves are drawn. The best of a few is taken: what has been better is chosen more often, and everything sometimes.
#[inline(always)]
fn draws(habits: Habits, count: u32) -> u32 {
    if count > 1 { habits.draws.max(1) } else { 1 }
}

/// Sets what a move sets in its game.
#[inline(always)]
fn mark<const W: usize>(schedule: &Schedule, planes: &mut [Plane<W>], word: usize, game: usize, input: usize) {
    for &plane in schedule.marks.of(input) {
        planes[plane as usize][word] |= 1 << game;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled::Compiled;
    use crate::lanes::planes::run;
    use crate::logic::WorkBudget;
    use crate::machine::StateMachine;
    use crate::{BuildLimits, Sheet};
    use std::time::Duration;

    /// Chooses in positions of random games by squares and by counting, from the same seeds.
    fn both_ways_agree(name: &str) {
        const W: usize = 2;
        // A busy machine is no reason to fail.
        let limits = BuildLimits {
            time: Duration::from_secs(3600),
            ..BuildLimits::default()
        };
        let machine = Compiled::build(&Sheet::load(name).unwrap(), limits).unwrap();
        let schedule = Schedule::new(machine.propnet(), &mut WorkBudget::new("test", u64::MAX)).unwrap();
        let mut rng = game::rng(3);
        let mut planes: Vec<Plane<W>> = vec![[0; W]; schedule.planes];
        let mut state = machine.initial();
        for place in 0..64 * W {
            for base in 0..schedule.next.len() {
                let holds = u64::from(state.0[base / 32] >> (base % 32) & 1);
                planes[1 + base][place / 64] |= holds << (place % 64);
            }
            let view = machine.view(&state).unwrap();
            let joint: Option<Vec<_>> = view.legal.iter().map(|legal| game::pick(&mut rng, legal)).collect();
            state = match joint {
                Some(joint) if !view.terminal => machine.next(&state, &joint).unwrap(),
                _ => machine.initial(),
            };
        }
        run(&schedule, &schedule.position, &mut planes);
        let inputs: usize = schedule.legal.iter().map(Vec::len).sum();
        let means: Vec<f32> = (0..inputs).map(|_| below(&mut rng, 5) as f32).collect();
        let mut ways = [0, usize::MAX].map(|fewest| {
            let mut chosen = ChosenMoves::<W>::new(&schedule);
            chosen.tally = LegalTally::from(fewest, &schedule);
            (chosen, planes.clone())
        });
        for (turn, draws) in [1, 3, 1, MOST_DRAWS as u32, 3].into_iter().enumerate() {
            let habits = Habits { means: &means, draws };
            let running = [!0 << turn, !0 >> (8 * turn)];
            let [one, other] = ways.each_mut().map(|(chosen, planes)| {
                let mut rng = game::rng(turn as u64);
                let stuck = chosen.choose(&schedule, planes, &running, &mut rng, select, habits);
                (stuck, chosen.inputs.clone(), planes.clone(), below(&mut rng, 1 << 30))
            });
            assert_eq!(one.0, other.0, "who cannot move in {name}, turn {turn}");
            assert_eq!(one.1, other.1, "moves of {name}, turn {turn}");
            assert!(one.2 == other.2 && one.3 == other.3, "{name}, turn {turn}");
        }
    }

    #[test]
    fn counting_moves_chooses_what_transposing_them_does() {
        crate::bundled::names().for_each(both_ways_agree);
    }
}
