//! The rules against the course's games, a slow twin and positions made by hand.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::conformance::{Effort, check};
use game::{Game, Payoff, Rng, Seat, below, perft, perft_each, rng};
use stack4::{Column, Position, replay};
use std::collections::HashMap;

#[test]
fn the_suite_of_all_games_passes() {
    let universe: Vec<Column> = Column::all().collect();
    check(&Position::new(), &universe, Effort::default());
}

#[test]
fn the_six_games_of_the_course_replay_to_their_points() {
    let mut games = 0;
    for line in include_str!("data/games.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = replay(fields[1]).unwrap();
        assert!(position.is_over());
        assert_eq!(
            position.score().map(|points| points.to_string()),
            [fields[2], fields[3]],
            "N = {}",
            fields[0]
        );
        let black_won = position.score()[0] > position.score()[1];
        assert_eq!(position.outcome().unwrap().of(Seat::FIRST) == Payoff::WIN, black_won);
        games += 1;
    }
    assert_eq!(games, 6);
}

/// The same game with nothing clever: a map of stones by coordinates, and after every move all lines counted afresh.
#[derive(Clone, Default)]
struct Twin {
    stones: HashMap<[i8; 3], usize>,
    lines: [usize; 2],
    points: [usize; 2],
    moves: usize,
}

impl Twin {
    fn exists(row: i8, col: i8) -> bool {
        const MISSING: [(i8, i8); 12] = [
            (0, 0),
            (0, 1),
            (0, 4),
            (0, 5),
            (1, 0),
            (1, 5),
            (4, 0),
            (4, 5),
            (5, 0),
            (5, 1),
            (5, 4),
            (5, 5),
        ];
        (0..6).contains(&row) && (0..6).contains(&col) && !MISSING.contains(&(row, col))
    }

    fn height(&self, row: i8, col: i8) -> i8 {
        (0..6)
            .find(|&layer| !self.stones.contains_key(&[layer, row, col]))
            .unwrap_or(6)
    }

    fn legal(&self) -> Vec<(i8, i8)> {
        let all = (0..6).flat_map(|row| (0..6).map(move |col| (row, col)));
        all.filter(|&(row, col)| self.moves < 64 && Twin::exists(row, col) && self.height(row, col) < 6)
            .collect()
    }

    fn count(&self, seat: usize) -> usize {
        let mut count = 0;
        for &[layer, row, col] in self.stones.keys() {
            for direction in 0..27 {
                let [a, b, c] = [direction / 9 - 1, direction / 3 % 3 - 1, direction % 3 - 1];
                let full = (0..4).all(|i| self.stones.get(&[layer + i * a, row + i * b, col + i * c]) == Some(&seat));
                count += usize::from((a, b, c) > (0, 0, 0) && full);
            }
        }
        count
    }

    fn play(&mut self, row: i8, col: i8) {
        let seat = self.moves % 2;
        self.stones.insert([self.height(row, col), row, col], seat);
        self.moves += 1;
        for _ in self.lines[seat]..self.count(seat) {
            self.lines[seat] += 1;
            self.points[seat] += 100 / (self.lines[0] + self.lines[1]);
        }
    }

    fn agrees_with(&self, position: &Position) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let legal: Vec<_> = moves
            .iter()
            .map(|column| (column.row() as i8, column.col() as i8))
            .collect();
        assert_eq!(legal, self.legal(), "{}", position.print());
        assert_eq!(
            position.score().map(|points| points as usize),
            self.points,
            "{}",
            position.print()
        );
        assert_eq!(
            position.lines() as usize,
            self.lines[0] + self.lines[1],
            "{}",
            position.print()
        );
    }

    fn perft(&self, depth: u32) -> u64 {
        let legal = self.legal();
        if depth == 1 {
            return legal.len() as u64;
        }
        legal
            .into_iter()
            .map(|(row, col)| {
                let mut next = self.clone();
                next.play(row, col);
                next.perft(depth - 1)
            })
            .sum()
    }
}

/// Some columns are drawn more often, so that lines come about.
fn crowded(rng: &mut Rng, legal: &[Column], crowd: u32) -> Column {
    legal[below(rng, (legal.len() as u32).min(crowd)) as usize]
}

#[test]
fn five_hundred_games_agree_with_the_twin_at_every_move() {
    let mut rng = rng(20);
    let mut lines = 0;
    for game in 0..500 {
        let (mut position, mut twin) = (Position::new(), Twin::default());
        let mut legal = Vec::new();
        while !position.is_over() {
            twin.agrees_with(&position);
            position.legal_moves(&mut legal);
            let column = crowded(&mut rng, &legal, 1 + game % 24);
            position.play(column).unwrap();
            twin.play(column.row() as i8, column.col() as i8);
        }
        twin.agrees_with(&position);
        lines += position.lines();
    }
    assert!(lines > 2_000, "the games should hold many lines, not {lines}");
}

