//! A cgroup for a program, where the system lets us have one: it is killed as a whole, however fast it forks.

use crate::limits::ResourceLimits;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const PREFIX: &str = "terzo-engine-";

/// A cgroup of version 2, below our own. It is taken away in the end.
pub struct Cgroup {
    folder: PathBuf,
}

impl Cgroup {
    /// A new one, if the system allows it: a version 2 hierarchy, our part of which we may write.
    pub fn new(limits: &ResourceLimits) -> Option<Cgroup> {
        let own = own_folder()?;
        sweep(&own);
        let folder = own.join(format!("{PREFIX}{}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let cgroup = Cgroup { folder };
        // Without this file (before Linux 5.14) there is nothing to gain.
        cgroup.folder.join("cgroup.kill").exists().then_some(())?;
        limit(&cgroup.folder, limits);
        Some(cgroup)
    }

    /// The file into which a process writes `0` to move itself here.
    pub fn entrance(&self) -> Option<File> {
        OpenOptions::new()
            .write(true)
            .open(self.folder.join("cgroup.procs"))
            .ok()
    }

    /// Kills all that is in it.
    pub fn kill(&self) {
        if let Ok(mut file) = OpenOptions::new().write(true).open(self.folder.join("cgroup.kill")) {
            let _ = file.write_all(b"1");
        }
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // It is empty as soon as its last process is no more, zombies not counted.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Has the system keep the limits of the whole family, where it does so in this hierarchy. The supervisor watches in any case.
fn limit(folder: &Path, limits: &ResourceLimits) {
    let wanted = [
        ("memory.max", limits.memory),
        ("pids.max", limits.processes.map(u64::from)),
    ];
    for (name, most) in wanted {
        let file = folder.join(name);
        if let (Some(most), true) = (most, file.exists()) {
            let _ = fs::write(file, most.to_string());
        }
    }
}

/// Where our own cgroup is, as a folder.
fn own_folder() -> Option<PathBuf> {
    let path = path_in(&fs::read_to_string("/proc/self/cgroup").ok()?)?;
    let (root, mount) = mount_in(&fs::read_to_string("/proc/self/mountinfo").ok()?)?;
    // In a container only a part of the hierarchy may be mounted.
    let below = path.strip_prefix(&root).unwrap_or(&path);
    Some(mount.join(below.strip_prefix("/").unwrap_or(below)))
}

/// Our path in the hierarchy of version 2: the line `0::PATH`.
fn path_in(cgroups: &str) -> Option<PathBuf> {
    cgroups
        .lines()
        .find_map(|line| line.strip_prefix("0::"))
        .map(Into::into)
}

/// What of that hierarchy is mounted, and where.
fn mount_in(mounts: &str) -> Option<(PathBuf, PathBuf)> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut fields = place.split(' ').skip(3);
        let (root, mount) = (fields.next()?, fields.next()?);
        kind.starts_with("cgroup2 ").then(|| (root.into(), mount.into()))
    })
}

/// Takes away what supervisors left that were killed themselves.
fn sweep(own: &Path) {
    let Ok(entries) = fs::read_dir(own) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else {
            continue;
        };
        if !Path::new("/proc").join(pid).exists() {
            let left = Cgroup { folder: entry.path() };
            left.kill();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_where_the_system_has_files_for_them() {
        let folder = std::env::temp_dir().join(format!("terzo-cgroup-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("memory.max"), "max").unwrap();
        limit(&folder, &"memory=1M,processes=3".parse().unwrap());
        assert_eq!(fs::read_to_string(folder.join("memory.max")).unwrap(), "1048576");
        assert!(!folder.join("pids.max").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn our_place_is_found_in_what_the_system_says() {
        assert_eq!(
            path_in("9:pids:/x\n0::/user.slice/a b\n"),
            Some("/user.slice/a b".into())
        );
        assert_eq!(path_in("9:pids:/x\n"), None);
        let mounts = "30 24 0:26 / /sys/fs/cgroup/pids rw shared:9 - cgroup cgroup rw,pids\n\
                      31 24 0:27 /part /sys/fs/cgroup/unified rw shared:10 - cgroup2 cgroup2 rw\n";
        assert_eq!(
            mount_in(mounts),
            Some(("/part".into(), "/sys/fs/cgroup/unified".into()))
        );
    }
}
