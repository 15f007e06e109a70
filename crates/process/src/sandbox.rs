//! A sandbox around a program: no network, and nothing written but in its own folder.
//!
//! Files are confined by Landlock: everything may be read and run, only the program's folder may be written. The network is taken
//! away by an empty network namespace; where the system refuses one, Landlock still forbids TCP. A program that has to connect to us
//! keeps its network, and Landlock allows it TCP to that one port. Landlock also keeps the program from sending signals to anybody
//! outside. What the system refused is told, never passed over.
//!
//! Entering a namespace is the one `unsafe` call: it may not be used to share or unshare what other threads hold, such as their
//! table of files. Here it is made by a process with one thread, between fork and exec, for namespaces only. That nothing can be
//! written outside and no connection be made is tested in `tests/limits.rs`.

#![allow(unsafe_code)]

use landlock::{
    ABI, Access, AccessFs, AccessNet, NetPort, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::process::{getgid, getuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs;
use std::path::Path;

/// The newest rights that are asked for; of these the system gives what it knows.
const KNOWN: ABI = ABI::V6;

/// What the system would not confine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Files outside the program's folder can be written.
    pub files: bool,
    /// The network can be reached, if only by other means than TCP.
    pub network: bool,
}

impl Gaps {
    pub(crate) fn bits(self) -> u8 {
        u8::from(self.files) | u8::from(self.network) << 1
    }

    pub(crate) fn of_bits(bits: u8) -> Gaps {
        Gaps {
            files: bits & 1 != 0,
            network: bits & 2 != 0,
        }
    }

    /// In words, if there are any.
    pub fn in_words(self) -> Option<&'static str> {
        match (self.files, self.network) {
            (false, false) => None,
            (true, false) => {
                Some("it can write files outside its folder: this system has no Landlock (Linux 5.13 or newer)")
            }
            (false, true) => Some("it can reach the network: this system gives no network namespace"),
            (true, true) => Some(
                "it can write files outside its folder and reach the network: this system has neither Landlock nor a network namespace to give",
            ),
        }
    }
}

/// A sandbox that is ready to be entered.
pub struct Sandbox {
    ruleset: Option<RulesetCreated>,
    /// Whether it has to connect to us.
    connects: bool,
    /// Who we are, as the maps of a user namespace write it.
    maps: [(&'static str, String); 3],
}

impl Sandbox {
    /// Gets one ready for a program in this folder, which may connect to this port. Without a folder it may write nowhere.
    pub fn new(folder: Option<&Path>, port: Option<u16>) -> Sandbox {
        let (user, group) = (getuid().as_raw(), getgid().as_raw());
        Sandbox {
            ruleset: ruleset(folder, port).ok(),
            connects: port.is_some(),
            maps: [
                ("/proc/self/setgroups", "deny".into()),
                ("/proc/self/uid_map", format!("{user} {user} 1")),
                ("/proc/self/gid_map", format!("{group} {group} 1")),
            ],
        }
    }

    /// Enters it, and says what the system refused.
    pub fn enter(&mut self) -> Gaps {
        let alone = !self.connects && self.leave_network();
        let held = match self.ruleset.take().map(RulesetCreated::restrict_self) {
            Some(Ok(status)) => status.ruleset,
            _ => RulesetStatus::NotEnforced,
        };
        Gaps {
            files: held == RulesetStatus::NotEnforced,
            network: !(alone || self.connects && held == RulesetStatus::FullyEnforced),
        }
    }

    /// Whether we are in an empty network now.
    fn leave_network(&self) -> bool {
        // SAFETY: this process has one thread, and namespaces are nothing that memory or files depend on; see above.
        let unshare = |flags| unsafe { unshare_unsafe(flags) }.is_ok();
        // Who may do anything needs no other user's namespace.
        if unshare(UnshareFlags::NEWNET) {
            return true;
        }
        let left = unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNET);
        if left {
            // Without these it runs as nobody, which is as good for who needs no files of its own.
            for (file, text) in &self.maps {
                let _ = fs::write(file, text);
            }
        }
        left
    }
}

fn ruleset(folder: Option<&Path>, port: Option<u16>) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?;
    if let Ok(root) = PathFd::new("/") {
        rules = rules.add_rule(PathBeneath::new(root, AccessFs::from_read(KNOWN)))?;
    }
    for device in ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"] {
        if let Ok(device) = PathFd::new(device) {
            rules = rules.add_rule(PathBeneath::new(device, AccessFs::from_file(KNOWN)))?;
        }
    }
    if let Some(Ok(folder)) = folder.map(PathFd::new) {
        rules = rules.add_rule(PathBeneath::new(folder, AccessFs::from_all(KNOWN)))?;
    }
    if let Some(port) = port {
        rules = rules.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
    }
    Ok(rules)
}
