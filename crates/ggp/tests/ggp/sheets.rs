//! Public sheets as a manager plays them: real sockets, clocks of a second, every role a player of its own, and the prover says
//! what is legal.

use crate::shared;
use crate::strangers::{Scribe, factory, loopback};
use gdl::{Machine, Sheet};
use ggp::host::{Contestant, MatchEnd, MatchTerms, host};
use ggp::http::{HttpServer, post};
use ggp::message::one_line;
use ggp::player::{PlayerEvent, PlayerOptions, serve};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What took longest, by going through all of them: large to ground or never ground, slow to prove, many roles, alone, hidden.
const HARDEST: [&str; 26] = [
    "amazonsTorus",
    "asteroidsSerial",
    "checkers",
    "chess",
    "chess_200",
    "cubicup_3player",
    "futoshiki4",
    "god",
    "guess2",
    "hex",
    "hexPie",
    "laikLee_hex",
    "linesOfAction",
    "merrills",
    "mummymaze2p",
    "quarto",
    "queens08lg",
    "racer",
    "reversi",
    "ruleDepthLinear",
    "skirmish",
    "slaughter",
    "speedChess",
    "sudoku",
    "sudokuGrade1",
    "ttcc4",
];

/// Clocks in seconds. Who is late on a busy machine is asked again, with more time.
const CLOCKS: [u64; 4] = [1, 2, 4, 8];

/// The sheets that are played, and so many turns of each: the hardest; or where `TERZO_SHEETS` says `all`, all of them; or those
/// of the folder that it names. `TERZO_TURNS` says how many turns it shall be instead.
fn asked_for() -> (Vec<PathBuf>, u64) {
    let Some(root) = shared::gdl() else {
        return (Vec::new(), 0);
    };
    let cases = shared::files(&root.join("hard/cases"));
    let all: Vec<PathBuf> = shared::sheets().into_iter().chain(cases).collect();
    let (sheets, turns) = match std::env::var("TERZO_SHEETS").as_deref() {
        Err(_) | Ok("") => {
            let is_hard = |path: &PathBuf| HARDEST.iter().any(|hard| path.file_stem() == Some(hard.as_ref()));
            (all.into_iter().filter(is_hard).collect(), 4)
        }
        Ok("all") => (all, 15),
        Ok(folder) => (shared::files(Path::new(folder)), 15),
    };
    let wanted = std::env::var("TERZO_TURNS").ok();
    (sheets, wanted.map_or(turns, |turns| turns.parse().unwrap()))
}

/// A sheet, and who knows what is legal.
struct PublicSheet {
    name: String,
    text: String,
    judge: Machine,
}

impl PublicSheet {
    fn load(path: &Path) -> PublicSheet {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let sheet = Sheet::parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        let judge = Machine::prover(&sheet).unwrap_or_else(|error| panic!("{name}: {error}"));
        PublicSheet { name, text, judge }
    }

    /// A move without any start clock: the answer to a PLAY that comes at once must be there when its clock ends. After how long
    /// it was.
    fn first_move(&self, role: usize, clock: u64) -> Result<Duration, String> {
        let (player, _) = serve_ours();
        let asked = Instant::now();
        let say = |text: String, time: u64| {
            let deadline = asked + Duration::from_secs(time);
            post(player.address(), &self.name, &text, deadline).map_err(|error| error.to_string())
        };
        let (name, rules) = (self.judge.roles()[role], one_line(&self.text));
        let ready = say(format!("( START first {name} ( {rules} ) 0 {clock} )"), clock)?;
        if ready != "ready" {
            return Err(format!("START: {ready}"));
        }
        let answer = say("( PLAY first NIL )".into(), clock)?;
        let took = asked.elapsed();
        say("( ABORT first )".into(), clock + 10)?;
        let legal = &self.judge.view(&self.judge.initial()).unwrap().legal[role];
        match self.judge.parse_move(role, &answer) {
            Ok(mv) if legal.contains(&mv) => Ok(took),
            _ => Err(format!("PLAY: {answer}")),
        }
    }

