//! How many connections and streams there may be: from one address, and in all.

use crate::client::Address;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many of something there are, by address.
#[derive(Default)]
pub struct Quota {
    open: Mutex<(usize, HashMap<Address, usize>)>,
}

/// A place among them; given back when dropped.
pub struct Ticket {
    quota: Arc<Quota>,
    address: Address,
}

impl Quota {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.open.lock().0
    }

    /// A place for one more of an address: at most `each`, and `all` together. On this machine only the whole counts.
    pub fn ticket(self: &Arc<Self>, address: Address, all: usize, each: usize) -> Option<Ticket> {
        let mut open = self.open.lock();
        let own = open.1.get(&address).copied().unwrap_or(0);
        if open.0 >= all || own >= each && !address.is_loopback() {
            return None;
        }
        open.1.insert(address, own + 1);
        open.0 += 1;
        Some(Ticket {
            quota: self.clone(),
            address,
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut open = self.quota.open.lock();
        open.0 -= 1;
        if let Some(own) = open.1.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                open.1.remove(&self.address);
            }
        }
    }
}

/// How often somebody did something in the minute that is running.
#[derive(Default)]
pub struct Rate {
    minute: Mutex<(Option<Instant>, HashMap<Address, u32>)>,
}

impl Rate {
    /// Counts one more, and says whether that is within the bound. On this machine there is none.
    pub fn allows(&self, address: Address, most: u32) -> bool {
        if address.is_loopback() {
            return true;
        }
        let mut minute = self.minute.lock();
        if minute.0.is_none_or(|began| began.elapsed() > Duration::from_secs(60)) {
            *minute = (Some(Instant::now()), HashMap::new());
        }
        let count = minute.1.entry(address).or_default();
        *count = count.saturating_add(1);
        *count <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_bound_for_each_address_and_for_all_and_who_leaves_makes_room() {
        let quota = Arc::new(Quota::default());
        let far = Address::new([10, 0, 0, 1].into());
        let other = Address::new([10, 0, 0, 2].into());
        let here = Address::new(std::net::Ipv4Addr::LOCALHOST.into());
        let first = quota.ticket(far, 3, 1).unwrap();
        assert!(quota.ticket(far, 3, 1).is_none());
        let _second = quota.ticket(other, 3, 1).unwrap();
        drop(first);
        let _again = quota.ticket(far, 3, 1).unwrap();
        let _local = quota.ticket(here, 3, 1).unwrap();
        assert_eq!(quota.count(), 3);
        assert!(quota.ticket(here, 3, 1).is_none());
    }

    #[test]
    fn who_is_elsewhere_does_something_only_so_often() {
        let rate = Rate::default();
        let far = Address::new([10, 0, 0, 1].into());
        let here = Address::new(std::net::Ipv4Addr::LOCALHOST.into());
        assert_eq!([0; 3].map(|_| rate.allows(far, 2)), [true, true, false]);
        assert_eq!([0; 3].map(|_| rate.allows(here, 2)), [true; 3]);
    }
}
