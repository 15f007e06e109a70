//! A game made of numbers: seeded branching, outcomes, early ends and transpositions.

use game::{Game, GameError, Payoff, Payoffs, Seat, mix};
use search::{Evaluator, Scale, Value};

/// A position is a node of a layered graph. With few nodes in a layer there are many ways to reach each (transpositions).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Maze {
    seed: u64,
    ply: u32,
    place: u32,
    mover: Seat,
}

/// Steps to child number `.0`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step(pub u32);

const LENGTH: u32 = 6;
const WIDTH: u64 = 12;

impl Maze {
    pub fn new(seed: u64) -> Self {
        Maze {
            seed,
            ply: 0,
            place: 0,
            mover: Seat::FIRST,
        }
    }

    fn number(&self, what: u64) -> u64 {
        mix(
            self.seed,
            &[
                what,
                u64::from(self.ply),
                u64::from(self.place),
                self.mover.index() as u64,
            ],
        )
    }

    fn branches(&self) -> u32 {
        1 + (self.number(1) % 5) as u32
    }
}

impl Game for Maze {
    type Move = Step;

    fn start(&self) -> Self {
        Maze::new(self.seed)
    }

    fn mover(&self) -> Seat {
        self.mover
    }

    fn outcome(&self) -> Option<Payoffs> {
        let over = self.ply >= LENGTH || (self.ply > 0 && self.number(2).is_multiple_of(5));
        let points = [0, 50, 100, 50, 25][(self.number(3) % if self.seed.is_multiple_of(2) { 4 } else { 5 }) as usize];
        let payoff = |points| Payoff::new(points).expect("at most 100");
        over.then(|| Payoffs::new(&[payoff(points), payoff(100 - points)]).expect("two seats"))
    }

    fn legal_moves(&self, into: &mut Vec<Step>) {
        into.clear();
        if self.outcome().is_none() {
            into.extend((0..self.branches()).map(Step));
        }
    }

    fn is_legal(&self, mv: Step) -> bool {
        self.outcome().is_none() && mv.0 < self.branches()
    }

    fn why_illegal(&self, _: Step) -> String {
        "there is no such way".into()
    }

    fn play_unchecked(&mut self, mv: Step) {
        let place = (self.number(4 + u64::from(mv.0)) % WIDTH) as u32;
        // In every third game a seat now and then moves twice.
        let again = self.seed.is_multiple_of(3) && self.number(100 + u64::from(mv.0)).is_multiple_of(4);
        self.ply += 1;
        self.place = place;
        self.mover = if again { self.mover } else { self.mover.other() };
    }

    fn key(&self) -> u64 {
        self.number(0)
    }

    fn print(&self) -> String {
        format!("{}:{}:{}", self.ply, self.place, self.mover.index())
    }

    fn parse(&self, text: &str) -> Result<Self, GameError> {
        let numbers: Vec<u32> = text.split(':').filter_map(|n| n.parse().ok()).collect();
        match numbers[..] {
            [ply, place, mover] => Ok(Maze {
                seed: self.seed,
                ply,
                place,
                mover: Seat::new(mover as u8),
            }),
            _ => Err(GameError::notation("place", text, "expected ply:place:mover")),
        }
    }

    fn print_move(&self, mv: Step) -> String {
        mv.0.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Step, GameError> {
        let number = text
            .parse()
            .map_err(|_| GameError::notation("step", text, "expected a number"));
        number.map(Step)
    }
}

/// Seeded values with many ties; the worth of a draw is part of it.
#[derive(Clone, Copy, Debug)]
pub struct Opinion {
    pub draw: Value,
}

impl Evaluator<Maze> for Opinion {
    fn scale(&self) -> Scale {
        Scale {
            win: 20,
            draw: self.draw,
        }
    }

    fn evaluate(&self, position: &Maze) -> Value {
        (position.number(7) % 13) as Value - 6
    }
}
