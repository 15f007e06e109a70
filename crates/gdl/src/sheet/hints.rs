//! What a sheet says about its looks: comments such as `; terzo: board hex`. The rules do not depend on them, and other
//! programs skip them. docs/boards.md lists them all.

use super::diagnose::{Diagnostic, Span};

/// How a hint begins, after the semicolons.
const MARK: &str = "terzo:";

/// More hints than that are not read, nor longer ones: a picture needs few words.
const MOST: usize = 100;
const LONGEST: usize = 1000;

/// More pegs than that are no row to look at.
const MOST_PEGS: usize = 8;

/// The ways a board can be drawn.
pub const BOARDS: [&str; 6] = ["plain", "chequered", "green", "holes", "hex", "lamps"];

/// The sets of pieces.
pub const PIECES: [&str; 5] = ["discs", "chess", "draughts", "pawns", "quarto"];

const KEYS: [&str; 16] = [
    "name", "board", "rows", "columns", "squares", "edges", "turn", "pieces", "wins", "heaps", "pegs", "shelf",
    "counter", "hide", "write", "sample",
];

/// How a won game is seen on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinningShape {
    /// So many of the winner's in a straight line.
    Line(usize),
    /// A chain of the winner's from edge to edge.
    Chain,
    /// Nothing is to be marked.
    Nothing,
}

/// Two opposite edges of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// The first and the last column.
    Columns,
    /// The first and the last row.
    Rows,
}

/// Discs on pegs: `(RELATION disc peg)`, the number of a disc being its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pegs {
    /// The relation.
    pub relation: String,
    /// The pegs from left to right.
    pub names: Vec<String>,
}

/// How a kind of move is written for people: `?heap → ?n` for `(leave ?heap ?n)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTemplate {
    /// The words of the move; variables begin with a question mark.
    pub words: Vec<String>,
    /// The text, with variables.
    pub text: String,
}

impl MoveTemplate {
    /// The text for a move of these words, if it is a move of this kind.
    pub fn write(&self, words: &[&str]) -> Option<String> {
        if words.len() != self.words.len() {
            return None;
        }
        let mut text = self.text.clone();
        let mut bound: Vec<(&str, &str)> = Vec::new();
        for (own, word) in self.words.iter().zip(words) {
            match own.starts_with('?') {
                true => bound.push((own, word)),
                false if own.eq_ignore_ascii_case(word) => (),
                false => return None,
            }
        }
        // The longest names first: `?to` must not be found in `?to-row`.
        bound.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        for (name, word) in bound {
            text = text.replace(name, word);
        }
        Some(text)
    }
}

/// All hints of a sheet. Everything may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// What the game is called.
    pub name: Option<String>,
    /// The rules in words: the comment that the sheet begins with, without its first line and its notes for readers of GDL.
    pub rules: Option<String>,
    /// One of [`BOARDS`].
    pub board: Option<&'static str>,
    /// Whether the first row is on top.
    pub rows_down: bool,
    /// Whether columns 1, 2, 3 are called a, b, c.
    pub letters: bool,
    /// Whether the dark squares have the numbers of the books on checkers.
    pub numbered: bool,
    /// Which role has which edges.
    pub edges: Vec<(String, Edges)>,
    /// The roles that sit on the other side of the board.
    pub turned: Vec<String>,
    /// One of [`PIECES`].
    pub pieces: Option<&'static str>,
    /// How a won game is seen.
    pub wins: Option<WinningShape>,
    /// Relations of a name and a number of stones.
    pub heaps: Vec<String>,
    /// Discs on pegs.
    pub pegs: Option<Pegs>,
    /// Relations of things that lie beside the board.
    pub shelves: Vec<String>,
    /// Relations that count something, and what that is called.
    pub counters: Vec<(String, String)>,
    /// Relations that are not shown.
    pub hidden: Vec<String>,
    /// How moves are written.
    pub written: Vec<MoveTemplate>,
    /// Moves that lead to a position for a picture of the game.
    pub sample: Vec<String>,
}

