//! The page for people on a remote shell: a full-screen board with keys, hints and undo.

mod model;

use crate::api_error::ApiError;
use crate::catalogue;
use crate::client::Client;
use crate::hint;
use crate::limits::ServerLimits;
use crate::solver_pool::SolverPool;
use crate::table::{Action, By, Person, Placement, Table};
use crate::tables::clock_of;
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, queue, style, terminal};
use games::exact::Hint;
use model::{Key, Model, Wish};
use player::Analysis;
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// How long a program thinks, and a hint takes, at most.
const THOUGHT: Duration = Duration::from_secs(5);
const HINT: Duration = Duration::from_secs(3);

/// What comes back from the threads that think.
enum TerminalMessage {
    Thought(u64, Result<Analysis<String>, String>),
    Hint(u64, Result<Hint, ApiError>),
}

/// Plays a game in this terminal until the user has enough.
pub fn play(game: &str, seats: Option<&[String]>) -> Result<(), ApiError> {
    let session = catalogue::session(game)?;
    let me = Person::WITHOUT_KEY;
    let mut table = Table::new("terminal".into(), game.into(), None, session, me);
    let placements: Vec<Option<Placement>> = match seats {
        // Nobody else can come to a terminal, so a free seat is no player.
        Some(seats) => seats
            .iter()
            .map(|text| match Placement::read(text) {
                Placement::Open => Some(Placement::Program(text.clone())),
                placement => Some(placement),
            })
            .collect(),
        None => {
            // A person against the strongest player, or alone.
            let others = table.session().game().seats().saturating_sub(1);
            let strongest = Placement::Program(table.session().strongest());
            let programs = std::iter::repeat_n(Some(strongest), others);
            std::iter::once(None).chain(programs).collect()
        }
    };
    table.act(By::person(me), Action::seats(placements))?;
    let runtime = tokio::runtime::Runtime::new().map_err(ApiError::unavailable)?;
    let (sender, messages) = channel();
    let board = TerminalTable {
        model: Model::new(table),
        solvers: Arc::new(SolverPool::new(&ServerLimits::default()).map_err(ApiError::unavailable)?),
        runtime,
        sender,
    };
    // Whatever happens, the terminal is given back as it was.
    let _screen = Screen::enter().map_err(ApiError::unavailable)?;
    board.run(&messages).map_err(ApiError::unavailable)
}

/// What a screen of that height shows after these keys (`^v<>` the arrows, `.` Enter, `!` Escape), with people on all seats.
/// Needs no terminal, so that the board can be tried without one.
pub fn rehearse(game: &str, keys: &str, height: usize) -> Result<Vec<String>, ApiError> {
    let session = catalogue::session(game)?;
    let table = Table::new("terminal".into(), game.into(), None, session, Person::WITHOUT_KEY);
    let mut model = Model::new(table);
    for key in keys.chars() {
        model.key(Key::typed(key));
    }
    Ok(wrapped(model.screen(height), 80, height))
}

/// The terminal while it is ours.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), cursor::Show, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

struct TerminalTable {
    model: Model,
    solvers: Arc<SolverPool>,
    runtime: tokio::runtime::Runtime,
    sender: Sender<TerminalMessage>,
}

