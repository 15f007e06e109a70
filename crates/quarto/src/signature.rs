//! The signature of the search: how many nodes it needs for fixed positions at fixed depths.
//!
//! A change that should not alter the search must not alter this number; one that should says both in its commit.

use crate::players::EvaluatorEntry;
use crate::{Position, Rules};
use game::{Game, GameError};
use search::{Limits, Settings};
use std::time::Duration;

/// A position that the bench searches.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The game.
    pub game: &'static str,
    /// The position.
    pub position: &'static str,
    /// The evaluation.
    pub eval: &'static str,
    /// Turns to look ahead.
    pub depth: u32,
}

/// What a case cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// The value found, on the evaluation's scale.
    pub value: f64,
}

const fn case(game: &'static str, position: &'static str, eval: &'static str, depth: u32) -> Case {
    Case {
        game,
        position,
        eval,
        depth,
    }
}

/// From the empty board to the endgame, every evaluation that a report plays with, every kind of lines.
pub const CASES: &[Case] = &[
    case("quarto", "..../..../..../.... -", "terzo", 6),
    case("quarto", "0.../..../..../.... 7", "absolute", 6),
    case("quarto", "0.../.6../..../.... 9", "terzo", 6),
    case("quarto", "0..3/.6../..9./.... 5", "parity", 6),
    case("quarto", "0..3/.6../..9./c... 5", "terzo", 7),
    case("quarto", "0..3/.6.1/..9./c... a", "absolute", 7),
    case("quarto", "9.../e.../05fd/a... 7", "absolute", 16),
    case("quarto", "fe../d.0./..2./.7.9 b", "terzo", 16),
    case("quarto-squares", "0..c/.6../...9/.... 5", "absolute", 6),
    case("quarto-squares-only", "0..3/.6../..9./c... 5", "parity", 6),
    case("quarto-torus", "0..3/.d../..6./.... 5", "terzo", 6),
    case("quarto-misere", "0..3/.6.1/..9./c... a", "absolute", 6),
    case("quarto-torus-misere", "0..3/.6.1/..9./c.5. a", "terzo", 6),
];

impl Case {
    /// Searches the case with empty tables.
    ///
    /// # Errors
    /// [`GameError`] if one of the positions cannot be read: a mistake in the program.
    pub fn run(&self) -> Result<Cost, GameError> {
        let rules = Rules::named(self.game).ok_or_else(|| GameError::notation("game", self.game, "no such variant"))?;
        let position = Position::new(rules).parse(self.position)?;
        let evaluator = EvaluatorEntry::named(self.eval)
            .ok_or_else(|| GameError::notation("evaluator", self.eval, "no such evaluator"))?;
        let mut search = evaluator.searcher(Settings::default());
        // The first search of a variant makes its tables; that is not what is measured.
        search.search(&position, &Limits::depth(1), None);
        search.clear();
        let found = search.search(&position, &Limits::depth(self.depth), None);
        let found = found.ok_or_else(|| GameError::notation("position", self.position, "the game is over"))?;
        Ok(Cost {
            nodes: found.nodes.unwrap_or(0),
            time: found.time,
            value: found.value.unwrap_or(0.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_what_it_was() {
        let nodes = CASES.iter().map(|case| case.run().map_or(0, |cost| cost.nodes));
        assert_eq!(nodes.sum::<u64>(), 3_018_358);
    }

    #[test]
    fn a_case_of_an_unknown_evaluator_is_an_error() {
        let refused = case("quarto", CASES[0].position, "zebra", 1).run().err();
        let refused = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains("zebra"), "{refused}");
    }

    #[test]
    fn every_case_counts_the_same_nodes_each_time() {
        for case in CASES.iter().filter(|case| case.game != "quarto") {
            let [once, again] = [0, 1].map(|_| case.run().map(|cost| (cost.nodes, cost.value)));
            assert!(once.is_ok(), "{case:?}: {once:?}");
            assert_eq!(once, again, "{case:?}");
        }
    }
}
