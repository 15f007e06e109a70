//! A game as text that people paste and programs write: comments, perhaps a position, and turns.

use crate::{Game, GameError};

/// What a text tells of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// The game's name, if it is told.
    pub game: Option<String>,
    /// The position it begins from, if not the first one.
    pub position: Option<String>,
    /// The turns.
    pub turns: Vec<String>,
}

impl GameText {
    /// Reads a text. Lines that begin with `#` are comments (`# game NAME` is heeded), `position …` says where to begin;
    /// all other words are turns.
    pub fn parse(text: &str) -> GameText {
        let mut read = GameText::default();
        for line in text.lines().map(str::trim) {
            if let Some(comment) = line.strip_prefix('#') {
                if let Some(name) = comment.trim().strip_prefix("game ") {
                    read.game = Some(name.trim().into());
                }
            } else if let Some(position) = line.strip_prefix("position ") {
                read.position = Some(position.trim().into());
            } else {
                read.turns.extend(line.split_whitespace().map(String::from));
            }
        }
        read
    }

    /// The same of the first game in a text: games are apart by empty lines.
    pub fn parse_first(text: &str) -> GameText {
        let lines = text.lines().skip_while(|line| line.trim().is_empty());
        let game: Vec<&str> = lines.take_while(|line| !line.trim().is_empty()).collect();
        GameText::parse(&game.join("\n"))
    }

    /// All positions of the game, the one it begins from first, with the moves that lead on from each.
    ///
    /// # Errors
    ///
    /// The position cannot be read, or a turn cannot be played.
    pub fn play<G: Game>(&self, first: &G) -> Result<(Vec<G>, Vec<G::Move>), GameError> {
        let mut position = match &self.position {
            Some(text) => first.parse(text)?,
            None => first.clone(),
        };
        let mut positions = vec![position.clone()];
        let mut moves = Vec::new();
        for text in &self.turns {
            let mv = position.parse_move(text)?;
            position.play(mv)?;
            positions.push(position.clone());
            moves.push(mv);
        }
        Ok((positions, moves))
    }
}
