//! Why a turn of Quarto is the one to play: words made of facts about the board, never of guesses.

use super::exact::Half;
use crate::exact::{Outcome, Worth};
use crate::sentence::Sentence;
use crate::view::quarto::{safe, shared};
use quarto::words::{self, LineName};
use quarto::{Cell, CellSet, Piece, PieceSet, Position, Turn};

/// The best of the values of one kind of choice: of several equal ones, the one that leaves most pieces safe to give, so
/// that who follows the hint can see what comes.
pub(super) fn best_half(position: &Position, values: &[(Half, Worth)]) -> Option<(Half, Worth)> {
    let room = |half: Half| safe(&half.after(position)).len();
    values
        .iter()
        .copied()
        .max_by_key(|(half, worth)| (worth.preference(), room(*half)))
}

/// Why a turn, whose value is known, is the one to play. `others` are the values of all choices of the same kind as the
/// first half of the turn.
pub(super) fn why(position: &Position, turn: Turn, value: Option<Worth>, others: &[(Half, Worth)]) -> Vec<Sentence> {
    let board = match turn.place {
        Some(cell) => position.placing(cell),
        None => *position,
    };
    if let (Some(cell), Some(_)) = (turn.place, position.hand())
        && board.completed()
    {
        return vec![completing(&board, cell)];
    }
    let mut reasons: Vec<Sentence> = Vec::new();
    match value {
        Some(Worth {
            value: Outcome::Win,
            plies,
        }) => reasons.push(winning(&board, turn, plies)),
        Some(Worth {
            value: Outcome::Loss,
            plies,
        }) => reasons.push(losing(turn, plies, others)),
        Some(Worth {
            value: Outcome::Draw, ..
        }) => reasons.push(keeping_the_draw(turn, others)),
        None => reasons.push(Sentence::of(
            "The game is too young to be solved in a moment; this is how it looks.",
        )),
    }
    if let (Some(cell), false) = (turn.place, position.rules().misere()) {
        reasons.extend(blocking(position, &board, cell));
    }
    if let (Some(piece), false) = (turn.give, position.rules().misere()) {
        reasons.extend(giving(&board, piece));
    }
    reasons
}

/// A placement that ends the game.
fn completing(board: &Position, cell: Cell) -> Sentence {
    let complete = |line: CellSet| {
        Sentence::of("{line} (all {words})")
            .with("line", named(line))
            .with("words", Sentence::and(of_words(shared(board, line))))
    };
    let lines = Sentence::and(board.completed_lines().into_iter().map(complete).collect());
    let told = match board.rules().misere() {
        false => Sentence::of("Placing the piece on {cell} completes {lines}: that wins."),
        true => Sentence::of("Every turn completes a line; on {cell} it is {lines}, and that loses."),
    };
    told.with("cell", cell.to_string()).with("lines", lines)
}

/// What a line is called in the middle of a sentence.
fn named(line: CellSet) -> Sentence {
    let between =
        |told: Sentence, first: Cell, last: Cell| told.with("first", first.to_string()).with("last", last.to_string());
    match words::name(line) {
        LineName::Row(row) => Sentence::of("row {row}").with("row", u32::from(row)),
        LineName::Column(column) => Sentence::of("column {column}").with("column", column.to_string()),
        LineName::Diagonal(first, last) => between(Sentence::of("the diagonal {first}-{last}"), first, last),
        LineName::Square(first, last) => between(Sentence::of("the square {first}-{last}"), first, last),
        LineName::Cells(cells) => {
            let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
            Sentence::of("the line {cells}").with("cells", names.join(" "))
        }
    }
}

/// The words of attributes; the page says them elsewhere, too.
fn of_words(words: Vec<&'static str>) -> Vec<Sentence> {
    words.into_iter().map(Sentence::of).collect()
}

