//! Whose request it is: a program's, or that of a web page.
//!
//! Browsers let any page on the web send messages to ports of this machine. They say whose page it is, though: in `Origin`, else
//! in `Referer` or `Sec-Fetch-Site`; and a page whose name was made to point here gives itself away in `Host`. Pages of this machine
//! are welcome, and so are programs, which say nothing of the kind.

use super::HttpError;
use std::net::IpAddr;

/// What the headers say about the sender.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sender {
    host: Option<String>,
    origin: Option<String>,
    referer: Option<String>,
    site: Option<String>,
}

impl Sender {
    /// What these headers say.
    pub fn of(headers: &[httparse::Header]) -> Sender {
        let value = |name: &str| {
            let header = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
            Some(String::from_utf8_lossy(header.value).trim().to_ascii_lowercase())
        };
        Sender {
            host: value("host"),
            origin: value("origin"),
            referer: value("referer"),
            site: value("sec-fetch-site"),
        }
    }

    /// Refuses pages from elsewhere; `inside` says that the connection never left this machine.
    pub fn admit(&self, inside: bool) -> Result<(), HttpError> {
        if let Some(page) = self.origin.as_ref().or(self.referer.as_ref()) {
            return match is_here(name_of(page)) {
                true => Ok(()),
                false => Err(HttpError::Elsewhere(page.clone())),
            };
        }
        if self.site.as_deref() == Some("cross-site") {
            return Err(HttpError::Elsewhere("another site".into()));
        }
        match &self.host {
            Some(host) if inside && is_public(name_of(host)) => Err(HttpError::Elsewhere(host.clone())),
            _ => Ok(()),
        }
    }

    /// The page that may read the answer, if a page asked.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }
}

/// The name of a host, of an address such as `http://name:80/path` or `[::1]:80`.
fn name_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if let Some(bracketed) = rest.strip_prefix('[') {
        return bracketed.split(']').next().unwrap_or_default();
    }
    match rest.split_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => rest,
    }
}

fn is_here(name: &str) -> bool {
    let address: Option<IpAddr> = name.parse().ok();
    name == "localhost" || name.ends_with(".localhost") || address.is_some_and(|address| address.is_loopback())
}

/// Whether anybody on the web could own that name.
fn is_public(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let local = [".localhost", ".local"].iter().any(|end| name.ends_with(end));
    name.contains('.') && !local && name.parse::<IpAddr>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(inside: bool, headers: &[(&str, &str)]) -> bool {
        let headers: Vec<httparse::Header> = headers
            .iter()
            .map(|&(name, value)| httparse::Header {
                name,
                value: value.as_bytes(),
            })
            .collect();
        Sender::of(&headers).admit(inside).is_ok()
    }

    #[test]
    fn programs_and_pages_of_this_machine_are_heard() {
        for headers in [
            &[][..],
            &[("Host", "127.0.0.1:9147")],
            &[("Host", "[::1]:9147")],
            &[("Host", "::1")],
            &[("host", "LOCALHOST")],
            &[("Host", "laboratory:9147")],
            &[("Host", "laboratory.local:9147")],
            &[("Origin", "http://localhost:8000"), ("Sec-Fetch-Site", "cross-site")],
            &[("Origin", "http://[::1]:8000")],
            &[("Referer", "http://127.0.0.1:8000/manager.html?x=http://evil.example/")],
            &[("Sec-Fetch-Site", "none")],
        ] {
            assert!(admits(true, headers), "{headers:?}");
        }
        // Over a network a name is a name.
        assert!(admits(false, &[("Host", "player.example.org:9147")]));
    }

    #[test]
    fn pages_from_elsewhere_are_not() {
        for headers in [
            &[("Origin", "http://evil.example")][..],
            &[("Origin", "null")],
            &[("Origin", "http://localhost.evil.example")],
            &[("Origin", "http://127.0.0.1.evil.example:80")],
            &[("Origin", "http://192.0.2.7")],
            &[("Origin", "")],
            &[("Referer", "https://evil.example/localhost")],
            &[("Referer", "https://localhost@evil.example/")],
            &[("Referer", "https://localhost:80@evil.example/")],
            &[("Sec-Fetch-Site", "cross-site"), ("Host", "127.0.0.1:9147")],
            &[("Host", "rebound.evil.example:9147")],
            &[("Host", "rebound.evil.example.")],
        ] {
            assert!(!admits(true, headers), "{headers:?}");
        }
        assert!(!admits(false, &[("Origin", "http://evil.example")]));
    }
}
