//! Where work is done, in a build without the feature `nats`: here.

use arena::queue::{Local, Queue, Work};

/// Never somewhere else.
#[derive(clap::Args, Clone, Default)]
pub struct On {}

/// A queue.
pub struct Hired<W> {
    pub queue: Box<dyn Queue<W>>,
    pub crew: Option<Box<dyn Fn() -> String>>,
}

impl On {
    /// Whether others do the work.
    pub fn elsewhere(&self) -> bool {
        false
    }

    /// Nothing can be wrong with it.
    pub fn check(&self) -> anyhow::Result<()> {
        Ok(())
    }

    /// So many threads.
    pub fn hire<W: Work>(&self, threads: usize, _run: &[&str]) -> anyhow::Result<Hired<W>> {
        Ok(Hired {
            queue: Box::new(Local { threads }),
            crew: None,
        })
    }
}
