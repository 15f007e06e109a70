//! Moves and positions as numbers, for programs that learn.

pub(crate) mod gdl;
pub(crate) mod quarto;
pub(crate) mod stack4;

use ::game::Game;

/// How the moves and positions of a game become numbers. A move has the same number wherever it is legal.
pub struct Encoding<G: Game> {
    /// How many actions there are: moves by number, from 0.
    pub actions: usize,
    /// The number of a move of the mover.
    pub action: fn(&G, G::Move) -> usize,
    /// What a number means for the mover, if anything; it need not be legal.
    pub move_of: fn(&G, usize) -> Option<G::Move>,
    /// The shape of the array that tells a position, planes first.
    pub shape: fn(&G) -> Vec<usize>,
    /// What each plane tells, in their order.
    pub planes: fn(&G) -> Vec<String>,
    /// Writes that array, which is all zeros.
    pub write: fn(&G, &mut [f32]),
}

#[cfg(test)]
mod tests {
    use crate::find;
    use game::{pick, rng};

    #[test]
    fn every_legal_move_has_a_number_of_its_own_that_means_it() {
        for name in [
            "quarto",
            "quarto-torus-misere",
            "stack4",
            "tictactoe",
            "connectfour",
            "trio",
        ] {
            let game = find(name).unwrap().game;
            let mut rng = rng(3);
            let mut position = game.first();
            while position.payoffs().is_none() {
                let (moves, mut actions) = (position.legal_moves(), Vec::new());
                position.legal_actions(&mut actions);
                assert_eq!(moves.len(), actions.len(), "{name}");
                let most = position.actions().unwrap();
                let mut seen = actions.clone();
                seen.sort_unstable();
                seen.dedup();
                assert!(seen.len() == actions.len() && actions.iter().all(|&action| (action as usize) < most));
                for (mv, &action) in moves.iter().zip(&actions) {
                    assert_eq!(position.action(mv).unwrap(), action as usize, "{name}");
                    assert_eq!(&position.move_of_action(action as usize).unwrap(), mv, "{name}");
                }
                let action = pick(&mut rng, &actions).unwrap();
                position = position.play_action(action as usize).unwrap();
            }
            assert!(position.play_action(0).is_err(), "{name}: the game is over");
            assert!(game.first().play_action(usize::MAX).is_err(), "{name}");
        }
    }

    #[test]
    fn features_fill_their_shape_and_every_plane_has_a_name() {
        for name in ["quarto", "stack4", "tictactoe", "trio"] {
            let position = find(name).unwrap().game.first();
            let (shape, planes) = (position.shape().unwrap(), position.planes());
            assert_eq!(planes.len(), shape[0], "{name}");
            let mut features = vec![0.0; shape.iter().product()];
            position.write_features(&mut features);
            assert!(features.iter().any(|&x| x != 0.0), "{name}");
        }
    }
}
