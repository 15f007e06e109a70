//! Whether a king is attacked, as chess players see it at a glance. Only how moves are written depends on it.

/// A piece on a board of chess; ranks count upwards.
pub struct ChessPiece<'a> {
    /// File and rank.
    pub at: (i32, i32),
    /// `white` or `black`.
    pub colour: &'a str,
    /// `king`, `queen`, `rook`, `bishop`, `knight` or `pawn`.
    pub kind: &'a str,
}

/// Whether somebody attacks the king of a colour.
pub fn in_check(pieces: &[ChessPiece], colour: &str) -> bool {
    let king = pieces
        .iter()
        .find(|piece| piece.colour == colour && piece.kind == "king");
    let rivals = pieces.iter().filter(|piece| piece.colour != colour);
    king.is_some_and(|king| rivals.into_iter().any(|rival| attacks(pieces, rival, king.at)))
}

fn attacks(pieces: &[ChessPiece], piece: &ChessPiece, (file, rank): (i32, i32)) -> bool {
    let (dx, dy) = (file - piece.at.0, rank - piece.at.1);
    let straight = dx == 0 || dy == 0;
    let aslant = dx.abs() == dy.abs();
    match piece.kind {
        "king" => dx.abs().max(dy.abs()) == 1,
        "knight" => dx.abs() * dy.abs() == 2,
        "pawn" => dx.abs() == 1 && dy == if piece.colour == "white" { 1 } else { -1 },
        "rook" => straight && is_free(pieces, piece.at, (dx, dy)),
        "bishop" => aslant && is_free(pieces, piece.at, (dx, dy)),
        "queen" => (straight || aslant) && is_free(pieces, piece.at, (dx, dy)),
        _ => false,
    }
}

/// Whether nothing stands between two squares of a line.
fn is_free(pieces: &[ChessPiece], from: (i32, i32), (dx, dy): (i32, i32)) -> bool {
    let steps = dx.abs().max(dy.abs());
    (1..steps).all(|step| {
        let between = (from.0 + dx.signum() * step, from.1 + dy.signum() * step);
        pieces.iter().all(|piece| piece.at != between)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether black's king on e8 is attacked by what stands there, as `kind file rank`.
    fn attacked(white: &str) -> bool {
        let mut pieces = vec![ChessPiece {
            at: (4, 8),
            colour: "black",
            kind: "king",
        }];
        for text in white.split(", ") {
            let words: Vec<&str> = text.split(' ').collect();
            let number = |at: usize| words[at].parse().unwrap();
            pieces.push(ChessPiece {
                at: (number(1), number(2)),
                colour: "white",
                kind: words[0],
            });
        }
        in_check(&pieces, "black")
    }

    #[test]
    fn each_piece_gives_check_in_its_own_way() {
        for check in [
            "rook 4 1",
            "rook 0 8",
            "bishop 0 4",
            "queen 7 5",
            "queen 4 2",
            "knight 5 6",
            "pawn 3 7",
        ] {
            assert!(attacked(check), "{check}");
        }
        for quiet in [
            "rook 3 1",
            "bishop 4 1",
            "knight 4 6",
            "pawn 4 7",
            "rook 4 1, pawn 4 5",
            "king 4 6",
        ] {
            assert!(!attacked(quiet), "{quiet}");
        }
    }
}
