//! Why a turn of Quarto is the one to play: words made of facts about the board, never of guesses.

use super::exact::Half;
use crate::exact::{Outcome, Worth};
use crate::view::quarto::{safe, shared};
use quarto::{Cell, CellSet, Piece, PieceSet, Position, Turn, words};

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
pub(super) fn why(position: &Position, turn: Turn, value: Option<Worth>, others: &[(Half, Worth)]) -> String {
    let board = match turn.place {
        Some(cell) => position.placing(cell),
        None => *position,
    };
    if let (Some(cell), Some(hand)) = (turn.place, position.hand())
        && board.completed()
    {
        return completing(position, &board, cell, hand);
    }
    let mut reasons: Vec<String> = Vec::new();
    match value {
        Some(Worth {
            value: Outcome::Win,
            plies,
        }) => reasons.push(winning(&board, turn, plies)),
        Some(Worth {
            value: Outcome::Loss,
            plies,
        }) => {
            let all = others.len();
            let same = others.iter().filter(|(_, worth)| worth.value == Outcome::Loss).count();
            if all > 0 && same == all {
                let what = if turn.place.is_some() { "cell" } else { "piece" };
                reasons.push(format!(
                    "Every {what} loses against best play; this one holds out for {plies} more placements."
                ));
            } else {
                reasons.push(format!("It loses against best play, after {plies} more placements."));
            }
        }
        Some(Worth {
            value: Outcome::Draw, ..
        }) => reasons.push(keeping_the_draw(turn, others)),
        None => reasons.push("The game is too young to be solved in a moment; this is how it looks.".into()),
    }
    if let (Some(cell), false) = (turn.place, position.rules().misere()) {
        reasons.extend(blocking(position, &board, cell));
    }
    if let (Some(piece), false) = (turn.give, position.rules().misere()) {
        reasons.push(giving(&board, piece));
    }
    reasons.retain(|reason| !reason.is_empty());
    reasons.join(" ")
}

/// A placement that ends the game.
fn completing(position: &Position, board: &Position, cell: Cell, hand: Piece) -> String {
    let lines: Vec<String> = board
        .completed_lines()
        .into_iter()
        .map(|line| format!("{} (all {})", words::line(line), shared(board, line).join(" and ")))
        .collect();
    let lines = lines.join(" and ");
    match position.rules().misere() {
        false => format!(
            "Placing the {} piece on {cell} completes {lines}: that wins.",
            hand.describe()
        ),
        true => format!("Every turn completes a line; on {cell} it is {lines}, and that loses."),
    }
}

fn winning(board: &Position, turn: Turn, plies: u32) -> String {
    if let Some(piece) = turn.give
        && !board.rules().misere()
    {
        let after = board.giving(piece);
        if leaves_nothing_safe(&after) {
            return format!(
                "It wins: wherever the opponent places piece {piece}, every piece left then lets you complete a line."
            );
        }
    }
    format!("It wins by force, after {plies} more placements at the latest.")
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

fn keeping_the_draw(turn: Turn, others: &[(Half, Worth)]) -> String {
    let what = if turn.place.is_some() { "cells" } else { "pieces" };
    let losing = others.iter().filter(|(_, worth)| worth.value == Outcome::Loss).count();
    match (losing, others.len()) {
        (_, 0 | 1) => "It keeps the draw.".into(),
        (0, _) => format!("It keeps the draw, as all {what} do."),
        (losing, all) => format!("It keeps the draw; {losing} of {all} {what} lose."),
    }
}

/// The lines that a placement takes from both players: three alike, and the fourth is none of them.
fn blocking(position: &Position, board: &Position, cell: Cell) -> Option<String> {
    let blocked: Vec<String> = position
        .rules()
        .lines()
        .iter()
        .filter(|line| {
            let missing = CellSet(line.0 & position.empty().0);
            missing == cell.bit()
                && !shared(position, CellSet(line.0 & position.occupied().0)).is_empty()
                && shared(board, **line).is_empty()
        })
        .map(|&line| words::line(line))
        .collect();
    (!blocked.is_empty()).then(|| format!("On {cell} it closes {}.", blocked.join(" and ")))
}

/// What can be said of the piece that is given: why the others are worse, or that all are bad.
fn giving(board: &Position, piece: Piece) -> String {
    let (left, safe) = (board.left(), safe(board));
    if safe.is_empty() && !left.is_empty() {
        return format!(
            "Every piece left lets the opponent complete a line: {}.",
            finishes(board, left)
        );
    }
    let unsafe_pieces = PieceSet(left.0 & !safe.0);
    match (unsafe_pieces.is_empty(), safe.contains(piece)) {
        (true, _) => String::new(),
        (false, true) if safe.len() == 1 => format!(
            "Piece {piece} is the only one left that completes nothing: {}.",
            finishes(board, unsafe_pieces)
        ),
        (false, true) => format!(
            "Piece {piece} is one of {} that complete nothing: {}.",
            safe.len(),
            finishes(board, unsafe_pieces)
        ),
        (false, false) => String::new(),
    }
}

/// Where pieces like those left would complete lines: "a tall one finishes row 2 on d2".
fn finishes(board: &Position, pieces: PieceSet) -> String {
    let mut told: Vec<String> = Vec::new();
    for &line in board.rules().lines() {
        let missing = CellSet(line.0 & board.empty().0);
        if missing.len() != 1 {
            continue;
        }
        let values: Vec<&str> = shared(board, CellSet(line.0 & board.occupied().0))
            .into_iter()
            .filter(|word| {
                pieces
                    .into_iter()
                    .any(|piece| piece.describe().split(' ').any(|own| own == *word))
            })
            .collect();
        if !values.is_empty() {
            told.push(format!(
                "a {} one finishes {} on {missing}",
                values.join(" or "),
                words::line(line)
            ));
        }
    }
    const MOST: usize = 3;
    let more = told.len().saturating_sub(MOST);
    told.truncate(MOST);
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
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
            reason,
            "Placing the dark tall round solid piece on d1 completes row 1 (all round and solid): that wins."
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
            reason,
            "Every piece loses against best play; this one holds out for 1 more placements. Every piece left lets the \
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
