//! The board of a terminal: what keys do, and what is on the screen. Pure: it knows neither a terminal nor threads.

use crate::refusal::Refusal;
use crate::table::{Action, By, Person, Table};
use crate::view::Family;
use quarto::{Cell, Position};
use stack4::Column;

/// A key, as far as the board cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// Choose.
    Enter,
    /// Not that.
    Escape,
    /// A letter or digit.
    Char(char),
}

impl Key {
    /// The key that one letter stands for where keys are written as text.
    pub fn typed(letter: char) -> Self {
        match letter {
            '^' => Key::Up,
            'v' => Key::Down,
            '<' => Key::Left,
            '>' => Key::Right,
            '.' => Key::Enter,
            '!' => Key::Escape,
            letter => Key::Char(letter),
        }
    }
}

/// What the board cannot do alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A hint for the position, or for the piece to give once the cell is chosen.
    Hint(Option<Cell>),
    /// The end.
    Quit,
}

/// What the arrows move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    /// A cell of Quarto.
    Cell(u8, u8),
    /// One of the pieces left, after the cell was chosen (or at first, when none is in hand).
    Piece(Option<Cell>, usize),
    /// A column of Stack Four.
    Column(usize, usize),
    /// One of the legal moves.
    Listed(usize),
}

/// The board.
pub struct Model {
    /// The game.
    pub table: Table,
    focus: Focus,
    message: String,
    /// The version of the table that the focus belongs to.
    seen: u64,
}

const KEYS: &str = "arrows choose, Enter plays, Esc back, h hint, u undo, r redo, n new game, s swap seats, q quit";

impl Model {
    /// A board over a table.
    pub fn new(table: Table) -> Self {
        let mut model = Model {
            seen: table.version(),
            table,
            focus: Focus::Listed(0),
            message: String::new(),
        };
        model.focus = model.first_focus();
        model
    }

    fn position(&self) -> Option<Position> {
        self.table.line().quarto(self.table.ply())
    }

    fn legal(&self) -> Vec<String> {
        self.table.line().moment(self.table.ply()).legal
    }

    fn first_focus(&self) -> Focus {
        match (self.table.line().family(), self.position()) {
            (Family::Quarto, Some(position)) if position.hand().is_none() => Focus::Piece(None, 0),
            (Family::Quarto, _) => match self.focus {
                Focus::Cell(row, column) => Focus::Cell(row, column),
                Focus::Piece(Some(cell), _) => Focus::Cell(cell.row(), cell.column()),
                _ => Focus::Cell(1, 1),
            },
            (Family::Stack4, _) => match self.focus {
                Focus::Column(row, col) => Focus::Column(row, col),
                _ => Focus::Column(2, 2),
            },
            _ => Focus::Listed(0),
        }
    }

    /// Says something below the board.
    pub fn say(&mut self, message: impl Into<String>) {
        self.message = message.into();
    }

    /// Looks at the table again after something else has changed it.
    pub fn refresh(&mut self) {
        if self.seen != self.table.version() {
            self.seen = self.table.version();
            self.focus = self.first_focus();
        }
    }

    /// Does what a key says.
    pub fn key(&mut self, key: Key) -> Option<Wish> {
        self.message.clear();
        match key {
            Key::Char('q') => return Some(Wish::Quit),
            Key::Char('h') => {
                let placed = match self.focus {
                    Focus::Piece(cell, _) => cell,
                    _ => None,
                };
                return Some(Wish::Hint(placed));
            }
            Key::Char('u') => self.try_to(Action::Undo(None)),
            Key::Char('r') => self.try_to(Action::Redo(None)),
            Key::Char('n') => self.try_to(Action::Restart),
            Key::Char('s') => self.try_to(Action::Swap),
            Key::Up => self.step(-1, 0),
            Key::Down => self.step(1, 0),
            Key::Left => self.step(0, -1),
            Key::Right => self.step(0, 1),
            Key::Escape => self.focus = self.first_focus(),
            Key::Enter => self.choose(),
            Key::Char(c) => self.pick(c),
        }
        self.refresh();
        None
    }

    /// Whoever sits at the terminal plays for all people at the table.
    fn act(&mut self, action: Action) -> Result<(), Refusal> {
        self.table.act(By::person(Person::WITHOUT_KEY), action)
    }

    fn try_to(&mut self, action: Action) {
        match self.act(action) {
            Ok(()) => self.table.pause(false),
            Err(refusal) => self.message = refusal.message().into(),
        }
    }

    fn step(&mut self, down: i32, right: i32) {
        let moved = |at: usize, by: i32, count: usize| (at as i32 + by).rem_euclid(count.max(1) as i32) as usize;
        self.focus = match self.focus {
            Focus::Cell(row, column) => {
                Focus::Cell(moved(row.into(), down, 4) as u8, moved(column.into(), right, 4) as u8)
            }
            Focus::Piece(cell, index) => {
                let left = self.position().map_or(0, |position| position.left().len() as usize);
                Focus::Piece(cell, moved(index, down + right, left))
            }
            Focus::Column(row, col) => {
                // Where the corners are missing, on to the next column that is there.
                let (mut row, mut col) = (row, col);
                loop {
                    (row, col) = (moved(row, down, 6), moved(col, right, 6));
                    if Column::at(row, col).is_some() {
                        break Focus::Column(row, col);
                    }
                }
            }
            Focus::Listed(index) => Focus::Listed(moved(index, down + right, self.legal().len())),
        };
    }

