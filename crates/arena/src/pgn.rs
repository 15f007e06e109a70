//! Recorded games in the form of PGN, the portable game notation of chess: tags, then moves with their values and times as
//! comments. Programs that read PGN without knowing the game (databases of games, counters of results) can read it.
//!
//! Seat 1 is `White` and seat 2 is `Black`, whatever they are called in the game: these are the tags that such programs look for.

use crate::record::{PairRecord, read_says, read_times};
use crate::referee::VerdictKind;
use crate::store::Entry;
use game::Seat;
use std::fmt::Write;

/// A line of moves is broken before it gets longer than this.
const WIDTH: usize = 79;

/// Game number `number` (0 or 1) of a pair, with an empty line at its end.
pub fn game_as_pgn(entry: &Entry, pair: &PairRecord, number: usize) -> String {
    let game = &pair.games[number & 1];
    let name = |seat| {
        let player = entry.players.get(pair.sitting(number, seat));
        player.map_or("?", |(name, _)| name.as_str())
    };
    let result = match game.winner {
        None => "1/2-1/2",
        Some(winner) if winner == Seat::FIRST => "1-0",
        Some(_) => "0-1",
    };
    let termination = match game.kind {
        VerdictKind::Win | VerdictKind::Draw => "normal",
        VerdictKind::Timeout | VerdictKind::Stall => "time forfeit",
        VerdictKind::Adjudicated => "adjudication",
        VerdictKind::Illegal => "rules infraction",
        VerdictKind::Crash | VerdictKind::Disconnect => "abandoned",
    };
    let mut text = String::new();
    let mut tag = |key: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{key} \"{}\"]", value.replace(['\n', '\r'], " "));
    };
    tag("Event", &entry.name);
    tag("Site", "?");
    // `2026-11-16 10:00:00` in the records; in PGN the day, with points.
    tag(
        "Date",
        &entry.started.get(..10).unwrap_or("????.??.??").replace('-', "."),
    );
    tag("Round", &format!("{}.{}", pair.number + 1, number + 1));
    tag("White", name(Seat::FIRST));
    tag("Black", name(Seat::SECOND));
    tag("Result", result);
    tag("Variant", &entry.game);
    if let Some(start) = &pair.start {
        tag("SetUp", "1");
        tag("FEN", start);
    }
    tag("Termination", termination);
    if !game.detail.is_empty() {
        tag("Remark", &game.detail);
    }
    let turns = opening_and_turns(pair, number);
    tag("PlyCount", &turns.len().to_string());
    text.push('\n');
    write_moves(&mut text, &turns, result);
    text.push('\n');
    text
}

/// Every turn with what is said of it: `book` in the opening, else its value, depth and seconds.
fn opening_and_turns(pair: &PairRecord, number: usize) -> Vec<(String, String)> {
    let game = &pair.games[number & 1];
    let opening = pair.opening.split_ascii_whitespace();
    let mut all: Vec<(String, String)> = opening.map(|turn| (turn.into(), "book".into())).collect();
    let mut says = read_says(&game.says).into_iter();
    let mut times = read_times(&game.times);
    for turn in game.turns.split_ascii_whitespace() {
        let (value, depth, _) = says.next().unwrap_or_default();
        let mut words = Vec::new();
        if let Some(value) = value {
            words.push(match depth {
                Some(depth) => format!("{value:+.2}/{depth}"),
                None => format!("{value:+.2}"),
            });
        }
        if let Some(Some((_, (place, give), _))) = times.next() {
            let seconds = place.unwrap_or_default() + give.unwrap_or_default();
            words.push(format!("{:.3}s", seconds.as_secs_f64()));
        }
        all.push((turn.into(), words.join(" ")));
    }
    all
}

/// Moves with their numbers, and the result after the last.
fn write_moves(text: &mut String, turns: &[(String, String)], result: &str) {
    let mut width = 0;
    let mut word = |word: &str| {
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    };
    for (ply, (turn, comment)) in turns.iter().enumerate() {
        // After a comment the number is told again, as PGN wants it.
        match (
            ply % 2,
            ply.checked_sub(1).is_some_and(|before| !turns[before].1.is_empty()),
        ) {
            (0, _) => word(&format!("{}.", ply / 2 + 1)),
            (_, true) => word(&format!("{}...", ply / 2 + 1)),
            _ => (),
        }
        word(turn);
        if !comment.is_empty() {
            word(&format!("{{{comment}}}"));
        }
    }
    word(result);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameRecord, sample_pair};
    use crate::tally::TurnTimes;

    #[test]
    fn a_game_has_its_tags_its_moves_and_its_result() {
        let game = GameRecord {
            kind: VerdictKind::Timeout,
            winner: Some(Seat::SECOND),
            detail: "answered after \"2 s\"".into(),
            turns: "b1.3 c1.4".into(),
            times: "120000000+80000000 +1500000".into(),
            says: "0.25/4/100 - ".into(),
            log: String::new(),
            turn_count: 2,
            clocks: [TurnTimes::default(); 2],
        };
        let pair = sample_pair(game);
        let entry = Entry {
            id: 3,
            name: "evening".into(),
            game: "quarto".into(),
            plan: String::new(),
            started: "2026-11-16 10:00:00".into(),
            stopped: None,
            players: vec![("one".into(), "novice".into()), ("two".into(), "random".into())],
            pairs: 1,
        };
        let expected = "[Event \"evening\"]\n[Site \"?\"]\n[Date \"2026.11.16\"]\n[Round \"5.2\"]\n[White \"two\"]\n[Black \"one\"]\n\
            [Result \"0-1\"]\n[Variant \"quarto\"]\n[Termination \"time forfeit\"]\n[Remark \"answered after \\\"2 s\\\"\"]\n[PlyCount \"4\"]\n\n\
            1. -.0 {book} 1... a1.1 {book} 2. b1.3 {+0.25/4 0.200s} 2... c1.4 {0.002s} 0-1\n\n";
        assert_eq!(game_as_pgn(&entry, &pair, 1), expected);
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        let turns: Vec<(String, String)> = (0..60).map(|n| (format!("a{n}.1"), String::new())).collect();
        let mut text = String::new();
        write_moves(&mut text, &turns, "1-0");
        assert!(
            text.lines().count() > 3 && text.lines().all(|line| line.len() <= WIDTH),
            "{text}"
        );
        assert!(text.split_whitespace().collect::<Vec<_>>().ends_with(&["a59.1", "1-0"]));
    }
}
