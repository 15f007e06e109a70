//! Searching for whoever plays alone: every position once, the near ones first.
//!
//! What comes of what is kept from turn to turn: a later search walks through the known positions without asking the rules
//! and goes on where the one before ended. Facts that only time moves ([`Timer`]) do not keep positions apart; the moves
//! that they leave bound the search instead.

use crate::{Machine, Move, Position, State, Timer};
use game::Until;
use std::collections::HashMap;

/// The most positions that are kept.
const CAPACITY: usize = 2_000_000;
/// The most moves between them that are kept.
const MOST_STEPS: usize = 48_000_000;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct SinglePlayerSolution {
    /// The best result and the moves that lead there, as short as can be.
    pub best: Option<(u8, Vec<Move>)>,
    /// Whether nothing better is possible.
    pub certain: bool,
    /// Positions that the rules were asked about.
    pub nodes: u64,
    /// How many moves ahead all was seen.
    pub depth: u32,
}

/// What is known of a game for one player.
#[derive(Debug, Default)]
pub struct SinglePlayerSearch {
    /// Positions without their time.
    timeless: SinglePlayerGraph,
    /// Whether all of them were seen and none gives the full score. What is then left to find hangs on when one gets there.
    seen: bool,
    /// Positions as they are.
    timely: SinglePlayerGraph,
}

impl SinglePlayerSearch {
    /// Looks further and further ahead until a full score is found, nothing is left to look at, or it is time to stop.
    pub fn solve(&mut self, start: &Position, until: &Until, most: u64) -> SinglePlayerSolution {
        let machine = start.machine();
        let timed = machine
            .timer()
            .and_then(|timer| Some((timer, timer.time_of(start.state())?)));
        let mut found = SinglePlayerSolution::default();
        if let Some((timer, now)) = timed.filter(|_| !self.seen) {
            let rules = SinglePlayerContext {
                machine,
                until,
                most,
                timed: Some((timer, now)),
            };
            let all = self.timeless.search(&rules, &timer.at(start.state(), 0), &mut found);
            found.certain = is_full(&found);
            self.seen = all && !found.certain;
            if !self.seen {
                return found;
            }
            self.timeless = SinglePlayerGraph::default();
        }
        let rules = SinglePlayerContext {
            machine,
            until,
            most,
            timed: None,
        };
        let all = self.timely.search(&rules, start.state(), &mut found);
        found.certain = all || is_full(&found);
        found
    }

    #[cfg(test)]
    fn positions(&self) -> (usize, usize) {
        (self.timeless.nodes.len(), self.timely.nodes.len())
    }
}

fn is_full(found: &SinglePlayerSolution) -> bool {
    found.best.as_ref().is_some_and(|(points, _)| *points == 100)
}

/// Who knows the rules, and how much may be asked.
struct SinglePlayerContext<'a> {
    machine: &'a Machine,
    until: &'a Until,
    most: u64,
    /// Where positions are kept without their time: the time of the first.
    timed: Option<(&'a Timer, usize)>,
}

impl SinglePlayerContext<'_> {
    /// What an end so many moves ahead is worth, given what it is worth at the time at which it is kept.
    fn worth(&self, node: &GraphNode, depth: u32) -> Option<u8> {
        match self.timed {
            Some((timer, now)) if now + depth as usize >= timer.last() => {
                Some(self.goal(&timer.at(&node.state, timer.last())))
            }
            Some((timer, now)) if node.end.is_some() && timer.goals_change() => {
                Some(self.goal(&timer.at(&node.state, now + depth as usize)))
            }
            _ => node.end,
        }
    }

    /// Where the rules fail, the game is over and nobody gets anything.
    fn goal(&self, state: &State) -> u8 {
        self.machine
            .goals(state)
            .map_or(0, |goals| goals.first().copied().unwrap_or(0))
    }

    fn legal(&self, state: &State) -> Vec<Move> {
        let view = self.machine.view(state).unwrap_or_default();
        view.legal.into_iter().next().unwrap_or_default()
    }

    /// A position as it is kept after a move, and its worth if that ends the game.
    fn after(&self, state: &State, mv: Move) -> (State, Option<u8>) {
        let Ok((next, view)) = self.machine.step(state, &[mv]) else {
            return (state.clone(), Some(0));
        };
        let over = view.terminal || view.legal.first().is_none_or(Vec::is_empty);
        let end = over.then(|| self.goal(&next));
        let kept = match self.timed {
            Some((timer, _)) => timer.at(&next, 0),
            None => next,
        };
        (kept, end)
    }
}

/// A position and what comes of it.
#[derive(Debug)]
struct GraphNode {
    state: State,
    /// What it is worth, if the game is over here.
    end: Option<u8>,
    /// Where the positions after its moves stand, in the order of the moves, once somebody has looked.
    steps: Option<(u32, u32)>,
}

/// Positions, each once, and what comes of them.
#[derive(Debug, Default)]
struct SinglePlayerGraph {
    nodes: Vec<GraphNode>,
    numbers: HashMap<State, u32>,
    steps: Vec<u32>,
}

/// A position on the way, and where the walk came from.
struct VisitedNode {
    node: u32,
    from: u32,
    depth: u32,
}

