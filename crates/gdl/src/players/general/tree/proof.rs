//! What is proved of a node by what is proved of its children.
//!
//! Whoever has several best choices may take any of them, and nobody can know which, not even of us. Where that makes a difference,
//! a proved node has a range for every seat, and who chooses may choose whatever is not surely worse; we count on our least. A win of
//! another is no proof of what we get, unless what some win the others lose.

use super::{NONE, Node, SeatValues, Tree};

impl Tree {
    /// Proves a node, if its children do.
    pub(super) fn prove(&mut self, at: u32) {
        let node = &self.nodes[at as usize];
        let Some(mover) = node.lead.map(usize::from).filter(|_| !node.proved) else {
            return;
        };
        let (mut floor, mut all) = (NONE, true);
        let mut arms = std::mem::take(&mut self.nodes[at as usize].arms[mover]);
        for arm in &mut arms {
            let Some(child) = self.nodes.get(arm.child as usize).filter(|child| child.proved) else {
                all = false;
                continue;
            };
            arm.proved = true;
            arm.mean = child.worth[mover];
            if floor == NONE || self.prefers(mover, &child.worth, &self.nodes[floor as usize].worth) {
                floor = arm.child;
            }
        }
        self.nodes[at as usize].arms[mover] = arms;
        self.nodes[at as usize].floor = floor;
        let Some(best) = self.nodes.get(floor as usize) else {
            return;
        };
        let (takes_all, me) = self.view.map_or((true, mover), |view| (view.winner_takes_all, view.me));
        let won = best.least()[mover] >= 1.0;
        let (worth, range) = match all {
            // Where two want opposite things, what is the same to one is the same to the other.
            true if takes_all && best.worth.len() <= 2 => (best.worth.clone(), None),
            true => self.hanging_on_ties(at, mover, me),
            false if won && takes_all => (best.worth.clone(), None),
            // Of several wins we may choose any, and what the others get of it was not looked at.
            false if won && mover == me => {
                let end = |end: f32| {
                    (0..best.worth.len())
                        .map(|seat| if seat == me { 1.0 } else { end })
                        .collect()
                };
                (best.worth.clone(), Some(Box::new([end(0.0), end(1.0)])))
            }
            false => return,
        };
        let node = &mut self.nodes[at as usize];
        (node.worth, node.range, node.proved) = (worth, range, true);
    }

    /// What a node is worth all of whose children are proved, where what one wins is not what the others lose.
    fn hanging_on_ties(&self, at: u32, mover: usize, me: usize) -> (SeatValues, Option<Box<[SeatValues; 2]>>) {
        let arms = &self.nodes[at as usize].arms[mover];
        let children = || arms.iter().filter_map(|arm| self.nodes.get(arm.child as usize));
        let sure = children().map(|child| child.least()[mover]).fold(0.0, f32::max);
        // We choose what is surely best; what another might hope to be as good it may choose.
        let may_choose = |child: &&Node| {
            let hoped = if mover == me { child.least() } else { child.most() };
            hoped[mover] >= sure
        };
        let seats = self.nodes[at as usize].worth.len();
        let mut least: SeatValues = std::iter::repeat_n(1.0, seats).collect();
        let mut most: SeatValues = std::iter::repeat_n(0.0, seats).collect();
        for child in children().filter(may_choose) {
            for seat in 0..seats {
                least[seat] = least[seat].min(child.least()[seat]);
                most[seat] = most[seat].max(child.most()[seat]);
            }
        }
        least[mover] = sure;
        let mut worth: SeatValues = least
            .iter()
            .zip(&most)
            .map(|(least, most)| (least + most) / 2.0)
            .collect();
        worth[me] = least[me];
        let range = (least != most).then(|| Box::new([least, most]));
        (worth, range)
    }

    /// Whether a chooser takes one worth rather than another; what is the same to it, it may do to harm us.
    fn prefers(&self, mover: usize, one: &SeatValues, other: &SeatValues) -> bool {
        let harm = |worth: &SeatValues| self.view.map_or(0.0, |view| -worth[view.me]);
        one[mover] > other[mover] || (one[mover] == other[mover] && harm(one) > harm(other))
    }
}