    /// A digit or letter chooses a piece, or a move by its beginning.
    fn pick(&mut self, c: char) {
        match (self.focus, self.position()) {
            (Focus::Piece(cell, _), Some(position)) => {
                let found = position
                    .left()
                    .into_iter()
                    .position(|piece| piece.to_string() == c.to_string());
                match found {
                    Some(index) => {
                        self.focus = Focus::Piece(cell, index);
                        self.choose();
                    }
                    None => self.message = format!("piece {c} is not left"),
                }
            }
            _ => self.message = format!("no key `{c}`: {KEYS}"),
        }
    }

    /// Plays what is in focus, or goes on to the second half of a turn.
    fn choose(&mut self) {
        let turn = match (self.focus, self.position()) {
            (Focus::Cell(row, column), Some(position)) => {
                let cell = Cell::at(row, column);
                let Some(hand) = position.hand() else {
                    return;
                };
                if let Some(piece) = position.piece_at(cell) {
                    self.message = format!("cell {cell} is taken by piece {piece}");
                    return;
                }
                if !position.completes(cell, hand) && !position.left().is_empty() {
                    self.focus = Focus::Piece(Some(cell), 0);
                    return;
                }
                format!("{cell}.-")
            }
            (Focus::Piece(cell, index), Some(position)) => {
                let place = cell.map_or("-".into(), |cell| cell.to_string());
                match position.left().into_iter().nth(index) {
                    Some(piece) => format!("{place}.{piece}"),
                    None => return,
                }
            }
            (Focus::Column(row, col), _) => format!("{row}{col}"),
            (Focus::Listed(index), _) => match self.legal().get(index) {
                Some(turn) => turn.clone(),
                None => return,
            },
            _ => return,
        };
        let ply = self.table.ply();
        if let Err(refusal) = self.act(Action::Turn { ply, turn }) {
            self.message = refusal.message().into();
        }
    }

    /// The screen: lines of text, at most so many; what is in focus stands between escapes for reverse video.
    pub fn screen(&self, height: usize) -> Vec<String> {
        let shown = self.table.shown(None);
        let seats: Vec<String> = shown
            .seats
            .iter()
            .map(|seat| {
                let mark = if shown.mover == Some(seat.seat) { "> " } else { "  " };
                format!("{mark}{} {}", seat.role, seat.player)
            })
            .collect();
        let mut lines = vec![format!("{}   {}", shown.game, seats.join("   ")), String::new()];
        let drawing: Vec<String> = self
            .table
            .line()
            .drawing(self.table.ply())
            .lines()
            .map(String::from)
            .collect();
        lines.extend(self.highlighted(drawing));
        lines.push(String::new());
        if let Some(last) = &shown.last {
            let role = &shown.seats[last.seat - 1].role;
            lines.push(format!("last: {} ({role} {})", last.turn, last.text));
        }
        lines.push(match (&shown.outcome, &shown.thinking) {
            (Some(outcome), _) => format!("the game is over: {}; n begins a new one", outcome.text),
            (None, Some(thinking)) => format!("{} is thinking …", thinking.player),
            (None, None) => self.asked(),
        });
        if let Some(problem) = &shown.problem {
            lines.push(problem.message.clone());
        }
        if !self.message.is_empty() {
            lines.push(self.message.clone());
        }
        // What is asked and said must be seen, whatever else does not fit.
        let keep = height.saturating_sub(1);
        if lines.len() > keep {
            let tail = lines.split_off(lines.len() - lines.len().min(4));
            lines.truncate(keep.saturating_sub(tail.len()));
            lines.extend(tail);
        }
        lines.push(KEYS.into());
        lines
    }

    /// What the one to move is asked, with what is in focus.
    fn asked(&self) -> String {
        match (self.focus, self.position()) {
            (Focus::Cell(row, column), Some(_)) => format!("place on {}", Cell::at(row, column)),
            (Focus::Piece(cell, index), Some(position)) => {
                let pieces: Vec<String> = position
                    .left()
                    .into_iter()
                    .enumerate()
                    .map(|(at, piece)| {
                        if at == index {
                            reversed(&piece.to_string())
                        } else {
                            piece.to_string()
                        }
                    })
                    .collect();
                let which = position.left().into_iter().nth(index);
                let words = which.map_or(String::new(), |piece| piece.describe());
                let placed = cell.map_or(String::new(), |cell| format!("placed on {cell}; "));
                format!("{placed}give {}   {words}", pieces.join(" "))
            }
            (Focus::Column(row, col), _) => format!("drop a stone on column {row}{col}"),
            (Focus::Listed(index), _) => {
                let legal = self.legal();
                // A window around the focus, so that long lists fit.
                let from = index.saturating_sub(4);
                let window = legal.iter().enumerate().skip(from).take(9);
                let words: Vec<String> = window
                    .map(|(at, turn)| if at == index { reversed(turn) } else { turn.clone() })
                    .collect();
                format!("move {} of {}: {}", index + 1, legal.len(), words.join(" "))
            }
            _ => String::new(),
        }
    }

