//! A brute-force twin: sixteen cells in an array, lines checked one by one, the rules read off the box. It shares
//! nothing with the bitboards but the names of the variants.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Rng, Seat, below, rng};
use quarto::{Cell, Piece, Position, Rules, policy};
use std::rc::Rc;

const ROWS_COLUMNS: [[usize; 4]; 8] = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9, 10, 11],
    [12, 13, 14, 15],
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
];

fn lines_of(name: &str) -> Rc<[[usize; 4]]> {
    let name = name.trim_end_matches("-misere");
    let square = |row: usize, column: usize| {
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(down, right)| (row + down) % 4 * 4 + (column + right) % 4)
    };
    let squares = |most: usize| (0..most).flat_map(move |row| (0..most).map(move |column| square(row, column)));
    let diagonals = [[0, 5, 10, 15], [3, 6, 9, 12]];
    let wrapped = (0..4).flat_map(|shift| {
        [
            std::array::from_fn(|i| i * 4 + (i + shift) % 4),
            std::array::from_fn(|i| i * 4 + (shift + 4 - i) % 4),
        ]
    });
    match name {
        "quarto" => ROWS_COLUMNS.into_iter().chain(diagonals).collect(),
        "quarto-squares" => ROWS_COLUMNS.into_iter().chain(diagonals).chain(squares(3)).collect(),
        "quarto-squares-only" => squares(3).collect(),
        "quarto-torus" => ROWS_COLUMNS.into_iter().chain(wrapped).chain(squares(4)).collect(),
        other => panic!("the twin does not know {other}"),
    }
}

#[derive(Clone)]
struct Twin {
    lines: Rc<[[usize; 4]]>,
    misere: bool,
    board: [Option<u8>; 16],
    hand: Option<u8>,
    turns: usize,
}

impl Twin {
    fn new(name: &str) -> Self {
        Twin {
            lines: lines_of(name),
            misere: name.ends_with("-misere"),
            board: [None; 16],
            hand: None,
            turns: 0,
        }
    }

    fn complete(&self) -> bool {
        self.lines.iter().any(|line| {
            let [Some(a), Some(b), Some(c), Some(d)] = line.map(|cell| self.board[cell]) else {
                return false;
            };
            (0..4).any(|bit| [b, c, d].iter().all(|piece| piece >> bit & 1 == a >> bit & 1))
        })
    }

    fn with(&self, cell: usize, piece: u8) -> Twin {
        let mut next = self.clone();
        next.board[cell] = Some(piece);
        next
    }

    fn left(&self) -> Vec<u8> {
        (0..16)
            .filter(|&piece| self.hand != Some(piece) && !self.board.contains(&Some(piece)))
            .collect()
    }

    /// All legal turns as text, in the order of the house: by cell, then by piece.
    fn turns(&self) -> Vec<String> {
        if self.complete() || !self.board.contains(&None) {
            return vec![];
        }
        let Some(hand) = self.hand else {
            return self.left().iter().map(|piece| format!("-.{piece:x}")).collect();
        };
        let mut turns = vec![];
        for cell in (0..16).filter(|&cell| self.board[cell].is_none()) {
            let name = format!("{}{}", ["a", "b", "c", "d"][cell % 4], cell / 4 + 1);
            if self.with(cell, hand).complete() || self.left().is_empty() {
                turns.push(format!("{name}.-"));
            } else {
                turns.extend(self.left().iter().map(|piece| format!("{name}.{piece:x}")));
            }
        }
        turns
    }

    fn play(&mut self, turn: &str) {
        let text = turn.as_bytes();
        if text[0] != b'-' {
            let cell = usize::from(text[1] - b'1') * 4 + usize::from(text[0] - b'a');
            self.board[cell] = self.hand;
        }
        self.hand = u8::from_str_radix(&turn[turn.len() - 1..], 16).ok();
        self.turns += 1;
    }

    /// Who won, if the game is over: `Some(None)` is a draw.
    fn outcome(&self) -> Option<Option<Seat>> {
        let last = Seat::new(((self.turns + 1) % 2) as u8);
        if self.complete() {
            return Some(Some(if self.misere { last.other() } else { last }));
        }
        (!self.board.contains(&None)).then_some(None)
    }
}

fn agree(position: &Position, twin: &Twin) {
    for cell in Cell::all() {
        assert_eq!(position.piece_at(cell).map(Piece::number), twin.board[cell.index()]);
    }
    assert_eq!(position.hand().map(Piece::number), twin.hand);
    assert_eq!(
        position.left().into_iter().map(Piece::number).collect::<Vec<_>>(),
        twin.left()
    );
    assert_eq!(
        position.outcome().map(|payoffs| payoffs.winner()),
        twin.outcome(),
        "{position:?}"
    );
    if twin.outcome().is_some() {
        return;
    }
    assert_eq!(position.mover().index(), twin.turns % 2, "{position:?}");
    for piece in position.left() {
        for cell in position.empty() {
            let completes = twin.with(cell.index(), piece.number()).complete();
            assert_eq!(
                position.completes(cell, piece),
                completes,
                "{position:?} {piece} on {cell}"
            );
        }
    }
}

/// Plays random games on both until `positions` were compared; every tenth with its whole list of turns.
fn compare(rules: &'static Rules, positions: u32, rng: &mut Rng) {
    let mut seen = 0;
    while seen < positions {
        let mut position = Position::new(rules);
        let mut twin = Twin::new(rules.name());
        loop {
            agree(&position, &twin);
            if seen % 10 == 0 {
                let mut turns = Vec::new();
                position.legal_moves(&mut turns);
                let turns: Vec<String> = turns.into_iter().map(|turn| turn.to_string()).collect();
                assert_eq!(turns, twin.turns(), "{position:?}");
            }
            seen += 1;
            let Some(turn) = policy::turn(&policy::Random, &position, rng) else {
                break;
            };
            position.play(turn).unwrap();
            twin.play(&turn.to_string());
            // Games end early at random: begin some of them over, so that late positions do not crowd out early ones.
            if below(rng, 40) == 0 {
                break;
            }
        }
    }
}

#[test]
fn the_bitboards_agree_with_the_twin_on_random_positions() {
    let mut rng = rng(11);
    for rules in Rules::all() {
        compare(rules, 10_000, &mut rng);
    }
}

/// `scripts/test` runs it with `--ignored`.
#[test]
#[ignore = "takes a minute"]
fn the_bitboards_agree_with_the_twin_on_a_million_random_positions() {
    let mut rng = rng(12);
    for rules in Rules::all() {
        compare(rules, 125_000, &mut rng);
    }
}
