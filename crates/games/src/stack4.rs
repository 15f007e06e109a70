//! Stack Four.

use crate::encoding::{self, Encoding};
use crate::playable::Playable;
use crate::sentence::Sentence;
use crate::view::{View, stack4 as view};
#[cfg(not(target_arch = "wasm32"))]
use arena::terms::ResourceLimits;
use game::{Game, Seat};
#[cfg(not(target_arch = "wasm32"))]
use player::{PlayerFactory, SpecError};
use player::{Roster, Score};
use search::puzzle::Theme;
use stack4::{Column, Position};

/// The turns of the game's picture.
const SAMPLE: &str = "22 33 23 21 24 25 14 32 34 44 13 12 02 35 23 23 22 24 21 22 21 21 24 13 32 12";

/// By so many points more the odds grow by e.
const POINTS_A_LOGIT: f64 = 40.0;

/// Whether a seat has completed a line, if the last stone completed one.
fn next_line(before: &Position, after: &Position, seat: Seat) -> Option<bool> {
    match (after.lines() > before.lines(), after.is_over()) {
        (true, _) => Some(before.mover() == seat),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

/// A number that positions share which a symmetry of the board maps to each other.
fn symmetry_class(position: &Position) -> u64 {
    let keys = (0..position.symmetries()).map(|symmetry| position.transform(symmetry).key());
    keys.min().unwrap_or_default()
}

impl Playable for Position {
    fn roster() -> Roster<Self> {
        stack4::players::roster()
    }

    /// From a search of a few games to one of many positions.
    fn levels(&self) -> &'static [&'static str] {
        &[
            "mcts:playouts=50",
            "run3",
            "strong:depth=1",
            "strong:depth=2",
            "strong:depth=3",
            "strong:nodes=3000",
            "strong:nodes=30000",
            "strong:nodes=1000000",
        ]
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

    fn preview(&self) -> View {
        let mut history = vec![Position::new()];
        for name in SAMPLE.split(' ') {
            let mut next = history[history.len() - 1];
            match next.parse_move(name).and_then(|column| next.play(column)) {
                Ok(()) => history.push(next),
                Err(_) => break,
            }
        }
        Self::view(&history)
    }

    fn title(&self) -> Option<String> {
        Some("Stack Four".into())
    }

    fn rules_in_words(&self) -> Option<String> {
        Some(
            "Black and White drop stones in turn on 24 columns, six stones high at most, 32 stones each. Four of one's own in a \
             straight line, upright, level or askew, make a line: the first line of the game pays 100 points, the second 50, the \
             third 33, the k-th 100/k, whoever makes it. More points win."
                .into(),
        )
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
            // Which stone was the last is not part of a position; 0 says so, as at the beginning of a game.
            (
                "state string of report 003, without the last stone",
                vec![stack4::StateString::new(self, None).print()],
            ),
        ]
    }

    fn describe(&self, column: Column) -> String {
        format!("dropped a stone on column {}", self.print_move(column))
    }

    fn reason(&self, column: Column, _player: &str, _value: Option<f64>) -> Vec<Sentence> {
        why_column(self, column)
    }

    /// Who leads by a line of 100 points wins twelve games of thirteen, by this scale: an opinion.
    fn expectation(score: Score) -> f64 {
        match score {
            Score::Mate(moves) => f64::from(u8::from(moves > 0)),
            Score::Cp(hundredths) => 1.0 / (1.0 + (-f64::from(hundredths) / 100.0 / POINTS_A_LOGIT).exp()),
        }
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        Some(encoding::stack4::ENCODING)
    }

    /// A line by force. Who wins the game in the end nobody can prove so early.
    fn puzzle_theme(&self) -> Option<Theme<Self>> {
        Some(Theme {
            goal: next_line,
            values: None,
            longest: 3,
            before_end: 1..=8,
            class: symmetry_class,
        })
    }

    fn puzzle_goal() -> &'static str {
        "line"
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn program(kind: &str, command: &str, limits: ResourceLimits) -> Result<PlayerFactory<Self>, SpecError> {
        let wrong = |why: String| SpecError::Form {
            spec: format!("{kind}:{command}"),
            why,
        };
        if kind != "course" {
            return Err(wrong(format!("this game has no programs of the kind `{kind}`")));
        }
        let line = link::ugi::EngineCommand::parse(command).map_err(|error| wrong(error.to_string()))?;
        line.check().map_err(|error| wrong(error.to_string()))?;
        Ok(course::factory(command, limits).identified(link::identity(&line)))
    }
}

/// Why a column: what the stone there completes, and what it takes from the opponent.
fn why_column(position: &Position, column: Column) -> Vec<Sentence> {
    let mut after = *position;
    after.drop_stone(column);
    let made = after.lines() - position.lines();
    let gained = after.score()[position.mover().index()] - position.score()[position.mover().index()];
    let mut reasons = Vec::new();
    if made > 0 {
        reasons.push(
            Sentence::of("It completes a line for {gained} points.|It completes {count} lines for {gained} points.")
                .with("count", made)
                .with("gained", gained.to_string()),
        );
    }
    let taken = lines_at(position, column, position.mover().other());
    if taken > 0 {
        reasons.push(
            Sentence::of(
                "It takes the cell where the opponent would complete a line (the next pays {worth}).|It takes the cell where the opponent would complete {count} lines (the next pays {worth}).",
            )
            .with("count", taken)
            .with("worth", stack4::line_value(after.lines() + 1).to_string()),
        );
    }
    let above = lines_at(&after, column, position.mover().other());
    if above > 0 {
        reasons.push(
            Sentence::of(
                "Beware: on top of it the opponent can then complete a line.|Beware: on top of it the opponent can then complete {count} lines.",
            )
            .with("count", above),
        );
    }
    if reasons.is_empty() {
        reasons.push(match lines_in_reach(&after, column, position.mover()) {
            0 => Sentence::of("Nothing is at stake at once; the search prefers it."),
            builds => Sentence::of(
                "It builds a line that nobody has closed; the search prefers it.|It builds {count} lines that nobody has closed; the search prefers it.",
            )
            .with("count", builds),
        });
    }
    reasons
}

/// How many lines a seat would complete with a stone on a column.
fn lines_at(position: &Position, column: Column, seat: Seat) -> u32 {
    let Some(cell) = position.next_cell(column).filter(|_| !position.is_over()) else {
        return 0;
    };
    let stones = position.stones(seat);
    stack4::count_lines(stones.with(cell)) - stack4::count_lines(stones)
}

/// How many lines through the top stone of a column hold two or more of a seat's stones and none of the other's.
fn lines_in_reach(position: &Position, column: Column, seat: Seat) -> u32 {
    let cell = column.cell(position.height(column).saturating_sub(1));
    let (own, other) = (position.stones(seat), position.stones(seat.other()));
    let lines = stack4::geometry::LINE.iter().filter(|line| {
        let held = line.cells.iter().filter(|&&cell| own.has(cell)).count();
        line.cells.contains(&cell) && held >= 2 && !line.cells.iter().any(|&cell| other.has(cell))
    });
    lines.count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentence::in_english;

    #[test]
    fn a_stack_of_three_is_completed_or_closed() {
        let mut position = Position::new();
        for name in "22 32 22 32 22".split(' ') {
            position.play(position.parse_move(name).unwrap()).unwrap();
        }
        // White to move: Black has three on column 22.
        let column = position.parse_move("22").unwrap();
        assert!(
            in_english(&why_column(&position, column))
                .contains("takes the cell where the opponent would complete a line")
        );
        position.play(position.parse_move("32").unwrap()).unwrap();
        assert_eq!(
            in_english(&why_column(&position, column)),
            "It completes a line for 100 points."
        );
    }

    #[test]
    fn the_picture_shows_a_game_that_can_be_played() {
        let View::Stack4(view) = Position::new().preview() else {
            panic!("another view");
        };
        let stones: usize = view.columns.iter().map(|column| column.stones.len()).sum();
        assert_eq!(stones, SAMPLE.split(' ').count());
    }

    #[test]
    fn the_seats_are_called_by_their_colours_also_at_the_end() {
        let mut position = Position::new();
        assert_eq!(position.roles(), ["Black", "White"]);
        let mut rng = game::rng(1);
        while let Some(column) = position.random_move(&mut rng, &mut Vec::new()) {
            position.play_unchecked(column);
        }
        let ending = position.ending().unwrap();
        let winner = position.outcome().and_then(|payoffs| payoffs.winner());
        match winner {
            Some(seat) => assert!(
                ending.starts_with(["Black won by ", "White won by "][seat.index()]),
                "{ending}"
            ),
            None => assert!(ending.starts_with("a draw: "), "{ending}"),
        }
    }
}
