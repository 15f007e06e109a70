//! A game that is being played, whatever game it is.
//!
//! [`Session`] is spoken to in plies and texts: a table of the page holds one, and so does a terminal. Behind it stand the
//! positions and moves of any [`Playable`] game.

use crate::any::{AnyGame, GameEntry};
use crate::exact::{Consequence, ExactPosition, Hint, JudgedTurn, SolverQuestion, TurnClass};
use crate::playable::Playable;
use crate::view::View;
use ::game::{Game, GameError};
use player::{Analysis, Clock, PlayerError, Score, SpecError};
use search::{Solution, Unsolved, Watch};
use std::sync::Arc;
use thiserror::Error;

/// How much of a principal variation is told.
const LONGEST_PV: usize = 16;

/// What there is to know about a game at some ply.
pub struct Moment {
    /// The position as text.
    pub position: String,
    /// Whose move it is, from 0; nobody's once the game is over.
    pub mover: Option<usize>,
    /// The legal turns.
    pub legal: Vec<String>,
    /// The same as people write them.
    pub legal_written: Vec<String>,
    /// Payoffs by seat, once the game is over.
    pub payoffs: Option<Vec<u8>>,
    /// The game's own points.
    pub points: Option<[i32; 2]>,
    /// How it ended, in words.
    pub ending: Option<String>,
    /// The turn that led here: whose it was, and what it did, in words.
    pub last: Option<(usize, String)>,
    /// What to draw.
    pub view: View,
}

/// A thought to be had on some thread, by a clock that starts there.
pub type Thinker = Box<dyn FnOnce(&Clock) -> Result<Analysis<String>, PlayerError> + Send>;

/// A hint to be had on some thread, by a clock that starts there.
pub type Adviser = Box<dyn FnOnce(&Clock) -> Result<Hint, PlayerError> + Send>;

/// Why something cannot be done with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionError {
    /// A turn in a finished game.
    #[error("{0}")]
    Over(GameError),
    /// A turn that the rules forbid.
    #[error("{0}")]
    Illegal(GameError),
    /// Not a turn.
    #[error("{0}")]
    Turn(GameError),
    /// Not a position.
    #[error("{0}")]
    Position(GameError),
    /// Not a part of a turn that can be made.
    #[error("{0}")]
    HalfTurn(String),
    /// A turn of several.
    #[error("turn {number}: {why}")]
    Record {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        why: Box<SessionError>,
    },
    /// The game is too long already.
    #[error("no game here is longer than {0} turns")]
    TooLong(usize),
    /// No such player.
    #[error(transparent)]
    Player(#[from] SpecError),
}

impl From<GameError> for SessionError {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Finished { .. } => SessionError::Over(error),
            GameError::Illegal { .. } => SessionError::Illegal(error),
            GameError::Notation { .. } => SessionError::Turn(error),
        }
    }
}

