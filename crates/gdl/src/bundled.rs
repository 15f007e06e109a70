//! The rule sheets that come with the program.

const SHEETS: &[(&str, &str)] = &[
    ("tictactoe", include_str!("../games/tictactoe.kif")),
    ("connectfour", include_str!("../games/connectfour.kif")),
    ("breakthrough", include_str!("../games/breakthrough.kif")),
    ("checkers", include_str!("../games/checkers.kif")),
    ("reversi", include_str!("../games/reversi.kif")),
    ("chess", include_str!("../games/chess.kif")),
    ("hex", include_str!("../games/hex.kif")),
    ("nim", include_str!("../games/nim.kif")),
    ("quarto", include_str!("../games/quarto.kif")),
    ("trio", include_str!("../games/trio.kif")),
    ("duel", include_str!("../games/duel.kif")),
    ("lights", include_str!("../games/lights.kif")),
    ("amazons", include_str!("../games/amazons.kif")),
    ("gomoku", include_str!("../games/gomoku.kif")),
    ("turntables", include_str!("../games/turntables.kif")),
    ("race", include_str!("../games/race.kif")),
    ("auction", include_str!("../games/auction.kif")),
    ("towers", include_str!("../games/towers.kif")),
    ("tour", include_str!("../games/tour.kif")),
];

/// The names of the bundled sheets.
pub fn names() -> impl Iterator<Item = &'static str> {
    SHEETS.iter().map(|sheet| sheet.0)
}

/// The text of a bundled sheet.
pub fn text(name: &str) -> Option<&'static str> {
    SHEETS
        .iter()
        .find(|sheet| sheet.0.eq_ignore_ascii_case(name))
        .map(|sheet| sheet.1)
}

/// What the first line of a bundled sheet says of its game, without the full stop.
pub fn summary(name: &str) -> Option<&'static str> {
    let line = text(name)?.lines().next()?;
    Some(line.trim_start_matches([';', ' ']).trim_end_matches('.'))
}
