//! Random games that see one move ahead: who can win at once does so, and a move that lets the other win at once is taken back.
//!
//! A game that has just been given to an opponent who can win at once is set back by a move, on its own, while the others go on. Then the move
//! with which the opponent would have won is tried, if it is there for whoever made the mistake (it often stops the threat), and after it one
//! more at random.

use super::choose::ChosenMoves;
use super::planes::{Plane, holds, literal};
use super::play::count;
use super::schedule::Schedule;
use super::walk::{bit, places};
use game::{Rng, below};

/// No move.
const NONE: u32 = u32::MAX;
/// The most moves that are tried in a position: the first, what stops a threat, and one more.
const MOST_TRIES: usize = 3;

/// What is known of one game.
#[derive(Clone, Copy, Debug)]
struct LaneTurn {
    /// The random choice that led here, if the other side is on turn now: who chose, and what.
    choice: Option<(u8, u32)>,
    /// How many moves had been played before it.
    played: usize,
    /// What was tried here and taken back.
    tried: [u32; MOST_TRIES],
    tries: usize,
    /// What is to be tried next.
    stop: u32,
    /// Whether nothing may be taken back here any more.
    settled: bool,
}

impl LaneTurn {
    const NEW: LaneTurn = LaneTurn {
        choice: None,
        played: 0,
        tried: [NONE; MOST_TRIES],
        tries: 0,
        stop: NONE,
        settled: false,
    };
}

/// What is known of all games.
#[derive(Clone, Debug)]
pub struct Retractions<const W: usize> {
    turns: Vec<LaneTurn>,
    /// The facts before the last move.
    before: Vec<Plane<W>>,
    /// Where each role can win at once.
    wins: Vec<Plane<W>>,
    /// Games that were set back in the last step, to choose again.
    again: Plane<W>,
    /// How many moves were taken back.
    taken: u64,
}

/// After so many games it is known whether moves are taken back at all.
const ENOUGH_GAMES: u64 = 1000;
/// Where fewer than one move of so many is taken back, looking ahead costs more than it gives.
const RARELY: u64 = 40;

impl<const W: usize> Retractions<W> {
    /// Nothing has happened yet.
    pub fn new(schedule: &Schedule) -> Self {
        Retractions {
            turns: vec![LaneTurn::NEW; 64 * W],
            before: vec![[0; W]; schedule.next.len()],
            wins: vec![[0; W]; schedule.wins.len()],
            again: [0; W],
            taken: 0,
        }
    }

    /// Whether moves are so rarely taken back that it is not worth the time, as far as that can be told after so many games and moves.
    pub fn are_rare(&self, games: u64, moves: u64) -> bool {
        games >= ENOUGH_GAMES && self.taken * RARELY < moves
    }

    /// Looks who can win at once.
    #[inline(always)]
    pub fn look(&mut self, schedule: &Schedule, planes: &[Plane<W>]) {
        for (any, wins) in self.wins.iter_mut().zip(&schedule.wins) {
            *any = [0; W];
            for &(_, lit) in wins {
                let wins = literal(planes, lit);
                for at in 0..W {
                    any[at] |= wins[at];
                }
            }
        }
    }

    /// Who can win at once in a game that is not over.
    pub fn winner(&self, place: usize) -> Option<usize> {
        self.wins.iter().position(|wins| bit(wins, place))
    }

    /// A place is taken by a new game.
    pub fn begin(&mut self, place: usize) {
        self.turns[place] = LaneTurn::NEW;
        self.again[place / 64] &= !(1 << (place % 64));
    }

