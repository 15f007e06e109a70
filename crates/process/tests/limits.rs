//! Programs that take more than they may, and what becomes of them.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use process::{Excess, Program, ProgramStreams, Supervised, sandbox_gaps, supervise_with};
use std::io::{PipeReader, Read, pipe};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Where waiting ends, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn null() -> OwnedFd {
    let null = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null");
    null.unwrap().into()
}

fn start(program: &str, script: &str, limits: &str, folder: Option<PathBuf>) -> (Supervised, PipeReader) {
    supervise_with(Path::new(env!("CARGO_BIN_EXE_supervisor")));
    let (output, theirs) = pipe().unwrap();
    let theirs = OwnedFd::from(theirs);
    let program = Program {
        program: program.into(),
        arguments: vec!["-c".into(), script.into()],
        folder,
        limits: limits.parse().unwrap(),
        ..Program::default()
    };
    let streams = ProgramStreams {
        input: null(),
        output: theirs.try_clone().unwrap(),
        errors: theirs,
    };
    (Supervised::start(&program, streams).unwrap(), output)
}

/// Runs a program to its end: the limit it broke, whether it succeeded, and what it wrote.
fn run(program: &str, script: &str, limits: &str, folder: Option<PathBuf>) -> (Option<Excess>, bool, String) {
    let (mut supervised, mut output) = start(program, script, limits, folder);
    let status = supervised.ended(PATIENCE).expect("the program does not end");
    supervised.kill();
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    (supervised.exceeded(), status.success(), text)
}

fn has(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|told| told.status.success())
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("terzo-limits-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn who_keeps_within_its_limits_notices_nothing() {
    let limits = "memory=1G,cpu=60s,processes=9,files=64,disk=1G,sandbox";
    let (excess, well, text) = run("sh", "(sleep 0.2; echo one) & wait; echo two", limits, None);
    assert_eq!((excess, well, text.as_str()), (None, true, "one\ntwo\n"));
}

#[test]
fn memory_of_all_processes_together_is_limited() {
    if !has("python3") {
        return eprintln!("skipped: there is no python3");
    }
    // Each of them takes less than the limit.
    let script = "import os,time\nfor i in range(8):\n    if os.fork() == 0: break\nx = bytearray(60 << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(1000)";
    let (excess, well, _) = run("python3", script, "memory=256M", None);
    assert_eq!((excess, well), (Some(Excess::Memory), false));
}

#[test]
fn a_process_that_asks_for_too_much_at_once_is_refused() {
    if !has("python3") {
        return eprintln!("skipped: there is no python3");
    }
    let (_, well, text) = run("python3", "x = bytearray(3 << 30)", "memory=512M", None);
    assert!(!well && text.contains("MemoryError"), "{text}");
}

#[test]
fn processor_time_is_limited_and_counted_anew_from_a_mark() {
    let spin = "while :; do :; done & while :; do :; done";
    let (excess, well, _) = run("sh", spin, "cpu=300ms", None);
    assert_eq!((excess, well), (Some(Excess::Cpu), false));
    // About half a second of work, in small pieces, with marks between.
    let work =
        "i=0; while [ $i -lt 20 ]; do i=$((i + 1)); j=0; while [ $j -lt 20000 ]; do j=$((j + 1)); done; echo; done";
    let (mut supervised, mut output) = start("sh", work, "cpu=2s", None);
    let mut byte = [0];
    while output.read(&mut byte).unwrap() == 1 {
        supervised.mark();
    }
    assert!(supervised.ended(PATIENCE).unwrap().success());
    assert_eq!(supervised.exceeded(), None);
}

#[test]
fn processor_time_is_told_of_a_program_alone_and_of_one_with_children() {
    let spin = "while :; do :; done";
    for script in [
        spin.to_owned(),
        format!("({spin}) & exec sleep 1000"),
        format!("(setsid sh -c '{spin}' &) & exec sleep 1000"),
    ] {
        let (mut supervised, _output) = start("sh", &script, "cpu=1000s", None);
        let began = Instant::now();
        while supervised.processor_time().unwrap_or_else(|| panic!("{script}")) < Duration::from_millis(200) {
            assert!(began.elapsed() < PATIENCE, "{script}");
            std::thread::sleep(Duration::from_millis(5));
        }
        supervised.kill();
        assert_eq!(supervised.processor_time(), None, "{script}");
    }
}

