//! Who descends from a process, by what the system says of all of them.

use rustix::process::Pid;
use std::collections::HashMap;

/// All processes that descend from this one, as far as they can be seen: those whose parents still live are found through
/// their parents.
pub fn of(ancestor: Pid) -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in entries.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        if let Some(parent) = std::fs::read_to_string(entry.path().join("stat"))
            .ok()
            .and_then(|stat| parent_in(&stat))
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = children.remove(&ancestor.as_raw_nonzero().get()).unwrap_or_default();
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        if let Some(more) = children.remove(pid) {
            found.extend(more);
        }
        next += 1;
    }
    found.into_iter().filter_map(Pid::from_raw).collect()
}

/// The same as far as processes tell of their children, without a look at all there are. `None` where the system does not say.
pub fn told_of(ancestor: Pid) -> Option<Vec<Pid>> {
    let mut found = children_of(ancestor.as_raw_nonzero().get())?;
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children_of(pid).unwrap_or_default());
        next += 1;
    }
    Some(found.into_iter().filter_map(Pid::from_raw).collect())
}

/// The children of a process, by the threads that had them. `None` if it is gone, or the system keeps no such list.
fn children_of(pid: i32) -> Option<Vec<i32>> {
    let mut children = Vec::new();
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        let told = std::fs::read_to_string(thread.path().join("children")).ok()?;
        children.extend(told.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
    }
    Some(children)
}

/// The parent's number in a line of `/proc/PID/stat`. The program's name stands before it in parentheses, and may hold any.
fn parent_in(stat: &str) -> Option<i32> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_full_of_parentheses_hides_no_parent() {
        assert_eq!(parent_in("12 (a) 3 (b) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in("nonsense"), None);
    }
}
