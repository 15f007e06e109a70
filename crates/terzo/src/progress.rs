//! A progress bar on standard error, where that is a terminal, and Ctrl-C that loses nothing.

use anyhow::Context;
use arena::contest::Control;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Runs `work` while a bar shows how many of `games` were played. The bar appears only if the work takes a while.
/// The first Ctrl-C lets the running games finish; the second one ends the program.
pub fn watch<T: Send>(games: u64, control: &Arc<Control>, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    let interrupted = control.clone();
    ctrlc::set_handler(move || {
        if interrupted.stop.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\nterzo: stopping after the running games; Ctrl-C again to end at once");
    })
    .context("cannot watch for Ctrl-C")?;

    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = "{bar:40} {human_pos}/{human_len} games, {per_sec:.0}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style)?);
    let done = AtomicBool::new(false);
    Ok(std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work();
            done.store(true, Ordering::Release);
            result
        });
        let step = Duration::from_millis(50);
        let mut waited = Duration::ZERO;
        while !worker.is_finished() && !done.load(Ordering::Acquire) {
            std::thread::park_timeout(step);
            waited += step;
            if waited >= Duration::from_millis(400) {
                bar.set_position(control.played.load(Ordering::Relaxed));
            }
        }
        bar.finish_and_clear();
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }))
}