    /// The drawing with what is in focus reversed.
    fn highlighted(&self, mut lines: Vec<String>) -> Vec<String> {
        let mut mark = |line: usize, from: usize, width: usize| {
            if let Some(text) = lines.get_mut(line) {
                let mut cells: Vec<char> = text.chars().collect();
                cells.resize(cells.len().max(from + width), ' ');
                let part = |range: std::ops::Range<usize>| cells[range].iter().collect::<String>();
                *text = part(0..from) + &reversed(&part(from..from + width)) + &part(from + width..cells.len());
            }
        };
        match self.focus {
            // A head and a rule, then four lines a row; a margin of four, then eight characters a column.
            Focus::Cell(row, column) => mark_cell(&mut mark, row, column),
            Focus::Piece(Some(cell), _) => mark_cell(&mut mark, cell.row(), cell.column()),
            // Two bands of three layers.
            Focus::Column(row, col) => {
                for layer in 0..6 {
                    mark(9 * (layer / 3) + 2 + row, 16 * (layer % 3) + 3 + 2 * col, 1);
                }
            }
            _ => (),
        }
        lines
    }
}

fn mark_cell(mark: &mut impl FnMut(usize, usize, usize), row: u8, column: u8) {
    for line in 0..3 {
        mark(2 + 4 * usize::from(row) + line, 4 + 8 * usize::from(column), 7);
    }
}

/// Reverse video.
fn reversed(text: &str) -> String {
    format!("\x1b[7m{text}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line;

    fn model(game: &str) -> Model {
        let line = line::of_game(game).unwrap();
        Model::new(Table::new(
            "terminal".into(),
            game.into(),
            None,
            line,
            Person::WITHOUT_KEY,
        ))
    }

    fn press(model: &mut Model, keys: &str) {
        for key in keys.chars() {
            model.key(Key::typed(key));
        }
    }

    #[test]
    fn a_game_of_quarto_is_played_by_keys_alone() {
        let mut model = model("quarto");
        // Give 0 by its key; place on b2 and give the piece after the first; a piece by its key.
        press(&mut model, "0.>.<<.f");
        assert_eq!(model.table.line().turns(), ["-.0", "b2.2", "d2.f"]);
        // A taken cell is refused in words; escape takes the first half of a turn back.
        press(&mut model, ">>.");
        assert!(
            model.screen(50).iter().any(|line| line.contains("taken by piece 0")),
            "{:?}",
            model.screen(50)
        );
        press(&mut model, "^.");
        assert!(model.screen(50).iter().any(|line| line.contains("placed on b1; give")));
        press(&mut model, "!u");
        assert_eq!(model.table.ply(), 2);
        press(&mut model, "r");
        assert_eq!(model.table.ply(), 3);
        press(&mut model, "n");
        assert_eq!(model.table.line().len(), 0);
    }

    #[test]
    fn the_focus_is_marked_on_the_board() {
        let mut model = model("quarto");
        press(&mut model, "0");
        let screen = model.screen(50);
        let marked: Vec<&String> = screen.iter().filter(|line| line.contains("\x1b[7m")).collect();
        assert_eq!(marked.len(), 3, "{screen:#?}");
        assert!(screen.iter().any(|line| line == "place on b2"));
        let mut stack = self::model("stack4");
        press(&mut stack, "^^");
        assert!(stack.screen(50).iter().any(|line| line == "drop a stone on column 02"));
        assert_eq!(
            stack.screen(50).iter().filter(|line| line.contains("\x1b[7m")).count(),
            2
        );
        // Left of column 02 the corner is missing: the next one there is at the other side.
        press(&mut stack, "<");
        assert!(stack.screen(50).iter().any(|line| line == "drop a stone on column 03"));
        press(&mut stack, ".");
        assert_eq!(stack.table.line().turns(), ["03"]);
    }

    #[test]
    fn any_other_game_is_played_from_its_list_of_moves() {
        let mut model = model("tictactoe");
        press(&mut model, "v.");
        assert_eq!(model.table.ply(), 1);
        assert!(model.screen(50).iter().any(|line| line.contains("move 1 of 8")));
    }

    #[test]
    fn hints_and_the_end_are_wishes_and_a_small_screen_keeps_what_matters() {
        let mut model = model("quarto");
        assert_eq!(model.key(Key::Char('h')), Some(Wish::Hint(None)));
        press(&mut model, "0.");
        assert_eq!(model.key(Key::Char('h')), Some(Wish::Hint(Some(Cell::at(1, 1)))));
        assert_eq!(model.key(Key::Char('q')), Some(Wish::Quit));
        let screen = model.screen(10);
        assert_eq!(screen.len(), 10);
        assert!(screen[9].contains("q quit") && screen.iter().any(|line| line.contains("give")));
    }
}