#[test]
fn the_number_of_processes_is_limited() {
    let many = "i=0; while [ $i -lt 20 ]; do i=$((i + 1)); sleep 1000 & done; wait";
    let (excess, well, _) = run("sh", many, "processes=10", None);
    assert_eq!((excess, well), (Some(Excess::Processes), false));
}

#[test]
fn files_are_limited_in_size_and_number() {
    let folder = Folder::new("files");
    let fill = "dd if=/dev/zero of=big bs=64k count=1000 2>/dev/null; echo $?";
    let (_, _, text) = run("sh", fill, "disk=1M", Some(folder.0.clone()));
    assert_ne!(text.trim(), "0");
    assert!(std::fs::metadata(folder.0.join("big")).unwrap().len() <= 1 << 20);
    let (_, _, text) = run("sh", "ulimit -n; ulimit -Hn", "files=64", None);
    assert_eq!(text, "64\n64\n");
}

#[test]
fn what_is_written_to_disk_is_limited_in_all() {
    // Where the temporary folder is memory, nothing goes to a disk: a folder of the build is on one.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("disk-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Some file systems do not say what goes to a disk.
    let written = || {
        let io = std::fs::read_to_string("/proc/self/io").unwrap_or_default();
        let line = io
            .lines()
            .find_map(|line| line.strip_prefix("write_bytes: ").map(str::to_owned));
        line.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0)
    };
    let before = written();
    std::fs::write(folder.join("probe"), vec![1; 8 << 20]).unwrap();
    if written() < before + (4 << 20) {
        std::fs::remove_dir_all(&folder).unwrap();
        return eprintln!("skipped: what is written here is not counted");
    }
    let fill = "i=0; while :; do i=$((i + 1)); dd if=/dev/zero of=file-$i bs=64k count=16 2>/dev/null; done";
    let (excess, well, _) = run("sh", fill, "disk=32M", Some(folder.clone()));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((excess, well), (Some(Excess::Disk), false));
}

#[test]
fn in_a_sandbox_nothing_outside_the_folder_can_be_written() {
    let (inside, outside) = (Folder::new("inside"), Folder::new("outside"));
    std::fs::write(outside.0.join("secret"), "kept").unwrap();
    let script = format!(
        "cd '{0}'; for act in 'echo x >new' 'echo x >secret' 'rm secret' 'mkdir here' 'mv secret other'; do (eval \"$act\") 2>/dev/null && echo \"did $act\"; done; \
         cat secret; cd '{1}' && echo y >mine && echo z >/dev/null && echo well",
        outside.0.display(),
        inside.0.display()
    );
    let gaps = gaps();
    let (excess, well, text) = run("sh", &script, "sandbox", Some(inside.0.clone()));
    if gaps.files {
        return eprintln!("skipped: {:?}", gaps.in_words());
    }
    assert_eq!((excess, well, text.as_str()), (None, true, "keptwell\n"));
    assert_eq!(std::fs::read_to_string(outside.0.join("secret")).unwrap(), "kept");
    assert_eq!(std::fs::read_to_string(inside.0.join("mine")).unwrap(), "y\n");
}

fn gaps() -> process::Gaps {
    supervise_with(Path::new(env!("CARGO_BIN_EXE_supervisor")));
    sandbox_gaps().unwrap()
}

#[test]
fn in_a_sandbox_there_is_no_network_and_nobody_outside_can_be_killed() {
    if !has("python3") {
        return eprintln!("skipped: there is no python3");
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let udp = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let script = format!(
        "import os,signal,socket\n\
         try: socket.create_connection(('127.0.0.1', {port}), 5); print('connected')\n\
         except OSError: print('alone')\n\
         try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {}))\n\
         except OSError: pass\n\
         try: os.kill({}, 0); print('killed')\n\
         except OSError: print('harmless')",
        udp.local_addr().unwrap().port(),
        std::process::id()
    );
    let (open, _, text) = run("python3", &script, "files=64", None);
    assert_eq!((open, text.as_str()), (None, "connected\nkilled\n"));
    udp.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    udp.recv(&mut [0; 8]).unwrap();
    let (_, _, text) = run("python3", &script, "sandbox", None);
    let gaps = gaps();
    if !gaps.network {
        assert!(text.starts_with("alone\n"), "{text}");
        assert!(udp.recv(&mut [0; 8]).is_err());
    }
    if !gaps.files {
        assert!(text.starts_with("alone\n"), "{text}");
    }
}
