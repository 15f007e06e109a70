//! A position drawn with characters, for terminals.
//!
//! Each piece shows its four attributes without any colour: round `( )` or square `[ ]`, dark filled with `#`, tall two
//! lines high, hollow with an `o` on top where a solid one has `-`.

use crate::{ATTRIBUTES, Cell, CellSet, Piece, PieceSet, Position};

/// Seven characters wide, two lines.
fn rows_of(piece: Piece) -> [String; 2] {
    let (left, right) = if piece.value(2) == 1 { ('[', ']') } else { ('(', ')') };
    let fill = if piece.value(0) == 1 { '#' } else { ' ' };
    let mark = if piece.value(3) == 1 { 'o' } else { '-' };
    let top = format!(" {left}{fill}{mark}{fill}{right} ");
    let body = format!(" {left}{fill}{fill}{fill}{right} ");
    match piece.value(1) {
        1 => [top, body],
        _ => [" ".repeat(7), top],
    }
}

/// Light pieces in yellow, dark ones in blue: apart for nearly every eye.
fn paint(piece: Piece, text: &str, colour: bool) -> String {
    match (colour, piece.value(0)) {
        (false, _) => text.into(),
        (true, 0) => format!("\x1b[33m{text}\x1b[0m"),
        (true, _) => format!("\x1b[34;1m{text}\x1b[0m"),
    }
}

impl Position {
    /// The board and the piece in hand over several lines of text.
    pub fn drawing(&self, colour: bool) -> String {
        let rule = format!("   +{}\n", "-------+".repeat(4));
        let names = ["a", "b", "c", "d"].map(|name| format!("{name:^7} "));
        let mut text = format!("    {}", names.concat()).trim_end().to_owned() + "\n" + &rule;
        for row in 0..4 {
            let pieces = [0, 1, 2, 3].map(|column| self.piece_at(Cell::at(row, column)));
            for line in 0..2 {
                text += &if line == 0 {
                    format!(" {} |", row + 1)
                } else {
                    "   |".into()
                };
                for piece in pieces {
                    text += &match piece {
                        Some(piece) => paint(piece, &rows_of(piece)[line], colour),
                        None => " ".repeat(7),
                    };
                    text.push('|');
                }
                text.push('\n');
            }
            let numbers = pieces.map(|piece| piece.map_or(".".into(), |piece| piece.to_string()));
            text += &format!("   |{}\n", numbers.map(|number| format!("{number:>6} |")).concat());
            text += &rule;
        }
        if let Some(piece) = self.hand() {
            let [upper, lower] = rows_of(piece).map(|line| paint(piece, &line, colour));
            text += &format!(
                "\n            {upper}\n   in hand: {lower}  {piece}, {}\n",
                piece.describe()
            );
        }
        text
    }

    /// Each line that one more piece can complete, with the cell, the value it waits for and the pieces that have it.
    pub fn threatened_lines(&self) -> Vec<String> {
        let mut threats = Vec::new();
        for line in self.rules().lines() {
            let missing = CellSet(line.0 & self.empty().0);
            if missing.len() != 1 {
                continue;
            }
            for attribute in 0..ATTRIBUTES {
                for value in 0..2 {
                    let shared = CellSet(line.0 & self.having(attribute, value).0);
                    if shared.len() == 3 {
                        let hand = self.hand().map_or(PieceSet::EMPTY, Piece::bit);
                        let with = PieceSet::WITH[attribute][value].0;
                        let pieces = PieceSet((self.left().0 | hand.0) & with);
                        let which = match pieces.is_empty() {
                            true => "no piece is left".into(),
                            false => format!("pieces {pieces}"),
                        };
                        let word = Piece::word(attribute, value);
                        threats.push(format!("{line} waits on {missing} for {word} ({which})"));
                    }
                }
            }
        }
        threats
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_sixteen_pieces_look_different_without_colour() {
        let looks: HashSet<[String; 2]> = Piece::all().map(rows_of).collect();
        assert_eq!(looks.len(), 16);
    }
}
