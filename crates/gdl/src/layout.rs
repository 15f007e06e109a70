//! Which facts of a game look like a board: relations of two coordinates and a content.

use crate::sheet::Hints;
use std::collections::{BTreeMap, BTreeSet};

/// More than this many rows or columns are no board to draw.
const WIDEST: usize = 32;

/// The boards of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Each with its own coordinates.
    pub boards: Vec<BoardLayout>,
}

/// A board. Relations over the same coordinates (men and kings, say) stand on one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLayout {
    /// The relations on it.
    pub relations: Vec<BoardRelation>,
    /// The first coordinates, numbers by value, then names.
    pub xs: Vec<String>,
    /// The second coordinates.
    pub ys: Vec<String>,
}

/// A relation on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRelation {
    /// Its name.
    pub name: String,
    /// Which of the words of a fact, the name being number 0, is the first coordinate; the next one is the second.
    pub at: usize,
    /// How many words a fact has.
    pub length: usize,
}

/// The words of a flat term: `(cell 1 1 b)` or `(mark,1,1)`. `None` if terms stand inside it.
pub fn words(term: &str) -> Option<Vec<&str>> {
    let inner = term
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(term);
    if inner.contains(['(', ')']) {
        return None;
    }
    Some(inner.split([' ', ',']).filter(|word| !word.is_empty()).collect())
}

impl Layout {
    /// What of these facts looks like a board, judged by the facts that are possible: a board without stones is one, too.
    /// The sheet's hints say whether it has one, and what is not to be seen on it.
    pub(crate) fn of(first: &[String], possible: &[String], hints: &Hints) -> Layout {
        let mut relations: BTreeMap<&str, RelationFacts> = BTreeMap::new();
        for words in flat(possible) {
            relations.entry(words[0]).or_default().ever.push(words);
        }
        for words in flat(first) {
            let relation = relations.entry(words[0]).or_default();
            relation.first.push(words.clone());
            relation.ever.push(words);
        }
        let mut boards: BTreeMap<(Names, Names), Vec<BoardRelation>> = BTreeMap::new();
        relations.retain(|name, _| !hints.hidden.iter().any(|hidden| hidden == name));
        for (name, relation) in relations {
            if let Some((at, xs, ys)) = relation.coordinates(hints.board.is_some()) {
                let length = relation.ever[0].len();
                let name = name.to_string();
                let on = BoardRelation { name, at, length };
                boards.entry((xs, ys)).or_default().push(on);
            }
        }
        let board = |((xs, ys), relations): ((Names, Names), Vec<BoardRelation>)| BoardLayout {
            relations,
            xs: sorted(&xs),
            ys: sorted(&ys),
        };
        Layout {
            boards: boards.into_iter().map(board).collect(),
        }
    }
}

impl BoardLayout {
    /// Where a fact lies on this board and what it says there: the words besides the coordinates. The relation's name belongs to
    /// it where there are no others, or where the relation is not alone.
    pub fn cell<'a>(&self, words: &[&'a str]) -> Option<(&'a str, &'a str, Vec<&'a str>)> {
        let name = *words.first()?;
        let on = self
            .relations
            .iter()
            .find(|one| one.name == name && one.length == words.len())?;
        let mut content: Vec<&str> = words[1..on.at].iter().chain(&words[on.at + 2..]).copied().collect();
        if content.is_empty() || self.relations.len() > 1 {
            content.push(name);
        }
        Some((words[on.at], words[on.at + 1], content))
    }

    /// Whether a place is named by these two words.
    pub fn has(&self, x: &str, y: &str) -> bool {
        self.column(x).is_some() && self.row(y).is_some()
    }

    /// The number of a first coordinate, from 0.
    pub fn column(&self, x: &str) -> Option<usize> {
        self.xs.iter().position(|own| own == x)
    }

    /// The number of a second coordinate, from 0.
    pub fn row(&self, y: &str) -> Option<usize> {
        self.ys.iter().position(|own| own == y)
    }

    /// The places that a move names, in its order: neighbouring arguments that are coordinates. And the other arguments.
    pub fn places<'a>(&self, words: &[&'a str]) -> (Vec<(&'a str, &'a str)>, Vec<&'a str>) {
        let (mut places, mut others) = (Vec::new(), Vec::new());
        let mut rest = words.get(1..).unwrap_or_default();
        while let [word, after @ ..] = rest {
            match after.first() {
                Some(next) if self.has(word, next) => {
                    places.push((*word, *next));
                    rest = &after[1..];
                }
                _ => {
                    others.push(*word);
                    rest = after;
                }
            }
        }
        (places, others)
    }
}

