//! Whatever is typed, read or sent: an answer or an error, never a panic.

use game::Game;
use proptest::prelude::*;
use stack4::{Column, Position, StateString, replay};

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = Position::new().parse(&text);
        let _ = text.parse::<Column>();
        let _ = StateString::parse(&text);
        let _ = replay(&text);
    }

    #[test]
    fn a_text_like_a_position_is_read_or_refused(text in "[.bw,/]{40,90}:[bw]:[0-9]{1,6}:[0-9]{1,6}") {
        let _ = Position::new().parse(&text);
    }

    #[test]
    fn a_game_reads_back_from_its_position_and_its_state_string(moves in prop::collection::vec(0usize..24, 0..64)) {
        let mut position = Position::new();
        let mut last = None;
        for column in moves.into_iter().filter_map(Column::new) {
            if position.play(column).is_ok() {
                last = Some(column);
            }
        }
        prop_assert_eq!(position.parse(&position.print()), Ok(position));
        let packed = StateString::new(&position, last);
        let read = StateString::parse(&packed.print());
        prop_assert_eq!(&read, &Ok(packed));
        prop_assert_eq!(read.and_then(|packed| packed.position(position.score())), Ok(position));
    }
}
