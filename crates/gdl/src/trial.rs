//! Errors of a sheet that show only when it is played.

use crate::sheet::{Diagnostic, Sheet};
use crate::{BuildLimits, Deadline, GdlError, Machine, MachineKind, Move, State, StateView};
use game::Instant;
use game::{Rng, pick, rng};
use std::time::Duration;

/// How much is tried.
#[derive(Clone, Debug)]
pub struct TrialEffort {
    /// How long: half of it for building the machine, the rest for random games.
    pub time: Duration,
    /// The most random games.
    pub games: u64,
    /// A game that is not over after so many turns is assumed to be endless.
    pub turns: u64,
    /// Raised by whoever does not want to wait.
    pub stop: game::Stop,
}

impl Default for TrialEffort {
    fn default() -> Self {
        TrialEffort {
            time: Duration::from_secs(5),
            games: 100,
            turns: 20_000,
            stop: game::Stop::never(),
        }
    }
}

/// The result of a trial.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The machine that played, if any could be built.
    pub machine: Option<BuiltMachine>,
    /// Random games that were played to the end.
    pub games: u64,
    /// The turns of the shortest and of the longest of them.
    pub turns: Option<(u64, u64)>,
}

/// A machine by its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltMachine {
    /// Which it is.
    pub kind: MachineKind,
    /// How many propositions it has.
    pub propositions: usize,
    /// And how many components.
    pub components: usize,
}

impl Trial {
    fn count(&mut self, turns: u64) {
        let (least, most) = self.turns.unwrap_or((turns, turns));
        self.games += 1;
        self.turns = Some((least.min(turns), most.max(turns)));
    }
}

/// Builds a machine for a sheet and plays random games on it.
pub fn trial(sheet: &Sheet, effort: &TrialEffort) -> Trial {
    let mut trial = Trial::default();
    let began = Instant::now();
    let limits = BuildLimits {
        time: effort.time / 2,
        stop: effort.stop.clone(),
        ..BuildLimits::default()
    };
    let deadline = Deadline {
        at: began.checked_add(effort.time),
        stop: effort.stop.clone(),
    };
    deadline.bound(|| match Machine::best(sheet, limits) {
        Ok((machine, why)) => {
            trial.machine = Some(BuiltMachine {
                kind: machine.kind(),
                propositions: machine.propositions(),
                components: machine.components(),
            });
            let slow = why.map(|why| {
                let mut warning = Diagnostic::remark(format!("{why}; the prover plays it, which is slow"));
                warning.help = Some(slow_because(&why).into());
                warning
            });
            trial.diagnostics.extend(slow);
            TrialGames::new(sheet, &machine, effort, &deadline).play(&mut trial);
        }
        // Too little time says nothing about the sheet.
        Err(GdlError::Stopped { .. }) => trial.diagnostics.push(untried(effort)),
        Err(error) => trial.diagnostics.push(unplayable(sheet, &error)),
    });
    trial
}

/// What helps a sheet that was not compiled. Half the time of a trial is little for a large game, which is no fault of the sheet.
fn slow_because(why: &GdlError) -> &'static str {
    match why {
        GdlError::Time { .. } => {
            "with more time it may be compiled, as players do while their start clock runs: try more --seconds; rules \
             with many variables that do not depend on each other take longest"
        }
        _ => "rules with many variables that do not depend on each other are large when they are written out",
    }
}

/// No machine was built before the time was over.
fn untried(effort: &TrialEffort) -> Diagnostic {
    let seconds = effort.time.as_secs_f64();
    let mut warning = Diagnostic::remark(format!(
        "it was not tried out: {seconds:.1} s were not enough to build it"
    ));
    warning.help = Some("more --seconds, or a machine that is less busy".into());
    warning
}

/// Why no machine could be built, at the rule that is to blame, if that is known.
fn unplayable(sheet: &Sheet, error: &GdlError) -> Diagnostic {
    let relation = match error {
        GdlError::Unbounded { relation, .. } | GdlError::Wide { relation, .. } => relation,
        error => return Diagnostic::missing(format!("it cannot be played: {error}")),
    };
    let name = sheet.symbols.find(relation);
    // Of rules that build terms the one that builds them from others.
    let mut rules = sheet.rules.iter().filter(|rule| Some(rule.head.name) == name).rev();
    let rule = rules
        .clone()
        .find(|rule| !rule.body.is_empty())
        .or_else(|| rules.next());
    let message = error.to_string();
    let message = message.strip_prefix(&format!("{}: ", sheet.name)).unwrap_or(&message);
    match rule {
        Some(rule) => Diagnostic::error(rule.head.span, message).label("a rule of that relation"),
        None => Diagnostic::missing(message),
    }
}

/// Plays random games and checks every position.
struct TrialGames<'a> {
    sheet: &'a Sheet,
    machine: &'a Machine,
    effort: &'a TrialEffort,
    deadline: &'a Deadline,
    rng: Rng,
    /// The turns of the game that is played.
    played: Vec<Vec<Move>>,
}