fn losing(turn: Turn, plies: u32, others: &[(Half, Worth)]) -> Sentence {
    let all = !others.is_empty() && others.iter().all(|(_, worth)| worth.value == Outcome::Loss);
    let told = match (all, turn.place.is_some()) {
        (true, true) => Sentence::of(
            "Every cell loses against best play; this one holds out for {count} more placement.|Every cell loses against best play; this one holds out for {count} more placements.",
        ),
        (true, false) => Sentence::of(
            "Every piece loses against best play; this one holds out for {count} more placement.|Every piece loses against best play; this one holds out for {count} more placements.",
        ),
        (false, _) => Sentence::of(
            "It loses against best play, after {count} more placement.|It loses against best play, after {count} more placements.",
        ),
    };
    told.with("count", plies)
}

fn winning(board: &Position, turn: Turn, plies: u32) -> Sentence {
    if let Some(piece) = turn.give
        && !board.rules().misere()
    {
        let after = board.giving(piece);
        if leaves_nothing_safe(&after) {
            return Sentence::of(
                "It wins: wherever the opponent places piece {piece}, every piece left then lets you complete a line.",
            )
            .with("piece", piece.to_string());
        }
    }
    Sentence::of(
        "It wins by force, after {count} more placement at the latest.|It wins by force, after {count} more placements at the latest.",
    )
    .with("count", plies)
}

/// Whether the player with a piece in hand cannot complete a line, and has no safe piece to give wherever it goes.
fn leaves_nothing_safe(after: &Position) -> bool {
    let Some(piece) = after.hand() else {
        return false;
    };
    after.completing_cells(piece).is_empty()
        && after.empty().into_iter().all(|cell| {
            let board = after.placing(cell);
            board.playing() && safe(&board).is_empty()
        })
}

fn keeping_the_draw(turn: Turn, others: &[(Half, Worth)]) -> Sentence {
    let losing = others.iter().filter(|(_, worth)| worth.value == Outcome::Loss).count();
    let told = match (losing, others.len(), turn.place.is_some()) {
        (_, 0 | 1, _) => return Sentence::of("It keeps the draw."),
        (0, _, true) => return Sentence::of("It keeps the draw, as all cells do."),
        (0, _, false) => return Sentence::of("It keeps the draw, as all pieces do."),
        (_, _, true) => Sentence::of("It keeps the draw; {losing} of {all} cells lose."),
        (_, _, false) => Sentence::of("It keeps the draw; {losing} of {all} pieces lose."),
    };
    told.with("losing", losing).with("all", others.len())
}

/// The lines that a placement takes from both players: three alike, and the fourth is none of them.
fn blocking(position: &Position, board: &Position, cell: Cell) -> Option<Sentence> {
    let blocked: Vec<Sentence> = position
        .rules()
        .lines()
        .iter()
        .filter(|line| {
            let missing = CellSet(line.0 & position.empty().0);
            missing == cell.bit()
                && !shared(position, CellSet(line.0 & position.occupied().0)).is_empty()
                && shared(board, **line).is_empty()
        })
        .map(|&line| named(line))
        .collect();
    (!blocked.is_empty()).then(|| {
        Sentence::of("On {cell} it closes {lines}.")
            .with("cell", cell.to_string())
            .with("lines", Sentence::and(blocked))
    })
}

/// What can be said of the piece that is given: why the others are worse, or that all are bad.
fn giving(board: &Position, piece: Piece) -> Option<Sentence> {
    let (left, safe) = (board.left(), safe(board));
    if safe.is_empty() && !left.is_empty() {
        return Some(
            Sentence::of("Every piece left lets the opponent complete a line: {finishes}.")
                .with("finishes", finishes(board, left)),
        );
    }
    let unsafe_pieces = PieceSet(left.0 & !safe.0);
    if unsafe_pieces.is_empty() || !safe.contains(piece) {
        return None;
    }
    let told = match safe.len() {
        1 => Sentence::of("Piece {piece} is the only one left that completes nothing: {finishes}."),
        several => Sentence::of("Piece {piece} is one of {several} that complete nothing: {finishes}.")
            .with("several", several),
    };
    Some(
        told.with("piece", piece.to_string())
            .with("finishes", finishes(board, unsafe_pieces)),
    )
}