impl TerminalTable {
    fn run(mut self, messages: &Receiver<TerminalMessage>) -> io::Result<()> {
        let mut drawn = Vec::new();
        loop {
            self.think();
            self.draw(&mut drawn)?;
            if event::poll(Duration::from_millis(50))? {
                match event::read()? {
                    Event::Key(key) if key.kind != KeyEventKind::Release => {
                        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
                            return Ok(());
                        }
                        match key_of(key.code).and_then(|key| self.model.key(key)) {
                            Some(Wish::Quit) => return Ok(()),
                            Some(Wish::Hint(placed)) => self.hint(placed.as_deref()),
                            None => (),
                        }
                    }
                    // Another size: everything is drawn anew.
                    Event::Resize(_, _) => drawn.clear(),
                    _ => (),
                }
            }
            while let Ok(message) = messages.try_recv() {
                match message {
                    TerminalMessage::Thought(version, said) => drop(self.model.table.answer(version, said)),
                    TerminalMessage::Hint(version, hint) if version == self.model.table.version() => {
                        self.model.say(match hint {
                            Ok(hint) => format!("hint: {}. {}", hint.turn, hint.reason),
                            Err(error) => error.message().into(),
                        })
                    }
                    TerminalMessage::Hint(..) => (),
                }
                self.model.refresh();
            }
        }
    }

    /// Asks the program that is to move, if one is.
    fn think(&mut self) {
        let table = &mut self.model.table;
        let Some(spec) = table.wants().map(String::from) else {
            return;
        };
        let version = table.version();
        let thinker = table.session().thinker(table.ply(), &spec, version);
        table.note_thinking(false);
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let said = match thinker {
                Ok(thinker) => thinker(&clock_of(THOUGHT)).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            let _ = sender.send(TerminalMessage::Thought(version, said));
        });
    }

    /// Has a hint worked out, also in the middle of a turn.
    fn hint(&mut self, placed: Option<&str>) {
        self.model.say("looking for a hint …");
        let table = &self.model.table;
        let (ply, version) = (table.ply(), table.version());
        let session = table.session();
        let exact = session.exact(ply, placed).transpose();
        let adviser = session.adviser(ply, &session.strongest(), 1);
        let (sender, solvers, runtime) = (self.sender.clone(), self.solvers.clone(), self.runtime.handle().clone());
        std::thread::spawn(move || {
            let find = || -> Result<Hint, ApiError> {
                if let Some(position) = exact? {
                    let client = Client::new(Ipv4Addr::LOCALHOST.into(), None);
                    if let Some(hint) = runtime.block_on(hint::proved(&solvers, client, position, HINT))? {
                        return Ok(hint);
                    }
                }
                adviser?(&clock_of(HINT)).map_err(ApiError::unavailable)
            };
            let _ = sender.send(TerminalMessage::Hint(version, find()));
        });
    }

    /// Draws what differs from what is on the screen.
    fn draw(&self, drawn: &mut Vec<String>) -> io::Result<()> {
        let (width, height) = terminal::size()?;
        let lines: Vec<String> = wrapped(self.model.screen(height.into()), width.into(), height.into());
        if lines == *drawn {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        if drawn.is_empty() {
            queue!(out, terminal::Clear(terminal::ClearType::All))?;
        }
        for (row, line) in lines.iter().enumerate() {
            if drawn.get(row) != Some(line) {
                let clear = terminal::Clear(terminal::ClearType::UntilNewLine);
                queue!(out, cursor::MoveTo(0, row as u16), style::Print(line), clear)?;
            }
        }
        queue!(
            out,
            cursor::MoveTo(0, lines.len() as u16),
            terminal::Clear(terminal::ClearType::FromCursorDown)
        )?;
        *drawn = lines;
        out.flush()
    }
}

/// Long lines without escapes over several; all of it as high as the screen at most.
fn wrapped(lines: Vec<String>, width: usize, height: usize) -> Vec<String> {
    let width = width.max(10);
    let mut out = Vec::new();
    for line in lines {
        if line.contains('\x1b') || line.chars().count() <= width {
            out.push(line);
            continue;
        }
        let mut row = String::new();
        for word in line.split(' ') {
            if !row.is_empty() && row.chars().count() + 1 + word.chars().count() > width {
                out.push(std::mem::take(&mut row));
            }
            if !row.is_empty() {
                row.push(' ');
            }
            row += word;
        }
        out.push(row);
    }
    let spare = out.len().saturating_sub(height);
    out.drain(..spare);
    out
}

fn key_of(code: KeyCode) -> Option<Key> {
    Some(match code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc | KeyCode::Backspace => Key::Escape,
        KeyCode::Char(' ') => Key::Enter,
        KeyCode::Char(c) => Key::Char(c.to_ascii_lowercase()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_wrapped_and_the_end_of_a_long_screen_stays() {
        let lines = vec!["a".into(), "one two three four".into(), "end".into()];
        assert_eq!(wrapped(lines.clone(), 10, 9), ["a", "one two", "three four", "end"]);
        assert_eq!(wrapped(lines, 10, 2), ["three four", "end"]);
    }
}
