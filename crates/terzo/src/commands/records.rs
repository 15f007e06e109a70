//! `terzo records`

use super::matches;
use crate::usage::usage;
use crate::{output, registry};
use anyhow::Context;
use arena::export::{CSV_HEAD, csv_line, game_as_json};
use arena::gametext;
use arena::pgn::game_as_pgn;
use arena::plan::Plan;
use arena::report::{Tested, TournamentReport, TournamentResults};
use arena::standings::Standings;
use arena::store::{Entry, Store};
use clap::{Subcommand, ValueEnum};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  terzo records list --json\n  terzo records show 3\n  terzo records show 3 --pair 12 | terzo replay -\n  terzo records export 3 --format csv --output games.csv\n  terzo records export 3 --format pgn --output games.pgn"
)]
pub struct RecordsArgs {
    /// The file of the records
    #[arg(long, global = true, value_name = "FILE", default_value = "terzo.db")]
    db: PathBuf,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the tournaments, and the matches of general game players
    #[command(after_help = "Example:\n  terzo records list --json")]
    List {
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show the standings of a tournament, or the games of one pair
    #[command(after_help = "Examples:\n  terzo records show\n  terzo records show 3 --pair 12 --game 2")]
    Show {
        /// Its number; the latest if left out
        id: Option<i64>,
        /// Show this pair's games instead
        #[arg(long, value_name = "N")]
        pair: Option<u64>,
        /// Count mistakes against perfect play, in at most so many pairs
        #[arg(long, value_name = "PAIRS", num_args = 0..=1, default_missing_value = "1000")]
        mistakes: Option<usize>,
        /// Only this game of the pair
        #[arg(long, value_name = "1|2", requires = "pair", value_parser = clap::value_parser!(u8).range(1..=2))]
        game: Option<u8>,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show a match of general game players turn by turn
    #[command(
        after_help = "Examples:\n  terzo records match\n  terzo records match 1 --sheet | terzo gdl check /dev/stdin"
    )]
    Match {
        /// Its number; the latest if left out
        id: Option<i64>,
        /// Write the rules it was played by instead
        #[arg(long)]
        sheet: bool,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Rate the players of several tournaments of one game together
    #[command(
        after_help = "A player that came later plays a gauntlet against those who were there, and all are rated together: nothing is played again. Players of one name and one spec are the same player.\n\nExamples:\n  terzo records rate 1 2\n  terzo records rate 1 2 3 --json"
    )]
    Rate {
        /// Their numbers
        #[arg(required = true, value_name = "ID")]
        ids: Vec<i64>,
        /// Write one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write out every game of a tournament
    #[command(
        after_help = "Examples:\n  terzo records export --format jsonl\n  terzo records export 3 --format text\n  terzo records export --json --output games.json"
    )]
    Export {
        /// Its number; the latest if left out
        id: Option<i64>,
        /// How
        #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
        format: ExportFormat,
        /// Where to; standard output if left out
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Write one JSON object with all games
        #[arg(long, conflicts_with = "format")]
        json: bool,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum ExportFormat {
    /// One JSON object a game
    Jsonl,
    /// A table with a head
    Csv,
    /// Readable games, apart by empty lines
    Text,
    /// Tags and moves in the form of chess's PGN
    Pgn,
    /// One object with all games
    #[value(skip)]
    Json,
}

impl RecordsArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let store = Store::existing(&self.db)?;
        match self.what {
            What::List { json } => list(&store, json),
            What::Show {
                id,
                pair: None,
                mistakes,
                json,
                ..
            } => standings(&store, id, mistakes, json),
            What::Show {
                id,
                pair: Some(number),
                game,
                json,
                ..
            } => {
                let entry = store.entry(id)?;
                let pair = store.pair(entry.id, number)?;
                let games = match game {
                    Some(game) => usize::from(game) - 1..usize::from(game),
                    None => 0..2,
                };
                if json {
                    let games: Vec<Value> = games.map(|game| game_as_json(&entry, &pair, game)).collect();
                    return output::print_json(&json!({"tournament": entry.id, "pair": number, "games": games}));
                }
                let names = names(&entry);
                let texts: Vec<String> = games
                    .map(|game| gametext::write(&entry.game, &pair, game, &names))
                    .collect();
                output::print(&texts.join("\n"))
            }
            What::Rate { ids, json } => rate(&store, &ids, json),
            What::Match { id, sheet, json } => matches::show(&store, id, json, sheet),
            What::Export {
                id,
                format,
                output,
                json,
            } => export(
                &store,
                id,
                if json { ExportFormat::Json } else { format },
                output.as_deref(),
            ),
        }
    }
}

fn names(entry: &Entry) -> Vec<String> {
    entry.players.iter().map(|(name, _)| name.clone()).collect()
}

fn list(store: &Store, json: bool) -> anyhow::Result<()> {
    let entries = store.entries()?;
    let played = store.matches()?;
    if json {
        let all: Vec<Value> = entries
            .iter()
            .map(|entry| {
                json!({
                    "id": entry.id, "name": entry.name, "game": entry.game, "started": entry.started,
                    "stopped": entry.stopped, "pairs": entry.pairs, "players": names(entry),
                })
            })
            .collect();
        let played: Vec<Value> = played.iter().map(matches::summary).collect();
        return output::print_json(&json!({"tournaments": all, "matches": played}));
    }
    let mut text = format!(
        "{:>4}  {:<20} {:>8}  {:<14} {:<20} players\n",
        "id", "started (UTC)", "pairs", "game", "name"
    );
    for entry in entries {
        text += &format!(
            "{:>4}  {:<20} {:>8}  {:<14} {:<20} {}\n",
            entry.id,
            entry.started,
            entry.pairs,
            entry.game,
            entry.name,
            names(&entry).join(", ")
        );
    }
    if !played.is_empty() {
        text += "\n";
        text.extend(played.iter().map(matches::as_line));
    }
    output::print(&text)
}