    /// A match, every role a player of its own: the slowest answer, and what the players told of their machines.
    fn play(&self, clock: u64, turns: u64) -> Result<(Duration, String), String> {
        let roles = self.judge.roles();
        let ours: Vec<_> = roles.iter().map(|role| (!is_chance(role)).then(serve_ours)).collect();
        let contestants: Vec<Contestant> = ours
            .iter()
            .map(|ours| match ours {
                None => Contestant::Chance,
                Some((player, _)) => Contestant::At {
                    name: "terzo".into(),
                    address: player.address(),
                },
            })
            .collect();
        let terms = MatchTerms {
            id: format!("{}.{clock}", self.name),
            start: Duration::from_secs(clock),
            play: Duration::from_secs(clock),
            seed: clock,
            most_turns: turns,
        };
        let mut scribe = Scribe::default();
        let never = game::Stop::never();
        match host(&self.judge, &self.text, &contestants, &terms, &never, &mut scribe) {
            Ok(MatchEnd::Broken(why)) if !why.starts_with("no end after") => return Err(why),
            Err(error) => return Err(error.to_string()),
            Ok(_) => {}
        }
        let said: Vec<String> = ours
            .iter()
            .flatten()
            .flat_map(|(_, said)| said.lock().unwrap().clone())
            .collect();
        let faults: Vec<String> = (0..roles.len())
            .flat_map(|role| {
                scribe
                    .faults(role)
                    .into_iter()
                    .map(move |fault| format!("{role}: {fault}"))
            })
            .collect();
        if !faults.is_empty() {
            return Err(format!("{} ({})", faults.join(", "), said.join("; ")));
        }
        let took = scribe.turns.iter().flatten().filter_map(|deed| deed.took);
        Ok((took.max().unwrap_or_default(), said.join("; ")))
    }
}

fn is_chance(role: &str) -> bool {
    role.eq_ignore_ascii_case("random")
}

/// What `terzo ggp player` is, on a port of its own, and what it tells of its machines.
fn serve_ours() -> (HttpServer, Arc<Mutex<Vec<String>>>) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let heard = said.clone();
    let watcher = Arc::new(move |event| {
        if let PlayerEvent::Machine { what, .. } | PlayerEvent::Trouble(what) = event {
            heard.lock().unwrap().push(what);
        }
    });
    let options = PlayerOptions::default();
    (serve(loopback(), factory("general"), options, watcher).unwrap(), said)
}

/// One line a sheet: what went wrong at which clock, or after how many milliseconds the first move came and the slowest answer.
#[test]
#[ignore = "a minute or more; scripts/test runs it"]
fn public_sheets_are_played_without_an_answer_that_is_late_or_illegal() {
    let _alone = crate::MEMORY.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (sheets, turns) = asked_for();
    let mut faulty = Vec::new();
    for (number, path) in sheets.iter().enumerate() {
        let sheet = PublicSheet::load(path);
        let players: Vec<usize> = (0..sheet.judge.role_count())
            .filter(|&role| !is_chance(sheet.judge.roles()[role]))
            .collect();
        let role = players[number % players.len()];
        let played = CLOCKS.iter().any(|&clock| {
            let first = sheet.first_move(role, clock);
            let result = first.and_then(|first| Ok((first, sheet.play(clock, turns)?)));
            match &result {
                Ok((first, (slowest, said))) => {
                    let (first, slowest) = (first.as_millis(), slowest.as_millis());
                    println!("{}\t{clock} s\t{first} ms\t{slowest} ms\t{said}", sheet.name);
                }
                Err(why) => println!("{}\t{clock} s\tFAULT: {why}", sheet.name),
            }
            result.is_ok()
        });
        if !played {
            faulty.push(sheet.name);
        }
    }
    assert!(faulty.is_empty(), "{faulty:?}");
}