/// A game being played: its first position and the turns that followed.
pub trait Session: Send + Sync {
    /// The game.
    fn game(&self) -> Arc<dyn AnyGame>;
    /// The turns played.
    fn turns(&self) -> Vec<String>;
    /// The same as people write them.
    fn written(&self) -> Vec<String>;
    /// How many.
    fn len(&self) -> usize;
    /// Whether none was played.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The position it began from.
    fn start(&self) -> String;
    /// Whether that is the game's own first position.
    fn begins_at_the_start(&self) -> bool;
    /// Takes no more turns than this from now on: a game from a rule sheet need not end by itself.
    fn limit_turns(&mut self, longest: usize);
    /// Plays a turn after the first `ply` turns; those that stood there are dropped.
    ///
    /// # Errors
    ///
    /// It is no turn, it is illegal, or the game is over; nothing has changed then.
    fn play(&mut self, ply: usize, turn: &str) -> Result<(), SessionError>;
    /// Begins anew: from a position, or the game's own first one, with these turns.
    ///
    /// # Errors
    ///
    /// The position or a turn is wrong; nothing has changed then.
    fn replace(&mut self, position: Option<&str>, turns: &[String]) -> Result<(), SessionError>;
    /// Whether a word is written like a turn of this game, legal or not.
    fn reads_turn(&self, word: &str) -> bool;
    /// Whether a text is a position of this game.
    ///
    /// # Errors
    ///
    /// Says why it is none.
    fn check_position(&self, text: &str) -> Result<(), SessionError>;
    /// Whose move it is after so many turns, from 0; `None` once the game is over.
    fn mover(&self, ply: usize) -> Option<usize>;
    /// Whose move it is after so many turns, from 0; of a finished game, whose it would be.
    fn seat_to_move(&self, ply: usize) -> usize;
    /// The seats that choose at the same time as the mover, and the mover; nobody once the game is over.
    fn choosers(&self, ply: usize) -> Vec<usize>;
    /// The ply at which those who choose at the same time began to: `ply` itself, unless some of them have chosen there.
    fn round(&self, ply: usize) -> usize;
    /// How many of the turns are for everybody to see: all, but for choices that others have yet to make at the same time.
    fn revealed(&self) -> usize {
        self.round(self.len())
    }
    /// The position it began from, as everybody may see it.
    fn shown_start(&self) -> String;
    /// Everything about a ply that everybody may see.
    fn moment(&self, ply: usize) -> Moment;
    /// The position at a ply, everything in it, as text.
    fn position(&self, ply: usize) -> String;
    /// How many turns are legal at a ply.
    fn legal_count(&self, ply: usize) -> usize;
    /// What a player would like to know about the position at a ply: names of facts and their items.
    fn facts(&self, ply: usize) -> Vec<(&'static str, Vec<String>)>;
    /// The position at a ply drawn for a terminal.
    fn drawing(&self, ply: usize, colour: bool) -> String;
    /// What a player advises at a ply, all its chance drawn from `seed`.
    ///
    /// # Errors
    ///
    /// There is no such player.
    fn adviser(&self, ply: usize, spec: &str, seed: u64) -> Result<Adviser, SpecError>;
    /// What is known exactly about the position at a ply, or about the middle of a turn, if `half` says which part of it is
    /// made; `None` if nothing of this game is.
    ///
    /// # Errors
    ///
    /// That part of a turn cannot be made there.
    fn exact(&self, ply: usize, half: Option<&str>) -> Option<Result<Box<dyn ExactPosition>, SessionError>>;
    /// How the turn played at a ply is judged by the exact truth, if that can be known.
    fn judge(&self, ply: usize) -> Option<SolverQuestion<Option<JudgedTurn>>>;
    /// What can be done at a ply by the exact truth, equal turns counted as one, if that can be known.
    fn branches(&self, ply: usize) -> Option<SolverQuestion<Vec<TurnClass>>>;
    /// What a turn at a ply leads to by the exact truth, if that can be known.
    ///
    /// # Errors
    ///
    /// It is no turn, or it is illegal there.
    fn consequence(&self, ply: usize, turn: &str) -> Option<Result<SolverQuestion<Consequence>, SessionError>>;
    /// The exact value of the position at a ply, by searching to the end of every game: for small games.
    ///
    /// # Errors
    ///
    /// Says why there is none.
    fn solve(&self, ply: usize, memory: usize, watch: Watch) -> Result<Solution<String>, Unsolved>;
    /// Whether a player of this spec can be asked.
    ///
    /// # Errors
    ///
    /// Says why not.
    fn check_player(&self, spec: &str) -> Result<(), SpecError>;
    /// The spec of the strongest player.
    fn strongest(&self) -> String;
    /// What the strongest player expects of the game with a score: 1 is a win, 0 a loss.
    fn expectation(&self, score: Score) -> f64;
    /// A player's thought at a ply, all its chance drawn from `seed`.
    ///
    /// # Errors
    ///
    /// There is no such player.
    fn thinker(&self, ply: usize, spec: &str, seed: u64) -> Result<Thinker, SpecError>;
}

/// Positions and moves: one more position than moves.
pub(crate) struct Played<G: Playable> {
    entry: Arc<GameEntry<G>>,
    positions: Vec<G>,
    moves: Vec<G::Move>,
    /// The moves as people write them.
    written: Vec<String>,
    longest: usize,
}

impl<G: Playable> Played<G> {
    pub fn new(entry: Arc<GameEntry<G>>) -> Self {
        let start = entry.start.clone();
        Played::from(entry, start)
    }

    fn from(entry: Arc<GameEntry<G>>, start: G) -> Self {
        Played {
            entry,
            positions: vec![start],
            moves: Vec::new(),
            written: Vec::new(),
            longest: usize::MAX,
        }
    }

    /// The position after so many turns, or the last one.
    fn at(&self, ply: usize) -> &G {
        &self.positions[ply.min(self.moves.len())]
    }

