//! Stack Four.

use crate::playable::Playable;
use crate::view::{View, stack4 as view};
use game::{Game, Seat};
use player::{PlayerFactory, Roster, SpecError};
use stack4::{Column, Position};

impl Playable for Position {
    fn roster() -> Roster<Self> {
        stack4::players::roster()
    }

    fn stage() -> &'static str {
        "stack4"
    }

    fn drawing(&self, colour: bool) -> String {
        Position::drawing(self, colour)
    }

    fn view(history: &[Self]) -> View {
        match history.is_empty() {
            false => View::Stack4(view::look(history)),
            true => View::default(),
        }
    }

    fn facts(&self) -> Vec<(&'static str, Vec<String>)> {
        let now = |seat| {
            let completing = self.completing(seat).into_iter();
            completing.map(|(column, lines)| match lines {
                1 => column.to_string(),
                _ => format!("{column}x{lines}"),
            })
        };
        let above = |seat| {
            let cells = self.threats_above(seat);
            cells
                .iter()
                .map(|cell| format!("{}@{}", cell.column(), cell.layer()))
                .collect()
        };
        vec![
            ("black completes a line in", now(Seat::FIRST).collect()),
            ("white completes a line in", now(Seat::SECOND).collect()),
            ("black's out of reach, as column@layer", above(Seat::FIRST)),
            ("white's out of reach, as column@layer", above(Seat::SECOND)),
        ]
    }

    fn describe(&self, column: Column) -> String {
        format!("dropped a stone on column {}", self.print_move(column))
    }

    fn program(kind: &str, command: &str) -> Result<PlayerFactory<Self>, SpecError> {
        let wrong = |why: String| SpecError::Form {
            spec: format!("{kind}:{command}"),
            why,
        };
        if kind != "course" {
            return Err(wrong(format!("this game has no programs of the kind `{kind}`")));
        }
        let line = link::ugi::Command::parse(command).map_err(|error| wrong(error.to_string()))?;
        line.check().map_err(|error| wrong(error.to_string()))?;
        Ok(course::factory(command).identified(link::identity(&line)))
    }
}
