//! What a runner may set: the seed, the usual two, and whatever the player has.

use game::Game;
use player::{OptionHelp, PlayerFactory, Roster, Spec};

/// What a setting changes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// What chance is drawn from in every game; nothing for a new seed each game.
    Seed(Option<u64>),
    /// The player: it must be made anew.
    Player,
    Nothing,
}

/// The player and its options, as they are set.
pub(super) struct EngineOptions<G: Game> {
    pub factory: PlayerFactory<G>,
    roster: Roster<G>,
    own: &'static [OptionHelp],
}

/// The most megabytes and threads that are announced.
const MOST_HASH: u64 = 65_536;
const MOST_THREADS: u64 = 256;

/// What other engines call the options of ours, in megabytes and threads.
const HASH: &[&str] = &["table", "memory"];
const THREADS: &[&str] = &["threads", "trees"];

impl<G: Game> EngineOptions<G> {
    pub fn new(roster: Roster<G>, factory: &PlayerFactory<G>) -> Self {
        EngineOptions {
            own: roster.entry(&factory.spec.name).map_or(&[], |entry| entry.options),
            factory: factory.clone(),
            roster,
        }
    }

    /// What is said to a runner that says `ugi`.
    pub fn introduction(&self) -> Vec<String> {
        let mut lines = vec![
            format!("id name terzo {}", self.factory.spec),
            "id author the Terzo project".into(),
            // Below zero there is a new seed every game.
            format!("option name Seed type spin default -1 min -1 max {}", i64::MAX),
            format!("option name Hash type spin default 64 min 1 max {MOST_HASH}"),
            format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"),
        ];
        for option in self.own {
            let value = self.value(option.key).unwrap_or(option.default);
            // What is said in several words is for people.
            let value = if value.contains(' ') { "<empty>" } else { value };
            lines.push(format!("option name {} type string default {value}", option.key));
        }
        lines.push("ugiok".into());
        lines
    }

    fn value(&self, key: &str) -> Option<&str> {
        let options = &self.factory.spec.options;
        options
            .iter()
            .find(|(own, _)| own == key)
            .map(|(_, value)| value.as_str())
    }

    /// The player's own option of one of these names.
    fn called(&self, names: &[&str]) -> Option<&'static str> {
        let of = |name: &&str| self.own.iter().find(|option| option.key.eq_ignore_ascii_case(name));
        names.iter().find_map(of).map(|option| option.key)
    }

    /// Does what `setoption name N value V` says.
    pub fn set(&mut self, line: &str) -> Result<Change, String> {
        let (name, value) = read(line).ok_or("expected `setoption name NAME value VALUE`")?;
        let whole = |least: i64, most: u64| {
            let number = value.parse::<i64>().ok();
            let fits = |number: &i64| *number >= least && u64::try_from(*number).is_ok_and(|number| number <= most);
            number
                .filter(|number| *number == least || fits(number))
                .ok_or_else(|| format!("{name} takes a whole number from {least} to {most}, not `{value}`"))
        };
        match name.to_ascii_lowercase().as_str() {
            "seed" => Ok(Change::Seed(u64::try_from(whole(-1, i64::MAX as u64)?).ok())),
            "hash" => {
                let megabytes = whole(1, MOST_HASH)?;
                match self.called(HASH) {
                    Some("memory") => self.set_own("memory", &format!("{megabytes}M")),
                    Some(key) => self.set_own(key, &megabytes.to_string()),
                    // A player without a table needs no memory for one.
                    None => Ok(Change::Nothing),
                }
            }
            "threads" => {
                let threads = whole(1, MOST_THREADS)?.to_string();
                match self.called(THREADS) {
                    Some(key) => self.set_own(key, &threads),
                    None => Ok(Change::Nothing),
                }
            }
            _ => match self.called(&[&name]) {
                Some(key) => self.set_own(key, &value),
                None => {
                    let own = self.own.iter().map(|option| option.key);
                    let names: Vec<&str> = ["Seed", "Hash", "Threads"].into_iter().chain(own).collect();
                    Err(format!(
                        "there is no option `{name}`: expected one of {}",
                        names.join(", ")
                    ))
                }
            },
        }
    }

    /// Makes another factory with an option of the player's own; `<empty>` is as if it had not been set.
    fn set_own(&mut self, key: &str, value: &str) -> Result<Change, String> {
        let mut spec: Spec = self.factory.spec.clone();
        spec.options.retain(|(own, _)| own != key);
        if value != "<empty>" {
            spec.options.push((key.into(), value.into()));
        }
        self.factory = self
            .roster
            .factory(&spec.to_string())
            .map_err(|error| error.to_string())?;
        Ok(Change::Player)
    }
}

/// The name and the value, either of which may be several words.
fn read(line: &str) -> Option<(String, String)> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let ["setoption", "name", rest @ ..] = words.as_slice() else {
        return None;
    };
    let at = rest.iter().position(|&word| word == "value")?;
    let (name, value) = (rest[..at].join(" "), rest[at + 1..].join(" "));
    (!name.is_empty() && !value.is_empty()).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stack4::Position;

    fn options(spec: &str) -> EngineOptions<Position> {
        EngineOptions::new(stack4::players::roster(), &stack4::players::factory(spec).unwrap())
    }

    #[test]
    fn the_usual_options_become_the_players_own() {
        let mut strong = options("strong");
        for (line, spec) in [
            ("setoption name Hash value 8", "strong:table=8"),
            ("setoption name threads value 2", "strong:table=8,threads=2"),
            ("setoption name DEPTH value 5", "strong:table=8,threads=2,depth=5"),
            ("setoption name Hash value 16", "strong:threads=2,depth=5,table=16"),
            ("setoption name depth value <empty>", "strong:threads=2,table=16"),
        ] {
            assert_eq!(strong.set(line), Ok(Change::Player), "{line}");
            assert_eq!(strong.factory.spec.to_string(), spec);
        }
        let lines = strong.introduction();
        assert!(
            lines.contains(&"option name threads type string default 2".into()),
            "{lines:?}"
        );
        assert!(
            lines.contains(&"option name nodes type string default none".into()),
            "{lines:?}"
        );
        assert_eq!(options("run3").set("setoption name Hash value 1"), Ok(Change::Nothing));
    }

    #[test]
    fn what_cannot_be_set_is_refused_and_changes_nothing() {
        let mut strong = options("strong:depth=3");
        for (line, why) in [
            ("setoption Hash 3", "expected `setoption name NAME value VALUE`"),
            (
                "setoption name Hash value much",
                "Hash takes a whole number from 1 to 65536, not `much`",
            ),
            ("setoption name Seed value -2", "Seed takes a whole number from -1 to"),
            ("setoption name depth value 99", "expected a whole number from 1 to 64"),
            (
                "setoption name colour value red",
                "there is no option `colour`: expected one of Seed, Hash, Threads, time",
            ),
        ] {
            let said = strong.set(line).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
        assert_eq!(strong.factory.spec.to_string(), "strong:depth=3");
        assert_eq!(strong.set("setoption name Seed value -1"), Ok(Change::Seed(None)));
        assert_eq!(strong.set("setoption name Seed value 7"), Ok(Change::Seed(Some(7))));
    }
}
