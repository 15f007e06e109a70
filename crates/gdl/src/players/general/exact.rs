//! What a position is worth for certain, where so little is left of the game that all of it can be searched.
//!
//! A tree of random games sees a forced loss only when it is near, and alpha-beta by depth spends itself on guesses. Here nothing is
//! guessed: the question is always whether the first role gets at least so much, a finished game answers it, and a table remembers the
//! answers from question to question and from move to move. Whether it pays is told by a few random games: what is left must be small.
//!
//! All replies to all moves of a position are made in one pass of the lanes ([`crate::offspring`]): whoever can end the game at once
//! is seen before anything is searched, and who is searched has its moves made already.
//!
//! What is tried first decides how much is searched. Where there is material, that is who has most of it, and equals are always tried in the same
//! order, so that lines meet in the same positions; elsewhere who leaves the other few replies, and what has answered before.

mod question;
mod remainder;
mod table;

use crate::offspring::{Birth, Generation, Nursery, RowLayout, Standing, bits};
use crate::{Move, Position};
use game::{Game, Instant, Until};
use question::{BoundAnswer, BoundQuestion};
pub use remainder::Remainder;
use table::{Answers, Known, NONE};

/// A game that goes on for longer is no small one.
const LONGEST: usize = 200;
/// So many positions fewer than the size says are looked at, at best: some lead to the same, and ends come early. (Of connect four on 5 by 5
/// it is a tenth to a hundredth.)
const SHARED: f64 = 100.0;
/// The same in a small game of material: random games wander, and lines that take the same men in another order meet. (Of breakthrough on 4 by 5 and
/// on 3 by 6 it is a hundred-thousandth. Near the end of a large one, knightthrough on 8 by 8, that was hoped for in vain, move after move.)
const SHARED_WITH_MATERIAL: f64 = 1e6;
/// What is not even glanced at: see [`Remainder::size`]. A small connect four (5 by 5) has 16 or 17 at its first stone, the usual one (7 by 6) 33.
const LARGE: f64 = 26.0;
/// What is a small game of material: breakthrough on 4 by 5 has 21 to 29 at its first move, on 6 by 6 more than 50.
const LARGE_WITH_MATERIAL: f64 = 32.0;
/// Where less is shared than was hoped, that much less is hoped for from then on.
const SOBERING: f64 = 0.5;
/// So many positions tell the pace.
const SAMPLE: u64 = 16_000;
/// So many positions are looked at for the first move before the next has its turn.
const FIRST_TURN: u64 = 10_000;
/// With so many births no more are added to a pass.
const PASS: usize = 200;

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

/// A position on the way.
#[derive(Clone, Copy, Debug)]
struct ExactNode {
    key: u64,
    /// The move that led to it.
    mv: u32,
    /// Its children in the next generation, once they are made.
    kids: (u32, u32),
}

/// A child that must be searched.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// How soon it is tried.
    rank: u64,
    at: u32,
}

/// The positions so many moves from the root that are under consideration.
#[derive(Debug, Default)]
struct Level {
    generation: Generation,
    places: Vec<ExactNode>,
    /// The children that must be searched, of the one that is being searched.
    open: Vec<Open>,
}

/// A search for exact values, and what it remembers.
#[derive(Default)]
pub struct ExactSearch {
    /// The game that all of this is about.
    game: Option<Position>,
    nursery: Option<Box<dyn Nursery>>,
    answers: Answers,
    levels: Vec<Level>,
    births: Vec<Birth>,
    /// What every fact is worth to the first role, where there is material.
    worth: Vec<i32>,
    /// Whether there is material, and all of the game, from its start, is small.
    small_with_material: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether this game cannot be searched so.
    unfit: bool,
    /// How many times fewer positions than the size says are hoped to be enough, if that was not disappointed yet.
    hope: Option<f64>,
}

