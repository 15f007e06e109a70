//! From a folder of programs to commands that start them.
//!
//! A student is a file (`alice.py`) or a folder (`bob/`). A folder may say in `engine.toml` how its program starts; otherwise its
//! program is found by its name: an executable file, a `.jar`, or a source in a language that can be run or compiled here.

use anyhow::{Context, bail};
use arena::plan::EngineTable;
use process::{Program, ProgramStreams, ResourceLimits, Supervised};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A student, and how the program starts if that could be found out.
pub struct Student {
    /// What the tables call it: the name of the file or folder.
    pub name: String,
    /// The command, or why there is none.
    pub engine: Result<EngineTable, String>,
}

/// How long a compiler may take.
const COMPILING: Duration = Duration::from_secs(180);

/// What a compiler may use.
const COMPILER: ResourceLimits = ResourceLimits {
    memory: Some(4 << 30),
    cpu: Some(COMPILING),
    processes: Some(64),
    files: None,
    disk: Some(1 << 30),
    sandbox: true,
};

/// Names of a main file, the surest first, without their ending.
const MAIN: [&str; 6] = ["run", "agent", "player", "main", "bot", "engine"];

/// Endings of sources, and what runs them.
const LANGUAGES: [(&str, &str); 10] = [
    ("py", "python3"),
    ("js", "node"),
    ("mjs", "node"),
    ("sh", "sh"),
    ("pl", "perl"),
    ("rb", "ruby"),
    ("java", "java"),
    ("cpp", "c++"),
    ("cc", "c++"),
    ("c", "cc"),
];

/// The students of a folder by name. `output` is no student; what is compiled goes below it.
pub fn students(folder: &Path, output: &Path) -> anyhow::Result<Vec<Student>> {
    let here = || folder.display().to_string();
    let folder = folder.canonicalize().with_context(here)?;
    let output = output.canonicalize().with_context(|| output.display().to_string())?;
    let mut entries: Vec<PathBuf> = fs::read_dir(&folder)
        .with_context(here)?
        .collect::<Result<Vec<_>, _>>()
        .with_context(here)?
        .into_iter()
        .map(|entry| entry.path())
        .filter(|path| *path != output && !output.starts_with(path))
        .collect();
    entries.sort();
    let mut students = Vec::new();
    for path in entries {
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file_name.starts_with('.') || (path.is_file() && !is_program(&path)) {
            continue;
        }
        let name = match path.is_dir() {
            true => file_name,
            false => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        // `alice.py` beside `alice/`: both keep their whole names.
        let taken = students.iter().any(|other: &Student| other.name == name);
        let name = if taken {
            path.file_name().unwrap_or_default().to_string_lossy().replace('.', "-")
        } else {
            name
        };
        let engine = engine(&path, &name, &output).map_err(|error| format!("{error:#}"));
        students.push(Student { name, engine });
    }
    if students.is_empty() {
        bail!("{}: expected a file or a folder for each student, found none", here());
    }
    Ok(students)
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o111 != 0)
}

/// Whether a file alone can be a student.
fn is_program(path: &Path) -> bool {
    language(path).is_some() || ending(path) == "jar" || (ending(path).is_empty() && is_executable(path))
}

fn ending(path: &Path) -> String {
    path.extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase()
}

fn language(path: &Path) -> Option<&'static str> {
    let ending = ending(path);
    LANGUAGES
        .iter()
        .find(|(known, _)| *known == ending)
        .map(|(_, runner)| *runner)
}

fn engine(path: &Path, name: &str, output: &Path) -> anyhow::Result<EngineTable> {
    if path.is_file() {
        // It may write in a folder of its own, and not among the programs of the others.
        let own = output.join("work").join(name);
        fs::create_dir_all(&own).with_context(|| own.display().to_string())?;
        return started(path, name, own, output);
    }
    let said = path.join("engine.toml");
    if said.is_file() {
        let text = crate::files::read(&said, 1 << 16)?;
        let mut table: EngineTable = toml::from_str(&text).with_context(|| said.display().to_string())?;
        table.dir = Some(table.dir.map_or_else(|| path.to_path_buf(), |dir| path.join(dir)));
        return Ok(table);
    }
    started(&main_file(path, name)?, name, path.to_path_buf(), output)
}

/// The program in a folder.
fn main_file(folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && is_program(path))
        .collect();
    files.sort();
    let stem = |path: &PathBuf| {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase()
    };
    let named = MAIN
        .iter()
        .map(|main| (*main).to_owned())
        .chain([name.to_ascii_lowercase()]);
    for main in named {
        if let Some(found) = files.iter().find(|path| stem(path) == main) {
            return Ok(found.clone());
        }
    }
    match &files[..] {
        [only] => Ok(only.clone()),
        [] => bail!(
            "no program found: expected agent.py, Agent.java, agent.cpp or the like, or engine.toml with cmd and args"
        ),
        _ => bail!(
            "{} programs found, and none is called agent: name one so, or say in engine.toml which",
            files.len()
        ),
    }
}

/// How a file is started, compiled first if it must be.
fn started(file: &Path, name: &str, folder: PathBuf, output: &Path) -> anyhow::Result<EngineTable> {
    let text = file.display().to_string();
    let (cmd, args, start) = match language(file) {
        Some("java") => {
            // A Java machine that takes little: one collector thread, and memory within the limit.
            let words = [
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Xshare:auto",
            ];
            let args = words.iter().map(|word| (*word).to_owned()).chain([text]).collect();
            ("java".to_owned(), args, Some("60s"))
        }
        Some(compiler @ ("cc" | "c++")) => (compiled(file, name, compiler, output)?, Vec::new(), None),
        Some(runner) => (runner.to_owned(), vec![text], None),
        None if ending(file) == "jar" => ("java".to_owned(), vec!["-jar".to_owned(), text], Some("60s")),
        None => (text, Vec::new(), None),
    };
    Ok(EngineTable {
        cmd,
        args,
        dir: Some(folder),
        start: start.map(Into::into),
        ..EngineTable::default()
    })
}

/// Compiles a source, and says where the program is.
fn compiled(source: &Path, name: &str, compiler: &str, output: &Path) -> anyhow::Result<String> {
    let folder = output.join("build").join(name);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let (program, log) = (folder.join("program"), folder.join("compiler.log"));
    let text = |path: &Path| path.display().to_string();
    let errors = File::create(&log).with_context(|| text(&log))?;
    let command = Program {
        program: compiler.into(),
        arguments: vec!["-O2".into(), "-o".into(), text(&program), text(source)],
        folder: Some(folder.clone()),
        environment: [("TMPDIR".to_owned(), text(&folder))].into(),
        limits: COMPILER,
        ..Program::default()
    };
    let null = || File::options().read(true).write(true).open("/dev/null");
    let streams = ProgramStreams {
        input: null()?.into(),
        output: errors.try_clone()?.into(),
        errors: errors.into(),
    };
    let mut compiling = Supervised::start(&command, streams).with_context(|| format!("cannot start {compiler}"))?;
    match compiling.ended(COMPILING) {
        Some(status) if status.success() => Ok(text(&program)),
        Some(_) => {
            let said = crate::files::read(&log, 1 << 20).unwrap_or_default();
            let first: Vec<&str> = said.lines().take(12).collect();
            bail!("it does not compile:\n{}", first.join("\n"))
        }
        None => bail!("it does not compile within {} s", COMPILING.as_secs()),
    }
}
