//! Where the game stands, as far as a player can know.
//!
//! As long as every PLAY arrives and tells every move, that is one state. When something is missing (a PLAY that never
//! came, a move that the manager does not tell) it is every state that the rest allows, up to a number, and the moves
//! to come rule the wrong ones out. In a game with hidden information that is how it always is: what we did and what we
//! see picks, among the states that the others' moves may have led to, those that fit.

use crate::message::TurnReport;
use game::{Rng, below, pick};
use gdl::{Machine, Move, State, StateView};
use std::collections::HashSet;
use std::time::Instant;

/// States that are kept when it is not known which is the true one.
const MOST_STATES: usize = 64;
/// Turns that may be missed at a stretch before we give up guessing.
const MOST_MISSED: u64 = 16;
/// Joint moves that are tried to find out what may have happened.
const MOST_JOINTS: usize = 4096;

pub(super) struct PositionTracker {
    states: Vec<State>,
    role: usize,
    turn: u64,
    last: Option<Vec<Option<String>>>,
    rng: Rng,
}

/// What the roles may have done, one list a role.
type RoleMoves = Vec<Vec<Move>>;

impl PositionTracker {
    pub fn new(machine: &Machine, role: usize, seed: u64) -> PositionTracker {
        PositionTracker {
            states: vec![machine.initial()],
            role,
            turn: 0,
            last: None,
            rng: game::rng(seed),
        }
    }

    /// The same on another machine of the same game, if that knows the facts.
    pub fn carry(&self, from: &Machine, to: &Machine) -> Option<PositionTracker> {
        let carried = self.states.iter().filter_map(|state| to.state(&from.facts(state)).ok());
        let states: Vec<State> = carried.collect();
        (!states.is_empty()).then(|| PositionTracker {
            states,
            role: self.role,
            turn: self.turn,
            last: self.last.clone(),
            rng: self.rng.clone(),
        })
    }

    /// How many turns have been played.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Where the game stands, or may stand.
    pub fn state(&self) -> Option<&State> {
        self.states.first()
    }

    /// Everywhere the game may stand.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Where the game may stand: some states at random, no more than `most`.
    pub fn some_states(&mut self, most: usize) -> Vec<State> {
        let mut states = self.states.clone();
        while states.len() > most {
            let place = below(&mut self.rng, states.len() as u32) as usize;
            states.swap_remove(place);
        }
        states
    }

    /// What a role may do there.
    pub fn legal(&self, machine: &Machine, role: usize) -> Option<Vec<Move>> {
        let view = machine.view(self.state()?).ok()?;
        view.legal.into_iter().nth(role)
    }

    /// Takes the report of a turn in, after we have answered `sent` in the turn before; an error says that they do not fit, and
    /// what was made of them.
    pub fn follow(
        &mut self,
        machine: &Machine,
        report: &TurnReport,
        sent: Option<&str>,
        until: Instant,
    ) -> Result<(), String> {
        let told = match report {
            // Some managers tell only what we see, and that is nothing.
            TurnReport::Nothing if machine.is_hidden() && sent.is_some() => {
                return self.sense(machine, self.turn + 1, sent, &[], until);
            }
            // The first turn, or the same one once more.
            TurnReport::Nothing => return Ok(()),
            TurnReport::Senses { turn, did, sees } => return self.sense(machine, *turn, did.as_deref(), sees, until),
            TurnReport::Moves(told) if machine.is_hidden() && !self.are_moves(machine, told) => {
                let sees: Vec<String> = told.iter().flatten().cloned().collect();
                return self.sense(machine, self.turn + 1, sent, &sees, until);
            }
            TurnReport::Moves(told) => told,
        };
        if told.len() != machine.role_count() {
            let (told, roles) = (told.len(), machine.role_count());
            return Err(format!("told {told} moves of {roles} roles; we stay where we were"));
        }
        let after = self.after(machine, told, &self.states.clone(), None, until);
        if !after.is_empty() {
            self.arrive(after, told, 1);
            return Ok(());
        }
        if self.last.as_ref() == Some(told) {
            return Ok(());
        }
        // A PLAY must have been lost: whatever was done in its turn, now this is possible.
        let nothing = vec![None; told.len()];
        let before = self.after(machine, &nothing, &self.states.clone(), None, until);
        let after = self.after(machine, told, &before, None, until);
        if after.is_empty() {
            return Err("moves that cannot be made here; we stay where we were".into());
        }
        let count = after.len();
        self.arrive(after, told, 2);
        Err(format!("a turn was never told to us; {count} positions fit what was"))
    }

    /// Whether what is told in a game with hidden information are moves, and not what we see.
    fn are_moves(&self, machine: &Machine, told: &[Option<String>]) -> bool {
        let is_move =
            |(role, mv): (usize, &Option<String>)| mv.as_ref().is_none_or(|mv| machine.parse_move(role, mv).is_ok());
        told.len() == machine.role_count() && told.iter().enumerate().all(is_move)
    }

    fn arrive(&mut self, states: Vec<State>, told: &[Option<String>], turns: u64) {
        self.states = states;
        self.turn += turns;
        self.last = Some(told.to_vec());
    }

