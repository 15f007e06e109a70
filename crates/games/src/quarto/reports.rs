//! What the student reports would compute for a board.

use quarto::Position;
use quarto::heuristics::{
    Heuristic, Lost, Parity, almost_completed, completing, completing_by_attribute, finishing, none_safe, opposed,
    terzos, unplaced,
};

/// Names and values. A piece in hand counts as unplaced, as it does for the searches.
pub fn facts(board: &Position) -> Vec<(&'static str, Vec<String>)> {
    let one = |text: String| vec![text];
    let yes = |is: bool| one(if is { "yes" } else { "no" }.into());
    let parts: Vec<String> = completing_by_attribute(board).iter().map(u32::to_string).collect();
    let (pieces, remaining) = (completing(board), unplaced(board).len());
    let sum = match parts.is_empty() {
        true => "0".into(),
        false => format!("{}={pieces}", parts.join("+")),
    };
    let h = f64::from(pieces) / f64::from(remaining.max(1));
    vec![
        (
            "almost completed attributes (report 000)",
            one(almost_completed(board).to_string()),
        ),
        ("completing pieces, absolute (000)", one(sum)),
        ("completing pieces, relative, h (000)", one(format!("{h:.2}"))),
        ("terzos (001)", one(terzos(board).to_string())),
        (
            "guaranteed loss of who gives (004)",
            yes(opposed(board) && !board.rules().misere()),
        ),
        ("no safe piece left", yes(none_safe(board) && !board.rules().misere())),
        (
            "pieces that finish each 3-piece line (004)",
            finishing(board).map(|pieces| pieces.to_string()).collect(),
        ),
        (
            "parity, for who gets the next piece (004)",
            one(Parity::default().evaluate(board).to_string()),
        ),
        ("lost, likewise", one(Lost::default().evaluate(board).to_string())),
    ]
}
