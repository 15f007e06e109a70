//! A search whose evaluator was chosen while the program runs.

use crate::{AlphaBeta, Evaluator, Limits};
use game::{Game, Rng};
use player::Analysis;

/// An [`AlphaBeta`] with some evaluator. It is called through a table once a search; inside, all is bound statically.
pub trait Searcher<G: Game>: Send {
    /// [`AlphaBeta::search_observed`].
    fn search_observed(
        &mut self,
        position: &G,
        limits: &Limits,
        rng: Option<&mut Rng>,
        observer: &mut dyn FnMut(Analysis<G::Move>),
    ) -> Option<Analysis<G::Move>>;

    /// [`AlphaBeta::search`].
    fn search(&mut self, position: &G, limits: &Limits, rng: Option<&mut Rng>) -> Option<Analysis<G::Move>> {
        self.search_observed(position, limits, rng, &mut |_| ())
    }

    /// [`AlphaBeta::best_moves`].
    fn best_moves(&mut self, position: &G, deepest: u32) -> Vec<G::Move>;

    /// [`AlphaBeta::clear`].
    fn clear(&mut self);
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBeta<G, E> {
    fn search_observed(
        &mut self,
        position: &G,
        limits: &Limits,
        rng: Option<&mut Rng>,
        observer: &mut dyn FnMut(Analysis<G::Move>),
    ) -> Option<Analysis<G::Move>> {
        AlphaBeta::search_observed(self, position, limits, rng, observer)
    }

    fn best_moves(&mut self, position: &G, deepest: u32) -> Vec<G::Move> {
        AlphaBeta::best_moves(self, position, deepest)
    }

    fn clear(&mut self) {
        AlphaBeta::clear(self);
    }
}
