//! The best response: how much an opponent whose policy is known loses to who knows it and never risks the value of the position.
//!
//! The opponent tells how likely it is to make each turn ([`Player::move_probabilities`]). Our turns are those that keep the exact value, so a draw stays one at
//! least and a win is a win. What is left is an expectation over the opponent's turns and a maximum over ours, computed whole to the end
//! of the game: no player that never gives the value away can expect more against that opponent. Positions are known up to symmetry, as are the
//! probabilities of players that judge boards by their lines and pieces.
//!
//! A chance node is left as soon as it can no longer beat what another turn has (Ballard's star1: what is not looked at counts as won).

use crate::book::edge::sharpness;
use crate::solver::{NoAnswer, Outcome, Solver};
use crate::symmetry::CanonicalKey;
use crate::{Position, Turn};
use game::{Game, Seat, Stop, mix};
use player::{Clock, Player, PlayerError};
use std::collections::HashMap;
use std::fmt;

/// Two expectations this close are the same.
const SAME: f64 = 1e-9;

/// Why there is no best response.
#[derive(Debug)]
pub enum ResponseError {
    /// The opponent cannot tell how likely its turns are.
    Unknown,
    /// The solver was stopped, or the game is over.
    NoAnswer(NoAnswer),
    /// A player did not make a turn.
    Player(PlayerError),
}

impl fmt::Display for ResponseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ResponseError::Unknown => f.write_str("it cannot tell how likely its turns are"),
            ResponseError::NoAnswer(why) => why.fmt(f),
            ResponseError::Player(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for ResponseError {}

impl From<NoAnswer> for ResponseError {
    fn from(why: NoAnswer) -> Self {
        ResponseError::NoAnswer(why)
    }
}

/// An expectation, or a bound from above where more was not asked.
#[derive(Clone, Copy)]
struct ExpectationBound {
    value: f64,
    exact: bool,
}

/// Computes best responses to one opponent.
pub struct BestResponse<'a> {
    solver: &'a Solver,
    opponent: &'a mut dyn Player<Position>,
    /// Where we are to move, and where the opponent is.
    ours: HashMap<CanonicalKey, ExpectationBound>,
    theirs: HashMap<CanonicalKey, ExpectationBound>,
    stop: Stop,
}

impl<'a> BestResponse<'a> {
    /// Against an opponent, with a solver of the same variant.
    pub fn new(solver: &'a Solver, opponent: &'a mut dyn Player<Position>) -> Self {
        BestResponse {
            solver,
            opponent,
            ours: HashMap::new(),
            theirs: HashMap::new(),
            stop: Stop::never(),
        }
    }

    /// From now on it gives up when this sign is raised. The solver has a sign of its own, but what is looked up it answers all the same.
    pub fn heed(&mut self, stop: Stop) {
        self.opponent.heed(&stop);
        self.stop = stop;
    }

    fn go_on(&self) -> Result<(), ResponseError> {
        match self.stop.is_raised() {
            true => Err(NoAnswer::Stopped.into()),
            false => Ok(()),
        }
    }

    /// How many positions it knows something of.
    pub fn positions(&self) -> usize {
        self.ours.len() + self.theirs.len()
    }

    /// The points that the best response expects, 0 to 1, where we are to move in an unfinished position.
    ///
    /// # Errors
    /// [`ResponseError`] if the opponent's policy is not known somewhere below, or the solver was stopped.
    pub fn value(&mut self, position: &Position) -> Result<f64, ResponseError> {
        self.ours(position, -1.0)
    }

    /// What each turn that keeps the value expects, the best first; one of each that symmetry makes equal.
    ///
    /// # Errors
    /// As [`value`](BestResponse::value).
    pub fn turns(&mut self, position: &Position) -> Result<Vec<(Turn, f64)>, ResponseError> {
        let mut turns = Vec::new();
        for (turn, after) in self.keeping(position)? {
            let value = match score(position.mover(), &after) {
                Some(points) => points,
                None => self.theirs(&after, -1.0)?,
            };
            turns.push((turn, value));
        }
        turns.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Ok(turns)
    }

