//! Counting move trees: the oldest test of a move generator.

use crate::Game;

/// How many sequences of exactly `depth` moves start here. Games that end earlier do not count. The last level is
/// counted, not played.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => walk(position, depth, &mut buffers(depth), &|position, _| {
            position.legal_count() as u64
        }),
    }
}

/// The same count, with every leaf really played: slower, and a test of play itself.
pub fn perft_each<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => walk(position, depth, &mut buffers(depth), &|position, moves| {
            position.legal_moves(moves);
            for &mv in moves.iter() {
                let mut leaf = position.clone();
                leaf.play_unchecked(mv);
                std::hint::black_box(&leaf);
            }
            moves.len() as u64
        }),
    }
}

/// A buffer of moves for each level, so that no level allocates.
fn buffers<M>(depth: u32) -> Vec<Vec<M>> {
    (0..depth).map(|_| Vec::new()).collect()
}

fn walk<G: Game>(
    position: &G,
    depth: u32,
    buffers: &mut [Vec<G::Move>],
    last: &impl Fn(&G, &mut Vec<G::Move>) -> u64,
) -> u64 {
    let Some((moves, rest)) = buffers.split_first_mut() else {
        return 1;
    };
    if depth == 1 {
        return last(position, moves);
    }
    position.legal_moves(moves);
    moves
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            walk(&next, depth - 1, rest, last)
        })
        .sum()
}
