//! The course's protocol over real sockets.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use course::{
    ANSWER_BYTES, ConnectedProgram, CourseError, CourseFault, CourseRecord, CourseSide, Host, HostedProgram,
    JoinOptions, MoveAnswer, MoveRequest, REQUEST_BYTES, ReplacedCount, Spawned, join, referee,
};
use game::{Game, Seat, Stop};
use process::ResourceLimits;
use stack4::run3::Run3;
use stack4::{Column, Position};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);
const QUICK: Duration = Duration::from_millis(300);

fn host() -> (Host, SocketAddr) {
    let host = Host::bind(0).unwrap();
    let address = host.address().unwrap();
    (host, address)
}

fn play(black: &mut dyn CourseSide, white: &mut dyn CourseSide) -> CourseRecord {
    referee(black, white, &Stop::never()).unwrap()
}

fn run3(position: &Position) -> Option<Column> {
    Run3 { defend: 20 }.choose(position)
}

fn first_legal(position: &Position) -> Option<Column> {
    Column::all().find(|&column| position.is_legal(column))
}

/// A program as a student might write it: raw bytes, and a way to misbehave for each package.
fn raw_program(address: SocketAddr, mut behave: impl FnMut(&MoveRequest, &mut TcpStream) -> bool + Send + 'static) {
    thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        // In two pieces, as TCP may deliver it.
        let team = 7i32.to_le_bytes();
        stream.write_all(&team[..1]).unwrap();
        thread::sleep(Duration::from_millis(20));
        stream.write_all(&team[1..]).unwrap();
        let mut bytes = [0; REQUEST_BYTES];
        while stream.read_exact(&mut bytes).is_ok() {
            let request = MoveRequest::decode(&bytes).unwrap();
            if request.code == 0 || !behave(&request, &mut stream) {
                break;
            }
        }
    });
}

fn answer(request: &MoveRequest, column: &str) -> [u8; ANSWER_BYTES] {
    MoveAnswer::new(request.package, column.parse().unwrap()).encode()
}

fn accept(host: &Host, time: Duration) -> ConnectedProgram {
    let program = host.accept(PATIENCE, time, &Stop::never()).unwrap();
    assert_eq!(program.team(), 7);
    program
}

/// A column with room that is not the first.
fn last_legal(request: &MoveRequest) -> String {
    let taken = request.stones[0] | request.stones[1];
    let open = |column: &Column| !taken.has(column.cell(5));
    Column::all().rev().find(open).unwrap().to_string()
}

#[test]
fn two_joined_players_play_the_game_that_they_would_play_at_home() {
    let (host, address) = host();
    let players: Vec<_> = [1, 2]
        .map(|team| {
            let handle = thread::spawn(move || {
                let options = JoinOptions {
                    team,
                    patience: PATIENCE,
                    wait: PATIENCE,
                };
                join(address, &options, run3).unwrap()
            });
            (team, handle)
        })
        .into();
    let mut programs: Vec<ConnectedProgram> = (0..2)
        .map(|_| host.accept(PATIENCE, PATIENCE, &Stop::never()).unwrap())
        .collect();
    programs.sort_by_key(ConnectedProgram::team);
    let [black, white] = programs.as_mut_slice() else {
        panic!("two programs");
    };
    let record = play(black, white);
    let at_home = play(&mut run3, &mut run3);
    assert_eq!(record, at_home);
    black.stop(&record.end);
    white.stop(&record.end);
    assert!(record.end.is_over());
    for (team, player) in players {
        let joined = player.join().unwrap();
        assert_eq!(joined.moves, 32, "team {team}");
        // The players followed the points, though the protocol does not send them.
        let seen = record.moves.len() - usize::try_from(3 - team).unwrap();
        let mut position = Position::new();
        record.moves[..seen]
            .iter()
            .for_each(|played| position.drop_stone(played.column));
        assert_eq!(joined.last, position);
    }
}

