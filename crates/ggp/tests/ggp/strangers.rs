//! Players and programs of every kind, for the other tests.

use gdl::{Move, Position};
use ggp::host::{Deed, MatchObserver, MoveFault};
use ggp::http::HttpServer;
use ggp::player::{PlayerOptions, serve};
use player::{Analysis, Clock, Player, PlayerError, PlayerFactory};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

pub fn loopback() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

pub fn factory(spec: &str) -> PlayerFactory<Position> {
    gdl::players::factory(spec).unwrap()
}

/// One of ours on a port of its own.
pub fn ours(factory: PlayerFactory<Position>) -> HttpServer {
    serve(loopback(), factory, PlayerOptions::default(), Arc::new(|_| ())).unwrap()
}

/// A player that does what `f` does, whatever that is.
pub struct Odd<F>(pub F);

impl<F: FnMut(&Position, &Clock) -> Move + Send> Player<Position> for Odd<F> {
    fn begin(&mut self, _: u64) {}

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Move>, PlayerError> {
        Ok(Analysis::of_move((self.0)(position, clock)))
    }
}

pub fn odd<F>(f: F) -> PlayerFactory<Position>
where
    F: Fn(&Position, &Clock) -> Move + Send + Sync + Clone + 'static,
{
    PlayerFactory::new("odd".parse().unwrap(), move || Box::new(Odd(f.clone())))
}

/// The first legal move.
pub fn first_legal(position: &Position) -> Move {
    let mut moves = Vec::new();
    game::Game::legal_moves(position, &mut moves);
    moves[0]
}

/// Plays the first legal move after a while.
pub fn slow(time: Duration) -> PlayerFactory<Position> {
    odd(move |position, _| {
        std::thread::sleep(time);
        first_legal(position)
    })
}

/// Writes everything down.
#[derive(Default)]
pub struct Scribe {
    pub not_ready: Vec<Option<MoveFault>>,
    pub turns: Vec<Vec<Deed>>,
}

impl MatchObserver for Scribe {
    fn started(&mut self, faults: &[Option<MoveFault>]) {
        self.not_ready = faults.to_vec();
    }

    fn turn(&mut self, number: u64, deeds: &[Deed]) {
        assert_eq!(number, self.turns.len() as u64 + 1);
        self.turns.push(deeds.to_vec());
    }
}

impl Scribe {
    /// The faults of a role, the missing ready included.
    pub fn faults(&self, role: usize) -> Vec<&MoveFault> {
        let start = self.not_ready.get(role).and_then(Option::as_ref);
        let moves = self.turns.iter().filter_map(|deeds| deeds[role].fault.as_ref());
        start.into_iter().chain(moves).collect()
    }
}
