//! What, beyond the words of its plan, makes a tournament this one: which programs play, and by which rules.
//!
//! `engine:./mine` says nothing about which version of `mine` that is. A changed program is another player, and its games must
//! not be counted with those of the old one; so the digests of programs and files (or a version that somebody declared) stand
//! in a tournament's key, after the words of the plan.

use crate::store::{Store, StoreError};
use rusqlite::params;

/// What stands in a key between the plan and the identity.
const MARK: &str = "\n# identity\n";

/// How much of a digest people are shown.
const SHOWN: usize = 12;

/// Names of what counts, each with a digest or a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity(Vec<(String, String)>);

impl Identity {
    /// Adds something that counts.
    pub fn add(&mut self, what: &str, value: &str) {
        // A line each, and the first ` = ` parts them.
        let word = |text: &str| text.replace(char::is_control, " ").replace(" = ", " ");
        self.0.push((word(what), word(value)));
    }

    /// Whether nothing counts but the words of the plan.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All that counts, with digests or versions.
    pub fn parts(&self) -> &[(String, String)] {
        &self.0
    }

    /// The identity of these parts.
    pub fn of_parts(parts: Vec<(String, String)>) -> Self {
        let mut identity = Identity::default();
        parts.iter().for_each(|(what, value)| identity.add(what, value));
        identity
    }

    /// The key of a tournament: the plan's own, and this.
    pub fn key(&self, plan: &str) -> String {
        if self.is_empty() {
            return plan.into();
        }
        let lines: Vec<String> = self.0.iter().map(|(what, value)| format!("{what} = {value}")).collect();
        format!("{plan}{MARK}{}", lines.join("\n"))
    }

    /// What [`Identity::key`] wrote behind the plan.
    fn of_key(plan: &str, key: &str) -> Option<Identity> {
        let lines = key.strip_prefix(plan)?.strip_prefix(MARK)?.lines();
        let parts = lines.filter_map(|line| line.split_once(" = "));
        Some(Identity(
            parts.map(|(what, value)| (what.into(), value.into())).collect(),
        ))
    }

    /// What is other than it was, a sentence each.
    pub fn differences(&self, before: &Identity) -> Vec<String> {
        let short = |value: &str| value.chars().take(SHOWN).collect::<String>();
        let value = |of: &Identity, what: &str| {
            of.0.iter()
                .find(|(name, _)| name == what)
                .map(|(_, value)| value.clone())
        };
        let mut found = Vec::new();
        for (what, now) in &self.0 {
            match value(before, what) {
                Some(then) if then == *now => (),
                Some(then) => found.push(format!("{what} was {} and is {}", short(&then), short(now))),
                None => found.push(format!("{what} is new ({})", short(now))),
            }
        }
        let gone = before.0.iter().filter(|(what, _)| value(self, what).is_none());
        found.extend(gone.map(|(what, then)| format!("{what} is not there any more (it was {})", short(then))));
        found
    }
}

/// What the records know of a tournament that is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Nothing of the kind.
    Nothing,
    /// This very one.
    Same(i64),
    /// One of the same plan, from before programs were told apart.
    Unidentified(i64),
    /// One of the same plan with other programs.
    Changed {
        /// Its number.
        id: i64,
        /// What is other than it was.
        differences: Vec<String>,
    },
}

impl Store {
    /// What the records know of a plan played with this identity.
    pub fn recorded(&self, plan: &str, identity: &Identity) -> Result<Recorded, StoreError> {
        let wanted = identity.key(plan);
        let begin = format!("{plan}{MARK}");
        let found: Vec<(i64, String)> = self.read(|connection| {
            let mut query = connection.prepare(
                "select id, key from tournaments where key = ?1 or substr(key, 1, ?2) = ?3 order by id desc",
            )?;
            let rows = query.query_map(params![plan, begin.chars().count() as i64, begin], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            rows.collect()
        })?;
        if let Some((id, _)) = found.iter().find(|(_, key)| *key == wanted) {
            return Ok(Recorded::Same(*id));
        }
        Ok(match found.first() {
            None => Recorded::Nothing,
            Some((id, key)) => match Identity::of_key(plan, key) {
                None => Recorded::Unidentified(*id),
                Some(before) => Recorded::Changed {
                    id: *id,
                    differences: identity.differences(&before),
                },
            },
        })
    }

    /// Takes a recorded tournament for one of another key, which from now on it has.
    pub fn adopt(&mut self, id: i64, key: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction
                .execute("update tournaments set key = ? where id = ?", params![key, id])
                .map(drop)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(parts: &[(&str, &str)]) -> Identity {
        Identity::of_parts(parts.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect())
    }

    fn enter(store: &mut Store, key: &str) -> i64 {
        store.tournament(key, "name", "quarto", "", &[]).unwrap()
    }

    #[test]
    fn a_key_tells_plan_and_identity_apart_again() {
        let odd = identity(&[("mine: a = b.py", "1\n2"), ("mine: x", "")]);
        let key = odd.key("plan é\n");
        assert_eq!(Identity::of_key("plan é\n", &key), Some(odd));
        assert_eq!(Identity::default().key("plan"), "plan");
        assert_eq!(Identity::of_key("plan", "plan"), None);
    }

    #[test]
    fn records_know_a_changed_program_from_an_unchanged_one() {
        let mut store = Store::in_memory().unwrap();
        let old = identity(&[("mine: my.py", "aaaa"), ("mine: old.bin", "cccc")]);
        let new = identity(&[("mine: my.py", "bbbb"), ("mine: python3", "dddd")]);
        assert_eq!(store.recorded("plan", &old).unwrap(), Recorded::Nothing);
        let id = enter(&mut store, &old.key("plan"));
        enter(&mut store, &old.key("plan B"));
        assert_eq!(store.recorded("plan", &old).unwrap(), Recorded::Same(id));
        let Recorded::Changed { id: found, differences } = store.recorded("plan", &new).unwrap() else {
            panic!("it has changed");
        };
        assert_eq!(found, id);
        assert_eq!(
            differences,
            [
                "mine: my.py was aaaa and is bbbb",
                "mine: python3 is new (dddd)",
                "mine: old.bin is not there any more (it was cccc)"
            ]
        );
        // Changed back, the old one goes on.
        enter(&mut store, &new.key("plan"));
        assert_eq!(store.recorded("plan", &old).unwrap(), Recorded::Same(id));
    }

    #[test]
    fn a_tournament_of_an_earlier_version_is_known_and_can_be_adopted() {
        let mut store = Store::in_memory().unwrap();
        let id = enter(&mut store, "plan");
        let now = identity(&[("mine: my.py", "aaaa")]);
        assert_eq!(store.recorded("plan", &now).unwrap(), Recorded::Unidentified(id));
        store.adopt(id, &now.key("plan")).unwrap();
        assert_eq!(store.recorded("plan", &now).unwrap(), Recorded::Same(id));
        assert_eq!(enter(&mut store, &now.key("plan")), id);
        // Where no program plays, nothing is other than it was.
        assert_eq!(
            store.recorded("other", &Identity::default()).unwrap(),
            Recorded::Nothing
        );
        let id = enter(&mut store, "other");
        assert_eq!(
            store.recorded("other", &Identity::default()).unwrap(),
            Recorded::Same(id)
        );
    }
}
