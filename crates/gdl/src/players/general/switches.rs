//! Puzzles whose moves are switches: each move turns over the same facts wherever it is made, and every move is always
//! legal. Then only which moves are made an odd number of times matters, and what the full score asks for is a system of
//! linear equations over the two values of a fact.
//!
//! That the moves are switches is seen from a few positions, not proved; so the line that is found is played before it
//! is believed.

use crate::{Machine, Move, Position, State};

/// Puzzles with more moves than this are not looked at.
const MOST_MOVES: usize = 512;
/// So many dimensions of other solutions are searched for the shortest one.
const MOST_FREE: usize = 12;

/// Moves that lead to the full score, if the moves are switches and there are such.
pub fn solve(start: &Position) -> Option<Vec<Move>> {
    let machine = start.machine();
    let wanted = machine.wanted();
    if wanted.is_empty() {
        return None;
    }
    let switches = Switches::seen(machine, start.state())?;
    let holds = |words: &[u32], base: u32| words[base as usize / 32] >> (base % 32) & 1 == 1;
    let equations = wanted.iter().map(|&(base, value)| {
        let turned = switches.masks.iter().map(|mask| holds(mask, base)).collect();
        (turned, holds(&start.state().0, base) != value)
    });
    let chosen = shortest(equations.collect(), switches.moves.len())?;
    let line = switches.moves.iter().zip(chosen).filter(|(_, chosen)| *chosen);
    played(machine, start.state(), line.map(|(&mv, _)| mv))
}

/// The moves and what each turns over.
struct Switches {
    moves: Vec<Move>,
    masks: Vec<Vec<u32>>,
}

impl Switches {
    /// What the moves turn over, if it is the same at the start and after one and two moves.
    fn seen(machine: &Machine, start: &State) -> Option<Switches> {
        let first = Switches::at(machine, start)?;
        let mut state = start.clone();
        for mv in [first.moves.first()?, first.moves.last()?] {
            let (next, view) = machine.step(&state, &[*mv]).ok()?;
            if view.terminal {
                break;
            }
            let other = Switches::at(machine, &next)?;
            if other.moves != first.moves || other.masks != first.masks {
                return None;
            }
            state = next;
        }
        Some(first)
    }

    /// What the moves turn over in a position.
    fn at(machine: &Machine, state: &State) -> Option<Switches> {
        let timeless = |state: &State| {
            machine
                .timer()
                .map_or_else(|| state.clone(), |timer| timer.at(state, 0))
        };
        let moves = machine.view(state).ok()?.legal.into_iter().next()?;
        if moves.len() > MOST_MOVES {
            return None;
        }
        let before = timeless(state);
        let mut masks = Vec::new();
        for &mv in &moves {
            let after = timeless(&machine.next(state, &[mv]).ok()?);
            masks.push(
                after
                    .0
                    .iter()
                    .zip(&before.0)
                    .map(|(after, before)| after ^ before)
                    .collect(),
            );
        }
        Some(Switches { moves, masks })
    }
}

/// A solution with as few unknowns set as can be found, of equations that say the parity of some of them.
fn shortest(mut equations: Vec<(Vec<bool>, bool)>, unknowns: usize) -> Option<Vec<bool>> {
    let mut leads = Vec::new();
    for column in 0..unknowns {
        let row = leads.len();
        let Some(pivot) = (row..equations.len()).find(|&at| equations[at].0[column]) else {
            continue;
        };
        equations.swap(row, pivot);
        let (turned, parity) = equations[row].clone();
        for (at, (other, sum)) in equations.iter_mut().enumerate() {
            if at != row && other[column] {
                other.iter_mut().zip(&turned).for_each(|(own, turned)| *own ^= turned);
                *sum ^= parity;
            }
        }
        leads.push(column);
    }
    if equations[leads.len()..].iter().any(|(_, parity)| *parity) {
        return None;
    }
    let free: Vec<usize> = (0..unknowns)
        .filter(|column| !leads.contains(column))
        .take(MOST_FREE)
        .collect();
    let solution = |choice: usize| {
        let mut chosen = vec![false; unknowns];
        for (bit, &column) in free.iter().enumerate() {
            chosen[column] = choice >> bit & 1 == 1;
        }
        for (&lead, (turned, parity)) in leads.iter().zip(&equations) {
            let others = free.iter().filter(|&&column| turned[column] && chosen[column]).count();
            chosen[lead] = *parity != (others % 2 == 1);
        }
        chosen
    };
    let length = |chosen: &Vec<bool>| chosen.iter().filter(|chosen| **chosen).count();
    (0..1usize << free.len()).map(solution).min_by_key(length)
}

