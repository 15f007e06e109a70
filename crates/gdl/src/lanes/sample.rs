//! Random games from several positions side by side: the playouts of a tree search from its leaves.

use super::choose::ChosenMoves;
use super::planes::{Plane, literal, run};
use super::play::{BitParallel, count, first_bits};
use super::schedule::Schedule;
use crate::Deadline;
use crate::machine::State;
use crate::playout::Samples;
use crate::walk::Habits;
use game::{Rng, Until};

/// Which games are wanted.
pub struct SampleRequest<'a> {
    /// Where they begin.
    pub states: &'a [&'a State],
    /// How many from each.
    pub each: u64,
    /// When to stop; what is not over then does not count.
    pub until: &'a Until,
}

/// Plays `64 * W` games at once. The positions take turns, so that all get about the same number of games when the time
/// runs out.
#[inline(always)]
pub fn play_each<const W: usize>(
    lanes: &BitParallel,
    wanted: &SampleRequest,
    rng: &mut Rng,
    select: impl Fn(u64, u32) -> u32 + Copy,
) -> Samples {
    let schedule = &lanes.schedule;
    let states = wanted.states;
    let mut samples = Samples::new(lanes.roles, states.len());
    let total = wanted.each.saturating_mul(states.len() as u64);
    let size = 64 * W as u64;
    let mut planes: Vec<Plane<W>> = vec![[0; W]; schedule.planes];
    let mut next: Vec<Plane<W>> = vec![[0; W]; schedule.next.len()];
    let mut chosen = ChosenMoves::<W>::new(schedule);
    let mut begun = total.min(size);
    // Whose game each place holds.
    let mut holds = vec![0; size as usize];
    for (place, holds) in holds.iter_mut().enumerate().take(begun as usize) {
        *holds = place % states.len();
        set(&mut planes, place, states[*holds]);
    }
    let mut alive: Plane<W> = std::array::from_fn(|at| first_bits(begun.saturating_sub(64 * at as u64)));
    let mut stuck = [0; W];
    let (mut steps, mut ended) = (0u64, 0u64);
    let bound = Deadline::current();
    while count(&alive) > 0 && !wanted.until.is_over() && !bound.is_over() {
        run(schedule, &schedule.position, &mut planes);
        let terminal = literal(&planes, schedule.terminal);
        let over: Plane<W> = std::array::from_fn(|at| alive[at] & (terminal[at] | stuck[at]));
        let waiting = count(&over);
        let playing = count(&alive) - waiting;
        let running: Plane<W> = std::array::from_fn(|at| alive[at] & !over[at]);
        let length = (steps as f64 / ended.max(1) as f64).max(1.0);
        let mut fresh = [0; W];
        if waiting > 0 && (waiting >= lanes.enough(size, length) || playing == 0) {
            run(schedule, &schedule.goals, &mut planes);
            harvest(schedule, &planes, &over, &holds, lanes.roles, &mut samples);
            ended += waiting;
            for at in 0..W {
                stuck[at] &= !over[at];
                alive[at] &= !over[at];
                let mut places = over[at];
                while places != 0 && begun < total {
                    holds[at * 64 + places.trailing_zeros() as usize] = (begun % states.len() as u64) as usize;
                    fresh[at] |= places & places.wrapping_neg();
                    places &= places - 1;
                    begun += 1;
                }
                alive[at] |= fresh[at];
            }
        }
        let no_move = chosen.choose(schedule, &mut planes, &running, rng, select, Habits::NONE);
        run(schedule, &schedule.moves, &mut planes);
        let moved: Plane<W> = std::array::from_fn(|at| running[at] & !no_move[at]);
        steps += count(&moved);
        for (plane, &lit) in next.iter_mut().zip(&schedule.next) {
            *plane = literal(&planes, lit);
        }
        for (old, new) in planes[1..].iter_mut().zip(&next) {
            for at in 0..W {
                old[at] = old[at] & !(moved[at] | fresh[at]) | new[at] & moved[at];
            }
        }
        for at in 0..W {
            stuck[at] |= no_move[at];
            let mut places = fresh[at];
            while places != 0 {
                let place = at * 64 + places.trailing_zeros() as usize;
                set(&mut planes, place, states[holds[place]]);
                places &= places - 1;
            }
        }
    }
    samples
}

