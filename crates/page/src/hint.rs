//! A hint, and why: words made of facts about the board, never of guesses.

use crate::client::Client;
use crate::line::Said;
use crate::oracle::Oracle;
use crate::refusal::Refusal;
use crate::truth::{Half, Truth};
use crate::view::quarto::{safe, shared};
use game::Game;
use quarto::solver::{Exact, Outcome};
use quarto::{Cell, CellSet, Piece, PieceSet, Position, Turn, words};
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// A turn to play, and why.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Hint {
    /// The turn.
    pub turn: String,
    /// Quarto: where to place.
    pub place: Option<String>,
    /// Quarto: what to give.
    pub give: Option<String>,
    /// "win", "draw" or "loss", if it is known.
    pub value: Option<&'static str>,
    /// Placements until the end, if it is known.
    pub plies: Option<u32>,
    /// Why, in words.
    pub reason: String,
    /// Whether the value is proved.
    pub exact: bool,
}

impl Hint {
    /// A turn of Quarto, whose value is proved if there is one.
    pub fn of_turn(turn: Turn, value: Option<Exact>, reason: String) -> Self {
        Hint {
            turn: turn.to_string(),
            place: turn.place.map(|cell| cell.to_string()),
            give: turn.give.map(|piece| piece.to_string()),
            value: value.map(|exact| exact.outcome.name()),
            plies: value.map(|exact| exact.plies),
            reason,
            exact: value.is_some(),
        }
    }
}

/// The best turn of a Quarto position, or the best piece in the middle of a turn (`half`: the board after placing). `None`
/// if that cannot be found in time.
pub async fn quarto(
    oracle: &Oracle,
    client: Client,
    position: &Position,
    half: Option<&Position>,
    time: Duration,
) -> Result<Option<Hint>, Refusal> {
    let from = half.unwrap_or(position);
    if !from.playing() {
        return Err(Refusal::game_over("there is nothing left to choose"));
    }
    // The first choice decides the value; if it is a cell, the piece must keep it.
    let Some(values) = Truth::ask(oracle, client, from, time)?.all().await else {
        return Ok(None);
    };
    let Some((choice, value)) = best_half(from, &values) else {
        return Ok(None);
    };
    let mut told = Turn {
        place: None,
        give: None,
    };
    match choice {
        Half::Give(piece) => told.give = Some(piece),
        Half::Place(cell) => {
            told.place = Some(cell);
            let board = from.placing(cell);
            if board.playing() {
                let Some(values) = Truth::ask(oracle, client, &board, time)?.all().await else {
                    return Ok(None);
                };
                if let Some((Half::Give(piece), _)) = best_half(&board, &values) {
                    told.give = Some(piece);
                }
            }
        }
    }
    let reason = why(from, told, Some(value), &values);
    let placed = half.and_then(|half| {
        let new = CellSet(half.occupied().0 & !position.occupied().0);
        new.into_iter().next()
    });
    let turn = Turn {
        place: told.place.or(placed),
        ..told
    };
    Ok(Some(Hint::of_turn(turn, Some(value), reason)))
}

/// What a searching player prefers, of a game that cannot be solved.
pub fn searched(player: &str, said: &Said, position: Option<&stack4::Position>) -> Hint {
    let column = position.and_then(|position| Some((position, position.parse_move(&said.turn).ok()?)));
    let reason = match (column, said.value) {
        (Some((position, column)), _) => why_column(position, column),
        (None, Some(value)) => format!("{player} expects {value:.0} of 100 points from here with this move."),
        (None, None) => format!("{player} prefers it."),
    };
    Hint {
        turn: said.turn.clone(),
        place: None,
        give: None,
        value: None,
        plies: None,
        reason,
        exact: false,
    }
}

/// The best of the values of one kind of choice: of several equal ones, the one that leaves most pieces safe to give, so
/// that who follows the hint can see what comes.
pub fn best_half(position: &Position, values: &[(Half, Exact)]) -> Option<(Half, Exact)> {
    let room = |half: Half| match half {
        Half::Place(cell) => safe(&position.placing(cell)).len(),
        Half::Give(piece) => safe(&position.giving(piece)).len(),
    };
    values
        .iter()
        .copied()
        .max_by_key(|(half, value)| (value.preference(), room(*half)))
}

