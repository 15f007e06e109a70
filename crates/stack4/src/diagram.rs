//! A position drawn with characters, for terminals.

use crate::geometry::{Column, LAYERS, SIDE};
use crate::{Cells, Position, line_value};
use game::Seat;

/// Black stones in blue, white ones in yellow: apart for nearly every eye.
fn stone(position: &Position, column: Column, layer: usize, colour: bool) -> String {
    let cell = column.cell(layer);
    let (text, paint) = if position.stones(Seat::FIRST).has(cell) {
        ("b", "\x1b[34;1m")
    } else if position.stones(Seat::SECOND).has(cell) {
        ("w", "\x1b[33m")
    } else {
        return ".".into();
    };
    if colour {
        format!("{paint}{text}\x1b[0m")
    } else {
        text.into()
    }
}

impl Position {
    /// The six layers, the lowest first, three beside each other, and the points.
    pub fn drawing(&self, colour: bool) -> String {
        let mut text = String::new();
        for layers in [0..LAYERS / 2, LAYERS / 2..LAYERS] {
            let titles: Vec<String> = layers.clone().map(|layer| format!("   layer {layer}      ")).collect();
            text += &format!("{}\n", titles.join("").trim_end());
            let digits = "   0 1 2 3 4 5  ".repeat(layers.len());
            text += &format!("{}\n", digits.trim_end());
            for row in 0..SIDE {
                let mut line = String::new();
                for layer in layers.clone() {
                    line += &format!(" {row} ");
                    for col in 0..SIDE {
                        line += &Column::at(row, col).map_or(" ".into(), |column| stone(self, column, layer, colour));
                        line.push(' ');
                    }
                    line.push(' ');
                }
                text += &format!("{}\n", line.trim_end());
            }
            text.push('\n');
        }
        let [black, white] = self.score();
        let next = line_value(self.lines() + 1);
        text + &format!(
            "black {black}, white {white}; {} lines so far, the next is worth {next}\n",
            self.lines()
        )
    }

    /// The columns where a stone of this seat would complete lines now, and how many.
    pub fn completing(&self, seat: Seat) -> Vec<(Column, u32)> {
        let own = self.stones(seat);
        let next = Column::all().filter_map(|column| Some((column, self.next_cell(column)?)));
        let lines = |cell| crate::count_lines(own.with(cell)) - crate::count_lines(own);
        next.map(|(column, cell)| (column, lines(cell)))
            .filter(|&(_, lines)| lines > 0)
            .collect()
    }

    /// The empty cells that cannot be reached yet, where a stone of this seat would complete a line. A stone right below
    /// one makes it reachable.
    pub fn threats_above(&self, seat: Seat) -> Cells {
        let own = self.stones(seat);
        let taken = self.stones(Seat::FIRST) | self.stones(Seat::SECOND);
        let reachable = (taken.raised() | Cells::BOTTOM) & !taken;
        let completes = |&cell: &_| crate::count_lines(own.with(cell)) > crate::count_lines(own);
        (!taken & !reachable)
            .iter()
            .filter(completes)
            .fold(Cells::EMPTY, Cells::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay;

    #[test]
    fn stones_are_drawn_on_their_layers() {
        let text = replay("22 22 23").unwrap().drawing(false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "   layer 0         layer 1         layer 2");
        assert_eq!(lines[2], " 0     . .       0     . .       0     . .");
        assert_eq!(lines[4], " 2 . . b b . .   2 . . w . . .   2 . . . . . .");
        assert!(text.ends_with("black 0, white 0; 0 lines so far, the next is worth 100\n"));
        assert!(replay("22").unwrap().drawing(true).contains("\x1b[34;1mb\x1b[0m"));
    }

    #[test]
    fn completing_columns_and_threats_above_are_told_apart() {
        let columns = |moves: &str| {
            let found = replay(moves).unwrap().completing(Seat::FIRST);
            found
                .iter()
                .map(|(column, lines)| format!("{column}x{lines}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(columns("20 41 21 11 22 44 24 52"), ["23x2"]);
        assert_eq!(columns("20 41 21 11"), [""; 0]);
        // Black on layer 1 of 20, 21 and 22; column 23 is empty, so its layer 1 cannot be reached.
        let position = replay("11 20 44 21 02 22 20 43 21 53 22").unwrap();
        let above: Vec<_> = position
            .threats_above(Seat::FIRST)
            .iter()
            .map(|cell| (cell.column().to_string(), cell.layer()))
            .collect();
        assert_eq!(above, [("23".into(), 1)]);
    }
}
