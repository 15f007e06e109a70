//! Exact knowledge: what everything that can be chosen next is worth, as far as a solver finds it out in time.
//!
//! A game that can be solved gives an [`ExactPosition`]. It holds no solver: it makes [questions](SolverQuestion) that whoever has
//! threads to spare puts to the [`Solvers`] of a thread, in any order, and more than once if time ran out.

use crate::describe::ToSchema;
use crate::sentence::{Sentence, in_english};
use ::game::Instant;
use ::game::Seat;
use serde::Serialize;

pub use crate::quarto::solvers::Solvers;

/// What something is worth to who chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = Value)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Lost against best play.
    Loss,
    /// Drawn with best play.
    Draw,
    /// Won with best play.
    Win,
}

/// A value for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Worth {
    /// What it is worth.
    pub value: Outcome,
    /// Placements until the end when the winner hurries and the loser delays.
    pub plies: u32,
}

impl Worth {
    /// Larger for what a player prefers: a win, soon; then a draw; then a loss, late.
    pub fn preference(self) -> i64 {
        match self.value {
            Outcome::Win => i64::from(u32::MAX) - i64::from(self.plies),
            Outcome::Draw => 0,
            Outcome::Loss => i64::from(self.plies) - i64::from(u32::MAX),
        }
    }

    /// The best of several values.
    pub fn best(values: impl IntoIterator<Item = Worth>) -> Option<Worth> {
        values.into_iter().max_by_key(|worth| worth.preference())
    }
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// Time ran out; with more of it there may be one.
    Stopped,
    /// There is nothing to answer, or nothing to answer it with.
    Never,
}

/// A question for a solver, to be answered by a deadline. It may be put several times: what was found out on the way helps.
pub type SolverQuestion<T> = Box<dyn Fn(&mut Solvers, Instant) -> Result<T, Unanswered> + Send>;

/// Something that can be chosen: a part of a turn, or a whole one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is chosen: "cell", "piece".
    pub kind: &'static str,
    /// Which.
    pub name: String,
}

/// All that can be chosen next, and the questions that tell what it is worth.
#[derive(Default)]
pub struct Choices {
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// Which choices, by number, are worth what at sight.
    pub known: Vec<(usize, Worth)>,
    /// The questions, and which choices each answers for: those that symmetry makes equal share one.
    pub questions: Vec<(SolverQuestion<Worth>, Vec<usize>)>,
}

/// A position, or the middle of a turn, whose choices have exact values.
pub trait ExactPosition: Send + Sync {
    /// What can be chosen; nothing once the game is over.
    fn choices(&self) -> Choices;

    /// Where the values of all choices, in their order, lead to.
    fn advise(&self, values: &[Worth]) -> Option<Advice>;
}

/// What follows from the values of all choices.
pub enum Advice {
    /// The turn to play.
    Turn(Hint),
    /// The best choice is a part of the turn: the values of what then can be chosen are needed, too.
    Further(Box<dyn ExactPosition>),
}

/// A turn to play, and why.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Hint {
    /// The turn.
    pub turn: String,
    /// Quarto: where to place.
    pub place: Option<String>,
    /// Quarto: what to give.
    pub give: Option<String>,
    /// What it is worth, if it is known.
    pub value: Option<Outcome>,
    /// Placements until the end, if it is known.
    pub plies: Option<u32>,
    /// Why, in English.
    pub reason: String,
    /// The same by sentences, to be said in any language.
    pub reasons: Vec<Sentence>,
    /// Whether the value is proved.
    pub exact: bool,
}

impl Hint {
    /// A turn whose value nobody has proved.
    pub fn unproved(turn: String, reasons: Vec<Sentence>) -> Self {
        Hint {
            turn,
            place: None,
            give: None,
            value: None,
            plies: None,
            reason: in_english(&reasons),
            reasons,
            exact: false,
        }
    }
}

/// Turns that symmetry makes equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Branch)]
pub struct TurnClass {
    /// One of them.
    pub turn: String,
    /// How many there are.
    pub turns: usize,
    /// What each is worth to who makes it.
    #[serde(flatten)]
    pub worth: Worth,
    /// How many replies the opponent has.
    pub replies: usize,
    /// How many of them give away a win or a draw; null where to find out would take long.
    pub errors: Option<usize>,
}

/// What a turn leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Consequence {
    /// What it is worth to who makes it.
    #[serde(flatten)]
    pub worth: Worth,
    /// The turns that follow with best play of both, to the end of the game; none where it is a draw.
    pub line: Vec<String>,
}

/// A turn that was played, and the truth about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedTurn {
    /// Who made it.
    pub seat: Seat,
    /// The turn.
    pub turn: String,
    /// What it was worth to who made it.
    pub was: Worth,
    /// What the best turn was worth.
    pub best: Worth,
    /// The turns that were best.
    pub better: Vec<String>,
}

impl JudgedTurn {
    /// Whether it gave away a win or a draw.
    pub fn is_mistake(&self) -> bool {
        self.was.value < self.best.value
    }

    /// What the position after the turn is worth to the first seat: 1, 0 or -1.
    pub fn for_first_seat(&self) -> i8 {
        let own = match self.was.value {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        };
        if self.seat == Seat::FIRST { own } else { -own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_soon_is_best_and_a_loss_soon_is_worst() {
        let worth = |value, plies| Worth { value, plies };
        let mut all = [
            worth(Outcome::Loss, 5),
            worth(Outcome::Win, 5),
            worth(Outcome::Draw, 9),
            worth(Outcome::Win, 1),
            worth(Outcome::Loss, 1),
        ];
        assert_eq!(Worth::best(all), Some(worth(Outcome::Win, 1)));
        all.sort_by_key(|worth| worth.preference());
        let order = all.map(|worth| (worth.value, worth.plies));
        let expected = [
            (Outcome::Loss, 1),
            (Outcome::Loss, 5),
            (Outcome::Draw, 9),
            (Outcome::Win, 5),
            (Outcome::Win, 1),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn a_mistake_gives_away_a_win_or_a_draw_and_not_just_time() {
        let judged = |was, best, seat| JudgedTurn {
            seat,
            turn: String::new(),
            was: Worth { value: was, plies: 3 },
            best: Worth { value: best, plies: 1 },
            better: Vec::new(),
        };
        assert!(!judged(Outcome::Win, Outcome::Win, Seat::FIRST).is_mistake());
        let slip = judged(Outcome::Loss, Outcome::Draw, Seat::SECOND);
        assert!(slip.is_mistake());
        assert_eq!(slip.for_first_seat(), 1);
    }
}
