//! Recorded games for other programs: JSON lines and CSV.

use crate::record::{PairRecord, read_processor_times, read_says, read_times};
use crate::store::Entry;
use game::Seat;
use player::Replaced;
use serde_json::{Value, json};

/// The head of the CSV table.
pub const CSV_HEAD: &str = "tournament,pair,round,game,seed,seat1,seat2,verdict,winner,turn_count,seconds1,seconds2,start,opening,turns,detail,points1,points2,late1,late2,illegal1,illegal2,processor1,processor2";

/// Game number `number` (0 or 1) of a pair as one JSON object.
pub fn game_as_json(entry: &Entry, pair: &PairRecord, number: usize) -> Value {
    let game = &pair.games[number];
    let name = |seat: Seat| {
        entry
            .players
            .get(pair.sitting(number, seat))
            .map(|(name, _)| name.as_str())
    };
    let ns = |time: Option<std::time::Duration>| time.map(|time| time.as_nanos() as u64);
    let times: Vec<Value> = read_times(&game.times)
        .map(|entry| match entry {
            Some((seat, (place, give), replaced)) => {
                let replaced = replaced.map(|why| match why {
                    Replaced::Late => "late",
                    Replaced::Illegal => "illegal",
                });
                json!({"seat": seat.index() + 1, "place_ns": ns(place), "give_ns": ns(give), "replaced": replaced})
            }
            None => Value::Null,
        })
        .collect();
    let says: Vec<Value> = read_says(&game.says)
        .into_iter()
        .map(|(value, depth, nodes)| json!({"value": value, "depth": depth, "nodes": nodes}))
        .collect();
    let processor = read_processor_times(&game.times).unwrap_or_default();
    json!({
        "tournament": entry.id, "game": entry.game, "pair": pair.number, "round": pair.round, "number": number + 1,
        "seed": pair.seed, "seats": [name(Seat::FIRST), name(Seat::SECOND)],
        "start": pair.start, "opening": words(&pair.opening), "turns": words(&game.turns), "times": times,
        "says": says, "verdict": game.kind.word(), "winner": game.winner.map(|seat| seat.index() + 1),
        "detail": some(&game.detail), "log": some(&game.log), "points": game.points(),
        "processor_ns": processor.map(ns),
    })
}

fn words(text: &str) -> Vec<&str> {
    text.split_ascii_whitespace().collect()
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// Game number `number` (0 or 1) of a pair as a line of the CSV table.
pub fn csv_line(entry: &Entry, pair: &PairRecord, number: usize) -> String {
    let game = &pair.games[number];
    let name = |seat| {
        entry
            .players
            .get(pair.sitting(number, seat))
            .map_or("", |(name, _)| name.as_str())
    };
    let seconds = |seat: Seat| format!("{:.9}", game.clocks[seat.index()].seconds());
    let processor = |seat: Seat| {
        let time = read_processor_times(&game.times).and_then(|times| times[seat.index()]);
        time.map_or(String::new(), |time| format!("{:.6}", time.as_secs_f64()))
    };
    let point = |seat: Seat| {
        game.points()
            .map_or(String::new(), |points| points[seat.index()].to_string())
    };
    let replaced = |seat: Seat| game.clocks[seat.index()].replaced;
    let cells = [
        entry.id.to_string(),
        pair.number.to_string(),
        pair.round.to_string(),
        (number + 1).to_string(),
        pair.seed.to_string(),
        quoted(name(Seat::FIRST)),
        quoted(name(Seat::SECOND)),
        game.kind.word().into(),
        game.winner.map_or(String::new(), |seat| (seat.index() + 1).to_string()),
        game.turn_count.to_string(),
        seconds(Seat::FIRST),
        seconds(Seat::SECOND),
        quoted(pair.start.as_deref().unwrap_or("")),
        quoted(&pair.opening),
        quoted(&game.turns),
        quoted(&game.detail),
        point(Seat::FIRST),
        point(Seat::SECOND),
        replaced(Seat::FIRST).late.to_string(),
        replaced(Seat::SECOND).late.to_string(),
        replaced(Seat::FIRST).illegal.to_string(),
        replaced(Seat::SECOND).illegal.to_string(),
        processor(Seat::FIRST),
        processor(Seat::SECOND),
    ];
    cells.join(",") + "\n"
}

/// A cell of a CSV table.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}
