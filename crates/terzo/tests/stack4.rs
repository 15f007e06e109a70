//! Stack Four as a user meets it, and its TCP server and client as two processes.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/words.rs"]
mod words;

use folder::Folder;
use patience::{Finish, Lines, finish_child};
use serde_json::Value;
use std::process::Stdio;
use words::{json, terzo};

#[test]
fn perft_counts_24_moves_a_turn() {
    assert_eq!(json("perft stack4 4 --json")["leaves"], 24u64.pow(4));
}

#[test]
fn the_reports_player_beats_chance_and_the_strong_one_beats_both() {
    let report = json("match stack4 run3 random -n 40 --json");
    assert!(report["players"][0]["wins"].as_u64().unwrap() >= 38, "{report}");
    for weaker in ["random", "run3:defend=0"] {
        let report = json(&format!("match stack4 strong:nodes=20000 {weaker} -n 2 --json"));
        assert_eq!(report["players"][0]["wins"], 2, "{report}");
    }
}

#[test]
fn show_tells_the_points_and_where_lines_can_be_completed() {
    let position = "b,./.,.,w,./b,b,b,.,.,./.,.,.,.,.,./w,.,.,w/.,.:w:0:0";
    let report = json(&format!("show stack4 {position} --json"));
    assert_eq!(report["facts"]["black completes a line in"], serde_json::json!(["23"]));
    // The report's 513 bits are written and read.
    let bits = report["facts"]["state string of report 003, without the last stone"][0]
        .as_str()
        .unwrap();
    assert_eq!(bits.len(), 513);
    let again = json(&format!("show stack4 {bits} --json"));
    assert_eq!(again["position"], report["position"]);
    let output = terzo("show stack4 .,.:b:0:0").finish();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 rows where 6 were expected"));
}

#[test]
fn a_player_joins_a_host_over_tcp() {
    let mut host = terzo("stack4 host --port 0 --player random --games 2 --json --patience 60")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = Lines::of(host.stderr.take().unwrap()).next();
    let port = said.trim().rsplit(':').next().unwrap().to_owned();
    let joined = json(&format!(
        "stack4 join --port {port} --team 7 --player run3:defend=20 --json"
    ));
    assert_eq!(joined["moves"], 64);

    let output = finish_child(host, "the host");
    assert!(output.status.success());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["sides"], serde_json::json!(["random", "team 7"]));
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    for game in games {
        let none = serde_json::json!({"late": 0, "illegal": 0, "died": 0});
        assert_eq!(game["replaced"], serde_json::json!([none, none]));
        assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), 64);
    }
    let total: u64 = report["tournament_points"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(total, 4);
}

#[test]
fn a_host_that_is_not_there_and_a_player_that_does_not_exist_are_told_apart() {
    let nobody = terzo("stack4 join --port 1 --wait 0 --player run3").finish();
    assert_eq!(nobody.status.code(), Some(1));
    let unknown = terzo("stack4 join --player storng").finish();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("did you mean `strong`?"));
}

#[test]
fn a_program_of_the_course_plays_a_match_and_its_faults_are_told() {
    let ours = env!("CARGO_BIN_EXE_terzo");
    let program = format!("course:'{ours}' stack4 join --port {{port}} --team 7 --player run3");
    let output = std::process::Command::new(ours)
        .args(["match", "stack4", &program, "random", "-n", "2", "--json"])
        .finish();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["players"][0]["wins"], 2, "{report}");

    let elsewhere = std::process::Command::new(ours)
        .args(["match", "quarto", &program, "random", "-n", "2"])
        .finish();
    let said = String::from_utf8_lossy(&elsewhere.stderr).into_owned();
    assert!(said.contains("play `stack4` only"), "{said}");
}

