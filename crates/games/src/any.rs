//! A game without its type.

use crate::choices::{self, PlayedGame, RecordedChoice};
#[cfg(not(target_arch = "wasm32"))]
use crate::entrants::{ContestSetup, EntrantError, factory, guest_factory};
#[cfg(not(target_arch = "wasm32"))]
use crate::guest::GuestMaker;
use crate::playable::Playable;
use crate::player_pool::PlayerPool;
use crate::position::{AnyPosition, Erased};
use crate::puzzles::{MinedPuzzle, Mining, ProvedPuzzles, PuzzleError, PuzzleQuestion, PuzzleSet, Tried, Wanted};
use crate::random_games::{self, RandomGames};
use crate::session::{Played, Session};
use crate::truth::{NoTruth, Truth, TruthSettings, Truths};
use crate::view::View;
use ::game::{GameError, Stop, Until};
#[cfg(not(target_arch = "wasm32"))]
use arena::contest::Contest;
#[cfg(not(target_arch = "wasm32"))]
use arena::mistakes::{Mistakes, judge_all};
#[cfg(not(target_arch = "wasm32"))]
use arena::record::PairRecord;
#[cfg(not(target_arch = "wasm32"))]
use link::ugi::{EngineCommand, Excluded, Inspection, InspectionSettings};
use player::{OptionHelp, SpecError};
#[cfg(not(target_arch = "wasm32"))]
use std::io::{self, BufRead, Write};
#[cfg(not(target_arch = "wasm32"))]
use std::path::Path;
use std::sync::Arc;
#[cfg(not(target_arch = "wasm32"))]
use thiserror::Error;

/// A player of a roster, for people.
#[derive(Clone, Copy, Debug)]
pub struct PlayerInfo {
    /// The name that begins a spec.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The options it takes.
    pub options: &'static [OptionHelp],
}

/// Why a game cannot be served to a runner.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug, Error)]
pub enum UgiError {
    /// The protocol cannot speak of it.
    #[error(transparent)]
    Excluded(#[from] link::ugi::Excluded),
    /// The player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The conversation.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A game whose type nobody needs to know.
pub trait AnyGame: Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// One line for people.
    fn summary(&self) -> &str;

    /// What people call it.
    fn title(&self) -> String;

    /// The rules in a few sentences; the line for people where there are none.
    fn rules_in_words(&self) -> String;

    /// A picture of it, for who chooses a game.
    fn preview(&self) -> View;

    /// Which stage of the page draws it: the `kind` of its views.
    fn stage(&self) -> &'static str;

    /// How many seats it has.
    fn seats(&self) -> usize;

    /// What the seats are called.
    fn roles(&self) -> Vec<String>;

    /// Whether exact values of positions can be had.
    fn is_solvable(&self) -> bool;

    /// Whether who does what otherwise wins loses.
    fn is_misere(&self) -> bool;

    /// Whether working a position out takes a moment.
    fn is_slow(&self) -> bool;

    /// Whether puzzles of it come with the program.
    fn has_puzzles(&self) -> bool;

    /// The puzzles that come with the program, if there are any.
    fn puzzles(&self) -> Option<PuzzleSet>;

    /// What came of some turns in the puzzle of that number, those of the other among them; or how it is solved from there.
    ///
    /// # Errors
    ///
    /// There is no such puzzle, or a turn cannot be played.
    fn try_puzzle(
        &self,
        number: usize,
        turns: &[String],
        asked: PuzzleQuestion,
        stop: &Stop,
    ) -> Result<Tried, PuzzleError>;

    #[cfg(not(target_arch = "wasm32"))]
    /// Finds puzzles; the same seed finds the same ones.
    ///
    /// # Errors
    ///
    /// The game has none, or somebody wants it to stop.
    fn mine_puzzles(&self, wanted: Wanted, stop: &Stop, told: &dyn Fn(Mining))
    -> Result<Vec<MinedPuzzle>, PuzzleError>;

    #[cfg(not(target_arch = "wasm32"))]
    /// Proves the puzzles of a file, or those that come with the program.
    ///
    /// # Errors
    ///
    /// There are none, they cannot be read, or somebody wants it to stop.
    fn prove_puzzles(&self, text: Option<&str>, threads: usize, stop: &Stop) -> Result<ProvedPuzzles, PuzzleError>;

    /// Who plays it, the weakest first.
    fn players(&self) -> Vec<PlayerInfo>;

    /// The levels that people choose an opponent by, as specs, the weakest first; none if nobody has measured any.
    fn levels(&self) -> &'static [&'static str];