#[test]
fn a_late_move_is_replaced_and_its_answer_is_not_taken_for_the_next() {
    let (host, address) = host();
    raw_program(address, |request, stream| {
        if request.package == 2 {
            thread::sleep(2 * QUICK);
            // Legal, but too late.
            return stream.write_all(&answer(request, "22")).is_ok();
        }
        stream.write_all(&answer(request, &last_legal(request))).is_ok()
    });
    let mut program = accept(&host, QUICK);
    let record = play(&mut program, &mut first_legal);
    assert_eq!(record.moves[2].fault, Some(CourseFault::Late));
    assert_eq!(record.moves[2].column, "02".parse().unwrap());
    // The next package was answered after the late answer, possibly late as well, but never with 22.
    assert!(
        record
            .moves
            .iter()
            .step_by(2)
            .all(|played| played.column != "22".parse().unwrap() || played.fault.is_some())
    );
    let replaced = record.replaced(Seat::FIRST);
    assert!(
        replaced.late >= 1 && replaced.illegal + replaced.died == 0,
        "{replaced:?}"
    );
    assert_eq!(record.replaced(Seat::SECOND), ReplacedCount::default());
}

#[test]
fn an_illegal_move_is_replaced_by_the_first_legal_column() {
    let (host, address) = host();
    raw_program(address, |request, stream| {
        let mut bytes = answer(request, &last_legal(request));
        match request.package {
            // A corner, a column that does not exist, and a code that is not 1.
            1 => bytes[8..16].fill(0),
            2 => bytes[8..16].fill(0xff),
            3 => bytes[0] = 9,
            _ => {}
        }
        // In pieces.
        stream.write_all(&bytes[..5]).is_ok() && stream.write_all(&bytes[5..]).is_ok()
    });
    let mut program = accept(&host, PATIENCE);
    let record = play(&mut program, &mut run3);
    let faults: Vec<_> = record.moves.iter().step_by(2).map(|played| played.fault).collect();
    assert_eq!(faults[0], Some(CourseFault::Illegal { row: 0, col: 0 }));
    assert_eq!(faults[1], Some(CourseFault::Illegal { row: -1, col: -1 }));
    assert!(matches!(faults[2], Some(CourseFault::Illegal { .. })));
    assert!(faults[3..].iter().all(Option::is_none), "{faults:?}");
    assert_eq!(record.moves[0].column, "02".parse().unwrap());
    let three = ReplacedCount {
        illegal: 3,
        ..ReplacedCount::default()
    };
    assert_eq!(record.replaced(Seat::FIRST), three);
}

#[test]
fn a_program_that_dies_is_replaced_to_the_end_without_waiting() {
    let (host, address) = host();
    raw_program(address, |request, stream| {
        // Dies in the middle of its third answer.
        let bytes = answer(request, &last_legal(request));
        if request.package == 3 {
            let _ = stream.write_all(&bytes[..7]);
            return false;
        }
        stream.write_all(&bytes).is_ok()
    });
    let mut program = accept(&host, PATIENCE);
    let start = Instant::now();
    let record = play(&mut program, &mut run3);
    assert!(program.is_gone());
    assert!(start.elapsed() < PATIENCE);
    let faults: Vec<_> = record.moves.iter().step_by(2).map(|played| played.fault).collect();
    assert_eq!(faults[..2], [None, None]);
    assert!(faults[2..].iter().all(|fault| *fault == Some(CourseFault::Gone)));
    assert_eq!(record.moves.len(), 64);
    assert_eq!(
        (record.replaced(Seat::FIRST).died, record.died(Seat::FIRST)),
        (30, true)
    );
}

