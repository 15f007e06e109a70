//! Who asks.

use crate::table::Person;
use std::net::IpAddr;

/// A client, as far as it can be told apart: its address, and the key that its browser keeps in a cookie. What must be
/// shared out fairly is shared among clients; what must be bounded is bounded by address, since anybody can drop a cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    /// Where from.
    pub address: Address,
    /// Who, at tables.
    pub person: Person,
}

/// An address: of IPv6 the network, since whoever has one address there has a whole network of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(IpAddr);

impl Address {
    /// The address to count.
    pub fn new(address: IpAddr) -> Self {
        Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() >> 64 << 64;
                IpAddr::V6(network.into())
            }
            address => address,
        })
    }

    /// Whether it is this machine.
    pub fn is_loopback(self) -> bool {
        // The loopback address of IPv6 is the only one of its network that is in use.
        match self.0 {
            IpAddr::V4(address) => address.is_loopback(),
            IpAddr::V6(address) => address.to_bits() == 0,
        }
    }
}

impl Client {
    /// Who sits at an address and shows a key.
    pub fn new(address: IpAddr, key: Option<&str>) -> Self {
        Client {
            address: Address::new(address),
            person: key.map_or(Person::WITHOUT_KEY, Person::of_key),
        }
    }

    #[cfg(test)]
    pub fn number(key: u64) -> Self {
        Client::new(std::net::Ipv4Addr::LOCALHOST.into(), Some(&key.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_address_and_a_mapped_address_is_its_own() {
        let address = |text: &str| Address::new(text.parse().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::2"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
        assert!(address("::1").is_loopback() && address("127.0.0.9").is_loopback());
    }
}
