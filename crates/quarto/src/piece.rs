//! Pieces and sets of them.

use crate::cell::{Bits, nth_bit};
use std::fmt;

/// How many attributes a piece has.
pub const ATTRIBUTES: usize = 4;

/// One of the 16 pieces. Bit i of its number is its value of attribute i, so `p ^ 15` is its opposite in everything.
/// The set on the page and in the terminal reads the bits as dark, tall, square, hollow; the rules do not care.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// How many pieces there are.
    pub const COUNT: usize = 16;

    /// Piece number `number`, if there is one.
    pub const fn new(number: u8) -> Option<Self> {
        if number < 16 { Some(Piece(number)) } else { None }
    }

    pub(crate) const fn wrapping(number: u32) -> Self {
        Piece((number & 15) as u8)
    }

    /// The piece's number, 0 to 15.
    pub const fn number(self) -> u8 {
        self.0 & 15
    }

    /// The value, 0 or 1, of attribute `attribute`.
    pub const fn value(self, attribute: usize) -> usize {
        (self.0 >> attribute & 1) as usize
    }

    /// The set that holds just this piece.
    pub const fn bit(self) -> PieceSet {
        PieceSet(1 << (self.0 & 15))
    }

    /// All pieces in order.
    pub fn all() -> impl Iterator<Item = Piece> {
        (0..16).map(Piece)
    }

    /// What a value of an attribute looks like: "dark", "tall", …
    pub const fn word(attribute: usize, value: usize) -> &'static str {
        const WORDS: [[&str; 2]; ATTRIBUTES] = [
            ["light", "dark"],
            ["short", "tall"],
            ["round", "square"],
            ["solid", "hollow"],
        ];
        WORDS[attribute][value]
    }

    /// What the piece looks like: "dark tall square hollow".
    pub fn describe(self) -> String {
        let words: Vec<&str> = (0..ATTRIBUTES).map(|i| Piece::word(i, self.value(i))).collect();
        words.join(" ")
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of pieces: bit p is piece p.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PieceSet(pub u16);

impl PieceSet {
    /// No piece.
    pub const EMPTY: PieceSet = PieceSet(0);
    /// All sixteen.
    pub const ALL: PieceSet = PieceSet(0xffff);
    /// The eight pieces with value `[attribute][value]`.
    pub const WITH: [[PieceSet; 2]; ATTRIBUTES] = [
        [PieceSet(0x5555), PieceSet(0xaaaa)],
        [PieceSet(0x3333), PieceSet(0xcccc)],
        [PieceSet(0x0f0f), PieceSet(0xf0f0)],
        [PieceSet(0x00ff), PieceSet(0xff00)],
    ];

    /// How many pieces are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no piece is.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `piece` is.
    pub const fn contains(self, piece: Piece) -> bool {
        self.0 >> piece.number() & 1 != 0
    }

    /// The pieces that are not in the set.
    pub const fn complement(self) -> Self {
        PieceSet(!self.0)
    }

    /// The `n`-th piece of the set, counted from 0; some piece if there are fewer.
    #[inline]
    pub fn nth(self, n: u32) -> Piece {
        Piece::wrapping(nth_bit(self.0, n))
    }
}

impl FromIterator<Piece> for PieceSet {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        PieceSet(pieces.into_iter().fold(0, |set, piece| set | piece.bit().0))
    }
}

impl IntoIterator for PieceSet {
    type Item = Piece;
    type IntoIter = Bits<Piece>;

    fn into_iter(self) -> Bits<Piece> {
        Bits(self.0, Piece::wrapping)
    }
}

impl fmt::Display for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, piece) in self.into_iter().enumerate() {
            write!(f, "{}{piece}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_with_a_value_are_those_whose_bit_says_so() {
        for attribute in 0..ATTRIBUTES {
            for value in 0..2 {
                for piece in Piece::all() {
                    let listed = PieceSet::WITH[attribute][value].contains(piece);
                    assert_eq!(listed, piece.value(attribute) == value);
                }
            }
        }
    }

    #[test]
    fn a_piece_is_described_by_its_four_attributes() {
        assert_eq!(Piece::wrapping(0).describe(), "light short round solid");
        assert_eq!(Piece::wrapping(0b1011).describe(), "dark tall round hollow");
    }
}
