//! What the referee does for authors of engines: ends games early, keeps a clock for each player, begins where it is told to,
//! tells how it stands, and writes games that other programs read.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use folder::Folder;
use run::{terzo, words};
use serde_json::Value;

/// An engine that plays the first legal turn and always says the same score. It notes how many cores it may use.
const TALKER: &str = "
import os, sys
open('cores', 'a').write(f'{len(os.sched_getaffinity(0))} ')
moves = []
for line in sys.stdin:
    words = line.split()
    if not words: continue
    if words[0] == 'quit': break
    if words[0] == 'ugi': print('ugiok', flush=True)
    if words[0] == 'isready': print('readyok', flush=True)
    if words[0] == 'position': moves = words[words.index('moves') + 1:] if 'moves' in words else []
    if words[0] == 'go':
        placed, given = [[turn.split('.')[half] for turn in moves] for half in (0, 1)]
        cells = [column + row for row in '1234' for column in 'abcd']
        cell = next(cell for cell in cells if cell not in placed) if moves else '-'
        gift = next(piece for piece in '0123456789abcdef' if piece not in given)
        print(f'info depth 1 score cp {sys.argv[1]}\\nbestmove {cell}.{gift}', flush=True)
";

fn talker(folder: &Folder, score: i32) -> String {
    std::fs::write(folder.file("talker.py"), TALKER).unwrap();
    format!("engine:python3 talker.py {score}")
}