/// Where pieces like those left would complete lines: "a tall one finishes row 2 on d2".
fn finishes(board: &Position, pieces: PieceSet) -> Sentence {
    let mut told: Vec<Sentence> = Vec::new();
    for &line in board.rules().lines() {
        let missing = CellSet(line.0 & board.empty().0);
        if missing.len() != 1 {
            continue;
        }
        let values: Vec<&'static str> = shared(board, CellSet(line.0 & board.occupied().0))
            .into_iter()
            .filter(|word| {
                pieces
                    .into_iter()
                    .any(|piece| piece.describe().split(' ').any(|own| own == *word))
            })
            .collect();
        if !values.is_empty() {
            told.push(
                Sentence::of("a {words} one finishes {line} on {cell}")
                    .with("words", Sentence::or(of_words(values)))
                    .with("line", named(line))
                    .with("cell", missing.to_string()),
            );
        }
    }
    const MOST: usize = 3;
    let more = told.len().saturating_sub(MOST);
    told.truncate(MOST);
    if more > 0 {
        told.push(Sentence::of("and {count} more").with("count", more));
    }
    Sentence::list(told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentence::in_english;
    use game::Game;
    use quarto::Rules;
    use quarto::solver::{self, Solver};

    fn at(text: &str) -> Position {
        Position::new(Rules::standard()).parse(text).unwrap()
    }

    fn turn(text: &str) -> Turn {
        at("..../..../..../.... -").parse_move(text).unwrap()
    }

    #[test]
    fn a_win_at_once_names_the_line_and_what_it_shares() {
        let reason = why(
            &at("012./4.7./a..d/.... 3"),
            turn("d1.-"),
            Some(Worth {
                value: Outcome::Win,
                plies: 1,
            }),
            &[],
        );
        assert_eq!(
            in_english(&reason),
            "Placing the piece on d1 completes row 1 (all round and solid): that wins."
        );
    }

    #[test]
    fn a_lost_choice_says_that_every_piece_left_finishes_something() {
        // Row 1 waits for round or solid, row 2 for square or hollow: no piece is safe.
        let board = at("012./cde./..../.... -");
        assert!(safe(&board).is_empty());
        let loss = Worth {
            value: Outcome::Loss,
            plies: 1,
        };
        let others: Vec<(Half, Worth)> = board
            .left()
            .into_iter()
            .map(|piece| (Half::Give(piece), loss))
            .collect();
        let reason = why(&board, turn("-.3"), Some(loss), &others);
        assert_eq!(
            in_english(&reason),
            "Every piece loses against best play; this one holds out for 1 more placement. Every piece left lets the \
             opponent complete a line: a round or solid one finishes row 1 on d1, a square or hollow one finishes row 2 \
             on d2."
        );
    }

    #[test]
    fn a_forced_win_in_two_is_told_only_where_it_is_true() {
        // Check the claim against the solver on positions along a game.
        let solver = Solver::new(Rules::standard(), 1 << 20, 1).unwrap();
        let mut claims = 0;
        for seed in 0..40 {
            let mut rng = game::rng(seed);
            let mut position = at("..../..../..../.... -");
            while let Some(turn) = position.random_move(&mut rng, &mut Vec::new()) {
                position.play_unchecked(turn);
                if position.playing() && position.placed() >= 7 && leaves_nothing_safe(&position) {
                    claims += 1;
                    let value = solver.exact(&position).unwrap();
                    assert_eq!(
                        (value.outcome, value.plies),
                        (solver::Outcome::Loss, 2),
                        "{}",
                        position.print()
                    );
                }
            }
        }
        assert!(claims > 0);
    }
}
