//! Moves as people write them.

use super::boards::{Square, cells, is_blank};
use super::check;
use ::gdl::{BoardLayout, Move, Position, words};
use game::Game;

/// A move as people write it: as the sheet says, as the books have it, as the squares it names, or in its own words.
pub fn write(position: &Position, mv: Move) -> String {
    let own = position.print_move(mv);
    let Some(words) = words(&own) else { return own };
    let hints = position.machine().hints();
    if let Some(text) = hints.written.iter().find_map(|template| template.write(&words)) {
        return text;
    }
    let layout = position.layout();
    let boards = layout.boards.iter().map(|board| (board, board.places(&words)));
    let board = boards.into_iter().find(|(_, (places, _))| !places.is_empty());
    if let Some((board, (places, others))) = &board {
        let standing = BoardContents::of(position, board);
        if hints.pieces == Some("chess")
            && let Some(san) = standing.algebraic(position, &words, places, others)
        {
            return san + threat(position, mv, board);
        }
        if position.dialect().is_none() || hints.pieces == Some("chess") {
            return standing.squares(hints.letters, places, others);
        }
    }
    if let Some(common) = position.dialect().and_then(|dialect| dialect.common(&own)) {
        return common;
    }
    words.join(" ")
}

/// What a chess move does to the king: `+` for check, `#` for mate.
fn threat(position: &Position, mv: Move, board: &BoardLayout) -> &'static str {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let standing = BoardContents::of(&after, board);
    let square = |cell: &Square| Some((board.column(&cell.x)? as i32, cell.y.parse().ok()?));
    let pieces: Vec<check::ChessPiece> = (standing.cells.iter())
        .filter_map(|cell| {
            let (colour, kind) = cell.content.split_once(' ')?;
            Some(check::ChessPiece {
                at: square(cell)?,
                colour,
                kind,
            })
        })
        .collect();
    let roles = position.machine().roles();
    let rival = roles
        .iter()
        .enumerate()
        .find(|(seat, _)| *seat != position.mover().index());
    match rival {
        Some((_, rival)) if check::in_check(&pieces, rival) => match after.outcome().and_then(|end| end.winner()) {
            Some(_) => "#",
            None => "+",
        },
        _ => "",
    }
}

/// What stands on a board.
struct BoardContents<'a> {
    layout: &'a BoardLayout,
    cells: Vec<Square>,
}

impl<'a> BoardContents<'a> {
    fn of(position: &Position, layout: &'a BoardLayout) -> Self {
        let facts = position.machine().facts(position.state());
        let mut cells = cells(&facts, layout);
        cells.retain(|cell| !is_blank(&cell.content));
        BoardContents { layout, cells }
    }

    fn at(&self, (x, y): (&str, &str)) -> Option<&str> {
        let here = self.cells.iter().find(|cell| cell.x == x && cell.y == y);
        here.map(|cell| cell.content.as_str())
    }

    /// `d3`, `e2-e4`, `e4xd5`; other words follow.
    fn squares(&self, letters: bool, places: &[(&str, &str)], others: &[&str]) -> String {
        let sign = match places {
            [_, to] if self.at(*to).is_some() => "x",
            _ => "-",
        };
        let squares: Vec<String> = places.iter().map(|place| self.square(letters, *place)).collect();
        let squares = squares.join(sign);
        match others.is_empty() {
            true => squares,
            false => format!("{squares} {}", others.join(" ")),
        }
    }

    fn square(&self, letters: bool, (x, y): (&str, &str)) -> String {
        let number = self
            .layout
            .column(x)
            .filter(|column| letters && *column < 26 && x.parse::<u32>().is_ok());
        match number {
            Some(column) => format!("{}{y}", char::from(b'a' + column as u8)),
            None if x.bytes().all(|byte| byte.is_ascii_alphabetic()) => format!("{x}{y}"),
            None => format!("{x},{y}"),
        }
    }

    /// A chess move: `e4`, `Nbd7`, `exd6`, `O-O`, `c8=Q`. The letters are the English ones, as in the files that programs exchange.
    fn algebraic(
        &self,
        position: &Position,
        words: &[&str],
        places: &[(&str, &str)],
        others: &[&str],
    ) -> Option<String> {
        let &[from, to] = places else { return None };
        let letter = self.letter(from)?;
        let column = |(x, _): (&str, &str)| self.layout.column(x);
        let wide = column(from)?.abs_diff(column(to)?);
        if letter == "K" && wide == 2 {
            return Some(if column(to) > column(from) { "O-O" } else { "O-O-O" }.into());
        }
        let square = format!("{}{}", to.0, to.1);
        // A pawn that goes aside takes, also in passing.
        let takes = if self.at(to).is_some() || letter.is_empty() && wide == 1 {
            "x"
        } else {
            ""
        };
        let origin = match letter {
            "" if takes.is_empty() => String::new(),
            "" => from.0.into(),
            _ => self.origin(position, words, letter, from, to),
        };
        let promoted = match others {
            [kind] => format!("={}", piece_letter(kind)?),
            _ => String::new(),
        };
        Some(format!("{letter}{origin}{takes}{square}{promoted}"))
    }

