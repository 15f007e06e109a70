//! A Quarto position as the page shows it.

use crate::describe::ToSchema;
use ::quarto::{ATTRIBUTES, Cell, CellSet, Piece, PieceSet, Position, Turn, words};
use game::Game;
use serde::Serialize;
use std::collections::BTreeMap;

/// A Quarto board and what can be said about it at sight.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct QuartoView {
    /// Whether who completes a line loses.
    pub misere: bool,
    /// The piece on each cell: a1, b1, c1, d1, a2, …
    pub cells: Vec<Option<String>>,
    /// The piece to be placed.
    pub hand: Option<String>,
    /// The pieces neither placed nor in hand.
    pub left: Vec<String>,
    /// What the mover does.
    pub phase: Phase,
    /// All lines of the variant.
    pub lines: Vec<Vec<String>>,
    /// The lines whose four pieces share a value.
    pub completed: Vec<CompletedLine>,
    /// The cells where the piece in hand completes a line.
    pub completing: Vec<String>,
    /// The lines that lack one piece.
    pub threats: Vec<Threat>,
    /// The pieces left that complete nothing on the board as it stands.
    pub safe: Vec<String>,
    /// With a piece in hand: for each cell where it ends nothing, the pieces that can then be given safely.
    pub safe_after: BTreeMap<String, Vec<String>>,
}

impl QuartoView {
    /// A piece in words: "dark tall square hollow".
    pub fn describe(piece: &str) -> Option<String> {
        let known = Piece::all().find(|known| known.to_string() == piece)?;
        Some(known.describe())
    }
}

/// What the mover does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Only gives a piece.
    Give,
    /// Places the piece in hand, then gives one.
    Place,
    /// Nothing: the game is over.
    Over,
}

/// A completed line.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CompletedLine {
    /// Its cells.
    pub cells: Vec<String>,
    /// What its pieces share.
    pub shared: Vec<&'static str>,
    /// What it is called.
    pub name: String,
}

/// A line that one more piece would complete.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Threat {
    /// Where the piece would go.
    pub cell: String,
    /// What it must be, any of these.
    pub values: Vec<&'static str>,
    /// The line.
    pub line: Vec<String>,
    /// What the line is called.
    pub name: String,
}

fn cells(set: CellSet) -> Vec<String> {
    set.into_iter().map(|cell| cell.to_string()).collect()
}

fn pieces(set: PieceSet) -> Vec<String> {
    set.into_iter().map(|piece| piece.to_string()).collect()
}

/// The pieces left that complete nothing on this board.
pub fn safe(board: &Position) -> PieceSet {
    PieceSet(board.left().0 & !board.completing_pieces().0)
}

/// What the pieces on these cells have in common.
pub fn shared(board: &Position, cells: CellSet) -> Vec<&'static str> {
    let values = (0..ATTRIBUTES).flat_map(|attribute| (0..2).map(move |value| (attribute, value)));
    values
        .filter(|&(attribute, value)| cells.0 & !board.having(attribute, value).0 == 0)
        .map(|(attribute, value)| Piece::word(attribute, value))
        .collect()
}

/// What to show of a position.
pub fn look(position: &Position) -> QuartoView {
    let phase = match (position.playing(), position.hand()) {
        (false, _) => Phase::Over,
        (true, Some(_)) => Phase::Place,
        (true, None) => Phase::Give,
    };
    let completing = match position.hand() {
        Some(piece) if position.playing() => position.completing_cells(piece),
        _ => CellSet::EMPTY,
    };
    let mut safe_after = BTreeMap::new();
    if phase == Phase::Place {
        for cell in position.empty().into_iter().filter(|&cell| !completing.contains(cell)) {
            safe_after.insert(cell.to_string(), pieces(safe(&position.placing(cell))));
        }
    }
    QuartoView {
        misere: position.rules().misere(),
        cells: Cell::all()
            .map(|cell| position.piece_at(cell).map(|piece| piece.to_string()))
            .collect(),
        hand: position.hand().map(|piece| piece.to_string()),
        left: pieces(position.left()),
        phase,
        lines: position.rules().lines().iter().map(|&line| cells(line)).collect(),
        completed: position
            .completed_lines()
            .into_iter()
            .map(|line| CompletedLine {
                cells: cells(line),
                shared: shared(position, line),
                name: words::line(line),
            })
            .collect(),
        completing: cells(completing),
        threats: if phase == Phase::Over {
            Vec::new()
        } else {
            threats(position)
        },
        safe: pieces(safe(position)),
        safe_after,
    }
}

