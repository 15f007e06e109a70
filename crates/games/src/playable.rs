//! What a game brings so that it can be played everywhere.

use crate::encoding::Encoding;
use crate::exact::{Consequence, ExactPosition, Hint, JudgedTurn, SolverQuestion, TurnClass};
use crate::puzzles::{
    self, MinedPuzzle, Mining, ProvedPuzzles, PuzzleError, PuzzleQuestion, PuzzleSet, Tried, Wanted, searched,
};
use crate::random_games::{self, RandomGames};
use crate::sentence::Sentence;
use crate::session::SessionError;
use crate::truth::{self, Truth, TruthSettings, Truths};
use crate::view::{Grid, PlainView, View};
use ::game::{Game, Rng, Stop, Until};
#[cfg(not(target_arch = "wasm32"))]
use arena::terms::ResourceLimits;
use player::{Oracle, Roster, Score};
#[cfg(not(target_arch = "wasm32"))]
use player::{PlayerFactory, SpecError};
use search::puzzle::Theme;
use search::{ExactSolver, Solution, Unsolved, Watch};

/// A game that somebody here can play: the rules and a roster, and whatever else the game has to say about itself. Everything but
/// the roster has a default.
pub trait Playable: Game {
    /// The players, weakest first.
    fn roster() -> Roster<Self>;

