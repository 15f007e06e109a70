//! The server's manners: who may ask, how much, and that nothing brings it down.

use crate::common::{Client, Folder, Server};
use page::{Config, ServerLimits};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

#[test]
fn other_sites_and_other_names_are_refused() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let host = server.address.to_string();
    let mut client = server.client();
    let new = br#"{"game":"quarto"}"#;
    let mut post = |headers: &[(&str, &str)]| client.ask("POST", "/api/tables", headers, new).status;
    assert_eq!(post(&[]), 201);
    assert_eq!(post(&[("origin", &format!("http://{host}"))]), 201);
    assert_eq!(post(&[("origin", "http://evil.example")]), 403);
    assert_eq!(post(&[("origin", "null")]), 403);
    assert_eq!(post(&[("sec-fetch-site", "cross-site")]), 403);
    assert_eq!(post(&[("sec-fetch-site", "same-site")]), 403);
    // A name of somebody else's that points here.
    assert_eq!(post(&[("host", "evil.example")]), 403);
    assert_eq!(post(&[("host", &format!("localhost:{}", server.address.port()))]), 201);
    assert_eq!(client.ask("GET", "/", &[("host", "evil.example")], b"").status, 403);
    assert_eq!(
        client
            .ask("GET", "/api/games", &[("sec-fetch-site", "cross-site")], b"")
            .status,
        403
    );
    // A link from elsewhere to the page itself is welcome.
    assert_eq!(
        client.ask("GET", "/", &[("sec-fetch-site", "cross-site")], b"").status,
        200
    );
    // A form of another site cannot send JSON.
    let form = client.ask("POST", "/api/tables", &[("content-type", "text/plain")], new);
    assert_eq!((form.status, form.code().as_str()), (415, "media_type"));
}

#[test]
fn every_answer_carries_the_rules_of_the_house() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    for path in ["/", "/t/abc", "/api/status", "/api/nothing", "/nothing.js"] {
        let answer = client.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
            "{path}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    // What only a page can load needs no policy of its own.
    let document = client.get("/").text();
    let mut scripts = document.split('"').filter(|text| text.ends_with("/app.js"));
    for path in [scripts.next().unwrap(), "/style/base.css"] {
        let answer = client.get(path);
        assert_eq!(
            (answer.status, answer.header("content-security-policy")),
            (200, None),
            "{path}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            Some("same-origin"),
            "{path}"
        );
    }
}

#[test]
fn with_a_token_nobody_comes_in_without_it() {
    let folder = Folder::new();
    let server = Server::with(Config {
        records: folder.records(),
        token: Some("secret".into()),
        ..Config::default()
    });
    let mut client = server.client();
    for path in ["/", "/api/games", "/?token=wrong", "/api/tables", "/api/access"] {
        let answer = client.get(path);
        assert_eq!((answer.status, answer.code().as_str()), (401, "token"), "{path}");
    }
    let link = client.get("/?token=secret");
    assert_eq!((link.status, link.header("location")), (303, Some("/")));
    let cookie = link.header("set-cookie").unwrap();
    // Links from elsewhere bring it along; requests of other sites are refused by their origin.
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
    let cookie = cookie.split(';').next().unwrap().to_string();
    assert_eq!(client.ask("GET", "/", &[("cookie", &cookie)], b"").status, 200);
    assert_eq!(
        client
            .ask("GET", "/api/games", &[("authorization", "Bearer secret")], b"")
            .status,
        200
    );
    // With a token the name does not matter: a cookie is never sent under another one.
    let named = client.ask(
        "GET",
        "/api/games",
        &[("cookie", &cookie), ("host", "games.example")],
        b"",
    );
    assert_eq!(named.status, 200);
}

