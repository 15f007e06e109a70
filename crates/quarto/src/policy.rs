//! Policies: players that do not look ahead. They are the random and the novice player of report 000, and Monte Carlo
//! players use them for their playouts.
//!
//! A policy decides in two steps, as a person does: where to place, then what to give on the board that results. So a
//! random turn is a random cell and then a random piece, not a uniform choice among the turns, in which a completing
//! placement would count once and any other a dozen times.

use crate::{Cell, CellSet, Piece, PieceSet, Position, Turn};
use game::{Rng, below};

/// A way to choose a cell and a piece without looking ahead.
pub trait TurnPolicy: Send + Sync {
    /// The cells it chooses from, each as likely as the others, for `piece`, which is in hand in an unfinished `position`.
    fn cells(&self, position: &Position, piece: Piece) -> CellSet;

    /// The pieces it chooses from, each as likely as the others, on an unfinished `board` with none in hand.
    fn gifts(&self, board: &Position) -> PieceSet;

    /// The cell for `piece`.
    #[inline]
    fn place(&self, position: &Position, piece: Piece, rng: &mut Rng) -> Cell {
        any_cell(self.cells(position, piece), rng)
    }

    /// The piece to give.
    #[inline]
    fn give(&self, board: &Position, rng: &mut Rng) -> Piece {
        any_piece(self.gifts(board), rng)
    }
}

/// How likely a policy is to make each turn; none if the game is over.
pub fn probabilities(policy: &impl TurnPolicy, position: &Position) -> Vec<(Turn, f64)> {
    let boards: Vec<(Option<Cell>, Position)> = match position.hand() {
        _ if !position.playing() => Vec::new(),
        Some(piece) => {
            let cells = policy.cells(position, piece).into_iter();
            cells.map(|cell| (Some(cell), position.placing(cell))).collect()
        }
        None => vec![(None, *position)],
    };
    let share = 1.0 / boards.len().max(1) as f64;
    let mut turns = Vec::new();
    for (place, board) in boards {
        if !board.playing() {
            turns.push((Turn { place, give: None }, share));
            continue;
        }
        let gifts = policy.gifts(&board);
        let each = share / f64::from(gifts.len());
        let given = gifts.into_iter().map(|piece| Turn {
            place,
            give: Some(piece),
        });
        turns.extend(given.map(|turn| (turn, each)));
    }
    turns
}

/// A whole turn of a policy, or `None` if the game is over.
#[inline]
pub fn turn(policy: &impl TurnPolicy, position: &Position, rng: &mut Rng) -> Option<Turn> {
    turn_in_steps(policy, position, rng, || ())
}

/// A whole turn of a policy; `placed` is called between its two steps.
#[inline]
pub fn turn_in_steps(
    policy: &impl TurnPolicy,
    position: &Position,
    rng: &mut Rng,
    placed: impl FnOnce(),
) -> Option<Turn> {
    if !position.playing() {
        return None;
    }
    let (place, board) = match position.hand() {
        Some(piece) => {
            let cell = policy.place(position, piece, rng);
            (Some(cell), position.placing(cell))
        }
        None => (None, *position),
    };
    placed();
    let give = board.playing().then(|| policy.give(&board, rng));
    Some(Turn { place, give })
}

/// Plays on with a policy until the game is over, and returns the last position.
#[inline]
pub fn playout(policy: &impl TurnPolicy, position: &Position, rng: &mut Rng) -> Position {
    let mut board = *position;
    while board.playing() {
        board = match board.hand() {
            Some(piece) => board.placing(policy.place(&board, piece, rng)),
            None => board.giving(policy.give(&board, rng)),
        };
    }
    board
}

/// Any empty cell, any piece that is left.
pub struct Random;

impl TurnPolicy for Random {
    #[inline]
    fn cells(&self, position: &Position, _: Piece) -> CellSet {
        position.empty()
    }

    #[inline]
    fn gifts(&self, board: &Position) -> PieceSet {
        board.left()
    }
}

/// Takes a win; never gives a winning piece when another is left; otherwise random.
///
/// Report 000 knows no misère. There, in the same spirit, it never completes a line when another cell is left, and
/// gives a piece that must complete one wherever it is placed, if there is such a piece.
pub struct Novice;

