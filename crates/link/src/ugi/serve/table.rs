//! The position that is talked about.

use crate::ugi::notation::Notation;
use game::{Game, Seat};

/// A game and the position it is at, as the runner has told it.
pub(super) struct ToldPosition<G> {
    start: G,
    notation: Notation,
    /// The position and whose turn it is; or why nobody knows.
    now: Result<(G, Seat), String>,
}

impl<G: Game> ToldPosition<G> {
    pub fn new(start: G) -> Self {
        ToldPosition {
            notation: Notation::of(&start),
            now: Ok((start.clone(), start.mover())),
            start,
        }
    }

    /// The position, if the last one that was told could be read.
    pub fn position(&self) -> Result<&G, String> {
        match &self.now {
            Ok((position, _)) => Ok(position),
            Err(why) => Err(format!("there is no position: {why}")),
        }
    }

    /// Reads what follows `position`. What cannot be read is no position: no older one may be taken for it.
    pub fn set(&mut self, words: &[&str]) -> Result<(), String> {
        self.now = self.read(words);
        self.now.as_ref().map(|_| ()).map_err(String::clone)
    }

    /// `startpos` or `fen …`, then perhaps `moves …`; and whose turn it is. A runner expects the turns to alternate to the
    /// very end: after the last move it is the other's, even if in a finished game nobody moves.
    fn read(&self, words: &[&str]) -> Result<(G, Seat), String> {
        let at_moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (place, moves) = words.split_at(at_moves);
        let mut position = match place {
            ["startpos"] => self.start.clone(),
            ["fen", fen @ ..] if !fen.is_empty() => {
                let fen = fen.join(" ");
                self.start.parse(&fen).map_err(|error| error.to_string())?
            }
            _ => return Err("expected `position startpos` or `position fen …`".into()),
        };
        let mut next = position.mover();
        for text in moves.iter().skip(1) {
            let moves = self.notation.read_moves(&position, text);
            for mv in moves.map_err(|error| error.to_string())? {
                let moved = position.mover();
                position.play(mv).map_err(|error| error.to_string())?;
                next = match position.outcome() {
                    None => position.mover(),
                    Some(_) => moved.other(),
                };
            }
        }
        Ok((position, next))
    }

    /// The answer to a query.
    pub fn answer(&self, question: &str) -> Result<String, String> {
        let position = self.position()?;
        let next = self.now.as_ref().map_or(Seat::FIRST, |(_, next)| *next);
        let outcome = position.outcome();
        Ok(match question {
            "p1turn" => (next == Seat::FIRST).to_string(),
            "gameover" => outcome.is_some().to_string(),
            "result" => match outcome.map(|payoffs| payoffs.winner()) {
                None => "none".into(),
                Some(None) => "draw".into(),
                Some(Some(Seat::FIRST)) => "p1win".into(),
                Some(Some(_)) => "p2win".into(),
            },
            "fen" => position.print(),
            "legalmoves" => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let words: Vec<String> = moves.into_iter().map(|mv| self.write_move(mv)).collect();
                words.join(" ")
            }
            _ => "unsupported".into(),
        })
    }

    /// A move at this position, as the runner reads it.
    pub fn write_move(&self, mv: G::Move) -> String {
        match &self.now {
            Ok((position, _)) => self.notation.write_move(position, mv),
            Err(_) => "none".into(),
        }
    }

    /// Plays a move of an answer and adds it to the word that will be answered. True if the same seat goes on, and others
    /// would say both moves in one word.
    pub fn goes_on(&self, position: &mut G, mv: G::Move, word: &mut String) -> bool {
        let own = self.notation.write_move(position, mv);
        match word.is_empty() {
            true => *word = own,
            false => self.notation.join(word, &own),
        }
        let mover = position.mover();
        self.notation.joins() && position.play(mv).is_ok() && position.outcome().is_none() && position.mover() == mover
    }

    /// A line of play in the game's own words, as the runner reads it.
    pub fn translate(&self, line: &[String]) -> Vec<String> {
        let mut words = Vec::new();
        let Ok((position, _)) = &self.now else {
            return words;
        };
        let mut position = position.clone();
        let mut last = None;
        for word in line {
            let Ok(mv) = position.parse_move(word) else { break };
            let word = self.notation.write_move(&position, mv);
            self.notation.add(&mut words, word, last == Some(position.mover()));
            last = Some(position.mover());
            if position.play(mv).is_err() {
                break;
            }
        }
        words
    }
}
