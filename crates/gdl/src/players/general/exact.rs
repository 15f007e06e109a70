//! What a position is worth for certain, where so little is left of the game that all of it can be searched.
//!
//! A tree of random games sees a forced loss only when it is near, and alpha-beta by depth spends itself on guesses. Here nothing is
//! guessed: the question is always whether the mover gets at least so much, a finished game answers it, and a table remembers the
//! answers from question to question and from move to move. Whether it pays is told by a few random games: what is left must be small.

use crate::{Move, Position};
use game::{Game, Instant, Seat, Until, rng};

/// Two positions share a place of the table: one that took long, and the last one.
const BUCKETS: usize = 1 << 19;
/// A game that goes on for longer is no small one.
const LONGEST: usize = 200;
/// As many random games tell how much is left.
const WALKS: usize = 16;
/// What is never tried: see [`Remainder::size`]. A small connect four (5 by 5) has 16 or 17 at its first stone, the usual one (7 by 6) 33.
const LARGE: f64 = 17.5;
/// So many positions fewer than the size says are looked at: some lead to the same, and ends come early.
const SHARED: f64 = 6.0;

/// What is known of a position: the least and the most that its mover gets, and what got it the least.
#[derive(Clone, Copy, Debug)]
struct Known {
    key: u64,
    mv: u32,
    /// Positions that were looked at to know it.
    effort: u32,
    least: u8,
    most: u8,
}

/// So many positions are looked at for the first move before the next has its turn.
const FIRST_TURN: u64 = 10_000;

/// No move.
const NONE: u32 = u32::MAX;

impl Known {
    const NOTHING: Known = Known {
        key: 0,
        mv: NONE,
        effort: 0,
        least: 0,
        most: 100,
    };
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GaveUp {
    /// It may take no longer.
    Spent,
    /// Two do not share 100 points, or choose at once, or play for too long.
    Unfit,
}

/// What may be spent on a question.
#[derive(Clone, Debug)]
pub struct ExactBudget {
    /// When to stop.
    pub until: Until,
    /// Positions left.
    pub nodes: u64,
}

/// What is certain of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The least that the mover gets.
    pub least: u8,
    /// The most that it gets.
    pub most: u8,
    /// A move that gets it the least, if that is anything.
    pub mv: Option<Move>,
}

/// Whether some move gets enough.
enum Answer {
    Move(Move),
    Nothing,
    Unknown,
}

/// A move and where it leads.
#[derive(Clone, Debug)]
struct Child {
    mv: Move,
    /// How soon it is tried.
    rank: u64,
    position: Position,
}

/// A search for exact values, and what it remembers.
#[derive(Debug, Default)]
pub struct Exact {
    table: Vec<[Known; 2]>,
    /// How often each move has answered a question.
    answers: Vec<u64>,
    /// The children of the positions on the way, kept for their memory.
    plies: Vec<Vec<Child>>,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether this game cannot be searched so.
    unfit: bool,
}

/// How much is left of a game.
#[derive(Clone, Copy, Debug)]
pub struct Remainder {
    /// Half the logarithm of the number of ways to play the widest of a few random games, which is about what alpha-beta searches if it
    /// guesses well.
    pub size: f64,
    /// Positions a second.
    pub pace: f64,
}

impl Remainder {
    /// How much is left from a position on; none if it is too much for any clock.
    pub fn of(root: &Position) -> Option<Self> {
        let mut rng = rng(1);
        let mut legal = Vec::new();
        let (mut size, mut steps) = (0.0, 0u32);
        let began = Instant::now();
        for _ in 0..WALKS {
            let mut position = root.clone();
            let mut left = 0.0;
            while let Some(mv) = position.random_move(&mut rng, &mut legal) {
                left += (legal.len() as f64).ln() / 2.0;
                if left > LARGE {
                    return None;
                }
                position.play_unchecked(mv);
                steps += 1;
            }
            size = f64::max(size, left);
        }
        let pace = f64::from(steps) / began.elapsed().as_secs_f64().max(1e-9);
        Some(Remainder { size, pace })
    }

    /// Whether so many positions are likely to be enough.
    pub fn is_within(&self, nodes: f64) -> bool {
        self.size.exp() <= SHARED * nodes
    }
}