/// The role that chooses. Where nobody has a choice it does not matter.
#[inline]
fn chooser(standing: &Standing) -> usize {
    usize::from(standing.chooses[1])
}

/// What the first role gets in a game that is over, if the two share 100 points.
#[inline]
fn shared(standing: &Standing) -> Result<u8, GaveUp> {
    let [first, second] = standing.goals;
    if u32::from(first) + u32::from(second) == 100 {
        Ok(first)
    } else {
        Err(GaveUp::Unfit)
    }
}

/// The rank of what is worth the same to both.
const MIDDLE: i64 = 1 << 62;

/// What stands on the board, to the first role.
#[inline]
fn material(layout: &RowLayout, row: &[u64], worth: &[i32]) -> i64 {
    let mut sum = 0;
    bits(row, 0..layout.bases, |fact| {
        sum += i64::from(worth.get(fact).copied().unwrap_or(0));
    });
    sum
}

impl ExactSearch {
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

    /// Says what every fact is worth to the first role; nothing, if there is no material.
    pub fn value_facts(&mut self, worth: &[i32]) {
        if self.worth != worth {
            self.worth = worth.to_vec();
        }
    }

    /// Positions a second, if so few are not enough to know all.
    pub fn pace(&mut self, root: &Position, until: &Until) -> f64 {
        let mut pace = 0.0;
        // The first ones only make the memory warm.
        for nodes in [SAMPLE / 4, SAMPLE] {
            let (began, before) = (Instant::now(), self.nodes);
            let until = until.clone();
            let proof = self.solve(root, &mut ExactBudget { until, nodes });
            if proof.least == proof.most {
                return f64::INFINITY;
            }
            pace = (self.nodes - before) as f64 / began.elapsed().as_secs_f64().max(1e-9);
        }
        pace
    }

    /// How much is left from a position on; none if it is too much for any clock.
    pub fn left_of(&mut self, root: &Position) -> Option<Remainder> {
        let small = || Remainder::of(&root.start(), LARGE_WITH_MATERIAL).is_some();
        self.small_with_material = !self.worth.is_empty() && small();
        let large = if self.small_with_material {
            LARGE_WITH_MATERIAL
        } else {
            LARGE
        };
        Remainder::of(root, large)
    }

    /// How many times fewer positions than the size says are hoped to be enough.
    fn hope(&self) -> f64 {
        let at_first = if self.small_with_material {
            SHARED_WITH_MATERIAL
        } else {
            SHARED
        };
        self.hope.unwrap_or(at_first)
    }

    /// Whether so many positions are likely to be enough.
    pub fn is_enough(&self, nodes: f64, left: Remainder) -> bool {
        left.size.exp() <= self.hope() * nodes
    }

    /// Hopes for less, after so many positions were not enough.
    pub fn sober(&mut self, nodes: u64, left: Remainder) {
        let shared = left.size.exp() / nodes.max(1) as f64;
        self.hope = Some(SOBERING * shared.min(self.hope()));
    }

