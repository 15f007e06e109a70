//! A position without its type: a value that is played on by making new ones.
//!
//! A [`Session`](crate::Session) is a game being played at a table; this is for programs that look at many positions: who learns,
//! who searches in another language.

use crate::playable::Playable;
use crate::view::View;
use ::game::GameError;
use std::any::Any;

/// A position whose type nobody needs to know.
pub trait AnyPosition: Send + Sync {
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyPosition>;
    /// The position itself, for who knows its type.
    fn as_any(&self) -> &dyn Any;
    /// Whether it is the same position of the same game.
    fn equals(&self, other: &dyn AnyPosition) -> bool;
    /// Reads a position of the same game.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, GameError>;
    /// The position as text, everything in it.
    fn print(&self) -> String;
    /// The position drawn for a terminal.
    fn drawing(&self, colour: bool) -> String;
    /// What the page draws.
    fn view(&self) -> View;
    /// A hash, equal for equal positions.
    fn key(&self) -> u64;
    /// Whose move it is, from 0; of a finished game, whose it would be.
    fn mover(&self) -> usize;
    /// The seats that choose at the same time; the mover alone where the seats move in turn.
    fn movers(&self) -> Vec<usize>;
    /// The position as everybody may see it: without what some have chosen while others are still choosing.
    fn public(&self) -> Box<dyn AnyPosition>;
    /// Whether the game is over.
    fn is_over(&self) -> bool;
    /// What every seat got, once the game is over.
    fn payoffs(&self) -> Option<Vec<u8>>;
    /// The game's own points of both seats, where it counts any.
    fn points(&self) -> Option<[i32; 2]>;
    /// How a finished game ended, in words.
    fn ending(&self) -> Option<String>;
    /// The legal moves, always in the same order.
    fn legal_moves(&self) -> Vec<String>;
    /// The position after a move.
    ///
    /// # Errors
    ///
    /// It is no move, it is illegal, or the game is over.
    fn play(&self, mv: &str) -> Result<Box<dyn AnyPosition>, GameError>;
    /// How many actions there are: moves by number. `None` if the game does not number its moves; an action is then a place in the
    /// list of legal moves.
    fn actions(&self) -> Option<usize>;
    /// Clears `into` and writes the legal actions there, in the order of the legal moves.
    fn legal_actions(&self, into: &mut Vec<u32>);
    /// The number of a move.
    ///
    /// # Errors
    ///
    /// It is no move, or is not legal where moves are numbered by their place among the legal ones.
    fn action(&self, mv: &str) -> Result<usize, GameError>;
    /// The move of a number, legal or not.
    ///
    /// # Errors
    ///
    /// There is none.
    fn move_of_action(&self, action: usize) -> Result<String, GameError>;
    /// The position after an action.
    ///
    /// # Errors
    ///
    /// There is no such action, it is illegal, or the game is over.
    fn play_action(&self, action: usize) -> Result<Box<dyn AnyPosition>, GameError>;
    /// The shape of the array that tells the position, planes first, if the game has one.
    fn shape(&self) -> Option<Vec<usize>>;
    /// What each plane tells.
    fn planes(&self) -> Vec<String>;
    /// Writes that array, which is all zeros.
    fn write_features(&self, into: &mut [f32]);
    /// How many symmetries the rules have, the identity included.
    fn symmetries(&self) -> usize;
    /// The position as a symmetry maps it; the last one for larger numbers.
    fn transform(&self, symmetry: usize) -> Box<dyn AnyPosition>;
    /// A move as a symmetry maps it.
    ///
    /// # Errors
    ///
    /// It is no move.
    fn transform_move(&self, symmetry: usize, mv: &str) -> Result<String, GameError>;
}

/// Room for the legal moves of most positions: a list that grows step by step costs more than all else about it.
const MANY: usize = 256;

/// A position whose type is hidden.
pub(crate) struct Erased<G>(pub G);

impl<G: Playable> Erased<G> {
    pub fn boxed(position: G) -> Box<dyn AnyPosition> {
        Box::new(Erased(position))
    }

    fn after(&self, mv: G::Move) -> Result<Box<dyn AnyPosition>, GameError> {
        let mut next = self.0.clone();
        next.play(mv)?;
        Ok(Erased::boxed(next))
    }

    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::with_capacity(MANY);
        self.0.legal_moves(&mut moves);
        moves
    }

    fn numbered(&self, action: usize) -> Result<G::Move, GameError> {
        let (found, most) = match self.0.encoding() {
            Some(encoding) => ((encoding.move_of)(&self.0, action), encoding.actions),
            None => {
                let legal = self.legal();
                (legal.get(action).copied(), legal.len())
            }
        };
        let why = || {
            format!(
                "expected the number of a move of the mover, 0 to {}",
                most.saturating_sub(1)
            )
        };
        found.ok_or_else(|| GameError::notation("action", &action.to_string(), why()))
    }
}

