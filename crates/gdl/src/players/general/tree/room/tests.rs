use super::super::super::grow::{Grower, GrowthLimit, Judging, lock};
use super::super::{GrowthSettings, Perspective};
use super::*;
use crate::{BuildLimits, Machine, Position, Sheet};
use game::{Game, Until};

fn start(name: &str) -> Position {
    let machine = Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap();
    Position::new(machine).unwrap()
}

/// A tree with little room.
fn grower(capacity: usize) -> Grower {
    let grower = Grower::new(Judging::Lanes, GrowthSettings::default());
    lock(&grower.tree).capacity = capacity;
    grower
}

fn grow(grower: &Grower, position: &Position, walks: u64) {
    let view = Perspective {
        me: position.mover().index(),
        winner_takes_all: true,
    };
    lock(&grower.tree).plant(position, view);
    grower.grow(position.machine(), &GrowthLimit::new(Until::never(), Some(walks)), 1);
}

/// Everything that is linked is there, and nothing else is.
fn is_whole(tree: &Tree) {
    let mut linked = 0;
    for (at, node) in tree.nodes.iter().enumerate() {
        assert_eq!(node.is_free(), tree.free.contains(&(at as u32)));
        for child in node.children() {
            assert!(!tree.nodes[child as usize].is_free());
            linked += 1;
        }
        assert!(node.floor == NONE || tree.nodes[node.floor as usize].proved);
        assert!(node.arms.iter().flatten().all(|arm| arm.flying == 0));
    }
    assert!(linked > 0);
    for (key, &number) in &tree.index {
        assert_eq!(super::super::hash(&tree.nodes[number as usize].state.0), *key);
    }
    assert_eq!(tree.arm_count, tree.nodes.iter().map(Node::arm_count).sum::<usize>());
}

#[test]
fn a_full_tree_goes_on_growing_where_it_matters() {
    let position = start("connectfour");
    let deepest = |walks: u64| {
        let grower = grower(2000);
        grow(&grower, &position, walks);
        let tree = lock(&grower.tree);
        is_whole(&tree);
        assert!(tree.size() <= 2000, "{}", tree.size());
        // The line that was tried most, as far as it is in the tree.
        let (mut at, mut length) = (tree.root, 0);
        while let Some(arm) = tree.nodes[at as usize]
            .arms
            .iter()
            .flatten()
            .filter(|arm| arm.child != NONE)
            .max_by_key(|arm| arm.visits)
        {
            (at, length) = (arm.child, length + 1);
        }
        length
    };
    // With room for 2000 it sees further after 60,000 walks than when it was full for the first time.
    let (first, later) = (deepest(2500), deepest(60_000));
    assert!(later >= first + 3, "{first}, then {later}");
}

#[test]
fn what_is_proved_is_proved_in_little_room_too() {
    // It has 5478 positions.
    let position = start("tictactoe");
    let grower = grower(3000);
    grow(&grower, &position, 200_000);
    let tree = lock(&grower.tree);
    is_whole(&tree);
    assert!(tree.is_proved());
    assert_eq!(tree.nodes[tree.root as usize].worth[..], [0.5, 0.5]);
}

#[test]
fn games_are_played_on_in_a_tree_that_forgets() {
    for name in ["connectfour", "tictactoe", "duel", "breakthrough"] {
        let grower = grower(300);
        let mut position = start(name);
        let mut rng = game::rng(2);
        let mut legal = Vec::new();
        while position.outcome().is_none() {
            grow(&grower, &position, 700);
            is_whole(&lock(&grower.tree));
            let mv = position.random_move(&mut rng, &mut legal).unwrap();
            position.play_unchecked(mv);
        }
    }
}
