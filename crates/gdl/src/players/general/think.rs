//! Thinking about one move: who of the searches gets how much of the time, and whose word counts.

use super::deep::{self, Deep};
use super::exact::{ExactBudget, ExactSearch, Proof, Remainder};
use super::grow::{Grower, GrowthLimit, Judging, WalkCount, lock};
use super::switches;
use super::tree::{Perspective, RootMove, Tree};
use super::{Memory, told};
use crate::{Deadline, MachineKind, Move, Position};
use game::Instant;
use game::{Game, Payoff, Rng, Until, mix, rng};
use player::{Analysis, Limits, Observer};
use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Fewer batches than this in the time for a move are too few for a tree.
const FEWEST_BATCHES: f64 = 60.0;
/// Nodes of alpha-beta for every random game that may be played, where those are counted and not time.
const DEEP_NODES: u64 = 50;

/// The part of the time in which what is certain is looked for, where little is left of a game.
const EXACT_PART: f64 = 0.7;

/// What may be spent on a move.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// Time.
    pub left: Option<Duration>,
    /// Leaves.
    pub nodes: Option<u64>,
    /// Threads.
    pub threads: usize,
    /// Raised by who wants the answer now.
    pub stop: game::Stop,
    /// Who hears how it goes.
    pub observer: Observer,
}

/// A move to be found.
pub struct Task {
    root: Position,
    me: usize,
    legal: Vec<Move>,
    view: Perspective,
    began: Instant,
    left: Option<Duration>,
    nodes: Option<u64>,
    threads: usize,
    seed: u64,
    stop: game::Stop,
    observer: Observer,
    rng: Rng,
    effort: WalkCount,
    /// What alpha-beta found.
    found: Option<Analysis<Move>>,
    /// What it saw where it did not see the end.
    ahead: Option<Analysis<Move>>,
    /// Moves that are refuted.
    refuted: Vec<bool>,
    /// What is certain, and a move that gets it.
    proof: Option<(Proof, Move)>,
}

impl Task {
    /// A move for the mover of `position`, who may look only at the public state.
    pub fn new(position: &Position, means: Allowed, seed: u64) -> Self {
        let Allowed {
            left,
            nodes,
            threads,
            stop,
            observer,
        } = means;
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        Task {
            root: position.public(),
            me: position.mover().index(),
            view: Perspective {
                me: position.seat().unwrap_or(position.mover()).index(),
                winner_takes_all: false,
            },
            began: Instant::now(),
            left,
            nodes,
            threads,
            seed,
            stop,
            observer,
            rng: rng(mix(seed, &[0])),
            effort: WalkCount::default(),
            found: None,
            ahead: None,
            refuted: vec![false; legal.len()],
            proof: None,
            legal,
        }
    }

    /// Says whether whoever wins this game leaves nothing to the others.
    pub fn winner_takes_all(&mut self, all: bool) {
        self.view.winner_takes_all = all;
    }

    /// The moment at which a part of the time is gone.
    fn part(&self, part: f64) -> Option<Instant> {
        self.left.map(|left| self.began + left.mul_f64(part))
    }

    /// Until a part of the time is gone, or nobody wants any more.
    pub fn until(&self, part: f64) -> Until {
        Until {
            deadline: self.part(part),
            stop: self.stop.clone(),
        }
    }

    fn stop(&self, part: f64) -> GrowthLimit {
        GrowthLimit::new(self.until(part), self.nodes)
    }

    /// Any move.
    pub fn any(&self) -> Analysis<Move> {
        Analysis::of_move(self.legal[0])
    }

    /// Grows the tree for all of the time, but for what it takes to look at its choice again where something is certain.
    pub fn tree(&mut self, grower: &Grower) {
        if grower.looks_ahead.load(Relaxed) {
            // Some tens of milliseconds at most, once a game; on a short clock later, or never.
            self.root.machine().learn_decisive_moves(&self.until(0.1));
        }
        lock(&grower.tree).plant(&self.root, self.view);
        let stop = self.stop(if self.proof.is_some() { 0.85 } else { 1.0 });
        self.grow(grower, &stop);
    }