impl<G: Playable> AnyPosition for Erased<G> {
    fn boxed(&self) -> Box<dyn AnyPosition> {
        Erased::boxed(self.0.clone())
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn equals(&self, other: &dyn AnyPosition) -> bool {
        other.as_any().downcast_ref::<G>().is_some_and(|other| *other == self.0)
    }

    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, GameError> {
        self.0.parse(text).map(Erased::boxed)
    }

    fn print(&self) -> String {
        self.0.print()
    }

    fn drawing(&self, colour: bool) -> String {
        self.0.drawing(colour)
    }

    fn view(&self) -> View {
        G::view(std::slice::from_ref(&self.0))
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn mover(&self) -> usize {
        self.0.mover().index()
    }

    fn movers(&self) -> Vec<usize> {
        self.0.movers().into_iter().map(|seat| seat.index()).collect()
    }

    fn public(&self) -> Box<dyn AnyPosition> {
        Erased::boxed(self.0.public())
    }

    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    fn payoffs(&self) -> Option<Vec<u8>> {
        let payoffs = self.0.outcome()?;
        Some(payoffs.all().iter().map(|payoff| payoff.points()).collect())
    }

    fn points(&self) -> Option<[i32; 2]> {
        self.0.points()
    }

    fn ending(&self) -> Option<String> {
        self.0.ending()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|mv| self.0.print_move(mv)).collect()
    }

    fn play(&self, mv: &str) -> Result<Box<dyn AnyPosition>, GameError> {
        self.after(self.0.parse_move(mv)?)
    }

    fn actions(&self) -> Option<usize> {
        self.0.encoding().map(|encoding| encoding.actions)
    }

    fn legal_actions(&self, into: &mut Vec<u32>) {
        into.clear();
        let legal = self.legal();
        match self.0.encoding() {
            Some(encoding) => into.extend(legal.into_iter().map(|mv| (encoding.action)(&self.0, mv) as u32)),
            None => into.extend(0..legal.len() as u32),
        }
    }

    fn action(&self, mv: &str) -> Result<usize, GameError> {
        let read = self.0.parse_move(mv)?;
        match self.0.encoding() {
            Some(encoding) => Ok((encoding.action)(&self.0, read)),
            None => {
                let place = self.legal().into_iter().position(|legal| legal == read);
                place.ok_or_else(|| GameError::Illegal {
                    mv: mv.into(),
                    why: self.0.why_illegal(read),
                })
            }
        }
    }

    fn move_of_action(&self, action: usize) -> Result<String, GameError> {
        Ok(self.0.print_move(self.numbered(action)?))
    }

    fn play_action(&self, action: usize) -> Result<Box<dyn AnyPosition>, GameError> {
        self.after(self.numbered(action)?)
    }

    fn shape(&self) -> Option<Vec<usize>> {
        self.0.encoding().map(|encoding| (encoding.shape)(&self.0))
    }

    fn planes(&self) -> Vec<String> {
        self.0
            .encoding()
            .map_or_else(Vec::new, |encoding| (encoding.planes)(&self.0))
    }

    fn write_features(&self, into: &mut [f32]) {
        if let Some(encoding) = self.0.encoding() {
            (encoding.write)(&self.0, into);
        }
    }

    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }

    fn transform(&self, symmetry: usize) -> Box<dyn AnyPosition> {
        Erased::boxed(self.0.transform(symmetry.min(self.0.symmetries() - 1)))
    }

    fn transform_move(&self, symmetry: usize, mv: &str) -> Result<String, GameError> {
        let mv = self.0.parse_move(mv)?;
        let symmetry = symmetry.min(self.0.symmetries() - 1);
        let image = self.0.transform(symmetry);
        Ok(image.print_move(self.0.transform_move(symmetry, mv)))
    }
}

#[cfg(test)]
mod tests {
    use crate::find;

    #[test]
    fn a_position_is_a_value() {
        let start = find("quarto").unwrap().game.first();
        let next = start.play("-.3").unwrap();
        assert_eq!(start.print(), "..../..../..../.... -");
        assert_eq!(next.print(), "..../..../..../.... 3");
        assert!(next.equals(start.play("-.3").unwrap().as_ref()) && !next.equals(start.as_ref()));
        assert_eq!(next.key(), next.boxed().key());
        assert!(start.play("a1.3").is_err() && start.play("zebra").is_err() && start.parse("zebra").is_err());
    }

    #[test]
    fn positions_of_two_games_are_never_the_same() {
        let [quarto, torus] = ["quarto", "quarto-torus"].map(|name| find(name).unwrap().game.first());
        let stack4 = find("stack4").unwrap().game.first();
        assert!(!quarto.equals(torus.as_ref()) && !quarto.equals(stack4.as_ref()));
    }

    #[test]
    fn what_one_has_chosen_is_not_public() {
        let start = find("duel").unwrap().game.first();
        let chosen = start.play("load").unwrap();
        assert!(chosen.mover() == 1 && !chosen.equals(start.as_ref()) && !chosen.is_over());
        assert!(chosen.public().equals(start.as_ref()));
    }

    #[test]
    fn a_symmetry_maps_positions_and_moves_alike() {
        let start = find("quarto").unwrap().game.first().play("-.3").unwrap();
        for symmetry in [1, 40, start.symmetries() - 1, usize::MAX] {
            let image = start.transform(symmetry);
            let mv = start.transform_move(symmetry, "a2.c").unwrap();
            let one = start.play("a2.c").unwrap().transform(symmetry);
            assert!(one.equals(image.play(&mv).unwrap().as_ref()), "{symmetry}: {mv}");
        }
    }
}
