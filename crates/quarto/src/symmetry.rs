//! The symmetries of a variant, and canonical forms under them.
//!
//! Two groups act on a position: the permutations of the cells that map the set of lines to itself, computed here from
//! the lines (32 for rows, columns and diagonals), and the 384 permutations and flips of the four attributes.
//!
//! A canonical form needs no search over the second group. Seen from the piece in hand, each attribute is one set of
//! cells: those whose piece differs from the piece in hand there. Flipping an attribute changes nothing in these sets
//! and permuting the attributes permutes them, so sorting the four sets is canonical. Without a piece in hand each
//! attribute is the smaller of its set and the complement within the occupied cells. Of the first group, only the
//! permutations that bring the occupied cells to the least image need to be tried, and those are in a table.

use crate::{Cell, CellSet, Piece, Position, Rules};

/// The number of ways to permute and flip the four attributes.
pub const PIECE_SYMMETRIES: usize = 24 * 16;

/// The permutations of the cells that keep a set of lines, and tables to apply them.
pub struct Symmetries {
    permutations: Vec<Permutation>,
    /// For each set of occupied cells, where its permutations begin in `to_least`.
    first: Box<[u32]>,
    /// The permutations that map a set of cells to its least image.
    to_least: Vec<u16>,
}

/// A permutation of the cells, with the images of all sets of eight.
pub struct Permutation {
    image: [Cell; Cell::COUNT],
    low: [u16; 256],
    high: [u16; 256],
}

impl Permutation {
    fn new(image: [Cell; Cell::COUNT]) -> Self {
        let half = |offset: usize| {
            let mut table = [0; 256];
            for (cells, entry) in table.iter_mut().enumerate() {
                let moved = (0..8).filter(|i| cells >> i & 1 != 0).map(|i| image[offset + i]);
                *entry = moved.collect::<CellSet>().0;
            }
            table
        };
        Permutation {
            image,
            low: half(0),
            high: half(8),
        }
    }

    /// Where a cell goes.
    pub fn cell(&self, cell: Cell) -> Cell {
        self.image[cell.index()]
    }

    /// Where each cell comes from.
    fn inverse(&self) -> [Cell; Cell::COUNT] {
        let mut from = self.image;
        for cell in Cell::all() {
            from[self.cell(cell).index()] = cell;
        }
        from
    }

    /// Where a set of cells goes.
    #[inline]
    pub fn cells(&self, cells: CellSet) -> CellSet {
        CellSet(self.low[(cells.0 & 0xff) as usize] | self.high[(cells.0 >> 8) as usize])
    }
}

impl Symmetries {
    /// The permutations of the cells that map `lines` to itself, the identity first.
    pub fn of(lines: &[CellSet]) -> Self {
        let permutations: Vec<Permutation> = automorphisms(lines).into_iter().map(Permutation::new).collect();
        // They are a group, found in lexicographic order.
        let inverse: Vec<u16> = permutations
            .iter()
            .map(|p| p.inverse())
            .map(|image| permutations.partition_point(|p| p.image < image) as u16)
            .collect();
        // The least set of an orbit is met first; what leads from it to another one leads back reversed. Counted by where they
        // begin, they are then put side by side.
        let mut first = vec![0u32; (1 << 16) + 1];
        let mut reached: Vec<(u16, u16)> = Vec::new();
        for cells in 0..=u16::MAX {
            if first[usize::from(cells) + 1] == 0 {
                for (permutation, &back) in permutations.iter().zip(&inverse) {
                    let image = permutation.cells(CellSet(cells)).0;
                    first[usize::from(image) + 1] += 1;
                    reached.push((image, back));
                }
            }
        }
        for cells in 0..1 << 16 {
            first[cells + 1] += first[cells];
        }
        let mut free = first.clone();
        let mut to_least = vec![0; reached.len()];
        for (image, back) in reached {
            let at = &mut free[usize::from(image)];
            to_least[*at as usize] = back;
            *at += 1;
        }
        Symmetries {
            permutations,
            first: first.into_boxed_slice(),
            to_least,
        }
    }

    /// All permutations, the identity first.
    pub fn permutations(&self) -> &[Permutation] {
        &self.permutations
    }