/// All games of the only tournament in the folder.
fn games(folder: &Folder) -> Vec<Value> {
    let exported = terzo(folder, &["records", "export"]).good();
    exported
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn who_says_long_enough_that_it_loses_has_lost_and_the_records_say_why() {
    let folder = Folder::new("resign");
    let (pessimist, optimist) = (talker(&folder, -700), talker(&folder, 700));
    let players = [
        "tournament",
        "--game",
        "quarto",
        "--rounds",
        "1",
        "--players",
        &pessimist,
        &optimist,
    ];
    let rule = ["--resign", "score=600,moves=2,both=true"];
    terzo(&folder, &[&players[..], &rule].concat()).good();
    for game in games(&folder) {
        assert_eq!(
            (&game["verdict"], &game["detail"]),
            (&"adjudicated".into(), &"the loser had long said so".into())
        );
        let winner = game["winner"].as_u64().unwrap() as usize;
        assert_eq!(game["seats"][winner - 1], optimist, "{game}");
        assert_eq!(
            game["turns"].as_array().unwrap().len(),
            4,
            "both have said it twice: {game}"
        );
    }
    // Where both say that nobody is ahead, it is a draw.
    let level = talker(&folder, 3);
    let drawn = [
        "match",
        "quarto",
        &level,
        &level,
        "-n",
        "2",
        "--json",
        "--draw",
        "from=3,moves=1,score=5",
    ];
    let told = terzo(&folder, &drawn).good().json();
    assert_eq!((&told["draws"], &told["turns_avg"]), (&2.into(), &3.0.into()), "{told}");
}

#[test]
fn a_game_whose_exact_value_is_known_ends_with_it() {
    let folder = Folder::new("exact");
    let random = words("tournament --game quarto --rounds 10 --players random random --exact 9");
    terzo(&folder, &random).good();
    let (mut called, mut longest) = (0, 0);
    for game in games(&folder) {
        let turns: Vec<&str> = game["turns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|turn| turn.as_str().unwrap())
            .collect();
        longest = longest.max(turns.len());
        if game["verdict"] != "adjudicated" {
            continue;
        }
        called += 1;
        // The same question to the solver, asked another way: what is the position worth to who is to move?
        std::fs::write(folder.file("game.txt"), format!("# game quarto\n{}\n", turns.join(" "))).unwrap();
        let shown = terzo(&folder, &["replay", "game.txt", "--json"]).good().json();
        let position = shown["positions"].as_array().unwrap().last().unwrap().as_str();
        let solved = terzo(&folder, &["solve", "quarto", position.unwrap(), "--json"])
            .good()
            .json();
        let mover = turns.len() % 2 + 1;
        let expected = match solved["value"].as_str().unwrap() {
            "win" => Some(mover),
            "loss" => Some(3 - mover),
            _ => None,
        };
        assert_eq!(
            game["winner"].as_u64().map(|seat| seat as usize),
            expected,
            "{game} {solved}"
        );
    }
    assert!(
        called > 0 && longest <= 9,
        "{called} games ended early, the longest had {longest} turns"
    );
    let unknown = terzo(
        &folder,
        &["match", "connectfour", "random", "random", "-n", "2", "--exact", "3"],
    );
    assert!(unknown.code == Some(2) || unknown.code == Some(1), "{:?}", unknown.code);
    assert!(unknown.err.contains("nobody knows the exact values"), "{}", unknown.err);
}

#[test]
fn every_player_has_its_own_clock_and_sessions_are_told() {
    let folder = Folder::new("clocks");
    let (one, other) = (talker(&folder, 1), talker(&folder, 2));
    let own = format!("{other}=nodes=7");
    let players = [
        "tournament",
        "--game",
        "quarto",
        "--rounds",
        "1",
        "--players",
        &one,
        &other,
    ];
    terzo(
        &folder,
        &[
            &players[..],
            &["--time", "game=2/90s+1s", "--clock", &own, "--log", "talk"],
        ]
        .concat(),
    )
    .good();
    let logs: String = std::fs::read_dir(folder.file("talk"))
        .unwrap()
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    for expected in ["go nodes 7", "p1inc 1000 p2inc 0 movestogo 2", "movestogo 1"] {
        assert!(logs.contains(expected), "{expected}: {logs}");
    }
    let wrong = terzo(&folder, &[&players[..], &["--clock", "nobody=nodes=7"]].concat());
    assert!(
        wrong.code != Some(0) && wrong.err.contains("expected PLAYER=CONTROL with one of engine:"),
        "{}",
        wrong.err
    );
}

#[test]
fn openings_begin_where_they_are_told_to_and_a_seed_shuffles_them() {
    let folder = Folder::new("openings");
    let positions = [
        "0.../..../..../.... 1",
        "..../.2../..../.... 3",
        "..../..../..../...4 5",
        "6.../..../..../.... 7",
    ];
    std::fs::write(
        folder.file("positions.txt"),
        format!("# four\n{}\n", positions.join("\n\n")),
    )
    .unwrap();
    let begun = |more: &[&str]| -> Vec<usize> {
        let _ = std::fs::remove_file(folder.file("terzo.db"));
        let plan = words("tournament --game quarto --rounds 4 --players random novice --positions positions.txt");
        terzo(&folder, &[&plan[..], more].concat()).good();
        let mut begun: Vec<(u64, usize)> = games(&folder)
            .iter()
            .map(|game| {
                let at = positions
                    .iter()
                    .position(|position| game["start"] == *position)
                    .unwrap();
                (game["pair"].as_u64().unwrap(), at)
            })
            .collect();
        begun.sort_unstable();
        begun.dedup();
        begun.into_iter().map(|(_, at)| at).collect()
    };
    assert_eq!(begun(&[]), [0, 1, 2, 3]);
    assert_eq!(begun(&["--start", "3"]), [2, 3, 0, 1]);
    let shuffled = begun(&["--order", "random", "--seed", "5"]);
    assert_eq!(begun(&["--order", "random", "--seed", "5"]), shuffled);
    let mut sorted = shuffled.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [0, 1, 2, 3]);
    let others: Vec<Vec<usize>> = ["6", "7", "8"]
        .map(|seed| begun(&["--order", "random", "--seed", seed]))
        .into();
    assert!(others.iter().any(|other| *other != shuffled), "{shuffled:?} {others:?}");
    let wrong = terzo(
        &folder,
        &words("tournament --game quarto --players random novice --positions positions.txt --start 9"),
    );
    assert!(
        wrong.err.contains("expected to start with one of the 4 positions"),
        "{}",
        wrong.err
    );
}

#[test]
fn lines_in_a_pipe_tell_how_it_stands_and_games_are_written_for_others() {
    let folder = Folder::new("lines");
    let plan = words("tournament --game quarto --rounds 200 --players random novice --interim 1ms");
    let told = terzo(&folder, &plan).good();
    assert!(
        told.err.contains("/200 pairs, ") && told.err.contains("; novice "),
        "{}",
        told.err
    );
    let pgn = terzo(&folder, &["records", "export", "--format", "pgn"]).good().out;
    let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 400);
    for game in games {
        let (tags, moves) = game.split_once("\n\n").unwrap();
        let result = ["1-0", "0-1", "1/2-1/2"]
            .into_iter()
            .find(|result| moves.trim_end().ends_with(result))
            .unwrap();
        assert!(tags.contains(&format!("[Result \"{result}\"]")), "{game}");
        assert!(moves.starts_with("1. -."), "{game}");
    }
    let quiet = terzo(&folder, &[&plan[..9], &["0s"]].concat()).good();
    assert!(!quiet.err.contains("pairs, "), "{}", quiet.err);
}

