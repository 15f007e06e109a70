//! Stack Four's players.

use crate::run3::Run3;
use crate::strong::{Book, BookEntry, Limits, Strong};
use crate::{Column, Position};
use game::{Rng, rng};
use player::{
    Analysis, Clock, OptionHelp, Options, Player, PlayerEntry, PlayerError, PlayerFactory, Roster, Score, SpecError,
    stricter,
};
use search::players::{PlayerLimits, mcts_entry};
use std::sync::Arc;
use std::time::Duration;

type Maker = player::Maker<Position>;

/// The players of Stack Four, weakest first.
pub fn roster() -> Roster<Position> {
    Roster::new(vec![
        PlayerEntry::new("random", "any column with room", &[], |_| {
            Ok(Arc::new(|| Box::new(RandomColumn(rng(0)))))
        }),
        PlayerEntry::new("run3", RUN3, RUN3_OPTIONS, run3),
        mcts_entry(),
        PlayerEntry::new("strong", STRONG, STRONG_OPTIONS, strong),
    ])
}

/// What makes players of a spec.
///
/// # Errors
///
/// Says what is wrong with the spec.
pub fn factory(spec: &str) -> Result<PlayerFactory<Position>, SpecError> {
    roster().factory(spec)
}

struct RandomColumn(Rng);

impl Player<Position> for RandomColumn {
    fn begin(&mut self, seed: u64) {
        self.0 = rng(seed);
    }

    fn reads_clock(&self) -> bool {
        false
    }

    fn choose(&mut self, position: &Position, _: &Clock) -> Result<Analysis<Column>, PlayerError> {
        if position.is_over() {
            return Err(PlayerError::Finished);
        }
        Ok(Analysis::of_move(position.random_column(&mut self.0)))
    }
}

const RUN3: &str = "ten times the runs through its own stone and, three moves ahead, those through its next; as white defends \
                    first (report 003)";
const RUN3_OPTIONS: &[OptionHelp] = &[OptionHelp {
    key: "defend",
    default: "20",
    help: "how many of its 32 moves it defends as white, 0 to 32; 20 is the report's choice, 10 does better here",
}];

fn run3(options: Options) -> Result<Maker, SpecError> {
    let defend = options.number("defend", 0, 32)?.unwrap_or(20) as u32;
    Ok(Arc::new(move || Box::new(ByRuns(Run3 { defend }))))
}

struct ByRuns(Run3);

impl Player<Position> for ByRuns {
    fn begin(&mut self, _: u64) {}

    fn choose(&mut self, position: &Position, _: &Clock) -> Result<Analysis<Column>, PlayerError> {
        self.0
            .choose(position)
            .map(Analysis::of_move)
            .ok_or(PlayerError::Finished)
    }
}

const STRONG: &str = "alpha-beta as deep as the clock allows, judging by weights fitted to its own games";
const STRONG_OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        key: "time",
        default: "1s, or none with nodes, depth or a clock",
        help: "the clock for a move, such as 100ms or 2s",
    },
    OptionHelp {
        key: "nodes",
        default: "none",
        help: "positions to search; on one thread the same game every time",
    },
    OptionHelp {
        key: "depth",
        default: "none",
        help: "moves to look ahead, 1 to 64",
    },
    OptionHelp {
        key: "threads",
        default: "one a core; 1 in a match",
        help: "threads to search on, 1 to 256",
    },
    OptionHelp {
        key: "table",
        default: "as its limits need, at most 64",
        help: "megabytes of the transposition table, 1 to 65536, at most half of the machine's",
    },
    OptionHelp {
        key: "book",
        default: "off",
        help: "on: the first stones by the opening book, unless nodes or depth are limited; off: by search",
    },
];

fn strong(options: Options) -> Result<Maker, SpecError> {
    let limits = PlayerLimits::read(&options, 64, TIME)?;
    let threads = options.number("threads", 1, 256)?.map(|threads| threads as usize);
    let table = options.number("table", 1, most_megabytes())?;
    let book = options.word("book", &["on", "off"])? == Some("on");
    let megabytes = table.unwrap_or_else(|| table_for(&limits.given)) as usize;
    Ok(Arc::new(move || {
        Box::new(StrongPlayer {
            strong: None,
            limits: limits.clone(),
            threads,
            megabytes,
            book,
        })
    }))
}

/// How long it thinks where nobody says anything.
const TIME: Duration = Duration::from_secs(1);

