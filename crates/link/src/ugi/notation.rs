//! How moves are written in conversations with programs of others.
//!
//! Most games here have one notation, their own. Where the rest of the world has another one, the game knows it
//! ([`Dialect`]); its own words are understood, too.

use game::{Dialect, Game, GameError};

/// How the moves of a game are written: as others do, or in the game's own words.
#[derive(Clone, Copy)]
pub(crate) struct Notation(Option<&'static dyn Dialect>);

impl Notation {
    /// The notation of a position's game.
    pub fn of<G: Game>(position: &G) -> Self {
        Notation(position.dialect())
    }

    /// A move as a single word.
    pub fn write_move<G: Game>(self, position: &G, mv: G::Move) -> String {
        let own = position.print_move(mv);
        self.common(&own).unwrap_or(own)
    }

    /// Reads a move. In checkers a word may be several jumps: they are all given, in order.
    pub fn read_moves<G: Game>(self, position: &G, text: &str) -> Result<Vec<G::Move>, GameError> {
        let Some(dialect) = self.0 else {
            return Ok(vec![position.parse_move(text)?]);
        };
        if let Some(mv) = self.find(position, &dialect.plain(text)) {
            return Ok(vec![mv]);
        }
        if dialect.joins()
            && let Some(jumps) = self.jumps(position, text)
        {
            return Ok(jumps);
        }
        Ok(vec![position.parse_move(text)?])
    }

    /// Whether a move that the same seat goes on with is written together with the one before.
    pub fn joins(self) -> bool {
        self.0.is_some_and(Dialect::joins)
    }

    /// A move and one that goes on from where it ended, as one word: `22x15` and `15x8` are `22x15x8`.
    pub fn join(self, before: &mut String, word: &str) {
        match word.split_once('x') {
            Some((_, rest)) => {
                before.push('x');
                before.push_str(rest);
            }
            None => before.push_str(word),
        }
    }

    /// Adds a word to a line of play; where the same seat goes on and others write that as one word, to its last word.
    pub fn add(self, words: &mut Vec<String>, word: String, goes_on: bool) {
        match words.last_mut() {
            Some(last) if goes_on && self.joins() => self.join(last, &word),
            _ => words.push(word),
        }
    }

    fn common(self, own: &str) -> Option<String> {
        self.0?.common(own)
    }

    /// The legal move that is written like this.
    fn find<G: Game>(self, position: &G, plain: &str) -> Option<G::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let written = |mv: &G::Move| self.common(&position.print_move(*mv)).as_deref() == Some(plain);
        moves.into_iter().find(written)
    }

    /// The jumps of `22x15x8`; squares between may be left out.
    fn jumps<G: Game>(self, position: &G, text: &str) -> Option<Vec<G::Move>> {
        let squares: Vec<&str> = text.split('x').collect();
        let [from, rest @ ..] = squares.as_slice() else {
            return None;
        };
        self.jumps_to(position, from, rest)
    }

    /// Jumps from a square by way of others, as far as the same seat goes on.
    fn jumps_to<G: Game>(self, position: &G, from: &str, rest: &[&str]) -> Option<Vec<G::Move>> {
        if rest.is_empty() {
            return Some(Vec::new());
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().find_map(|mv| {
            let word = self.common(&position.print_move(mv))?;
            let (start, end) = word.split_once('x')?;
            if start != from {
                return None;
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            let left = if rest[0] == end { &rest[1..] } else { rest };
            let goes_on = next.outcome().is_none() && next.mover() == position.mover();
            let tail = match (left.is_empty(), goes_on) {
                (true, _) => Vec::new(),
                (false, true) => self.jumps_to(&next, end, left)?,
                (false, false) => return None,
            };
            Some([vec![mv], tail].concat())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(name: &str) -> gdl::Position {
        gdl::Position::of_sheet(name).unwrap()
    }

    /// Plays words that others would write, and gives what we write for them.
    fn play(name: &str, words: &str) -> (gdl::Position, Vec<String>) {
        let mut position = start(name);
        let notation = Notation::of(&position);
        let mut written = Vec::new();
        for word in words.split_whitespace() {
            for mv in notation
                .read_moves(&position, word)
                .unwrap_or_else(|error| panic!("{word}: {error}"))
            {
                written.push(notation.write_move(&position, mv));
                position.play(mv).unwrap();
            }
        }
        (position, written)
    }

    fn legal(position: &gdl::Position) -> Vec<String> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let notation = Notation::of(position);
        let mut words: Vec<String> = moves.into_iter().map(|mv| notation.write_move(position, mv)).collect();
        words.sort();
        words
    }

    #[test]
    fn moves_are_read_and_written_as_others_do() {
        let (end, _) = play("tictactoe", "b2 a1 c1 a3 a2 c2 b1");
        assert_eq!(legal(&end), ["b3", "c3"]);
        let (end, written) = play("connectfour", "4 d d3 1 e 6");
        assert_eq!(written, ["4", "4", "4", "1", "5", "6"]);
        assert_eq!(legal(&end).join(""), "1234567");
        assert_eq!(legal(&start("reversi")), ["c4", "d3", "e6", "f5"]);
        let (end, _) = play("chess", "e2e4 d7d5 e4d5 g8f6 d5d6 f6g8 d6c7 g8f6");
        assert!(legal(&end).contains(&"c7b8q".into()) && legal(&end).contains(&"c7d8n".into()));
        let (end, _) = play("chess", "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5");
        assert!(legal(&end).contains(&"e1g1".into()));
        assert_eq!(
            legal(&start("checkers")),
            ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"]
        );
    }

    #[test]
    fn the_sheets_own_words_are_understood_too() {
        assert_eq!(play("tictactoe", "(mark,2,2) a1").1, ["b2", "a1"]);
        let error = Notation::of(&start("tictactoe")).read_moves(&start("tictactoe"), "z9");
        assert!(error.is_err());
    }

    #[test]
    fn several_jumps_are_one_word() {
        let start = start("checkers");
        let notation = Notation::of(&start);
        let mut word = "22x15".to_string();
        notation.join(&mut word, "15x8");
        assert_eq!(word, "22x15x8");
        let (mut chance, mut buffer, mut chains) = (game::rng(1), Vec::new(), 0);
        for _ in 0..20 {
            let mut position = start.clone();
            let (mut words, mut last) = (Vec::new(), None);
            while let Some(mv) = position.random_move(&mut chance, &mut buffer) {
                let word = notation.write_move(&position, mv);
                notation.add(&mut words, word, last == Some(position.mover()));
                last = Some(position.mover());
                position.play_unchecked(mv);
            }
            chains += words.iter().filter(|word| word.matches('x').count() > 1).count();
            assert_eq!(play("checkers", &words.join(" ")).0.print(), position.print());
        }
        assert!(chains > 5, "{chains}");
    }

    #[test]
    fn squares_between_two_jumps_may_be_left_out() {
        let (mut chance, mut buffer) = (game::rng(2), Vec::new());
        let mut position = start("checkers");
        for _ in 0..10_000 {
            let Some(mv) = position.random_move(&mut chance, &mut buffer) else {
                position = position.start();
                continue;
            };
            let mut after = position.clone();
            after.play_unchecked(mv);
            if after.outcome().is_none() && after.mover() == position.mover() {
                let first = Notation::of(&start("checkers")).write_move(&position, mv);
                let mut moves = Vec::new();
                after.legal_moves(&mut moves);
                let second = Notation::of(&start("checkers")).write_move(&after, moves[0]);
                let short = format!(
                    "{}x{}",
                    first.split('x').next().unwrap(),
                    second.split('x').nth(1).unwrap()
                );
                let read = Notation::of(&start("checkers")).read_moves(&position, &short).unwrap();
                assert_eq!(read.len(), 2, "{first} {second} {short}");
                return;
            }
            position = after;
        }
        panic!("no double jump in ten thousand moves");
    }
}
