//! A position drawn with characters, for terminals.
//!
//! Each piece shows its four attributes without any colour: round `( )` or square `[ ]`, dark filled with `#`, tall two
//! lines high, hollow with an `o` on top where a solid one has `-`.

use crate::{Cell, Piece, Position};

/// How a piece's text is set off by colour. The shapes alone must do without.
pub type Paint<'a> = &'a dyn Fn(Piece, &str) -> String;

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

impl Position {
    /// The board as lines of text; `paint` colours what belongs to a piece.
    pub fn diagram(&self, paint: Paint) -> Vec<String> {
        let rule = format!("   +{}", "-------+".repeat(4));
        let mut lines = vec![
            format!(
                "    {}",
                ["a", "b", "c", "d"].map(|name| format!("{name:^7} ")).concat()
            ),
            rule.clone(),
        ];
        for row in 0..4 {
            for line in 0..2 {
                let label = if line == 0 {
                    format!(" {} |", row + 1)
                } else {
                    "   |".into()
                };
                let cells = (0..4).map(|column| match self.piece_at(Cell::at(row, column)) {
                    Some(piece) => paint(piece, &rows_of(piece)[line]) + "|",
                    None => " ".repeat(7) + "|",
                });
                lines.push(label + &cells.collect::<String>());
            }
            let numbers = (0..4).map(|column| match self.piece_at(Cell::at(row, column)) {
                Some(piece) => format!("{piece:>6} |", piece = piece.to_string()),
                None => format!("{:>6} |", "."),
            });
            lines.push("   |".to_owned() + &numbers.collect::<String>());
            lines.push(rule.clone());
        }
        lines
    }

    /// A single piece as two lines of text.
    pub fn piece_diagram(piece: Piece, paint: Paint) -> [String; 2] {
        rows_of(piece).map(|line| paint(piece, &line))
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
