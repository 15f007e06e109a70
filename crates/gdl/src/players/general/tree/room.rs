//! Room in the tree: what cannot be reached any more is forgotten, and when the tree is full what was tried least.
//!
//! A tree that could not grow any more would see no further, however long it was given: every walk would end at a leaf that stays one.

use super::{NONE, Node, Tree};

/// The most choices of all nodes together.
const MOST_ARMS: usize = 16_000_000;

impl Tree {
    /// How many nodes there are.
    pub(super) fn size(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Whether there is no room for another node, or for the choices of one.
    pub(super) fn is_full(&self) -> bool {
        self.size() >= self.capacity || self.arm_count >= MOST_ARMS
    }

    /// Keeps what can be reached from a node, which becomes the root. No walk may be under way.
    pub(super) fn keep(&mut self, root: u32) {
        let mut numbers = vec![NONE; self.nodes.len()];
        let mut order = vec![root];
        numbers[root as usize] = 0;
        let mut at = 0;
        while let Some(&old) = order.get(at) {
            for child in self.nodes[old as usize].children() {
                if numbers[child as usize] == NONE {
                    numbers[child as usize] = order.len() as u32;
                    order.push(child);
                }
            }
            at += 1;
        }
        let renumber = |child: &mut u32| {
            if *child != NONE {
                *child = numbers[*child as usize];
            }
        };
        let mut old: Vec<Option<Node>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.nodes = order.iter().filter_map(|&number| old[number as usize].take()).collect();
        self.free.clear();
        for node in &mut self.nodes {
            node.arms.iter_mut().flatten().for_each(|arm| renumber(&mut arm.child));
            node.joints.values_mut().for_each(renumber);
            renumber(&mut node.floor);
        }
        self.arm_count = self.nodes.iter().map(Node::arm_count).sum();
        self.index = (0..)
            .zip(&self.nodes)
            .map(|(at, node)| (super::hash(&node.state.0), at))
            .collect();
        self.root = 0;
        // What is still here is as good as full for a long search; better now than in the middle of one.
        if self.size() > self.capacity / 2 || self.arm_count > MOST_ARMS / 2 {
            self.make_room();
        }
    }

    /// Forgets what was tried least, so that about half of the tree is left. Walks may be under way.
    pub(super) fn make_room(&mut self) {
        // How many nodes, and choices, were tried so often: by powers of two.
        let mut tried = [(0, 0); 33];
        for node in &self.nodes {
            let (nodes, arms) = &mut tried[(32 - node.results.leading_zeros()) as usize];
            *nodes += 1;
            *arms += node.arm_count();
        }
        let (mut nodes, mut arms, mut power) = (0, 0, 32);
        while power > 2 {
            nodes += tried[power].0;
            arms += tried[power].1;
            if nodes > self.capacity / 2 || arms > MOST_ARMS / 2 {
                break;
            }
            power -= 1;
        }
        // It must not be full again at once: if most of it is proved, the reasons go, too, and at last all but what is next to the root.
        for (fewest, reasons) in [(1 << power, true), (1 << power, false), (u32::MAX, false)] {
            self.forget(fewest, reasons);
            if self.size() <= self.capacity / 4 * 3 && self.arm_count <= MOST_ARMS / 4 * 3 {
                break;
            }
        }
    }

    /// Forgets positions with fewer results, but for what is proved and where walks are under way; of what is proved only one reason is
    /// kept where it has few results or `reasons` are not wanted.
    fn forget(&mut self, fewest: u32, reasons: bool) {
        let mut kept = vec![false; self.nodes.len()];
        kept[self.root as usize] = true;
        let mut open = vec![self.root];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            let flies = node.arms.iter().flatten().any(|arm| arm.flying > 0);
            let one_reason = node.proved && !flies && (node.results < fewest || !reasons);
            let wanted = |child: u32| {
                let below = &self.nodes[child as usize];
                child == node.floor || (!one_reason && (below.results >= fewest || below.proved))
            };
            let flown = |child: u32| {
                let arms = node.arms.iter().flatten();
                // Where several choose at once, walks know their joint choices alone.
                flies && (node.lead.is_none() || arms.filter(|arm| arm.flying > 0).any(|arm| arm.child == child))
            };
            for child in node.children() {
                if !kept[child as usize] && (wanted(child) || flown(child)) {
                    kept[child as usize] = true;
                    open.push(child);
                }
            }
        }
        for (at, node) in self.nodes.iter_mut().enumerate() {
            if !kept[at] {
                if !node.is_free() {
                    *node = Node::free();
                    self.free.push(at as u32);
                }
                continue;
            }
            for arm in node.arms.iter_mut().flatten() {
                if arm.child != NONE && !kept[arm.child as usize] {
                    arm.child = NONE;
                }
            }
            node.joints.retain(|_, child| kept[*child as usize]);
        }
        self.arm_count = self.nodes.iter().map(Node::arm_count).sum();
        self.index.retain(|_, number| kept[*number as usize]);
    }
}

impl Node {
    /// Where its choices are known to lead.
    fn children(&self) -> impl Iterator<Item = u32> {
        let arms = self.arms.iter().flatten().map(|arm| arm.child);
        let children = arms.chain(self.joints.values().copied());
        children.filter(|&child| child != NONE)
    }

    fn arm_count(&self) -> usize {
        self.arms.iter().map(Vec::len).sum()
    }

    /// A place for a node to come.
    fn free() -> Node {
        Node {
            state: crate::State([].into()),
            worth: super::SeatValues::new(),
            results: 0,
            proved: false,
            range: None,
            over: false,
            decided: false,
            arms: Vec::new(),
            joints: std::collections::HashMap::new(),
            lead: None,
            floor: NONE,
        }
    }

    /// Nothing that was a node is without a result.
    fn is_free(&self) -> bool {
        self.results == 0
    }
}

#[cfg(test)]
mod tests;
