//! Random games sent out by a tree search, one a place, as many at once as there are lanes.
//!
//! The first move of a game may be given. So the position after it, and whether the game is over there, come as a part
//! of the game: a tree that grows by a node a game needs no other machine.

use super::choose::ChosenMoves;
use super::planes::{Plane, holds, literal, run};
use super::play::{BitParallel, count};
use super::retraction::Retractions;
use super::schedule::Schedule;
use crate::Deadline;
use crate::walk::{WalkStart, Walker};
use game::{Rng, Until};

/// The games under way.
struct Crowd<'a, const W: usize> {
    schedule: &'a Schedule,
    roles: usize,
    planes: Vec<Plane<W>>,
    next: Vec<Plane<W>>,
    starts: Vec<WalkStart>,
    /// The moves that were chosen in each game.
    played: Vec<Vec<(u8, u32)>>,
    /// The games in play; some of them may be over and wait to be counted.
    alive: Plane<W>,
    /// Those of them that begin in this step, and those whose first move was made in the last one.
    begin: Plane<W>,
    arrive: Plane<W>,
    /// Those in which somebody has no move.
    stuck: Plane<W>,
    words: Vec<u32>,
    legal: Vec<Vec<u32>>,
}

/// Plays what `walker` sends out until it sends no more, and nothing is wanted after `until`.
#[inline(always)]
pub fn walk_all<const W: usize>(
    lanes: &BitParallel,
    walker: &mut dyn Walker,
    until: &Until,
    rng: &mut Rng,
    select: impl Fn(u64, u32) -> u32 + Copy,
) {
    let schedule = &lanes.schedule;
    let size = 64 * W as u64;
    let mut chosen = ChosenMoves::<W>::new(schedule);
    let mut crowd = Crowd::<W>::new(schedule, lanes.roles);
    let (mut steps, mut ended) = (0u64, 0u64);
    let bound = Deadline::current();
    let mut retractions = (!schedule.wins.is_empty()).then(|| Retractions::<W>::new(schedule));
    let mut fresh = crowd.refill(walker);
    crowd.set(&fresh);
    while count(&crowd.alive) > 0 && !walker.is_done() && !until.is_over() && !bound.is_over() {
        run(schedule, &schedule.position, &mut crowd.planes);
        let terminal = literal(&crowd.planes, schedule.terminal);
        if let Some(retractions) = &mut retractions {
            run(schedule, &schedule.decisive, &mut crowd.planes);
            retractions.look(schedule, &crowd.planes);
        }
        crowd.tell_of_beginnings(&terminal, retractions.as_ref(), walker);
        let over: Plane<W> = std::array::from_fn(|at| crowd.alive[at] & (terminal[at] | crowd.stuck[at]));
        let waiting = count(&over);
        let playing = count(&crowd.alive) - waiting;
        let running: Plane<W> = std::array::from_fn(|at| crowd.alive[at] & !over[at]);
        let length = (steps as f64 / ended.max(1) as f64).max(1.0);
        if retractions.as_ref().is_some_and(|own| own.are_rare(ended, steps)) {
            walker.sees_nothing_ahead();
            retractions = None;
        }
        if waiting > 0 && (waiting >= lanes.enough(size, length) || playing == 0) {
            run(schedule, &schedule.goals, &mut crowd.planes);
            crowd.harvest(&over, walker);
            ended += waiting;
        }
        fresh = crowd.refill(walker);
        let given = crowd.with_first_move(&running);
        let mut open: Plane<W> = std::array::from_fn(|at| running[at] & !given[at]);
        let mut back = [0; W];
        if let Some(retractions) = &mut retractions {
            places(&fresh, |place| retractions.begin(place));
            back = retractions.take_back(schedule, &mut crowd.planes, &open, &mut crowd.played);
            for at in 0..W {
                open[at] &= !back[at];
            }
        }
        let habits = walker.habits();
        let no_move = chosen.choose(schedule, &mut crowd.planes, &open, rng, select, habits);
        if let Some(retractions) = &mut retractions {
            retractions.correct(schedule, &mut crowd.planes, &mut chosen, &open, &crowd.played, rng);
        }
        chosen.record(&open, &mut crowd.played);
        if let Some(retractions) = &mut retractions {
            retractions.remember(&crowd.planes, &open, &back, &crowd.played);
        }
        crowd.give_first_moves(&given, &mut chosen);
        run(schedule, &schedule.moves, &mut crowd.planes);
        let moved: Plane<W> = std::array::from_fn(|at| running[at] & !no_move[at] & !back[at]);
        steps += count(&moved);
        crowd.advance(&moved, &fresh);
        crowd.arrive = given;
        for (stuck, none) in crowd.stuck.iter_mut().zip(no_move) {
            *stuck |= none;
        }
        crowd.set(&fresh);
    }
}

