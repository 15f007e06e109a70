//! Searches that know no game.
//!
//! Three things are kept apart: the rules ([`game::Game`]), what a position is worth ([`Evaluator`]) or how a game is
//! played out ([`Policy`]), and the search itself. All of it is static dispatch; nothing in an inner loop allocates.
//!
//! - [`negamax`]: plain and slow; the tests compare every other search with it;
//! - [`AlphaBeta`]: iterative deepening with a transposition table, killers and history; the same values as negamax;
//! - [`MonteCarlo`]: playouts from every move, in parallel, the same sums on any number of threads;
//! - [`ExactSolver`]: the exact value of a position of a small game;
//! - [`Mcts`]: Monte Carlo tree search that marks what it has proved;
//! - [`puzzle`]: positions with one right answer, found and proved.
//!
//! Every search takes [`Limits`], stops within a few milliseconds of its clock and answers with a [`player::Analysis`]: as
//! long as the game is not over there is one, with a legal move, at any clock, zero included.
//!
//! The games are zero-sum games for two. The seats need not alternate: [`game::Game::mover`] says who moves.
//!
//! ```
//! use game::example::Heap;
//! use search::{ExactSolver, Limits, Mcts, Random, TreeSettings, Watch};
//!
//! // Who leaves a multiple of four wins: of seven stones one takes three.
//! let mut solver = ExactSolver::new(2, Heap::clone, 0, 1 << 20, Watch::default())?;
//! assert_eq!(solver.value(&Heap::new(7)), Ok(100));
//! assert_eq!(solver.moves(&Heap::new(7)), Ok(vec![(1, 0), (2, 0), (3, 100)]));
//!
//! let settings = TreeSettings::default();
//! let found = Mcts { policy: Random, settings }.search(&Heap::new(7), &Limits::nodes(1000), 1);
//! assert_eq!(found.map(|found| found.best), Some(3));
//! # Ok::<(), search::Unsolved>(())
//! ```

#![warn(clippy::missing_errors_doc, reason = "who uses a library reads when it fails")]

mod alphabeta;
mod evaluator;
mod exact;
mod mcts;
mod meter;
mod montecarlo;
mod negamax;
mod order;
pub mod players;
mod policy;
pub mod puzzle;
mod pvs;
mod searcher;
mod transposition;

pub use alphabeta::{AlphaBeta, Settings};
pub use evaluator::{Evaluator, Horizon, LastPly, Scale, SeatScale, Value};
pub use exact::{ExactSolver, Solution, Unsolved, Watch};
pub use mcts::{Mcts, TreeSettings};
pub use montecarlo::MonteCarlo;
pub use negamax::{negamax, negamax_moves};
pub use player::Limits;
pub use policy::{Policy, Random};
pub use searcher::Searcher;
