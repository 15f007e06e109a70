//! Links and the pages behind them: with a token, without one, and to nowhere.

use crate::common::{Folder, Server};
use page::Config;
use serde_json::json;

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

fn with_token(folder: &Folder) -> Server {
    Server::with(Config {
        records: folder.records(),
        token: Some("secret".into()),
        addresses: vec!["http://192.0.2.7:8080".into()],
        ..Config::default()
    })
}

#[test]
fn a_token_in_a_link_leaves_the_rest_of_the_link_as_it_was() {
    let folder = Folder::new();
    let server = with_token(&folder);
    let mut client = server.client();
    for (link, without) in [
        ("/?token=secret", "/"),
        ("/?game=quarto&token=secret", "/?game=quarto"),
        (
            "/?token=secret&game=quarto&turns=-.0+a1.1%20b1.2",
            "/?game=quarto&turns=-.0+a1.1%20b1.2",
        ),
        ("/t/abc?token=secret", "/t/abc"),
        ("//evil.example/?token=secret", "/evil.example/"),
    ] {
        let answer = client.get(link);
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(without)),
            "{link}"
        );
    }
}

#[test]
fn who_has_the_token_is_told_what_a_link_for_others_is_made_of() {
    let folder = Folder::new();
    let server = with_token(&folder);
    let bearer = [("authorization", "Bearer secret")];
    let access = server.client().ask("GET", "/api/access", &bearer, b"").json();
    assert_eq!(
        access,
        json!({"addresses": ["http://192.0.2.7:8080"], "token": "secret"})
    );
    let folder = Folder::new();
    let alone = Server::start(&folder.records());
    assert_eq!(
        alone.client().get("/api/access").json(),
        json!({"addresses": [], "token": null})
    );
}

#[test]
fn a_person_without_the_token_gets_a_page_that_says_so() {
    let folder = Folder::new();
    let server = with_token(&folder);
    let mut client = server.client();
    for (path, words) in [
        ("/t/abc", "the whole link"),
        ("/?token=wrong", "not the one of this Terzo"),
    ] {
        let answer = client.ask("GET", path, &[BROWSER], b"");
        assert_eq!(answer.status, 401);
        assert!(answer.header("content-type").unwrap().starts_with("text/html"));
        assert!(answer.text().contains(words), "{}", answer.text());
    }
    // It looks like a page of Terzo; nothing else is given away.
    assert_eq!(client.get("/style/base.css").status, 200);
    for path in ["/app.js", "/style/table.css", "/index.html", "/refused.html"] {
        assert_eq!(client.get(path).status, 401, "{path}");
    }
    let api = client.ask("GET", "/api/games", &[BROWSER], b"");
    assert_eq!((api.status, api.code().as_str()), (401, "token"));
}

#[test]
fn a_path_to_nowhere_is_a_page_for_browsers_and_a_refusal_for_others() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    for path in ["/nowhere", "/nothing.js", "/t", "/gdl/x/y.css"] {
        let page = client.ask("GET", path, &[BROWSER], b"");
        let known = ["/t", "/gdl/x/y.css"].contains(&path);
        assert_eq!(page.status, if known { 200 } else { 404 }, "{path}");
        assert!(page.text().contains("<html"), "{path}");
    }
    let refused = client.get("/nowhere");
    assert_eq!((refused.status, refused.code().as_str()), (404, "not_found"));
    let api = client.ask("GET", "/api/nowhere", &[BROWSER], b"");
    assert_eq!((api.status, api.code().as_str()), (404, "not_found"));
}

#[test]
fn a_policy_that_browsers_heed_only_on_this_machine_is_sent_only_there() {
    let folder = Folder::new();
    let name = "cross-origin-opener-policy";
    let here = Server::start(&folder.records());
    assert_eq!(here.client().get("/").header(name), Some("same-origin"));
    drop(here);
    let elsewhere = with_token(&folder);
    assert_eq!(elsewhere.client().get("/").header(name), None);
}

#[test]
fn a_browser_keeps_its_key_also_when_it_comes_by_a_link_from_elsewhere() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let first = client.get("/");
    let cookie = first.header("set-cookie").unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    let key = cookie.split(';').next().unwrap().to_string();
    assert_eq!(key.len(), "terzo_client=".len() + 32, "{key}");
    let from_elsewhere = [("cookie", key.as_str()), ("sec-fetch-site", "cross-site")];
    let again = client.ask("GET", "/t/abc", &from_elsewhere, b"");
    assert_eq!((again.status, again.header("set-cookie")), (200, None));
}