    /// Sets back those of `open` in which the last choice lets the other win at once, and says which.
    #[inline(always)]
    pub fn take_back(
        &mut self,
        schedule: &Schedule,
        planes: &mut [Plane<W>],
        open: &Plane<W>,
        played: &mut [Vec<(u8, u32)>],
    ) -> Plane<W> {
        let mut back = [0; W];
        for (role, wins) in schedule.wins.iter().enumerate() {
            let winning: Plane<W> = std::array::from_fn(|at| self.wins[role][at] & open[at]);
            places(&winning, |place| {
                let turn = &mut self.turns[place];
                let Some((chooser, choice)) = turn.choice else {
                    return;
                };
                if usize::from(chooser) == role || turn.settled {
                    return;
                }
                turn.tried[turn.tries] = choice;
                turn.tries += 1;
                let threat = wins.iter().find(|&&(_, lit)| holds(planes, lit, place));
                let stop = threat
                    .and_then(|&(input, _)| schedule.twins[input as usize])
                    .filter(|stop| *stop != choice);
                turn.stop = stop.filter(|_| turn.tries == 1).unwrap_or(NONE);
                // One more at random, at last.
                turn.settled = turn.stop == NONE;
                played[place].truncate(turn.played);
                back[place / 64] |= 1 << (place % 64);
            });
        }
        self.taken += count(&back);
        if back != [0; W] {
            for (now, before) in planes[1..].iter_mut().zip(&self.before) {
                for at in 0..W {
                    now[at] = now[at] & !back[at] | before[at] & back[at];
                }
            }
        }
        back
    }

    /// Puts what is to be played in place of what was drawn: a win, or after a mistake something else.
    #[inline(always)]
    pub fn correct(
        &mut self,
        schedule: &Schedule,
        planes: &mut [Plane<W>],
        chosen: &mut ChosenMoves<W>,
        open: &Plane<W>,
        played: &[Vec<(u8, u32)>],
        rng: &mut Rng,
    ) {
        places(open, |place| {
            let turn = &mut self.turns[place];
            if !bit(&self.again, place) {
                *turn = LaneTurn::NEW;
            }
            turn.played = played[place].len();
        });
        for role in 0..schedule.wins.len() {
            let winning: Plane<W> = std::array::from_fn(|at| self.wins[role][at] & open[at]);
            places(&winning, |place| {
                let win = schedule.wins[role].iter().find(|win| holds(planes, win.1, place));
                if let Some(&(input, _)) = win {
                    chosen.replace(schedule, planes, role, place, input);
                }
            });
        }
        let again: Plane<W> = std::array::from_fn(|at| self.again[at] & open[at]);
        places(&again, |place| {
            let turn = &mut self.turns[place];
            let Some((role, _)) = turn.choice else {
                return;
            };
            let role = usize::from(role);
            let legal = &schedule.legal[role];
            let first = schedule.first_input(role);
            let is_legal = |input: u32| holds(planes, legal[input as usize - first], place);
            let tried = &turn.tried[..turn.tries];
            let next = if turn.stop != NONE && is_legal(turn.stop) {
                Some(turn.stop)
            } else {
                // Whatever is legal and was not tried, from a random one on.
                turn.settled = true;
                let inputs = first as u32..(first + legal.len()) as u32;
                let from = first as u32 + below(rng, legal.len() as u32);
                (from..inputs.end)
                    .chain(inputs.start..from)
                    .find(|&input| is_legal(input) && !tried.contains(&input))
            };
            match next {
                Some(input) => chosen.replace(schedule, planes, role, place, input),
                None => turn.settled = true,
            }
        });
    }

