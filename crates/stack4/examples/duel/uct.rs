//! Plain tree search to compare with: UCT with random playouts, nothing about the game but its rules.

use game::{Game, Payoff, Rng, Seat, rng};
use stack4::{Column, Position};
use std::time::{Duration, Instant};

/// The exploration constant, for payoffs from 0 to 1.
const EXPLORE: f32 = 0.7;

struct Node {
    column: Column,
    visits: f32,
    /// Payoffs of the seat that moved here.
    sum: f32,
    /// Children, next to each other in the tree; none until it is expanded.
    first: u32,
    count: u32,
}

pub struct Uct {
    rng: Rng,
    tree: Vec<Node>,
}

impl Uct {
    pub fn new(seed: u64) -> Self {
        Uct {
            rng: rng(seed),
            tree: Vec::new(),
        }
    }

    /// The most visited move.
    pub fn choose(&mut self, position: &Position, time: Duration) -> Option<Column> {
        let start = Instant::now();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let column = *moves.first()?;
        self.tree.clear();
        self.tree.push(Node {
            column,
            visits: 0.0,
            sum: 0.0,
            first: 0,
            count: 0,
        });
        while start.elapsed() < time {
            for _ in 0..16 {
                self.playout(*position, &mut moves);
            }
        }
        let root = &self.tree[0];
        let children = &self.tree[root.first as usize..(root.first + root.count) as usize];
        children
            .iter()
            .max_by(|a, b| a.visits.total_cmp(&b.visits))
            .map(|node| node.column)
    }

    fn playout(&mut self, mut position: Position, moves: &mut Vec<Column>) {
        let mut path = [0usize; 66];
        let mut length = 1;
        let mut at = 0;
        let root_seat = position.mover();
        while self.tree[at].count > 0 {
            at = self.select(at);
            position.drop_stone(self.tree[at].column);
            path[length] = at;
            length += 1;
        }
        if self.tree[at].visits > 0.0 || at == 0 {
            position.legal_moves(moves);
            self.tree[at].first = self.tree.len() as u32;
            self.tree[at].count = moves.len() as u32;
            self.tree.extend(moves.iter().map(|&column| Node {
                column,
                visits: 0.0,
                sum: 0.0,
                first: 0,
                count: 0,
            }));
        }
        while !position.is_over() {
            position.drop_random(&mut self.rng);
        }
        let payoff = position
            .outcome()
            .map_or(Payoff::DRAW, |payoffs| payoffs.of(Seat::FIRST));
        let black = f32::from(payoff.points()) / 100.0;
        for (depth, &node) in path[..length].iter().enumerate() {
            let node = &mut self.tree[node];
            node.visits += 1.0;
            // The node at depth 1 was reached by the root's mover.
            let mover_is_black = (root_seat == Seat::FIRST) == (depth % 2 == 1);
            node.sum += if mover_is_black { black } else { 1.0 - black };
        }
    }

    fn select(&self, at: usize) -> usize {
        let node = &self.tree[at];
        let log = node.visits.max(1.0).ln();
        let worth = |child: &Node| {
            if child.visits == 0.0 {
                f32::INFINITY
            } else {
                child.sum / child.visits + EXPLORE * (log / child.visits).sqrt()
            }
        };
        let (first, last) = (node.first as usize, (node.first + node.count) as usize);
        (first..last)
            .max_by(|&a, &b| worth(&self.tree[a]).total_cmp(&worth(&self.tree[b])))
            .unwrap_or(first)
    }
}
