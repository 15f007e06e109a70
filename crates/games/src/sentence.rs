//! Sentences for people that can be said in other languages, too: an English text with holes, and what fills the holes. The text is
//! also the sentence's name in the page's tables of texts, so it is always written out where a sentence is made: a test of the page
//! looks for it there.

use crate::describe::ToSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// A sentence, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Sentence {
    /// The English text. `{name}` stands for a value; of two forms, with `|` between them, the value `count` chooses one.
    #[schema(value_type = String, example = "It keeps the draw; {losing} of {all} cells lose.")]
    text: Cow<'static, str>,
    /// What stands for the names.
    #[schema(value_type = BTreeMap<String, SentenceValue>, no_recursion)]
    values: BTreeMap<&'static str, SentenceValue>,
}

/// What stands for a name in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SentenceValue {
    /// How many.
    Number(u32),
    /// What is called the same in all languages: a cell, a piece, a player.
    Name(String),
    /// Words of their own.
    #[schema(no_recursion)]
    Words(Sentence),
}

impl Sentence {
    /// A sentence with this text.
    pub fn of(text: impl Into<Cow<'static, str>>) -> Self {
        Sentence {
            text: text.into(),
            values: BTreeMap::new(),
        }
    }

    /// The same with a value for a name.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<SentenceValue>) -> Self {
        self.values.insert(name, value.into());
        self
    }

    /// All of these.
    pub fn and(all: Vec<Sentence>) -> Self {
        Sentence::joined(all, || Sentence::of("{one} and {more}"))
    }

    /// Any of these.
    pub fn or(all: Vec<Sentence>) -> Self {
        Sentence::joined(all, || Sentence::of("{one} or {more}"))
    }

    /// These, one after the other.
    pub fn list(all: Vec<Sentence>) -> Self {
        Sentence::joined(all, || Sentence::of("{one}, {more}"))
    }

    fn joined(all: Vec<Sentence>, by: fn() -> Sentence) -> Self {
        let several = all.into_iter().rev();
        let joined = several.reduce(|more, one| by().with("one", one).with("more", more));
        joined.unwrap_or_else(|| Sentence::of(""))
    }
}

/// Sentences one after the other, in English.
pub fn in_english(sentences: &[Sentence]) -> String {
    let texts: Vec<String> = sentences.iter().map(Sentence::to_string).collect();
    texts.join(" ")
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let one = self.values.get("count") == Some(&SentenceValue::Number(1));
        let mut rest = match self.text.split_once('|') {
            Some((first, second)) => [second, first][usize::from(one)],
            None => &self.text,
        };
        while let Some((before, after)) = rest.split_once('{') {
            f.write_str(before)?;
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            match self.values.get(name) {
                Some(value) => value.fmt(f)?,
                None => write!(f, "{{{name}}}")?,
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

impl fmt::Display for SentenceValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SentenceValue::Number(number) => number.fmt(f),
            SentenceValue::Name(name) => f.write_str(name),
            SentenceValue::Words(words) => words.fmt(f),
        }
    }
}

impl From<u32> for SentenceValue {
    fn from(number: u32) -> Self {
        SentenceValue::Number(number)
    }
}

impl From<usize> for SentenceValue {
    fn from(number: usize) -> Self {
        SentenceValue::Number(u32::try_from(number).unwrap_or(u32::MAX))
    }
}

impl From<String> for SentenceValue {
    fn from(name: String) -> Self {
        SentenceValue::Name(name)
    }
}

impl From<&str> for SentenceValue {
    fn from(name: &str) -> Self {
        SentenceValue::Name(name.into())
    }
}

impl From<Sentence> for SentenceValue {
    fn from(words: Sentence) -> Self {
        SentenceValue::Words(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_english_with_its_values_and_the_form_for_its_count() {
        let cells = |names: &[&str]| {
            names
                .iter()
                .map(|&name| Sentence::of("cell {name}").with("name", name))
                .collect()
        };
        let told = |count: usize| {
            Sentence::of("{count} line on {cells}|{count} lines on {cells}")
                .with("count", count)
                .with("cells", Sentence::and(cells(&["a1", "b2", "c3"])))
        };
        assert_eq!(told(1).to_string(), "1 line on cell a1 and cell b2 and cell c3");
        assert_eq!(told(0).to_string(), "0 lines on cell a1 and cell b2 and cell c3");
        assert_eq!(Sentence::list(cells(&["a1", "b2"])).to_string(), "cell a1, cell b2");
        assert_eq!(Sentence::or(Vec::new()).to_string(), "");
        // What has no value, or no end, stays as it is written.
        assert_eq!(Sentence::of("a {hole} and {half").to_string(), "a {hole} and {half}");
    }
}
