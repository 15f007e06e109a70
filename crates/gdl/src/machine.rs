//! The state machine of a game: one interface over the prover and the compiled machine.

use crate::GdlError;
use crate::logic::{FlatProgram, RelationKind};
use crate::offspring::Nursery;
use crate::playout::{PlayoutLimit, Playouts, Samples};
use crate::propnet::Timer;
use crate::sheet::Hints;
use crate::walk::Walker;
use game::{Rng, Until};
use std::fmt::Debug;

/// A position, as the machine that made it stores it: a set of facts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub(crate) Box<[u32]>);

/// What a role can do: a number of the machine that made it. It includes the role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub(crate) u32);

/// What the rules say about a position.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StateView {
    /// Whether the game is over.
    pub terminal: bool,
    /// What each role may do, always in the same order. Empty once the game is over.
    pub legal: Vec<Vec<Move>>,
    /// What each role gets, once the game is over.
    pub goals: Vec<u8>,
}

/// Which machine it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    /// Derives positions from the rules.
    Prover,
    /// Evaluates the propositional network.
    Compiled,
}

/// What a row of a table weighs.
pub type Weigh = Box<dyn Fn(usize, &[u32]) -> i32 + Send + Sync>;

/// Weights of facts, made by a machine for its own positions.
pub struct FactWeights {
    pub(crate) of: Weigh,
    /// Of every base, where the machine has bases.
    pub(crate) bases: Vec<i32>,
}

impl Debug for FactWeights {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("FactWeights")
            .field("bases", &self.bases)
            .finish_non_exhaustive()
    }
}

/// A state machine: what both machines can do.
pub trait StateMachine: Debug + Send + Sync {
    /// Which machine it is.
    fn kind(&self) -> MachineKind;

    /// How many propositions and how many components the machine has: rows and gates, or relations and rules.
    fn size(&self) -> (usize, usize);

    /// The sheet.
    fn program(&self) -> &FlatProgram;

    /// The roles, as symbols.
    fn role_symbols(&self) -> &[u32];

    /// The first position.
    fn initial(&self) -> State;

    /// What the rules say about a position.
    fn view(&self, state: &State) -> Result<StateView, GdlError>;

    /// What each role would get if the game were over.
    fn goals(&self, state: &State) -> Result<Vec<u8>, GdlError>;

    /// The position after a joint move, one move a role.
    fn next(&self, state: &State, moves: &[Move]) -> Result<State, GdlError>;

    /// What each role is told after a joint move, sorted as text.
    fn sees(&self, _: &State, _: &[Move]) -> Result<Vec<Vec<String>>, GdlError> {
        Err(GdlError::Unknown("only the prover knows what a role sees".into()))
    }

    /// The position after a joint move, and what the rules say about it.
    fn step(&self, state: &State, moves: &[Move]) -> Result<(State, StateView), GdlError> {
        let next = self.next(state, moves)?;
        let view = self.view(&next)?;
        Ok((next, view))
    }

    /// Random games from a position to the end.
    fn playouts(&self, state: &State, order: PlayoutLimit, rng: &mut Rng) -> Result<Playouts, GdlError>;

    /// Random games from each of several positions, `each` of every one, as far as there is time.
    fn sample(&self, states: &[&State], each: u64, until: &Until, rng: &mut Rng) -> Result<Samples, GdlError> {
        let roles = self.role_symbols().len();
        let mut samples = Samples::new(roles, states.len());
        for _ in 0..each {
            for (at, state) in states.iter().enumerate() {
                if until.is_over() {
                    return Ok(samples);
                }
                let out = self.playouts(state, PlayoutLimit::Games(1), rng)?;
                samples.count(at);
                (0..roles).for_each(|role| samples.add(at, role, out.mean(role) as u64));
            }
        }
        Ok(samples)
    }

    /// Random games that `walker` sends out, until it sends no more or the time is up. Only the compiled machine plays any.
    fn walk(&self, _walker: &mut dyn Walker, _until: &Until, _rng: &mut Rng) {}

    /// Finds out how to tell which moves win at once, for walkers that look ahead.
    fn learn_decisive_moves(&self, _until: &Until) {}

    /// Who makes the children of several positions side by side, in a game of two. Only the compiled machine has somebody.
    fn nursery(&self) -> Option<Box<dyn Nursery>> {
        None
    }

    /// Prepares weights of facts.
    fn weights(&self, of: Weigh) -> FactWeights {
        FactWeights { of, bases: Vec::new() }
    }

    /// What the facts of a position weigh together.
    fn weigh(&self, weights: &FactWeights, state: &State) -> i32 {
        self.rows(state)
            .iter()
            .map(|(table, row)| (weights.of)(*table, row))
            .sum()
    }

