//! What people do at a table besides playing, over HTTP: consent, clocks, names, and a server that is started again.

use crate::common::{Client, Folder, Server};
use serde_json::{Value, json};

fn path(id: &str, rest: &str) -> String {
    format!("/api/tables/{id}{rest}")
}

/// Anna and Ben at a table where one turn stands.
fn friends(server: &Server, more: &str) -> (Client, Client, String) {
    let [mut anna, mut ben] = ["a1", "b2"].map(|key| server.client().with_key(key));
    let id = anna.table(&format!(
        r#"{{"game":"quarto","seats":["human","open"],"turns":["-.0"]{more}}}"#
    ));
    let sat = ben.post(&path(&id, "/sit"), r#"{"name":"Ben"}"#);
    assert_eq!(sat.status, 200, "{}", sat.text());
    (anna, ben, id)
}

#[test]
fn what_changes_the_game_for_both_waits_for_the_other() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let (mut anna, mut ben, id) = friends(&server, "");
    let asked = anna.post(&path(&id, "/undo"), "{}").json();
    assert_eq!(asked["proposal"], json!({"seat": 1, "what": "undo"}));
    assert_eq!(asked["ply"], 1);
    let mut carla = server.client().with_key("c3");
    assert_eq!(
        carla.post(&path(&id, "/answer"), r#"{"agree":true}"#).code(),
        "not_seated"
    );
    for rest in ["/resign", "/draw"] {
        assert_eq!(carla.post(&path(&id, rest), "{}").code(), "not_seated", "{rest}");
    }
    let stale = ben.post(&path(&id, "/answer"), r#"{"agree":true,"version":1}"#);
    assert_eq!(stale.code(), "stale_version");
    let done = ben.post(&path(&id, "/answer"), r#"{"agree":true}"#).json();
    assert_eq!((&done["ply"], &done["proposal"]), (&json!(0), &Value::Null));
    assert_eq!(
        ben.post(&path(&id, "/answer"), r#"{"agree":true}"#).code(),
        "stale_version"
    );
    let over = ben.post(&path(&id, "/resign"), "{}").json();
    assert_eq!(
        (&over["outcome"]["how"], &over["outcome"]["winner"]),
        (&json!("resignation"), &json!(1))
    );
}

#[test]
fn a_clock_that_runs_out_ends_the_game_whoever_asks() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let (mut anna, mut ben, id) = friends(&server, r#","clock":{"base_ms":1000,"increment_ms":0}"#);
    // Nobody asks for anything: the server itself tells those who follow the table.
    let mut watching = server.client().with_key("c3").stream(&path(&id, "/events"));
    let end = loop {
        let (_, table) = watching.next().unwrap();
        if table["outcome"] != Value::Null {
            break table;
        }
    };
    assert_eq!(
        (&end["outcome"]["how"], &end["outcome"]["winner"]),
        (&json!("time"), &json!(1))
    );
    assert_eq!(end["clock"]["left_ms"][1], 0);
    let late = ben.post(&path(&id, "/turns"), r#"{"turn":"a1.1","ply":1}"#);
    assert_eq!(late.code(), "game_over");
    assert!(anna.get(&path(&id, "/record")).text().contains("ran out of time"));
    for clock in [
        r#"{"base_ms":5,"increment_ms":0}"#,
        r#"{"base_ms":5000,"increment_ms":9000000}"#,
    ] {
        let refused = anna.post("/api/tables", &format!(r#"{{"game":"quarto","clock":{clock}}}"#));
        assert_eq!(refused.code(), "bad_request", "{clock}");
    }
}

#[test]
fn names_clocks_and_endings_survive_a_restart() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let (mut anna, _, id) = friends(&server, r#","clock":{"base_ms":3600000,"increment_ms":5000}"#);
    anna.patch(&path(&id, ""), r#"{"names":["Anna",null]}"#);
    let (mut other, _, given_up) = friends(&server, "");
    other.post(&path(&given_up, "/resign"), "{}");
    server.stop();
    let server = Server::start(&folder.records());
    let mut ben = server.client().with_key("b2");
    let table = ben.get(&path(&id, "")).json();
    assert_eq!(
        (&table["seats"][0]["name"], &table["seats"][1]["name"]),
        (&json!("Anna"), &json!("Ben"))
    );
    assert_eq!(
        (&table["clock"]["running"], &table["clock"]["increment_ms"]),
        (&json!(2), &json!(5000))
    );
    assert!(table["clock"]["left_ms"][1].as_u64().unwrap() > 3_000_000);
    assert_eq!(ben.get(&path(&given_up, "")).json()["outcome"]["how"], "resignation");
    let played = ben.post(&path(&id, "/turns"), r#"{"turn":"a1.1","ply":1}"#);
    assert_eq!(played.status, 200, "{}", played.text());
}

#[test]
fn an_invitation_is_drawn_as_a_picture_that_runs_nothing() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let picture = client.get("/api/qr?text=http%3A%2F%2F127.0.0.1%2Ft%2Fabc");
    assert_eq!(
        (picture.status, picture.header("content-type")),
        (200, Some("image/svg+xml"))
    );
    assert!(picture.text().starts_with("<svg"));
    assert!(picture.header("content-security-policy").is_some());
    let long = client.get(&format!("/api/qr?text={}", "x".repeat(501)));
    assert_eq!(long.code(), "bad_request");
}
