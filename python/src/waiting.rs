//! Work that takes long: other threads of Python run meanwhile, Ctrl-C ends it, and so does the end of the interpreter.

use crate::guests;
use game::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Searches are as deep as games are long.
const STACK: usize = 64 << 20;

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(30);

/// How long the interpreter waits for work to end before it ends itself.
const LAST: Duration = Duration::from_secs(5);

/// Raised when the interpreter ends.
static EXIT: LazyLock<Stop> = LazyLock::new(Stop::new);

/// Calls that are under way.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// The process that imported this module.
static PROCESS: AtomicU32 = AtomicU32::new(0);

pub fn note_process() {
    PROCESS.store(process::id(), Ordering::Relaxed);
}

/// Whether this process was forked from the one that imported the module: threads that waited there for work are not here.
fn is_forked() -> bool {
    PROCESS.load(Ordering::Relaxed) != process::id()
}

/// A call that is under way; the interpreter does not end before it does.
pub struct UnderWay;

impl UnderWay {
    pub fn begin() -> PyResult<UnderWay> {
        UNDER_WAY.fetch_add(1, Ordering::SeqCst);
        let call = UnderWay;
        match EXIT.is_raised() {
            true => Err(PyRuntimeError::new_err("the interpreter is ending")),
            false => Ok(call),
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends all work, so that no thread of ours comes back to an interpreter that is gone. Called by `atexit`.
#[pyfunction(name = "_end")]
pub fn end(py: Python) {
    if is_forked() {
        return;
    }
    EXIT.raise();
    let began = Instant::now();
    py.detach(|| {
        while UNDER_WAY.load(Ordering::SeqCst) > 0 && began.elapsed() < LAST {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no words")
}

/// A sign that is raised when the interpreter ends; who waits under it raises it on Ctrl-C.
pub fn sign() -> Stop {
    EXIT.child()
}

/// Does some work on a thread of its own, while others may use the interpreter. Now and then `tick` is called. Ctrl-C, and an error of
/// `tick`, raise the stop sign that the work looks at, and come back as the error.
pub fn wait<T: Send>(
    py: Python,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
    mut tick: impl FnMut(Python) -> PyResult<()> + Send,
) -> PyResult<T> {
    let _call = UnderWay::begin()?;
    py.detach(move || {
        std::thread::scope(|scope| {
            let (done, heard) = sync_channel(1);
            let worker = std::thread::Builder::new()
                .name("terzo".into())
                .stack_size(STACK)
                .spawn_scoped(scope, move || {
                    let result = catch_unwind(AssertUnwindSafe(|| pooled(work)));
                    let _ = done.send(());
                    result
                })
                .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
            let mut failed = None;
            while heard.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                let looked = Python::try_attach(|py| match failed {
                    None => py.check_signals().and_then(|()| tick(py)),
                    // A callback that does not look at its clock is interrupted as Ctrl-C would have done it.
                    Some(_) => guests::interrupt(py),
                });
                if let Some(Err(error)) = looked {
                    stop.raise();
                    failed.get_or_insert(error);
                }
            }
            let result = worker.join().unwrap_or_else(Err);
            match (failed, result) {
                (Some(error), _) => Err(error),
                (None, Ok(result)) => Ok(result),
                (None, Err(panic)) => Err(of_panic(panic.as_ref())),
            }
        })
    })
}

/// A panic as an exception.
fn of_panic(panic: &(dyn Any + Send)) -> PyErr {
    PyRuntimeError::new_err(format!("a defect of Terzo, please report it: {}", words(panic)))
}

/// The same without anything to do meanwhile.
pub fn wait_quietly<T: Send>(py: Python, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    let stop = sign();
    wait(py, &stop, || work(&stop), |_| Ok(()))
}

/// In a forked process the common threads of searches do not exist; there the work gets threads of its own.
fn pooled<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match is_forked().then(|| rayon::ThreadPoolBuilder::new().build()) {
        Some(Ok(pool)) => pool.install(work),
        _ => work(),
    }
}

/// How many threads: all cores for 0.
pub fn threads(wanted: usize) -> PyResult<usize> {
    match wanted {
        0 => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
        1..=arena::plan::MOST_THREADS => Ok(wanted),
        _ => Err(pyo3::exceptions::PyValueError::new_err(format!(
            "threads: expected at most {}, found {wanted}",
            arena::plan::MOST_THREADS
        ))),
    }
}

/// Shows what becomes of a panic.
#[pyfunction(name = "_panic_for_tests")]
pub fn panic_for_tests(py: Python, message: String) -> PyResult<()> {
    wait_quietly(py, move |_| panic!("{message}"))
}
