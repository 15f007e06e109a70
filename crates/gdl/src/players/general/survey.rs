//! What can be seen of a game before thinking about it: some random games.

use crate::{MachineKind, Position, State};
use game::{Game, Until, rng};

/// How many random games are looked at.
const GAMES: u32 = 40;

/// What was seen.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The first position of the game it is about.
    pub start: Position,
    /// Whether never more than one seat had a choice.
    pub alternating: bool,
    /// Whether the goals of every game added up to 100, and some game ended in time.
    pub zero_sum: bool,
    /// Choices at a turn, on average.
    pub branching: f64,
    /// Positions of these games.
    pub glimpses: Vec<Glimpse>,
    /// The positions of the games that were played to the end, and who chose there.
    pub games: Vec<Vec<(State, usize)>>,
}

/// A position of a random game: its facts, who chose there, and from how many moves.
#[derive(Clone, Debug)]
pub struct Glimpse {
    /// Tables and rows.
    pub facts: Vec<(usize, Vec<u32>)>,
    /// Who chose.
    pub seat: usize,
    /// From how many moves.
    pub choices: usize,
}

/// The most positions that are kept.
const GLIMPSES: usize = 1500;
/// The most positions of one game that are kept.
const LONGEST: usize = 1000;

impl Survey {
    /// Looks at a game, as far as there is time.
    pub fn new(start: &Position, until: &Until) -> Self {
        let mut rng = rng(1);
        let mut survey = Survey {
            start: start.clone(),
            alternating: true,
            zero_sum: true,
            branching: 0.0,
            glimpses: Vec::new(),
            games: Vec::new(),
        };
        let (mut legal, mut choices, mut turns, mut games) = (Vec::new(), 0, 0, 0);
        // The prover is slow, and its positions are not weighed.
        let most = match start.machine().kind() {
            MachineKind::Compiled => GAMES,
            MachineKind::Prover => GAMES / 2,
        };
        while games < most {
            let mut position = start.clone();
            let mut game = Vec::new();
            while let Some(mv) = position.random_move(&mut rng, &mut legal) {
                if until.is_over() {
                    break;
                }
                survey.alternating &= position.asked().count() == 1;
                if game.len() < LONGEST {
                    game.push((position.state().clone(), position.mover().index()));
                }
                choices += legal.len();
                turns += 1;
                if turns / 2 % 2 == 0 && survey.glimpses.len() < GLIMPSES {
                    survey.glimpses.push(Glimpse {
                        facts: position.machine().rows(position.state()),
                        seat: position.mover().index(),
                        choices: legal.len(),
                    });
                }
                position.play_unchecked(mv);
            }
            let Some(payoffs) = position.outcome() else {
                break;
            };
            let sum: u32 = payoffs.all().iter().map(|payoff| u32::from(payoff.points())).sum();
            survey.zero_sum &= sum == 100;
            survey.games.push(game);
            games += 1;
        }
        survey.zero_sum &= games > 0;
        survey.branching = choices as f64 / f64::from(turns.max(1));
        survey
    }

    /// Whether two play it in turn and what one wins the other loses.
    pub fn is_duel(&self) -> bool {
        self.start.seats() == 2 && self.alternating && self.zero_sum
    }
}