impl Exact {
    /// What is certain of `root`, as far as it can be found out.
    pub fn solve(&mut self, root: &Position, budget: &mut ExactBudget) -> Proof {
        let mut proof = Proof {
            least: 0,
            most: 100,
            mv: None,
        };
        // First whether it is lost, then whether it is won: where there is no time for both, the first is what must be known.
        let mut points = 50;
        while proof.least < proof.most {
            match self.first_that_gets(root, points, budget) {
                Answer::Move(mv) => {
                    (proof.least, proof.mv) = (points, Some(mv));
                    points += 1;
                    // Nobody gets what is not to be had: from here on the moves say what comes next.
                    if let Some(more) = self.known_of(root, mv).0.checked_add(1).filter(|&more| more > points) {
                        (proof.least, points) = (more - 1, more);
                    }
                }
                Answer::Nothing => {
                    let best = root.view().legal.get(root.mover().index()).into_iter().flatten();
                    let most = best.map(|&mv| self.known_of(root, mv).1).max().unwrap_or(0);
                    proof.most = most.clamp(proof.least, points - 1);
                    points = proof.most;
                }
                Answer::Unknown => break,
            }
        }
        proof
    }

    /// A move that gets the mover of `root` at least so much. The moves take turns, each time for longer: the one that is hardest to
    /// refute must not keep the others from being looked at.
    fn first_that_gets(&mut self, root: &Position, points: u8, budget: &mut ExactBudget) -> Answer {
        let mut moves = root.view().legal.get(root.mover().index()).cloned().unwrap_or_default();
        moves.sort_by_key(|&mv| std::cmp::Reverse(self.answers(mv)));
        let mut turn = FIRST_TURN;
        while !moves.is_empty() {
            let mut open = Vec::new();
            for mv in moves {
                let mut part = ExactBudget {
                    until: budget.until.clone(),
                    nodes: budget.nodes.min(turn),
                };
                let before = self.nodes;
                let gets = self.gets(root, mv, points, &mut part);
                budget.nodes -= (self.nodes - before).min(budget.nodes);
                match gets {
                    Some(true) => {
                        self.answers[mv.0 as usize] += 1;
                        return Answer::Move(mv);
                    }
                    Some(false) => (),
                    None if self.unfit || budget.nodes == 0 || budget.until.is_over() => return Answer::Unknown,
                    None => open.push(mv),
                }
            }
            moves = open;
            turn = turn.saturating_mul(2);
        }
        Answer::Nothing
    }

    /// The least and the most that a move is known to get the mover of `root`.
    fn known_of(&self, root: &Position, mv: Move) -> (u8, u8) {
        let mut next = root.clone();
        next.play_unchecked(mv);
        match next.outcome() {
            Some(payoffs) => (payoffs.of(root.mover()).points(), payoffs.of(root.mover()).points()),
            None if self.table.is_empty() => (0, 100),
            None => {
                let known = self.look_up(next.key());
                seen_by(root.mover(), &next, known.least, known.most)
            }
        }
    }

    /// Whether a move gets the mover of `root` at least so much, if that can be told.
    pub fn gets(&mut self, root: &Position, mv: Move, points: u8, budget: &mut ExactBudget) -> Option<bool> {
        let mut next = root.clone();
        next.play_unchecked(mv);
        if let Some(payoffs) = next.outcome() {
            return Some(payoffs.of(root.mover()).points() >= points);
        }
        if next.mover() == root.mover() {
            return Some(self.ask(&next, points, budget)? >= points);
        }
        // The other must not get more than what is left.
        Some(self.ask(&next, 101 - points, budget)? < 101 - points)
    }

    /// Whether it is known that a move gets the mover of `root` less than half of the points.
    pub fn refutes(&self, root: &Position, mv: Move) -> bool {
        self.known_of(root, mv).1 < 50
    }

    /// Asks whether the mover gets at least so much: what comes back is at least that if so, and else less.
    fn ask(&mut self, position: &Position, points: u8, budget: &mut ExactBudget) -> Option<u8> {
        if self.unfit {
            return None;
        }
        if self.table.is_empty() {
            self.table = vec![[Known::NOTHING; 2]; BUCKETS];
        }
        let answer = self.search(position, points, 0, budget);
        self.unfit = answer == Err(GaveUp::Unfit);
        answer.ok()
    }