#[test]
fn a_dead_program_does_not_win_whatever_its_points() {
    // White never completes a line if it can help it: black leads, and dies on its last move.
    let mut patient = |position: &Position| {
        let completes = |column: &Column| position.completing(Seat::SECOND).iter().any(|(own, _)| own == column);
        let legal = || Column::all().filter(|&column| position.is_legal(column));
        legal().find(|column| !completes(column)).or_else(|| legal().next())
    };
    let mut dying = |position: &Position| run3(position).filter(|_| position.moves() < 62);
    let record = play(&mut dying, &mut patient);
    let [black, white] = record.end.score();
    assert!(black > white, "{black}:{white}");
    assert_eq!(record.winner(), Some(Seat::SECOND));
    let mut alive = run3;
    assert_eq!(play(&mut alive, &mut patient).winner(), Some(Seat::FIRST));
}

#[test]
fn who_connects_again_goes_on_where_the_game_is() {
    let (host, address) = host();
    let leaving = move |request: &MoveRequest, stream: &mut TcpStream| {
        // Hangs up instead of answering its fifth board, and is back in a moment.
        if request.package == 5 {
            raw_program(address, |request, stream| {
                stream.write_all(&answer(request, &last_legal(request))).is_ok()
            });
            return false;
        }
        stream.write_all(&answer(request, &last_legal(request))).is_ok()
    };
    raw_program(address, leaving);
    let program = host.accept(PATIENCE, PATIENCE, &Stop::never()).unwrap();
    let mut guest = HostedProgram::connected(&host, program);
    let record = play(&mut guest, &mut run3);
    assert_eq!(record.replaced(Seat::FIRST), ReplacedCount::default());
    assert!(!record.died(Seat::FIRST));
}

#[test]
fn a_server_that_is_not_up_yet_is_waited_for() {
    let (host, address) = host();
    drop(host);
    let options = JoinOptions {
        team: 7,
        patience: PATIENCE,
        wait: PATIENCE,
    };
    let player = thread::spawn(move || join(address, &options, run3));
    thread::sleep(2 * QUICK);
    let late = Host::bind_to(address).unwrap();
    let mut program = accept(&late, PATIENCE);
    assert!(program.ask(&Position::new()).is_ok());
    program.stop(&Position::new());
    assert_eq!(player.join().unwrap().unwrap().moves, 1);
}

/// Whether there is such a program; in CI there must be.
fn have(program: &str) -> bool {
    let found = std::process::Command::new(program).arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "{program} is not installed");
    found
}

#[test]
fn the_clients_that_students_copy_play_a_whole_game_in_both_languages() {
    process::supervise_with(Path::new(env!("CARGO_BIN_EXE_course-supervisor")));
    if !have("c++") || !have("python3") {
        return;
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/course");
    let agent = std::env::temp_dir().join(format!("terzo-course-agent-{}", std::process::id()));
    let compiled = std::process::Command::new("c++")
        .args(["-std=c++11", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&agent, &examples.join("agent.cpp")])
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let start = |team: u32, program: String| {
        let command = format!("env STACK4_PORT={{port}} STACK4_TEAM={team} {program}");
        Spawned::start(&command, ResourceLimits::default(), PATIENCE, PATIENCE, &Stop::never()).unwrap()
    };
    let mut cpp = start(4, format!("'{}'", agent.display()));
    let mut python = start(5, format!("python3 '{}'", examples.join("agent.py").display()));
    let _ = std::fs::remove_file(&agent);
    assert_eq!((cpp.program.team(), python.program.team()), (4, 5));
    let record = play(&mut cpp, &mut python);
    for seat in [Seat::FIRST, Seat::SECOND] {
        assert_eq!(record.replaced(seat), ReplacedCount::default());
    }
    assert_eq!(record.moves.len(), 64);
    // Told to stop, both end by themselves.
    for mut spawned in [cpp, python] {
        spawned.stop(&record.end);
        let ended = spawned.ended(PATIENCE);
        assert!(ended.is_some_and(|status| status.success()), "{ended:?}");
    }
}

#[test]
fn a_program_that_we_started_is_told_to_stop_before_it_is_ended() {
    process::supervise_with(Path::new(env!("CARGO_BIN_EXE_course-supervisor")));
    if !have("python3") {
        return;
    }
    let note = std::env::temp_dir().join(format!("terzo-course-stopped-{}", std::process::id()));
    let _ = std::fs::remove_file(&note);
    // Says its team, waits for a board that says stop, and writes down that it came.
    let script = "import socket,struct,sys\ns=socket.create_connection(('127.0.0.1',int(sys.argv[1])))\ns.sendall(struct.pack('<i',7))\nb=b''\nwhile len(b)<876: b+=s.recv(876)\nopen(sys.argv[2],'w').write(str(struct.unpack('<i',b[:4])[0]))";
    let command = format!(
        "bash -c 'python3 -c \"$0\" \"$1\" \"$2\"; true' \"{script}\" {{port}} {}",
        note.display()
    );
    let spawned = Spawned::start(&command, ResourceLimits::default(), PATIENCE, QUICK, &Stop::never()).unwrap();
    drop(spawned);
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "0");
    let _ = std::fs::remove_file(&note);
}