#[test]
fn bad_input_is_refused_in_words_and_never_fails() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let id = client.table(r#"{"game":"quarto"}"#);
    let huge = format!(r#"{{"game":"{}"}}"#, "x".repeat(300_000));
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    let long = format!(r#"{{"game":"quarto","turns":["{}"]}}"#, "a1.c ".repeat(20_000));
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"{".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"\xff\xfe".to_vec(),
        b"{\"game\":1}".to_vec(),
        b"{\"game\":null}".to_vec(),
        b"{\"game\":\"quarto\",\"x\":1}".to_vec(),
        b"{\"game\":\"quarto\",\"seats\":[]}".to_vec(),
        b"{\"game\":\"quarto\",\"seats\":[\"human\"]}".to_vec(),
        b"{\"game\":\"quarto\",\"seats\":[\"human\",\"strong:table=65536\"]}".to_vec(),
        b"{\"game\":\"quarto\",\"seats\":[\"human\",\"\\u0000\"]}".to_vec(),
        b"{\"game\":\"quarto\",\"position\":\"\\ud83d\\ude00\"}".to_vec(),
        b"{\"game\":\"quarto\",\"pace_ms\":-1}".to_vec(),
        b"{\"game\":\"gdl\"}".to_vec(),
        b"{\"game\":\"gdl:/etc/passwd\"}".to_vec(),
        b"{\"sheet\":\"(((\"}".to_vec(),
        b"{\"turn\":\"a1.c\"}".to_vec(),
        b"{\"turn\":\"a1.c\",\"ply\":18446744073709551615}".to_vec(),
        b"{\"turn\":\"\",\"ply\":0}".to_vec(),
        b"{\"plies\":18446744073709551616}".to_vec(),
        b"{\"ply\":1e99}".to_vec(),
        b"{\"seats\":[null,null,null]}".to_vec(),
        huge.into_bytes(),
        deep.into_bytes(),
        long.into_bytes(),
    ];
    let routes = [
        ("POST", "/api/tables".to_string()),
        ("PATCH", format!("/api/tables/{id}")),
        ("PUT", format!("/api/tables/{id}/game")),
        ("POST", format!("/api/tables/{id}/turns")),
        ("POST", format!("/api/tables/{id}/undo")),
        ("POST", format!("/api/tables/{id}/redo")),
        ("POST", format!("/api/tables/{id}/goto")),
        ("POST", format!("/api/tables/{id}/pause")),
        ("POST", format!("/api/tables/{id}/swap")),
        ("POST", "/api/gdl/check".into()),
        ("POST", "/api/tournaments".into()),
        ("POST", "/api/tournaments/1/stop".into()),
        ("GET", format!("/api/tables/{id}/truth?ply=x")),
        ("GET", "/api/tables/%ff%fe".into()),
        ("GET", format!("/api/tables/{id}/at/99999999999999999999")),
        ("DELETE", "/api/games".into()),
        ("BREW", "/api/games".into()),
    ];
    for (method, path) in &routes {
        for body in &bodies {
            let mut client = server.client();
            let answer = client.ask(method, path, &[], body);
            let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
            assert!(
                (200..500).contains(&answer.status),
                "{method} {path} {shown}: {}",
                answer.status
            );
            if answer.status >= 400 {
                assert!(!answer.code().is_empty(), "{method} {path} {shown}: {}", answer.text());
            }
        }
    }
    assert_eq!(server.client().get("/api/status").status, 200);
}

#[test]
fn ten_thousand_abandoned_games_change_nothing_for_others() {
    let folder = Folder::new();
    let limits = ServerLimits {
        tables: 200,
        ..ServerLimits::default()
    };
    let server = Server::with_limits(&folder.records(), limits);
    let mut client = server.client();
    let mine = client.table(r#"{"game":"quarto","turns":["-.0","a1.1"]}"#);
    let mut abandoned = Vec::new();
    for i in 0..10_000 {
        // Programs are to move at every third of them; half of those have nobody to play for.
        let seats = [
            r#"["human","human"]"#,
            r#"["human","novice"]"#,
            r#"["novice","random"]"#,
        ][i % 3];
        let body = format!(r#"{{"game":"quarto","seats":{seats},"turns":["-.{:x}"]}}"#, i % 16);
        let id = loop {
            let answer = client.post("/api/tables", &body);
            match answer.status {
                201 => break answer.json()["id"].as_str().unwrap().to_string(),
                // Faster than the disk: the server says so instead of growing.
                429 => std::thread::sleep(Duration::from_millis(20)),
                other => panic!("{other}: {}", answer.text()),
            }
        };
        if i % 1000 == 0 {
            abandoned.push(id);
        }
    }
    let tables = client.get("/api/status").json()["tables"].as_u64().unwrap();
    assert!(tables <= 200, "{tables} tables in memory");
    // A table that left memory is there again when somebody comes back to it.
    assert_eq!(client.get(&format!("/api/tables/{mine}")).json()["ply"], 2);
    for id in abandoned {
        assert_eq!(client.get(&format!("/api/tables/{id}")).status, 200);
    }
    let began = Instant::now();
    let id = client.table(r#"{"game":"quarto","seats":["perfect:level=5","human"]}"#);
    client.wait(&id);
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn slow_clients_do_not_hold_up_the_others() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    // A hundred clients that send half a request and then nothing, and fifty that never read their stream.
    let mut halves: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    for half in &mut halves {
        half.write_all(b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-le")
            .unwrap();
    }
    let mut client = server.client();
    let id = client.table(r#"{"game":"quarto"}"#);
    let mut deaf: Vec<Client> = (0..50).map(|_| server.client()).collect();
    for client in &mut deaf {
        client.send("GET", &format!("/api/tables/{id}/events"), &[], b"");
    }
    for i in 0..200 {
        let undo = if i % 2 == 0 {
            ("/turns", r#"{"turn":"-.0","ply":0}"#)
        } else {
            ("/undo", "{}")
        };
        assert_eq!(client.post(&format!("/api/tables/{id}{}", undo.0), undo.1).status, 200);
    }
    drop(deaf);
    drop(halves);
}

#[test]
fn a_thinking_program_of_one_client_leaves_the_others_their_turn() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut greedy = server.client();
    greedy
        .headers
        .push(("cookie".into(), "terzo_client=00000000000000aa".into()));
    for _ in 0..40 {
        greedy.table(r#"{"game":"stack4","seats":["strong:time=5s","human"]}"#);
    }
    let mut modest = server.client();
    modest
        .headers
        .push(("cookie".into(), "terzo_client=00000000000000bb".into()));
    let began = Instant::now();
    let id = modest.table(r#"{"game":"quarto","seats":["novice","human"]}"#);
    modest.wait(&id);
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    let status = modest.get("/api/status").json();
    assert!(status["thinkers"]["waiting"].as_u64() > Some(10), "{status}");
}

#[test]
fn the_description_of_the_api_is_the_one_in_the_repository() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let made = page::openapi();
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    if made != kept && std::env::var_os("CI").is_none() {
        std::fs::write(path, &made).unwrap();
    }
    assert!(
        made == kept,
        "docs/openapi.json was stale and is written anew: commit it"
    );
}

#[test]
fn the_description_is_served_and_names_every_route() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let described = server.client().get("/api/openapi.json").json();
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.len() >= 25, "{}", paths.len());
    assert_eq!(described["openapi"], json!("3.1.0"));
    let turns = &paths["/api/tables/{id}/turns"]["post"];
    assert_eq!(
        turns["requestBody"]["content"]["application/json"]["schema"]["$ref"],
        "#/components/schemas/TurnRequest"
    );
}

#[test]
fn an_answer_always_has_the_fields_that_may_be_null_and_a_request_may_leave_them_out() {
    let described: Value = serde_json::from_str(&page::openapi()).unwrap();
    let schemas = &described["components"]["schemas"];
    let requires = |name: &str, field: &str| {
        let required = schemas[name]["required"].as_array();
        required.is_some_and(|fields| fields.contains(&json!(field)))
    };
    assert!(requires("PublicTable", "outcome") && requires("PublicTable", "title"));
    assert!(!requires("NewTable", "game") && !requires("ApiError", "diagnostics"));
    // The description knows requests by this.
    let operations = described["paths"].as_object().unwrap().values();
    for operation in operations.flat_map(|path| path.as_object().unwrap().values()) {
        let Some(name) = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str() else {
            continue;
        };
        let name = name.trim_start_matches("#/components/schemas/");
        assert_eq!(
            schemas[name]["additionalProperties"],
            json!(false),
            "{name} must deny unknown fields"
        );
    }
}

#[test]
fn every_operation_has_a_name_of_its_own_and_only_what_stands_in_its_path_is_a_parameter_of_the_path() {
    let described: Value = serde_json::from_str(&page::openapi()).unwrap();
    let mut names = std::collections::BTreeSet::new();
    for (path, operations) in described["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name), "two operations are called {name}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let in_path = path.contains(&format!("{{{}}}", parameter["name"].as_str().unwrap()));
                assert_eq!(parameter["in"] == "path", in_path, "{path}: {parameter}");
            }
        }
    }
}