/// Megabytes for all that a game's searches will store, at most 64: to forget a table between quick games takes longer
/// than the games.
fn table_for(limits: &Limits) -> u64 {
    const NODES_A_SECOND: f64 = 3e6;
    const MOVES: u64 = 32;
    const ENTRY_BYTES: u64 = 16;
    let in_time = limits.time.map(|time| (time.as_secs_f64() * NODES_A_SECOND) as u64);
    let nodes = stricter(in_time, limits.nodes).unwrap_or(u64::MAX);
    (nodes.saturating_mul(MOVES * ENTRY_BYTES) >> 20).clamp(1, 64)
}

/// The largest table: more than half of the machine's memory is surely a slip, and would end in the system's arms.
fn most_megabytes() -> u64 {
    let told = std::fs::read_to_string("/proc/meminfo").ok();
    let total = told.and_then(|text| total_megabytes(&text));
    total.map_or(65_536, |total| (total / 2).clamp(1, 65_536))
}

/// What the system says of its memory: `MemTotal:       24566872 kB`.
fn total_megabytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

struct StrongPlayer {
    /// Made when a game begins: the table is large, and making it is nothing that a clock should count.
    strong: Option<Strong>,
    limits: PlayerLimits,
    threads: Option<usize>,
    megabytes: usize,
    book: bool,
}

impl StrongPlayer {
    /// As many threads as were asked for; else one a core, unless games are already played side by side.
    fn threads(&self) -> usize {
        let alone = search::players::alone();
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(|| if alone { cores() } else { 1 })
    }
}

impl StrongPlayer {
    /// What the book says, if it may be asked: who limits the search wants that search, and who lets it go on without end, too.
    fn known(&self, position: &Position, clock: &Clock, limits: &Limits) -> Option<BookEntry> {
        let asks = self.book && !clock.infinite && limits.nodes.is_none() && limits.depth.is_none();
        asks.then(|| Book::standard().get(position)).flatten()
    }
}

fn from_book(entry: &BookEntry) -> Analysis<Column> {
    Analysis {
        value: Some(entry.value),
        score: Some(Score::of_units(entry.value)),
        depth: Some(entry.depth),
        pv: vec![entry.best],
        ..Analysis::of_move(entry.best)
    }
}

impl Player<Position> for StrongPlayer {
    fn begin(&mut self, _: u64) {
        match &mut self.strong {
            Some(strong) => strong.clear(),
            None => self.strong = Some(Strong::new(self.megabytes, 1)),
        }
    }

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Column>, PlayerError> {
        let limits = self.limits.under(clock);
        if let Some(entry) = self.known(position, clock, &limits) {
            return Ok(from_book(&entry));
        }
        let threads = self.threads();
        let strong = self.strong.get_or_insert_with(|| Strong::new(self.megabytes, threads));
        strong.set_threads(threads);
        let hear = |analysis| clock.observer.tell(position, &analysis);
        let hear: Option<&dyn Fn(_)> = clock.observer.listens().then_some(&hear);
        strong
            .search_observed(position, &limits, hear)
            .ok_or(PlayerError::Finished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_answers_if_it_is_wanted_where_nothing_limits_the_search() {
        let nodes = |spec: &str, clock: &Clock| {
            let mut player = factory(spec).unwrap().make();
            player.begin(1);
            let found = player.choose(&Position::new(), clock).unwrap();
            assert!(found.value.is_some() && found.score.is_some() && found.depth > Some(0) && !found.pv.is_empty());
            found.nodes
        };
        assert_eq!(nodes("strong:time=50ms,threads=1,book=on", &Clock::unlimited()), None);
        assert!(nodes("strong:nodes=2000,threads=1,book=on", &Clock::unlimited()) > Some(0));
        assert!(nodes("strong:nodes=2000,threads=1", &Clock::unlimited()) > Some(0));
        let depth = Clock {
            depth: Some(2),
            ..Clock::unlimited()
        };
        assert!(nodes("strong:threads=1,book=on", &depth) > Some(0));
    }

    #[test]
    fn a_table_larger_than_the_machine_is_refused() {
        assert_eq!(
            total_megabytes("MemFree: 1 kB\nMemTotal:       24566872 kB\n"),
            Some(23_991)
        );
        assert_eq!(total_megabytes("MemTotal: much"), None);
        let refused = factory("strong:table=65537").err().unwrap().to_string();
        assert!(refused.contains("expected a whole number from 1 to"), "{refused}");
    }
}
