//! Rule sheets.

use crate::text;
use game::{Game, pick, rng};
use gdl::{BuildLimits, Machine, Position, Sheet};
use std::time::Duration;

pub fn kif(bytes: &[u8]) {
    let (sheet, report) = Sheet::read("fuzz.kif", text(bytes));
    let shown = report.render();
    assert_eq!(sheet.is_some(), report.counts().0 == 0, "{shown}");
}

/// Little enough that a sheet which wants more is told so at once.
const LIMITS: BuildLimits = BuildLimits {
    time: Duration::from_millis(500),
    steps: 50_000,
    stop: game::Stop::never(),
};

pub fn play(bytes: &[u8]) {
    let (Some(sheet), _) = Sheet::read("fuzz.kif", text(bytes)) else {
        return;
    };
    let Ok((machine, _)) = Machine::best(&sheet, LIMITS) else {
        return;
    };
    let Ok(mut position) = Position::new(machine) else {
        return;
    };
    let first = position.clone();
    let (mut rng, mut moves) = (rng(1), Vec::new());
    for _ in 0..6 {
        assert_eq!(first.parse(&position.print()).as_ref(), Ok(&position));
        if position.outcome().is_some() {
            break;
        }
        position.legal_moves(&mut moves);
        let Some(mv) = pick(&mut rng, &moves) else {
            break;
        };
        assert_eq!(position.parse_move(&position.print_move(mv)), Ok(mv));
        if position.play(mv).is_err() {
            break;
        }
    }
}