    /// Whether a spec names a player of this game, programs of others included.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the spec.
    fn check_player(&self, spec: &str) -> Result<(), SpecError>;

    /// What its rules are, if they stand in a file: the file and a digest of what it says.
    fn rules_file(&self) -> Option<(String, String)>;

    /// A game from the first position.
    fn session(self: Arc<Self>) -> Box<dyn Session>;

    #[cfg(not(target_arch = "wasm32"))]
    /// The first position, as a value.
    fn first(&self) -> Box<dyn AnyPosition>;

    #[cfg(not(target_arch = "wasm32"))]
    /// What positions are worth, in their order.
    ///
    /// # Errors
    ///
    /// A position is of another game.
    fn truths(&self, positions: &[&dyn AnyPosition], settings: &TruthSettings) -> Result<Truths<String>, NoTruth>;

    #[cfg(not(target_arch = "wasm32"))]
    /// What a book knows of a position, if there is one that knows it.
    fn in_book(&self, position: &dyn AnyPosition) -> Option<Truth<String>>;

    #[cfg(not(target_arch = "wasm32"))]
    /// So many random games from each position, all chance drawn from `seed`.
    ///
    /// # Errors
    ///
    /// A position is of another game.
    fn random_games(
        &self,
        positions: &[&dyn AnyPosition],
        each: u64,
        seed: u64,
        threads: usize,
        until: &Until,
    ) -> Result<Vec<RandomGames>, NoTruth>;

    /// The random turns that a round of a tournament with that seed begins with: at most so many, and none that ends the game.
    fn random_opening(&self, plies: u32, seed: u64, round: u64) -> Vec<String>;

    #[cfg(not(target_arch = "wasm32"))]
    /// How many sequences of so many moves there are from a position, the first one if none is given.
    ///
    /// # Errors
    ///
    /// The position cannot be read.
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, GameError>;

    #[cfg(not(target_arch = "wasm32"))]
    /// Players who are ready to meet.
    ///
    /// # Errors
    ///
    /// A player cannot be had, or a position cannot be read.
    fn contest(&self, setup: &ContestSetup) -> Result<Arc<dyn Contest>, EntrantError>;

    #[cfg(not(target_arch = "wasm32"))]
    /// What pairs show of so many players, compared with perfect play; `None` if nobody knows that. At most about `most` pairs
    /// are looked at.
    ///
    /// # Errors
    ///
    /// A turn of the pairs cannot be played.
    fn mistakes(&self, pairs: &[PairRecord], most: usize, players: usize) -> Option<Result<Vec<Mistakes>, GameError>>;

    /// How often played games chose each of some options after some turns, and how they fared. What symmetry makes equal is the
    /// same.
    ///
    /// # Errors
    ///
    /// The turns cannot be played.
    fn choices(
        &self,
        turns: &[String],
        options: &[String],
        games: &[PlayedGame],
    ) -> Result<Vec<RecordedChoice>, GameError>;

    #[cfg(not(target_arch = "wasm32"))]
    /// Puts an engine through its paces, for its author.
    ///
    /// # Errors
    ///
    /// The protocol cannot speak of this game.
    fn inspect_engine(&self, command: &EngineCommand, settings: &InspectionSettings) -> Result<Inspection, Excluded>;

    #[cfg(not(target_arch = "wasm32"))]
    /// Talks UGI as a player of that spec (a usual one if none is named), until `quit` or the end of the input.
    ///
    /// # Errors
    ///
    /// There is no such player, the protocol cannot speak of this game, or the conversation broke off.
    fn serve_ugi(
        &self,
        spec: Option<&str>,
        input: Box<dyn BufRead + Send>,
        output: Box<dyn Write>,
    ) -> Result<(), UgiError>;

    #[cfg(not(target_arch = "wasm32"))]
    /// The same as a guest of that name.
    ///
    /// # Errors
    ///
    /// The protocol cannot speak of this game, or the conversation broke off.
    fn serve_guest(
        &self,
        name: &str,
        guest: &GuestMaker,
        input: Box<dyn BufRead + Send>,
        output: Box<dyn Write>,
    ) -> Result<(), UgiError>;
}