    /// The levels that people choose an opponent by, as specs, the weakest first; none if nobody has measured any.
    fn levels(&self) -> &'static [&'static str] {
        &[]
    }

    /// Which stage of the page draws it: the `kind` of its [view](Playable::view).
    fn stage() -> &'static str {
        "plain"
    }

    /// The position drawn for a terminal, over several lines.
    fn drawing(&self, _colour: bool) -> String {
        match self.grid() {
            Some(grid) => grid.to_string(),
            None => self.print() + "\n",
        }
    }

    /// The board as rows of short texts, if the game has a board like that: the page's plain stage draws it.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// What the page draws of the last of several positions, each of which followed from the one before.
    fn view(history: &[Self]) -> View {
        let board = history.last().and_then(Playable::grid);
        let text = history.last().map(|now| now.drawing(false)).unwrap_or_default();
        View::Plain(PlainView { board, text })
    }

    /// A picture of the game, for who chooses one.
    fn preview(&self) -> View {
        Self::view(&[self.start()])
    }

    /// What the game is called, if not by the name that commands take.
    fn title(&self) -> Option<String> {
        None
    }

    /// The rules in a few sentences.
    fn rules_in_words(&self) -> Option<String> {
        None
    }

    /// A move as people write it, if that is not how it is written here.
    fn move_for_people(&self, mv: Self::Move) -> String {
        self.print_move(mv)
    }

    /// What a player would like to know about the position: names of facts and their items.
    fn facts(&self) -> Vec<(&'static str, Vec<String>)> {
        Vec::new()
    }

    /// How a finished game ended, in words.
    fn ending(&self) -> Option<String> {
        let payoffs = self.outcome()?;
        let roles = self.roles();
        if let (2, Some([first, second])) = (roles.len(), self.points()) {
            let (more, fewer) = (first.max(second), first.min(second));
            return Some(match payoffs.winner() {
                Some(seat) => format!("{} won by {more} points to {fewer}", roles[seat.index()]),
                None => format!("a draw: {first} points each"),
            });
        }
        let scores = roles.iter().zip(payoffs.all());
        let scores: Vec<String> = scores
            .map(|(role, payoff)| format!("{role} {}", payoff.points()))
            .collect();
        Some(format!("the game is over: {}", scores.join(", ")))
    }

    /// What a move did, in words, for who cannot see the board. Who did it is not said.
    fn describe(&self, mv: Self::Move) -> String {
        format!("played {}", self.move_for_people(mv))
    }

    /// Why a searching player prefers a move; `value` is what it expects of it, if it said so.
    fn reason(&self, _mv: Self::Move, player: &str, value: Option<f64>) -> Vec<Sentence> {
        let told = match value {
            Some(value) => Sentence::of("{player} expects {points} of 100 points from here with this move.")
                .with("points", format!("{value:.0}")),
            None => Sentence::of("{player} prefers it."),
        };
        vec![told.with("player", player)]
    }

    /// What the strongest player expects of the game with a score: 1 is a win, 0 a loss. Scores are payoffs unless a game says
    /// what its player counts in.
    fn expectation(score: Score) -> f64 {
        match score {
            Score::Mate(moves) => f64::from(u8::from(moves > 0)),
            Score::Cp(hundredths) => (0.5 + f64::from(hundredths) / 200.0).clamp(0.0, 1.0),
        }
    }

    /// What a searching player advises, in the game's words.
    fn hint(&self, mv: Self::Move, player: &str, value: Option<f64>) -> Hint {
        Hint::unproved(self.print_move(mv), self.reason(mv, player, value))
    }

    /// What is known exactly about this position, or about the middle of a turn, if `half` says which part of it is made; `None`
    /// if nothing of this game is.
    fn exact(&self, _half: Option<&str>) -> Option<Result<Box<dyn ExactPosition>, SessionError>> {
        None
    }

    /// How a move here is judged by the exact truth, if that can be known.
    fn judge(&self, _mv: Self::Move) -> Option<SolverQuestion<Option<JudgedTurn>>> {
        None
    }

    /// What a legal move here leads to by the exact truth, if that can be known.
    fn consequence(&self, _mv: Self::Move) -> Option<SolverQuestion<Consequence>> {
        None
    }

    /// What can be done here by the exact truth, equal moves counted as one, if that can be known.
    fn branches(&self) -> Option<SolverQuestion<Vec<TurnClass>>> {
        None
    }

    /// The same for positions that symmetry makes equal, and for no others.
    fn symmetry_class(&self) -> String {
        self.print()
    }

    /// What puzzles of this game are about that search finds and proves; `None` if it has none.
    fn puzzle_theme(&self) -> Option<Theme<Self>> {
        None
    }

    /// What such a puzzle asks for: to `win`, or to complete a `line` first.
    fn puzzle_goal() -> &'static str {
        "win"
    }

    /// Whether there are such puzzles. In a browser they may still have to arrive.
    fn has_puzzles(&self, name: &str) -> bool {
        self.shipped_puzzles(name).is_some()
    }

    /// The puzzles of this game that come with the program, as text; in the registry it has that name.
    fn shipped_puzzles(&self, name: &str) -> Option<&'static str> {
        puzzles::shipped(name)
    }

    /// The puzzles of a file, for who shows them.
    fn puzzles(&self, text: &str) -> Option<PuzzleSet> {
        searched::set(self, text)
    }

    /// Finds puzzles; the same seed finds the same ones.
    ///
    /// # Errors
    ///
    /// The game has none, or somebody wants it to stop.
    fn mine_puzzles(
        &self,
        wanted: Wanted,
        stop: &Stop,
        told: &dyn Fn(Mining),
    ) -> Result<Vec<MinedPuzzle>, PuzzleError> {
        searched::mine(self, wanted, stop, told)
    }

    /// Proves every puzzle of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, the game has no puzzles, or somebody wants it to stop.
    fn prove_puzzles(&self, text: &str, threads: usize, stop: &Stop) -> Result<ProvedPuzzles, PuzzleError> {
        searched::check(self, text, threads, stop)
    }

    /// What came of some turns in one of the puzzles of a file, those of the other among them.
    ///
    /// # Errors
    ///
    /// There is no such puzzle, or a turn cannot be played.
    fn try_puzzle(
        &self,
        text: &str,
        number: usize,
        turns: &[String],
        asked: PuzzleQuestion,
        stop: &Stop,
    ) -> Result<Tried, PuzzleError> {
        searched::tried(self, text, number, turns, asked, stop)
    }

    /// Whether exact values of positions can be had.
    fn is_solvable(&self) -> bool {
        false
    }

    /// Whether who does what otherwise wins loses.
    fn is_misere(&self) -> bool {
        false
    }

    /// Whether it takes a moment to work a position out, so that it is not done on a thread that serves others.
    fn is_slow() -> bool {
        false
    }

    /// What the mover gets with best play, and with every move, by searching to the end of every game: for small games. A
    /// finished game has no moves.
    ///
    /// # Errors
    ///
    /// The table of so many bytes is too small, somebody wants it to stop, or the game is none that has a value.
    fn solve(&self, memory: usize, watch: Watch) -> Result<Solution<Self::Move>, Unsolved> {
        ExactSolver::new(self.seats(), Self::clone, 0, memory, watch)?.solve(self)
    }

    /// What positions are worth, in their order.
    fn truths(positions: &[&Self], settings: &TruthSettings) -> Truths<Self::Move> {
        truth::searched(positions, settings)
    }

    /// What a book knows of this position: its value, and a move that keeps it where the book names one.
    fn in_book(&self) -> Option<Truth<Self::Move>> {
        None
    }

    /// So many random games from each of several positions.
    fn random_games(positions: &[&Self], each: u64, until: &Until, rng: &mut Rng) -> Vec<RandomGames> {
        random_games::one_by_one(positions, each, until, rng)
    }

    /// Moves and positions as numbers, for programs that learn; `None` if the game has no such numbers.
    fn encoding(&self) -> Option<Encoding<Self>> {
        None
    }

    /// Somebody who knows what positions of this game are worth, if there is one.
    fn oracle(&self) -> Option<Box<dyn Oracle<Self>>> {
        None
    }

    /// A program of others that plays this game over a protocol of its own, `kind:COMMAND`, within limits.
    ///
    /// # Errors
    ///
    /// The command cannot be run, or this game has no such protocol.
    #[cfg(not(target_arch = "wasm32"))]
    fn program(kind: &str, command: &str, _limits: ResourceLimits) -> Result<PlayerFactory<Self>, SpecError> {
        let why = match kind {
            "course" => "the course's programs play `stack4` only".into(),
            _ => format!("this game has no programs of the kind `{kind}`"),
        };
        let spec = format!("{kind}:{command}");
        Err(SpecError::Form { spec, why })
    }
}