    /// The facts that change with time alone, if there are any and the machine knows them.
    fn timer(&self) -> Option<&Timer> {
        None
    }

    /// Facts, by their bits, that must hold or must not where the first role gets 100, as far as the machine knows them.
    fn wanted(&self) -> Vec<(u32, bool)> {
        Vec::new()
    }

    /// The facts of a position: tables and rows.
    fn rows(&self, state: &State) -> Vec<(usize, Vec<u32>)>;

    /// The facts that some position may hold, as far as the machine knows them.
    fn possible(&self) -> Vec<(usize, Vec<u32>)>;

    /// The position of these facts; the number of the first that it cannot have, if there is one.
    fn state_of(&self, rows: &[(usize, Vec<u32>)]) -> Result<State, usize>;

    /// How many moves there are, if all are known in advance; they are numbered from 0.
    fn move_count(&self) -> Option<usize> {
        None
    }

    /// The table and the row (role first) of a move.
    fn move_row(&self, mv: Move) -> (usize, Vec<u32>);

    /// The move of a table and row, if it can ever be legal.
    fn move_of(&self, rel: usize, row: &[u32]) -> Option<Move>;
}

/// A state machine that plays a game by its rules: the prover or the compiled machine.
#[derive(Debug)]
pub struct Machine {
    rules: Box<dyn StateMachine>,
}

impl Machine {
    pub(crate) fn new(rules: impl StateMachine + 'static) -> Self {
        Machine { rules: Box::new(rules) }
    }

    /// What messages call the sheet.
    pub fn name(&self) -> &str {
        &self.rules.program().name
    }

    /// What the sheet says about its looks.
    pub fn hints(&self) -> &Hints {
        &self.rules.program().hints
    }

    /// Which machine it is.
    pub fn kind(&self) -> MachineKind {
        self.rules.kind()
    }

    /// How many propositions there are: ground ones for the compiled machine, relations for the prover.
    pub fn propositions(&self) -> usize {
        self.rules.size().0
    }

    /// How many components there are: gates of the compiled machine, rules of the prover.
    pub fn components(&self) -> usize {
        self.rules.size().1
    }

    /// How many roles there are.
    pub fn role_count(&self) -> usize {
        self.rules.role_symbols().len()
    }

    /// The names of the roles.
    pub fn roles(&self) -> Vec<&str> {
        let symbols = &self.rules.program().symbols;
        self.rules
            .role_symbols()
            .iter()
            .map(|&role| symbols.text(crate::sheet::Sym(role)))
            .collect()
    }

    /// The first position.
    pub fn initial(&self) -> State {
        self.rules.initial()
    }

