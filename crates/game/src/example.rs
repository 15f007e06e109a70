//! The smallest real game, complete: to read, and to try players and searches on.

use crate::{Game, GameError, Payoffs, Seat, mix};

/// A heap of stones: take one to three, and who takes the last one wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heap {
    start: u8,
    left: u8,
    taken_turns: u8,
}

impl Heap {
    /// A heap of so many stones.
    pub fn new(start: u8) -> Self {
        Heap {
            start,
            left: start,
            taken_turns: 0,
        }
    }
}

impl Game for Heap {
    type Move = u8;

    fn start(&self) -> Self {
        Heap::new(self.start)
    }

    fn mover(&self) -> Seat {
        Seat::new(self.taken_turns % 2)
    }

    fn outcome(&self) -> Option<Payoffs> {
        (self.left == 0).then(|| Payoffs::win(self.mover().other()))
    }

    fn legal_moves(&self, into: &mut Vec<u8>) {
        into.clear();
        into.extend(1..=self.left.min(3));
    }

    fn is_legal(&self, mv: u8) -> bool {
        (1..=self.left.min(3)).contains(&mv)
    }

    fn why_illegal(&self, mv: u8) -> String {
        format!("{mv} is not between 1 and {}", self.left.min(3))
    }

    fn play_unchecked(&mut self, mv: u8) {
        self.left -= mv;
        self.taken_turns += 1;
    }

    fn key(&self) -> u64 {
        mix(self.left.into(), &[self.taken_turns.into()])
    }

    fn print(&self) -> String {
        format!("{}@{}", self.left, self.taken_turns)
    }

    fn parse(&self, text: &str) -> Result<Self, GameError> {
        let error = || GameError::notation("heap", text, "expected LEFT@TURNS");
        let (left, turns) = text.split_once('@').ok_or_else(error)?;
        Ok(Heap {
            start: self.start,
            left: left.parse().map_err(|_| error())?,
            taken_turns: turns.parse().map_err(|_| error())?,
        })
    }

    fn print_move(&self, mv: u8) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, GameError> {
        text.parse()
            .map_err(|_| GameError::notation("move", text, "expected a number"))
    }
}