    /// The numbers of the permutations that map `occupied` to its least image.
    #[inline]
    pub(crate) fn reaching_least(&self, occupied: CellSet) -> &[u16] {
        let at = occupied.0 as usize;
        &self.to_least[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// The permutations that map `occupied` to its least image.
    #[inline]
    fn to_least(&self, occupied: CellSet) -> impl Iterator<Item = &Permutation> {
        self.reaching_least(occupied)
            .iter()
            .map(|&index| &self.permutations[index as usize])
    }

    /// The least image of a set of cells.
    pub(crate) fn least(&self, occupied: CellSet) -> CellSet {
        self.to_least(occupied)
            .next()
            .map_or(occupied, |permutation| permutation.cells(occupied))
    }
}

/// Grows permutations cell by cell, in lexicographic order. A pair of cells must go to a pair that shares as many
/// lines; that prunes so well that the full check of all lines at the end rarely fails.
fn automorphisms(lines: &[CellSet]) -> Vec<[Cell; Cell::COUNT]> {
    let shared = |a: usize, b: usize| lines.iter().filter(|line| line.0 >> a & line.0 >> b & 1 != 0).count();
    let mut together = [[0; 16]; 16];
    for (a, row) in together.iter_mut().enumerate() {
        for (b, count) in row.iter_mut().enumerate() {
            *count = shared(a, b);
        }
    }
    let mut found = Vec::new();
    grow(&together, lines, &mut Vec::with_capacity(16), &mut found);
    found
}

fn grow(together: &[[usize; 16]; 16], lines: &[CellSet], image: &mut Vec<usize>, found: &mut Vec<[Cell; Cell::COUNT]>) {
    let cell = image.len();
    if cell == Cell::COUNT {
        let whole: [Cell; Cell::COUNT] = std::array::from_fn(|i| Cell::wrapping(image[i] as u32));
        let keeps = |line: &CellSet| {
            let moved: CellSet = line.into_iter().map(|cell| whole[cell.index()]).collect();
            lines.contains(&moved)
        };
        if lines.iter().all(keeps) {
            found.push(whole);
        }
        return;
    }
    for to in 0..Cell::COUNT {
        let fits = !image.contains(&to)
            && together[cell][cell] == together[to][to]
            && (0..cell).all(|earlier| together[cell][earlier] == together[to][image[earlier]]);
        if fits {
            image.push(to);
            grow(together, lines, image, found);
            image.pop();
        }
    }
}

/// A position up to symmetry: equal for two positions exactly when a symmetry maps one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalKey(u128);

impl CanonicalKey {
    /// The key as a number: the occupied cells lowest, then the four attribute sets, then whether a piece is in hand.
    pub const fn number(self) -> u128 {
        self.0
    }

    /// The key of occupied cells and, for each attribute, the cells that differ, in ascending order.
    pub(crate) fn new(occupied: CellSet, differing: [u16; 4], in_hand: bool) -> Self {
        let sets = differing
            .iter()
            .fold(u128::from(in_hand), |key, &set| key << 16 | u128::from(set));
        CanonicalKey(sets << 16 | u128::from(occupied.0))
    }

    /// The occupied cells.
    pub(crate) const fn occupied(self) -> CellSet {
        CellSet(self.0 as u16)
    }

    /// The position it was made of, up to symmetry.
    pub(crate) fn position(self, rules: &'static Rules) -> Position {
        let sets: [u16; 4] = std::array::from_fn(|i| (self.0 >> (64 - 16 * i)) as u16);
        let hand = (self.0 >> 80 != 0).then(|| Piece::wrapping(0));
        let pieces = self.occupied().into_iter().map(|cell| {
            let number = (0..4).fold(0, |number, i| number | u32::from(sets[i] >> cell.index() & 1) << i);
            (cell, Piece::wrapping(number))
        });
        Position::from_parts(rules, pieces, hand)
    }
}

impl Position {
    /// The position's key up to symmetry.
    pub fn canonical_key(&self) -> CanonicalKey {
        let occupied = self.occupied().0;
        let in_hand = self.hand();
        let differing: [u16; 4] = match in_hand {
            Some(piece) => std::array::from_fn(|i| self.having(i, 1 - piece.value(i)).0),
            None => std::array::from_fn(|i| self.having(i, 1).0),
        };
        let keys = self
            .rules()
            .symmetries()
            .to_least(CellSet(occupied))
            .map(|permutation| {
                let moved_occupied = permutation.cells(CellSet(occupied));
                let mut sets = differing.map(|set| permutation.cells(CellSet(set)).0);
                if in_hand.is_none() {
                    sets = sets.map(|set| set.min(set ^ moved_occupied.0));
                }
                sets.sort_unstable();
                CanonicalKey::new(moved_occupied, sets, in_hand.is_some())
            });
        keys.min().unwrap_or(CanonicalKey(u128::MAX))
    }

    /// The key of a position with a piece in hand, and how to get from it to the representative; `None` without such a piece.
    pub(crate) fn canonical_way(&self) -> Option<(CanonicalKey, ToCanonical<'static>)> {
        let hand = self.hand()?;
        let occupied = self.occupied();
        let ways = self.rules().symmetries().to_least(occupied).map(|permutation| {
            let moved: [u16; 4] =
                std::array::from_fn(|i| permutation.cells(CellSet(self.having(i, 1 - hand.value(i)).0)).0);
            let mut attributes = [0, 1, 2, 3];
            attributes.sort_unstable_by_key(|&i| moved[i]);
            let key = CanonicalKey::new(permutation.cells(occupied), attributes.map(|i| moved[i]), true);
            let way = ToCanonical {
                permutation,
                attributes,
                hand,
            };
            (key, way)
        });
        ways.min_by_key(|(key, _)| *key)
    }

    /// The representative of all positions that symmetry makes of this one.
    pub fn canonical(&self) -> Position {
        self.canonical_key().position(self.rules())
    }
}

/// How a position becomes its representative, and turns with it. Where several symmetries do that, they differ by one that changes nothing
/// in the position, so turns are as good as each other.
#[derive(Clone, Copy)]
pub(crate) struct ToCanonical<'a> {
    permutation: &'a Permutation,
    /// Which attribute comes first there, and so on.
    attributes: [usize; 4],
    hand: Piece,
}

impl ToCanonical<'_> {
    /// Where a cell goes.
    pub(crate) fn cell(&self, cell: Cell) -> Cell {
        self.permutation.cell(cell)
    }