    fn letter(&self, place: (&str, &str)) -> Option<&'static str> {
        self.at(place)?.split(' ').find_map(piece_letter)
    }

    /// What tells a piece from others of its kind that can go to the same square: its file, its rank or both.
    fn origin(
        &self,
        position: &Position,
        words: &[&str],
        letter: &str,
        from: (&str, &str),
        to: (&str, &str),
    ) -> String {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut rivals: Vec<(String, String)> = Vec::new();
        for mv in moves {
            let own = position.print_move(mv);
            let Some(other) = ::gdl::words(&own).filter(|other| other[0] == words[0]) else {
                continue;
            };
            if let (&[place, goal], _) = (self.layout.places(&other).0.as_slice(), ())
                && goal == to
                && place != from
                && self.letter(place) == Some(letter)
            {
                rivals.push((place.0.into(), place.1.into()));
            }
        }
        let same_file = rivals.iter().any(|(x, _)| x == from.0);
        let same_rank = rivals.iter().any(|(_, y)| y == from.1);
        match (rivals.is_empty(), same_file, same_rank) {
            (true, ..) => String::new(),
            (_, false, _) => from.0.into(),
            (_, true, false) => from.1.into(),
            (_, true, true) => format!("{}{}", from.0, from.1),
        }
    }
}

fn piece_letter(kind: &str) -> Option<&'static str> {
    match kind.to_ascii_lowercase().as_str() {
        "king" => Some("K"),
        "queen" => Some("Q"),
        "rook" => Some("R"),
        "bishop" => Some("B"),
        "knight" => Some("N"),
        "pawn" => Some(""),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str, moves: &str) -> Vec<String> {
        let mut position = Position::of_sheet(name).unwrap();
        let mut texts = Vec::new();
        for text in moves.split(' ') {
            let mv = position.parse_move(text).unwrap();
            texts.push(write(&position, mv));
            position.play(mv).unwrap();
        }
        texts
    }

    #[test]
    fn chess_is_written_as_in_books() {
        let opening = "(move,e,2,e,4) (move,d,7,d,5) (move,e,4,d,5) (move,g,8,f,6) (move,g,1,f,3) (move,f,6,d,5) (move,f,1,b,5) (move,c,7,c,6) (move,e,1,g,1)";
        assert_eq!(
            written("chess", opening),
            ["e4", "d5", "exd5", "Nf6", "Nf3", "Nxd5", "Bb5+", "c6", "O-O"]
        );
        let mate = "(move,f,2,f,3) (move,e,7,e,5) (move,g,2,g,4) (move,d,8,h,4)";
        assert_eq!(written("chess", mate), ["f3", "e5", "g4", "Qh4#"]);
        let knights =
            "(move,b,1,c,3) (move,a,7,a,6) (move,g,1,f,3) (move,b,7,b,6) (move,f,3,d,4) (move,c,7,c,6) (move,d,4,b,5)";
        assert_eq!(written("chess", knights).last().unwrap(), "Ndb5");
        let promotion = "(move,h,2,h,4) (move,g,7,g,5) (move,h,4,g,5) (move,h,7,h,6) (move,g,5,h,6) (move,a,7,a,6) (move,h,6,h,7) (move,a,6,a,5) (promote,h,7,g,8,queen)";
        assert_eq!(written("chess", promotion).last().unwrap(), "hxg8=Q");
    }

    #[test]
    fn other_games_are_written_as_their_players_do() {
        assert_eq!(written("tictactoe", "(mark,2,2) (mark,1,3)"), ["b2", "a3"]);
        assert_eq!(written("connectfour", "(drop,4) (drop,3)"), ["4", "3"]);
        assert_eq!(written("reversi", "(put,3,4)"), ["c4"]);
        assert_eq!(written("checkers", "(go,3,3,4,4)"), ["11-15"]);
        assert_eq!(written("breakthrough", "(go,4,2,4,3) (go,5,7,5,6)"), ["d2-d3", "e7-e6"]);
        assert_eq!(written("hex", "(fill,4,4) (fill,5,3)"), ["d4", "e3"]);
        assert_eq!(written("nim", "(leave,d,2)"), ["d → 2"]);
        assert_eq!(written("quarto", "(give,p3) (place,1,4)"), ["give p3", "a4"]);
        assert_eq!(written("trio", "(put,6,1)"), ["f1"]);
        assert_eq!(written("duel", "load duck"), ["load", "duck"]);
        assert_eq!(written("lights", "(press,2,4)"), ["b4"]);
    }
}