/// The moves as far as the end of the game, if that is worth the full score.
fn played(machine: &Machine, start: &State, line: impl Iterator<Item = Move>) -> Option<Vec<Move>> {
    let (mut state, mut moves) = (start.clone(), Vec::new());
    for mv in line {
        if !machine.view(&state).ok()?.legal.first()?.contains(&mv) {
            return None;
        }
        let (next, view) = machine.step(&state, &[mv]).ok()?;
        moves.push(mv);
        if view.terminal {
            let full = machine.goals(&next).ok()?.first() == Some(&100);
            return full.then_some(moves);
        }
        state = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuildLimits, Sheet};

    fn start(text: &str) -> Position {
        let sheet = Sheet::parse("switches", text).unwrap();
        Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
    }

    /// A row of lamps, each with a switch for itself and its neighbours.
    fn lamps(count: usize, lit: &[usize], steps: usize) -> String {
        let mut text = String::from("(role player)\n(init (step 0))\n");
        for at in 1..=count {
            text += &format!("(lamp {at})\n");
            let state = if lit.contains(&at) { "on" } else { "off" };
            text += &format!("(init (shows {at} {state}))\n");
        }
        for at in 1..count {
            text += &format!("(beside {at} {})\n(beside {} {at})\n", at + 1, at + 1);
        }
        for step in 0..steps {
            text += &format!("(after {step} {})\n", step + 1);
        }
        text + &format!(
            "(<= (legal player (press ?l)) (lamp ?l))
             (<= (turned ?l) (does player (press ?l)))
             (<= (turned ?l) (does player (press ?m)) (beside ?m ?l))
             (<= (next (shows ?l on)) (true (shows ?l off)) (turned ?l))
             (<= (next (shows ?l off)) (true (shows ?l on)) (turned ?l))
             (<= (next (shows ?l ?s)) (true (shows ?l ?s)) (not (turned ?l)))
             (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
             (<= light (true (shows ?l on)))
             (<= terminal (not light))
             (<= terminal (true (step {steps})))
             (<= (goal player 100) (not light))
             (<= (goal player 0) light)"
        )
    }

    #[test]
    fn switches_are_pressed_once_each_and_as_few_as_can_be() {
        // Breadth first is the judge: positions are sets of lit lamps.
        for count in [4, 5, 6, 8] {
            for lit in 1..1usize << count {
                if lit % 7 != 1 {
                    continue;
                }
                let mut distance = vec![usize::MAX; 1 << count];
                distance[lit] = 0;
                let mut queue = std::collections::VecDeque::from([lit]);
                while let Some(at) = queue.pop_front() {
                    for lamp in 0..count {
                        let next = at ^ (7 << lamp >> 1 & ((1 << count) - 1));
                        if distance[next] == usize::MAX {
                            distance[next] = distance[at] + 1;
                            queue.push_back(next);
                        }
                    }
                }
                let names: Vec<usize> = (0..count)
                    .filter(|lamp| lit >> lamp & 1 == 1)
                    .map(|lamp| lamp + 1)
                    .collect();
                let found = solve(&start(&lamps(count, &names, 20)));
                assert_eq!(
                    found.map_or(usize::MAX, |line| line.len()),
                    distance[0],
                    "{count} lamps, {names:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_too_long_for_the_clock_or_no_switch_is_left_to_others() {
        let long = lamps(8, &[1, 2, 4, 5, 7, 8], 20);
        assert_eq!(solve(&start(&long)).unwrap().len(), 3, "the middles of three");
        assert_eq!(solve(&start(&lamps(8, &[1, 2, 4, 5, 7, 8], 2))), None);
        // Here a lamp that was lit stays lit.
        let stays = long.replace(
            "(<= (next (shows ?l off)) (true (shows ?l on)) (turned ?l))",
            "(<= (next (shows ?l on)) (true (shows ?l on)) (turned ?l))",
        );
        assert_ne!(stays, long);
        assert_eq!(solve(&start(&stays)), None);
    }
}
