//! A GDL position as the page shows it: its facts, and a board where they look like one.

use ::gdl::Position;
use game::Game;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
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
    /// The roles that have already chosen, where several choose at the same time. What they chose is told to nobody until
    /// all have.
    pub chosen: Vec<String>,
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
    let inner = term
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(term);
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
    let possible = machine.possible_facts();
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
        .map(|&mv| roles[machine.role_of(mv)].clone())
        .collect();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let moves: Vec<String> = moves.into_iter().map(write).collect();
    GdlView {
        name: machine.name().into(),
        boards: boards(&facts, &first, &possible, &moves),
        roles,
        facts,
        legal,
        chosen,
    }
}

/// More than this many rows or columns are no board to draw.
const WIDEST: usize = 32;

/// What of these facts looks like a board, judged by the facts that are possible: a board without stones is one, too.
/// Relations over the same coordinates (men and kings, say) stand on one board.
fn boards(facts: &[String], first: &[String], possible: &[String], moves: &[String]) -> Vec<Board> {
    let mut relations: BTreeMap<&str, Relation> = BTreeMap::new();
    for words in flat(facts) {
        let relation = relations.entry(words[0]).or_default();
        relation.now.push(words.clone());
        relation.ever.push(words);
    }
    for words in flat(possible) {
        relations.entry(words[0]).or_default().ever.push(words);
    }
    for words in flat(first) {
        relations.entry(words[0]).or_default().first.push(words);
    }
    let mut boards: BTreeMap<(Names, Names), Vec<OnBoard>> = BTreeMap::new();
    for (name, relation) in relations {
        if let Some((at, xs, ys)) = relation.coordinates() {
            boards.entry((xs, ys)).or_default().push((name, at, relation));
        }
    }
    let boards = boards
        .into_iter()
        .map(|((xs, ys), relations)| board(&relations, &xs, &ys, moves));
    boards.collect()
}

type Names<'a> = BTreeSet<&'a str>;

/// A relation on a board: its name, which argument is the first coordinate, and its facts.
type OnBoard<'a> = (&'a str, usize, Relation<'a>);

/// The facts that have two arguments or more and no terms inside, as words.
fn flat(facts: &[String]) -> impl Iterator<Item = Vec<&str>> {
    let words = facts.iter().filter_map(|fact| words(fact));
    words.filter(|words| words.len() >= 3)
}

/// The facts of one relation as words, its name first: those that hold, those that held at first, and those that may.
#[derive(Default)]
struct Relation<'a> {
    now: Vec<Vec<&'a str>>,
    first: Vec<Vec<&'a str>>,
    ever: Vec<Vec<&'a str>>,
}

impl<'a> Relation<'a> {
    /// Which two neighbouring arguments are coordinates, and the names they take: the first two, or else the last two.
    fn coordinates(&self) -> Option<(usize, Names<'a>, Names<'a>)> {
        let length = self.ever.first()?.len();
        if self.ever.iter().any(|words| words.len() != length) {
            return None;
        }
        // With nothing but two names, one a first name is a count: (heap a 3).
        let names: Names = self.first.iter().map(|words| words[1]).collect();
        if length == 3 && names.len() == self.first.len() {
            return None;
        }
        [1, length - 2].into_iter().find_map(|at| {
            let xs: Names = self.ever.iter().map(|words| words[at]).collect();
            let ys: Names = self.ever.iter().map(|words| words[at + 1]).collect();
            let places: BTreeSet<(&str, &str)> = self.ever.iter().map(|words| (words[at], words[at + 1])).collect();
            let taken: BTreeSet<(&str, &str)> = self.now.iter().map(|words| (words[at], words[at + 1])).collect();
            let fits = |n: usize| (2..=WIDEST).contains(&n);
            // Names that look like coordinates, a place for most pairs of them, and one thing a place.
            let looks = fits(xs.len())
                && fits(ys.len())
                && xs.iter().chain(&ys).all(|name| is_coordinate(name))
                && 2 * places.len() >= xs.len() * ys.len()
                && taken.len() == self.now.len();
            looks.then_some((at, xs, ys))
        })
    }
}

/// A small number or a letter.
fn is_coordinate(name: &str) -> bool {
    name.len() <= 2 && name.bytes().all(|byte| byte.is_ascii_digit())
        || name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn board(relations: &[OnBoard], xs: &Names, ys: &Names, moves: &[String]) -> Board {
    let mut cells = Vec::new();
    for (name, at, relation) in relations {
        for words in &relation.now {
            // The other arguments say what is there; the relation does where there are none, or where it is not alone.
            let mut content: Vec<&str> = words[1..*at].iter().chain(&words[at + 2..]).copied().collect();
            if content.is_empty() || relations.len() > 1 {
                content.push(name);
            }
            cells.push(Square {
                x: words[*at].into(),
                y: words[at + 1].into(),
                content: content.join(" "),
            });
        }
    }
    let blank = ["b", "blank", "empty", "e", "none"]
        .into_iter()
        .find(|word| cells.iter().any(|cell| cell.content.eq_ignore_ascii_case(word)));
    let names: Vec<&str> = relations.iter().map(|(name, _, _)| *name).collect();
    Board {
        relation: names.join(" "),
        xs: sorted(xs),
        ys: sorted(ys),
        blank: blank.map(String::from),
        cells,
        moves: moves.iter().filter_map(|turn| placed(turn, xs, ys)).collect(),
    }
}

/// Numbers by value, then names.
fn sorted(names: &Names) -> Vec<String> {
    let mut names: Vec<&str> = names.iter().copied().collect();
    names.sort_by_key(|name| (name.parse::<i64>().unwrap_or(i64::MAX), *name));
    names.into_iter().map(String::from).collect()
}

/// The places a move names: neighbouring arguments that are coordinates.
fn placed(turn: &str, xs: &Names, ys: &Names) -> Option<PlacedMove> {
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
    use ::gdl::{BuildLimits, Machine, Sheet};

    fn bundled(name: &str) -> Position {
        let sheet = Sheet::load(name).unwrap();
        Position::new(Machine::best(&sheet, BuildLimits::default()).unwrap().0).unwrap()
    }

    #[test]
    fn the_cells_of_tic_tac_toe_are_a_board_that_can_be_clicked() {
        let view = look(&bundled("tictactoe"));
        assert_eq!(view.boards.len(), 1, "{view:?}");
        let board = &view.boards[0];
        assert_eq!((board.xs.len(), board.ys.len(), board.cells.len()), (3, 3, 9));
        assert_eq!((board.blank.as_deref(), board.moves.len()), (Some("empty"), 9));
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
    fn a_move_of_breakthrough_names_where_it_comes_from_and_where_it_goes() {
        let view = look(&bundled("breakthrough"));
        let board = &view.boards[0];
        assert!(board.moves.iter().all(|mv| mv.cells.len() == 2), "{view:?}");
        assert_eq!((board.cells.len(), board.xs.len(), board.ys.len()), (32, 8, 8));
        assert!(board.cells.iter().any(|cell| cell.content == "white"));
    }

    #[test]
    fn every_bundled_game_with_cells_shows_one_board() {
        for (name, wide) in [
            ("checkers", 8),
            ("chess", 8),
            ("reversi", 8),
            ("quarto", 4),
            ("lights", 5),
        ] {
            let view = look(&bundled(name));
            let sizes: Vec<usize> = view.boards.iter().map(|board| board.xs.len()).collect();
            assert_eq!(sizes, [wide], "{name}");
        }
    }

    #[test]
    fn heaps_are_no_board() {
        assert!(look(&bundled("nim")).boards.is_empty());
    }
}
