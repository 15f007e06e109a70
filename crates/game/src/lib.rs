//! What a game is.
//!
//! Everything above this room speaks of games through the [`Game`] trait: a position that knows its mover, its legal
//! moves, how to play one and its outcome. Searches are generic over it and so cost nothing against hand-written code;
//! `dyn` begins at the arena.
//!
//! - [`Seat`] is who sits where, [`Payoffs`] what each seat got (win 100, draw 50, loss 0, as GDL has it).
//! - [`GameError`] is what a reader of moves and positions says when the text is wrong.
//! - [`Dialect`] is how other programs write the moves of a game that has a notation of its own here.
//! - [`perft`] counts move trees; [`conformance`] is the suite that every game's tests call.
//! - [`Stop`] is how a search is told to end.
//! - [`example`] is the smallest real game, complete.
//! - [`Rng`] and [`rng`] make every random choice a function of a seed, on any number of threads; [`random_opening`] is one of them.
//!
//! ```
//! use game::example::Heap;
//! use game::{Game, Seat, perft};
//!
//! let mut heap = Heap::new(5);
//! assert_eq!(perft(&heap, 3), 10);
//! for text in ["3", "2"] {
//!     heap.play(heap.parse_move(text)?)?;
//! }
//! assert_eq!(heap.outcome().and_then(|payoffs| payoffs.winner()), Some(Seat::SECOND));
//! assert_eq!(heap.play(1).unwrap_err().to_string(), "cannot play 1: the game is over");
//! # Ok::<(), game::GameError>(())
//! ```

#![warn(clippy::missing_errors_doc, reason = "who uses a library reads when it fails")]

mod dialect;
mod error;
mod gametext;
mod instant;
mod opening;
mod payoff;
mod perft;
mod seat;
mod seed;
mod stop;

pub mod conformance;
pub mod example;

pub use dialect::Dialect;
pub use error::GameError;
pub use gametext::GameText;
pub use instant::Instant;
pub use opening::random_opening;
pub use payoff::{MAX_SEATS, Payoff, Payoffs};
pub use perft::{perft, perft_each};
pub use seat::Seat;
pub use seed::{Rng, below, mix, pick, rng};
pub use stop::{Stop, Until};

use std::fmt::Debug;
use std::hash::Hash;

/// A position of a game, together with its rules.
///
/// Positions are small values: a search copies one, plays on the copy and drops it. The contract that
/// [`conformance::check`] tests on every game:
///
/// - [`legal_moves`](Game::legal_moves) is empty exactly when [`outcome`](Game::outcome) is `Some`;
/// - it holds every move that [`is_legal`](Game::is_legal) accepts, once;
/// - whatever is printed parses back to itself;
/// - equal positions have equal [`key`](Game::key)s.
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move. Small enough to copy freely.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The first position under the same rules.
    fn start(&self) -> Self;

    /// How many seats the game has.
    fn seats(&self) -> usize {
        2
    }

    /// Who is to move. Of a finished game, who would be.
    fn mover(&self) -> Seat;

    /// What every seat got, once the game is over.
    fn outcome(&self) -> Option<Payoffs>;

    /// The game's own points so far, of both seats, in a game that counts them. They break ties beside the payoff.
    fn points(&self) -> Option<[i32; 2]> {
        None
    }

    /// Clears `into` and writes the legal moves there, always in the same order.
    fn legal_moves(&self, into: &mut Vec<Self::Move>);

    /// How many moves are legal. Games that can count without listing should.
    fn legal_count(&self) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// Whether `mv` may be played here.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Says what is wrong with an illegal move, in the game's own words.
    fn why_illegal(&self, mv: Self::Move) -> String;

    /// Plays a move that is known to be legal. An illegal one leaves the position unspecified (but never unsound).
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Plays a move, or says why it cannot be played and changes nothing.
    ///
    /// # Errors
    /// [`GameError`] if the game is over or the move is illegal.
    fn play(&mut self, mv: Self::Move) -> Result<(), GameError> {
        if self.outcome().is_some() {
            return Err(GameError::Finished {
                mv: self.print_move(mv),
            });
        }
        if !self.is_legal(mv) {
            return Err(GameError::Illegal {
                mv: self.print_move(mv),
                why: self.why_illegal(mv),
            });
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// The move of a player who knows nothing but the rules, or `None` if the game is over. `buffer` is scratch space.
    ///
    /// Uniform among the legal moves, unless the game has a more natural notion of playing at random.
    #[inline]
    fn random_move(&self, rng: &mut Rng, buffer: &mut Vec<Self::Move>) -> Option<Self::Move> {
        self.legal_moves(buffer);
        pick(rng, buffer)
    }

    /// A hash of the position for transposition tables, good in all 64 bits.
    fn key(&self) -> u64;

    /// The position as text.
    fn print(&self) -> String;

    /// Reads a position under the same rules as `self`.
    ///
    /// # Errors
    /// [`GameError`] if it cannot be read, or no game can have come to it; it names the place.
    fn parse(&self, text: &str) -> Result<Self, GameError>;

    /// A move as text, a single word.
    fn print_move(&self, mv: Self::Move) -> String;

    /// Appends a move as text. Games whose records are written often should do so without an allocation.
    fn write_move(&self, mv: Self::Move, into: &mut String) {
        into.push_str(&self.print_move(mv));
    }

    /// Reads a move. It need not be legal here: [`play`](Game::play) says so.
    ///
    /// # Errors
    /// [`GameError`] if it is not written as a move of this game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, GameError>;

    /// Which parts a turn has, for the clocks that are kept apart.
    fn parts(&self, _mv: Self::Move) -> Parts {
        Parts::Place
    }

    /// What the seats are called.
    fn roles(&self) -> Vec<String> {
        (1..=self.seats()).map(|seat| format!("seat {seat}")).collect()
    }

    /// Whether somebody does not see everything that happens.
    fn is_hidden(&self) -> bool {
        false
    }

    /// The seats that choose at the same time, in the order in which they are asked; the mover alone where the seats move in
    /// turn, and nobody once the game is over.
    fn movers(&self) -> Vec<Seat> {
        match self.outcome() {
            None => vec![self.mover()],
            Some(_) => Vec::new(),
        }
    }

    /// How many of [`movers`](Game::movers) have chosen already. The others must not know what.
    fn chosen(&self) -> usize {
        0
    }

    /// The position as everybody may see it: without what some have chosen while others are still choosing.
    fn public(&self) -> Self {
        self.clone()
    }

    /// How other programs write the moves of this game, if not in its own notation.
    fn dialect(&self) -> Option<&'static dyn Dialect> {
        None
    }

    /// How many symmetries the rules have. Number 0 is the identity.
    fn symmetries(&self) -> usize {
        1
    }

    /// The position as symmetry number `symmetry` maps it.
    fn transform(&self, symmetry: usize) -> Self {
        debug_assert_eq!(symmetry, 0);
        self.clone()
    }

    /// A move as symmetry number `symmetry` maps it.
    fn transform_move(&self, symmetry: usize, mv: Self::Move) -> Self::Move {
        debug_assert_eq!(symmetry, 0);
        mv
    }
}

/// The parts of a turn. A Quarto turn places and gives; the first one only gives, the last one only places. A move of
/// any other game counts as placing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// The turn only places.
    Place,
    /// The turn only gives.
    Give,
    /// The turn places, then gives.
    Both,
}