    /// The move that a text means at a ply, and the position it leads to.
    fn next(&self, ply: usize, turn: &str) -> Result<(G::Move, G), SessionError> {
        if ply >= self.longest {
            return Err(SessionError::TooLong(self.longest));
        }
        let mut position = self.at(ply).clone();
        let mv = position.parse_move(turn)?;
        position.play(mv)?;
        Ok((mv, position))
    }
}

impl<G: Playable> Session for Played<G> {
    fn game(&self) -> Arc<dyn AnyGame> {
        self.entry.clone()
    }

    fn turns(&self) -> Vec<String> {
        let moves = self.positions.iter().zip(&self.moves);
        moves.map(|(position, &mv)| position.print_move(mv)).collect()
    }

    fn written(&self) -> Vec<String> {
        self.written.clone()
    }

    fn len(&self) -> usize {
        self.moves.len()
    }

    fn start(&self) -> String {
        self.at(0).print()
    }

    fn begins_at_the_start(&self) -> bool {
        *self.at(0) == self.at(0).start()
    }

    fn limit_turns(&mut self, longest: usize) {
        self.longest = longest;
    }

    fn play(&mut self, ply: usize, turn: &str) -> Result<(), SessionError> {
        let ply = ply.min(self.moves.len());
        let (mv, next) = self.next(ply, turn)?;
        self.written.truncate(ply);
        self.written.push(self.at(ply).move_for_people(mv));
        self.positions.truncate(ply + 1);
        self.moves.truncate(ply);
        self.positions.push(next);
        self.moves.push(mv);
        Ok(())
    }

    fn replace(&mut self, position: Option<&str>, turns: &[String]) -> Result<(), SessionError> {
        let first = self.at(0).start();
        let start = match position {
            Some(text) => first.parse(text).map_err(SessionError::Position)?,
            None => first,
        };
        let mut played = Played::from(self.entry.clone(), start);
        played.longest = self.longest;
        for (number, turn) in turns.iter().enumerate() {
            played.play(number, turn).map_err(|why| SessionError::Record {
                number: number + 1,
                why: Box::new(why),
            })?;
        }
        *self = played;
        Ok(())
    }

    fn reads_turn(&self, word: &str) -> bool {
        self.at(0).parse_move(word).is_ok()
    }

    fn check_position(&self, text: &str) -> Result<(), SessionError> {
        self.at(0).parse(text).map(drop).map_err(SessionError::Position)
    }

    fn mover(&self, ply: usize) -> Option<usize> {
        let position = self.at(ply);
        position.outcome().is_none().then(|| position.mover().index())
    }

    fn seat_to_move(&self, ply: usize) -> usize {
        self.at(ply).mover().index()
    }

    fn choosers(&self, ply: usize) -> Vec<usize> {
        self.at(ply).movers().into_iter().map(|seat| seat.index()).collect()
    }

    fn round(&self, ply: usize) -> usize {
        let ply = ply.min(self.moves.len());
        ply.saturating_sub(Game::chosen(self.at(ply)))
    }

    fn shown_start(&self) -> String {
        self.at(0).public().print()
    }

    fn moment(&self, ply: usize) -> Moment {
        let ply = ply.min(self.moves.len());
        let position = self.at(ply);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let last = ply.checked_sub(1).map(|before| {
            let position = &self.positions[before];
            (position.mover().index(), position.describe(self.moves[before]))
        });
        Moment {
            position: position.public().print(),
            mover: self.mover(ply),
            legal_written: moves.iter().map(|&mv| position.move_for_people(mv)).collect(),
            legal: moves.into_iter().map(|mv| position.print_move(mv)).collect(),
            payoffs: position
                .outcome()
                .map(|payoffs| payoffs.all().iter().map(|payoff| payoff.points()).collect()),
            points: position.points(),
            ending: position.ending(),
            last,
            view: G::view(&self.positions[..=ply]),
        }
    }

    fn position(&self, ply: usize) -> String {
        self.at(ply).print()
    }

    fn legal_count(&self, ply: usize) -> usize {
        self.at(ply).legal_count()
    }

    fn facts(&self, ply: usize) -> Vec<(&'static str, Vec<String>)> {
        self.at(ply).facts()
    }

    fn drawing(&self, ply: usize, colour: bool) -> String {
        self.at(ply).public().drawing(colour)
    }

