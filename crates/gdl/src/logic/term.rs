//! Terms as text: printing rows, and reading terms that the sheet could have made.

use super::flat::{Kind, Program, RelId};
use super::shape::Shape;

/// No term that a sheet can make is nested deeper.
const DEEPEST: usize = 200;

impl Program {
    /// A row's argument number `arg` as KIF.
    pub fn print_arg(&self, rel: RelId, arg: usize, row: &[u32]) -> String {
        let shapes = &self.rels[rel].shapes;
        let skipped: usize = shapes[..arg].iter().map(|&shape| self.shapes.leaves(shape)).sum();
        let mut out = String::new();
        self.shapes.print(
            shapes[arg],
            &mut row[skipped..].iter().copied(),
            &self.symbols,
            &mut out,
        );
        out
    }

    /// The table of `kind` and the row that a term as argument number `arg` means, before it the constants `lead`.
    /// `None` if no such row can ever be.
    pub fn row_of(&self, kind: Kind, lead: &[u32], text: &str) -> Option<(RelId, Vec<u32>)> {
        let mut row = lead.to_vec();
        let shape = self.parse_term(&mut words(text).peekable(), &mut row, 0)?;
        let rel = self
            .rels_where(|k| k == kind)
            .find(|&rel| self.rels[rel].shapes.last() == Some(&shape))?;
        (self.rels[rel].arity == row.len()).then_some((rel, row))
    }

    fn parse_term<'a>(
        &self,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
        row: &mut Vec<u32>,
        depth: usize,
    ) -> Option<Shape> {
        let word = words.next()?;
        if word != "(" {
            row.push(self.symbols.find(word)?.0);
            return Some(Shape::CONST);
        }
        if depth > DEEPEST {
            return None;
        }
        let name = self.symbols.find(words.next()?)?;
        let mut args = Vec::new();
        while *words.peek()? != ")" {
            args.push(self.parse_term(words, row, depth + 1)?);
        }
        words.next();
        if args.is_empty() {
            row.push(name.0);
            return Some(Shape::CONST);
        }
        self.shapes.find(name, &args)
    }
}

/// The words of a term; commas separate as blanks do.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let blank = |c: char| c.is_whitespace() || c == ',';
        rest = rest.trim_start_matches(blank);
        let first = rest.chars().next()?;
        let end = match first {
            '(' | ')' => 1,
            _ => rest.find(|c| blank(c) || matches!(c, '(' | ')')).unwrap_or(rest.len()),
        };
        let (word, tail) = rest.split_at(end);
        rest = tail;
        Some(word)
    })
}
