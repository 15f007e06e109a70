//! A tablebase: the exact value of every position with so many pieces placed and one in hand, in a file.
//!
//! The book that comes with the program ends with four pieces placed. A table of five or of six has every position there, up to
//! symmetry; `terzo book build --placed 5` makes it, in [`Part`]s that anybody can solve. The one with five placed of the official lines
//! is part of the program ([`Tablebase::embedded`]). A solver that is given a table
//! ([`Solver::add_table`]) looks up what it would have searched.
//!
//! ```text
//! file     magic, the variant's name, the number of pieces placed, then for each class of occupied cells:
//! class    the cells, how many positions it has, and what they are worth (`values`)
//! ```

mod positions;
mod prefix;
mod values;

pub use positions::{ClassCache, all_positions, classes, positions};

use crate::book::code::{code, decode, key_of};
use crate::book::for_each;
use crate::census::Census;
use crate::solver::{Exact, NoAnswer, Outcome, Solver, ended};
use crate::{CellSet, Position, Rules};
use game::Game;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use values::ClassValues;

/// With fewer pieces placed four bits are not enough for the longest game, and there is a book.
pub const LEAST_PLACED: u32 = 2;
/// With more there are too many positions.
pub const MOST_PLACED: u32 = 7;

/// How many positions of a class are a part.
const PART: usize = 1024;

/// What a file begins with.
const MAGIC: &[u8; 8] = b"terzo t2";

/// No table is as long: those with six pieces placed take five megabytes.
const LONGEST_FILE: u64 = 1 << 30;

/// The variable of the environment that names the folder in which tables are looked for.
pub const FOLDER: &str = "TERZO_TABLES";

/// The tables that are part of the program: a line each. Browsers do without them.
#[cfg(not(target_arch = "wasm32"))]
const EMBEDDED: &[(&str, &[u8])] = &[("quarto", include_bytes!("quarto-5.table"))];
#[cfg(target_arch = "wasm32")]
const EMBEDDED: &[(&str, &[u8])] = &[];

static LOADED: [OnceLock<Option<Arc<Tablebase>>>; EMBEDDED.len()] = [const { OnceLock::new() }; EMBEDDED.len()];

/// Some positions of a class, to be solved together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The occupied cells.
    pub class: CellSet,
    /// Which thousand of them.
    pub number: u32,
}

impl Part {
    /// What its positions are worth, a code each.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped.
    pub fn solve(self, solver: &Solver, cache: &ClassCache) -> Result<Vec<u8>, NoAnswer> {
        let class = cache.positions(solver.rules(), self.class);
        let positions = class.iter().skip(self.number as usize * PART).take(PART);
        positions
            // A value that does not fit would be a game of more than sixteen placements.
            .map(|position| Ok(code(solver.exact(position)?).unwrap_or_default()))
            .collect()
    }
}

/// The classes of a table and how many positions each has.
pub struct TablebaseLayout {
    rules: &'static Rules,
    placed: u32,
    classes: Vec<(CellSet, usize)>,
}

impl TablebaseLayout {
    /// Counts the positions with so many pieces placed.
    pub fn new(rules: &'static Rules, placed: u32, threads: usize) -> Self {
        let counted = Mutex::new(Vec::new());
        let count = |&class: &CellSet| {
            let count = positions(rules, class).len();
            lock(&counted).push((class, count));
            Ok(())
        };
        // Counting is stopped by nobody.
        let _ = for_each(&classes(rules, placed), threads, count);
        let mut classes = counted.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        classes.sort_unstable();
        TablebaseLayout { rules, placed, classes }
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.classes.iter().map(|(_, count)| count).sum()
    }