/// How a random game went.
enum GameEnd {
    /// It was over after so many turns.
    Over(u64),
    /// It was not over after as many turns as are tried.
    Endless,
    /// There was no time left.
    Late,
    /// It cannot go on.
    Broken(Diagnostic),
}

impl<'a> TrialGames<'a> {
    fn new(sheet: &'a Sheet, machine: &'a Machine, effort: &'a TrialEffort, deadline: &'a Deadline) -> Self {
        TrialGames {
            sheet,
            machine,
            effort,
            deadline,
            rng: rng(1),
            played: Vec::new(),
        }
    }

    fn play(&mut self, trial: &mut Trial) {
        let mut endless = 0;
        for _ in 0..self.effort.games {
            match self.game() {
                GameEnd::Over(turns) => trial.count(turns),
                // One is enough to know, if none has ended; some more to tell whether that is rare.
                GameEnd::Endless if trial.games == 0 && endless > 0 => break,
                GameEnd::Endless => endless += 1,
                GameEnd::Late => break,
                GameEnd::Broken(diagnostic) => return trial.diagnostics.push(diagnostic),
            }
        }
        trial.diagnostics.extend(self.about_the_end(trial.games, endless));
    }

    fn about_the_end(&self, games: u64, endless: u64) -> Option<Diagnostic> {
        let turns = self.effort.turns;
        let help = "a counter of turns that ends the game makes sure of an end";
        let mut found = match (games, endless) {
            (0, 0) => {
                let seconds = self.effort.time.as_secs_f64();
                Diagnostic::remark(format!("no random game came to an end within {seconds:.1} s"))
            }
            (_, 0) => return None,
            (0, _) => Diagnostic::missing(format!("no random game came to an end within {turns} turns")),
            (games, endless) => Diagnostic::remark(format!(
                "{endless} of {} random games did not come to an end within {turns} turns",
                games + endless
            )),
        };
        found.help = Some(help.into());
        Some(found)
    }

    fn game(&mut self) -> GameEnd {
        let mut state = self.machine.initial();
        self.played.clear();
        let mut view = match self.machine.view(&state) {
            Ok(view) => view,
            Err(error) => return self.broken("the first position cannot be worked out", &error),
        };
        for turn in 1..=self.effort.turns {
            if view.terminal {
                return GameEnd::Over(turn - 1);
            }
            if self.deadline.is_over() {
                return GameEnd::Late;
            }
            let Some(joint) = self.joint(&view) else {
                return GameEnd::Broken(self.stuck(&view, &state));
            };
            self.played.push(joint.clone());
            match self.machine.step(&state, &joint) {
                Ok(next) => (state, view) = next,
                Err(GdlError::Stopped { .. }) => return GameEnd::Late,
                Err(error) => {
                    return self.broken(&format!("the position after turn {turn} cannot be worked out"), &error);
                }
            }
        }
        GameEnd::Endless
    }

    fn joint(&mut self, view: &StateView) -> Option<Vec<Move>> {
        view.legal.iter().map(|legal| pick(&mut self.rng, legal)).collect()
    }

    fn broken(&self, what: &str, error: &GdlError) -> GameEnd {
        let mut diagnostic = Diagnostic::missing(match error {
            GdlError::Stopped { .. } => format!("{what} within {:.1} s", self.effort.time.as_secs_f64()),
            error => format!("{what}: {error}"),
        });
        diagnostic.help =
            Some("look for rules with many variables, or with conditions that leave too much open".into());
        GameEnd::Broken(diagnostic)
    }

    /// A role has no move though the game is not over.
    fn stuck(&self, view: &StateView, state: &State) -> Diagnostic {
        let role = view.legal.iter().position(Vec::is_empty).unwrap_or(0);
        let role = self.machine.roles().get(role).copied().unwrap_or("nobody").to_string();
        let turns = match self.played.len() {
            1 => "1 turn".to_string(),
            turns => format!("{turns} turns"),
        };
        let message = format!("{role} has no legal move after {turns} of a random game, and the game is not over");
        let legal = self.sheet.symbols.find("legal");
        let rule = self.sheet.rules.iter().find(|rule| Some(rule.head.name) == legal);
        let diagnostic = match rule {
            Some(rule) => Diagnostic::error(rule.head.span, message).label("no rule for `legal` applies there"),
            None => Diagnostic::missing(message),
        };
        let facts = shown(self.machine.facts(state).into_iter(), " ");
        let help = match self.played.is_empty() {
            true => format!("the position is {facts}"),
            false => format!("the position is {facts}, after {}", self.way()),
        };
        diagnostic.help(help)
    }

    /// What was played, turn by turn.
    fn way(&self) -> String {
        let turns = self.played.iter().map(|joint| {
            let moves: Vec<String> = joint.iter().map(|&mv| self.machine.print_move(mv)).collect();
            moves.join(" ")
        });
        shown(turns, ", ")
    }
}

/// A list, or its beginning: nobody reads on after so much.
fn shown(items: impl ExactSizeIterator<Item = String>, between: &str) -> String {
    const MOST: usize = 12;
    let more = if items.len() > MOST { " …" } else { "" };
    items.take(MOST).collect::<Vec<_>>().join(between) + more
}