impl SinglePlayerGraph {
    fn number(&mut self, state: State, end: Option<u8>) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.nodes.push(GraphNode {
                state,
                end,
                steps: None,
            });
        }
        number
    }

    fn is_full(&self) -> bool {
        self.nodes.len() >= CAPACITY || self.steps.len() >= MOST_STEPS
    }

    /// Walks over all positions, the near ones first, until one gives the full score or no more may be asked. Whether
    /// all were met.
    fn search(&mut self, rules: &SinglePlayerContext, start: &State, found: &mut SinglePlayerSolution) -> bool {
        // Most of a full table lies behind.
        if self.is_full() {
            *self = SinglePlayerGraph::default();
        }
        let root = self.number(start.clone(), None);
        let mut met = vec![false; self.nodes.len()];
        met[root as usize] = true;
        let mut reached = vec![VisitedNode {
            node: root,
            from: 0,
            depth: 0,
        }];
        let mut at = 0;
        while at < reached.len() {
            let VisitedNode { node, depth, .. } = reached[at];
            found.depth = found.depth.max(depth);
            // A walk over what is known is fast, but not for nothing.
            let known = self.nodes[node as usize].steps;
            let stop = (known.is_none() || at % 1024 == 0) && rules.until.is_over();
            if stop || known.is_none() && (found.nodes >= rules.most || self.is_full()) {
                return false;
            }
            let (first, count) = known.unwrap_or_else(|| self.look(node, rules, found));
            met.resize(self.nodes.len(), false);
            for step in first..first + count {
                let next = self.steps[step as usize];
                if std::mem::replace(&mut met[next as usize], true) {
                    continue;
                }
                reached.push(VisitedNode {
                    node: next,
                    from: at as u32,
                    depth: depth + 1,
                });
                let Some(points) = rules.worth(&self.nodes[next as usize], depth + 1) else {
                    continue;
                };
                if found.best.as_ref().is_none_or(|(best, _)| points > *best) {
                    found.best = Some((points, self.line(rules, &reached)));
                    if points == 100 {
                        return true;
                    }
                }
                reached.pop();
            }
            at += 1;
        }
        true
    }

    /// Asks the rules what comes of a position.
    fn look(&mut self, node: u32, rules: &SinglePlayerContext, found: &mut SinglePlayerSolution) -> (u32, u32) {
        let state = self.nodes[node as usize].state.clone();
        let first = self.steps.len() as u32;
        for mv in rules.legal(&state) {
            let (next, end) = rules.after(&state, mv);
            let next = self.number(next, end);
            self.steps.push(next);
            found.nodes += 1;
        }
        let steps = (first, self.steps.len() as u32 - first);
        self.nodes[node as usize].steps = Some(steps);
        steps
    }

    /// The moves to the last position reached.
    fn line(&self, rules: &SinglePlayerContext, reached: &[VisitedNode]) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = reached.len() - 1;
        while at > 0 {
            let (node, from) = (reached[at].node, reached[at].from as usize);
            let before = &self.nodes[reached[from].node as usize];
            let (first, count) = before.steps.unwrap_or_default();
            let steps = &self.steps[first as usize..(first + count) as usize];
            let moves = rules.legal(&before.state);
            let mv = steps.iter().zip(moves).find(|(step, _)| **step == node);
            line.extend(mv.map(|(_, mv)| mv));
            at = from;
        }
        line.reverse();
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuildLimits, Sheet};
    use game::Game;

    /// A lock of so many wheels: of four keys one turns the next wheel, the others turn all of them back. After so many
    /// steps the time is up.
    fn lock(wheels: u32, steps: u32) -> Position {
        let mut text = include_str!("../../../tests/sheets/lock.kif").to_string();
        text += &format!("(wheels {wheels}) (steps {steps})\n");
        (0..wheels.max(steps)).for_each(|n| text += &format!("(succ {n} {})\n", n + 1));
        let sheet = Sheet::parse("lock", &text).unwrap();
        Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
    }

    #[test]
    fn a_step_counter_does_not_keep_positions_apart() {
        let start = lock(20, 30);
        let mut search = SinglePlayerSearch::default();
        let found = search.solve(&start, &Until::never(), u64::MAX);
        let (points, line) = found.best.unwrap();
        assert_eq!((points, line.len(), found.certain), (100, 20, true));
        assert_eq!(search.positions(), (21, 0), "the wheels turned, 0 to 20");
        assert_eq!(found.nodes, 20 * 4);
        let mut end = start.clone();
        line.into_iter().for_each(|mv| end.play(mv).unwrap());
        assert_eq!(end.outcome().unwrap().all()[0].points(), 100);
    }

    #[test]
    fn the_steps_that_are_left_bound_the_search() {
        let mut search = SinglePlayerSearch::default();
        let found = search.solve(&lock(40, 12), &Until::never(), u64::MAX);
        assert!(
            found.certain && found.best.unwrap().0 == 0,
            "40 wheels are not turned in 12 steps"
        );
        assert!(search.seen && found.depth <= 12);
        assert!(found.nodes < 4 * 12 + 4 * 12 * 12, "{}", found.nodes);
    }

    #[test]
    fn a_later_search_goes_on_where_the_one_before_ended() {
        let start = lock(40, 100);
        let mut search = SinglePlayerSearch::default();
        let mut asked = Vec::new();
        loop {
            let found = search.solve(&start, &Until::never(), 50);
            asked.push(found.nodes);
            if found.certain {
                break;
            }
        }
        assert_eq!(asked, [52, 52, 52, 4], "four keys for each of 40 wheels, once");
    }

    #[test]
    fn general_opens_a_lock_that_one_turn_does_not_see_the_end_of() {
        // From scratch a turn sees some twelve moves ahead, and forty are needed.
        let mut general = crate::players::factory("general:nodes=1,threads=1").unwrap().make();
        general.begin(7);
        let mut position = lock(40, 100);
        while position.outcome().is_none() {
            let analysis = general.choose(&position, &player::Clock::unlimited()).unwrap();
            position.play(analysis.best).unwrap();
        }
        assert_eq!(position.outcome().unwrap().all()[0].points(), 100);
    }
}