/// A game of the registry: its names and its first position.
pub struct GameEntry<G: Playable> {
    name: String,
    summary: String,
    rules_file: Option<(String, String)>,
    pub(crate) start: G,
    /// The players that wait for the next session that needs them.
    pub(crate) pool: PlayerPool<G>,
}

impl<G: Playable> GameEntry<G> {
    /// A game from its first position.
    pub fn new(name: &str, summary: &str, start: G) -> Self {
        GameEntry {
            name: name.into(),
            summary: summary.into(),
            rules_file: None,
            start,
            pool: PlayerPool::new(),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    /// The same, with rules that were read from a file.
    pub fn from_file(mut self, path: &Path) -> Self {
        self.rules_file = Some((path.display().to_string(), link::digest(path)));
        self
    }

    /// A position of this game, the first one if none is given.
    fn position(&self, text: Option<&str>) -> Result<G, GameError> {
        match text {
            Some(text) => self.start.parse(text),
            None => Ok(self.start.clone()),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    /// Positions with their type, if they are all of this game.
    fn own<'p>(&self, positions: &[&'p dyn AnyPosition]) -> Result<Vec<&'p G>, NoTruth> {
        let first = self.start.start();
        let own = |position: &&'p dyn AnyPosition| {
            let typed = position.as_any().downcast_ref::<G>();
            typed.filter(|typed| typed.start() == first)
        };
        let all: Option<Vec<&G>> = positions.iter().map(own).collect();
        all.ok_or_else(|| NoTruth::OtherGame(self.name.clone()))
    }
}

