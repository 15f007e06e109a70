//! A player's name and options as one word: `minimax:depth=3,eval=absolute`.

use crate::OptionHelp;
use crate::nearest::suggestion;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// A name and options, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    /// The kind of player.
    pub name: String,
    /// Keys and values in the order they were written.
    pub options: Vec<(String, String)>,
}

/// The kinds of programs outside, and what they speak: UGI over pipes, the course's protocol over TCP. In a spec a command
/// follows, which may hold anything, so all of it is the command's.
const PROGRAMS: [&str; 2] = ["engine", "course"];

impl Spec {
    /// The spec of a program outside: `engine:COMMAND` or `course:COMMAND`.
    pub fn program(kind: &str, command: &str) -> Self {
        Spec {
            name: kind.into(),
            options: vec![("cmd".into(), command.into())],
        }
    }

    /// The spec of an engine.
    pub fn engine(command: &str) -> Self {
        Spec::program(PROGRAMS[0], command)
    }

    /// The kind and the command line, if this is a program outside.
    pub fn as_program(&self) -> Option<(&str, &str)> {
        match self.options.as_slice() {
            [(key, command)] if key == "cmd" && PROGRAMS.contains(&self.name.as_str()) => Some((&self.name, command)),
            _ => None,
        }
    }
}

/// What is wrong with a spec.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Not of the form `name:key=value,…`.
    #[error("cannot read player {spec:?}: {why}; expected NAME or NAME:KEY=VALUE,…")]
    Form {
        /// The whole spec.
        spec: String,
        /// What is wrong.
        why: String,
    },
    /// No player of that name plays this game.
    #[error("unknown player `{name}`: {hint}")]
    UnknownPlayer {
        /// The name.
        name: String,
        /// The nearest name, or all.
        hint: String,
    },
    /// The player has no such option.
    #[error("player `{player}` has no option `{key}`: {hint}")]
    UnknownOption {
        /// The player.
        player: String,
        /// The key.
        key: String,
        /// The nearest key, or all.
        hint: String,
    },
    /// The option does not take that value.
    #[error("option `{key}={value}` of player `{player}`: expected {expected}")]
    Value {
        /// The player.
        player: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What would do.
        expected: String,
    },
}

impl SpecError {
    pub(crate) fn unknown_player<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        SpecError::UnknownPlayer {
            name: name.into(),
            hint: suggestion(name, known),
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let error = |why: String| SpecError::Form { spec: text.into(), why };
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        if PROGRAMS.contains(&name) {
            if rest.trim().is_empty() {
                return Err(error(format!("expected a command after `{name}:`")));
            }
            return Ok(Spec::program(name, rest));
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(word) {
            return Err(error(format!("`{name}` is not a name")));
        }
        if rest.is_empty() && text.contains(':') {
            return Err(error("nothing follows the colon".into()));
        }
        let mut options: Vec<(String, String)> = Vec::new();
        for option in rest.split(',').filter(|_| !rest.is_empty()) {
            let (key, value) = option
                .split_once('=')
                .ok_or_else(|| error(format!("`{option}` is not KEY=VALUE")))?;
            if key.is_empty() || value.is_empty() {
                return Err(error(format!("`{option}` is not KEY=VALUE")));
            }
            if options.iter().any(|(earlier, _)| earlier == key) {
                return Err(error(format!("option `{key}` is given twice")));
            }
            options.push((key.into(), value.into()));
        }
        Ok(Spec {
            name: name.into(),
            options,
        })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some((kind, command)) = self.as_program() {
            return write!(f, "{kind}:{command}");
        }
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// The options of a spec, to be read by the player they are for. The keys are known to be its own.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    spec: &'a Spec,
}

impl<'a> Options<'a> {
    /// Checks that every option of `spec` is one of `known`.
    pub(crate) fn new(spec: &'a Spec, known: &[&str]) -> Result<Self, SpecError> {
        match spec.options.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            None => Ok(Options { spec }),
            Some((key, _)) => Err(SpecError::UnknownOption {
                player: spec.name.clone(),
                key: key.clone(),
                hint: suggestion(key, known.iter().copied()),
            }),
        }
    }

    /// The value of an option as written.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        let (_, value) = self.spec.options.iter().find(|(k, _)| k == key)?;
        Some(value)
    }

