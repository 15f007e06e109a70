//! Gives the binary the digest of everything that it is made from: programs of one digest play the same games.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What makes the program a tenth smaller, where the linker and the system know it: functions that are the same stand in it once, and
/// what is to be moved when it is loaded is listed as bits. The second makes it a program for systems with glibc 2.36 or newer, so who
/// builds for older machines sets `TERZO_PORTABLE`.
const SMALLER: [&str; 2] = ["-Wl,--icf=all", "-Wl,-z,pack-relative-relocs"];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("Cargo.lock")];
    let mut folders = vec![root.join("crates")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match path.is_dir() {
                // What is not in the binary may differ.
                true if ["tests", "benches", "examples", "e2e", "node_modules", "snapshots"].contains(&&*name) => (),
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    // A new file becomes part of the binary only by a change in an old one.
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    println!("cargo::rustc-env=TERZO_DIGEST={:012x}", digest(&root, &files) >> 16);
    println!("cargo::rerun-if-env-changed=TERZO_PORTABLE");
    let wanted = match std::env::var_os("TERZO_PORTABLE") {
        Some(_) => &SMALLER[..1],
        None => &SMALLER[..],
    };
    for argument in wanted.iter().filter(|argument| is_known(argument)) {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

/// Whether a program that is linked so also runs here: tried, since old linkers refuse it, and old systems do not start it.
fn is_known(argument: &str) -> bool {
    let said = |name: &str| std::env::var(name).unwrap_or_default();
    if said("PROFILE") != "release" || said("HOST") != said("TARGET") {
        return false;
    }
    let (source, program) = (
        Path::new(&said("OUT_DIR")).join("probe.rs"),
        Path::new(&said("OUT_DIR")).join("probe"),
    );
    if std::fs::write(&source, "fn main() {}").is_err() {
        return false;
    }
    let mut rustc = Command::new(said("RUSTC"));
    rustc
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .args(["-C", &format!("link-arg={argument}")]);
    rustc.args(
        said("CARGO_ENCODED_RUSTFLAGS")
            .split('\x1f')
            .filter(|flag| !flag.is_empty()),
    );
    if let Ok(linker) = std::env::var("RUSTC_LINKER") {
        rustc.args(["-C", &format!("linker={linker}")]);
    }
    let works = |command: &mut Command| {
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    };
    works(&mut rustc) && works(&mut Command::new(&program))
}

/// FNV-1a over names and contents.
fn digest(root: &Path, files: &[PathBuf]) -> u64 {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |bytes: &[u8]| {
        for &byte in bytes {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for path in files {
        eat(path.strip_prefix(root).unwrap_or(path).to_string_lossy().as_bytes());
        eat(&std::fs::read(path).unwrap_or_default());
    }
    digest
}
