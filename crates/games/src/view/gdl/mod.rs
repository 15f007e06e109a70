//! A GDL position as the page shows it: its facts, and what they look like: boards, heaps, shelves, counters.

mod beside;
mod boards;
mod check;
mod marks;
pub mod notation;
mod pegs;

pub use beside::{Counter, HeapMove, Shelf, ShelfPiece, StoneHeap};
pub use boards::{Board, Edge, Place, PlacedMove, Square, Stamp};
pub use pegs::{Peg, PegMove};

use crate::describe::ToSchema;
use ::gdl::Position;
use game::Game;
use serde::Serialize;
use std::collections::BTreeMap;

/// The facts of a position and what they look like.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GdlView {
    /// The sheet's name.
    pub name: String,
    /// The roles, by seat.
    pub roles: Vec<String>,
    /// All that is true.
    pub facts: Vec<String>,
    /// What each role may do.
    pub legal: BTreeMap<String, Vec<String>>,
    /// The roles that have already chosen, where several choose at the same time. What they chose is told to nobody until
    /// all have.
    pub chosen: Vec<String>,
    /// The relations that look like a board.
    pub boards: Vec<Board>,
    /// Heaps of stones.
    pub heaps: Vec<StoneHeap>,
    /// Discs on pegs, from left to right.
    pub pegs: Vec<Peg>,
    /// Things that lie beside the board.
    pub shelves: Vec<Shelf>,
    /// Numbers that change.
    pub counters: Vec<Counter>,
    /// The facts of which one says whose turn it is, for who sets up a position.
    pub turn_facts: Vec<String>,
}

/// What to show of the last of several positions, each of which followed from the one before.
pub fn look(history: &[Position]) -> Option<GdlView> {
    let position = history.last()?;
    let machine = position.machine();
    let roles: Vec<String> = machine.roles().into_iter().map(String::from).collect();
    let facts = machine.facts(position.state());
    let write = |mv| position.print_move(mv);
    let legal = roles
        .iter()
        .zip(&position.view().legal)
        .map(|(role, moves)| (role.clone(), moves.iter().map(|&mv| write(mv)).collect()))
        .collect();
    let chosen = position
        .chosen()
        .iter()
        .map(|&mv| roles[machine.role_of(mv)].clone())
        .collect();
    let boards = boards::look(history, &facts);
    Some(GdlView {
        name: machine.name().into(),
        heaps: beside::heaps(position, &facts),
        pegs: pegs::pegs(position, &facts),
        shelves: beside::shelves(position, &facts),
        counters: beside::counters(position, &facts),
        turn_facts: beside::turn_facts(position, &facts),
        boards,
        roles,
        facts,
        legal,
        chosen,
    })
}

/// A picture of the game: the position after the moves that the sheet names for it, as far as they can be played.
pub fn sample(position: &Position) -> Vec<Position> {
    let mut history = vec![position.start()];
    for text in &position.machine().hints().sample {
        let mut next = history[history.len() - 1].clone();
        match next.parse_move(text).and_then(|mv| next.play(mv)) {
            Ok(()) => history.push(next),
            Err(_) => break,
        }
    }
    history
}

