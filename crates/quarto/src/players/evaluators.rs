//! The evaluators that players and the bench can be given by name: all there are, in one table.

use super::Judge;
use crate::Position;
use crate::heuristics::{Absolute, Almost, Heuristic, Parity, Relative, Terzo, Zero};
use player::{OptionHelp, Options, SpecError};
use search::{AlphaBeta, Searcher, Settings};

/// An evaluator by name.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatorEntry {
    /// What `eval=` calls it.
    pub name: &'static str,
    /// The name and where it comes from, as the help lists it.
    pub help: &'static str,
    /// A search that judges by it. Only `relative` has a use for the constant.
    search: fn(constant: u32, settings: Settings) -> Box<dyn Searcher<Position>>,
}

/// Every evaluator. The help of `eval=`, the players and the bench's signature know no others.
pub const EVALUATORS: [EvaluatorEntry; 6] = [
    EvaluatorEntry {
        name: "zero",
        help: "zero",
        search: |_, settings| judged_by(Zero, settings),
    },
    EvaluatorEntry {
        name: "almost",
        help: "almost",
        search: |_, settings| judged_by(Almost, settings),
    },
    EvaluatorEntry {
        name: "absolute",
        help: "absolute",
        search: |_, settings| judged_by(Absolute, settings),
    },
    EvaluatorEntry {
        name: "relative",
        help: "relative (report 000)",
        search: |c, settings| judged_by(Relative { c }, settings),
    },
    EvaluatorEntry {
        name: "terzo",
        help: "terzo (001)",
        search: |_, settings| judged_by(Terzo, settings),
    },
    EvaluatorEntry {
        name: "parity",
        help: "parity (004)",
        search: |_, settings| judged_by(Parity, settings),
    },
];

fn judged_by<H: Heuristic>(heuristic: H, settings: Settings) -> Box<dyn Searcher<Position>> {
    Box::new(AlphaBeta::new(Judge(heuristic), settings))
}

pub(super) const EVAL: OptionHelp = OptionHelp {
    key: "eval",
    default: "absolute",
    help: "what unfinished boards are worth: zero, almost, absolute, relative (report 000), terzo (001), parity (004)",
};
pub(super) const CONSTANT: OptionHelp = OptionHelp {
    key: "c",
    default: "1",
    help: "the constant C of eval=relative, 1 to 1000: stretches the values shown, changes no choice",
};

impl EvaluatorEntry {
    /// The evaluator of that name.
    pub fn named(name: &str) -> Option<Self> {
        EVALUATORS.into_iter().find(|entry| entry.name == name)
    }

    /// A search that judges by it, with the constant 1.
    pub fn searcher(&self, settings: Settings) -> Box<dyn Searcher<Position>> {
        (self.search)(1, settings)
    }
}

/// What makes a search by the evaluator that the options name.
pub(super) fn chosen(
    options: &Options,
    settings: Settings,
) -> Result<impl Fn() -> Box<dyn Searcher<Position>> + Send + Sync + 'static, SpecError> {
    let c = options.number("c", 1, u64::from(Relative::LARGEST))?.unwrap_or(1) as u32;
    let EvaluatorEntry { search, .. } = options.entry(&EVAL, &EVALUATORS, |entry| entry.name)?;
    Ok(move || search(c, settings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::factory;

    #[test]
    fn the_help_lists_the_table_and_every_name_of_it_makes_a_player() {
        let listed = EVAL.help.split_once(": ").map(|(_, names)| names);
        assert_eq!(listed, Some(EVALUATORS.map(|entry| entry.help).join(", ").as_str()));
        for EvaluatorEntry { name, help, .. } in EVALUATORS {
            assert_eq!(help.split(' ').next(), Some(name));
            assert!(EvaluatorEntry::named(name).is_some());
            for player in ["minimax", "alphabeta"] {
                assert!(factory(&format!("{player}:eval={name}")).is_ok(), "{player}, {name}");
            }
        }
        assert!(EvaluatorEntry::named(EVAL.default).is_some());
    }

    #[test]
    fn an_unknown_evaluator_is_refused_by_name() {
        assert!(EvaluatorEntry::named("zebra").is_none());
        let refused = factory("minimax:eval=zebra").err().map(|error| error.to_string());
        let refused = refused.unwrap_or_default();
        let names = EVALUATORS.map(|entry| entry.name).join(", ");
        assert!(refused.contains("zebra") && refused.contains(&names), "{refused}");
    }
}