fn standings(store: &Store, id: Option<i64>, most: Option<usize>, json: bool) -> anyhow::Result<()> {
    let entry = store.entry(id)?;
    let plan = Plan::from_toml(&entry.plan, &format!("tournament {}", entry.id), Path::new(""))?;
    let mut standings = Standings::new(plan.players.len(), &plan.meetings());
    store.each_pair(entry.id, |pair| standings.count(&pair))?;
    let mistakes = match most {
        Some(most) => {
            let game = registry::find(&entry.game)?;
            Some(super::tournament::mistakes(
                game.as_ref(),
                store,
                entry.id,
                entry.players.len(),
                most,
            )?)
        }
        None => None,
    };
    if json {
        let results = TournamentResults::new(entry.id, &plan, &standings);
        return output::print_json(&results.with_mistakes(mistakes.as_deref().unwrap_or_default()));
    }
    let report = TournamentReport {
        title: &entry.name,
        game: &entry.game,
        terms: super::tournament::terms_in_words(&plan),
        names: names(&entry),
        standings: &standings,
        sprt: plan.sprt.map(|sprt| Tested {
            sprt,
            decided: None,
            all: sprt.ratio(&standings.duels[0].pairs),
        }),
        mistakes,
        run: None,
    };
    output::print(&report.markdown())
}

/// The players of several tournaments in one table.
fn rate(store: &Store, ids: &[i64], json: bool) -> anyhow::Result<()> {
    let mut players: Vec<(String, String)> = Vec::new();
    let mut standings = Standings::new(0, &[]);
    let mut game = None;
    for (at, &id) in ids.iter().enumerate() {
        let entry = store.entry(Some(id))?;
        let expected = game.get_or_insert_with(|| entry.game.clone());
        if *expected != entry.game {
            usage!(
                "tournament {id} is of {}, and tournament {} of {expected}",
                entry.game,
                ids[0]
            );
        }
        if ids[..at].contains(&id) {
            usage!("tournament {id} is named twice");
        }
        let numbers: Vec<usize> = entry
            .players
            .iter()
            .map(|player| match players.iter().position(|known| known == player) {
                Some(number) => number,
                None => {
                    players.push(player.clone());
                    standings.players.push(Default::default());
                    players.len() - 1
                }
            })
            .collect();
        store.each_pair(id, |pair| standings.count_from(pair, &numbers))?;
    }
    let (game, ratings) = (game.unwrap_or_default(), standings.ratings());
    if json {
        let rated: Vec<Value> = standings
            .order()
            .into_iter()
            .map(|i| {
                let score = standings.players[i].score();
                json!({
                    "name": players[i].0, "spec": players[i].1, "games": score.games(), "points": score.points(),
                    "elo": {"value": ratings[i].value, "low": ratings[i].low, "high": ratings[i].high},
                })
            })
            .collect();
        return output::print_json(
            &json!({"tournaments": ids, "game": game, "pairs": standings.pairs, "players": rated}),
        );
    }
    let words: Vec<String> = ids.iter().map(i64::to_string).collect();
    let report = TournamentReport {
        title: &format!("Tournaments {}", words.join(", ")),
        game: &game,
        terms: "each on its own terms".into(),
        names: players.into_iter().map(|(name, _)| name).collect(),
        standings: &standings,
        sprt: None,
        mistakes: None,
        run: None,
    };
    output::print(&report.markdown())
}

fn export(store: &Store, id: Option<i64>, format: ExportFormat, path: Option<&Path>) -> anyhow::Result<()> {
    let entry = store.entry(id)?;
    let mut out: Box<dyn Write> = match path {
        Some(path) => Box::new(File::create(path).with_context(|| format!("{}", path.display()))?),
        None => Box::new(std::io::stdout()),
    };
    let mut out = BufWriter::new(&mut out);
    match format {
        ExportFormat::Csv => writeln!(out, "{CSV_HEAD}")?,
        ExportFormat::Json => write!(out, "{{\"tournament\":{},\"games\":[", entry.id)?,
        ExportFormat::Jsonl | ExportFormat::Text | ExportFormat::Pgn => (),
    }
    let names = names(&entry);
    let (mut failed, mut comma) = (None, "");
    store.each_pair(entry.id, |pair| {
        for number in 0..2 {
            let line = match format {
                ExportFormat::Jsonl => game_as_json(&entry, &pair, number).to_string() + "\n",
                ExportFormat::Json => format!("{comma}{}", game_as_json(&entry, &pair, number)),
                ExportFormat::Csv => output::visible(&csv_line(&entry, &pair, number)).into_owned(),
                ExportFormat::Pgn => output::visible(&game_as_pgn(&entry, &pair, number)).into_owned(),
                ExportFormat::Text => {
                    output::visible(&gametext::write(&entry.game, &pair, number, &names)).into_owned() + "\n"
                }
            };
            comma = ",";
            if failed.is_none() {
                failed = out.write_all(line.as_bytes()).err();
            }
        }
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    if let ExportFormat::Json = format {
        writeln!(out, "]}}")?;
    }
    Ok(out.flush()?)
}
