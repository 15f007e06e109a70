//! The heuristics give the reports' own figures, and agree with a count line by line.

use game::{Game, rng};
use quarto::heuristics::*;
use quarto::policy::{Novice, Random, turn};
use quarto::{Cell, CellSet, Piece, Position, Rules};

fn board(text: &str) -> Position {
    on("quarto", text)
}

fn on(rules: &str, text: &str) -> Position {
    let rules = Rules::named(rules).expect("a variant");
    Position::new(rules).parse(text).expect("a position")
}

/// Report 000, figure 1.3. Row 3 (`517`) shares two values (BIG, SOLID), the column (`ef5`) one (BLUE), the diagonal
/// (`485`) one (CIRCULAR).
const FIGURE_1_3: &str = ".e.4/.f8./.517/.... -";

#[test]
fn the_reports_figure_has_four_almost_completed_attributes_on_three_lines() {
    assert_eq!(almost_completed(&board(FIGURE_1_3)), 4);
    assert_eq!(terzos(&board(FIGURE_1_3)), 3);
    assert_eq!(Almost.evaluate(&board(FIGURE_1_3)), 4);
}

#[test]
fn three_almost_completed_attributes_are_counted_where_the_row_shares_one_value_less() {
    // The 1 replaced by the 9: the row keeps only one of its two values.
    assert_eq!(almost_completed(&board(".e.4/.f8./.597/.... -")), 3);
}

#[test]
fn fifteen_completing_pieces_are_four_and_four_and_three_and_four() {
    assert_eq!(completing(&board(FIGURE_1_3)), 4 + 4 + 3 + 4);
    assert_eq!(Absolute.evaluate(&board(FIGURE_1_3)), 15);
}

#[test]
fn almost_completed_attributes_without_a_piece_to_complete_them_are_worth_nothing() {
    // Report 000, figure 1.2: two columns of odd pieces, and only 0, 4, 6 and e are left.
    let spent = board("ac5./.d.b/.2f9/8137 -");
    assert_eq!(almost_completed(&spent), 2);
    assert_eq!(completing(&spent), 0);
}

#[test]
fn the_relative_value_is_27_hundredths_on_the_left_board_and_a_half_on_the_right() {
    let shown = |c, text| {
        let relative = Relative { c };
        f64::from(relative.evaluate(&board(text))) / relative.unit()
    };
    let (left, right) = ("..9./..4./0..8/..d. -", ".9c4/5..f/..7./e..3 -");
    assert!((shown(1, left) - 0.27).abs() < 0.005);
    assert_eq!(shown(1, right), 0.5);
    assert_eq!(shown(100, right), 50.0);
    assert!(Relative::default().evaluate(&board(right)) > Relative::default().evaluate(&board(left)));
}

#[test]
fn a_piece_in_hand_counts_as_unplaced() {
    for piece in ["0", "3", "c"] {
        let given = board(&FIGURE_1_3.replace('-', piece));
        assert_eq!(Absolute.evaluate(&given), 15);
        assert_eq!(unplaced(&given), unplaced(&board(FIGURE_1_3)));
    }
}

#[test]
fn there_are_at_most_ten_terzos_and_ten_is_reached() {
    let full = board(".64d/9a.f/20e./1.7b -");
    assert_eq!(terzos(&full), 10);
    assert_eq!(Terzo.evaluate(&full), 10);
    assert_eq!((Terzo.draw(), Terzo.win()), (11, 12));
    let mut most = 0;
    walk(|position| most = most.max(Terzo.evaluate(position).abs()));
    assert!(most <= 10);
}

#[test]
fn two_lines_with_opposite_values_are_the_givers_guaranteed_loss() {
    // The first row waits for a piece below 8, the first column for one from 8 on.
    let sure = board(".016/8.../b.../d... -");
    assert!(opposed(&sure));
    assert_eq!(Parity::default().evaluate(&sure), 100);
    assert!(
        sure.left()
            .into_iter()
            .all(|piece| !sure.completing_cells(piece).is_empty())
    );
}

#[test]
fn what_is_opposed_is_lost_whatever_is_given() {
    walk(|position| {
        if opposed(position) && !position.rules().misere() {
            assert!(
                unplaced(position)
                    .into_iter()
                    .all(|piece| !position.completing_cells(piece).is_empty())
            );
        }
    });
}

#[test]
fn lost_sees_every_board_without_a_safe_piece_and_parity_only_some() {
    let (mut more, mut all) = (0, 0);
    walk(|position| {
        if position.rules().misere() {
            return;
        }
        let stuck = unplaced(position)
            .into_iter()
            .all(|piece| !position.completing_cells(piece).is_empty());
        let stuck = stuck && !unplaced(position).is_empty();
        assert_eq!(Lost::default().evaluate(position) == 100, stuck, "{position:?}");
        all += u32::from(stuck);
        more += u32::from(stuck && !opposed(position));
    });
    assert!(more > 0 && more < all, "{more} of {all}");
}

#[test]
fn completing_pieces_add_up_attribute_by_attribute() {
    walk(|position| {
        let parts = completing_by_attribute(position);
        assert_eq!(parts.iter().sum::<u32>(), completing(position));
        assert_eq!(parts.len() as u32, almost_completed(position));
    });
}

