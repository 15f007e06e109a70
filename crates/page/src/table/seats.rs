//! Who sits at a table, and what follows from that.
//!
//! A browser has a secret key; a table knows only the digest of it, a [`Person`]. A seat belongs to the person who sat
//! down there, and has the name they gave it. What a person may do at a table
//! follows from the [`Seating`] alone.

use crate::api_error::ApiError;
use sha2::{Digest, Sha256};
use std::fmt;

/// Somebody, as far as a table can tell people apart. It is made from a secret and does not give it away, so it may be
/// written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Person(u128);

impl Person {
    /// Who shows no key. All of them are the same person: scripts can play without keys, and nobody else can play for who
    /// has one.
    pub const WITHOUT_KEY: Person = Person(0);

    /// Who shows this key.
    pub fn of_key(key: &str) -> Self {
        let digest = Sha256::digest(key.as_bytes());
        let bytes = digest.iter().take(16);
        Person(bytes.fold(0, |number, &byte| number << 8 | u128::from(byte)))
    }

    /// As it is written.
    pub fn parse(text: &str) -> Option<Self> {
        u128::from_str_radix(text, 16).ok().map(Person)
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sitter {
    /// Nobody yet: whoever sits down first.
    Open,
    /// A person. One person may have several seats: two friends at one screen.
    Person(Person),
    /// A player of the game's roster, by its spec.
    Program(String),
}

/// How a person and a free seat are written where a program's spec could stand.
pub(super) const HUMAN: &str = "human";
pub(super) const OPEN: &str = "open";

impl Sitter {
    /// What it is called: "human", "open", or a program's spec.
    pub fn as_str(&self) -> &str {
        match self {
            Sitter::Open => OPEN,
            Sitter::Person(_) => HUMAN,
            Sitter::Program(spec) => spec,
        }
    }

    /// The person there.
    pub fn person(&self) -> Option<Person> {
        match self {
            Sitter::Person(person) => Some(*person),
            _ => None,
        }
    }

    /// The program there.
    pub fn program(&self) -> Option<&str> {
        match self {
            Sitter::Program(spec) => Some(spec),
            _ => None,
        }
    }
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSeat {
    /// Who sits there.
    pub sitter: Sitter,
    /// What they are called, if that is told: who played a recorded game, say.
    pub name: Option<String>,
}

impl TableSeat {
    /// A seat of somebody without a name.
    pub fn of(sitter: Sitter) -> Self {
        TableSeat { sitter, name: None }
    }
}

/// Who is to sit on a seat, as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The one who asks.
    Me,
    /// Whoever sits down first.
    Open,
    /// A program.
    Program(String),
}

impl Placement {
    /// Reads "human", "open" or a spec, which may not be one of the game's players.
    pub fn read(text: &str) -> Self {
        match text {
            HUMAN => Placement::Me,
            OPEN => Placement::Open,
            spec => Placement::Program(spec.into()),
        }
    }

    pub(super) fn sitter(&self, me: Person) -> Sitter {
        match self {
            Placement::Me => Sitter::Person(me),
            Placement::Open => Sitter::Open,
            Placement::Program(spec) => Sitter::Program(spec.clone()),
        }
    }
}

/// Whose the seats are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The person on each seat.
    pub owners: Vec<Option<Person>>,
    /// Who opened the table; nobody knows of one that an earlier version kept.
    pub host: Option<Person>,
}

impl Seating {
    /// The seats of a person, from 0.
    pub fn seats_of(&self, person: Person) -> impl Iterator<Item = usize> {
        let seats = self.owners.iter().enumerate();
        seats
            .filter(move |(_, owner)| **owner == Some(person))
            .map(|(seat, _)| seat)
    }

    /// Whether a person may take turns back, begin anew and change who sits where: those who play may, and where no
    /// person plays, who opened the table. All others watch.
    pub fn in_charge(&self, person: Person) -> bool {
        match self.owners.iter().any(Option::is_some) {
            true => self.seats_of(person).next().is_some(),
            false => self.host.is_none_or(|host| host == person),
        }
    }

    /// Refuses who only watches.
    pub fn check_in_charge(&self, person: Person) -> Result<(), ApiError> {
        match self.in_charge(person) {
            true => Ok(()),
            false => Err(ApiError::not_seated(
                "you are watching this table; only those who play here may change it",
            )),
        }
    }
}