impl TurnPolicy for Novice {
    #[inline]
    fn cells(&self, position: &Position, piece: Piece) -> CellSet {
        let completing = position.completing_cells(piece);
        let wanted = if position.rules().misere() {
            CellSet(position.empty().0 & !completing.0)
        } else {
            completing
        };
        if wanted.is_empty() { position.empty() } else { wanted }
    }

    #[inline]
    fn gifts(&self, board: &Position) -> PieceSet {
        let wanted = if board.rules().misere() {
            let must_complete = |piece: &Piece| board.completing_cells(*piece) == board.empty();
            board.left().into_iter().filter(must_complete).collect()
        } else {
            PieceSet(board.left().0 & !board.completing_pieces().0)
        };
        if wanted.is_empty() { board.left() } else { wanted }
    }
}

#[inline]
fn any_cell(cells: CellSet, rng: &mut Rng) -> Cell {
    cells.nth(below(rng, cells.len()))
}

#[inline]
fn any_piece(pieces: PieceSet, rng: &mut Rng) -> Piece {
    pieces.nth(below(rng, pieces.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use game::{Game, rng};

    fn turns(policy: &impl TurnPolicy, rules: &str, position: &str) -> Vec<String> {
        let start = Position::new(Rules::named(rules).unwrap());
        let position = start.parse(position).unwrap();
        let mut rng = rng(5);
        let mut turns: Vec<String> = (0..4000)
            .filter_map(|_| turn(policy, &position, &mut rng))
            .map(|turn| turn.to_string())
            .collect();
        turns.sort();
        turns.dedup();
        turns
    }

    #[test]
    fn the_random_player_makes_every_legal_turn_and_no_other() {
        let text = "012./.4../..../...f 3";
        let position = Position::new(Rules::standard()).parse(text).unwrap();
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let mut legal: Vec<String> = legal.into_iter().map(|turn| turn.to_string()).collect();
        legal.sort();
        assert_eq!(turns(&Random, "quarto", text), legal);
    }

    #[test]
    fn the_probabilities_are_how_often_a_policy_makes_each_turn() {
        fn check(policy: &impl TurnPolicy, text: &str) {
            let position = Position::new(Rules::standard()).parse(text).unwrap();
            let told = probabilities(policy, &position);
            assert!((told.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
            let (mut rng, games) = (rng(7), 40_000);
            let mut made = std::collections::HashMap::new();
            for _ in 0..games {
                let turn = turn(policy, &position, &mut rng).unwrap();
                *made.entry(turn.to_string()).or_insert(0) += 1;
            }
            assert_eq!(made.len(), told.len());
            for (turn, share) in told {
                let seen = f64::from(made[&turn.to_string()]) / f64::from(games);
                assert!((seen - share).abs() < 0.01, "{turn} {seen} {share}");
            }
        }
        for text in [
            "016./...9/..../.... 8",
            "012./.4../a.../...f 3",
            "0123/4765/a98c/b... d",
            "..../..../..../.... -",
        ] {
            let open = Position::new(Rules::standard())
                .parse(text)
                .is_ok_and(|position| position.playing());
            if open {
                check(&Novice, text);
                check(&Random, text);
            }
        }
    }

    #[test]
    fn the_novice_takes_a_win() {
        assert_eq!(turns(&Novice, "quarto", "012./..../..../.... 3"), ["d1.-"]);
    }

    #[test]
    fn the_novice_never_gives_a_winning_piece_when_another_is_left() {
        // Three pieces below 8 in a row: any other piece below 8 wins, those from 8 on do not.
        let given = turns(&Novice, "quarto", "016./..../..../.... -");
        assert_eq!(given, ["-.8", "-.9", "-.a", "-.b", "-.c", "-.d", "-.e", "-.f"]);
    }

    #[test]
    fn the_novice_gives_any_piece_when_all_of_them_win() {
        // The first row waits for a piece below 8, the first column for one from 8 on.
        let given = turns(&Novice, "quarto", ".016/8.../b.../d... -");
        assert_eq!(given.len(), 10);
    }

    #[test]
    fn the_misere_novice_completes_a_line_only_when_it_must() {
        let cells = turns(&Novice, "quarto-misere", "012./..../..../.... 3");
        assert!(cells.iter().all(|turn| !turn.starts_with("d1")), "{cells:?}");
    }
}