#[test]
fn an_even_number_of_finishing_pieces_speaks_for_the_receiver_and_weighs_more_than_an_odd_one() {
    // The row 0 1 6 shares only being below 8: 5 of those 8 pieces are left, or 4 once another stands elsewhere.
    let odd = board("016./..../..../.... -");
    let even = board("016./..../..7./.... -");
    assert_eq!(finishing(&odd).collect::<Vec<_>>(), [5]);
    assert_eq!(finishing(&even).collect::<Vec<_>>(), [4]);
    assert!(Parity::default().evaluate(&odd) < 0 && Parity::default().evaluate(&even) > 0);
    assert!(Parity::default().evaluate(&even) > -Parity::default().evaluate(&odd));
}

#[test]
fn without_terzos_every_board_is_worth_nothing() {
    let quiet = board("0..f/..../.3../.... -");
    assert_eq!(Zero.evaluate(&quiet), 0);
    assert_eq!(Almost.evaluate(&quiet), 0);
    assert_eq!(Absolute.evaluate(&quiet), 0);
    assert_eq!(Relative::default().evaluate(&quiet), 0);
    assert_eq!(Terzo.evaluate(&quiet), 0);
    assert_eq!(Parity::default().evaluate(&quiet), 0);
}

#[test]
fn misere_turns_the_sign_and_a_piece_that_must_complete_is_the_receivers_loss() {
    let (text, misere) = (FIGURE_1_3, "quarto-misere");
    assert_eq!(Absolute.evaluate(&on(misere, text)), -15);
    assert_eq!(Terzo.evaluate(&on(misere, text)), -3);
    // One cell is left and the last piece completes a line there.
    let mut found = 0;
    walk(|position| {
        if position.rules().misere() && Parity::default().evaluate(position) == -100 {
            let fatal = |piece| position.completing_cells(piece) == position.empty();
            assert!(unplaced(position).into_iter().any(fatal));
            found += 1;
        }
    });
    assert!(found > 0);
}

#[test]
fn every_value_lies_between_a_loss_and_a_win() {
    fn within(heuristic: &impl Heuristic, position: &Position) {
        let (worth, win) = (heuristic.evaluate(position), heuristic.win());
        assert!(
            worth.abs() <= win && heuristic.draw().abs() < win,
            "{worth} at {position:?}"
        );
    }
    walk(|position| {
        within(&Zero, position);
        within(&Almost, position);
        within(&Absolute, position);
        within(&Relative { c: Relative::LARGEST }, position);
        within(&Terzo, position);
        within(&Parity::default(), position);
    });
}

struct Counts {
    almost: u32,
    completing: u32,
    terzos: u32,
    finishing: Vec<u32>,
}

/// The features counted by hand: line by line, piece by piece, attribute by attribute.
fn by_line(position: &Position) -> Counts {
    let mut counts = Counts {
        almost: 0,
        completing: 0,
        terzos: 0,
        finishing: Vec::new(),
    };
    let on_board: Vec<Piece> = Cell::all().filter_map(|cell| position.piece_at(cell)).collect();
    let unplaced: Vec<Piece> = Piece::all().filter(|piece| !on_board.contains(piece)).collect();
    for line in position.rules().lines() {
        let pieces: Vec<Piece> = line.into_iter().filter_map(|cell| position.piece_at(cell)).collect();
        if pieces.len() != 3 {
            continue;
        }
        let shares = |i: usize| pieces.iter().all(|piece| piece.value(i) == pieces[0].value(i));
        let shared: Vec<usize> = (0..4).filter(|&i| shares(i)).collect();
        let completes = |piece: &Piece, i: usize| piece.value(i) == pieces[0].value(i);
        counts.almost += shared.len() as u32;
        counts.terzos += u32::from(!shared.is_empty());
        for &i in &shared {
            counts.completing += unplaced.iter().filter(|piece| completes(piece, i)).count() as u32;
        }
        if !shared.is_empty() {
            let finishes = |piece: &&Piece| shared.iter().any(|&i| completes(piece, i));
            counts.finishing.push(unplaced.iter().filter(finishes).count() as u32);
        }
    }
    counts
}

#[test]
fn the_tables_agree_with_a_count_line_by_line() {
    walk(|position| {
        let counts = by_line(position);
        assert_eq!(almost_completed(position), counts.almost, "{position:?}");
        assert_eq!(completing(position), counts.completing, "{position:?}");
        assert_eq!(terzos(position), counts.terzos, "{position:?}");
        assert_eq!(
            finishing(position).collect::<Vec<_>>(),
            counts.finishing,
            "{position:?}"
        );
    });
}

/// Visits the unfinished positions of some hundred games of every variant.
fn walk(mut visit: impl FnMut(&Position)) {
    let mut rng = rng(11);
    for rules in Rules::all() {
        for game in 0..200 {
            let mut position = Position::new(rules);
            loop {
                let next = match game % 2 {
                    0 => turn(&Random, &position, &mut rng),
                    _ => turn(&Novice, &position, &mut rng),
                };
                let Some(next) = next else {
                    break;
                };
                visit(&position);
                position.play_unchecked(next);
            }
            assert!(position.empty() != CellSet::ALL);
        }
    }
}