    /// Whether so little is left of the game that what is certain can be found in the time there is.
    pub fn is_small(&self, exact: &mut ExactSearch) -> Option<Remainder> {
        if self.root.machine().kind() != MachineKind::Compiled {
            return None;
        }
        let left = exact.left_of(&self.root)?;
        let affordable = match (self.nodes, self.left) {
            (Some(nodes), _) => nodes.saturating_mul(DEEP_NODES) as f64,
            (None, Some(time)) => EXACT_PART * time.as_secs_f64() * exact.pace(&self.root, &self.until(0.04)),
            (None, None) => f64::INFINITY,
        };
        Some(left).filter(|left| exact.is_enough(affordable, *left))
    }

    /// Looks for what is certain, for much of the time. Whether that is a win, and nothing more is to be found out.
    pub fn is_won_by(&mut self, exact: &mut ExactSearch, left: Remainder) -> bool {
        let mut budget = self.exact_budget(EXACT_PART);
        let before = exact.nodes;
        let proof = exact.solve(&self.root, &mut budget);
        let nodes = exact.nodes - before;
        // What is known of an earlier turn was looked at, too.
        self.effort.walks += nodes.max(1);
        if proof.least < 50 && proof.most >= 50 {
            exact.sober(nodes, left);
        }
        self.proof = proof.mv.map(|mv| (proof, mv));
        if self.proof.is_none() {
            // Nothing is certain of the position, but something may be of its moves.
            let lose = |&mv: &Move| exact.refutes(&self.root, mv);
            let refuted: Vec<bool> = self.legal.iter().map(lose).collect();
            if refuted.contains(&false) {
                self.refuted = refuted;
            }
        }
        proof.least == 100 && self.proof.is_some()
    }

    /// Whether something is certain.
    pub fn is_certain(&self) -> bool {
        self.proof.is_some()
    }

    /// Of what the tree likes best the first that keeps what is certain.
    pub fn hold(&mut self, grower: &Grower, exact: &mut ExactSearch) {
        let Some((proof, _)) = self.proof else {
            return;
        };
        let mut budget = self.exact_budget(1.0);
        let choices = lock(&grower.tree).choices(self.me);
        while self.refuted.contains(&false) {
            let Some(choice) = self.pick(&choices).filter(|choice| !self.refuted[choice.index]) else {
                return;
            };
            let mv = self.legal[choice.index];
            match exact.gets(&self.root, mv, proof.least, &mut budget) {
                Some(true) => {
                    self.proof = Some((proof, mv));
                    return;
                }
                Some(false) => self.refuted[choice.index] = true,
                None => return,
            }
        }
    }

    /// Keeps alpha-beta's choice only if it is not certain to get less than another.
    pub fn check(&mut self, exact: &mut ExactSearch) {
        let Some(found) = &mut self.found else {
            return;
        };
        // It plays for a win that it sees, whatever is certain besides.
        if found.solved && won(found) >= 1.0 {
            self.proof = None;
            return;
        }
        if let Some((proof, _)) = self.proof {
            let mv = found.best;
            let mut budget = self.exact_budget(1.0);
            if exact.gets(&self.root, mv, proof.least, &mut budget) == Some(true) {
                self.proof = Some((proof, mv));
            }
            return;
        }
        let refuted = |mv: Move| {
            self.legal
                .iter()
                .zip(&self.refuted)
                .any(|(&other, &lost)| other == mv && lost)
        };
        if refuted(found.best)
            && let Some(&other) = self.legal.iter().find(|&&mv| !refuted(mv))
        {
            (found.best, found.pv) = (other, vec![other]);
        }
    }