impl<G: Playable> AnyGame for GameEntry<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn summary(&self) -> &str {
        &self.summary
    }

    fn title(&self) -> String {
        self.start.title().unwrap_or_else(|| {
            let mut letters = self.name.chars();
            let first = letters.next().map(|letter| letter.to_uppercase().to_string());
            first.unwrap_or_default() + letters.as_str()
        })
    }

    fn rules_in_words(&self) -> String {
        self.start.rules_in_words().unwrap_or_else(|| self.summary.clone())
    }

    fn preview(&self) -> View {
        self.start.preview()
    }

    fn stage(&self) -> &'static str {
        G::stage()
    }

    fn seats(&self) -> usize {
        self.start.seats()
    }

    fn roles(&self) -> Vec<String> {
        self.start.roles()
    }

    fn is_solvable(&self) -> bool {
        self.start.is_solvable()
    }

    fn is_misere(&self) -> bool {
        self.start.is_misere()
    }

    fn is_slow(&self) -> bool {
        G::is_slow()
    }

    fn has_puzzles(&self) -> bool {
        self.start.has_puzzles(&self.name)
    }

    fn puzzles(&self) -> Option<PuzzleSet> {
        self.start.puzzles(self.start.shipped_puzzles(&self.name)?)
    }

    fn try_puzzle(
        &self,
        number: usize,
        turns: &[String],
        asked: PuzzleQuestion,
        stop: &Stop,
    ) -> Result<Tried, PuzzleError> {
        let text = self.start.shipped_puzzles(&self.name).ok_or(PuzzleError::Unknown)?;
        self.start.try_puzzle(text, number, turns, asked, stop)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn mine_puzzles(
        &self,
        wanted: Wanted,
        stop: &Stop,
        told: &dyn Fn(Mining),
    ) -> Result<Vec<MinedPuzzle>, PuzzleError> {
        self.start.mine_puzzles(wanted, stop, told)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn prove_puzzles(&self, text: Option<&str>, threads: usize, stop: &Stop) -> Result<ProvedPuzzles, PuzzleError> {
        let text = text.or_else(|| self.start.shipped_puzzles(&self.name));
        self.start
            .prove_puzzles(text.ok_or(PuzzleError::Unknown)?, threads, stop)
    }

    fn players(&self) -> Vec<PlayerInfo> {
        let roster = G::roster();
        let info = roster.entries().iter().map(|entry| PlayerInfo {
            name: entry.name,
            summary: entry.summary,
            options: entry.options,
        });
        info.collect()
    }

    fn levels(&self) -> &'static [&'static str] {
        self.start.levels()
    }

    fn check_player(&self, spec: &str) -> Result<(), SpecError> {
        #[cfg(not(target_arch = "wasm32"))]
        return factory::<G>(spec).map(drop);
        #[cfg(target_arch = "wasm32")]
        G::roster().factory(spec).map(drop)
    }

    fn rules_file(&self) -> Option<(String, String)> {
        self.rules_file.clone()
    }

    fn session(self: Arc<Self>) -> Box<dyn Session> {
        Box::new(Played::new(self))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn first(&self) -> Box<dyn AnyPosition> {
        Erased::boxed(self.start.clone())
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn truths(&self, positions: &[&dyn AnyPosition], settings: &TruthSettings) -> Result<Truths<String>, NoTruth> {
        let positions = self.own(positions)?;
        let found = G::truths(&positions, settings);
        let in_words = |(position, truth): (&&G, Result<Truth<G::Move>, NoTruth>)| {
            truth.map(|truth| truth.map(|mv| position.print_move(mv)))
        };
        Ok(positions.iter().zip(found).map(in_words).collect())
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn in_book(&self, position: &dyn AnyPosition) -> Option<Truth<String>> {
        let position = self.own(&[position]).ok()?.pop()?;
        Some(position.in_book()?.map(|mv| position.print_move(mv)))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn random_games(
        &self,
        positions: &[&dyn AnyPosition],
        each: u64,
        seed: u64,
        threads: usize,
        until: &Until,
    ) -> Result<Vec<RandomGames>, NoTruth> {
        Ok(random_games::play(&self.own(positions)?, each, seed, threads, until))
    }

    fn random_opening(&self, plies: u32, seed: u64, round: u64) -> Vec<String> {
        let moves = ::game::random_opening(&self.start, plies, seed, round, &mut Vec::new());
        let mut position = self.start.clone();
        let turns = moves.into_iter().map(|mv| {
            let turn = position.print_move(mv);
            position.play_unchecked(mv);
            turn
        });
        turns.collect()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn perft(&self, position: Option<&str>, depth: u32) -> Result<u64, GameError> {
        Ok(::game::perft(&self.position(position)?, depth))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn contest(&self, setup: &ContestSetup) -> Result<Arc<dyn Contest>, EntrantError> {
        Ok(Arc::new(setup.contest(&self.start)?))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn mistakes(&self, pairs: &[PairRecord], most: usize, players: usize) -> Option<Result<Vec<Mistakes>, GameError>> {
        let oracle = self.start.oracle()?;
        Some(judge_all(&self.start, pairs, most, oracle.as_ref(), players))
    }

    fn choices(
        &self,
        turns: &[String],
        options: &[String],
        games: &[PlayedGame],
    ) -> Result<Vec<RecordedChoice>, GameError> {
        choices::choices(&self.start, turns, options, games)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn inspect_engine(&self, command: &EngineCommand, settings: &InspectionSettings) -> Result<Inspection, Excluded> {
        link::ugi::check(&self.start)?;
        Ok(link::ugi::inspect(&self.start, command, settings))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn serve_ugi(
        &self,
        spec: Option<&str>,
        input: Box<dyn BufRead + Send>,
        output: Box<dyn Write>,
    ) -> Result<(), UgiError> {
        link::ugi::check(&self.start)?;
        let roster = G::roster();
        // A runner that names nobody gets somebody who answers at once.
        let usual = roster.entry("novice").map(|entry| entry.name).or(roster.strongest());
        let factory = factory::<G>(spec.or(usual).unwrap_or("random"))?;
        Ok(link::ugi::serve(self.start.clone(), roster, &factory, input, output)?)
    }
    #[cfg(not(target_arch = "wasm32"))]
    fn serve_guest(
        &self,
        name: &str,
        guest: &GuestMaker,
        input: Box<dyn BufRead + Send>,
        output: Box<dyn Write>,
    ) -> Result<(), UgiError> {
        link::ugi::check(&self.start)?;
        let factory = guest_factory::<G>(name, guest);
        Ok(link::ugi::serve(
            self.start.clone(),
            G::roster(),
            &factory,
            input,
            output,
        )?)
    }
}
