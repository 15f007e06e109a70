//! How to reach a server, and as whom. What is secret is never printed.

use super::broker;
use crate::queue::QueueError;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

/// A server and the credentials for it.
#[derive(Clone, Default)]
pub struct NatsAccess {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`, several with commas; user and password may stand in it.
    pub url: String,
    /// User and password.
    pub user: Option<(String, String)>,
    /// A token.
    pub token: Option<String>,
    /// A file with a JWT and its seed.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// Certificates to trust beside the system's.
    pub authority: Option<PathBuf>,
    /// A certificate to show, and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl NatsAccess {
    /// A server that asks for nothing, or for what stands in its address.
    pub fn to(url: &str) -> Self {
        NatsAccess {
            url: url.into(),
            ..NatsAccess::default()
        }
    }

    /// Whether the address can be read at all.
    pub fn check(&self) -> Result<(), QueueError> {
        self.servers().map(drop)
    }

    fn servers(&self) -> Result<Vec<ServerAddr>, QueueError> {
        let read = |text: &str| {
            let address: ServerAddr = text.trim().parse().map_err(|_| {
                // The text itself may hold a password.
                QueueError::Broker("expected the address of a NATS server, such as nats://127.0.0.1:4222".into())
            })?;
            match address.scheme() {
                "nats" | "tls" if address.host().is_empty() => Err(broker(
                    "expected the address of a NATS server, such as nats://127.0.0.1:4222",
                    "found no host",
                )),
                "nats" | "tls" => Ok(address),
                other => Err(broker(
                    "the address of a NATS server begins with nats:// or tls://",
                    format!("not {other}://"),
                )),
            }
        };
        self.url.split(',').map(read).collect()
    }

    /// Connects, and goes on connecting whenever the server has been away. `tell` hears of that.
    pub(super) async fn connect(
        &self,
        name: &str,
        tell: impl Fn(bool) + Send + Sync + Clone + 'static,
    ) -> Result<Client, QueueError> {
        let servers = self.servers()?;
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(Duration::from_secs(5))
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| {
                Duration::from_millis(100 * u64::try_from(attempts).unwrap_or(u64::MAX).clamp(1, 20))
            })
            .event_callback(move |event| {
                let tell = tell.clone();
                async move {
                    match event {
                        Event::Connected => tell(true),
                        Event::Disconnected => tell(false),
                        _ => (),
                    }
                }
            });
        let in_url = servers
            .iter()
            .find_map(|server| Some((server.username()?, server.password())));
        options = match (&self.user, &self.token, in_url) {
            (Some((user, password)), ..) => options.user_and_password(user.clone(), password.clone()),
            (None, Some(token), _) => options.token(token.clone()),
            (None, None, Some((user, Some(password)))) => options.user_and_password(user.into(), password.into()),
            (None, None, Some((token, None))) => options.token(token.into()),
            (None, None, None) => options,
        };
        if let Some(path) = &self.nkey {
            options = options.nkey(secret(path)?.trim().into());
        }
        if let Some(path) = &self.credentials {
            options = options
                .credentials(&secret(path)?)
                .map_err(|error| unreadable(path, error))?;
        }
        if let Some(path) = &self.authority {
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options
                .add_client_certificate(certificate.clone(), key.clone())
                .require_tls(true);
        }
        options.connect(servers).await.map_err(|error| {
            let why = match error.kind() {
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    "the server refused the credentials".into()
                }
                _ => error.to_string(),
            };
            broker(&format!("cannot reach the NATS server {self}"), why)
        })
    }
}

/// What a small file holds.
fn secret(path: &std::path::Path) -> Result<String, QueueError> {
    /// More is no secret.
    const MOST: u64 = 64 << 10;
    let read = || {
        let mut text = String::new();
        let file = std::fs::File::open(path)?;
        match file.take(MOST + 1).read_to_string(&mut text)? as u64 > MOST {
            true => Err(std::io::Error::other(format!("expected at most {MOST} bytes"))),
            false => Ok(text),
        }
    };
    read().map_err(|error| unreadable(path, error))
}

fn unreadable(path: &std::path::Path, error: std::io::Error) -> QueueError {
    broker(&path.display().to_string(), error)
}

/// Host and port only.
impl fmt::Display for NatsAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let servers = self.servers().unwrap_or_default();
        for (i, server) in servers.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma}{}://{}:{}", server.scheme(), server.host(), server.port())?;
        }
        Ok(())
    }
}

impl fmt::Debug for NatsAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Access({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_is_never_printed() {
        let access = NatsAccess {
            user: Some(("me".into(), "hush".into())),
            token: Some("hush".into()),
            ..NatsAccess::to("nats://me:hush@127.0.0.1:4333,tls://hush@example.org")
        };
        assert_eq!(access.to_string(), "nats://127.0.0.1:4333,tls://example.org:4222");
        assert!(!format!("{access:?}").contains("hush"));
    }

    #[test]
    fn an_address_that_is_none_is_refused_without_repeating_it() {
        for wrong in ["", "http://me:hush@host", "nats://me:hush@:::", "ws://x"] {
            let error = NatsAccess::to(wrong).servers().unwrap_err().to_string();
            assert!(error.contains("nats://") && !error.contains("hush"), "{wrong}: {error}");
        }
    }
}
