//! The boards of a position: what stands where, the moves that name places, and how it is all drawn.

use super::marks;
use crate::describe::ToSchema;
use ::gdl::sheet::{BOARDS, Edges, Hints};
use ::gdl::{BoardLayout, Position, words};
use game::Game;
use serde::Serialize;

/// A relation with two coordinates and a content.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Board)]
pub struct Board {
    /// Its name.
    pub relation: String,
    /// The first coordinates, sorted.
    pub xs: Vec<String>,
    /// The second coordinates, sorted.
    pub ys: Vec<String>,
    /// What is where.
    pub cells: Vec<Square>,
    /// The content that means nothing is there.
    pub blank: Option<String>,
    /// The mover's moves that name places of this board.
    pub moves: Vec<PlacedMove>,
    /// How it is drawn: `plain`, `chequered`, `green`, `holes`, `hex` or `lamps`.
    #[schema(value_type = String)]
    pub look: &'static str,
    /// The set of pieces, if the sheet names one: `discs`, `chess`, `draughts`, `pawns` or `quarto`.
    #[schema(value_type = Option<String>)]
    pub pieces: Option<&'static str>,
    /// Whether the first row is on top.
    pub rows_down: bool,
    /// Whether columns 1, 2, 3 are called a, b, c.
    pub letters: bool,
    /// Whether the dark squares have the numbers of the books on checkers.
    pub numbered: bool,
    /// Which role has which edges.
    pub edges: Vec<Edge>,
    /// The roles that sit on the other side.
    pub turned: Vec<String>,
    /// Where the last move was.
    pub last: Vec<Place>,
    /// What the game was won by.
    pub won: Vec<Place>,
    /// What can stand on a cell, for who sets up a position.
    pub palette: Vec<Stamp>,
}

/// A place and what is there.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Square {
    /// First coordinate.
    pub x: String,
    /// Second coordinate.
    pub y: String,
    /// What is there.
    pub content: String,
}

/// A move that names places.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlacedMove {
    /// The move as it is played.
    pub turn: String,
    /// The places it names, in its order: where, or from and to.
    pub cells: Vec<Place>,
    /// If it names no place but one first coordinate: that one, as a stone dropped into a column does.
    pub x: Option<String>,
}

/// A place of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Place {
    /// First coordinate.
    pub x: String,
    /// Second coordinate.
    pub y: String,
}

/// Edges that belong to a role.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Edge {
    /// The role.
    pub role: String,
    /// `columns` for the first and the last column, `rows` for the first and the last row.
    #[schema(value_type = String)]
    pub side: &'static str,
}

/// What can stand on a cell.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Stamp {
    /// What is there.
    pub content: String,
    /// The fact, `?x` and `?y` standing for the place.
    pub fact: String,
}

/// What an empty cell is called.
const BLANKS: [&str; 5] = ["b", "blank", "empty", "e", "none"];

/// The boards of the last position of a game.
pub fn look(history: &[Position], facts: &[String]) -> Vec<Board> {
    let Some(position) = history.last() else {
        return Vec::new();
    };
    let layout = position.layout();
    layout
        .boards
        .iter()
        .map(|board| one(history, position, facts, board))
        .collect()
}

/// What stands on a board, by these facts.
pub fn cells(facts: &[String], layout: &BoardLayout) -> Vec<Square> {
    let flat = facts.iter().filter_map(|fact| words(fact));
    let cells = flat.filter_map(|words| {
        let (x, y, content) = layout.cell(&words)?;
        Some(Square {
            x: x.into(),
            y: y.into(),
            content: content.join(" "),
        })
    });
    cells.collect()
}

/// Whether a content means that nothing is there.
pub fn is_blank(content: &str) -> bool {
    BLANKS.iter().any(|word| content.eq_ignore_ascii_case(word))
}

