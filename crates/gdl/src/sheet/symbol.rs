//! Names, interned: two spellings that differ only in case are one symbol, and the first spelling is the one echoed.

use std::collections::HashMap;

/// An interned name: a constant, a function, a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(pub(crate) u32);

/// A relation: its name and how many arguments it takes.
pub(crate) type Relation = (Sym, usize);

macro_rules! keywords {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// The keywords of the language, in the order of their numbers.
        pub(crate) const KEYWORDS: &[&str] = &[$($text),*];
        /// The symbols of the keywords.
        #[allow(missing_docs)]
        pub(crate) mod key {
            use super::Sym;
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Number { $($name),* }
            $(pub(crate) const $name: Sym = Sym(Number::$name as u32);)*
        }
    };
}

keywords! {
    IF = "<=",
    ROLE = "role",
    INIT = "init",
    TRUE = "true",
    DOES = "does",
    NEXT = "next",
    LEGAL = "legal",
    GOAL = "goal",
    TERMINAL = "terminal",
    BASE = "base",
    INPUT = "input",
    DISTINCT = "distinct",
    NOT = "not",
    OR = "or",
    AND = "and",
    SEES = "sees",
}

/// The table of names of one sheet.
#[derive(Clone, Debug)]
pub struct Symbols {
    numbers: HashMap<Box<str>, Sym>,
    spellings: Vec<Box<str>>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Symbols {
            numbers: HashMap::new(),
            spellings: Vec::new(),
        };
        for keyword in KEYWORDS {
            symbols.intern(keyword);
        }
        symbols
    }
}

impl Symbols {
    /// The symbol of `text`, new or known.
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(sym) = self.find(text) {
            return sym;
        }
        let sym = Sym(self.spellings.len() as u32);
        self.numbers.insert(text.to_lowercase().into(), sym);
        self.spellings.push(text.into());
        sym
    }

    /// The symbol of `text`, if the sheet has it.
    pub fn find(&self, text: &str) -> Option<Sym> {
        self.numbers.get(text.to_lowercase().as_str()).copied()
    }

    /// The spelling that was seen first.
    pub fn text(&self, sym: Sym) -> &str {
        &self.spellings[sym.0 as usize]
    }

    pub(crate) fn is_keyword(sym: Sym) -> bool {
        (sym.0 as usize) < KEYWORDS.len()
    }
}
