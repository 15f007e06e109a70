//! The search (an AND/OR search): can this side win within so many rounds?
//!
//! All results of the solver are made of yes-or-no questions about boards with no piece in hand. The *giver* must give the
//! next piece; the *other* places it and becomes the giver. A side's wins all come after an odd or all after an even
//! number of placements, so distances are counted in rounds, half the placements rounded up:
//!
//! | | giver wins in r rounds if | other wins in r rounds if |
//! |---|---|---|
//! | normal | some safe piece, wherever it is placed, leaves the giver (now the other) winning in r | no safe piece is left, or each has a placement that leaves the other (now the giver) winning in r - 1 |
//! | misère | some piece, wherever it can be placed without completing a line, leaves the giver winning in r - 1; or it cannot | each piece has a placement that completes nothing and leaves the other winning in r |
//!
//! A piece is safe if it completes no line anywhere; giving another one loses at once. The nodes above the last
//! [`MOST_CELLS`] cells are searched here, with a transposition table; below, `ending` takes over.
//!
//! The move ordering makes it fast. Both sides first try the moves after which the fewest pieces stay safe: such boards
//! are nearly decided, so their proofs are short, whoever wins. Near the root, the defender's placements are ordered by
//! looking one step further, at the gift that leaves the attacker the fewest chances.

use super::board::{Blocked, HotValues, SolverBoard};
use super::context::SearchContext;
use super::ending::{self, MOST_CELLS, Rounds, StaticVerdict};
use game::Stop;
use std::sync::atomic::Ordering;

/// As many rounds as any game can have: with this limit the question is whether a side ever wins.
pub(super) const EVER: u32 = 8;

/// On boards with at most this many pieces the defender's placements are ordered by looking one step further.
const LOOK_FURTHER: u32 = 6;

/// A rough cost of searching a board with that many safe pieces: each piece makes it half as much again. The move
/// ordering scores are sums of these.
const COST: [i32; 17] = {
    let mut cost = [100; 17];
    let mut i = 1;
    while i < 17 {
        cost[i] = cost[i - 1] * 3 / 2;
        i += 1;
    }
    cost
};

/// One thread's search.
pub(super) struct SearchThread<'a, const MISERE: bool> {
    pub(super) context: &'a SearchContext,
    stop: Stop,
    pub(super) alone: bool,
    nodes: u64,
    reported: u64,
    /// With how many nodes of its own it gives up.
    most: u64,
    pub(super) stopped: bool,
}

/// What is known of all placements on a board together.
struct Outlook {
    /// In misère: where pieces may not go, since they complete a line.
    blocked: Blocked,
    /// Else: what will complete a line after them.
    hot: HotValues,
}

/// A gift, and the placements of it that need searching.
#[derive(Clone, Copy, Default)]
struct Branch {
    score: i32,
    piece: u32,
    open: u16,
}

/// A placement that needs searching.
#[derive(Clone, Copy, Default)]
struct OpenPlacement {
    score: i32,
    cell: u32,
    hash: u64,
}

/// Sorts by score; a function of its own, so that sorting becomes code once and not for every kind of search.
fn sort_branches(branches: &mut [Branch]) {
    branches.sort_unstable_by_key(|branch| branch.score);
}

/// Sorts by score, likewise.
fn sort_placements(placements: &mut [OpenPlacement]) {
    placements.sort_unstable_by_key(|placement| placement.score);
}

impl<'a, const MISERE: bool> SearchThread<'a, MISERE> {
    /// A search that shares what it learns; `alone` if no other thread works on the same question.
    pub(super) fn new(context: &'a SearchContext, alone: bool) -> Self {
        SearchThread {
            context,
            stop: context.stop(),
            alone,
            nodes: 0,
            reported: 0,
            most: u64::MAX,
            stopped: false,
        }
    }

    /// A search of this thread alone that gives up after about so many nodes.
    pub(super) fn within(context: &'a SearchContext, nodes: u64) -> Self {
        SearchThread {
            most: nodes,
            ..SearchThread::new(context, true)
        }
    }

