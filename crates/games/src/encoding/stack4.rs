//! Stack Four as numbers: an action a column, and 15 planes of 6 by 6.

use super::Encoding;
use ::stack4::geometry::{COLUMNS, LAYERS, SIDE};
use ::stack4::{Column, Position, line_value};
use game::Game;

const ROOM: usize = 2 * LAYERS;
const LEAD: usize = ROOM + 1;
const NEXT: usize = LEAD + 1;
const PLANES: usize = NEXT + 1;
const CELLS: usize = SIDE * SIDE;

pub const ENCODING: Encoding<Position> = Encoding {
    actions: COLUMNS,
    action: |_, column| column.index(),
    move_of: |_, action| Column::new(action),
    shape: |_| vec![PLANES, SIDE, SIDE],
    planes: |_| {
        let layers = |whose: &'static str| (0..LAYERS).map(move |layer| format!("{whose} stone on layer {layer}"));
        layers("the mover's")
            .chain(layers("the other's"))
            .chain([
                "the column has room".into(),
                "points that the mover is ahead by, in hundreds".into(),
                "what the next line pays, in hundreds".into(),
            ])
            .collect()
    },
    write,
};

fn write(position: &Position, into: &mut [f32]) {
    let mover = position.mover();
    let place = |plane: usize, column: Column| plane * CELLS + column.row() * SIDE + column.col();
    for (seat, first) in [(mover, 0), (mover.other(), LAYERS)] {
        for cell in position.stones(seat).iter() {
            into[place(first + cell.layer(), cell.column())] = 1.0;
        }
    }
    for column in Column::all().filter(|&column| position.next_cell(column).is_some()) {
        into[place(ROOM, column)] = 1.0;
    }
    let points = position.score();
    let lead = points[mover.index()] as f32 - points[mover.other().index()] as f32;
    into[LEAD * CELLS..NEXT * CELLS].fill(lead / 100.0);
    into[NEXT * CELLS..].fill(line_value(position.lines() + 1) as f32 / 100.0);
}