    /// A move that gets the mover of `root` at least so much. Where there is no material the moves take turns, each time for longer: the one that
    /// is hardest to refute must not keep the others from being looked at. Where there is, the first is mostly the best, and turns cost more.
    fn first_that_gets(&mut self, root: &Position, points: u8, budget: &mut ExactBudget) -> Answer {
        let mut moves = root.view().legal.get(root.mover().index()).cloned().unwrap_or_default();
        if self.stand(root).is_none() {
            return Answer::Unknown;
        }
        let first = root.mover().index() == 0;
        moves.sort_by_cached_key(|&mv| {
            let rank = self.child(mv).map_or(0, |at| self.rank(1, at, NONE, first));
            std::cmp::Reverse(rank)
        });
        let mut turn = if self.worth.is_empty() { FIRST_TURN } else { u64::MAX };
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
                        self.answers.praise(NONE, mv.0, 1);
                        return Answer::Move(mv);
                    }
                    Some(false) => (),
                    None if self.nodes == before || budget.nodes == 0 || budget.until.is_over() => {
                        return Answer::Unknown;
                    }
                    None if self.unfit => return Answer::Unknown,
                    None => open.push(mv),
                }
            }
            moves = open;
            turn = turn.saturating_mul(2);
        }
        Answer::Nothing
    }

    /// The least and the most that a move is known to get the mover of `root`.
    fn known_of(&mut self, root: &Position, mv: Move) -> (u8, u8) {
        let Some(at) = self.stand(root).and_then(|()| self.child(mv)) else {
            return (0, 100);
        };
        let child = &self.levels[1];
        let (least, most) = match shared(&child.generation.standings[at]) {
            Ok(value) if child.generation.standings[at].over => (value, value),
            _ => {
                let known = self.answers.look_up(child.places[at].key);
                (known.least, known.most)
            }
        };
        if root.mover().index() == 0 {
            (least, most)
        } else {
            (100 - most, 100 - least)
        }
    }

    /// Whether a move gets the mover of `root` at least so much, if that can be told.
    pub fn gets(&mut self, root: &Position, mv: Move, points: u8, budget: &mut ExactBudget) -> Option<bool> {
        self.stand(root)?;
        let at = self.child(mv)?;
        let first = root.mover().index() == 0;
        // Of the second role: the first must not get more than what is left.
        let question = if first { points } else { 101 - points };
        let found = self.ask(at, question, budget)?;
        Some((found >= question) == first)
    }

    /// Whether it is known that a move gets the mover of `root` less than half of the points.
    pub fn refutes(&mut self, root: &Position, mv: Move) -> bool {
        self.known_of(root, mv).1 < 50
    }

    /// Makes a position the root, and its children. None if it cannot be searched.
    fn stand(&mut self, root: &Position) -> Option<()> {
        if self.game.as_ref().is_none_or(|game| *game != root.start()) {
            *self = ExactSearch {
                nursery: root.machine().nursery(),
                game: Some(root.start()),
                worth: std::mem::take(&mut self.worth),
                small_with_material: self.small_with_material,
                nodes: self.nodes,
                ..ExactSearch::default()
            };
        }
        let layout = self.nursery.as_ref()?.layout();
        if self.unfit || root.asked().count() != 1 {
            return None;
        }
        self.answers.make_room();
        self.levels.resize_with(self.levels.len().max(2), Level::default);
        let top = &mut self.levels[0];
        let legal = &root.view().legal;
        layout.write(&root.state().0, legal, &mut top.generation.rows);
        // Who is asked counts as choosing, even if there is one move only.
        let chooses = |role: usize| root.mover().index() == role;
        top.generation.standings.clear();
        top.generation.standings.push(Standing {
            chooses: [chooses(0), chooses(1)],
            ..Standing::default()
        });
        let key = layout.key(&top.generation.rows);
        top.places.clear();
        top.places.push(ExactNode {
            key,
            mv: NONE,
            kids: (0, 0),
        });
        self.births.clear();
        self.expect(0, 0);
        self.bear(0);
        Some(())
    }

    /// The child of the root that a move leads to.
    fn child(&self, mv: Move) -> Option<usize> {
        self.levels[1].places.iter().position(|place| place.mv == mv.0)
    }

    /// Asks of a child of the root whether the first role gets at least so much: what comes back is at least that if so, and else less.
    fn ask(&mut self, at: usize, points: u8, budget: &mut ExactBudget) -> Option<u8> {
        let standing = self.levels[1].generation.standings[at];
        let answer = if standing.over {
            shared(&standing)
        } else {
            if self.levels.len() < 3 {
                self.levels.push(Level::default());
            }
            self.births.clear();
            self.expect(1, at);
            self.bear(1);
            self.search(1, at, points, budget)
        };
        self.unfit = answer == Err(GaveUp::Unfit);
        answer.ok()
    }

    /// Adds the moves of a position to those that are made next.
    fn expect(&mut self, level: usize, at: usize) {
        let Some(nursery) = &self.nursery else { return };
        let layout = nursery.layout();
        let Level { generation, places, .. } = &mut self.levels[level];
        let row = generation.row(layout, at);
        let role = chooser(&generation.standings[at]);
        let mut joint = [NONE; 2];
        // Who has no choice has one move.
        layout.moves(row, 1 - role, |mv| joint[1 - role] = mv);
        let first = self.births.len() as u32;
        layout.moves(row, role, |mv| {
            joint[role] = mv;
            self.births.push(Birth {
                parent: at as u32,
                joint,
            });
        });
        places[at].kids = (first, self.births.len() as u32);
    }

    /// Makes the moves that were added, all of one level.
    fn bear(&mut self, level: usize) {
        let Some(nursery) = &mut self.nursery else { return };
        let (above, below) = self.levels.split_at_mut(level + 1);
        let (parents, next) = (&above[level].generation, &mut below[0]);
        nursery.bear(parents, &self.births, &mut next.generation);
        let layout = nursery.layout();
        next.places.clear();
        for (at, birth) in self.births.iter().enumerate() {
            let role = chooser(&parents.standings[birth.parent as usize]);
            next.places.push(ExactNode {
                key: layout.key(next.generation.row(layout, at)),
                mv: birth.joint[role],
                kids: (0, 0),
            });
        }
    }

    /// What the first role gets at a position that is not over and whose children are made, if it is asked whether that is at least
    /// `points`: a bound on the same side.
    fn search(&mut self, level: usize, at: usize, points: u8, budget: &mut ExactBudget) -> Result<u8, GaveUp> {
        let place = self.levels[level].places[at];
        let standing = self.levels[level].generation.standings[at];
        if level >= LONGEST || standing.chooses == [true, true] {
            return Err(GaveUp::Unfit);
        }
        let mut known = self.answers.look_up(place.key);
        if let Some(value) = known.decides(points) {
            return Ok(value);
        }
        let question = BoundQuestion {
            first: chooser(&standing) == 0,
            points,
        };
        let before = self.nodes;
        let mut open = std::mem::take(&mut self.levels[level].open);
        let found = self.among(level, place, question, &mut known, &mut open, budget);
        self.levels[level].open = open;
        let value = found?;
        if value >= points {
            known.least = value;
        } else {
            known.most = value;
        }
        let effort = self.nodes - before;
        if (value >= points) == question.first {
            self.answers.praise(place.mv, known.mv, effort);
        }
        self.answers.keep(place.key, known, effort);
        Ok(value)
    }

    /// The best of what the moves get, or of one that gets enough, which `known` then names.
    fn among(
        &mut self,
        level: usize,
        place: ExactNode,
        question: BoundQuestion,
        known: &mut Known,
        open: &mut Vec<Open>,
        budget: &mut ExactBudget,
    ) -> Result<u8, GaveUp> {
        let kids = place.kids.0 as usize..place.kids.1 as usize;
        self.nodes += kids.len() as u64;
        budget.spend(kids.len() as u64)?;
        let mut best = question.worst();
        // Ends and what is known already are looked at before anything is searched.
        open.clear();
        for at in kids {
            let Level { generation, places, .. } = &self.levels[level + 1];
            let mv = places[at].mv;
            let standing = &generation.standings[at];
            let (least, most) = if standing.over {
                let value = shared(standing)?;
                (value, value)
            } else {
                let known = self.answers.look_up(places[at].key);
                (known.least, known.most)
            };
            match question.verdict(least, most) {
                BoundAnswer::Enough(value) => {
                    known.mv = mv;
                    return Ok(value);
                }
                BoundAnswer::TooLittle(value) => best = question.better(best, value),
                BoundAnswer::Open => {
                    let rank = if mv == known.mv {
                        u64::MAX
                    } else {
                        self.rank(level + 1, at, place.mv, question.first)
                    };
                    open.push(Open { rank, at: at as u32 });
                }
            }
        }
        open.sort_unstable_by(|a, b| b.rank.cmp(&a.rank).then(a.at.cmp(&b.at)));
        if self.levels.len() < level + 3 {
            self.levels.push(Level::default());
        }
        let mut made = 0;
        while made < open.len() {
            // As many as there is room for have their children made side by side.
            self.births.clear();
            let first = made;
            while made < open.len() && (made == first || self.births.len() < PASS) {
                self.expect(level + 1, open[made].at as usize);
                made += 1;
            }
            self.bear(level + 1);
            for child in &mut open[first..made] {
                let at = child.at as usize;
                match self.ends(level + 1, at, question)? {
                    BoundAnswer::Enough(value) => {
                        known.mv = self.levels[level + 1].places[at].mv;
                        return Ok(value);
                    }
                    BoundAnswer::TooLittle(value) => {
                        best = question.better(best, value);
                        child.at = NONE;
                    }
                    BoundAnswer::Open => (),
                }
            }
            if self.worth.is_empty() {
                self.fewest_replies_first(level + 1, &mut open[first..made]);
            }
            for child in open[first..made].iter().filter(|child| child.at != NONE) {
                let at = child.at as usize;
                let value = self.search(level + 1, at, question.points, budget)?;
                best = question.better(best, value);
                if (value >= question.points) == question.first {
                    known.mv = self.levels[level + 1].places[at].mv;
                    return Ok(value);
                }
            }
        }
        Ok(best)
    }

    /// How soon a child is tried, for its parent's mover: later ones have less.
    #[inline]
    fn rank(&self, level: usize, at: usize, last: u32, first: bool) -> u64 {
        let (Level { generation, places, .. }, Some(nursery)) = (&self.levels[level], &self.nursery) else {
            return 0;
        };
        if self.worth.is_empty() {
            return self.answers.promise(last, places[at].mv);
        }
        let layout = nursery.layout();
        let material = material(layout, generation.row(layout, at), &self.worth);
        // Half of all numbers are for what the second role likes.
        (MIDDLE + if first { material } else { -material }) as u64
    }

    /// Sorts children so that who leaves the other few replies is soon searched; of equals who has answered most.
    fn fewest_replies_first(&self, level: usize, open: &mut [Open]) {
        let places = &self.levels[level].places;
        let replies = |child: &Open| match child.at {
            NONE => 0,
            _ if child.rank == u64::MAX => 0,
            at => places[at as usize].kids.1 - places[at as usize].kids.0,
        };
        open.sort_unstable_by(|a, b| {
            let few = replies(a).cmp(&replies(b));
            few.then(b.rank.cmp(&a.rank)).then(a.at.cmp(&b.at))
        });
    }

    /// What is decided by a move that ends the game at once, if the mover of a position has one that gets it enough.
    fn ends(&self, level: usize, at: usize, question: BoundQuestion) -> Result<BoundAnswer, GaveUp> {
        let first = chooser(&self.levels[level].generation.standings[at]) == 0;
        let (from, to) = self.levels[level].places[at].kids;
        let standings = &self.levels[level + 1].generation.standings[from as usize..to as usize];
        for standing in standings.iter().filter(|standing| standing.over) {
            let value = shared(standing)?;
            if (value >= question.points) == first {
                return Ok(question.verdict(value, value));
            }
        }
        Ok(BoundAnswer::Open)
    }
}

impl ExactBudget {
    /// Counts positions.
    fn spend(&mut self, nodes: u64) -> Result<(), GaveUp> {
        /// So many positions are looked at between two looks at the clock.
        const LOOK: u64 = 64;
        let before = self.nodes;
        self.nodes = before.checked_sub(nodes).ok_or(GaveUp::Spent)?;
        if before / LOOK != self.nodes / LOOK && self.until.is_over() {
            return Err(GaveUp::Spent);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