/// A relation's name among those that a hint names.
fn names(hinted: &[String], name: &str) -> bool {
    hinted.iter().any(|own| own.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(name: &str) -> Position {
        Position::of_sheet(name).unwrap()
    }

    fn seen(name: &str) -> GdlView {
        look(&[start(name)]).unwrap()
    }

    fn after(name: &str, moves: &str) -> (Vec<Position>, GdlView) {
        let mut history = vec![start(name)];
        for text in moves.split(' ') {
            let mut next = history[history.len() - 1].clone();
            next.play(next.parse_move(text).unwrap()).unwrap();
            history.push(next);
        }
        let view = look(&history).unwrap();
        (history, view)
    }

    fn names(places: &[Place]) -> Vec<String> {
        places.iter().map(|place| format!("{}{}", place.x, place.y)).collect()
    }

    #[test]
    fn the_cells_of_tic_tac_toe_are_a_board_that_can_be_clicked() {
        let view = seen("tictactoe");
        assert_eq!(view.boards.len(), 1, "{view:?}");
        let board = &view.boards[0];
        assert_eq!((board.xs.len(), board.ys.len(), board.cells.len()), (3, 3, 9));
        assert_eq!((board.blank.as_deref(), board.moves.len()), (Some("empty"), 9));
        assert_eq!(board.moves[0].cells.len(), 1);
    }

    #[test]
    fn a_stone_dropped_into_a_column_names_the_column() {
        let view = seen("connectfour");
        let moves: Vec<Option<&str>> = view.boards[0].moves.iter().map(|mv| mv.x.as_deref()).collect();
        assert_eq!(moves.len(), 7, "{view:?}");
        assert!(moves.iter().all(Option::is_some));
        assert_eq!(view.boards[0].look, "holes");
    }

    #[test]
    fn a_move_of_breakthrough_names_where_it_comes_from_and_where_it_goes() {
        let view = seen("breakthrough");
        let board = &view.boards[0];
        assert!(board.moves.iter().all(|mv| mv.cells.len() == 2), "{view:?}");
        assert_eq!((board.cells.len(), board.xs.len(), board.ys.len()), (32, 8, 8));
        assert!(board.cells.iter().any(|cell| cell.content == "white"));
        assert_eq!(
            (board.look, board.pieces, board.turned.as_slice()),
            ("chequered", Some("pawns"), ["black".to_string()].as_slice())
        );
    }

    #[test]
    fn every_bundled_game_with_cells_shows_one_board() {
        for (name, wide, drawn) in [
            ("checkers", 8, "chequered"),
            ("chess", 8, "chequered"),
            ("reversi", 8, "green"),
            ("quarto", 4, "plain"),
            ("lights", 5, "lamps"),
            ("hex", 7, "hex"),
            ("trio", 6, "plain"),
        ] {
            let view = seen(name);
            let boards: Vec<(usize, &str)> = view.boards.iter().map(|board| (board.xs.len(), board.look)).collect();
            assert_eq!(boards, [(wide, drawn)], "{name}");
        }
    }

    #[test]
    fn a_sheet_without_hints_gets_the_board_that_suits_its_facts() {
        for (name, drawn) in [
            ("connectfour", "holes"),
            ("chess", "chequered"),
            ("reversi", "green"),
            ("hex", "plain"),
            ("tictactoe", "plain"),
        ] {
            let text: Vec<&str> = ::gdl::bundled::text(name).unwrap().lines().collect();
            let bare: Vec<&str> = text.into_iter().filter(|line| !line.contains("terzo:")).collect();
            let sheet = ::gdl::Sheet::parse(name, &bare.join("\n")).unwrap();
            let machine = ::gdl::Machine::best(&sheet, ::gdl::BuildLimits::default()).unwrap().0;
            let view = look(&[Position::new(machine).unwrap()]).unwrap();
            assert_eq!(view.boards[0].look, drawn, "{name}");
        }
    }

    #[test]
    fn heaps_are_heaps_and_say_which_moves_leave_how_many() {
        let view = seen("nim");
        assert!(view.boards.is_empty());
        let heaps: Vec<(&str, usize)> = view
            .heaps
            .iter()
            .map(|heap| (heap.name.as_str(), heap.stones))
            .collect();
        assert_eq!(heaps, [("a", 3), ("b", 4), ("c", 5), ("d", 6)]);
        let left: Vec<usize> = view.heaps[0].moves.iter().map(|mv| mv.left).collect();
        assert_eq!(left.len(), 3);
        assert!(
            view.heaps[0]
                .moves
                .iter()
                .any(|mv| mv.turn == "(leave,a,0)" && mv.left == 0)
        );
    }

    #[test]
    fn discs_stand_on_pegs_and_moves_carry_the_top_one() {
        let (_, view) = after("towers", "(carry,left,middle) (carry,left,right)");
        let pegs: Vec<(&str, &[u32])> = view
            .pegs
            .iter()
            .map(|peg| (peg.name.as_str(), peg.discs.as_slice()))
            .collect();
        assert_eq!(pegs, [("left", &[4, 3][..]), ("middle", &[1]), ("right", &[2])]);
        let moves: Vec<(&str, &str)> = view
            .pegs
            .iter()
            .flat_map(|peg| peg.moves.iter().map(|mv| (peg.name.as_str(), mv.to.as_str())))
            .collect();
        assert_eq!(moves, [("middle", "left"), ("middle", "right"), ("right", "left")]);
        assert_eq!(view.pegs[2].moves[0].turn, "(carry,right,left)");
        assert!(seen("nim").pegs.is_empty());
    }

    #[test]
    fn heaps_do_not_tell_what_others_have_chosen_at_the_same_time() {
        // Both take from the same heap at once; what a move leaves depends on what the other has chosen.
        let text = "(role a) (role b) (init (pile left 4)) (init (pile right 4)) (init fresh)
            (number 0) (number 1) (number 2) (number 3) (number 4) (less 4 1 3) (less 4 2 2) (less 3 1 2) (less 2 2 0)
            (<= (legal ?role (take 1)) (role ?role)) (<= (legal ?role (take 2)) (role ?role))
            (<= (next (pile left ?n)) (does a (take ?i)) (does b (take ?j)) (less 4 ?i ?m) (less ?m ?j ?n))
            (<= (next (pile right ?n)) (true (pile right ?n)))
            (<= terminal (not (true fresh))) (<= (goal ?role 50) (role ?role))";
        let hinted = format!("; terzo: heaps pile\n{text}");
        for sheet in [text, &hinted] {
            let sheet = ::gdl::Sheet::parse("piles", sheet).unwrap();
            let machine = ::gdl::Machine::best(&sheet, ::gdl::BuildLimits::default()).unwrap().0;
            let start = Position::new(machine).unwrap();
            let chosen = ["(take,1)", "(take,2)"].map(|text| {
                let mut next = start.clone();
                next.play(next.parse_move(text).unwrap()).unwrap();
                look(&[start.clone(), next]).unwrap()
            });
            assert_eq!(chosen[0], chosen[1]);
            assert!(chosen[0].heaps.iter().all(|heap| heap.moves.is_empty()), "{chosen:?}");
        }
    }

    #[test]
    fn numbers_are_counted_and_those_that_nobody_needs_are_hidden() {
        let view = seen("duel");
        let counters: Vec<(&str, Option<&str>, &str)> = view
            .counters
            .iter()
            .map(|one| (one.name.as_str(), one.of.as_deref(), one.value.as_str()))
            .collect();
        assert_eq!(
            counters,
            [
                ("Bullets", Some("left"), "0"),
                ("Bullets", Some("right"), "0"),
                ("Round", None, "1")
            ]
        );
        assert_eq!(seen("chess").counters, []);
    }

    #[test]
    fn what_lies_beside_the_board_is_on_shelves() {
        let view = seen("quarto");
        let shelves: Vec<(&str, usize)> = view
            .shelves
            .iter()
            .map(|shelf| (shelf.name.as_str(), shelf.pieces.len()))
            .collect();
        assert_eq!(shelves, [("hand", 0), ("store", 16)]);
        assert!(view.shelves[1].pieces.iter().all(|piece| piece.turn.is_some()));
    }

    #[test]
    fn the_last_move_is_marked_and_turned_stones_are_not() {
        let (_, view) = after("reversi", "(put,3,4)");
        assert_eq!(names(&view.boards[0].last), ["34"]);
        let (_, view) = after("chess", "(move,e,2,e,4)");
        let mut last = names(&view.boards[0].last);
        last.sort();
        assert_eq!(last, ["e2", "e4"]);
        assert_eq!(names(&seen("chess").boards[0].last), Vec::<String>::new());
    }

    #[test]
    fn the_winning_line_or_chain_is_marked() {
        let (_, view) = after("tictactoe", "(mark,1,1) (mark,2,1) (mark,1,2) (mark,2,2) (mark,1,3)");
        assert_eq!(names(&view.boards[0].won), ["11", "12", "13"]);
        let (_, view) = after(
            "connectfour",
            "(drop,1) (drop,2) (drop,1) (drop,2) (drop,1) (drop,2) (drop,1)",
        );
        assert_eq!(names(&view.boards[0].won), ["11", "12", "13", "14"]);
        let red = (1..=7).map(|x| format!("(fill,{x},4)"));
        let blue = (1..=6).map(|x| format!("(fill,{x},1)"));
        let mut blue = blue.collect::<Vec<_>>().into_iter();
        let moves: Vec<String> = red.flat_map(|mv| [Some(mv), blue.next()]).flatten().collect();
        let (_, view) = after("hex", &moves.join(" "));
        assert_eq!(names(&view.boards[0].won), ["14", "24", "34", "44", "54", "64", "74"]);
    }

    #[test]
    fn a_line_that_no_hint_names_is_found_by_what_the_win_hangs_on() {
        // Row 1 is filled with pieces that all lack attribute 8.
        let (history, view) = after(
            "quarto",
            "(give,p0) (place,1,1) (give,p1) (place,2,1) (give,p2) (place,3,1) (give,p3) (place,4,1)",
        );
        assert!(history[history.len() - 1].outcome().is_some());
        assert_eq!(names(&view.boards[0].won), ["11", "21", "31", "41"]);
    }

    #[test]
    fn every_bundled_sample_is_played_to_its_end() {
        for name in ::gdl::bundled::names() {
            let position = start(name);
            assert_eq!(
                sample(&position).len(),
                position.machine().hints().sample.len() + 1,
                "{name}"
            );
        }
    }
}
