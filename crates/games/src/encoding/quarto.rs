//! Quarto as numbers: 289 actions and 18 planes of 4 by 4.

use super::Encoding;
use ::quarto::{ATTRIBUTES, Cell, Piece, Position, Turn};

/// Where a turn that does not place, or does not give, stands among the sixteen cells and pieces.
const NONE: usize = 16;
const CHOICES: usize = NONE + 1;
const CELLS: usize = 16;

/// The first plane of the piece in hand.
const HAND: usize = 2 * ATTRIBUTES + 1;
/// The plane of the pieces that are left.
const LEFT: usize = HAND + 2 * ATTRIBUTES;
const PLANES: usize = LEFT + 1;

pub const ENCODING: Encoding<Position> = Encoding {
    actions: CHOICES * CHOICES,
    action: |_, turn| {
        let place = turn.place.map_or(NONE, Cell::index);
        let give = turn.give.map_or(NONE, |piece| piece.number().into());
        place * CHOICES + give
    },
    move_of: |_, action| {
        let (place, give) = (action / CHOICES, action % CHOICES);
        let cell = |index: usize| u8::try_from(index).ok().and_then(Cell::new);
        (place <= NONE).then(|| Turn {
            place: cell(place),
            give: Piece::new(give as u8),
        })
    },
    shape: |_| vec![PLANES, 4, 4],
    planes: |_| {
        let values = |what: &'static str| {
            let all = (0..2).rev().flat_map(|value| (0..ATTRIBUTES).map(move |i| (i, value)));
            all.map(move |(i, value)| format!("{what} is {}", Piece::word(i, value)))
        };
        let board = values("the piece on the cell").chain(["the cell is empty".into()]);
        let hand = values("the piece in hand");
        board
            .chain(hand)
            .chain(["piece 4 * row + column is left to give".into()])
            .collect()
    },
    write,
};

fn write(position: &Position, into: &mut [f32]) {
    let mut set = |plane: usize, place: usize| into[plane * CELLS + place] = 1.0;
    for value in 0..2 {
        for attribute in 0..ATTRIBUTES {
            // The planes of value 1 come first.
            let plane = (1 - value) * ATTRIBUTES + attribute;
            for cell in position.having(attribute, value) {
                set(plane, cell.index());
            }
            if position.hand().is_some_and(|piece| piece.value(attribute) == value) {
                (0..CELLS).for_each(|place| set(HAND + plane, place));
            }
        }
    }
    for cell in position.empty() {
        set(2 * ATTRIBUTES, cell.index());
    }
    for piece in position.left() {
        set(LEFT, piece.number().into());
    }
}