#[test]
fn pinned_games_keep_their_programs_on_one_core() {
    let folder = Folder::new("pin");
    let (one, other) = (talker(&folder, 1), talker(&folder, 2));
    let players = [
        "tournament",
        "--game",
        "quarto",
        "--rounds",
        "2",
        "--pin",
        "--players",
        &one,
        &other,
    ];
    terzo(&folder, &players).good();
    let cores = std::fs::read_to_string(folder.file("cores")).unwrap();
    assert!(cores.split_whitespace().count() >= 2, "{cores}");
    assert!(cores.split_whitespace().all(|count| count == "1"), "{cores}");
}

#[test]
fn a_clock_for_the_whole_game_serves_three_seats() {
    let folder = Folder::new("three");
    let three = [
        "match", "trio", "random", "random", "random", "-n", "3", "--time", "game=30s",
    ];
    terzo(&folder, &three).good();
}

#[test]
fn who_comes_later_is_rated_with_the_others_and_nothing_is_played_again() {
    let folder = Folder::new("rate");
    let first = words("tournament --game quarto --rounds 30 --players random novice");
    terzo(&folder, &first).good();
    let newcomer = words("--players minimax:depth=2 random novice --format gauntlet");
    terzo(
        &folder,
        &[&["tournament", "--game", "quarto", "--rounds", "30"], &newcomer[..]].concat(),
    )
    .good();
    let rated = |ids: &[&str]| -> Value {
        terzo(&folder, &[&["records", "rate", "--json"], ids].concat())
            .good()
            .json()
    };
    let both = rated(&["1", "2"]);
    let names: Vec<&str> = both["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["minimax:depth=2", "novice", "random"], "{both}");
    assert_eq!(
        (&both["pairs"], &both["players"][2]["games"]),
        (&90.into(), &120.into()),
        "{both}"
    );
    // The order of the tournaments changes nothing, nor from which side a pair is seen.
    let turned = rated(&["2", "1"]);
    for (one, other) in both["players"]
        .as_array()
        .unwrap()
        .iter()
        .zip(turned["players"].as_array().unwrap())
    {
        assert_eq!((&one["name"], &one["points"]), (&other["name"], &other["points"]));
        let elo = |player: &Value| player["elo"]["value"].as_f64().unwrap();
        assert!((elo(one) - elo(other)).abs() < 1e-3, "{one} {other}");
    }
    // Of one tournament it is what that one's table says.
    let alone = terzo(&folder, &["records", "show", "1", "--json"]).good().json();
    let one = rated(&["1"]);
    assert_eq!(one["players"][0]["name"], "novice", "{one}");
    assert!(alone.to_string().contains("\"novice\""), "{alone}");
    let twice = terzo(&folder, &["records", "rate", "1", "1"]);
    assert!(
        twice.code == Some(2) && twice.err.contains("named twice"),
        "{}",
        twice.err
    );
}

#[test]
fn swiss_and_knockout_are_played_to_the_end_and_go_on_after_one() {
    let folder = Folder::new("stages");
    let players = words("--players random novice minimax:depth=2 minimax:depth=1 montecarlo:playouts=10");
    let begin = ["tournament", "--game", "quarto", "--format"];
    let swiss = |rounds| {
        terzo(
            &folder,
            &[&begin[..], &["swiss", "--rounds", rounds], &players].concat(),
        )
        .good()
    };
    swiss("2");
    assert_eq!(games(&folder).len(), 8);
    swiss("3");
    assert_eq!(games(&folder).len(), 12);
    assert!(swiss("3").err.contains("nothing new to play"));
    let knockout = terzo(
        &folder,
        &[&begin[..], &["knockout", "--rounds", "1"], &players].concat(),
    )
    .good();
    assert!(knockout.err.contains("has won the knockout"), "{}", knockout.err);
}
