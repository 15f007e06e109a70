//! The skeletons of terms: a term without its constants.

use crate::sheet::{Sym, Symbols};
use std::collections::HashMap;
use std::fmt::Write;

/// A skeleton. Number 0 is a bare constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Skeleton(u32);

impl Skeleton {
    /// A bare constant.
    pub const CONST: Skeleton = Skeleton(0);
}

/// The table of skeletons.
#[derive(Clone, Debug)]
pub struct Skeletons {
    numbers: HashMap<(Sym, Box<[Skeleton]>), Skeleton>,
    entries: Vec<SkeletonEntry>,
}

#[derive(Clone, Debug)]
struct SkeletonEntry {
    name: Sym,
    args: Box<[Skeleton]>,
    leaves: usize,
    depth: usize,
}

impl Default for Skeletons {
    fn default() -> Self {
        Skeletons {
            numbers: HashMap::new(),
            entries: vec![SkeletonEntry {
                name: Sym(0),
                args: Box::new([]),
                leaves: 1,
                depth: 0,
            }],
        }
    }
}

impl Skeletons {
    /// The skeleton of a function.
    pub fn fun(&mut self, name: Sym, args: Vec<Skeleton>) -> Skeleton {
        let key = (name, args.into_boxed_slice());
        if let Some(&skeleton) = self.numbers.get(&key) {
            return skeleton;
        }
        let skeleton = Skeleton(self.entries.len() as u32);
        self.entries.push(SkeletonEntry {
            name,
            args: key.1.clone(),
            leaves: key.1.iter().map(|&arg| self.leaves(arg)).sum(),
            depth: 1 + key.1.iter().map(|&arg| self.depth(arg)).max().unwrap_or(0),
        });
        self.numbers.insert(key, skeleton);
        skeleton
    }

    /// The skeleton of a function, if it is known.
    pub fn find(&self, name: Sym, args: &[Skeleton]) -> Option<Skeleton> {
        self.numbers.get(&(name, args.into())).copied()
    }

    /// Name and arguments, unless it is a bare constant.
    pub fn open(&self, skeleton: Skeleton) -> Option<(Sym, &[Skeleton])> {
        if skeleton == Skeleton::CONST {
            return None;
        }
        let entry = &self.entries[skeleton.0 as usize];
        Some((entry.name, &entry.args))
    }

    /// How many constants fill it.
    pub fn leaves(&self, skeleton: Skeleton) -> usize {
        self.entries[skeleton.0 as usize].leaves
    }

    /// How deeply it is nested.
    pub fn depth(&self, skeleton: Skeleton) -> usize {
        self.entries[skeleton.0 as usize].depth
    }

    /// The term of this skeleton with these constants, as KIF.
    pub fn print(
        &self,
        skeleton: Skeleton,
        leaves: &mut impl Iterator<Item = u32>,
        symbols: &Symbols,
        out: &mut String,
    ) {
        match self.open(skeleton) {
            None => out.push_str(leaves.next().map_or("?", |leaf| symbols.text(Sym(leaf)))),
            Some((name, args)) => {
                let _ = write!(out, "({}", symbols.text(name));
                for &arg in args {
                    out.push(' ');
                    self.print(arg, leaves, symbols, out);
                }
                out.push(')');
            }
        }
    }
}