#[test]
fn a_program_that_floods_old_answers_does_not_hold_the_game_up() {
    let (host, address) = host();
    raw_program(address, |request, stream| {
        let noise = MoveAnswer {
            package: -5,
            ..MoveAnswer::new(0, "22".parse().unwrap())
        }
        .encode();
        (0..200).all(|_| stream.write_all(&noise).is_ok()) && request.package < 2
    });
    let mut program = accept(&host, QUICK);
    assert_eq!(program.ask(&Position::new()), Err(CourseFault::Late));
}

#[test]
fn who_connects_and_says_nothing_is_passed_over() {
    let (host, address) = host();
    let silent = TcpStream::connect(address).unwrap();
    drop(silent);
    raw_program(address, |_, _| false);
    accept(&host, PATIENCE);
    match host.accept(QUICK, QUICK, &Stop::never()) {
        Err(CourseError::Silent { .. }) => {}
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("nobody else connected"),
    }
}

#[test]
fn joining_nobody_and_joining_nonsense_are_errors() {
    let (host, address) = host();
    drop(host);
    let options = JoinOptions {
        team: 1,
        patience: QUICK,
        ..JoinOptions::default()
    };
    assert!(matches!(join(address, &options, run3), Err(CourseError::Io { .. })));

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let player = thread::spawn(move || join(address, &options, run3));
    let (mut stream, _) = listener.accept().unwrap();
    stream.write_all(&[1; REQUEST_BYTES]).unwrap();
    assert!(matches!(player.join().unwrap(), Err(CourseError::Protocol { .. })));
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let (_host, address) = host();
    let options = JoinOptions {
        team: 1,
        patience: QUICK,
        ..JoinOptions::default()
    };
    assert!(matches!(join(address, &options, run3), Err(CourseError::Silent { .. })));
}

#[test]
fn a_command_that_cannot_run_or_never_connects_is_an_error() {
    process::supervise_with(Path::new(env!("CARGO_BIN_EXE_course-supervisor")));
    assert!(matches!(
        Spawned::start(
            "./no-such-program {port}",
            ResourceLimits::default(),
            QUICK,
            QUICK,
            &Stop::never()
        ),
        Err(CourseError::Io { .. })
    ));
    assert!(Spawned::start("", ResourceLimits::default(), QUICK, QUICK, &Stop::never()).is_err());
    assert!(matches!(
        Spawned::start(
            "true {port}",
            ResourceLimits::default(),
            PATIENCE,
            QUICK,
            &Stop::never()
        ),
        Err(CourseError::Protocol { .. })
    ));
    assert!(matches!(
        Spawned::start(
            "sleep 60{port}",
            ResourceLimits::default(),
            QUICK,
            QUICK,
            &Stop::never()
        ),
        Err(CourseError::Silent { .. })
    ));
}