    /// Remembers the positions that are left now, and what was chosen in them.
    #[inline(always)]
    pub fn remember(&mut self, planes: &[Plane<W>], open: &Plane<W>, back: &Plane<W>, played: &[Vec<(u8, u32)>]) {
        let facts = self.before.len();
        self.before.copy_from_slice(&planes[1..=facts]);
        self.again = *back;
        places(open, |place| {
            let turn = &mut self.turns[place];
            turn.choice = match played[place][turn.played..] {
                [only] => Some(only),
                _ => None,
            };
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled::Compiled;
    use crate::lanes::planes::run;
    use crate::logic::WorkBudget;
    use crate::machine::{Move, StateMachine};
    use crate::{BuildLimits, Sheet};
    use std::time::Duration;

    /// Positions of random games, 64 of them, and in each whether every move wins at once, by making it and by the condition. How many do.
    fn conditions_are_right(name: &str) -> Option<usize> {
        // A busy machine is no reason to fail.
        let limits = BuildLimits {
            time: Duration::from_secs(3600),
            ..BuildLimits::default()
        };
        let machine = Compiled::build(&Sheet::load(name).unwrap(), limits).unwrap();
        let mut budget = WorkBudget::new("test", u64::MAX);
        let propnet = machine.propnet().with_decisive_moves(&mut budget).unwrap()?;
        let schedule = Schedule::new(&propnet, &mut budget).unwrap();
        let mut rng = game::rng(11);
        let mut planes: Vec<Plane<1>> = vec![[0]; schedule.planes];
        let mut states = Vec::new();
        let mut state = machine.initial();
        while states.len() < 64 {
            let view = machine.view(&state).unwrap();
            let joint: Option<Vec<_>> = view.legal.iter().map(|legal| game::pick(&mut rng, legal)).collect();
            state = match joint {
                Some(joint) if !view.terminal => {
                    // Of long games the last positions count most, as moves that win at once are found there.
                    if view.legal.iter().all(|legal| !legal.is_empty()) && below(&mut rng, 3) == 0 {
                        states.push((state.clone(), view));
                    }
                    machine.next(&state, &joint).unwrap()
                }
                _ => machine.initial(),
            };
        }
        for (place, (state, _)) in states.iter().enumerate() {
            for base in 0..schedule.next.len() {
                planes[1 + base][0] |= u64::from(state.0[base / 32] >> (base % 32) & 1) << place;
            }
        }
        run(&schedule, &schedule.position, &mut planes);
        run(&schedule, &schedule.decisive, &mut planes);
        let mut found = 0;
        for (place, (state, view)) in states.iter().enumerate() {
            for role in 0..2 {
                let first = |role: usize| schedule.first_input(role) as u32;
                let waits = |mv: &Move, role: usize| schedule.idle[role].contains(&((mv.0 - first(role)) as usize));
                for &mv in view.legal[role].iter().filter(|mv| !waits(mv, role)) {
                    let others = view.legal[1 - role].iter().filter(|mv| waits(mv, 1 - role));
                    let expected = others.copied().any(|wait| {
                        let joint = if role == 0 { [mv, wait] } else { [wait, mv] };
                        let (next, view) = machine.step(state, &joint).unwrap();
                        view.terminal && machine.goals(&next).unwrap()[role] == 100
                    });
                    let told = schedule.wins[role].iter().find(|win| win.0 == mv.0);
                    let told = told.is_some_and(|&(_, lit)| holds(&planes, lit, place));
                    assert_eq!(told, expected, "{name}: {mv:?} in {state:?}");
                    found += usize::from(told);
                }
            }
            let legal = |role: usize, input: u32| view.legal[role].contains(&Move(input));
            for (role, wins) in schedule.wins.iter().enumerate() {
                for &(input, lit) in wins.iter().filter(|&&(input, _)| !legal(role, input)) {
                    assert!(!holds(&planes, lit, place), "{name}: {input} is not legal");
                }
            }
        }
        Some(found)
    }

    #[test]
    fn conditions_for_moves_that_win_at_once_say_what_making_them_says() {
        let found: Vec<(&str, usize)> = crate::bundled::names()
            .filter_map(|name| Some((name, conditions_are_right(name)?)))
            .collect();
        for game in [
            "tictactoe",
            "connectfour",
            "breakthrough",
            "nim",
            "quarto",
            "gomoku",
            "turntables",
        ] {
            let wins = found.iter().find(|(name, _)| *name == game).map(|found| found.1);
            assert!(wins.is_some_and(|wins| wins > 0), "{game}: {found:?}");
        }
    }
}
