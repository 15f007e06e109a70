//! A game as text that a person reads and `terzo replay` takes: comments, perhaps a position, and a line of turns.
//!
//! ```text
//! # game quarto
//! # seat 1 novice
//! # seat 2 random
//! # result seat 1 won
//! -.c a1.0 b2.5
//! ```

use crate::record::PairRecord;
use crate::referee::VerdictKind;
pub use game::GameText;
use game::Seat;
use std::fmt::Write;

/// Game number `number` (0 or 1) of a pair as text. `names` are the players' by number.
pub fn write(game: &str, pair: &PairRecord, number: usize, names: &[String]) -> String {
    let record = &pair.games[number & 1];
    let mut text = String::new();
    let _ = writeln!(text, "# game {game}");
    let _ = writeln!(text, "# pair {}, game {}, seed {}", pair.number, number + 1, pair.seed);
    for seat in [Seat::FIRST, Seat::SECOND] {
        let name = names.get(pair.sitting(number, seat)).map_or("?", String::as_str);
        let _ = writeln!(text, "# {seat} {name}");
    }
    let result = match record.winner {
        None => "draw".to_string(),
        Some(winner) => format!("{winner} won"),
    };
    let _ = match record.kind {
        VerdictKind::Win | VerdictKind::Draw => writeln!(text, "# result {result}"),
        kind => writeln!(text, "# result {result} ({})", kind.word()),
    };
    for line in record.detail.lines().chain(record.log.lines()) {
        let _ = writeln!(text, "#   {line}");
    }
    let opening = pair.opening.split_ascii_whitespace().count();
    if opening > 0 {
        let _ = writeln!(text, "# the first {opening} turns are the opening");
    }
    if let Some(position) = &pair.start {
        let _ = writeln!(text, "position {position}");
    }
    let turns: Vec<&str> = [pair.opening.as_str(), record.turns.as_str()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    let _ = writeln!(text, "{}", turns.join(" "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameRecord, sample_pair};
    use crate::tally::TurnTimes;
    use game::Game;
    use quarto::{Position, Rules};

    #[test]
    fn a_written_game_reads_back_and_plays() {
        let game = GameRecord {
            kind: VerdictKind::Timeout,
            winner: Some(Seat::FIRST),
            detail: "out of time".into(),
            turns: "b1.3 c1.4".into(),
            times: String::new(),
            says: String::new(),
            log: "noise\nmore # noise".into(),
            turn_count: 2,
            clocks: [TurnTimes::default(); 2],
        };
        let pair = sample_pair(game);
        let text = write("quarto", &pair, 1, &["one".into(), "two".into()]);
        assert!(
            text.contains("# seat 1 two\n# seat 2 one\n# result seat 1 won (timeout)"),
            "{text}"
        );
        let read = GameText::parse(&text);
        assert_eq!(read.game.as_deref(), Some("quarto"));
        let (positions, moves) = read.play(&Position::new(Rules::standard())).unwrap();
        assert_eq!((positions.len(), moves.len()), (5, 4));
        assert_eq!(positions[4].print(), "013./..../..../.... 4");
    }

    #[test]
    fn an_illegal_turn_is_told() {
        let text = GameText::parse("position 0.../..../..../.... 1\na1.2");
        let error = text.play(&Position::new(Rules::standard())).unwrap_err();
        assert!(error.to_string().contains("taken"), "{error}");
    }
}
