//! Where games begin.

use game::{Game, random_opening};
use player::Player;

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings<G: Game> {
    /// The first position, after so many random legal turns.
    Plies(u32),
    /// Given positions, one after another.
    Positions(Vec<G>),
}

/// The beginning of the games of a unit.
#[derive(Clone, Debug)]
pub(crate) struct Opening<G: Game> {
    /// The position it begins from, if not the game's own first.
    pub start: Option<String>,
    /// The turns played from there.
    pub turns: String,
    /// The same as moves.
    pub moves: Vec<G::Move>,
    /// What they lead to.
    pub position: G,
}

impl<G: Game> Opening<G> {
    /// Tells a player that wants to know how the game came to where it begins.
    pub fn tell(&self, player: &mut dyn Player<G>) {
        if !player.follows() {
            return;
        }
        let mut position = self.position.start();
        for &mv in &self.moves {
            player.moved(&position, mv);
            position.play_unchecked(mv);
        }
    }
}

impl<G: Game> Openings<G> {
    /// The opening of a round. It depends on nothing but the seed and the round: all players meet on the same ground.
    pub(crate) fn of_round(&self, first: &G, seed: u64, round: u64, buffer: &mut Vec<G::Move>) -> Opening<G> {
        match self {
            Openings::Positions(positions) if !positions.is_empty() => {
                let position = &positions[(round % positions.len() as u64) as usize];
                Opening {
                    start: Some(position.print()),
                    turns: String::new(),
                    moves: Vec::new(),
                    position: position.clone(),
                }
            }
            Openings::Plies(plies) if *plies > 0 => {
                let moves = random_opening(first, *plies, seed, round, buffer);
                let (mut position, mut turns) = (first.clone(), String::new());
                for &mv in &moves {
                    if !turns.is_empty() {
                        turns.push(' ');
                    }
                    position.write_move(mv, &mut turns);
                    position.play_unchecked(mv);
                }
                Opening {
                    start: None,
                    turns,
                    moves,
                    position,
                }
            }
            _ => Opening {
                start: None,
                turns: String::new(),
                moves: Vec::new(),
                position: first.clone(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarto::{Position, Rules};

    #[test]
    fn an_opening_is_a_function_of_seed_and_round() {
        let first = Position::new(Rules::standard());
        let openings = Openings::Plies(3);
        let mut buffer = Vec::new();
        let mut turns = |seed, round| openings.of_round(&first, seed, round, &mut buffer).turns;
        assert_eq!(turns(1, 5), turns(1, 5));
        assert_ne!(turns(1, 5), turns(1, 6));
        assert_ne!(turns(1, 5), turns(2, 5));
        assert_eq!(turns(1, 5).split(' ').count(), 3);
    }

    #[test]
    fn an_opening_never_ends_the_game() {
        let first = Position::new(Rules::standard());
        let mut buffer = Vec::new();
        for round in 0..200 {
            let opening = Openings::Plies(12).of_round(&first, 1, round, &mut buffer);
            assert!(opening.position.outcome().is_none());
        }
        let opening = Openings::Plies(40).of_round(&first, 1, 0, &mut buffer);
        assert!(opening.position.outcome().is_none());
    }
}