    /// Where a piece goes.
    pub(crate) fn piece(&self, piece: Piece) -> Piece {
        let differs = |i: usize| u32::from(piece.value(i) != self.hand.value(i));
        Piece::wrapping((0..4).fold(0, |number, i| number | differs(self.attributes[i]) << i))
    }
}

/// A permutation and flip of the attributes, one of [`PIECE_SYMMETRIES`].
#[derive(Clone, Copy, Debug)]
pub struct PieceSymmetry {
    to: [u8; 4],
    flip: u8,
}

impl PieceSymmetry {
    /// Symmetry number `index`; 0 is the identity.
    pub fn new(index: usize) -> Self {
        // The number of a permutation in the factorial base picks from the attributes that are left.
        let mut number = index / 16 % 24;
        let mut left = vec![0, 1, 2, 3];
        let to = [6, 2, 1, 1].map(|base| {
            let pick = number / base;
            number %= base;
            left.remove(pick)
        });
        PieceSymmetry {
            to,
            flip: (index % 16) as u8,
        }
    }

    /// Where a piece goes.
    pub fn piece(self, piece: Piece) -> Piece {
        let moved = (0..4).fold(0, |number, i| number | (piece.value(i) as u8) << self.to[i]);
        Piece::wrapping(u32::from(moved ^ self.flip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_groups_have_their_known_orders() {
        let order = |name| Rules::named(name).unwrap().symmetries().permutations().len();
        assert_eq!(order("quarto"), 32);
        assert_eq!(order("quarto-squares"), 8);
        assert_eq!(order("quarto-misere"), 32);
        // The other two are ours to find; both must contain the eight of the square, the torus also its 16 shifts.
        assert_eq!(order("quarto-squares-only") % 8, 0);
        assert_eq!(order("quarto-torus") % 128, 0);
    }

    #[test]
    fn every_set_of_cells_has_all_permutations_to_its_least_image() {
        for rules in Rules::all() {
            let symmetries = rules.symmetries();
            for cells in (0..=u16::MAX).step_by(37).map(CellSet) {
                let images = symmetries.permutations().iter().map(|p| p.cells(cells));
                let least = images.clone().min().unwrap();
                let reaching: Vec<u16> = (0..).zip(images).filter(|(_, i)| *i == least).map(|(n, _)| n).collect();
                let mut found = symmetries.reaching_least(cells).to_vec();
                found.sort_unstable();
                assert_eq!(symmetries.least(cells), least);
                assert_eq!(found, reaching, "{} {cells:?}", rules.name());
            }
        }
    }

    #[test]
    fn the_first_symmetry_is_the_identity() {
        for rules in Rules::all() {
            let identity = &rules.symmetries().permutations()[0];
            assert!(Cell::all().all(|cell| identity.cell(cell) == cell));
        }
        assert!(Piece::all().all(|piece| PieceSymmetry::new(0).piece(piece) == piece));
    }

    #[test]
    fn the_piece_symmetries_are_384_different_permutations() {
        let mut images: Vec<Vec<Piece>> = (0..PIECE_SYMMETRIES)
            .map(|index| {
                Piece::all()
                    .map(|piece| PieceSymmetry::new(index).piece(piece))
                    .collect()
            })
            .collect();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), PIECE_SYMMETRIES);
    }
}
