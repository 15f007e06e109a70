//! A tournament of some seconds, and what was played in it.

use crate::process::TERZO;
use arena::store::Store;
use std::path::Path;
use std::process::Command;

/// Enough for some seconds of work, and the same every time: nobody looks at the clock.
const PLAN: [&str; 10] = [
    "--game",
    "quarto",
    "--players",
    "novice",
    "minimax:depth=2,opening=novice,switch=5",
    "montecarlo:playouts=150",
    "--plies",
    "2",
    "--seed",
    "9",
];

pub fn tournament(rounds: &str, db: &Path) -> Command {
    let mut command = Command::new(TERZO);
    command
        .arg("tournament")
        .args(PLAN)
        .args(["--rounds", rounds, "--json", "--db"])
        .arg(db);
    command
}

/// All that was played: everything but the clocks.
pub fn games(db: &Path) -> Vec<String> {
    let store = Store::existing(db).unwrap();
    let mut games = Vec::new();
    store
        .each_pair(1, |pair| {
            let [a, b] = &pair.games;
            games.push(format!(
                "{} {} {} {} {} {:?} | {} {:?} {} | {} {:?} {}",
                pair.number,
                pair.first,
                pair.second,
                pair.round,
                pair.opening,
                pair.start,
                a.turns,
                a.winner,
                a.detail,
                b.turns,
                b.winner,
                b.detail
            ));
        })
        .unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    games
}

pub fn pairs_so_far(db: &Path) -> u64 {
    let entry = Store::existing(db).and_then(|store| store.entry(Some(1)));
    entry.map_or(0, |entry| entry.pairs)
}
