//! The binary as a user meets it.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/patience.rs"]
mod patience;

use patience::Finish;
use serde_json::Value;
use std::process::{Command, Output};

fn terzo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_terzo")).args(arguments).finish()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs a command that must succeed and write exactly one JSON object.
fn json(arguments: &[&str]) -> Value {
    let output = terzo(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1, "one object, nothing else: {text}");
    serde_json::from_str(&text).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_match_reports_what_its_json_promises() {
    let report = json(&["match", "quarto", "novice", "random", "-n", "200", "--json"]);
    assert_eq!(
        keys(&report),
        [
            "game",
            "seed",
            "games",
            "turns_avg",
            "games_per_second",
            "first_fault",
            "first_fault_stderr",
            "players",
            "seats",
            "draws"
        ]
    );
    assert_eq!(report["games"], 200);
    let novice = &report["players"][0];
    assert_eq!(
        keys(novice),
        [
            "spec", "wins", "losses", "draws", "forfeits", "place_ms", "give_ms", "points", "replaced"
        ]
    );
    assert_eq!(keys(&novice["place_ms"]), ["avg", "max"]);
    assert!(novice["wins"].as_u64().unwrap() > 180);
    let seats = report["seats"].as_array().unwrap();
    let decided: u64 = seats.iter().map(|seat| seat["wins"].as_u64().unwrap()).sum();
    assert_eq!(decided + report["draws"].as_u64().unwrap(), 200);
}

#[test]
fn the_same_seed_gives_the_same_result_on_any_number_of_threads() {
    let counts = |jobs: &str, seed: &str| {
        let report = json(&[
            "match", "quarto", "novice", "random", "-n", "300", "--jobs", jobs, "--seed", seed, "--json",
        ]);
        let wins: Vec<Value> = report["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["wins"].clone())
            .collect();
        (wins, report["turns_avg"].clone())
    };
    assert_eq!(counts("1", "5"), counts("3", "5"));
    assert_ne!(counts("1", "5"), counts("1", "6"));
}

#[test]
fn perft_counts_from_the_start_and_from_a_position() {
    let report = json(&["perft", "quarto", "3", "--json"]);
    assert_eq!(keys(&report), ["game", "depth", "leaves", "seconds"]);
    assert_eq!(report["leaves"], 806_400);
    let report = json(&["perft", "quarto", "1", "--position", "012./..../..../.... 3", "--json"]);
    assert_eq!(report["leaves"], 1 + 12 * 12);
}

#[test]
fn show_draws_the_board_and_names_threats_and_safe_pieces() {
    let text = stdout(&terzo(&["show", "quarto", "016./..../..../.... 3"]));
    for expected in [
        "3, dark tall round solid",
        "a1 b1 c1 d1 waits on d1 for solid",
        "legal turns of seat 1: 145",
    ] {
        assert!(text.contains(expected), "{expected} in:\n{text}");
    }
    assert!(text.contains("safe to give on this board: 8 9 a b c d e f"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colour where there is no terminal");
    let report = json(&["show", "quarto", "016./..../..../.... 3", "--json"]);
    assert_eq!(report["legal_turns"], 145);
}

/// Report 000's figure 1.3: fifteen completing pieces, 4 + 4 + 3 + 4.
#[test]
fn show_prints_what_the_reports_would_compute() {
    let report = json(&["show", "quarto", ".e.4/.f8./.517/.... -", "--json"]);
    let fact = |begins: &str| {
        let facts = report["facts"].as_object().unwrap();
        let (_, items) = facts.iter().find(|(name, _)| name.starts_with(begins)).unwrap();
        items[0].as_str().unwrap().to_owned()
    };
    assert_eq!(fact("almost completed attributes"), "4");
    assert_eq!(fact("completing pieces, absolute"), "4+4+4+3=15");
    assert_eq!(fact("completing pieces, relative, h"), "1.67");
    assert_eq!(fact("terzos"), "3");
    assert_eq!(fact("guaranteed loss"), "no");
    assert_eq!(fact("no safe piece left"), "no");
    assert_eq!(fact("pieces that finish each 3-piece line"), "7");
    assert_eq!(fact("parity"), "0");
}

#[test]
fn games_and_players_are_listed() {
    let games = json(&["games", "--json"]);
    let games = games["games"].as_array().unwrap();
    let named = |start: &str| {
        games
            .iter()
            .filter(|game| game["name"].as_str().unwrap().starts_with(start))
            .count()
    };
    assert_eq!((named("quarto"), named("stack4")), (8, 1));
    let names: Vec<Value> = json(&["players", "--json"])["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["name"].clone())
        .collect();
    assert!(
        names.contains(&"random".into()) && names.contains(&"novice".into()),
        "{names:?}"
    );
}

#[test]
fn a_usage_error_exits_with_2_and_names_the_nearest_valid_word() {
    let cases: [(&[&str], &str); 8] = [
        (&["match", "quatro", "novice", "random"], "did you mean `quarto`?"),
        (&["match", "quarto", "novise", "random"], "did you mean `novice`?"),
        (&["match", "quarto", "novice:x=1", "random"], "no option `x`"),
        (&["show", "quarto", "0000"], "expected four rows"),
        (
            &["show", "quarto", "0.../..../...0/.... 5"],
            "piece 0 is on a1 and again on d3",
        ),
        (&["perft", "quarto", "many"], "invalid value 'many'"),
        (&["response", "quarto", "novice", "--games", "0"], "1..=1000000"),
        (&["mach", "quarto", "novice", "random"], "match"),
    ];
    for (arguments, expected) in cases {
        let output = terzo(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn what_is_wrong_with_a_rule_sheet_is_said_once() {
    let cases: [&[&str]; 2] = [&["perft", "gdl:/no/such.kif", "1"], &["show", "gdl:/no/such.kif"]];
    for arguments in cases {
        let said = stderr(&terzo(arguments));
        assert_eq!(
            said.matches("cannot read /no/such.kif").count(),
            1,
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn every_command_teaches_with_an_example() {
    for command in ["match", "perft", "show", "bench", "games", "players"] {
        let help = stdout(&terzo(&[command, "--help"]));
        assert!(help.contains("Example"), "{command}: {help}");
        assert!(help.contains("--json"), "{command}: {help}");
    }
}

#[test]
fn bench_prints_one_total_of_nodes_that_is_the_same_each_time() {
    let report = json(&["bench", "--json"]);
    assert_eq!(keys(&report), ["nodes", "seconds", "nodes_per_second", "cases"]);
    let cases = report["cases"].as_array().unwrap();
    let sum: u64 = cases.iter().map(|case| case["nodes"].as_u64().unwrap()).sum();
    assert_eq!(report["nodes"], sum);
    let text = stdout(&terzo(&["bench"]));
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with(&format!("{sum} nodes ")), "{last}");
}

#[test]
fn a_rule_sheet_is_measured_on_either_machine() {
    for machine in ["prover", "compiled"] {
        let report = json(&[
            "gdl",
            "bench",
            "tictactoe",
            "--seconds",
            "0.05",
            "--machine",
            machine,
            "--json",
        ]);
        assert_eq!(
            keys(&report),
            [
                "game",
                "machine",
                "build_seconds",
                "playouts_per_second",
                "states_per_second",
                "propositions",
                "components"
            ]
        );
        assert_eq!(report["machine"], machine);
        assert!(report["playouts_per_second"].as_f64().unwrap() > 1.0);
    }
}

#[test]
fn a_broken_rule_sheet_is_explained_and_refused() {
    let file = std::env::temp_dir().join(format!("terzo-broken-{}.kif", std::process::id()));
    std::fs::write(&file, "(role me)\n(<= (legal me (go ?x)) (role me))\n").unwrap();
    let name = file.to_str().unwrap();
    let output = terzo(&["gdl", "check", name, "tictactoe"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains(":2:19") && text.contains("?x is not safe"), "{text}");
    assert!(text.contains("tictactoe: 0 errors, 0 warnings"), "{text}");
    assert_eq!(terzo(&["gdl", "bench", name]).status.code(), Some(2));
    // This one reads well, and gets stuck in the second turn.
    let stuck = "(role me) (init (at 1)) (<= (legal me go) (true (at 1))) (<= (next (at 2)) (does me go))
        (<= terminal (true (at 3))) (goal me 0)";
    std::fs::write(&file, stuck).unwrap();
    let output = terzo(&["gdl", "check", name]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(
        text.contains("me has no legal move after 1 turn of") && text.contains("1 error"),
        "{text}"
    );
    let output = terzo(&["gdl", "check", name, "tictactoe", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["sheets"][0]["errors"], 1, "{told}");
    assert_eq!(told["sheets"][0]["diagnostics"][0]["line"], 1, "{told}");
    assert_eq!(told["sheets"][1]["trial"]["machine"], "compiled", "{told}");
    assert!(terzo(&["gdl", "check", name, "--seconds", "0"]).status.success());
    std::fs::remove_file(&file).unwrap();
    assert_eq!(terzo(&["gdl", "bench", "no-such-game"]).status.code(), Some(2));
}

#[test]
fn a_game_without_end_is_measured_no_longer_than_it_should_be() {
    let file = std::env::temp_dir().join(format!("terzo-endless-{}.kif", std::process::id()));
    let endless =
        "(role me) (init (at 1)) (legal me go) (<= (next (at 1)) (does me go)) (<= terminal (true (at 2))) (goal me 0)";
    std::fs::write(&file, endless).unwrap();
    for machine in ["prover", "compiled"] {
        let output = terzo(&[
            "gdl",
            "bench",
            file.to_str().unwrap(),
            "--seconds",
            "0.2",
            "--machine",
            machine,
        ]);
        assert!(output.status.success(), "{machine}");
        assert!(
            stdout(&output).contains("0.0 playouts a second"),
            "{machine}: {}",
            stdout(&output)
        );
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_slip_of_the_finger_does_not_bring_the_machine_to_its_knees() {
    let many = "1000000000";
    let position = "0.../..../...f/.... 5";
    let tournament = ["tournament", "--game", "quarto", "--players", "random", "novice"];
    let cases: [(&[&str], [&str; 2], &str); 7] = [
        (&["match", "quarto", "random", "random"], ["--jobs", many], "0..=1024"),
        (&["solve", "quarto", position], ["--threads", many], "0..=1024"),
        (&tournament, ["--concurrency", many], "0..=1024"),
        (&tournament, ["--seed", "9223372036854775808"], "below 2^63"),
        (&tournament, ["--plies", "4294967295"], "at most 100 plies"),
        (
            &["book", "verify", "quarto"],
            ["--sample", "99999999999999"],
            "0..=1000000",
        ),
        (&["solve", "quarto", position], ["--memory", "99999999G"], "cannot get"),
    ];
    for (command, slip, expected) in cases {
        let arguments = [command, &slip].concat();
        let output = terzo(&arguments);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {output:?}");
        let said = stderr(&output);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn an_endless_line_of_a_batch_is_refused() {
    let path = std::env::temp_dir().join(format!("terzo-endless-{}.txt", std::process::id()));
    std::fs::write(&path, ".".repeat(1 << 20)).unwrap();
    let output = terzo(&["solve", "quarto", "--batch", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("line 1: cannot be read: a line of more than 65536 bytes"),
        "{}",
        stderr(&output)
    );
}