    fn exact_budget(&self, part: f64) -> ExactBudget {
        ExactBudget {
            until: self.until(part),
            nodes: self.nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(DEEP_NODES)),
        }
    }

    /// Grows the tree on all threads.
    fn grow(&mut self, grower: &Grower, stop: &GrowthLimit) {
        let seed = |thread: usize| mix(self.seed, &[1, thread as u64]);
        let seeds: Vec<u64> = (0..self.threads).map(seed).collect();
        let root = self.root.clone();
        let machine = root.machine();
        let bound = &Deadline::current();
        std::thread::scope(|scope| {
            let others: Vec<_> = seeds[1..]
                .iter()
                .map(|&seed| scope.spawn(move || bound.bound(|| grower.grow(machine, stop, seed))))
                .collect();
            // Ends when the other end of this channel does.
            let (grows, grown) = channel();
            if let Some(watcher) = self.watcher() {
                scope.spawn(move || watcher.watch(grower, &grown));
            }
            let mut efforts = vec![grower.grow(machine, stop, seeds[0])];
            drop(grows);
            efforts.extend(others.into_iter().filter_map(|other| other.join().ok()));
            for effort in efforts {
                self.effort.walks += effort.walks;
                self.effort.deepest = self.effort.deepest.max(effort.deepest);
            }
        });
    }

    /// Who tells the observer of the tree, if there is one.
    fn watcher(&self) -> Option<TreeWatcher> {
        self.observer.listens().then(|| TreeWatcher {
            root: self.root.clone(),
            me: self.me,
            legal: self.legal.clone(),
            began: self.began,
            observer: self.observer.clone(),
        })
    }

    /// Whether random games take so long that too few batches of them can be played in the time there is.
    pub fn has_no_time_for_games(&mut self, judging: Judging) -> bool {
        const GAMES: u64 = 64;
        let Some(left) = self.left.filter(|_| judging == Judging::Lanes) else {
            return false;
        };
        let until = Until {
            deadline: Some(Instant::now() + left.mul_f64(2.0 / FEWEST_BATCHES)),
            stop: self.stop.clone(),
        };
        let machine = self.root.machine();
        let samples = machine.sample(&[self.root.state()], GAMES, &until, &mut self.rng);
        samples.is_ok_and(|samples| samples.games(0) < GAMES)
    }

    /// Whether alpha-beta proves what the position is worth. It only tries where random games are counted and not time, of which it would
    /// take some.
    pub fn is_proved_by(&mut self, deep: &mut Deep) -> bool {
        if self.left.is_some() || self.nodes.is_none() {
            return false;
        }
        self.deepen(deep);
        if self.found.as_ref().is_some_and(|found| found.solved) {
            return true;
        }
        self.ahead = self.found.take();
        false
    }

    /// Asks alpha-beta whether the tree's choice loses by force as far as it has seen, and if so for the next choice.
    pub fn last_look(&mut self, grower: &Grower, deep: &mut Deep) {
        let Some((best, depth)) = self.ahead.as_ref().and_then(|found| Some((found.best, found.depth?))) else {
            return;
        };
        while let Some(choice) = self.pick(&lock(&grower.tree).choices(self.me)) {
            if choice.proved || self.legal[choice.index] == best || depth < 2 {
                return;
            }
            let mut next = self.root.clone();
            next.play_unchecked(self.legal[choice.index]);
            let limits = Limits {
                nodes: self.nodes.map(|nodes| nodes.saturating_mul(DEEP_NODES)),
                depth: Some(depth - 1),
                stop: self.stop.clone(),
                ..Limits::default()
            };
            let lost = match deep.search(&next, &limits, None, &mut |_| ()) {
                Some(reply) => {
                    let theirs = next.mover().index() != self.me;
                    reply.solved && won(&reply) * if theirs { 1.0 } else { -1.0 } >= 1.0
                }
                None => next
                    .outcome()
                    .is_some_and(|payoffs| payoffs.of(self.root.mover()) == Payoff::LOSS),
            };
            if !lost {
                return;
            }
            self.refuted[choice.index] = true;
        }
    }

    /// Where the tree has proved that every move loses, whoever plays against us may not have seen it: what holds out longest, as far as
    /// alpha-beta sees in the rest of the time.
    pub fn hold_out(&mut self, grower: &Grower, deep: &mut Deep) {
        let lost = |choice: &RootMove| choice.proved && choice.range[1] <= 0.0;
        let choices = lock(&grower.tree).choices(self.me);
        if choices.is_empty() || !choices.iter().all(lost) {
            return;
        }
        self.deepen(deep);
        self.found = self
            .found
            .take()
            .filter(|found| found.depth >= Some(2))
            .map(|found| Analysis {
                // It may not see so far as to know that all is lost.
                value: Some(f64::from(-deep::WIN) / f64::from(deep::MOVE)),
                solved: true,
                ..found
            });
        if self.found.is_some() {
            self.proof = None;
        }
    }

    /// Alpha-beta for all of the time.
    pub fn deepen(&mut self, deep: &mut Deep) {
        let limits = Limits {
            time: self
                .part(1.0)
                .map(|until| until.saturating_duration_since(Instant::now())),
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(DEEP_NODES)),
            stop: self.stop.clone(),
            ..Limits::default()
        };
        let (root, began, observer) = (&self.root, self.began, &self.observer);
        let mut tell = |found: Analysis<Move>| observer.tell(root, &told(&in_payoffs(&found), began.elapsed()));
        self.found = deep.search(root, &limits, Some(&mut self.rng), &mut tell);
        self.effort.walks += self.found.as_ref().and_then(|found| found.nodes).unwrap_or(0);
    }

    /// A proved win; else the most tried, unless something proved is better. Refuted moves come last.
    fn pick(&self, choices: &[RootMove]) -> Option<RootMove> {
        let standing = |choice: &&RootMove| !self.refuted[choice.index];
        let sure = choices.iter().filter(|choice| choice.proved).max_by(|a, b| {
            // What is sure, then what may be; of equals what leaves the others less, then the win that was found soonest, or the
            // loss that was hardest to find.
            let effort = |choice: &RootMove| choice.visits as f32 * if choice.range[0] >= 1.0 { -1.0 } else { 1.0 };
            let by = |choice: &RootMove| [choice.range[0], choice.range[1], -choice.others, effort(choice)];
            let pairs = by(a).into_iter().zip(by(b));
            pairs.fold(Ordering::Equal, |so_far, (a, b)| so_far.then(a.total_cmp(&b)))
        });
        let open = choices
            .iter()
            .filter(standing)
            .filter(|choice| !choice.proved)
            .max_by(|a, b| a.visits.cmp(&b.visits).then(a.mean.total_cmp(&b.mean)));
        match (sure, open) {
            (Some(sure), Some(open)) if sure.mean >= 1.0 || (sure.mean > open.mean && sure.mean > 0.0) => Some(*sure),
            (_, Some(open)) => Some(*open),
            (sure, None) => sure.or(choices.first()).copied(),
        }
    }

    /// The move to play.
    pub fn answer(mut self, grower: &Grower) -> Analysis<Move> {
        if let Some((proof, mv)) = self.proof {
            return Analysis {
                value: Some(f64::from(proof.least)),
                solved: proof.least == proof.most,
                depth: Some(self.effort.deepest),
                nodes: Some(self.effort.walks),
                time: self.began.elapsed(),
                pv: vec![mv],
                ..Analysis::of_move(mv)
            };
        }
        let found = self.found.take();
        if let Some(found) = found {
            return Analysis {
                nodes: Some(self.effort.walks),
                time: self.began.elapsed(),
                ..in_payoffs(&found)
            };
        }
        let choices = lock(&grower.tree).choices(self.me);
        let choice = if self.root.asked().count() > 1 {
            // What is always the same can be foreseen: it is drawn from what was tried often.
            let most = choices.iter().map(|choice| choice.visits).max().unwrap_or(0);
            let weight = |choice: &RootMove| if choice.visits * 10 >= most { choice.visits } else { 0 };
            let weights: Vec<u32> = choices.iter().map(weight).collect();
            choices.get(Tree::draw(&weights, &mut self.rng)).copied()
        } else {
            self.pick(&choices)
        };
        let Some(choice) = choice else {
            return self.any();
        };
        let mv = self.legal[choice.index];
        Analysis {
            value: Some(100.0 * f64::from(choice.mean)),
            solved: choice.is_certain(),
            depth: Some(self.effort.deepest),
            nodes: Some(self.effort.walks),
            time: self.began.elapsed(),
            pv: vec![mv],
            ..Analysis::of_move(mv)
        }
    }

    /// Alone: the plan if there is a certain one; else a search, and where it does not see the end the best game that the
    /// tree has seen, now or before.
    pub fn single_player(&mut self, memory: &mut Memory) -> Option<Analysis<Move>> {
        let on_plan = memory.plan.front().is_some_and(|(position, _)| *position == self.root);
        if !on_plan {
            memory.plan.clear();
            (memory.promised, memory.certain) = (0, false);
        }
        if !memory.certain
            && let Some(line) = switches::solve(&self.root)
        {
            self.adopt(memory, 100, &line);
            memory.certain = true;
        }
        if !memory.certain {
            let nodes = self.nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(DEEP_NODES));
            let found = memory.single_player.solve(&self.root, &self.until(0.5), nodes);
            self.effort.walks += found.nodes;
            self.effort.deepest = found.depth;
            memory.certain = found.certain;
            if let Some((points, line)) = found.best {
                self.adopt(memory, points, &line);
            }
        }
        if let Some(grower) = memory.grower.as_ref().filter(|_| !memory.certain) {
            *lock(&grower.best) = None;
            self.tree(grower);
            let best = lock(&grower.best).take();
            if let Some((worth, line)) = best {
                self.adopt(memory, (100.0 * worth).round() as u8, &line);
            }
        }
        let (_, mv) = memory.plan.pop_front()?;
        Some(Analysis {
            value: Some(f64::from(memory.promised)),
            solved: memory.certain,
            depth: Some(self.effort.deepest),
            nodes: Some(self.effort.walks),
            time: self.began.elapsed(),
            pv: std::iter::once(mv)
                .chain(memory.plan.iter().map(|&(_, mv)| mv))
                .collect(),
            ..Analysis::of_move(mv)
        })
    }

    /// Makes a line the plan, if it is better than the one there is.
    fn adopt(&self, memory: &mut Memory, points: u8, line: &[Move]) {
        if !memory.plan.is_empty() && points <= memory.promised {
            return;
        }
        memory.promised = points;
        memory.plan.clear();
        let mut position = self.root.clone();
        for &mv in line {
            memory.plan.push_back((position.clone(), mv));
            position.play_unchecked(mv);
        }
    }
}