    /// What the rules say about a position.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn view(&self, state: &State) -> Result<StateView, GdlError> {
        self.rules.view(state)
    }

    /// What each role would get if the game were over.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn goals(&self, state: &State) -> Result<Vec<u8>, GdlError> {
        self.rules.goals(state)
    }

    /// The position after a joint move, one legal move a role in the order of the roles.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn next(&self, state: &State, moves: &[Move]) -> Result<State, GdlError> {
        self.rules.next(state, moves)
    }

    /// Whether the roles do not see each other's moves but only what `sees` tells them.
    pub fn is_hidden(&self) -> bool {
        self.rules
            .program()
            .rels_where(|kind| kind == RelationKind::Sees)
            .next()
            .is_some()
    }

    /// What each role is told after a joint move, sorted as text. Only the prover knows.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn sees(&self, state: &State, moves: &[Move]) -> Result<Vec<Vec<String>>, GdlError> {
        self.rules.sees(state, moves)
    }

    /// The position after a joint move, and what the rules say about it: cheaper than asking for one after the other.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn step(&self, state: &State, moves: &[Move]) -> Result<(State, StateView), GdlError> {
        self.rules.step(state, moves)
    }

    /// Random games from a position to the end, every role choosing evenly among its legal moves.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn playouts(&self, state: &State, order: PlayoutLimit, rng: &mut Rng) -> Result<Playouts, GdlError> {
        self.rules.playouts(state, order, rng)
    }

    /// Random games from each of several positions, `each` of every one. Those not over when the time is up do not
    /// count.
    ///
    /// # Errors
    /// [`GdlError`] if the rules go wrong in this state (a goal that is no number, say), or the prover's limits are passed.
    pub fn sample(&self, states: &[&State], each: u64, until: &Until, rng: &mut Rng) -> Result<Samples, GdlError> {
        self.rules.sample(states, each, until, rng)
    }

    /// Random games that `walker` sends out, hundreds at once, until it sends no more or the time is up. The prover plays none.
    pub(crate) fn walk(&self, walker: &mut dyn Walker, until: &Until, rng: &mut Rng) {
        self.rules.walk(walker, until, rng);
    }

    /// Finds out how to tell which moves win at once, for walkers that look ahead.
    pub(crate) fn learn_decisive_moves(&self, until: &Until) {
        self.rules.learn_decisive_moves(until);
    }

    /// Who makes the children of several positions side by side; nobody for the prover and for games that are not for two.
    pub(crate) fn nursery(&self) -> Option<Box<dyn Nursery>> {
        self.rules.nursery()
    }

    /// The facts that change with time alone and that end the game at some time, if there are any. The prover knows none.
    pub fn timer(&self) -> Option<&Timer> {
        self.rules.timer()
    }

    /// The facts of a position as numbers: a table and a row of constants each. Facts of the same name and the same skeleton
    /// are in the same table.
    pub fn rows(&self, state: &State) -> Vec<(usize, Vec<u32>)> {
        self.rules.rows(state)
    }

    /// The roles as constants in rows of constants.
    pub fn role_constants(&self) -> &[u32] {
        self.rules.role_symbols()
    }

    /// Facts, by their bits in a state, that must hold (or must not) where the first role gets 100, as far as they are known.
    pub fn wanted(&self) -> Vec<(u32, bool)> {
        self.rules.wanted()
    }

    /// Prepares weights of facts, to weigh many positions: `of` says what a row of a table weighs.
    pub fn weights(&self, of: impl Fn(usize, &[u32]) -> i32 + Send + Sync + 'static) -> FactWeights {
        self.rules.weights(Box::new(of))
    }

    /// What the facts of a position weigh together.
    pub fn weigh(&self, weights: &FactWeights, state: &State) -> i32 {
        self.rules.weigh(weights, state)
    }

    /// The facts of a position, sorted as text.
    pub fn facts(&self, state: &State) -> Vec<String> {
        let program = self.rules.program();
        let rows = self.rules.rows(state);
        let mut facts: Vec<String> = rows.iter().map(|(rel, row)| program.print_arg(*rel, 0, row)).collect();
        facts.sort();
        facts
    }

    /// The facts that positions may hold, in no order: all of them for the compiled machine, those of the first position
    /// for the prover, which knows no others in advance.
    pub fn possible_facts(&self) -> Vec<String> {
        let program = self.rules.program();
        let rows = self.rules.possible();
        rows.iter().map(|(rel, row)| program.print_arg(*rel, 0, row)).collect()
    }

    /// The position that has exactly these facts.
    ///
    /// # Errors
    /// [`GdlError`] if a fact cannot be read or is not one of this game.
    pub fn state<S: AsRef<str>>(&self, facts: &[S]) -> Result<State, GdlError> {
        let program = self.rules.program();
        let unknown = |fact: &str| GdlError::Unknown(format!("`{fact}` is not a fact of this game"));
        let rows = facts
            .iter()
            .map(|fact| {
                program
                    .row_of(RelationKind::True, &[], fact.as_ref())
                    .ok_or_else(|| unknown(fact.as_ref()))
            })
            .collect::<Result<Vec<_>, _>>()?;
        self.rules.state_of(&rows).map_err(|at| unknown(facts[at].as_ref()))
    }

    /// How many moves there are, of all roles, if the machine knows them in advance.
    pub(crate) fn move_count(&self) -> Option<usize> {
        self.rules.move_count()
    }

    /// A move as KIF.
    pub fn print_move(&self, mv: Move) -> String {
        let (rel, row) = self.rules.move_row(mv);
        self.rules.program().print_arg(rel, 1, &row)
    }

    /// Whether a move is a bare word, such as `noop`.
    pub fn is_bare(&self, mv: Move) -> bool {
        let (rel, _) = self.rules.move_row(mv);
        let program = self.rules.program();
        program.rels[rel]
            .skeletons
            .last()
            .is_some_and(|&skeleton| program.skeletons.open(skeleton).is_none())
    }

    /// The role whose move it is.
    pub fn role_of(&self, mv: Move) -> usize {
        let (_, row) = self.rules.move_row(mv);
        let roles = self.rules.role_symbols();
        roles.iter().position(|role| row.first() == Some(role)).unwrap_or(0)
    }

    /// Reads a move of role number `role`, in any case, with blanks or commas between the words.
    ///
    /// # Errors
    /// [`GdlError`] if it cannot be read or is no move of this role.
    pub fn parse_move(&self, role: usize, text: &str) -> Result<Move, GdlError> {
        let program = self.rules.program();
        self.rules
            .role_symbols()
            .get(role)
            .and_then(|&role| program.row_of(RelationKind::Does, &[role], text))
            .and_then(|(rel, row)| self.rules.move_of(rel, &row))
            .ok_or_else(|| {
                let name = self.roles().get(role).copied().unwrap_or("nobody").to_string();
                GdlError::Unknown(format!("`{text}` is never a move of {name}"))
            })
    }
}