    /// What the mover of a position that is not over gets, if it is asked whether that is at least `points`: a bound on the same side.
    fn search(
        &mut self,
        position: &Position,
        points: u8,
        depth: usize,
        budget: &mut ExactBudget,
    ) -> Result<u8, GaveUp> {
        if depth >= LONGEST || position.asked().count() > 1 {
            return Err(GaveUp::Unfit);
        }
        let key = position.key();
        let mut known = self.look_up(key);
        if known.least >= points {
            return Ok(known.least);
        }
        if known.most < points {
            return Ok(known.most);
        }
        let before = self.nodes;
        if self.plies.len() <= depth {
            self.plies.push(Vec::new());
        }
        let mut children = std::mem::take(&mut self.plies[depth]);
        children.clear();
        let answer = self.among(position, &mut known, points, depth, &mut children, budget);
        self.plies[depth] = children;
        let best = answer?;
        if best >= points {
            known.least = best;
            if let Some(answers) = self.answers.get_mut(known.mv as usize) {
                *answers += 1 + u64::from((self.nodes - before).max(1).ilog2());
            }
        } else {
            known.most = best;
        }
        known.key = key;
        known.effort = u32::try_from(self.nodes - before).unwrap_or(u32::MAX);
        self.remember(known);
        Ok(best)
    }

    /// The most of what the moves get, or of one that gets enough, which `known` then names.
    fn among(
        &mut self,
        position: &Position,
        known: &mut Known,
        points: u8,
        depth: usize,
        children: &mut Vec<Child>,
        budget: &mut ExactBudget,
    ) -> Result<u8, GaveUp> {
        let mover = position.mover();
        let mut best = 0;
        // Ends and what is known already are looked at before anything is searched.
        let legal = position.view().legal.get(mover.index()).map_or(&[][..], Vec::as_slice);
        for &mv in legal {
            self.nodes += 1;
            budget.spend(self.nodes)?;
            let mut next = position.clone();
            next.play_unchecked(mv);
            let (least, most) = match next.outcome() {
                Some(payoffs) => {
                    let own = payoffs.of(mover).points();
                    let sum: u32 = payoffs.all().iter().map(|one| u32::from(one.points())).sum();
                    if sum != 100 {
                        return Err(GaveUp::Unfit);
                    }
                    (own, own)
                }
                None => {
                    let known = self.look_up(next.key());
                    seen_by(mover, &next, known.least, known.most)
                }
            };
            if least >= points {
                known.mv = mv.0;
                return Ok(least);
            }
            if most < points {
                best = best.max(most);
                continue;
            }
            let answers = self.answers(mv);
            let rank = if mv.0 == known.mv { u64::MAX } else { answers };
            children.push(Child {
                mv,
                rank,
                position: next,
            });
        }
        children.sort_by_key(|child| std::cmp::Reverse(child.rank));
        for child in children.drain(..) {
            let same = child.position.mover() == mover;
            let asked = if same { points } else { 101 - points };
            let found = self.search(&child.position, asked, depth + 1, budget)?;
            let value = if same { found } else { 100 - found };
            best = best.max(value);
            if value >= points {
                known.mv = child.mv.0;
                break;
            }
        }
        Ok(best)
    }

    /// How often a move has answered a question.
    fn answers(&mut self, mv: Move) -> u64 {
        let at = mv.0 as usize;
        if at >= self.answers.len() {
            self.answers.resize(at + 1, 0);
        }
        self.answers[at]
    }

    fn look_up(&self, key: u64) -> Known {
        let bucket = &self.table[key as usize % BUCKETS];
        bucket
            .iter()
            .find(|known| known.key == key)
            .copied()
            .unwrap_or(Known::NOTHING)
    }

    fn remember(&mut self, known: Known) {
        let [long, last] = &mut self.table[known.key as usize % BUCKETS];
        if long.key == known.key || (last.key != known.key && long.effort <= known.effort) {
            if long.key != known.key {
                *last = *long;
            }
            *long = known;
        } else {
            *last = known;
        }
    }
}

/// Bounds of `next`, as `mover` sees them.
fn seen_by(mover: Seat, next: &Position, least: u8, most: u8) -> (u8, u8) {
    if next.mover() == mover {
        (least, most)
    } else {
        (100 - most, 100 - least)
    }
}