impl Hints {
    /// Reads the hints of a text; what is wrong with them goes to `diagnostics` as warnings.
    pub fn read(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Hints {
        let mut hints = Hints {
            rules: rules(text),
            ..Hints::default()
        };
        let mut start = 0;
        let mut read = 0;
        for line in text.split_inclusive('\n') {
            let span = Span::new(start, start + line.trim_end().len());
            start += line.len();
            let Some(hint) = comment(line).and_then(|said| said.strip_prefix(MARK)) else {
                continue;
            };
            read += 1;
            if read > MOST || hint.len() > LONGEST || diagnostics.len() >= Diagnostic::MOST {
                continue;
            }
            if let Err((message, help)) = hints.take(hint.trim()) {
                let warning = Diagnostic::warning(span, message).label("the hint is not used");
                diagnostics.push(warning.help(help));
            }
        }
        hints
    }

    /// Takes one hint; the error says what is wrong and what was expected.
    fn take(&mut self, hint: &str) -> Result<(), (String, String)> {
        let (key, rest) = hint.split_once(char::is_whitespace).unwrap_or((hint, ""));
        let rest = rest.trim();
        let words: Vec<&str> = rest.split_whitespace().collect();
        let wrong = |expected: String| {
            let message = format!("`{hint}` is no hint that can be used");
            Err((message, format!("expected {expected}")))
        };
        let own = |words: &[&str]| -> Vec<String> { words.iter().map(|word| word.to_string()).collect() };
        match (key, words.as_slice()) {
            ("name", [_, ..]) => self.name = Some(rest.into()),
            ("board", [word]) => match BOARDS.iter().find(|known| *known == word) {
                Some(board) => self.board = Some(board),
                None => return wrong(format!("`board` and one of {}", BOARDS.join(", "))),
            },
            ("pieces", [word]) => match PIECES.iter().find(|known| *known == word) {
                Some(pieces) => self.pieces = Some(pieces),
                None => return wrong(format!("`pieces` and one of {}", PIECES.join(", "))),
            },
            ("rows", ["down"]) => self.rows_down = true,
            ("columns", ["letters"]) => self.letters = true,
            ("squares", ["numbers"]) => self.numbered = true,
            ("edges", [role, "columns"]) => self.edges.push((role.to_string(), Edges::Columns)),
            ("edges", [role, "rows"]) => self.edges.push((role.to_string(), Edges::Rows)),
            ("turn", [role]) => self.turned.push(role.to_string()),
            ("wins", ["chain"]) => self.wins = Some(WinningShape::Chain),
            ("wins", ["nothing"]) => self.wins = Some(WinningShape::Nothing),
            ("wins", ["line", number]) => match number.parse() {
                Ok(long @ 2..=32) => self.wins = Some(WinningShape::Line(long)),
                _ => return wrong("`wins line` and a number from 2 to 32".into()),
            },
            ("heaps", [relation]) => self.heaps.push(relation.to_string()),
            ("pegs", [relation, first, second, rest @ ..]) if rest.len() <= MOST_PEGS - 2 => {
                let names = own(&[&[*first, *second], rest].concat());
                let relation = relation.to_string();
                self.pegs = Some(Pegs { relation, names });
            }
            ("shelf", [relation]) => self.shelves.push(relation.to_string()),
            ("counter", [relation, words @ ..]) => {
                let words = if words.is_empty() { &[*relation][..] } else { words };
                self.counters.push((relation.to_string(), words.join(" ")));
            }
            ("hide", [relation]) => self.hidden.push(relation.to_string()),
            ("write", [_, ..]) => match template(rest) {
                Some(template) => self.written.push(template),
                None => return wrong("`write (leave ?heap ?n) ?heap → ?n`: a move, then its text".into()),
            },
            ("sample", [_, ..]) => self.sample = own(&words),
            (known, _) if KEYS.contains(&known) => {
                return wrong(
                    match known {
                        "rows" => "`rows down`",
                        "columns" => "`columns letters`",
                        "squares" => "`squares numbers`",
                        "pegs" => "`pegs RELATION PEG PEG …`: a relation, then two to eight pegs",
                        "edges" => "`edges ROLE columns` or `edges ROLE rows`",
                        "wins" => "`wins line 4`, `wins chain` or `wins nothing`",
                        _ => "a word after it",
                    }
                    .into(),
                );
            }
            _ => return wrong(format!("one of {}", KEYS.join(", "))),
        }
        Ok(())
    }
}

/// A move and the text that stands for it.
fn template(rest: &str) -> Option<MoveTemplate> {
    let (words, text) = match rest.strip_prefix('(') {
        Some(inner) => inner.split_once(')')?,
        None => rest.split_once(char::is_whitespace)?,
    };
    let words: Vec<String> = words.split_whitespace().map(String::from).collect();
    let text = text.trim().to_string();
    (!words.is_empty() && !text.is_empty()).then_some(MoveTemplate { words, text })
}

/// What a line says, if all of it is a comment.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    line.starts_with(';').then(|| line.trim_start_matches(';').trim())
}