fn one(history: &[Position], position: &Position, facts: &[String], layout: &BoardLayout) -> Board {
    let hints = position.machine().hints();
    let cells = cells(facts, layout);
    let names: Vec<&str> = layout.relations.iter().map(|one| one.name.as_str()).collect();
    let palette = palette(position, layout);
    let blank = palette
        .iter()
        .map(|stamp| &stamp.content)
        .find(|content| is_blank(content));
    Board {
        relation: names.join(" "),
        xs: layout.xs.clone(),
        ys: layout.ys.clone(),
        blank: blank.cloned(),
        moves: moves(position, layout),
        look: hints.board.unwrap_or_else(|| detected(position, layout, &palette)),
        pieces: hints.pieces,
        rows_down: hints.rows_down,
        letters: hints.letters,
        numbered: hints.numbered,
        edges: edges(hints),
        turned: hints.turned.clone(),
        last: marks::last(history, layout),
        won: marks::won(position, layout, &cells),
        palette,
        cells,
    }
}

fn edges(hints: &Hints) -> Vec<Edge> {
    let side = |edges: &Edges| match edges {
        Edges::Columns => "columns",
        Edges::Rows => "rows",
    };
    let edges = hints.edges.iter().map(|(role, edges)| Edge {
        role: role.clone(),
        side: side(edges),
    });
    edges.collect()
}

/// The mover's moves that name places of a board.
fn moves(position: &Position, layout: &BoardLayout) -> Vec<PlacedMove> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let written = moves.into_iter().map(|mv| position.print_move(mv));
    written.filter_map(|turn| placed(&turn, layout)).collect()
}

/// The places that a move names.
fn placed(turn: &str, layout: &BoardLayout) -> Option<PlacedMove> {
    let words = words(turn)?;
    let (places, others) = layout.places(&words);
    let x = match (places.is_empty(), others.as_slice()) {
        (true, [x]) => Some(layout.column(x).map(|_| x.to_string())?),
        (true, _) => return None,
        _ => None,
    };
    let place = |(x, y): (&str, &str)| Place {
        x: x.into(),
        y: y.into(),
    };
    Some(PlacedMove {
        turn: turn.into(),
        cells: places.into_iter().map(place).collect(),
        x,
    })
}

/// What can stand on a cell of a board.
fn palette(position: &Position, layout: &BoardLayout) -> Vec<Stamp> {
    let mut palette: Vec<Stamp> = Vec::new();
    for fact in position.machine().possible_facts() {
        let Some(mut words) = words(&fact) else { continue };
        let Some((x, y, content)) = layout.cell(&words) else {
            continue;
        };
        let content = content.join(" ");
        if !layout.has(x, y) || palette.iter().any(|stamp| stamp.content == content) {
            continue;
        }
        let at = layout
            .relations
            .iter()
            .find(|one| one.name == words[0])
            .map_or(1, |one| one.at);
        (words[at], words[at + 1]) = ("?x", "?y");
        let fact = format!("({})", words.join(" "));
        palette.push(Stamp { content, fact });
    }
    palette.sort_by(|a, b| a.content.cmp(&b.content));
    palette
}

/// How a board is drawn of which the sheet does not say it, judged by the first moves.
fn detected(position: &Position, layout: &BoardLayout, palette: &[Stamp]) -> &'static str {
    let [plain, chequered, green, holes, ..] = BOARDS;
    let first = moves(&position.start(), layout);
    let eight = layout.xs.len() == 8 && layout.ys.len() == 8;
    // Moves that name only a column drop something into it.
    if !first.is_empty() && first.iter().all(|mv| mv.cells.is_empty()) {
        return holes;
    }
    let single = first.iter().all(|mv| mv.cells.len() == 1);
    let two_colours = palette.iter().all(|stamp| {
        let content = stamp.content.to_ascii_lowercase();
        is_blank(&content) || ["black", "white"].contains(&content.as_str())
    });
    match eight {
        true if single && two_colours => green,
        true => chequered,
        false => plain,
    }
}