/// Calls `f` with the place of every bit of a plane.
#[inline(always)]
pub fn places<const W: usize>(plane: &Plane<W>, mut f: impl FnMut(usize)) {
    for (at, &word) in plane.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            f(at * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

#[inline(always)]
pub fn bit<const W: usize>(plane: &Plane<W>, place: usize) -> bool {
    plane[place / 64] >> (place % 64) & 1 == 1
}

impl<'a, const W: usize> Crowd<'a, W> {
    fn new(schedule: &'a Schedule, roles: usize) -> Self {
        let size = 64 * W;
        Crowd {
            schedule,
            roles,
            planes: vec![[0; W]; schedule.planes],
            next: vec![[0; W]; schedule.next.len()],
            starts: vec![WalkStart::default(); size],
            played: vec![Vec::new(); size],
            alive: [0; W],
            begin: [0; W],
            arrive: [0; W],
            stuck: [0; W],
            words: vec![0; schedule.next.len().div_ceil(32)],
            legal: vec![Vec::new(); roles],
        }
    }

    /// Fills the places that are free; those that were.
    #[inline(always)]
    fn refill(&mut self, walker: &mut dyn Walker) -> Plane<W> {
        let mut fresh = [0; W];
        for at in 0..W {
            let mut free = !self.alive[at];
            while free != 0 {
                let place = at * 64 + free.trailing_zeros() as usize;
                if !walker.send(place, &mut self.starts[place]) {
                    return fresh;
                }
                self.played[place].clear();
                let bit = free & free.wrapping_neg();
                fresh[at] |= bit;
                self.alive[at] |= bit;
                self.stuck[at] &= !bit;
                free &= free - 1;
            }
        }
        fresh
    }

    /// Sets the bases of the places that begin, which are all off.
    #[inline(always)]
    fn set(&mut self, fresh: &Plane<W>) {
        self.begin = *fresh;
        places(fresh, |place| {
            for (at, &word) in self.starts[place].state.iter().enumerate() {
                let mut bases = word;
                while bases != 0 {
                    let base = at * 32 + bases.trailing_zeros() as usize;
                    self.planes[1 + base][place / 64] |= 1 << (place % 64);
                    bases &= bases - 1;
                }
            }
        });
    }

    /// Tells where first moves have led, and what is legal where there is none.
    #[inline(always)]
    fn tell_of_beginnings(
        &mut self,
        terminal: &Plane<W>,
        retractions: Option<&Retractions<W>>,
        walker: &mut dyn Walker,
    ) {
        let (planes, schedule) = (&self.planes, self.schedule);
        let words = &mut self.words;
        places(&self.arrive, |place| {
            for (word, bases) in words.iter_mut().zip(planes[1..=schedule.next.len()].chunks(32)) {
                let holds = |plane: &Plane<W>| (plane[place / 64] >> (place % 64)) as u32 & 1;
                *word = (0..).zip(bases).fold(0, |word, (at, plane)| word | holds(plane) << at);
            }
            let over = bit(terminal, place);
            let winner = retractions.filter(|_| !over).and_then(|own| own.winner(place));
            walker.arrived(place, words, over, winner);
        });
        let (starts, legal) = (&self.starts, &mut self.legal);
        places(&self.begin, |place| {
            if !starts[place].joint.is_empty() || bit(terminal, place) {
                return;
            }
            let mut first = 0;
            for (role, lits) in schedule.legal.iter().enumerate() {
                legal[role].clear();
                for (input, &lit) in (first..).zip(lits) {
                    if holds(planes, lit, place) {
                        legal[role].push(input);
                    }
                }
                first += lits.len() as u32;
            }
            walker.opened(place, legal);
        });
    }

    /// The games that make a given first move now.
    #[inline(always)]
    fn with_first_move(&self, running: &Plane<W>) -> Plane<W> {
        let mut given = [0; W];
        places(&self.begin, |place| {
            let has = !self.starts[place].joint.is_empty() && bit(running, place);
            given[place / 64] |= u64::from(has) << (place % 64);
        });
        given
    }

    #[inline(always)]
    fn give_first_moves(&mut self, given: &Plane<W>, chosen: &mut ChosenMoves<W>) {
        places(given, |place| {
            for (role, &input) in self.starts[place].joint.iter().enumerate() {
                chosen.give(self.schedule, &mut self.planes, role, place, input);
            }
        });
    }

    /// Makes the position what the moves have made of it; the places that begin are cleared.
    #[inline(always)]
    fn advance(&mut self, moved: &Plane<W>, fresh: &Plane<W>) {
        for (plane, &lit) in self.next.iter_mut().zip(&self.schedule.next) {
            *plane = literal(&self.planes, lit);
        }
        for (old, new) in self.planes[1..].iter_mut().zip(&self.next) {
            for at in 0..W {
                old[at] = old[at] & !(moved[at] | fresh[at]) | new[at] & moved[at];
            }
        }
    }

    /// Tells what the games in `over` have come to, and frees their places.
    #[inline(always)]
    fn harvest(&mut self, over: &Plane<W>, walker: &mut dyn Walker) {
        let mut goals = vec![0u8; self.roles];
        places(over, |place| {
            goals.fill(0);
            for &(role, points, lit) in &self.schedule.payoffs {
                if holds(&self.planes, lit, place) {
                    goals[role] = goals[role].max(points);
                }
            }
            walker.ended(place, &goals, &self.played[place]);
        });
        for (at, over) in over.iter().enumerate() {
            self.alive[at] &= !over;
            self.stuck[at] &= !over;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::Habits;
    use crate::{BuildLimits, Machine, Move, PlayoutLimit, Sheet, State};

    /// Sends games out from the positions of a random game, with and without a first move, and checks all that it hears.
    struct Checker<'a> {
        machine: &'a Machine,
        states: Vec<State>,
        rng: Rng,
        left: usize,
        under_way: Vec<(usize, Vec<u32>)>,
        told: Vec<bool>,
        results: Vec<(u64, u64)>,
        habits: Vec<f32>,
        favoured: [usize; 2],
        looks_ahead: bool,
        replays: bool,
        /// How often somebody let the other win at once, and how often that could be done and need not be.
        blunders: [usize; 2],
    }

    impl<'a> Checker<'a> {
        fn new(machine: &'a Machine, games: usize) -> Self {
            let mut rng = game::rng(5);
            let mut states = vec![machine.initial()];
            loop {
                let view = machine.view(&states[states.len() - 1]).unwrap();
                let joint: Option<Vec<_>> = view.legal.iter().map(|legal| game::pick(&mut rng, legal)).collect();
                match joint {
                    Some(joint) if !view.terminal => {
                        states.push(machine.next(&states[states.len() - 1], &joint).unwrap());
                    }
                    _ => break,
                }
            }
            Checker {
                machine,
                results: vec![(0, 0); states.len()],
                states,
                rng,
                left: games,
                under_way: Vec::new(),
                told: Vec::new(),
                habits: Vec::new(),
                favoured: [0; 2],
                looks_ahead: false,
                replays: false,
                blunders: [0; 2],
            }
        }

        /// Whether somebody who is alone on turn can win at once, by making every move.
        fn is_decided(&self, state: &State) -> bool {
            let view = self.machine.view(state).unwrap();
            if view.terminal {
                return false;
            }
            let wins = |role: usize, mv: Move| {
                let joint: Option<Vec<Move>> = (0..view.legal.len())
                    .map(|other| match view.legal[other][..] {
                        _ if other == role => Some(mv),
                        [only] => Some(only),
                        _ => None,
                    })
                    .collect();
                joint.is_some_and(|joint| {
                    let next = self.machine.next(state, &joint).unwrap();
                    self.machine.view(&next).unwrap().terminal && self.machine.goals(&next).unwrap()[role] == 100
                })
            };
            (0..view.legal.len())
                .filter(|&role| view.legal[role].len() > 1)
                .any(|role| view.legal[role].iter().any(|&mv| wins(role, mv)))
        }

        /// Plays a game again from what was told of it, and sees who could win at once and who let the other do so.
        fn replay(&mut self, mut state: State, goals: &[u8], played: &[(u8, u32)]) {
            let mut played = played.iter().peekable();
            loop {
                let view = self.machine.view(&state).unwrap();
                if view.terminal {
                    break;
                }
                let decided = self.is_decided(&state);
                let joint: Vec<Move> = (0..)
                    .zip(&view.legal)
                    .map(|(role, legal): (u8, &Vec<Move>)| {
                        let own = |choice: &&(u8, u32)| choice.0 == role && legal.contains(&Move(choice.1));
                        played.next_if(own).map_or(legal[0], |choice| Move(choice.1))
                    })
                    .collect();
                let next = self.machine.next(&state, &joint).unwrap();
                let over = self.machine.view(&next).unwrap().terminal;
                assert!(!self.looks_ahead || !decided || over, "who can win at once does");
                if !decided && !over {
                    let mover = usize::from(view.legal[1].len() > 1);
                    let leads_on = |&mv: &Move| {
                        let mut joint = joint.clone();
                        joint[mover] = mv;
                        !self.is_decided(&self.machine.next(&state, &joint).unwrap())
                    };
                    let good = view.legal[mover].iter().filter(|mv| leads_on(mv)).count();
                    if (1..view.legal[mover].len()).contains(&good) {
                        self.blunders[0] += usize::from(self.is_decided(&next));
                        self.blunders[1] += 1;
                    }
                }
                state = next;
            }
            assert!(played.next().is_none(), "all that was played is in the game");
            assert_eq!(self.machine.goals(&state).unwrap(), goals);
        }

        fn play(&mut self) {
            self.machine.walk(self, &Until::never(), &mut game::rng(9));
        }
    }

    impl Walker for Checker<'_> {
        fn send(&mut self, place: usize, start: &mut WalkStart) -> bool {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            let which = self.left % self.states.len();
            let view = self.machine.view(&self.states[which]).unwrap();
            start.state = self.states[which].0.to_vec();
            start.joint.clear();
            if (self.left / self.states.len()).is_multiple_of(2) && !view.terminal {
                let moves = view
                    .legal
                    .iter()
                    .map(|legal| game::pick(&mut self.rng, legal).unwrap().0);
                start.joint.extend(moves);
            }
            let places = self.under_way.len().max(place + 1);
            self.under_way.resize(places, (0, Vec::new()));
            self.told.resize(places, false);
            self.under_way[place] = (which, start.joint.clone());
            self.told[place] = view.terminal;
            true
        }

        fn arrived(&mut self, place: usize, state: &[u32], over: bool, winner: Option<usize>) {
            let (which, joint) = &self.under_way[place];
            let joint: Vec<Move> = joint.iter().map(|&mv| Move(mv)).collect();
            let next = self.machine.next(&self.states[*which], &joint).unwrap();
            let view = self.machine.view(&next).unwrap();
            assert_eq!((state, over), (&*next.0, view.terminal));
            let expected = self.looks_ahead && self.is_decided(&next);
            assert_eq!(winner.is_some(), expected);
            assert!(winner.is_none_or(|role| view.legal[role].len() > 1));
            self.told[place] = true;
        }

        fn opened(&mut self, place: usize, legal: &[Vec<u32>]) {
            let (which, joint) = &self.under_way[place];
            assert!(joint.is_empty());
            let view = self.machine.view(&self.states[*which]).unwrap();
            let expected: Vec<Vec<u32>> = view
                .legal
                .iter()
                .map(|seat| seat.iter().map(|mv| mv.0).collect())
                .collect();
            assert_eq!(legal, expected);
            self.told[place] = true;
        }

        fn ended(&mut self, place: usize, goals: &[u8], played: &[(u8, u32)]) {
            let (which, joint) = &self.under_way[place];
            assert!(self.told[place], "it was told how the game began");
            if self.replays {
                let start = &self.states[*which];
                let joint: Vec<Move> = joint.iter().map(|&mv| Move(mv)).collect();
                let state = match joint[..] {
                    [] => start.clone(),
                    _ => self.machine.next(start, &joint).unwrap(),
                };
                self.replay(state, goals, played);
                return;
            }
            for &(seat, mv) in played {
                assert_eq!(self.machine.role_of(Move(mv)), usize::from(seat));
                self.favoured[usize::from(mv % 2 == 0)] += 1;
            }
            if joint.is_empty() {
                let (games, points) = &mut self.results[*which];
                *games += 1;
                *points += u64::from(goals[0]);
            }
        }

        fn looks_ahead(&self) -> bool {
            self.looks_ahead
        }

        fn habits(&self) -> Habits<'_> {
            Habits {
                means: &self.habits,
                draws: 3,
            }
        }

        fn is_counted(&self) -> bool {
            true
        }

        fn is_done(&self) -> bool {
            false
        }
    }

    fn machine(name: &str) -> Machine {
        Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap()
    }

    #[test]
    fn games_begin_where_they_are_sent_from_and_come_to_what_games_from_there_come_to() {
        for name in [
            "tictactoe",
            "connectfour",
            "breakthrough",
            "trio",
            "duel",
            "auction",
            "amazons",
        ] {
            let machine = machine(name);
            let mut checker = Checker::new(&machine, 0);
            checker.left = 400 * checker.states.len();
            checker.play();
            for (at, (state, &(games, points))) in checker.states.iter().zip(&checker.results).enumerate() {
                let last = at + 1 == checker.states.len();
                assert_eq!(games, if last { 400 } else { 200 }, "{name}, position {at}");
                let alone = machine
                    .playouts(state, PlayoutLimit::Games(5000), &mut game::rng(3))
                    .unwrap();
                let (mean, expected) = (points as f64 / games as f64, alone.mean(0));
                // Five standard errors of the wildest results there are, 50 / sqrt(200) points each.
                assert!(
                    (mean - expected).abs() < 17.7,
                    "{name}, position {at}: {mean}, {expected}"
                );
            }
        }
    }

    #[test]
    fn who_looks_ahead_wins_when_it_can_and_seldom_lets_the_other() {
        for name in ["tictactoe", "connectfour", "quarto", "turntables"] {
            let machine = machine(name);
            machine.learn_decisive_moves(&Until::never());
            let [ahead, plain] = [true, false].map(|looks_ahead| {
                let mut checker = Checker::new(&machine, 0);
                (checker.looks_ahead, checker.replays) = (looks_ahead, true);
                checker.left = 6 * checker.states.len();
                checker.play();
                let [blunders, all] = checker.blunders;
                assert!(all > 20, "{name}: {all}");
                blunders as f64 / all as f64
            });
            assert!(ahead < 0.7 * plain, "{name}: {ahead:.2} ahead, {plain:.2} plain");
        }
    }

    #[test]
    fn what_has_been_better_is_played_more_often() {
        let machine = machine("connectfour");
        let mut even = Checker::new(&machine, 4000);
        even.play();
        let mut partial = Checker::new(&machine, 4000);
        partial.habits = (0..100).map(|mv| f32::from(u8::from(mv % 2 == 0))).collect();
        partial.play();
        let share = |[odd, even]: [usize; 2]| even as f64 / (odd + even) as f64;
        assert!(share(partial.favoured) > share(even.favoured) + 0.15);
        assert!(partial.favoured[0] > 0);
    }
}