    /// The answer, if it is clear without a search.
    pub(super) fn glance(context: &'a SearchContext, giver: bool, node: &SolverBoard, rounds: u32) -> Option<bool> {
        let search = SearchThread::<MISERE> {
            context,
            stop: Stop::never(),
            alone: true,
            nodes: 0,
            reported: 0,
            most: 0,
            stopped: false,
        };
        let verdict = match giver {
            true => search.static_verdict::<true>(node, rounds),
            false => search.static_verdict::<false>(node, rounds),
        };
        match verdict {
            StaticVerdict::Known(answer) => Some(answer),
            StaticVerdict::Open(_) => search.probe_table(search.hash(node), giver, rounds),
        }
    }

    /// The nodes it has searched.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether it has given up because it has searched as many nodes as it may.
    pub(super) fn ran_out(&self) -> bool {
        self.stopped && self.nodes >= self.most && !self.stop.is_raised()
    }

    /// Whether the giver (or else the other) wins within `rounds`; `None` if the search was stopped.
    pub(super) fn ask(&mut self, giver: bool, node: &SolverBoard, rounds: u32) -> Option<bool> {
        let answer = if giver {
            self.probe_and_search::<true>(node, rounds)
        } else {
            self.probe_and_search::<false>(node, rounds)
        };
        let whole = !self.stopped;
        self.check_limits();
        whole.then_some(answer)
    }

    fn probe_and_search<const GIVER: bool>(&mut self, node: &SolverBoard, rounds: u32) -> bool {
        match self.static_verdict::<GIVER>(node, rounds) {
            StaticVerdict::Known(answer) => answer,
            StaticVerdict::Open(gifts) => {
                let hash = self.hash(node);
                match self.probe_table(hash, GIVER, rounds) {
                    Some(answer) => answer,
                    None => self.search::<GIVER>(node, gifts, hash, rounds),
                }
            }
        }
    }

    /// The answer, if it is clear without a search; else the pieces worth giving.
    #[inline(always)]
    fn static_verdict<const GIVER: bool>(&self, node: &SolverBoard, rounds: u32) -> StaticVerdict {
        let geometry = &self.context.geometry;
        let pieces = node.left.count_ones();
        let gifts = if MISERE {
            if rounds == 0 || pieces < 2 - u32::from(GIVER) {
                return StaticVerdict::Known(false);
            }
            // A piece that can go nowhere is given, whoever gives.
            if geometry.stuck(node, &geometry.blocked(node)) != 0 {
                return StaticVerdict::Known(GIVER);
            }
            if GIVER && rounds == 1 {
                return StaticVerdict::Known(false);
            }
            node.left
        } else {
            let safe = geometry.safe(node);
            if GIVER {
                if safe == 0 || rounds == 0 || pieces < 2 {
                    return StaticVerdict::Known(false);
                }
            } else {
                if safe == 0 {
                    return StaticVerdict::Known(pieces > 0 && rounds > 0);
                }
                if rounds <= 1 || pieces < 3 {
                    return StaticVerdict::Known(false);
                }
            }
            safe
        };
        match geometry.dead(node) {
            true => StaticVerdict::Known(false),
            false => StaticVerdict::Open(gifts),
        }
    }