#[test]
fn programs_that_always_take_the_courses_port_play_one_game_at_a_time_and_forfeit_none() {
    let ours = env!("CARGO_BIN_EXE_terzo");
    let program = format!("course:bash -c '\"$0\" stack4 join --team 7 --wait 20 --player run3; true' '{ours}'");
    let output = std::process::Command::new(ours)
        .args([
            "match", "stack4", &program, "random", "-n", "6", "--jobs", "2", "--json",
        ])
        .finish();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("one game at a time") && said.contains("port 8888"),
        "{said}"
    );
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["players"][0]["forfeits"], 0, "{report}");
    assert_eq!(report["players"][0]["wins"], 6, "{report}");
    let points = &report["players"][0]["points"];
    assert!(points["difference"].as_i64().unwrap() > 0, "{report}");
    assert_eq!(points["made"], report["players"][1]["points"]["allowed"]);
    assert_eq!(
        report["players"][0]["replaced"],
        serde_json::json!({"late": 0, "illegal": 0, "died": 0})
    );
}

#[test]
fn late_and_illegal_moves_are_counted_wherever_a_game_is_told() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "python3 is not installed");
        return;
    }
    let folder = Folder::new("course-replaced");
    // Its first move is late, its second illegal; then the last legal column.
    let script = "import socket,struct,sys,time\ns=socket.create_connection(('127.0.0.1',int(sys.argv[1])))\ns.sendall(struct.pack('<i',7))\nn=0\nwhile True:\n  b=b''\n  while len(b)<876:\n    c=s.recv(876-len(b))\n    if not c: sys.exit()\n    b+=c\n  w=struct.unpack('<219i',b)\n  if w[0]==0: sys.exit()\n  n+=1\n  if n==1: time.sleep(1.8)\n  top=w[2+5*36:2+6*36]\n  free=[i for i in range(36) if top[i]==0]\n  r,c=divmod(free[-1],6)\n  if n==2: r,c=0,0\n  s.sendall(struct.pack('<4i',1,w[1],r,c))\n";
    std::fs::write(folder.file("slow.py"), script).unwrap();
    let program = "course:python3 slow.py {port}";
    let terzo = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_terzo"))
            .args(arguments)
            .current_dir(&folder.0)
            .finish();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let counted = serde_json::json!({"late": 2, "illegal": 2, "died": 0});
    let time = ["--time", "move=1500ms"];
    let text = terzo(&[&["match", "stack4", program, "random", "-n", "2", "--json"], &time[..]].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["players"][0]["replaced"], counted, "{report}");
    let game = [
        "tournament",
        "--game",
        "stack4",
        "--rounds",
        "1",
        "--db",
        "course.db",
        "--players",
        program,
        "random",
    ];
    let text = terzo(&[&game[..], &["--json"], &time[..]].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["players"][0]["replaced"], counted, "{report}");
    assert!(report["players"][0]["game_points"]["made"].is_i64(), "{report}");
    let exported = terzo(&["records", "export", "--db", "course.db", "--format", "jsonl"]);
    let first: Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["times"][0]["replaced"], &first["times"][2]["replaced"]),
        (&"late".into(), &"illegal".into())
    );
    assert!(first["points"].is_array(), "{first}");
    let text = terzo(&["records", "export", "--db", "course.db", "--format", "csv"]);
    assert!(
        text.lines()
            .next()
            .unwrap()
            .ends_with("points1,points2,late1,late2,illegal1,illegal2,processor1,processor2"),
        "{text}"
    );
    let last: Vec<&str> = text.lines().nth(1).unwrap().rsplit(',').take(6).collect();
    assert_eq!(last[2..], ["0", "1", "0", "1"], "{text}");
    // The program's processor time is told; a player of ours has none of its own.
    assert!(last[1].parse::<f64>().is_ok() && last[0].is_empty(), "{text}");
    let text = terzo(&[
        "stack4",
        "host",
        "--port",
        "0",
        "--program",
        "python3 slow.py {port}",
        "--player",
        "random",
        "--games",
        "1",
        "--time",
        "1500",
        "--json",
    ]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        report["games"][0]["replaced"][1],
        serde_json::json!({"late": 1, "illegal": 1, "died": 0}),
        "{report}"
    );
}
