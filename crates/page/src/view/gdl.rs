//! A GDL position as the page shows it: its facts, and a board where they look like one.

use game::Game;
use gdl::Position;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use utoipa::ToSchema;

/// The facts of a position and what they look like.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GdlView {
    /// The sheet's name.
    pub name: String,
    /// The roles, by seat.
    pub roles: Vec<String>,
    /// All that is true.
    pub facts: Vec<String>,
    /// What each role may do.
    pub legal: BTreeMap<String, Vec<String>>,
    /// What roles that choose at the same time have already chosen.
    pub chosen: BTreeMap<String, String>,
    /// The relations that look like a board.
    pub boards: Vec<Board>,
}

/// A relation with two coordinates and a content.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Place {
    /// First coordinate.
    pub x: String,
    /// Second coordinate.
    pub y: String,
}

/// The words of a flat term: `(cell 1 1 b)` or `(mark,1,1)`. `None` if terms stand inside it.
fn words(term: &str) -> Option<Vec<&str>> {
    let inner = term.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(term);
    if inner.contains(['(', ')']) {
        return None;
    }
    Some(inner.split([' ', ',']).filter(|word| !word.is_empty()).collect())
}

/// What to show of a position.
pub fn look(position: &Position) -> GdlView {
    let machine = position.machine();
    let roles: Vec<String> = machine.roles().into_iter().map(String::from).collect();
    let facts = machine.facts(position.state());
    let first = machine.facts(&machine.initial());
    let view = position.view();
    let write = |mv| position.print_move(mv);
    let legal = roles
        .iter()
        .zip(&view.legal)
        .map(|(role, moves)| (role.clone(), moves.iter().map(|&mv| write(mv)).collect()))
        .collect();
    let chosen = position
        .chosen()
        .iter()
        .map(|&mv| (roles[machine.role_of(mv)].clone(), write(mv)))
        .collect();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let moves: Vec<String> = moves.into_iter().map(write).collect();
    GdlView {
        name: machine.name().into(),
        boards: boards(&facts, &first, &moves),
        roles,
        facts,
        legal,
        chosen,
    }
}

/// More than this many rows or columns are no board to draw.
const WIDEST: usize = 32;

/// What of these facts looks like a board. What is true at first helps to know the size of a board that shows only what
/// stands on it.
fn boards(facts: &[String], first: &[String], moves: &[String]) -> Vec<Board> {
    let mut relations: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    let mut sizes: HashMap<&str, (BTreeSet<&str>, BTreeSet<&str>)> = HashMap::new();
    for (i, fact) in facts.iter().chain(first).enumerate() {
        let Some(words) = words(fact).filter(|words| words.len() >= 4) else {
            continue;
        };
        let size = sizes.entry(words[0]).or_default();
        size.0.insert(words[1]);
        size.1.insert(words[2]);
        if i < facts.len() {
            relations.entry(words[0]).or_default().push(words);
        }
    }
    let boards = relations.into_iter().filter_map(|(relation, rows)| {
        let (xs, ys) = sizes.get(relation)?;
        let fits = |n: usize| (2..=WIDEST).contains(&n);
        let places: BTreeSet<(&str, &str)> = rows.iter().map(|row| (row[1], row[2])).collect();
        // One content a place, a place for most pairs of coordinates, and coordinates that look like some.
        let looks = fits(xs.len())
            && fits(ys.len())
            && places.len() == rows.len()
            && 3 * places.len() >= xs.len() * ys.len()
            && xs.iter().chain(ys).all(|name| name.len() <= 2);
        looks.then(|| board(relation, &rows, xs, ys, moves))
    });
    boards.collect()
}

fn board(relation: &str, rows: &[Vec<&str>], xs: &BTreeSet<&str>, ys: &BTreeSet<&str>, moves: &[String]) -> Board {
    let cells: Vec<Square> = rows
        .iter()
        .map(|row| Square {
            x: row[1].into(),
            y: row[2].into(),
            content: row[3..].join(" "),
        })
        .collect();
    let blank = ["b", "blank", "empty", "e", "none", "dirt"]
        .into_iter()
        .find(|word| cells.iter().any(|cell| cell.content.eq_ignore_ascii_case(word)));
    Board {
        relation: relation.into(),
        xs: sorted(xs),
        ys: sorted(ys),
        cells,
        blank: blank.map(String::from),
        moves: moves.iter().filter_map(|turn| placed(turn, xs, ys)).collect(),
    }
}

/// Numbers by value, then names.
fn sorted(names: &BTreeSet<&str>) -> Vec<String> {
    let mut names: Vec<&str> = names.iter().copied().collect();
    names.sort_by_key(|name| (name.parse::<i64>().unwrap_or(i64::MAX), *name));
    names.into_iter().map(String::from).collect()
}

/// The places a move names: neighbouring arguments that are coordinates.
fn placed(turn: &str, xs: &BTreeSet<&str>, ys: &BTreeSet<&str>) -> Option<PlacedMove> {
    let words = words(turn)?;
    let arguments = words.get(1..)?;
    let mut cells = Vec::new();
    let mut at = 0;
    while at + 1 < arguments.len() {
        let (x, y) = (arguments[at], arguments[at + 1]);
        if xs.contains(x) && ys.contains(y) {
            cells.push(Place {
                x: x.into(),
                y: y.into(),
            });
            at += 2;
        } else {
            at += 1;
        }
    }
    let x = match (cells.is_empty(), arguments) {
        (true, [x]) if xs.contains(x) => Some(x.to_string()),
        (true, _) => return None,
        _ => None,
    };
    Some(PlacedMove {
        turn: turn.into(),
        cells,
        x,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl::{Limits, Machine, Sheet};

    fn bundled(name: &str) -> Position {
        let sheet = Sheet::load(name).unwrap();
        Position::new(Machine::best(&sheet, Limits::default()).unwrap().0).unwrap()
    }

    #[test]
    fn the_cells_of_tic_tac_toe_are_a_board_that_can_be_clicked() {
        let view = look(&bundled("tictactoe"));
        assert_eq!(view.boards.len(), 1, "{view:?}");
        let board = &view.boards[0];
        assert_eq!((board.xs.len(), board.ys.len(), board.cells.len()), (3, 3, 9));
        assert_eq!((board.blank.as_deref(), board.moves.len()), (Some("b"), 9));
        assert_eq!(board.moves[0].cells.len(), 1);
    }

    #[test]
    fn a_stone_dropped_into_a_column_names_the_column() {
        let view = look(&bundled("connectfour"));
        let moves: Vec<Option<&str>> = view.boards[0].moves.iter().map(|mv| mv.x.as_deref()).collect();
        assert_eq!(moves.len(), 7, "{view:?}");
        assert!(moves.iter().all(Option::is_some));
    }

    #[test]
    fn a_move_of_chess_names_where_it_comes_from_and_where_it_goes() {
        let view = look(&bundled("breakthrough"));
        assert!(view.boards[0].moves.iter().all(|mv| mv.cells.len() == 2), "{view:?}");
    }

    #[test]
    fn heaps_are_no_board() {
        assert!(look(&bundled("nim")).boards.is_empty());
    }
}
