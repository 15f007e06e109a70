//! What the strong player thinks of the turns of a game. An opinion: a search sees so far and no farther, unless it
//! reaches the end of the game.

use crate::strong::{Limits, Strong};
use crate::{Column, Position};
use game::{Game, Seat};

/// What a position is thought to be worth: the points by which a seat will lead at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedLead {
    /// The points.
    pub points: f64,
    /// How many moves ahead the search looked.
    pub depth: u32,
    /// Whether it looked to the end of the game: then the points are exact.
    pub exact: bool,
}

impl ExpectedLead {
    /// The same to the other seat, from one move earlier.
    #[must_use]
    pub fn before(self) -> ExpectedLead {
        ExpectedLead {
            points: -self.points,
            depth: self.depth + 1,
            exact: self.exact,
        }
    }
}

/// The best turn of a position, and what it is worth to the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestTurn {
    /// The turn; none if the game is over.
    pub turn: Option<Column>,
    /// What it is worth.
    pub worth: ExpectedLead,
}

impl BestTurn {
    /// Searches a position; `None` if the limits left no time for an opinion.
    pub fn of(strong: &mut Strong, position: &Position, limits: &Limits) -> Option<BestTurn> {
        let Some(found) = strong.search(position, limits) else {
            let [own, other] = [position.mover(), position.mover().other()].map(|seat| position.score()[seat.index()]);
            let worth = ExpectedLead {
                points: f64::from(own) - f64::from(other),
                depth: 0,
                exact: true,
            };
            return Some(BestTurn { turn: None, worth });
        };
        let worth = ExpectedLead {
            points: found.value?,
            depth: found.depth.filter(|&depth| depth > 0)?,
            exact: found.solved,
        };
        Some(BestTurn {
            turn: Some(found.best),
            worth,
        })
    }
}

/// A turn, what it was worth to who made it, and what would have been best.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Who made it.
    pub seat: Seat,
    /// The turn.
    pub turn: Column,
    /// What it was worth.
    pub was: ExpectedLead,
    /// The turn that the search prefers: the one that was made, if it finds none better.
    pub best: Column,
    /// What that is worth, never less than the turn that was made.
    pub best_was: ExpectedLead,
}

impl Judged {
    /// Judges a turn by what was found in the position before it and in the one after it.
    pub fn new(position: &Position, turn: Column, before: &BestTurn, after: &BestTurn) -> Judged {
        let was = after.worth.before();
        // Two searches may disagree, but the best turn is never worth less than the one that was made.
        let better = before
            .turn
            .filter(|&best| best != turn && before.worth.points > was.points);
        Judged {
            seat: position.mover(),
            turn,
            was,
            best: better.unwrap_or(turn),
            best_was: if better.is_some() { before.worth } else { was },
        }
    }

    /// The points that the turn gave away.
    pub fn lost(&self) -> f64 {
        self.best_was.points - self.was.points
    }

    /// Whether that is certain: both searches looked to the end of the game.
    pub fn is_exact(&self) -> bool {
        self.was.exact && self.best_was.exact
    }

    /// Whether it gave away a win or a draw. As long as this is an opinion, a few points are no reason to say so.
    pub fn is_mistake(&self) -> bool {
        let enough = if self.is_exact() { 0.0 } else { DOUBT };
        self.lost() > enough && result(self.was.points) < result(self.best_was.points)
    }
}

/// Two searches of the same position differ by so many points before anybody has made a mistake.
const DOUBT: f64 = 10.0;

/// Ahead, even or behind: less than half a point is no lead.
fn result(points: f64) -> i8 {
    i8::from(points >= 0.5) - i8::from(points <= -0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(turn: &str, points: f64, exact: bool) -> BestTurn {
        BestTurn {
            turn: turn.parse().ok(),
            worth: ExpectedLead {
                points,
                depth: 3,
                exact,
            },
        }
    }

    #[test]
    fn a_turn_is_a_mistake_if_it_gives_away_the_win_and_an_opinion_must_be_sure_of_it() {
        let start = Position::new();
        let turn: Column = "22".parse().unwrap_or_else(|error| panic!("{error}"));
        let judge = |before: BestTurn, after: BestTurn| Judged::new(&start, turn, &before, &after);
        let slip = judge(best("33", 5.0, false), best("44", 1.0, false));
        assert_eq!((slip.lost(), slip.is_mistake()), (6.0, false));
        let surely = judge(best("33", 5.0, true), best("44", 1.0, true));
        assert!(surely.is_exact() && surely.is_mistake());
        assert!(judge(best("33", 15.0, false), best("44", 1.0, false)).is_mistake());
        let still_won = judge(best("33", 90.0, true), best("44", -1.0, true));
        assert_eq!((still_won.lost(), still_won.is_mistake()), (89.0, false));
        let own = judge(best("22", 7.0, false), best("44", 3.0, false));
        assert_eq!((own.lost(), own.best, own.was.points), (0.0, turn, -3.0));
        let none_better = judge(best("33", -4.0, false), best("44", 3.0, false));
        assert_eq!((none_better.lost(), none_better.best), (0.0, turn));
    }

    #[test]
    fn the_last_turns_of_a_game_are_judged_exactly() {
        let mut chance = game::rng(7);
        let mut position = Position::new();
        let mut game = Vec::new();
        while !position.is_over() {
            let column = position.random_column(&mut chance);
            game.push((position, column));
            position.drop_stone(column);
        }
        let mut strong = Strong::new(1, 1);
        let limits = Limits::default();
        let mut after = BestTurn::of(&mut strong, &position, &limits);
        assert_eq!(after.as_ref().and_then(|best| best.turn), None);
        for (position, turn) in game.iter().rev().take(4) {
            let before = BestTurn::of(&mut strong, position, &limits);
            let judged = Judged::new(position, *turn, before.as_ref().unwrap(), after.as_ref().unwrap());
            assert!(judged.is_exact() && judged.lost() >= 0.0);
            assert_eq!(judged.best_was.points, before.unwrap().worth.points, "{judged:?}");
            after = before;
        }
    }
}
