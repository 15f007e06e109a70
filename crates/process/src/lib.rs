//! A program outside and all it starts, from birth to death.
//!
//! A program may fork, leave its process group (`setsid`), or leave its parent (a double fork). Whatever it does, nothing of it
//! may run on when it has ended, nor when we have, however we end: `kill -9` included. So it is not our child. Between it and
//! us stands a supervisor, a small process for each program:
//!
//! ```text
//! we ── control socket ── supervisor ── program ── whatever it starts
//!  └────── pipes: standard input, output, error ──┘
//! ```
//!
//! - It is this very program, started again ([`supervise_if_asked`]).
//! - It learns of our death by the end of the control socket, which the system closes for whoever dies.
//! - It is a *child subreaper*: what loses its parent becomes its child, not that of process 1, so nothing can run away.
//! - When the program ends, or we do, or ask it to, it kills until it has no child left, and ends.
//! - Should it be killed itself, the program dies with it (a *parent-death signal*), and what the program started in its
//!   group is killed by us.
//! - Where the system lets us, the program lives in a cgroup of its own, which is killed as a whole.
//!
//! A program may have [`ResourceLimits`]: the system keeps those of a single process (`birth`), the supervisor looks after those of the whole
//! family (`usage`), and a sandbox keeps it from the network and from other people's files.
//!
//! What a program says goes directly to whoever holds its pipes: the supervisor sleeps while it plays.

mod birth;
mod cgroup;
mod descendants;
mod limits;
mod meter;
mod pin;
mod sandbox;
mod supervised;
mod supervisor;
mod usage;
mod wire;

pub use limits::{Excess, LimitsError, ResourceLimits};
pub use pin::pin_this_thread;
pub use sandbox::Gaps;
pub use supervised::{ProgramStreams, Supervised, sandbox_gaps};
pub use supervisor::{supervise_if_asked, supervise_with};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// A path, or a name that is looked up as a shell would.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; here if left out.
    pub folder: Option<PathBuf>,
    /// Variables of its environment, beside ours.
    pub environment: BTreeMap<String, String>,
    /// The port of this machine that it may connect to even in a sandbox: where whoever started it listens.
    #[serde(default)]
    pub port: Option<u16>,
    /// Never in a cgroup of its own, even where there could be one.
    pub without_cgroup: bool,
    /// What it may use.
    #[serde(default)]
    pub limits: ResourceLimits,
}
