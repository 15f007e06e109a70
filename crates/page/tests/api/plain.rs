//! A game without a stage of its own, the one of docs/add-a-game.md, is played like every other.

use crate::common::{Folder, Server};
use one_file_game::NAME;
use serde_json::{Value, json};

fn server(folder: &Folder) -> Server {
    one_file_game::register();
    Server::start(&folder.records())
}

#[test]
fn it_is_listed_with_its_players() {
    let folder = Folder::new();
    let games = server(&folder).client().get("/api/games").json();
    let games = games["games"].as_array().unwrap();
    let game = games.iter().find(|game| game["name"] == NAME).unwrap();
    assert_eq!((&game["family"], &game["seats"]), (&json!("plain"), &json!(2)));
    assert_eq!((&game["solvable"], &game["misere"]), (&json!(false), &json!(false)));
    let players = game["players"].as_array().unwrap();
    assert!(
        players.iter().any(|player| player["name"] == "alphabeta"),
        "{players:?}"
    );
}

#[test]
fn its_board_is_a_grid_whose_cells_play_moves() {
    let folder = Folder::new();
    let server = server(&folder);
    let mut client = server.client();
    let id = client.table(&json!({"game": NAME, "turns": ["4", "4", "5"]}).to_string());
    let table = client.get(&format!("/api/tables/{id}")).json();
    let view = &table["view"];
    assert_eq!((&table["family"], &view["kind"]), (&json!("plain"), &json!("plain")));
    let bottom = json!(["", "", "", "x", "x", "", ""]);
    assert_eq!(view["board"]["rows"][5], bottom);
    assert!(view["text"].as_str().unwrap().contains("x x"), "{view}");
    // Every move belongs to the cell where its stone comes to lie, and plays there.
    let moves = view["board"]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), table["legal"].as_array().unwrap().len());
    let second = moves.iter().find(|mv| mv["turn"] == "4").unwrap();
    assert_eq!((&second["row"], &second["column"]), (&json!(3), &json!(3)));
    let turn = json!({"turn": second["turn"], "ply": 3});
    let table = client
        .post(&format!("/api/tables/{id}/turns"), &turn.to_string())
        .json();
    assert_eq!(table["view"]["board"]["rows"][3][3], "o");
    assert_eq!(table["last"]["text"], "played 4");
}

#[test]
fn it_is_played_to_the_end_with_hints() {
    let folder = Folder::new();
    let server = server(&folder);
    let mut client = server.client();
    let id = client.table(&json!({"game": NAME, "seats": ["human", "alphabeta:depth=2"]}).to_string());
    let mut table = client.wait(&id);
    let hint = client.get(&format!("/api/tables/{id}/hint")).json();
    assert!(table["legal"].as_array().unwrap().contains(&hint["turn"]), "{hint}");
    assert_eq!((&hint["exact"], &hint["place"]), (&json!(false), &Value::Null));
    while table["outcome"].is_null() {
        let turn = json!({"turn": table["legal"][0], "ply": table["ply"]});
        let answer = client.post(&format!("/api/tables/{id}/turns"), &turn.to_string());
        assert_eq!(answer.status, 200, "{}", answer.text());
        table = client.wait(&id);
    }
    assert!(!table["outcome"]["text"].as_str().unwrap().is_empty());
    let truth = client.get(&format!("/api/tables/{id}/truth"));
    assert_eq!(truth.code(), "unsupported");
}

#[test]
fn it_is_played_in_a_terminal() {
    one_file_game::register();
    let screen = page::terminal::rehearse(NAME, ">>>.", 40).unwrap();
    assert!(screen.iter().any(|line| line.contains(". . . x . . .")), "{screen:#?}");
    assert!(screen.iter().any(|line| line.contains("move 1 of 7")), "{screen:#?}");
}