    /// The value of an option, read by `read`; an error says what was expected.
    ///
    /// # Errors
    /// [`SpecError::Value`] if the option is given and is not that.
    pub fn read<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, SpecError> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        read(text).map(Some).ok_or_else(|| self.wrong(key, text, expected))
    }

    fn wrong(&self, key: &str, value: &str, expected: &str) -> SpecError {
        SpecError::Value {
            player: self.spec.name.clone(),
            key: key.into(),
            value: value.into(),
            expected: expected.into(),
        }
    }

    /// A whole number from `least` to `most`.
    ///
    /// # Errors
    /// [`SpecError::Value`] if the option is given and is not that.
    pub fn number(&self, key: &str, least: u64, most: u64) -> Result<Option<u64>, SpecError> {
        self.read(key, &format!("a whole number from {least} to {most}"), |text| {
            text.parse().ok().filter(|number| (least..=most).contains(number))
        })
    }

    /// A time such as `100ms`, `2s` or `1.5s`, from 0 to a day.
    ///
    /// # Errors
    /// [`SpecError::Value`] if the option is given and is not that.
    pub fn time(&self, key: &str) -> Result<Option<Duration>, SpecError> {
        self.read(key, "a time such as 100ms or 1.5s", |text| {
            let (digits, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
            let factor = match unit {
                "us" => 1e-6,
                "ms" => 1e-3,
                "s" => 1.0,
                "m" => 60.0,
                _ => return None,
            };
            let seconds = digits.parse::<f64>().ok()? * factor;
            (0.0..=86_400.0)
                .contains(&seconds)
                .then(|| Duration::from_secs_f64(seconds))
        })
    }

    /// The entry of a table that an option names, or else the one that is its default. Whatever the option's help says, a name
    /// without an entry is an error.
    ///
    /// # Errors
    /// [`SpecError::Value`] if the option's value names none of the entries.
    pub fn entry<T: Copy>(
        &self,
        option: &OptionHelp,
        table: &[T],
        name: impl Fn(&T) -> &'static str,
    ) -> Result<T, SpecError> {
        let named = |text: &str| table.iter().copied().find(|entry| name(entry) == text);
        let wrong = |value: &str| {
            let names: Vec<_> = table.iter().map(&name).collect();
            self.wrong(option.key, value, &format!("one of {}", names.join(", ")))
        };
        let text = self.text(option.key).unwrap_or(option.default);
        named(text).ok_or_else(|| wrong(text))
    }

    /// One of several words.
    ///
    /// # Errors
    /// [`SpecError::Value`] if the option is given and is not that.
    pub fn word(&self, key: &str, words: &[&'static str]) -> Result<Option<&'static str>, SpecError> {
        self.read(key, &format!("one of {}", words.join(", ")), |text| {
            words.iter().copied().find(|word| *word == text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_round_trips() {
        for text in [
            "random",
            "minimax:depth=3,eval=absolute",
            "mcts:time=100ms",
            "engine:python3 my.py --level=3,4 a:b",
            "course:./team7 {port}, say=\"a:b\"",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_malformed_spec_says_what_is_wrong() {
        let cases = [
            ("", "is not a name"),
            ("a b", "is not a name"),
            ("minimax:", "nothing follows the colon"),
            ("minimax:depth", "`depth` is not KEY=VALUE"),
            ("minimax:depth=", "`depth=` is not KEY=VALUE"),
            ("minimax:depth=3,depth=4", "given twice"),
        ];
        for (text, expected) in cases {
            let message = text.parse::<Spec>().unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn an_unknown_option_is_met_with_the_nearest_one() {
        let spec: Spec = "minimax:dpeth=3".parse().unwrap();
        let message = Options::new(&spec, &["depth", "eval"]).unwrap_err().to_string();
        assert_eq!(message, "player `minimax` has no option `dpeth`: did you mean `depth`?");
    }

    #[test]
    fn a_number_out_of_range_is_refused() {
        let spec: Spec = "minimax:depth=99".parse().unwrap();
        let options = Options::new(&spec, &["depth"]).unwrap();
        let message = options.number("depth", 1, 16).unwrap_err().to_string();
        assert_eq!(
            message,
            "option `depth=99` of player `minimax`: expected a whole number from 1 to 16"
        );
        assert_eq!(options.number("eval", 1, 2), Ok(None));
    }

    #[test]
    fn a_time_has_a_number_and_a_unit() {
        let time = |text: &str| {
            let spec: Spec = format!("mcts:time={text}").parse().unwrap();
            Options::new(&spec, &["time"]).unwrap().time("time").map(Option::unwrap)
        };
        assert_eq!(time("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(time("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("0s"), Ok(Duration::ZERO));
        for wrong in ["100", "ms", "-1s", "1h", "1e99s", "infs", "NaNs"] {
            let message = time(wrong).unwrap_err().to_string();
            assert!(message.contains("expected a time such as 100ms or 1.5s"), "{message}");
        }
    }
}
