//! What `go` says.

use game::Game;
use player::{Bank, Clock};
use std::time::{Duration, Instant};

/// The limits of a search, and whether its answer waits for `stop`.
pub(super) struct Go {
    pub clock: Clock,
    pub infinite: bool,
}

impl Go {
    /// Reads the words after `go`. Chess engines' names of the clocks are understood, too.
    pub fn read<G: Game>(words: &[&str], position: &G, started: Instant) -> Result<Go, String> {
        let mut clock = Clock::started_at(started);
        let mut left = [None; 2];
        let mut increment = [Duration::ZERO; 2];
        let mut moves = None;
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if word == "infinite" {
                clock.infinite = true;
                continue;
            }
            if !KNOWN.contains(&word) {
                return Err(format!("`go` does not know `{word}`"));
            }
            let text = words.next().copied().unwrap_or("");
            let number: i64 = text
                .parse()
                .map_err(|_| format!("`go {word}` takes a whole number, not `{text}`"))?;
            // A clock below zero is one that has run out.
            let number = number.max(0) as u64;
            let time = Duration::from_millis(number);
            match word {
                "p1time" | "wtime" => left[0] = Some(time),
                "p2time" | "btime" => left[1] = Some(time),
                "p1inc" | "winc" => increment[0] = time,
                "p2inc" | "binc" => increment[1] = time,
                "movestogo" => moves = Some(u32::try_from(number.max(1)).unwrap_or(u32::MAX)),
                // The way back through the pipe takes time, too.
                "movetime" => clock.time = Some(time.saturating_sub(Duration::from_millis(2)) * 19 / 20),
                "nodes" => clock.nodes = Some(number.max(1)),
                _ => clock.depth = Some(u32::try_from(number.max(1)).unwrap_or(u32::MAX)),
            }
        }
        let seat = position.mover();
        if let (None, Some(mine)) = (clock.time, left[seat.index() & 1]) {
            let bank = Bank {
                left: left.map(|time| time.unwrap_or(mine)),
                increment,
                moves_to_go: moves,
            };
            (clock.time, clock.bank) = (Some(bank.share(seat)), Some(bank));
        }
        let infinite = clock.infinite;
        Ok(Go { clock, infinite })
    }
}

const KNOWN: [&str; 12] = [
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "nodes",
    "depth",
];

#[cfg(test)]
mod tests {
    use super::*;
    use quarto::{Position, Rules};

    fn read(text: &str) -> Result<Go, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        Go::read(&words, &Position::new(Rules::standard()), Instant::now())
    }

    #[test]
    fn every_clock_is_read_and_unknown_words_are_refused() {
        let ms = Duration::from_millis;
        assert_eq!(read("movetime 102").unwrap().clock.time, Some(ms(95)));
        assert_eq!(read("nodes 0").unwrap().clock.nodes, Some(1));
        assert_eq!(read("depth 7").unwrap().clock.depth, Some(7));
        assert!(read("infinite").unwrap().infinite);
        for clocks in ["p1time 2000 p2time 1 p1inc 100", "wtime 2000 btime 1 winc 100"] {
            let clock = read(clocks).unwrap().clock;
            assert_eq!(clock.time, Some(ms(175)));
            assert_eq!(clock.bank.unwrap().left, [ms(2000), ms(1)]);
        }
        assert_eq!(read("p1time 1000 movestogo 2").unwrap().clock.time, Some(ms(450)));
        assert_eq!(read("p1time -5").unwrap().clock.time, Some(ms(0)));
        assert!(read("").is_ok_and(|go| !go.clock.is_set()));
        for (wrong, why) in [
            ("movetime", "`go movetime` takes a whole number, not ``"),
            ("depth deep", "`go depth` takes a whole number, not `deep`"),
            ("movetime 10 colour red", "`go` does not know `colour`"),
        ] {
            assert_eq!(read(wrong).err().as_deref(), Some(why));
        }
    }
}