/// The words of the first paragraphs after the first line of the comment that a sheet begins with. What begins with `Facts:` or
/// `Moves:` is for who reads GDL, and so is all after it.
fn rules(text: &str) -> Option<String> {
    let lines = text.trim_start().lines().map_while(comment).skip(1);
    let said = lines
        .take_while(|line| !line.starts_with("Facts:") && !line.starts_with("Moves:"))
        .filter(|line| !line.starts_with(MARK) && !line.is_empty());
    let rules: String = said.collect::<Vec<_>>().join(" ");
    let short: String = rules.chars().take(LONGEST).collect();
    (!short.is_empty()).then_some(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Hints, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        (Hints::read(text, &mut diagnostics), diagnostics)
    }

    #[test]
    fn hints_are_read_from_comments_and_from_nothing_else() {
        let (hints, said) = read(
            "; Hex.\n;\n; Red begins.\n; No draws.\n;\n; Facts: (cell)\n;; terzo: board hex\n; terzo: edges red columns\n\
             (role red) ; terzo: board green\n; terzo: wins line 4\n; terzo: write (leave ?heap ?n) ?heap → ?n\n",
        );
        assert_eq!(said, []);
        assert_eq!(hints.board, Some("hex"));
        assert_eq!(hints.edges, [("red".to_string(), Edges::Columns)]);
        assert_eq!(hints.wins, Some(WinningShape::Line(4)));
        assert_eq!(hints.rules.as_deref(), Some("Red begins. No draws."));
        assert_eq!(hints.written[0].write(&["leave", "a", "3"]).as_deref(), Some("a → 3"));
        assert_eq!(hints.written[0].write(&["take", "a", "3"]), None);
    }

    #[test]
    fn pegs_are_a_relation_and_the_pegs_from_left_to_right() {
        let (hints, said) = read("; terzo: pegs on left middle right\n");
        let names = ["left", "middle", "right"].map(String::from).into();
        let relation = "on".into();
        assert_eq!((hints.pegs, said), (Some(Pegs { relation, names }), vec![]));
        for few_or_many in ["on left", "on a b c d e f g h i"] {
            let (hints, said) = read(&format!("; terzo: pegs {few_or_many}\n"));
            assert_eq!((hints.pegs, said.len()), (None, 1), "{few_or_many}");
            assert!(
                said[0]
                    .help
                    .as_deref()
                    .is_some_and(|help| help.contains("two to eight pegs")),
                "{said:?}"
            );
        }
    }

    #[test]
    fn a_wrong_hint_is_a_warning_at_its_place_that_says_what_was_expected() {
        let text = "; A game\n; terzo: board hexagonal\n; terzo: wins line many\n; terzo: colour red\n; terzo:\n";
        let (hints, said) = read(text);
        assert_eq!((hints.board, said.len()), (None, 4));
        let first = said[0].span.map(|span| &text[span.start..span.end]);
        assert_eq!(first, Some("; terzo: board hexagonal"));
        assert!(
            said[0]
                .help
                .as_deref()
                .is_some_and(|help| help.contains("plain, chequered")),
            "{said:?}"
        );
        assert!(
            said[2].help.as_deref().is_some_and(|help| help.contains("name, board")),
            "{said:?}"
        );
    }

    #[test]
    fn every_hint_of_a_bundled_sheet_can_be_used() {
        for name in crate::bundled::names() {
            let (hints, said) = read(crate::bundled::text(name).unwrap());
            assert_eq!(said, [], "{name}");
            assert!(
                hints.rules.is_some_and(|rules| rules.len() > 60),
                "{name} says its rules"
            );
        }
    }
}