    /// Takes in what a role hears of a turn when it does not hear the others' moves.
    fn sense(
        &mut self,
        machine: &Machine,
        turn: u64,
        did: Option<&str>,
        sees: &[String],
        until: Instant,
    ) -> Result<(), String> {
        let nothing = vec![None; machine.role_count()];
        let mut states = self.states.clone();
        // Turns that we never heard of: anything may have happened.
        for _ in self.turn + 1..turn.min(self.turn + MOST_MISSED) {
            states = self.after(machine, &nothing, &states, None, until);
        }
        if turn <= self.turn {
            return Ok(());
        }
        let mut told = nothing.clone();
        told[self.role] = did.map(String::from);
        let seen: Vec<String> = sees.iter().map(|seen| canonical(seen)).collect();
        let mut after = self.after(machine, &told, &states, Some(&seen), until);
        if after.is_empty() && did.is_some() {
            // The manager may have put another move in the place of ours.
            after = self.after(machine, &nothing, &states, Some(&seen), until);
        }
        let mut trouble = None;
        if after.is_empty() {
            trouble = Some("nothing that we thought possible fits what we see".to_string());
            after = self.after(machine, &told, &states, None, until);
        }
        if !after.is_empty() {
            (self.states, self.turn) = (after, turn);
        }
        trouble.map_or(Ok(()), Err)
    }

    /// The states after these moves, as far as they can be made, and as far as our role would then see what it sees; of
    /// too many, some at random.
    fn after(
        &mut self,
        machine: &Machine,
        told: &[Option<String>],
        states: &[State],
        sees: Option<&[String]>,
        until: Instant,
    ) -> Vec<State> {
        let moves: Vec<Option<Option<Move>>> = told
            .iter()
            .enumerate()
            .map(|(role, mv)| mv.as_ref().map(|text| machine.parse_move(role, text).ok()))
            .collect();
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut rng = self.rng.clone();
        for state in states {
            let Ok(view) = machine.view(state) else { continue };
            let Some(choices) = choices(&view, &moves) else {
                continue;
            };
            let joints: Vec<Vec<Move>> = Joints::new(&choices, &mut self.rng).collect();
            for joint in joints {
                if !found.is_empty() && Instant::now() >= until {
                    return found;
                }
                if sees.is_some_and(|sees| !role_sees(machine, self.role, state, &joint, sees)) {
                    continue;
                }
                let Ok(next) = machine.next(state, &joint) else {
                    continue;
                };
                if !seen.insert(next.clone()) {
                    continue;
                }
                match found.len() < MOST_STATES {
                    true => found.push(next),
                    false => {
                        let place = below(&mut rng, seen.len() as u32) as usize;
                        found.get_mut(place).into_iter().for_each(|old| *old = next.clone());
                    }
                }
            }
        }
        found
    }

    /// Whether some joint move may have ended the game since we last heard of it.
    pub fn may_be_over(&mut self, machine: &Machine, until: Instant) -> bool {
        for state in &self.states {
            let Ok(view) = machine.view(state) else { return true };
            if view.terminal {
                return true;
            }
            for joint in Joints::new(&view.legal, &mut self.rng) {
                match machine.step(state, &joint) {
                    Ok((_, view)) if !view.terminal => {}
                    _ => return true,
                }
                if Instant::now() >= until {
                    return false;
                }
            }
        }
        false
    }
}

/// Whether a role sees exactly this after a joint move.
fn role_sees(machine: &Machine, role: usize, state: &State, joint: &[Move], seen: &[String]) -> bool {
    let told = machine.sees(state, joint).unwrap_or_default();
    let Some(told) = told.get(role) else { return false };
    told.len() == seen.len() && told.iter().all(|told| seen.contains(&canonical(told)))
}

/// A term as it is compared: case and blanks do not matter.
fn canonical(term: &str) -> String {
    let spaced = term.replace('(', " ( ").replace(')', " ) ").to_lowercase();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What each role can have done, given what is told; nothing if that is impossible.
fn choices(view: &StateView, told: &[Option<Option<Move>>]) -> Option<RoleMoves> {
    let choices: RoleMoves = view
        .legal
        .iter()
        .zip(told)
        .map(|(legal, told)| match told {
            None => legal.clone(),
            Some(told) => told.iter().copied().filter(|mv| legal.contains(mv)).collect(),
        })
        .collect();
    let possible = !view.terminal && choices.iter().all(|moves| !moves.is_empty());
    possible.then_some(choices)
}

/// All joint moves of some choices, or where there are too many of them, a number drawn at random.
struct Joints<'a> {
    choices: &'a RoleMoves,
    rng: &'a mut Rng,
    all: Option<usize>,
    given: usize,
}

impl<'a> Joints<'a> {
    fn new(choices: &'a RoleMoves, rng: &'a mut Rng) -> Self {
        let all = choices
            .iter()
            .try_fold(1usize, |all, moves| all.checked_mul(moves.len()))
            .filter(|&all| all <= MOST_JOINTS);
        Joints {
            choices,
            rng,
            all,
            given: 0,
        }
    }
}

impl Iterator for Joints<'_> {
    type Item = Vec<Move>;

    fn next(&mut self) -> Option<Vec<Move>> {
        if self.given == self.all.unwrap_or(MOST_JOINTS) {
            return None;
        }
        let mut number = self.given;
        self.given += 1;
        let mut joint = Vec::with_capacity(self.choices.len());
        for moves in self.choices {
            joint.push(match self.all {
                None => pick(self.rng, moves)?,
                Some(_) => *moves.get(number % moves.len().max(1))?,
            });
            number /= moves.len().max(1);
        }
        Some(joint)
    }
}