    /// The turns that keep the value of a position, one of each that symmetry makes equal; the sharpest first.
    fn keeping(&self, position: &Position) -> Result<Vec<(Turn, Position)>, ResponseError> {
        let truth = self.solver.outcome(position)?;
        let mut turns = Vec::new();
        position.legal_moves(&mut turns);
        let mut ways = Vec::new();
        for turn in turns {
            let mut after = *position;
            after.play_unchecked(turn);
            let key = after.canonical_key().number();
            ways.push((sharpness(&after), key, turn, after));
        }
        ways.sort_by_key(|&(sharpness, key, ..)| (std::cmp::Reverse(sharpness), key));
        ways.dedup_by_key(|&mut (_, key, ..)| key);
        let mut kept = Vec::new();
        for (_, _, turn, after) in ways {
            let keeps = match score(position.mover(), &after) {
                Some(points) => points >= worth(truth),
                None => truth == Outcome::Loss || !self.solver.at_least(&after, above(truth.reversed()))?,
            };
            if keeps {
                kept.push((turn, after));
            }
        }
        Ok(kept)
    }

    /// What we expect where we are to move; if that is at most `floor`, a bound from above.
    fn ours(&mut self, position: &Position, floor: f64) -> Result<f64, ResponseError> {
        self.go_on()?;
        if self.solver.at_least(position, Outcome::Win)? {
            return Ok(1.0);
        }
        let key = position.canonical_key();
        if let Some(value) = known(&self.ours, key, floor) {
            return Ok(value);
        }
        let mut best: f64 = 0.0;
        for (_, after) in self.keeping(position)? {
            let value = match score(position.mover(), &after) {
                Some(points) => points,
                None => self.theirs(&after, best.max(floor))?,
            };
            best = best.max(value);
            if best >= 1.0 - SAME {
                break;
            }
        }
        let exact = best > floor;
        self.ours.insert(key, ExpectationBound { value: best, exact });
        Ok(best)
    }

    /// What we expect where the opponent is to move; if that is at most `floor`, a bound from above.
    fn theirs(&mut self, position: &Position, floor: f64) -> Result<f64, ResponseError> {
        let key = position.canonical_key();
        if let Some(value) = known(&self.theirs, key, floor) {
            return Ok(value);
        }
        let us = position.mover().other();
        let mut sum = 0.0;
        // Where the game goes on without being won, and how likely that is.
        let mut open: HashMap<CanonicalKey, (f64, Position)> = HashMap::new();
        for (turn, share) in self.replies(position)? {
            let mut after = *position;
            after.play_unchecked(turn);
            match score(us, &after) {
                Some(points) => sum += share * points,
                None if self.solver.at_least(&after, Outcome::Win)? => sum += share,
                None => open.entry(after.canonical_key()).or_insert((0.0, after)).0 += share,
            }
        }
        let mut open: Vec<(f64, Position)> = open.into_values().collect();
        open.sort_by(|(a, one), (b, other)| {
            let order = b.total_cmp(a);
            order.then_with(|| one.canonical_key().number().cmp(&other.canonical_key().number()))
        });
        let mut rest: f64 = open.iter().map(|(share, _)| share).sum();
        let mut exact = true;
        for (share, after) in open {
            rest -= share;
            let needed = (floor - sum - rest) / share;
            let value = self.ours(&after, needed)?;
            sum += share * value;
            if value <= needed {
                // All that is left may be won, and it is still not enough.
                (sum, exact) = (sum + rest, rest <= SAME && self.is_exact(&after));
                break;
            }
        }
        // Shares add up to a little more than one now and then.
        let value = sum.min(1.0);
        self.theirs.insert(key, ExpectationBound { value, exact });
        Ok(value)
    }

    fn is_exact(&self, ours: &Position) -> bool {
        self.ours.get(&ours.canonical_key()).is_some_and(|known| known.exact)
    }

    fn replies(&mut self, position: &Position) -> Result<Vec<(Turn, f64)>, ResponseError> {
        self.go_on()?;
        let replies = self.opponent.move_probabilities(position);
        replies
            .filter(|replies| !replies.is_empty())
            .ok_or(ResponseError::Unknown)
    }
}

/// What is known already, if it is enough for the question.
fn known(of: &HashMap<CanonicalKey, ExpectationBound>, key: CanonicalKey, floor: f64) -> Option<f64> {
    let known = of.get(&key)?;
    (known.exact || known.value <= floor).then_some(known.value)
}

/// The next better value.
fn above(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Loss => Outcome::Draw,
        Outcome::Draw | Outcome::Win => Outcome::Win,
    }
}

fn worth(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Loss => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Win => 1.0,
    }
}

/// The points of a seat, 0 to 1, if the game is over.
fn score(seat: Seat, position: &Position) -> Option<f64> {
    let winner = position.outcome()?.winner();
    Some(winner.map_or(0.5, |winner| f64::from(u8::from(winner == seat))))
}