/// The lines that lack one piece and whose three share a value.
fn threats(position: &Position) -> Vec<Threat> {
    let mut threats = Vec::new();
    for &line in position.rules().lines() {
        let missing = CellSet(line.0 & position.empty().0);
        if missing.len() != 1 {
            continue;
        }
        let values = shared(position, CellSet(line.0 & position.occupied().0));
        if !values.is_empty() {
            threats.push(Threat {
                cell: missing.to_string(),
                values,
                line: cells(line),
                name: words::line(line),
            });
        }
    }
    threats
}

/// How a finished game ended.
pub fn ending(position: &Position) -> Option<String> {
    let winner = position.outcome()?.winner();
    let lines: Vec<String> = position
        .completed_lines()
        .into_iter()
        .map(|line| format!("{}, all {}", words::line(line), shared(position, line).join(" and ")))
        .collect();
    let maker = position.mover();
    Some(match winner {
        None => "a draw: all sixteen pieces stand and no line is complete".into(),
        Some(winner) if winner == maker => format!("{maker} won by completing {}", lines.join("; ")),
        Some(_) => format!("{maker} lost by completing {}", lines.join("; ")),
    })
}

/// What a turn did, without who did it.
pub fn told(before: &Position, turn: Turn) -> String {
    let placed = match (turn.place, before.hand()) {
        (Some(cell), Some(piece)) => Some(format!("placed the {} piece on {cell}", piece.describe())),
        _ => None,
    };
    let gave = turn.give.map(|piece| format!("gave the {} piece", piece.describe()));
    let deeds: Vec<String> = placed.into_iter().chain(gave).collect();
    deeds.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::quarto::Rules;

    fn seen(text: &str) -> QuartoView {
        look(&Position::new(Rules::standard()).parse(text).unwrap())
    }

    #[test]
    fn a_board_shows_its_threats_and_what_can_be_given_safely() {
        // 0, 1 and 2 are short or not, but all round and solid: d1 waits for round or solid.
        let view = seen("012./..../..../.... f");
        assert_eq!(view.phase, Phase::Place);
        assert_eq!((view.cells[2].as_deref(), view.hand.as_deref()), (Some("2"), Some("f")));
        assert_eq!(view.threats.len(), 1);
        assert_eq!(
            (view.threats[0].cell.as_str(), view.threats[0].values.as_slice()),
            ("d1", ["round", "solid"].as_slice())
        );
        assert_eq!(view.threats[0].name, "row 1");
        assert!(view.completing.is_empty());
        // Of the pieces left only c, d, e (hollow and square) do not complete row 1; f blocks it on d1.
        assert_eq!(view.safe, ["c", "d", "e"]);
        assert_eq!(view.safe_after["a2"], ["c", "d", "e"]);
        assert_eq!(view.safe_after["d1"].len(), 12);
    }

    #[test]
    fn a_finished_game_says_who_completed_what() {
        let position = Position::new(Rules::standard()).parse("0123/..../..../.... -").unwrap();
        assert_eq!(
            ending(&position).as_deref(),
            Some("seat 1 won by completing row 1, all round and solid")
        );
        let view = look(&position);
        assert_eq!((view.phase, view.completed.len()), (Phase::Over, 1));
    }

    #[test]
    fn a_turn_is_told_in_words() {
        let before = Position::new(Rules::standard()).parse("..../..../..../.... 0").unwrap();
        let turn = before.parse_move("a1.f").unwrap();
        assert_eq!(
            told(&before, turn),
            "placed the light short round solid piece on a1 and gave the dark tall square hollow piece"
        );
    }
}
