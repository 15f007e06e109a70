//! Terms as text: printing rows, and reading terms that the sheet could have made.

use super::flat::{FlatProgram, RelId, RelationKind};
use super::skeleton::Skeleton;

/// No term that a sheet can make is nested deeper.
const DEEPEST: usize = 200;

impl FlatProgram {
    /// A row's argument number `arg` as KIF.
    pub fn print_arg(&self, rel: RelId, arg: usize, row: &[u32]) -> String {
        let skeletons = &self.rels[rel].skeletons;
        let skipped: usize = skeletons[..arg]
            .iter()
            .map(|&skeleton| self.skeletons.leaves(skeleton))
            .sum();
        let mut out = String::new();
        self.skeletons.print(
            skeletons[arg],
            &mut row[skipped..].iter().copied(),
            &self.symbols,
            &mut out,
        );
        out
    }

    /// The table of `kind` and the row that a term as argument number `arg` means, before it the constants `lead`.
    /// `None` if no such row can ever be.
    pub fn row_of(&self, kind: RelationKind, lead: &[u32], text: &str) -> Option<(RelId, Vec<u32>)> {
        let mut row = lead.to_vec();
        let skeleton = self.parse_term(&mut words(text).peekable(), &mut row, 0)?;
        let rel = self
            .rels_where(|k| k == kind)
            .find(|&rel| self.rels[rel].skeletons.last() == Some(&skeleton))?;
        (self.rels[rel].arity == row.len()).then_some((rel, row))
    }

    fn parse_term<'a>(
        &self,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
        row: &mut Vec<u32>,
        depth: usize,
    ) -> Option<Skeleton> {
        let word = words.next()?;
        if word != "(" {
            row.push(self.symbols.find(word)?.0);
            return Some(Skeleton::CONST);
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
            return Some(Skeleton::CONST);
        }
        self.skeletons.find(name, &args)
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