/// Why a turn, whose value is known, is the one to play. `others` are the values of all choices of the same kind as the
/// first half of the turn.
pub fn why(position: &Position, turn: Turn, value: Option<Exact>, others: &[(Half, Exact)]) -> String {
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
        Some(Exact {
            outcome: Outcome::Win,
            plies,
        }) => reasons.push(winning(&board, turn, plies)),
        Some(Exact {
            outcome: Outcome::Loss,
            plies,
        }) => {
            let all = others.len();
            let same = others
                .iter()
                .filter(|(_, value)| value.outcome == Outcome::Loss)
                .count();
            if all > 0 && same == all {
                let what = if turn.place.is_some() { "cell" } else { "piece" };
                reasons.push(format!(
                    "Every {what} loses against best play; this one holds out for {plies} more placements."
                ));
            } else {
                reasons.push(format!("It loses against best play, after {plies} more placements."));
            }
        }
        Some(Exact {
            outcome: Outcome::Draw, ..
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

fn keeping_the_draw(turn: Turn, others: &[(Half, Exact)]) -> String {
    let what = if turn.place.is_some() { "cells" } else { "pieces" };
    let losing = others
        .iter()
        .filter(|(_, value)| value.outcome == Outcome::Loss)
        .count();
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

/// Why a column of Stack Four: what the stone there completes, and what it takes from the opponent.
pub fn why_column(position: &stack4::Position, column: stack4::Column) -> String {
    let mut after = *position;
    after.drop_stone(column);
    let made = after.lines() - position.lines();
    let gained = after.score()[position.mover().index()] - position.score()[position.mover().index()];
    let mut reasons = Vec::new();
    if made > 0 {
        reasons.push(format!("It completes {} for {gained} points.", count(made, "line")));
    }
    let taken = lines_at(position, column, position.mover().other());
    if taken > 0 {
        let worth = stack4::line_value(after.lines() + 1);
        reasons.push(format!(
            "It takes the cell where the opponent would complete {} (the next pays {worth}).",
            count(taken, "line")
        ));
    }
    let above = lines_at(&after, column, position.mover().other());
    if above > 0 {
        reasons.push(format!(
            "Beware: on top of it the opponent can then complete {}.",
            count(above, "line")
        ));
    }
    if reasons.is_empty() {
        let open = position.mover();
        let builds = lines_in_reach(&after, column, open);
        reasons.push(match builds {
            0 => "Nothing is at stake at once; the search prefers it.".into(),
            n => format!(
                "It builds {} that nobody has closed; the search prefers it.",
                count(n, "line")
            ),
        });
    }
    reasons.join(" ")
}

fn count(number: u32, noun: &str) -> String {
    match number {
        1 => format!("a {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// How many lines a seat would complete with a stone on a column.
fn lines_at(position: &stack4::Position, column: stack4::Column, seat: game::Seat) -> u32 {
    let Some(cell) = position.next_cell(column).filter(|_| !position.is_over()) else {
        return 0;
    };
    let stones = position.stones(seat);
    stack4::count_lines(stones.with(cell)) - stack4::count_lines(stones)
}

/// How many lines through the top stone of a column hold two or more of a seat's stones and none of the other's.
fn lines_in_reach(position: &stack4::Position, column: stack4::Column, seat: game::Seat) -> u32 {
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
    use quarto::Rules;
    use quarto::solver::Solver;

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
            Some(Exact {
                outcome: Outcome::Win,
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
        let loss = Exact {
            outcome: Outcome::Loss,
            plies: 1,
        };
        let others: Vec<(Half, Exact)> = board
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
                    assert_eq!((value.outcome, value.plies), (Outcome::Loss, 2), "{}", position.print());
                }
            }
        }
        assert!(claims > 0);
    }

    #[test]
    fn a_stack_of_three_is_completed_or_closed() {
        let mut position = stack4::Position::new();
        for name in "22 32 22 32 22".split(' ') {
            position.play(position.parse_move(name).unwrap()).unwrap();
        }
        // White to move: Black has three on column 22.
        let column = position.parse_move("22").unwrap();
        assert!(why_column(&position, column).contains("takes the cell where the opponent would complete a line"));
        position.play(position.parse_move("32").unwrap()).unwrap();
        assert_eq!(why_column(&position, column), "It completes a line for 100 points.");
    }
}