/// Sets the bases of one place, which are all off, to a position.
#[inline(always)]
fn set<const W: usize>(planes: &mut [Plane<W>], place: usize, state: &State) {
    for (at, &word) in state.0.iter().enumerate() {
        let mut bases = word;
        while bases != 0 {
            let base = at * 32 + bases.trailing_zeros() as usize;
            planes[1 + base][place / 64] |= 1 << (place % 64);
            bases &= bases - 1;
        }
    }
}

/// Counts what the games in `over` are worth, each for the position it began from.
#[inline(always)]
fn harvest<const W: usize>(
    schedule: &Schedule,
    planes: &[Plane<W>],
    over: &Plane<W>,
    holds: &[usize],
    roles: usize,
    samples: &mut Samples,
) {
    let each = |mut places: u64, at: usize, f: &mut dyn FnMut(usize)| {
        while places != 0 {
            f(holds[at * 64 + places.trailing_zeros() as usize]);
            places &= places - 1;
        }
    };
    let mut left = vec![*over; roles];
    for &(role, points, lit) in &schedule.payoffs {
        let won = literal(planes, lit);
        for at in 0..W {
            let got = left[role][at] & won[at];
            left[role][at] &= !got;
            each(got, at, &mut |position| samples.add(position, role, points.into()));
        }
    }
    for (at, &over) in over.iter().enumerate() {
        each(over, at, &mut |position| samples.count(position));
    }
}

#[cfg(test)]
mod tests {
    use crate::{BuildLimits, Machine, PlayoutLimit, Sheet, State};
    use game::Until;

    /// Some positions of a random game.
    fn line(machine: &Machine, seed: u64) -> Vec<State> {
        let mut rng = game::rng(seed);
        let mut states = vec![machine.initial()];
        loop {
            let state = &states[states.len() - 1];
            let view = machine.view(state).unwrap();
            let joint: Option<Vec<_>> = view.legal.iter().map(|legal| game::pick(&mut rng, legal)).collect();
            match joint {
                Some(joint) if !view.terminal => states.push(machine.next(state, &joint).unwrap()),
                _ => return states,
            }
        }
    }

    #[test]
    fn games_from_many_positions_come_to_what_games_from_each_come_to() {
        for name in ["tictactoe", "connectfour", "breakthrough", "trio", "duel", "hex"] {
            let machine = Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap();
            let states = line(&machine, 1);
            let wanted: Vec<&State> = states.iter().collect();
            let samples = machine
                .sample(&wanted, 600, &Until::never(), &mut game::rng(2))
                .unwrap();
            for (at, state) in states.iter().enumerate() {
                assert_eq!(samples.games(at), 600);
                let alone = machine
                    .playouts(state, PlayoutLimit::Games(20_000), &mut game::rng(3))
                    .unwrap();
                for role in 0..machine.role_count() {
                    let (mean, expected) = (samples.mean(at, role).unwrap(), alone.mean(role));
                    // Five standard errors of the wildest results there are, 50 / sqrt(600) points each.
                    assert!(
                        (mean - expected).abs() < 10.2,
                        "{name}, position {at}: {mean}, {expected}"
                    );
                }
            }
            // The last position is over: every game from it is what it is.
            let goals = machine.view(&states[states.len() - 1]).unwrap().goals;
            let last: Vec<f64> = (0..goals.len())
                .map(|role| samples.mean(states.len() - 1, role).unwrap())
                .collect();
            assert_eq!(last, goals.iter().map(|&points| f64::from(points)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn time_that_is_up_ends_it() {
        let machine = Machine::compiled(&Sheet::load("nim").unwrap(), BuildLimits::default()).unwrap();
        let raised = game::Stop::new();
        raised.raise();
        let stopped = Until {
            stop: raised,
            ..Until::never()
        };
        for until in [Until::moment(std::time::Instant::now()), stopped] {
            let samples = machine
                .sample(&[&machine.initial()], u64::MAX, &until, &mut game::rng(1))
                .unwrap();
            assert_eq!((samples.games(0), samples.mean(0, 0)), (0, None));
        }
    }
}