#[test]
fn perft_is_a_power_of_24_until_a_column_fills() {
    for depth in 1..=4 {
        assert_eq!(perft(&Position::new(), depth), 24u64.pow(depth));
        assert_eq!(perft_each(&Position::new(), depth), 24u64.pow(depth));
    }
    assert_eq!(Twin::default().perft(3), 24u64.pow(3));
}

#[test]
#[ignore = "half a minute; scripts/test runs it"]
fn perft_to_seven_loses_24_games_to_a_full_column() {
    for depth in 5..=6 {
        assert_eq!(perft(&Position::new(), depth), 24u64.pow(depth));
    }
    assert_eq!(perft(&Position::new(), 7), 24u64.pow(7) - 24);
    assert_eq!(Twin::default().perft(4), 24u64.pow(4));
}

#[test]
fn perft_of_crowded_positions_agrees_with_the_twin() {
    let mut rng = rng(7);
    let mut legal = Vec::new();
    for _ in 0..4 {
        let (mut position, mut twin) = (Position::new(), Twin::default());
        for _ in 0..62 {
            position.legal_moves(&mut legal);
            let column = crowded(&mut rng, &legal, 9);
            position.play(column).unwrap();
            twin.play(column.row() as i8, column.col() as i8);
        }
        for depth in 1..=3 {
            assert_eq!(
                perft(&position, depth),
                twin.perft(depth),
                "depth {depth} of {}",
                position.print()
            );
        }
    }
}

fn points_after(moves: &str) -> ([u32; 2], u32) {
    let position = replay(moves).unwrap_or_else(|error| panic!("{moves}: {error}"));
    (position.score(), position.lines())
}

#[test]
fn the_first_line_pays_100_and_the_second_50_whoever_makes_it() {
    assert_eq!(points_after("11 41 12 42 13 43 14"), ([100, 0], 1));
    assert_eq!(points_after("11 41 12 42 13 43 14 44"), ([100, 50], 2));
    assert_eq!(points_after("11 41 12 42 13 43 02 44 14"), ([50, 100], 2));
}

#[test]
fn five_in_a_row_is_two_lines_and_six_are_three() {
    assert_eq!(points_after("20 41 21 11 22 44 23"), ([100, 0], 1));
    assert_eq!(points_after("20 41 21 11 22 44 23 52 24"), ([150, 0], 2));
    assert_eq!(points_after("20 41 21 11 22 44 23 52 24 02 25"), ([183, 0], 3));
}

#[test]
fn filling_the_gap_of_a_row_completes_two_lines_at_once() {
    // 20 21 22 . 24 is one short on both sides: 23 makes 20-23 and 21-24.
    assert_eq!(points_after("20 41 21 11 22 44 24 52"), ([0, 0], 0));
    assert_eq!(points_after("20 41 21 11 22 44 24 52 23"), ([150, 0], 2));
    // With 25 as well, three.
    assert_eq!(points_after("20 41 21 11 22 44 24 52 25 14 23"), ([183, 0], 3));
}

#[test]
fn one_stone_may_complete_lines_in_several_directions() {
    // A row (20 21 22 23), a column of the square (03 13 23 33) and a diagonal (23 32 41 14) meet in 23.
    let moves = "20 34 21 35 22 31 03 30 13 43 33 42 32 44 41 11 14 24 23";
    assert_eq!(points_after(moves), ([100 + 50 + 33, 0], 3));
    // The same stone a layer up completes nothing.
    assert_eq!(points_after(&moves.replace("24 23", "23 23")), ([0, 0], 0));
}

#[test]
fn lines_run_up_along_diagonals_and_space_diagonals() {
    assert_eq!(points_after("22 33 22 33 22 34 22"), ([100, 0], 1));
    // Black on 21:0, 22:1, 23:2 and 24:3, the rest of those stacks mixed.
    let stairs = "21 22 22 23 20 23 23 24 25 24 12 24 24";
    assert_eq!(points_after(stairs), ([100, 0], 1));
    // Black on 11:0, 22:1, 33:2 and 44:3.
    let space = "11 22 22 33 03 33 33 44 25 44 31 44 44";
    assert_eq!(points_after(space), ([100, 0], 1));
}

#[test]
fn the_board_is_never_full_and_the_64th_stone_ends_the_game() {
    let mut position = Position::new();
    let mut rng = rng(3);
    for _ in 0..64 {
        assert_eq!(position.outcome(), None);
        position.drop_random(&mut rng);
    }
    assert!(position.outcome().is_some());
    assert_eq!(position.legal_count(), 0);
    assert!(
        position
            .play("22".parse().unwrap())
            .unwrap_err()
            .to_string()
            .contains("over")
    );
}
