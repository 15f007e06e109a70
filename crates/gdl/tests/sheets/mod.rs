//! What the tests of players from rule sheets share.

use game::{Game, Seat};
use gdl::players::factory;
use gdl::{BuildLimits, Machine, Move, Position, Sheet};
use player::{Clock, Player};

/// The first position of a bundled game.
pub fn start(name: &str) -> Position {
    let sheet = Sheet::load(name).unwrap();
    Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
}

/// A player, ready for a game.
pub fn player(spec: &str) -> Box<dyn Player<Position>> {
    let mut player = factory(spec).unwrap().make();
    player.begin(7);
    player
}

/// The legal moves.
pub fn moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The position after a legal move.
pub fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play(mv).unwrap();
    next
}

/// The least that the player gets on `seat`, whatever the others reply. It is asked in every position once, as if it had
/// just sat down, and remembered, so that replies that meet again are walked once.
#[allow(
    clippy::mutable_key_type,
    reason = "what a position caches of its game is no part of its hash"
)]
pub fn worst_result(
    player: &mut dyn Player<Position>,
    position: &Position,
    seat: Seat,
    known: &mut std::collections::HashMap<Position, u8>,
) -> u8 {
    if let Some(payoffs) = position.outcome() {
        return payoffs.of(seat).points();
    }
    if let Some(&worst) = known.get(position) {
        return worst;
    }
    let replies = match position.mover() == seat {
        true => vec![player.choose(position, &Clock::unlimited()).unwrap().best],
        false => moves(position),
    };
    let worst = replies
        .into_iter()
        .map(|mv| worst_result(player, &after(position, mv), seat, known))
        .min()
        .unwrap();
    known.insert(position.clone(), worst);
    worst
}

/// Plays a game of a player against random moves on all other seats, every move checked. Returns what its seat got.
pub fn game_against_random(spec: &str, start: &Position, seat: Seat, seed: u64) -> u8 {
    let (mut player, mut rng) = (player(spec), game::rng(seed));
    player.begin(seed);
    let mut position = start.clone();
    loop {
        if let Some(payoffs) = position.outcome() {
            return payoffs.of(seat).points();
        }
        let mv = match position.mover() == seat {
            true => player.choose(&position, &Clock::unlimited()).unwrap().best,
            false => position.random_move(&mut rng, &mut Vec::new()).unwrap(),
        };
        position.play(mv).unwrap();
    }
}
