//! The whole conversations of the games of a match or tournament, a file a game.
//!
//! ```text
//! # pair 12, game 1, seed 4711
//! # seat 1 novice
//! # seat 2 engine:python3 my.py
//!    0.0000 > engine:python3 my.py: uginewgame
//!    0.0003 < engine:python3 my.py: readyok
//!    0.0171 ! engine:python3 my.py: Traceback (most recent call last):
//! # result seat 1 won: crashed: exit status: 1
//! ```
//!
//! `>` is what the referee said, `<` what the program did, `!` its standard error; times are seconds since the first line.

use parking_lot::Mutex;
use player::ConversationLine;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// Where conversations go.
#[derive(Debug)]
pub struct GameLog {
    folder: PathBuf,
    names: Vec<String>,
    trouble: Mutex<Option<io::Error>>,
}

impl GameLog {
    /// A folder for conversations, made if it is not there. `names` are the players' by number.
    pub fn open(folder: &Path, names: Vec<String>) -> io::Result<GameLog> {
        std::fs::create_dir_all(folder)?;
        Ok(GameLog {
            folder: folder.into(),
            names,
            trouble: Mutex::new(None),
        })
    }

    /// The file of a game: pairs and games are counted from 0 and from 1, as records count them.
    pub fn file(&self, pair: u64, game: u64) -> PathBuf {
        self.folder.join(format!("pair-{pair:06}-game-{}.log", game + 1))
    }

    /// Writes a game down: who sat where and what was said at each seat. The first failure is kept, and games go on.
    pub(crate) fn write(&self, game: &LoggedGame) {
        let written = std::fs::write(self.file(game.pair, game.game), self.text(game));
        if let Err(error) = written {
            self.trouble.lock().get_or_insert(error);
        }
    }

    /// Why conversations could not be written, if they could not.
    pub fn trouble(&self) -> Option<String> {
        let trouble = self.trouble.lock();
        trouble
            .as_ref()
            .map(|error| format!("{}: {error}", self.folder.display()))
    }

    fn text(&self, game: &LoggedGame) -> String {
        let name = |seat: usize| {
            let player = game.players.get(seat).copied().unwrap_or_default();
            self.names.get(player).map_or("?", String::as_str)
        };
        let mut text = String::new();
        let _ = writeln!(text, "# pair {}, game {}, seed {}", game.pair, game.game + 1, game.seed);
        for seat in 0..game.said.len() {
            let _ = writeln!(text, "# seat {} {}", seat + 1, name(seat));
        }
        let all = game.said.iter().enumerate();
        let mut lines: Vec<(usize, &ConversationLine)> = all
            .flat_map(|(seat, lines)| lines.iter().map(move |line| (seat, line)))
            .collect();
        lines.sort_by_key(|(_, line)| line.at);
        let first = lines.first().map(|(_, line)| line.at);
        for (seat, line) in lines {
            let at = first.map_or(0.0, |first| line.at.duration_since(first).as_secs_f64());
            let _ = writeln!(text, "{at:9.4} {} {}: {}", line.speaker.sign(), name(seat), line.text);
        }
        let _ = writeln!(text, "# result {}", game.result.replace('\n', "\n#   "));
        text
    }
}

/// A game that was played, and all that was said.
pub(crate) struct LoggedGame {
    pub pair: u64,
    pub game: u64,
    pub seed: u64,
    /// The players by seat.
    pub players: Vec<usize>,
    /// What was said at each seat.
    pub said: Vec<Vec<ConversationLine>>,
    pub result: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use player::Speaker;
    use std::time::{Duration, Instant};

    #[test]
    fn conversations_of_both_seats_are_told_in_the_order_of_time() {
        let folder = std::env::temp_dir().join(format!("terzo-gamelog-{}", std::process::id()));
        let log = GameLog::open(&folder, vec!["a".into(), "b".into()]).unwrap();
        let began = Instant::now();
        let line = |ms: u64, speaker, text: &str| ConversationLine {
            at: began + Duration::from_millis(ms),
            speaker,
            text: text.into(),
        };
        let game = LoggedGame {
            pair: 3,
            game: 1,
            seed: 7,
            players: vec![1, 0],
            said: vec![
                vec![
                    line(0, Speaker::Referee, "go"),
                    line(250, Speaker::Program, "bestmove -.3"),
                ],
                vec![line(100, Speaker::Stderr, "thinking")],
            ],
            result: "draw".into(),
        };
        log.write(&game);
        let text = std::fs::read_to_string(log.file(3, 1)).unwrap();
        assert!(log.file(3, 1).ends_with("pair-000003-game-2.log"));
        assert_eq!(
            text,
            "# pair 3, game 2, seed 7\n# seat 1 b\n# seat 2 a\n   0.0000 > b: go\n   0.1000 ! a: thinking\n   0.2500 < b: bestmove -.3\n# result draw\n"
        );
        assert!(log.trouble().is_none());
        std::fs::remove_dir_all(&folder).unwrap();
        log.write(&game);
        assert!(log.trouble().unwrap().contains("terzo-gamelog"));
    }
}