    /// What is known of all placements on a board together.
    // In a browser the first load counts more.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn outlook(&self, node: &SolverBoard) -> Outlook {
        let geometry = &self.context.geometry;
        match MISERE {
            true => Outlook {
                blocked: geometry.blocked(node),
                hot: HotValues::NOTHING,
            },
            false => Outlook {
                blocked: Blocked::NOTHING,
                hot: geometry.hot_after(node),
            },
        }
    }

    /// The same as [`static_verdict`](Self::static_verdict) of the board after a placement, which is seldom made for it, and its looseness.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn verdict_after<const GIVER: bool>(
        &self,
        node: &SolverBoard,
        outlook: &Outlook,
        (piece, cell): (u32, u32),
        rounds: u32,
    ) -> (StaticVerdict, usize) {
        let geometry = &self.context.geometry;
        if MISERE {
            let child = geometry.place(node, piece, cell);
            return (self.static_verdict::<GIVER>(&child, rounds), self.looseness(&child));
        }
        let left = node.left & !(1 << (piece & 15));
        let safe = geometry.safe_after(&outlook.hot, left, piece, cell);
        if safe == 0 {
            return (StaticVerdict::Known(!GIVER && left != 0 && rounds > 0), 0);
        }
        let few = match GIVER {
            true => rounds == 0 || left.count_ones() < 2,
            false => rounds <= 1 || left.count_ones() < 3,
        };
        // What completes a line with some piece left is alive.
        let dead = || safe == left && geometry.dead(&geometry.place(node, piece, cell));
        match few || dead() {
            true => (StaticVerdict::Known(false), 0),
            false => (StaticVerdict::Open(safe), safe.count_ones() as usize),
        }
    }

    /// How far a board is from being decided, 0 to 16: the pieces that are safe to give; in misère how much room there is for
    /// those left.
    #[inline(always)]
    fn looseness(&self, node: &SolverBoard) -> usize {
        let geometry = &self.context.geometry;
        if !MISERE {
            return geometry.safe(node).count_ones() as usize;
        }
        let pairs = geometry.blocked_pairs(node, &geometry.blocked(node));
        16 - (pairs / 2).min(16) as usize
    }

    /// The hash of a board, or 0 if it is too full to be kept in the table.
    #[inline(always)]
    fn hash(&self, node: &SolverBoard) -> u64 {
        // The last cells of the normal game are searched again sooner than memory answers.
        let fewest = if MISERE { MOST_CELLS } else { MOST_CELLS + 1 };
        if (node.left.count_ones() as usize) < fewest {
            return 0;
        }
        let hash = self.context.table.hash(self.context.keys.key(node));
        self.context.table.prefetch(hash);
        // The keys leave the top bit free, so 0 can mean that there is no hash.
        hash | HASH_PRESENT
    }

    #[inline(always)]
    fn probe_table(&self, hash: u64, giver: bool, rounds: u32) -> Option<bool> {
        if hash == 0 {
            return None;
        }
        self.context.table.get(hash & !HASH_PRESENT).wins(giver, rounds)
    }

    fn search<const GIVER: bool>(&mut self, node: &SolverBoard, gifts: u16, hash: u64, rounds: u32) -> bool {
        self.nodes += 1;
        if self.nodes - self.reported >= 1024 {
            self.check_limits();
        }
        let at_the_end = node.left.count_ones() as usize <= MOST_CELLS;
        // A board with many empty cells takes long to search, so each of them checks the stop sign.
        self.stopped |= !at_the_end && self.stop.is_raised();
        if self.stopped {
            return false;
        }
        let before = self.nodes;
        let answer = if let Some(table) = self.context.tables.with(node.placed()) {
            table.wins::<MISERE>(node, GIVER, rounds)
        } else if at_the_end {
            ending::wins::<GIVER, MISERE>(&self.context.geometry, node, rounds, &mut self.nodes)
        } else if GIVER {
            self.some_gift_wins(node, gifts, hash, rounds)
        } else {
            self.every_gift_loses(node, gifts, rounds)
        };
        if hash != 0 && !self.stopped {
            let most = Rounds::<MISERE>::most(GIVER, node.left.count_ones());
            let proved = if !answer && rounds >= most { EVER } else { rounds };
            let known = self
                .context
                .table
                .get(hash & !HASH_PRESENT)
                .learn(GIVER, proved, answer);
            self.context
                .table
                .put(hash & !HASH_PRESENT, known, self.nodes - before + 1);
        }
        answer
    }

    /// The giver's question: is there a gift that loses for the other wherever it is placed?
    fn some_gift_wins(&mut self, node: &SolverBoard, gifts: u16, hash: u64, rounds: u32) -> bool {
        let after = Rounds::<MISERE>::after_gift(rounds);
        let outlook = self.outlook(node);
        let mut branches = [Branch::default(); 16];
        let mut count = 0;
        'gifts: for piece in bits(gifts) {
            let mut branch = Branch {
                piece,
                ..Branch::default()
            };
            for cell in bits(self.context.geometry.room(node, &outlook.blocked, piece)) {
                match self.verdict_after::<false>(node, &outlook, (piece, cell), after) {
                    (StaticVerdict::Known(true), _) => {}
                    (StaticVerdict::Known(false), _) => continue 'gifts,
                    (StaticVerdict::Open(_), looseness) => {
                        branch.open |= 1 << cell;
                        branch.score += COST[looseness];
                    }
                }
            }
            if branch.open == 0 {
                return true;
            }
            branches[count] = branch;
            count += 1;
        }
        let branches = &mut branches[..count];
        sort_branches(branches);
        let branches = &*branches;
        let mark = |way: usize| hash ^ u64::from(branches[way].piece + 1) << 40;
        let answered = |search: &Self, _| search.probe_table(hash, true, rounds);
        self.some_way_wins(node, branches.len(), mark, answered, |search, way| {
            search.every_cell_wins(node, &branches[way], after)
        })
    }

    /// Whether the giver of the branch's piece wins wherever the other places it.
    fn every_cell_wins(&mut self, node: &SolverBoard, branch: &Branch, rounds: u32) -> bool {
        let mut opens = [OpenPlacement::default(); 16];
        let mut count = 0;
        for cell in bits(branch.open) {
            let child = self.context.geometry.place(node, branch.piece, cell);
            let hash = self.hash(&child);
            let score = if node.placed() <= LOOK_FURTHER {
                match self.fewest_chances_of_the_other(&child, rounds) {
                    Some(score) => score,
                    None => return false,
                }
            } else {
                8 * self.looseness(&child) as i32 + child.alive_count()
            };
            opens[count] = OpenPlacement { score, cell, hash };
            count += 1;
        }
        let Some(opens) = self.unknown::<false>(&mut opens[..count], rounds) else {
            return false;
        };
        let shared = self.shares(node);
        opens.iter().all(|open| {
            let known = match shared {
                true => self.probe_table(open.hash, false, rounds),
                false => None,
            };
            known.unwrap_or_else(|| {
                let child = self.context.geometry.place(node, branch.piece, open.cell);
                let gifts = self.gifts(&child);
                self.search::<false>(&child, gifts, open.hash, rounds)
            })
        })
    }

    /// The other's question: does every gift have a placement that wins?
    fn every_gift_loses(&mut self, node: &SolverBoard, gifts: u16, rounds: u32) -> bool {
        let mut branches = [Branch::default(); 16];
        let mut count = 0;
        let outlook = self.outlook(node);
        for piece in bits(gifts) {
            let Some(branch) = self.placements(node, &outlook, piece, rounds) else {
                continue;
            };
            if branch.open == 0 {
                return false;
            }
            branches[count] = branch;
            count += 1;
        }
        let branches = &mut branches[..count];
        sort_branches(branches);
        branches.iter().all(|branch| self.some_cell_wins(node, branch, rounds))
    }

    /// The placements of a gift with which the other may still win within `rounds`; `None` if one is known to win.
    #[inline(always)]
    fn placements(&self, node: &SolverBoard, outlook: &Outlook, piece: u32, rounds: u32) -> Option<Branch> {
        let after = Rounds::<MISERE>::after_placement(rounds);
        let mut branch = Branch {
            piece,
            ..Branch::default()
        };
        for cell in bits(self.context.geometry.room(node, &outlook.blocked, piece)) {
            match self.verdict_after::<true>(node, outlook, (piece, cell), after) {
                (StaticVerdict::Known(true), _) => return None,
                (StaticVerdict::Known(false), _) => {}
                (StaticVerdict::Open(_), looseness) => {
                    branch.open |= 1 << cell;
                    branch.score += COST[looseness];
                }
            }
        }
        Some(branch)
    }

    /// The ordering score of the gift that leaves the other the fewest chances; `None` if one leaves it none.
    fn fewest_chances_of_the_other(&self, node: &SolverBoard, rounds: u32) -> Option<i32> {
        let mut least = i32::MAX;
        let outlook = self.outlook(node);
        for piece in bits(self.gifts(node)) {
            let Some(branch) = self.placements(node, &outlook, piece, rounds) else {
                continue;
            };
            if branch.open == 0 {
                return None;
            }
            least = least.min(branch.score);
        }
        Some(least)
    }

    /// Whether some placement of the branch's piece wins for the other, who then gives.
    fn some_cell_wins(&mut self, node: &SolverBoard, branch: &Branch, rounds: u32) -> bool {
        let after = Rounds::<MISERE>::after_placement(rounds);
        let mut opens = [OpenPlacement::default(); 16];
        let mut count = 0;
        for cell in bits(branch.open) {
            let child = self.context.geometry.place(node, branch.piece, cell);
            opens[count] = OpenPlacement {
                score: 8 * self.looseness(&child) as i32 - child.alive_count(),
                cell,
                hash: self.hash(&child),
            };
            count += 1;
        }
        let Some(opens) = self.unknown::<true>(&mut opens[..count], after) else {
            return true;
        };
        let opens = &*opens;
        let shared = self.shares(node);
        let mark = |way: usize| opens[way].hash;
        let answered = |search: &Self, passed: u16| {
            let wins = |way: u32| search.probe_table(opens[way as usize].hash, true, after) == Some(true);
            bits(passed).any(wins).then_some(true)
        };
        self.some_way_wins(node, opens.len(), mark, answered, |search, way| {
            let open = &opens[way];
            let known = match shared {
                true => search.probe_table(open.hash, true, after),
                false => None,
            };
            known.unwrap_or_else(|| {
                let child = search.context.geometry.place(node, branch.piece, open.cell);
                match search.static_verdict::<true>(&child, after) {
                    StaticVerdict::Known(answer) => answer,
                    StaticVerdict::Open(gifts) => {
                        !search.stopped && search.search::<true>(&child, gifts, open.hash, after)
                    }
                }
            })
        })
    }

    /// The boards that are not in the transposition table, ordered; `None` if one of them is there and decides the
    /// question: a win of the giver, or a board that the other does not win.
    #[inline(always)]
    fn unknown<'o, const GIVER: bool>(
        &self,
        opens: &'o mut [OpenPlacement],
        rounds: u32,
    ) -> Option<&'o mut [OpenPlacement]> {
        let mut unknown = 0;
        for i in 0..opens.len() {
            match self.probe_table(opens[i].hash, GIVER, rounds) {
                Some(answer) if answer == GIVER => return None,
                Some(_) => {}
                None => {
                    opens[unknown] = opens[i];
                    unknown += 1;
                }
            }
        }
        let opens = &mut opens[..unknown];
        sort_placements(opens);
        Some(opens)
    }

    /// The pieces worth giving.
    #[inline(always)]
    fn gifts(&self, node: &SolverBoard) -> u16 {
        if MISERE {
            node.left
        } else {
            self.context.geometry.safe(node)
        }
    }

    /// Adds its nodes to the common count and checks the limits.
    #[cold]
    fn check_limits(&mut self) {
        let fresh = self.nodes - self.reported;
        let nodes = self.context.nodes.0.fetch_add(fresh, Ordering::Relaxed) + fresh;
        self.reported = self.nodes;
        let deadline = self.context.deadline.load(Ordering::Relaxed);
        self.stopped |= self.stop.is_raised()
            || self.context.answered.load(Ordering::Relaxed)
            || self.nodes >= self.most
            || nodes >= self.context.limit.load(Ordering::Relaxed)
            || deadline != 0 && self.context.born.elapsed().as_micros() as u64 >= deadline;
    }
}

/// Set in every hash, so that 0 can mean that there is none.
const HASH_PRESENT: u64 = 1 << 63;

/// The members of a set of sixteen.
#[inline(always)]
pub(super) fn bits(mut set: u16) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros();
        set &= set - 1;
        Some(bit)
    })
}
