//! Learns the model of opponents from games: `cargo run --release -p terzo-quarto --example opponent -- [GAMES] [SPEC...]`.
//!
//! `perfect` plays GAMES games against each SPEC; each turn that SPEC makes in a drawn position with six to twelve pieces placed is held against all that do not
//! give a line at once. It prints the weights under which these turns are most likely: those of `quarto::opponent`.

use game::{Game, mix};
use player::Clock;
use quarto::opponent::{ModelledReply, fit};
use quarto::players::factory;
use quarto::solver::{Outcome, Solver};
use quarto::{Position, Rules};

const TEACHERS: [&str; 6] = [
    "novice",
    "minimax:depth=2,eval=absolute",
    "minimax:depth=3,eval=absolute,opening=novice",
    "minimax:depth=4,eval=absolute,opening=novice",
    "perfect:level=5",
    "perfect:level=7",
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let games: u64 = args.first().map_or(60, |text| text.parse().expect("a number of games"));
    let named: Vec<&str> = args.iter().skip(1).map(String::as_str).collect();
    let teachers = if named.is_empty() { TEACHERS.to_vec() } else { named };
    let mut solver = Solver::new(Rules::standard(), 64 << 20, 1).expect("memory");
    solver.open_book();
    let mut turns = Vec::new();
    for spec in teachers {
        let before = turns.len();
        for game in 0..games {
            watch(&solver, spec, game, &mut turns);
        }
        let made = &turns[before..];
        let lost = made
            .iter()
            .filter(|(made, replies): &&(usize, Vec<ModelledReply>)| replies[*made].loses);
        println!("{spec}: {} turns, {} of them lose", made.len(), lost.count());
    }
    let (weights, likelihood) = fit(&turns);
    println!("{} turns, log likelihood {likelihood:.4} each", turns.len());
    println!("weights {weights:.2?}");
}

/// Plays a game and adds the turns that it shows.
fn watch(solver: &Solver, spec: &str, game: u64, turns: &mut Vec<(usize, Vec<ModelledReply>)>) {
    let mut them = factory(spec).expect("a player").make();
    let mut perfect = factory("perfect:effort=20000").expect("a player").make();
    perfect.begin(mix(game, &[1]));
    them.begin(mix(game, &[2]));
    let mut position = Position::new(solver.rules());
    while position.outcome().is_none() {
        let ours = position.mover().index() == (game % 2) as usize;
        let mover = if ours { &mut perfect } else { &mut them };
        let turn = mover.choose(&position, &Clock::unlimited()).expect("a turn").best;
        let asked = !ours && (6..13).contains(&position.placed());
        if asked && solver.outcome(&position) == Ok(Outcome::Draw) {
            let (mut made, mut replies) = (None, Vec::new());
            for cell in position.empty() {
                let board = position.placing(cell);
                let losing = board.completing_pieces();
                for piece in board.left().into_iter().filter(|piece| !losing.contains(*piece)) {
                    if turn.place == Some(cell) && turn.give == Some(piece) {
                        made = Some(replies.len());
                    }
                    replies.push(ModelledReply::new(solver, &board.giving(piece)).expect("an answer"));
                }
            }
            turns.extend(made.map(|made| (made, replies)));
        }
        position.play_unchecked(turn);
    }
}
