//! Who may ask at all.
//!
//! On this machine's own address no token is needed, so the danger is a page of another site that the user has open:
//! it may send requests here, or have its own name point here (DNS rebinding) and then even read the answers. So the
//! host that is asked for must be this machine, and whatever changes something must come from this very origin. From
//! other machines a token is required.

use crate::api_error::ApiError;
use crate::app::App;
use crate::extract::cookie;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

const TOKEN_COOKIE: &str = "terzo_token";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// What every answer says.
const HEADERS: [(HeaderName, &str); 2] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What every answer says that a browser could show by itself. Scripts and style sheets, of which a page has dozens, need
/// none of it.
const FOR_DOCUMENTS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=()",
    ),
];

/// Browsers heed it only from this machine or over TLS, and complain where it comes over plain HTTP from elsewhere.
const OPENER: (HeaderName, &str) = (HeaderName::from_static("cross-origin-opener-policy"), "same-origin");

/// What the page that refuses somebody is made of: nothing that a stranger may not see.
const FOR_ALL: [&str; 2] = ["/style/base.css", "/icon.svg"];

/// Lets through what may pass, and puts the rules for browsers on every answer.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(answer) => *answer,
    };
    let headers = response.headers_mut();
    let kind = headers
        .get(header::CONTENT_TYPE)
        .map_or(&b""[..], HeaderValue::as_bytes);
    let part = kind.starts_with(b"text/javascript") || kind.starts_with(b"text/css");
    let opener = app.token.is_none().then_some(OPENER);
    let more = FOR_DOCUMENTS.into_iter().chain(opener).filter(|_| !part);
    for (name, value) in HEADERS.into_iter().chain(more) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

fn check(app: &App, request: &Request) -> Result<(), Box<Response>> {
    let headers = request.headers();
    let path = request.uri().path();
    let api = path.starts_with("/api/");
    let refuse = |error: ApiError| {
        Box::new(match api {
            true => error.into_response(),
            false => app.assets.refuse(error, headers),
        })
    };
    let host = text(headers, header::HOST).unwrap_or_default();
    match &app.token {
        None if !is_this_machine(host) => {
            return Err(refuse(ApiError::origin(
                "this server answers only as localhost or 127.0.0.1; `--listen` serves other names",
            )));
        }
        None => (),
        Some(token) => {
            if let Some(redirect) = bring_token(token, request) {
                return Err(Box::new(redirect));
            }
            if !shows_token(token, headers) && !FOR_ALL.contains(&path) {
                let message = match given_token(request) {
                    None => {
                        "This Terzo is only for those who were given its address with a token: ask who sent you here for \
                             the whole link, which ends in ?token=…"
                    }
                    Some(_) => {
                        "The token in this link is not the one of this Terzo (any more: a new start makes a new one). \
                                Ask for a new link."
                    }
                };
                return Err(refuse(ApiError::token(message)));
            }
        }
    }
    let from_here = text(headers, HeaderName::from_static("sec-fetch-site"))
        .is_none_or(|site| site == "same-origin" || site == "none");
    let origin_fits = text(headers, header::ORIGIN).is_none_or(|origin| {
        let theirs = origin.split_once("://").map(|(_, authority)| authority);
        theirs.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
    });
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if (api || !reads) && !(from_here && origin_fits) {
        return Err(refuse(ApiError::origin("requests of other sites are not served")));
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Whether a host header names this machine by its own address, with or without a port.
fn is_this_machine(host: &str) -> bool {
    host.parse::<Authority>().is_ok_and(|authority| {
        let host = authority.host().trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    })
}

/// How a link gives the token.
const TOKEN: &str = "token=";

/// The token in a link.
fn given_token(request: &Request) -> Option<&str> {
    let mut pairs = request.uri().query()?.split('&');
    pairs.find_map(|pair| pair.strip_prefix(TOKEN))
}

/// Answers a link with the right token by a cookie and the same link without the token.
fn bring_token(token: &str, request: &Request) -> Option<Response> {
    if request.method() != Method::GET || !same(given_token(request)?, token) {
        return None;
    }
    let cookie = format!("{TOKEN_COOKIE}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000");
    // A path that begins with two slashes would be another host.
    let path = request.uri().path().trim_start_matches(['/', '\\']);
    let rest: Vec<&str> = request
        .uri()
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with(TOKEN))
        .collect();
    let mark = if rest.is_empty() { "" } else { "?" };
    let location = format!("/{path}{mark}{}", rest.join("&"));
    Some(
        (
            StatusCode::SEE_OTHER,
            [(header::SET_COOKIE, cookie), (header::LOCATION, location)],
        )
            .into_response(),
    )
}

fn shows_token(token: &str, headers: &HeaderMap) -> bool {
    let bearer = text(headers, header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let shown = [bearer, cookie(headers, TOKEN_COOKIE)];
    shown.into_iter().flatten().any(|shown| same(shown, token))
}

/// Compares in a time that does not tell how much was right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_names_of_this_machine_are_it() {
        for host in ["127.0.0.1:8080", "127.0.0.2", "localhost", "localhost:1", "[::1]:8080"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:8080",
            "10.0.0.1",
            "user@evil",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn a_token_is_the_same_only_if_it_is_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
