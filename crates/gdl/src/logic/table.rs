//! Tables of rows of constants, with as many indexes as the rules ask for.

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// A set of rows, in the order they came.
#[derive(Clone, Debug)]
pub struct RelationTable {
    arity: usize,
    data: Vec<u32>,
    len: usize,
    /// Number 0 is over all columns and keeps the rows apart; the others are for joins.
    indexes: Vec<Index>,
}

/// Rows chained by the hash of some of their columns.
#[derive(Clone, Debug)]
struct Index {
    cols: Box<[u8]>,
    heads: Vec<u32>,
    next: Vec<u32>,
}

impl Index {
    fn new(cols: Box<[u8]>) -> Self {
        Index {
            cols,
            heads: vec![NONE; 8],
            next: Vec::new(),
        }
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        (hash >> 40) as usize & (self.heads.len() - 1)
    }

    fn hash_row(&self, row: &[u32]) -> u64 {
        self.cols.iter().fold(SEED, |hash, &col| stir(hash, row[col as usize]))
    }

    #[inline]
    fn add(&mut self, row: &[u32]) {
        let bucket = self.bucket(self.hash_row(row));
        let number = self.next.len() as u32;
        self.next.push(self.heads[bucket]);
        self.heads[bucket] = number;
    }

    fn rebuild(&mut self, data: &[u32], arity: usize, len: usize) {
        let size = (len * 2).next_power_of_two().max(8);
        self.heads.clear();
        self.heads.resize(size, NONE);
        self.next.clear();
        for row in 0..len {
            self.add(&data[row * arity..(row + 1) * arity]);
        }
    }
}

const SEED: u64 = 0x51_7c_c1_b7_27_22_0a_95;

/// One more word of a key.
#[inline]
fn stir(hash: u64, word: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The hash of a key.
#[inline]
fn hash_key(key: &[u32]) -> u64 {
    key.iter().fold(SEED, |hash, &word| stir(hash, word))
}

impl RelationTable {
    /// An empty table of rows of `arity` columns.
    pub fn new(arity: usize) -> Self {
        RelationTable {
            arity,
            data: Vec::new(),
            len: 0,
            indexes: vec![Index::new((0..arity as u8).collect())],
        }
    }

    /// The number of the index over `cols`, made if need be.
    pub fn index_on(&mut self, cols: &[u8]) -> usize {
        if let Some(at) = self.indexes.iter().position(|index| *index.cols == *cols) {
            return at;
        }
        let mut index = Index::new(cols.into());
        index.rebuild(&self.data, self.arity, self.len);
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many columns there are.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// Row number `row`.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.data[row * self.arity..(row + 1) * self.arity]
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> + Clone {
        (0..self.len).map(|row| self.row(row))
    }

    /// The number of a row, if it is there.
    #[inline]
    pub fn find(&self, row: &[u32]) -> Option<u32> {
        if self.arity == 0 {
            return (self.len > 0).then_some(0);
        }
        self.chain(0, row).next()
    }

    /// The numbers of the rows whose columns of index `index` are `key`.
    #[inline]
    pub fn chain<'a>(&'a self, index: usize, key: &'a [u32]) -> Chain<'a> {
        let index = &self.indexes[index];
        Chain {
            table: self,
            index,
            key,
            at: index.heads[index.bucket(hash_key(key))],
        }
    }

    /// The first row of a chain, and the row after `row` in it: [`RelationTable::chain`] for callers that change the table meanwhile. Rows
    /// that are added after the first call are not found: a chain goes from the last row to the first, and growing does not change that.
    #[inline]
    pub fn first_of(&self, index: usize, key: &[u32]) -> Option<u32> {
        self.chain(index, key).next()
    }

    #[inline]
    pub fn next_of(&self, index: usize, key: &[u32], row: u32) -> Option<u32> {
        let index = &self.indexes[index];
        let at = index.next[row as usize];
        let table = self;
        Chain { table, index, key, at }.next()
    }

    /// Adds a row; whether it is new.
    pub fn insert(&mut self, row: &[u32]) -> bool {
        debug_assert_eq!(row.len(), self.arity);
        if self.find(row).is_some() {
            return false;
        }
        self.data.extend_from_slice(row);
        self.len += 1;
        if self.arity > 0 {
            let (data, arity, len) = (&self.data, self.arity, self.len);
            for index in &mut self.indexes {
                if len > index.heads.len() {
                    index.rebuild(data, arity, len);
                } else {
                    index.add(row);
                }
            }
        }
        true
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        if self.len == 0 {
            return;
        }
        for index in &mut self.indexes {
            if self.len * 8 < index.heads.len() {
                for row in 0..self.len {
                    let bucket = index.bucket(index.hash_row(&self.data[row * self.arity..(row + 1) * self.arity]));
                    index.heads[bucket] = NONE;
                }
            } else {
                index.heads.fill(NONE);
            }
            index.next.clear();
        }
        self.data.clear();
        self.len = 0;
    }
}

/// An iterator over the rows of one key.
pub struct Chain<'a> {
    table: &'a RelationTable,
    index: &'a Index,
    key: &'a [u32],
    at: u32,
}

impl Iterator for Chain<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.at != NONE {
            let row = self.at;
            self.at = self.index.next[row as usize];
            let data = self.table.row(row as usize);
            if self
                .index
                .cols
                .iter()
                .zip(self.key)
                .all(|(&col, &word)| data[col as usize] == word)
            {
                return Some(row);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_each_row_once_and_finds_it_by_any_index() {
        let mut table = RelationTable::new(2);
        let second = table.index_on(&[1]);
        for i in 0..1000 {
            assert!(table.insert(&[i, i % 7]));
            assert!(!table.insert(&[i, i % 7]));
        }
        assert_eq!(
            table.chain(second, &[3]).count(),
            (0..1000).filter(|i| i % 7 == 3).count()
        );
        assert_eq!(table.find(&[500, 500 % 7]), Some(500));
        assert_eq!(table.find(&[500, 6]), None);
        table.clear();
        assert_eq!(table.chain(second, &[3]).count(), 0);
        assert!(table.insert(&[1, 2]));
    }
}