/// A game of a player against the opponent, and what the best response would have made of it.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// The points of the player.
    pub points: f64,
    /// The points that the best response expects where it takes over.
    pub best: f64,
    /// Whether there was still something to do for it: the game was neither over nor won when it took over.
    pub open: bool,
}

/// Plays a game of `player`, in a seat, against `opponent`, and asks where the player is to move with at least `from` pieces placed what the best response
/// would expect from there on.
///
/// # Errors
/// As [`BestResponse::value`], or if a player makes no turn.
pub fn compare(
    response: &mut BestResponse,
    [player, opponent]: [&mut dyn Player<Position>; 2],
    seat: Seat,
    from: u32,
    seed: u64,
) -> Result<Compared, ResponseError> {
    let mut position = Position::new(response.solver.rules());
    let clock = Clock {
        stop: response.stop.clone(),
        ..Clock::unlimited()
    };
    player.begin(mix(seed, &[1]));
    opponent.begin(mix(seed, &[2]));
    let mut taken_over = None;
    loop {
        if let Some(points) = score(seat, &position) {
            let (best, open) = taken_over.unwrap_or((points, false));
            return Ok(Compared { points, best, open });
        }
        let ours = position.mover() == seat;
        if ours && taken_over.is_none() && position.placed() >= from {
            let best = response.value(&position)?;
            let won = response.solver.at_least(&position, Outcome::Win)?;
            taken_over = Some((best, !won));
        }
        let mover = if ours { &mut *player } else { &mut *opponent };
        let turn = mover.choose(&position, &clock);
        response.go_on()?;
        position.play_unchecked(turn.map_err(ResponseError::Player)?.best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::players::factory;
    use crate::policy::{self, Random};
    use game::{below, rng};

    /// The same without memory, symmetry, bounds or order.
    fn plainly(solver: &Solver, opponent: &mut dyn Player<Position>, us: Seat, position: &Position) -> f64 {
        if let Some(points) = score(us, position) {
            return points;
        }
        let mut turns = Vec::new();
        position.legal_moves(&mut turns);
        let played = |turn: Turn| {
            let mut after = *position;
            after.play_unchecked(turn);
            after
        };
        if position.mover() != us {
            let replies = opponent.move_probabilities(position).unwrap();
            let each = replies.into_iter();
            return each
                .map(|(turn, share)| share * plainly(solver, opponent, us, &played(turn)))
                .sum();
        }
        let values = solver.turns(position).unwrap();
        let best = values.iter().map(|(_, value)| *value).max().unwrap();
        let kept = values.into_iter().filter(|(_, value)| *value == best);
        kept.map(|(turn, _)| plainly(solver, opponent, us, &played(turn)))
            .fold(0.0, f64::max)
    }

    /// Random positions that are drawn or lost, with so many pieces placed.
    fn positions(rules: &'static Rules, placed: u32, count: usize, seed: u64) -> Vec<Position> {
        let solver = Solver::new(rules, 1 << 20, 1).unwrap();
        let mut rng = rng(seed);
        let mut found = Vec::new();
        while found.len() < count {
            let mut position = Position::new(rules);
            while position.playing() && position.placed() < placed {
                position.play_unchecked(policy::turn(&Random, &position, &mut rng).unwrap());
            }
            if position.playing() && solver.outcome(&position).unwrap() != Outcome::Win {
                found.push(position);
            }
        }
        found
    }

    const OPPONENTS: [&str; 6] = [
        "random",
        "novice",
        "minimax:depth=2,eval=terzo",
        "minimax:depth=3,eval=absolute",
        "minimax:depth=3,eval=parity,opening=novice,switch=12",
        "minimax:depth=3,unit=half,eval=terzo",
    ];

    #[test]
    fn late_positions_are_worth_what_plain_expectimax_says() {
        for (number, name) in ["quarto", "quarto-squares", "quarto-misere"].into_iter().enumerate() {
            let rules = Rules::named(name).unwrap();
            let solver = Solver::new(rules, 1 << 20, 1).unwrap();
            for spec in OPPONENTS {
                let mut opponent = factory(spec).unwrap().make();
                opponent.begin(1);
                let mut twin = factory(spec).unwrap().make();
                twin.begin(1);
                let mut response = BestResponse::new(&solver, &mut *opponent);
                for position in positions(rules, 11, 8, 3 + number as u64) {
                    let value = response.value(&position).unwrap();
                    let plain = plainly(&solver, &mut *twin, position.mover(), &position);
                    assert!(
                        (value - plain).abs() < 1e-9,
                        "{name} {spec} {position:?}: {value} {plain}"
                    );
                    let turns = response.turns(&position).unwrap();
                    assert!((turns[0].1 - plain).abs() < 1e-9, "{name} {spec} {position:?}");
                }
            }
        }
    }

    #[test]
    fn a_player_makes_the_turns_it_tells_and_each_as_often_as_it_tells() {
        let rules = Rules::standard();
        for spec in OPPONENTS {
            let mut player = factory(spec).unwrap().make();
            player.begin(5);
            for position in positions(rules, 8, 3, 31) {
                let mut told: HashMap<Turn, f64> = HashMap::new();
                for (turn, share) in player.move_probabilities(&position).unwrap() {
                    *told.entry(turn).or_insert(0.0) += share;
                }
                assert!((told.values().sum::<f64>() - 1.0).abs() < 1e-9);
                let asked = 40 * told.len();
                let mut made: HashMap<Turn, f64> = HashMap::new();
                for _ in 0..asked {
                    let turn = player.choose(&position, &Clock::unlimited()).unwrap().best;
                    *made.entry(turn).or_insert(0.0) += 1.0 / asked as f64;
                }
                for (turn, share) in &told {
                    let seen = made.remove(turn).unwrap_or(0.0);
                    // Five standard errors, and half a game more where turns are rare.
                    let error = (share * (1.0 - share) / asked as f64).sqrt();
                    assert!(
                        (seen - share).abs() <= 5.0 * error + 0.5 / asked as f64,
                        "{spec} {position:?} {turn}: {seen} {share}"
                    );
                }
                assert!(made.is_empty(), "{spec} {position:?}: {made:?}");
            }
        }
    }

    #[test]
    fn what_the_best_response_expects_is_what_it_gets() {
        let rules = Rules::standard();
        let solver = Solver::new(rules, 1 << 20, 1).unwrap();
        let (mut expected, mut made, games) = (0.0, 0.0, 40);
        for position in positions(rules, 9, 10, 9) {
            let mut known = factory("novice").unwrap().make();
            let mut response = BestResponse::new(&solver, &mut *known);
            let value = response.value(&position).unwrap();
            let mut opponent = factory("novice").unwrap().make();
            for game in 0..games {
                opponent.begin(game);
                expected += value;
                let (us, mut at) = (position.mover(), position);
                while at.playing() {
                    let turn = match at.mover() == us {
                        true => response.turns(&at).unwrap()[0].0,
                        false => opponent.choose(&at, &Clock::unlimited()).unwrap().best,
                    };
                    at.play_unchecked(turn);
                }
                made += score(us, &at).unwrap();
            }
        }
        // Four hundred games: three standard errors of at most half a point each.
        assert!((expected - made).abs() < 3.0 * 0.5 * 20.0, "{expected} {made}");
        assert!(expected > 200.0);
    }

    #[test]
    fn no_player_that_keeps_the_value_does_better_and_who_cannot_tell_is_refused() {
        let rules = Rules::standard();
        let solver = Solver::new(rules, 1 << 20, 1).unwrap();
        let mut rng = rng(4);
        for position in positions(rules, 10, 6, 21) {
            let mut opponent = factory("minimax:depth=2,eval=absolute").unwrap().make();
            let mut response = BestResponse::new(&solver, &mut *opponent);
            let best = response.value(&position).unwrap();
            let turns = response.turns(&position).unwrap();
            let any = turns[below(&mut rng, turns.len() as u32) as usize].1;
            assert!(any <= best + SAME);
            let mut unknown = factory("montecarlo:playouts=3").unwrap().make();
            let mut response = BestResponse::new(&solver, &mut *unknown);
            let told = response.value(&position);
            assert!(matches!(told, Err(ResponseError::Unknown)) || told.is_ok_and(|value| value == 1.0));
        }
    }

    #[test]
    fn a_game_is_compared_with_what_the_best_response_would_make_of_it() {
        let rules = Rules::standard();
        let solver = Solver::new(rules, 1 << 20, 1).unwrap();
        let mut known = factory("novice").unwrap().make();
        let mut response = BestResponse::new(&solver, &mut *known);
        let mut perfect = factory("perfect:effort=1000").unwrap().make();
        let mut novice = factory("novice").unwrap().make();
        for game in 0..6 {
            let seat = Seat::new(game % 2);
            let compared = compare(&mut response, [&mut *perfect, &mut *novice], seat, 10, u64::from(game)).unwrap();
            assert!((0.0..=1.0).contains(&compared.best) && compared.points >= 0.5);
            assert!(compared.open || compared.best == compared.points);
        }
    }
}
