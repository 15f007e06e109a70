//! The evaluators that players and the bench can be given by name: all there are, in one table.

use super::HeuristicEvaluator;
use crate::Position;
use crate::heuristics::{Absolute, Almost, Heuristic, Lost, Parity, Relative, Terzo, Turned, Zero};
use player::{OptionHelp, Options, SpecError};
use search::{AlphaBeta, Searcher, Settings};

/// An evaluator by name.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatorEntry {
    /// What `eval=` calls it.
    pub name: &'static str,
    /// The name and where it comes from, as the help lists it.
    pub help: &'static str,
    /// A search that judges by it.
    search: fn(reading: &EvaluatorReading, settings: Settings) -> Box<dyn Searcher<Position>>,
}

/// What a report leaves open about its evaluator. Each evaluator uses what concerns it.
#[derive(Clone, Copy, Debug, Default)]
struct EvaluatorReading {
    /// The constant of `relative`.
    relative: Relative,
    /// The weights of `parity` and `lost`.
    parity: Parity,
    /// Whether the counts of `terzo` are good for the giver.
    giver: bool,
}

/// Every evaluator. The help of `eval=`, the players and the bench's signature know no others.
pub const EVALUATORS: [EvaluatorEntry; 7] = [
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
        search: |reading, settings| judged_by(reading.relative, settings),
    },
    EvaluatorEntry {
        name: "terzo",
        help: "terzo (001)",
        search: |reading, settings| match reading.giver {
            true => judged_by(Turned(Terzo), settings),
            false => judged_by(Terzo, settings),
        },
    },
    EvaluatorEntry {
        name: "parity",
        help: "parity (004)",
        search: |reading, settings| judged_by(reading.parity, settings),
    },
    EvaluatorEntry {
        name: "lost",
        help: "lost (parity that sees when no safe piece is left)",
        search: |reading, settings| judged_by(Lost(reading.parity), settings),
    },
];

fn judged_by<H: Heuristic>(heuristic: H, settings: Settings) -> Box<dyn Searcher<Position>> {
    Box::new(AlphaBeta::new(HeuristicEvaluator(heuristic), settings))
}

pub(super) const EVAL: OptionHelp = OptionHelp {
    key: "eval",
    default: "absolute",
    help: "what unfinished boards are worth: zero, almost, absolute, relative (report 000), terzo (001), parity (004), lost (parity that sees when no safe piece is left)",
};
pub(super) const CONSTANT: OptionHelp = OptionHelp {
    key: "c",
    default: "1",
    help: "the constant C of eval=relative, 1 to 1000: stretches the values shown, changes no choice",
};

pub(super) const EVEN: OptionHelp = OptionHelp {
    key: "even",
    default: "10",
    help: "eval=parity and lost: what a 3-piece line that an even number of pieces finishes is worth to who gets the next piece, -50 to 50",
};
pub(super) const ODD: OptionHelp = OptionHelp {
    key: "odd",
    default: "5",
    help: "the same for an odd number, worth to who gives it; report 004 says only that even lines weigh more (even=0,odd=0 leaves the lines out)",
};
pub(super) const LEAF: OptionHelp = OptionHelp {
    key: "leaf",
    default: "receiver",
    help: "for whom the terzos of eval=terzo are good, which report 001 leaves open: receiver, giver",
};

impl EvaluatorEntry {
    /// The evaluator of that name.
    pub fn named(name: &str) -> Option<Self> {
        EVALUATORS.into_iter().find(|entry| entry.name == name)
    }

    /// A search that judges by it, with the constants that are the defaults.
    pub fn searcher(&self, settings: Settings) -> Box<dyn Searcher<Position>> {
        (self.search)(&EvaluatorReading::default(), settings)
    }
}

/// What makes a search by the evaluator that the options name.
pub(super) fn chosen(
    options: &Options,
    settings: Settings,
) -> Result<impl Fn() -> Box<dyn Searcher<Position>> + Send + Sync + 'static, SpecError> {
    let c = options.number("c", 1, u64::from(Relative::LARGEST))?.unwrap_or(1) as u32;
    let EvaluatorEntry { search, name, .. } = options.entry(&EVAL, &EVALUATORS, |entry| entry.name)?;
    let default = Parity::default();
    let parity = Parity {
        even: weight(options, EVEN.key)?.unwrap_or(default.even),
        odd: weight(options, ODD.key)?.unwrap_or(default.odd),
    };
    // What another evaluator would not look at is refused: nobody shall believe that it was tried.
    let signs: &[&str] = if name == "terzo" {
        &["receiver", "giver"]
    } else {
        &["receiver"]
    };
    let reading = EvaluatorReading {
        relative: Relative { c },
        parity,
        giver: options.word(LEAF.key, signs)? == Some("giver"),
    };
    Ok(move || search(&reading, settings))
}

/// The weight of a line.
fn weight(options: &Options, key: &str) -> Result<Option<i32>, SpecError> {
    let most = Parity::LARGEST;
    options.read(key, &format!("a whole number from -{most} to {most}"), |text| {
        text.parse().ok().filter(|weight| (-most..=most).contains(weight))
    })
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
    fn weights_and_signs_that_cannot_be_are_refused() {
        for (spec, expected) in [
            ("minimax:eval=parity,even=51", "from -50 to 50"),
            ("minimax:eval=parity,odd=x", "from -50 to 50"),
            ("minimax:eval=absolute,leaf=giver", "one of receiver"),
            ("minimax:eval=terzo,leaf=both", "one of receiver, giver"),
        ] {
            let refused = factory(spec).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(refused.contains(expected), "{spec}: {refused}");
        }
        assert!(factory("minimax:eval=terzo,leaf=giver").is_ok());
        assert!(factory("alphabeta:eval=lost,even=3,odd=-2").is_ok());
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