impl ExactBudget {
    /// Counts a position.
    fn spend(&mut self, nodes: u64) -> Result<(), GaveUp> {
        /// So many positions are looked at between two looks at the clock.
        const LOOK: u64 = 64;
        self.nodes = self.nodes.checked_sub(1).ok_or(GaveUp::Spent)?;
        if nodes.is_multiple_of(LOOK) && self.until.is_over() {
            return Err(GaveUp::Spent);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuildLimits, Machine, Sheet, Solver, Watch};

    fn start(name: &str, changes: &[(&str, &str)]) -> Position {
        let text = changes
            .iter()
            .fold(Sheet::text(name).unwrap(), |text, (from, to)| text.replace(from, to));
        let sheet = Sheet::parse(name, &text).unwrap();
        Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
    }

    /// Connect four of five columns of four cells.
    fn small_four() -> Position {
        let changes = [
            ("(column 6) (column 7)", ""),
            ("(row 5) (row 6)", ""),
            ("(after 5 6) (after 6 7)", ""),
        ];
        start("connectfour", &changes)
    }

    fn endless() -> ExactBudget {
        ExactBudget {
            until: Until::never(),
            nodes: u64::MAX,
        }
    }

    #[test]
    fn what_is_certain_is_what_the_solver_says_of_positions_and_of_moves() {
        for (start, skipped) in [(start("tictactoe", &[]), 0), (start("nim", &[]), 0), (small_four(), 8)] {
            let mut solver = Solver::new(&start, 1 << 28, Watch::default()).unwrap();
            let mut exact = Exact::default();
            let mut rng = game::rng(3);
            for _ in 0..6 {
                let mut position = start.clone();
                let mut ply = 0;
                while let Some(mv) = position.random_move(&mut rng, &mut Vec::new()) {
                    if ply >= skipped {
                        let solution = solver.solve(&position).unwrap();
                        let proof = exact.solve(&position, &mut endless());
                        assert_eq!((proof.least, proof.most), (solution.value, solution.value));
                        if let Some(mv) = proof.mv {
                            assert!(solution.moves.contains(&(mv, solution.value)));
                        }
                        for &(mv, value) in &solution.moves {
                            for points in [1, 50, 51, 100] {
                                let gets = exact.gets(&position, mv, points, &mut endless());
                                assert_eq!(gets, Some(value >= points));
                            }
                        }
                    }
                    position.play_unchecked(mv);
                    ply += 1;
                }
            }
        }
    }

    #[test]
    fn what_may_take_no_longer_is_not_said_to_be_certain() {
        let start = small_four();
        let mut exact = Exact::default();
        let mut budget = ExactBudget {
            until: Until::never(),
            nodes: 100,
        };
        let proof = exact.solve(&start, &mut budget);
        assert_eq!((proof.least, proof.most, proof.mv), (0, 100, None));
        // What was found out meanwhile helps, and does no harm.
        let proof = exact.solve(&start, &mut endless());
        assert_eq!((proof.least, proof.most), (50, 50));
    }

    #[test]
    fn small_games_are_told_from_large_ones() {
        for small in [start("tictactoe", &[]), small_four()] {
            assert!(Remainder::of(&small).is_some_and(|left| left.is_within(3_000_000.0)));
        }
        for large in [
            "connectfour",
            "reversi",
            "gomoku",
            "hex",
            "turntables",
            "quarto",
            "amazons",
        ] {
            assert!(Remainder::of(&start(large, &[])).is_none(), "{large}");
        }
    }

    #[test]
    fn games_in_which_two_do_not_share_100_points_are_left_alone() {
        let text = "(role a) (role b) (init (turn a)) (init (left 2)) (succ 0 1) (succ 1 2)
            (other a b) (other b a)
            (<= (legal ?r x) (true (turn ?r))) (<= (legal ?r y) (true (turn ?r)))
            (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
            (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
            (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
            (<= terminal (true (left 0)))
            (<= (goal ?r 70) (role ?r))";
        let sheet = Sheet::parse("both", text).unwrap();
        let start = Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap();
        let proof = Exact::default().solve(&start, &mut endless());
        assert_eq!((proof.least, proof.most, proof.mv), (0, 100, None));
    }
}