/// What alpha-beta found, on the scale of the tree.
fn in_payoffs(found: &Analysis<Move>) -> Analysis<Move> {
    Analysis {
        value: Some(50.0 + 50.0 * won(found).clamp(-1.0, 1.0)),
        score: None,
        ..found.clone()
    }
}

/// Tells an observer now and then what the tree thinks, while others grow it. It only looks, so nothing depends on it.
struct TreeWatcher {
    root: Position,
    me: usize,
    legal: Vec<Move>,
    began: Instant,
    observer: Observer,
}

impl TreeWatcher {
    /// How long it waits before it tells something for the first time; then half as long again each time.
    const FIRST: Duration = Duration::from_millis(100);

    /// Looks until the other end of the channel is gone.
    fn watch(&self, grower: &Grower, grown: &Receiver<()>) {
        let mut wait = TreeWatcher::FIRST;
        while grown.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            wait = wait.mul_f64(1.5);
            let choices = lock(&grower.tree).choices(self.me);
            let Some(choice) = choices.iter().max_by_key(|choice| choice.visits) else {
                continue;
            };
            let mv = self.legal[choice.index];
            let analysis = Analysis {
                value: Some(100.0 * f64::from(choice.mean)),
                solved: choice.is_certain(),
                nodes: Some(choices.iter().map(|choice| u64::from(choice.visits)).sum()),
                pv: vec![mv],
                ..Analysis::of_move(mv)
            };
            self.observer.tell(&self.root, &told(&analysis, self.began.elapsed()));
        }
    }
}

/// How much of a win alpha-beta's value is: 1 is won, -1 is lost.
fn won(found: &Analysis<Move>) -> f64 {
    found.value.unwrap_or(0.0) * f64::from(deep::MOVE) / f64::from(deep::WIN)
}