    /// Its parts, and how many positions each has.
    pub fn parts(&self) -> impl Iterator<Item = (Part, usize)> + '_ {
        self.classes.iter().flat_map(|&(class, count)| {
            (0..count.div_ceil(PART)).map(move |number| {
                let part = Part {
                    class,
                    number: number as u32,
                };
                (part, PART.min(count - number * PART))
            })
        })
    }

    /// Packs what the positions are worth, as [`Part::solve`] says. `None` if a part is missing or has not as many values as
    /// positions.
    pub fn pack(&self, values: impl Fn(Part) -> Option<Vec<u8>> + Sync, threads: usize) -> Option<Tablebase> {
        let packed = Mutex::new(Vec::new());
        let pack = |&(class, count): &(CellSet, usize)| {
            let parts = (0..count.div_ceil(PART) as u32).map(|number| values(Part { class, number }));
            let values = parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat());
            let entries = values.filter(|values| values.len() == count).map(|values| {
                let kept = positions(self.rules, class).into_iter().zip(values);
                let kept = kept.filter(|(position, _)| at_sight(position).is_none());
                kept.map(|(position, code)| (key_of(position.canonical_key()), code))
                    .collect::<Vec<_>>()
            });
            let values = entries.and_then(|entries| ClassValues::new(&entries));
            let values = values.ok_or(NoAnswer::Stopped)?;
            lock(&packed).push(OccupancyClass {
                cells: class,
                count,
                values,
            });
            Ok(())
        };
        for_each(&self.classes, threads, pack).ok()?;
        let mut classes = packed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        classes.sort_unstable_by_key(|class| class.cells);
        Some(Tablebase {
            rules: self.rules,
            placed: self.placed,
            classes,
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

struct OccupancyClass {
    cells: CellSet,
    count: usize,
    values: ClassValues,
}

/// What everybody sees of a position: that a line can be completed, where that wins.
fn at_sight(position: &Position) -> Option<Exact> {
    let cells = position.completing_cells(position.hand()?);
    let wins = !position.rules().misere() && !cells.is_empty();
    wins.then_some(Exact {
        outcome: Outcome::Win,
        plies: 1,
    })
}

/// What every position with so many pieces placed is worth.
pub struct Tablebase {
    rules: &'static Rules,
    placed: u32,
    classes: Vec<OccupancyClass>,
}

impl Tablebase {
    /// The table of a variant that is part of the program, if there is one.
    pub fn embedded(rules: &Rules) -> Option<Arc<Tablebase>> {
        let index = EMBEDDED.iter().position(|(name, _)| *name == rules.name())?;
        let load = || Tablebase::from_bytes(EMBEDDED[index].1).map(Arc::new);
        LOADED.get(index)?.get_or_init(load).clone()
    }

    /// The variant.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// How many pieces are placed in its positions.
    pub fn placed(&self) -> u32 {
        self.placed
    }

    /// How many positions it has.
    pub fn positions(&self) -> usize {
        self.classes.iter().map(|class| class.count).sum()
    }

    /// The occupied cells of its classes, and how many positions each has.
    pub fn classes(&self) -> impl Iterator<Item = (CellSet, usize)> + '_ {
        self.classes.iter().map(|class| (class.cells, class.count))
    }

    /// How many of its positions have each value, counted on several threads.
    pub fn census(&self, threads: usize) -> Census {
        let census = Mutex::new(Census::default());
        let count = |class: &OccupancyClass| {
            let positions = positions(self.rules, class.cells).into_iter();
            let of_class = Census::of(positions.filter_map(|position| self.exact(&position)));
            lock(&census).join(&of_class);
            Ok(())
        };
        // Counting is stopped by nobody.
        let _ = for_each(&self.classes, threads, count);
        census.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What a position is worth to the player to move; `None` if it is not in the table.
    pub fn exact(&self, position: &Position) -> Option<Exact> {
        if position.placed() != self.placed || !position.playing() || position.rules() != self.rules {
            return None;
        }
        if position.hand().is_some() {
            return self.value(position);
        }
        let gifts = position.left().into_iter();
        let values = gifts.filter_map(|piece| Some(self.value(&position.giving(piece))?.reversed()));
        values.max_by_key(|value| value.preference())
    }

    /// What a position with one piece fewer placed and one in hand is worth by the rules and what this table says of every turn's position;
    /// `None` for any other position.
    pub fn one_before(&self, position: &Position) -> Option<Exact> {
        if position.placed() + 1 != self.placed || position.hand().is_none() || !position.playing() {
            return None;
        }
        let mut turns = Vec::new();
        position.legal_moves(&mut turns);
        let mut best: Option<Exact> = None;
        for turn in turns {
            let mut after = *position;
            after.play_unchecked(turn);
            let exact = match after.outcome() {
                Some(payoffs) => ended(&after, payoffs.winner()),
                None => self.value(&after)?.reversed(),
            };
            let plies = exact.plies + 1;
            let exact = Exact { plies, ..exact };
            if best.is_none_or(|best| best.preference() < exact.preference()) {
                best = Some(exact);
            }
        }
        best
    }

    fn value(&self, position: &Position) -> Option<Exact> {
        if let Some(won) = at_sight(position) {
            return Some(won);
        }
        let key = position.canonical_key();
        let class = self.classes.binary_search_by_key(&key.occupied(), |class| class.cells);
        let class = self.classes.get(class.ok()?)?;
        Some(decode(class.values.get(key_of(key)), position))
    }

    /// The table as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.rules.name().len() as u8);
        bytes.extend(self.rules.name().as_bytes());
        bytes.push(self.placed as u8);
        for class in &self.classes {
            bytes.extend(class.cells.0.to_le_bytes());
            bytes.extend((class.count as u32).to_le_bytes());
            class.values.write(&mut bytes);
        }
        bytes
    }

    /// Reads a file; `None` if it is not a whole table.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (length, rest) = bytes.strip_prefix(MAGIC)?.split_first()?;
        let (name, rest) = rest.split_at_checked(usize::from(*length))?;
        let rules = Rules::named(std::str::from_utf8(name).ok()?)?;
        let (placed, mut rest) = rest.split_first()?;
        let placed = u32::from(*placed);
        if !(LEAST_PLACED..=MOST_PLACED).contains(&placed) {
            return None;
        }
        let mut read = Vec::new();
        for cells in classes(rules, placed) {
            let (class, after) = read_class(rest).filter(|(class, _)| class.cells == cells)?;
            read.push(class);
            rest = after;
        }
        rest.is_empty().then_some(Tablebase {
            rules,
            placed,
            classes: read,
        })
    }

    /// Reads the file at a path.
    ///
    /// # Errors
    /// If it cannot be read or is not a table; the message names it.
    pub fn open(path: &Path) -> Result<Self, String> {
        let bytes = whole(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let table = bytes.and_then(|bytes| Tablebase::from_bytes(&bytes));
        table.ok_or_else(|| {
            format!(
                "{}: expected a table as `terzo book build --placed N` writes it",
                path.display()
            )
        })
    }

    /// The tables of a variant in a folder, called like `quarto-5.table`. They are read once a process.
    ///
    /// # Errors
    /// If the folder is none, or a table in it cannot be read or is not what its name says; the message names it.
    pub fn find(rules: &'static Rules, folder: &Path) -> Result<Tablebases, String> {
        static FOUND: Mutex<Vec<(PathBuf, &'static Rules, Tablebases)>> = Mutex::new(Vec::new());
        let mut found = lock(&FOUND);
        if let Some((.., tables)) = found.iter().find(|(there, of, _)| there == folder && *of == rules) {
            return Ok(tables.clone());
        }
        if !folder.is_dir() {
            return Err(format!("{}: expected a folder with tables", folder.display()));
        }
        let paths = (LEAST_PLACED..=MOST_PLACED).map(|placed| (placed, folder.join(file_name(rules, placed))));
        let there = paths.filter(|(_, path)| path.exists());
        let tables = there.map(|(placed, path)| open_as(rules, placed, &path));
        let tables = tables.collect::<Result<Tablebases, String>>()?;
        found.push((folder.into(), rules, tables.clone()));
        Ok(tables)
    }

    /// The tables of a variant in the folder that the environment names ([`FOLDER`]); none if it names none.
    ///
    /// # Errors
    /// As [`find`](Tablebase::find).
    pub fn found(rules: &'static Rules) -> Result<Tablebases, String> {
        match std::env::var_os(FOLDER) {
            Some(folder) => Tablebase::find(rules, Path::new(&folder)),
            None => Ok(Tablebases::new()),
        }
    }
}

/// Tables of one variant, shared by all who look things up there.
pub type Tablebases = Vec<Arc<Tablebase>>;

/// What a table is called where it is looked for.
pub fn file_name(rules: &Rules, placed: u32) -> String {
    format!("{}-{placed}.table", rules.name())
}

/// Reads a table that must be of a variant, with so many pieces placed.
fn open_as(rules: &'static Rules, placed: u32, path: &Path) -> Result<Arc<Tablebase>, String> {
    let table = Tablebase::open(path)?;
    match table.rules() == rules && table.placed() == placed {
        true => Ok(Arc::new(table)),
        false => {
            let of = format!("{} with {} placed", table.rules().name(), table.placed());
            Err(format!("{}: this is the table of {of}", path.display()))
        }
    }
}

/// A file as long as a table can be; `None` if it does not begin like one or is longer. Some files have no end.
fn whole(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    Read::by_ref(&mut file)
        .take(MAGIC.len() as u64)
        .read_to_end(&mut bytes)?;
    if bytes != MAGIC {
        return Ok(None);
    }
    file.take(LONGEST_FILE).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| (bytes.len() as u64) < LONGEST_FILE))
}

/// A class at the beginning of `bytes`, and what follows it.
fn read_class(bytes: &[u8]) -> Option<(OccupancyClass, &[u8])> {
    let (cells, rest) = bytes.split_first_chunk()?;
    let (count, rest) = rest.split_first_chunk()?;
    let (values, rest) = ClassValues::read(rest)?;
    let class = OccupancyClass {
        cells: CellSet(u16::from_le_bytes(*cells)),
        count: u32::from_le_bytes(*count) as usize,
        values,
    };
    Some((class, rest))
}