type Names<'a> = BTreeSet<&'a str>;

/// The facts that have two arguments or more and no terms inside, as words.
fn flat(facts: &[String]) -> impl Iterator<Item = Vec<&str>> {
    let words = facts.iter().filter_map(|fact| words(fact));
    words.filter(|words| words.len() >= 3)
}

/// The facts of one relation as words, its name first: those that held at first, and those that may.
#[derive(Default)]
struct RelationFacts<'a> {
    first: Vec<Vec<&'a str>>,
    ever: Vec<Vec<&'a str>>,
}

impl<'a> RelationFacts<'a> {
    /// Which two neighbouring arguments are coordinates, and the names they take: the first two, or else the last two.
    fn coordinates(&self, hinted: bool) -> Option<(usize, Names<'a>, Names<'a>)> {
        let length = self.ever.first()?.len();
        if self.ever.iter().any(|words| words.len() != length) {
            return None;
        }
        // With nothing but two names, one a first name is a count, (heap a 3), unless the sheet says that it has a board: a lonely
        // knight is somewhere, (knight 1 1).
        let names: Names = self.first.iter().map(|words| words[1]).collect();
        if !hinted && length == 3 && names.len() == self.first.len() {
            return None;
        }
        [1, length - 2].into_iter().find_map(|at| {
            let xs: Names = self.ever.iter().map(|words| words[at]).collect();
            let ys: Names = self.ever.iter().map(|words| words[at + 1]).collect();
            let place = |words: &Vec<&'a str>| (words[at], words[at + 1]);
            let places: BTreeSet<(&str, &str)> = self.ever.iter().map(place).collect();
            let taken: BTreeSet<(&str, &str)> = self.first.iter().map(place).collect();
            let fits = |n: usize| (2..=WIDEST).contains(&n);
            // Names that look like coordinates, a place for most pairs of them, and one thing a place.
            let looks = fits(xs.len())
                && fits(ys.len())
                && xs.iter().chain(&ys).all(|name| is_coordinate(name))
                && 2 * places.len() >= xs.len() * ys.len()
                && taken.len() == self.first.len();
            looks.then_some((at, xs, ys))
        })
    }
}

/// A small number or a letter.
fn is_coordinate(name: &str) -> bool {
    name.len() <= 2 && name.bytes().all(|byte| byte.is_ascii_digit())
        || name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Numbers by value, then names.
fn sorted(names: &Names) -> Vec<String> {
    let mut names: Vec<&str> = names.iter().copied().collect();
    names.sort_by_key(|name| (name.parse::<i64>().unwrap_or(i64::MAX), *name));
    names.into_iter().map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use crate::Position;

    #[test]
    fn men_and_kings_stand_on_one_board_and_a_move_names_its_places() {
        let layout = Position::of_sheet("checkers").unwrap().layout();
        let [board] = layout.boards.as_slice() else {
            panic!("{layout:?}");
        };
        assert_eq!((board.xs.len(), board.ys.len(), board.relations.len()), (8, 8, 2));
        let cell = board.cell(&["king", "black", "3", "5"]);
        assert_eq!(cell, Some(("3", "5", vec!["black", "king"])));
        let (places, others) = board.places(&["go", "1", "3", "2", "4", "quickly"]);
        assert_eq!((places, others), (vec![("1", "3"), ("2", "4")], vec!["quickly"]));
    }

    #[test]
    fn a_lonely_piece_and_what_comes_later_stand_on_the_board_that_the_sheet_names() {
        for (sheet, relations) in [
            ("tour", vec!["knight", "visited"]),
            ("amazons", vec!["amazon", "closed", "shooter"]),
        ] {
            let layout = Position::of_sheet(sheet).unwrap().layout();
            let [board] = layout.boards.as_slice() else {
                panic!("{sheet}: {layout:?}");
            };
            let names: Vec<&str> = board.relations.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(names, relations, "{sheet}");
        }
    }

    #[test]
    fn heaps_are_no_board() {
        assert!(Position::of_sheet("nim").unwrap().layout().boards.is_empty());
    }
}
