//! Keeping a thread, and every program it starts, on one core.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;

/// Keeps this thread, and whatever it starts from now on, on one core: number `index` of those that this process may use, and
/// from the first one again if there are fewer.
///
/// # Errors
///
/// The system does not let us.
pub fn pin_this_thread(index: usize) -> io::Result<()> {
    let allowed = sched_getaffinity(None)?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let mut one = CpuSet::new();
    if let Some(&core) = cores.get(index % cores.len().max(1)) {
        one.set(core);
    }
    Ok(sched_setaffinity(None, &one)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_and_its_children_have_one_core_and_others_have_all() {
        let count = |set: &CpuSet| set.count();
        let all = count(&sched_getaffinity(None).unwrap());
        std::thread::spawn(|| {
            pin_this_thread(1).unwrap();
            let mine = sched_getaffinity(None).unwrap();
            assert_eq!(mine.count(), 1);
            let child = std::process::Command::new("grep")
                .args(["Cpus_allowed_list", "/proc/self/status"])
                .output()
                .unwrap();
            let list = String::from_utf8(child.stdout).unwrap();
            let core: usize = list.split_whitespace().last().unwrap().parse().unwrap();
            assert!(mine.is_set(core), "{list}");
        })
        .join()
        .unwrap();
        assert_eq!(count(&sched_getaffinity(None).unwrap()), all);
    }
}
