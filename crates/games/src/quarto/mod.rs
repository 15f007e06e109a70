//! Quarto and its variants.

mod exact;
mod puzzles;
mod reports;
pub(crate) mod solvers;
mod truth;
mod why;

use crate::encoding::{self, Encoding};
use crate::exact::{Consequence, ExactPosition, Hint, JudgedTurn, SolverQuestion, TurnClass};
use crate::playable::Playable;
use crate::puzzles::{MinedPuzzle, Mining, ProvedPuzzles, PuzzleError, PuzzleQuestion, PuzzleSet, Tried, Wanted};
use crate::sentence::Sentence;
use crate::session::SessionError;
use crate::truth::{Truth, TruthSettings, Truths};
use crate::view::{View, quarto as view};
use game::{Game, Stop};
use player::{Oracle, Roster};
use quarto::players::SolverOracle;
use quarto::{PieceSet, Position, Turn, puzzle};

impl Playable for Position {
    fn roster() -> Roster<Self> {
        quarto::players::roster()
    }

    fn levels(&self) -> &'static [&'static str] {
        &[
            "perfect:level=1",
            "perfect:level=2",
            "perfect:level=3",
            "perfect:level=4",
            "perfect:level=5",
            "perfect:level=6",
            "perfect:level=7",
            "perfect:level=8",
            "perfect:level=9",
            "perfect:level=10",
        ]
    }

    fn stage() -> &'static str {
        "quarto"
    }

    fn drawing(&self, colour: bool) -> String {
        Position::drawing(self, colour)
    }

    fn view(history: &[Self]) -> View {
        match history.last() {
            Some(position) => View::Quarto(view::look(position)),
            None => View::default(),
        }
    }

    fn preview(&self) -> View {
        match self.parse("3..8/.6../..d./2... 5") {
            Ok(sample) => Self::view(&[sample]),
            Err(_) => Self::view(&[*self]),
        }
    }

    fn title(&self) -> Option<String> {
        let variant = self.rules().name().trim_start_matches("quarto").replace('-', " ");
        let variant = variant
            .trim()
            .replace("misere", "misère")
            .replace("squares only", "squares alone");
        Some(match variant.as_str() {
            "" => "Quarto".into(),
            variant => format!("Quarto, {variant}"),
        })
    }

    fn rules_in_words(&self) -> Option<String> {
        let aim = match self.rules().misere() {
            false => "Who completes a line of four pieces that share an attribute wins",
            true => "Who completes a line of four pieces that share an attribute loses",
        };
        Some(format!(
            "Sixteen pieces differ in colour, height, shape and top. You give your opponent a piece, your opponent places it and \
             gives you the next. {aim}; a full board without one is a draw. Lines are {}.",
            self.rules().summary().split(';').next().unwrap_or_default()
        ))
    }

    fn facts(&self) -> Vec<(&'static str, Vec<String>)> {
        let texts = |pieces: PieceSet| pieces.into_iter().map(|piece| piece.to_string()).collect();
        let safe = PieceSet(self.left().0 & !self.completing_pieces().0);
        vec![
            ("pieces left", texts(self.left())),
            ("safe to give on this board", texts(safe)),
            ("threatened lines", self.threatened_lines()),
        ]
        .into_iter()
        .chain(reports::facts(self))
        .collect()
    }

    fn ending(&self) -> Option<String> {
        view::ending(self)
    }

    fn describe(&self, turn: Turn) -> String {
        view::told(self, turn)
    }

    fn reason(&self, turn: Turn, _player: &str, _value: Option<f64>) -> Vec<Sentence> {
        why::why(self, turn, None, &[])
    }

    fn hint(&self, turn: Turn, player: &str, value: Option<f64>) -> Hint {
        exact::unproved(turn, self.reason(turn, player, value))
    }

    fn is_solvable(&self) -> bool {
        true
    }

    fn exact(&self, half: Option<&str>) -> Option<Result<Box<dyn ExactPosition>, SessionError>> {
        Some(exact::Halves::new(self, half).map(|halves| Box::new(halves) as Box<dyn ExactPosition>))
    }

    fn judge(&self, turn: Turn) -> Option<SolverQuestion<Option<JudgedTurn>>> {
        Some(exact::judge(self, turn))
    }

    fn truths(positions: &[&Self], settings: &TruthSettings) -> Truths<Turn> {
        truth::truths(positions, settings)
    }

    fn in_book(&self) -> Option<Truth<Turn>> {
        truth::in_book(self)
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        Some(encoding::quarto::ENCODING)
    }

    fn consequence(&self, turn: Turn) -> Option<SolverQuestion<Consequence>> {
        Some(exact::consequence(self, turn))
    }

    fn branches(&self) -> Option<SolverQuestion<Vec<TurnClass>>> {
        Some(exact::branches(self))
    }

    fn symmetry_class(&self) -> String {
        format!("{:?}", self.canonical_key())
    }

    fn has_puzzles(&self, _: &str) -> bool {
        puzzle::are_shipped(self.rules())
    }

    fn shipped_puzzles(&self, _: &str) -> Option<&'static str> {
        puzzle::shipped(self.rules())
    }

    fn puzzles(&self, text: &str) -> Option<PuzzleSet> {
        puzzles::set(self.rules(), text)
    }

    fn mine_puzzles(
        &self,
        wanted: Wanted,
        stop: &Stop,
        told: &dyn Fn(Mining),
    ) -> Result<Vec<MinedPuzzle>, PuzzleError> {
        puzzles::mine(self.rules(), wanted, stop, told)
    }

    fn prove_puzzles(&self, text: &str, threads: usize, stop: &Stop) -> Result<ProvedPuzzles, PuzzleError> {
        puzzles::check(self.rules(), text, threads, stop)
    }

    /// The page judges tries of these by a solver of its own.
    fn try_puzzle(&self, _: &str, _: usize, _: &[String], _: PuzzleQuestion, _: &Stop) -> Result<Tried, PuzzleError> {
        Err(PuzzleError::Unknown)
    }

    fn is_misere(&self) -> bool {
        self.rules().misere()
    }

    fn oracle(&self) -> Option<Box<dyn Oracle<Self>>> {
        Some(Box::new(SolverOracle::new(self.rules())?))
    }
}
