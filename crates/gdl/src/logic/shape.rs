//! The skeletons of terms: what is left when every constant is rubbed out.

use crate::sheet::{Sym, Symbols};
use std::collections::HashMap;
use std::fmt::Write;

/// A skeleton. Number 0 is a bare constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape(u32);

impl Shape {
    /// A bare constant.
    pub const CONST: Shape = Shape(0);
}

/// The table of skeletons.
#[derive(Clone, Debug)]
pub struct Shapes {
    numbers: HashMap<(Sym, Box<[Shape]>), Shape>,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: Sym,
    args: Box<[Shape]>,
    leaves: usize,
    depth: usize,
}

impl Default for Shapes {
    fn default() -> Self {
        Shapes {
            numbers: HashMap::new(),
            entries: vec![Entry {
                name: Sym(0),
                args: Box::new([]),
                leaves: 1,
                depth: 0,
            }],
        }
    }
}

impl Shapes {
    /// The skeleton of a function.
    pub fn fun(&mut self, name: Sym, args: Vec<Shape>) -> Shape {
        let key = (name, args.into_boxed_slice());
        if let Some(&shape) = self.numbers.get(&key) {
            return shape;
        }
        let shape = Shape(self.entries.len() as u32);
        self.entries.push(Entry {
            name,
            args: key.1.clone(),
            leaves: key.1.iter().map(|&arg| self.leaves(arg)).sum(),
            depth: 1 + key.1.iter().map(|&arg| self.depth(arg)).max().unwrap_or(0),
        });
        self.numbers.insert(key, shape);
        shape
    }

    /// The skeleton of a function, if it is known.
    pub fn find(&self, name: Sym, args: &[Shape]) -> Option<Shape> {
        self.numbers.get(&(name, args.into())).copied()
    }

    /// Name and arguments, unless it is a bare constant.
    pub fn open(&self, shape: Shape) -> Option<(Sym, &[Shape])> {
        if shape == Shape::CONST {
            return None;
        }
        let entry = &self.entries[shape.0 as usize];
        Some((entry.name, &entry.args))
    }

    /// How many constants fill it.
    pub fn leaves(&self, shape: Shape) -> usize {
        self.entries[shape.0 as usize].leaves
    }

    /// How deeply it is nested.
    pub fn depth(&self, shape: Shape) -> usize {
        self.entries[shape.0 as usize].depth
    }

    /// The term of this skeleton with these constants, as KIF.
    pub fn print(&self, shape: Shape, leaves: &mut impl Iterator<Item = u32>, symbols: &Symbols, out: &mut String) {
        match self.open(shape) {
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
