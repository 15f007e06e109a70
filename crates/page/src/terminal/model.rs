//! The board of a terminal: what keys do, and what is on the screen. Pure: it knows neither a terminal nor threads.

use crate::api_error::ApiError;
use crate::table::{Action, By, Person, Table};
use games::Session;
use games::view::View;
use games::view::quarto::QuartoView;
use games::view::stack4::Stack4View;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A hint for the position, or for the piece to give once the cell is chosen.
    Hint(Option<String>),
    /// The end.
    Quit,
}

/// A cell of Quarto's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    row: usize,
    column: usize,
}

impl Cell {
    /// How turns name it: a1, b1, …
    fn name(self) -> String {
        let letter = ["a", "b", "c", "d"][self.column % SIDE];
        format!("{letter}{}", self.row + 1)
    }

    /// Its number among the cells of a view.
    fn index(self) -> usize {
        SIDE * self.row + self.column
    }
}

/// The cells in a row of Quarto's board, and the columns in a row of Stack Four's.
const SIDE: usize = 4;
const STACK_SIDE: usize = 6;

/// What the arrows move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    /// A cell of Quarto.
    Cell(Cell),
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

    fn session(&self) -> &dyn Session {
        self.table.session()
    }

    fn view(&self) -> View {
        self.session().moment(self.table.ply()).view
    }

    fn quarto(&self) -> Option<QuartoView> {
        match self.view() {
            View::Quarto(view) => Some(view),
            _ => None,
        }
    }

    fn legal(&self) -> Vec<String> {
        self.session().moment(self.table.ply()).legal
    }

    fn first_focus(&self) -> Focus {
        match self.view() {
            View::Quarto(view) if view.hand.is_none() => Focus::Piece(None, 0),
            View::Quarto(_) => match self.focus {
                Focus::Cell(cell) | Focus::Piece(Some(cell), _) => Focus::Cell(cell),
                _ => Focus::Cell(Cell { row: 1, column: 1 }),
            },
            View::Stack4(_) => match self.focus {
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
                    Focus::Piece(cell, _) => cell.map(Cell::name),
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
    fn act(&mut self, action: Action) -> Result<(), ApiError> {
        self.table.act(By::person(Person::WITHOUT_KEY), action)
    }

    fn try_to(&mut self, action: Action) {
        match self.act(action) {
            Ok(()) => self.table.pause(false),
            Err(error) => self.message = error.message().into(),
        }
    }

    fn step(&mut self, down: i32, right: i32) {
        self.focus = match (self.focus, self.view()) {
            (Focus::Cell(cell), _) => Focus::Cell(Cell {
                row: moved(cell.row, down, SIDE),
                column: moved(cell.column, right, SIDE),
            }),
            (Focus::Piece(cell, index), View::Quarto(view)) => {
                Focus::Piece(cell, moved(index, down + right, view.left.len()))
            }
            (Focus::Column(row, col), View::Stack4(view)) => next_column(&view, (row, col), down, right),
            (Focus::Listed(index), _) => Focus::Listed(moved(index, down + right, self.legal().len())),
            (focus, _) => focus,
        };
    }

    /// A digit or letter chooses a piece, or a move by its beginning.
    fn pick(&mut self, c: char) {
        match (self.focus, self.quarto()) {
            (Focus::Piece(cell, _), Some(view)) => match view.left.iter().position(|piece| *piece == c.to_string()) {
                Some(index) => {
                    self.focus = Focus::Piece(cell, index);
                    self.choose();
                }
                None => self.message = format!("piece {c} is not left"),
            },
            _ => self.message = format!("no key `{c}`: {KEYS}"),
        }
    }

    /// Plays what is in focus, or goes on to the second half of a turn.
    fn choose(&mut self) {
        let turn = match (self.focus, self.quarto()) {
            (Focus::Cell(cell), Some(view)) => {
                if view.hand.is_none() {
                    return;
                }
                let name = cell.name();
                if let Some(piece) = &view.cells[cell.index()] {
                    self.message = format!("cell {name} is taken by piece {piece}");
                    return;
                }
                if !view.completing.contains(&name) && !view.left.is_empty() {
                    self.focus = Focus::Piece(Some(cell), 0);
                    return;
                }
                format!("{name}.-")
            }
            (Focus::Piece(cell, index), Some(view)) => {
                let place = cell.map_or("-".into(), Cell::name);
                match view.left.get(index) {
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
        if let Err(error) = self.act(Action::Turn { ply, turn }) {
            self.message = error.message().into();
        }
    }

    /// The screen: lines of text, at most so many; what is in focus stands between escapes for reverse video.
    pub fn screen(&self, height: usize) -> Vec<String> {
        let shown = self.table.public(None);
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
            .session()
            .drawing(self.table.ply(), false)
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
        match (self.focus, self.quarto()) {
            (Focus::Cell(cell), Some(_)) => format!("place on {}", cell.name()),
            (Focus::Piece(cell, index), Some(view)) => {
                let pieces = view.left.iter().enumerate();
                let pieces = pieces.map(|(at, piece)| if at == index { reversed(piece) } else { piece.clone() });
                let pieces: Vec<String> = pieces.collect();
                let words = view.left.get(index).and_then(|piece| QuartoView::describe(piece));
                let placed = cell.map_or(String::new(), |cell| format!("placed on {}; ", cell.name()));
                format!("{placed}give {}   {}", pieces.join(" "), words.unwrap_or_default())
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
            Focus::Cell(cell) | Focus::Piece(Some(cell), _) => mark_cell(&mut mark, cell),
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

fn mark_cell(mark: &mut impl FnMut(usize, usize, usize), cell: Cell) {
    for line in 0..3 {
        mark(2 + 4 * cell.row + line, 4 + 8 * cell.column, 7);
    }
}

/// An index some steps on, around the ends.
fn moved(at: usize, by: i32, count: usize) -> usize {
    (at as i32 + by).rem_euclid(count.max(1) as i32) as usize
}

/// The next column that way. Where the corners are missing, on to the next one that is there.
fn next_column(view: &Stack4View, from: (usize, usize), down: i32, right: i32) -> Focus {
    let (mut row, mut col) = from;
    for _ in 0..STACK_SIDE {
        (row, col) = (moved(row, down, STACK_SIDE), moved(col, right, STACK_SIDE));
        if view.columns.iter().any(|column| (column.row, column.col) == (row, col)) {
            return Focus::Column(row, col);
        }
    }
    Focus::Column(from.0, from.1)
}

/// Reverse video.
fn reversed(text: &str) -> String {
    format!("\x1b[7m{text}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(game: &str) -> Model {
        let session = crate::catalogue::session(game).unwrap();
        Model::new(Table::new(
            "terminal".into(),
            game.into(),
            None,
            session,
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
        assert_eq!(model.table.session().turns(), ["-.0", "b2.2", "d2.f"]);
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
        assert_eq!(model.table.session().len(), 0);
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
        assert_eq!(stack.table.session().turns(), ["03"]);
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
        assert_eq!(model.key(Key::Char('h')), Some(Wish::Hint(Some("b2".into()))));
        assert_eq!(model.key(Key::Char('q')), Some(Wish::Quit));
        let screen = model.screen(10);
        assert_eq!(screen.len(), 10);
        assert!(screen[9].contains("q quit") && screen.iter().any(|line| line.contains("give")));
    }
}