    fn adviser(&self, ply: usize, spec: &str, seed: u64) -> Result<Adviser, SpecError> {
        let think = self.thinker(ply, spec, seed)?;
        let (position, player) = (self.at(ply).clone(), spec.to_string());
        Ok(Box::new(move |clock| {
            let said = think(clock)?;
            match position.parse_move(&said.best) {
                Ok(mv) => Ok(position.hint(mv, &player, said.value)),
                Err(error) => Err(PlayerError::NotAMove {
                    said: said.best,
                    why: error.to_string(),
                }),
            }
        }))
    }

    fn exact(&self, ply: usize, half: Option<&str>) -> Option<Result<Box<dyn ExactPosition>, SessionError>> {
        self.at(ply).exact(half)
    }

    fn judge(&self, ply: usize) -> Option<SolverQuestion<Option<JudgedTurn>>> {
        self.at(ply).judge(*self.moves.get(ply)?)
    }

    fn branches(&self, ply: usize) -> Option<SolverQuestion<Vec<TurnClass>>> {
        self.at(ply).branches()
    }

    fn consequence(&self, ply: usize, turn: &str) -> Option<Result<SolverQuestion<Consequence>, SessionError>> {
        let position = self.at(ply);
        let mv = match self.next(ply, turn) {
            Ok((mv, _)) => mv,
            Err(error) => return position.is_solvable().then_some(Err(error)),
        };
        position.consequence(mv).map(Ok)
    }

    fn solve(&self, ply: usize, memory: usize, watch: Watch) -> Result<Solution<String>, Unsolved> {
        let position = self.at(ply);
        let Solution {
            value,
            moves,
            positions,
        } = position.solve(memory, watch)?;
        let in_words = |(mv, value)| (position.print_move(mv), value);
        Ok(Solution {
            value,
            moves: moves.into_iter().map(in_words).collect(),
            positions,
        })
    }

    fn check_player(&self, spec: &str) -> Result<(), SpecError> {
        G::roster().factory(spec).map(drop)
    }

    fn strongest(&self) -> String {
        G::roster().strongest().unwrap_or_default().into()
    }

    fn expectation(&self, score: Score) -> f64 {
        G::expectation(score)
    }

    fn thinker(&self, ply: usize, spec: &str, seed: u64) -> Result<Thinker, SpecError> {
        let factory = G::roster().factory(spec)?;
        let (position, entry) = (self.at(ply).clone(), self.entry.clone());
        let spec = spec.to_string();
        Ok(Box::new(move |clock| {
            entry.pool.with(
                &spec,
                || factory.make(),
                |player| {
                    player.begin(seed);
                    let analysis = player.choose(&position, clock)?;
                    let time = clock.elapsed();
                    if !position.is_legal(analysis.best) {
                        return Err(PlayerError::NotAMove {
                            said: position.print_move(analysis.best),
                            why: position.why_illegal(analysis.best),
                        });
                    }
                    let mut in_words = analysis.in_words(&position);
                    in_words.pv.truncate(LONGEST_PV);
                    Ok(Analysis { time, ..in_words })
                },
            )
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> Result<Box<dyn Session>, crate::UnknownGame> {
        Ok(crate::find(name)?.game.session())
    }

    #[test]
    fn a_turn_after_some_plies_drops_what_stood_there() {
        let mut line = game("quarto").unwrap();
        for (ply, turn) in ["-.0", "a1.1", "b1.2"].into_iter().enumerate() {
            line.play(ply, turn).unwrap();
        }
        line.play(1, "d4.f").unwrap();
        assert_eq!(line.turns(), ["-.0", "d4.f"]);
        assert_eq!(line.moment(2).position, "..../..../..../...0 f");
        // A refused turn changes nothing.
        assert!(matches!(line.play(1, "a1.0"), Err(SessionError::Illegal(_))));
        assert!(matches!(line.play(1, "zebra"), Err(SessionError::Turn(_))));
        assert_eq!(line.len(), 2);
    }

    #[test]
    fn every_game_gives_a_moment_and_a_thought() {
        for name in ["quarto", "stack4", "tictactoe"] {
            let line = game(name).unwrap();
            let moment = line.moment(0);
            assert_eq!(moment.mover, Some(0));
            let think = line.thinker(0, "random", 1).unwrap();
            let said = think(&Clock::unlimited()).unwrap();
            assert!(moment.legal.contains(&said.best), "{name}: {said:?}");
        }
    }
}
