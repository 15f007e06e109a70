//! Conversations: UGI, the course's protocol, general game playing.

use crate::text;
use course::{ANSWER_BYTES, MoveAnswer, MoveRequest, REQUEST_BYTES, Tracker};
use game::Game;
use ggp::http::{HttpLimits, read_answer, read_request};
use ggp::message::{Message, one_line};
use ggp::player::{MatchDesk, PlayerOptions};
use link::ugi::{EngineCommand, LineBuffer, serve, with_info};
use player::Roster;
use quarto::Rules;
use std::io::Cursor;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Whatever a runner says, the engine answers in text, and ends when the runner does.
pub fn ugi_serve(bytes: &[u8]) {
    fn hear<G: Game>(first: G, roster: Roster<G>, bytes: &[u8]) {
        // One that looks at its clock.
        let Ok(factory) = roster.factory("mcts:playouts=4") else {
            return;
        };
        let mut output = Vec::new();
        // Bytes that are no text end the conversation with an error.
        let _ = serve(first, roster, &factory, Cursor::new(bytes.to_vec()), &mut output);
        assert!(String::from_utf8(output).is_ok());
    }
    hear(
        quarto::Position::new(Rules::standard()),
        quarto::players::roster(),
        bytes,
    );
    hear(stack4::Position::new(), stack4::players::roster(), bytes);
}

/// Whatever an engine says, in whatever pieces, what we make of it is legal.
pub fn ugi_engine(bytes: &[u8]) {
    let mut position = quarto::Position::new(Rules::standard());
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut lines = LineBuffer::default();
    for piece in bytes.chunks(7) {
        lines.add(piece);
        while let Some(line) = lines.find(|line| Some(line.to_string())) {
            assert!(!line.contains('\n'));
            let analysis = with_info(&position, moves[0], &line);
            assert!(analysis.value.is_none_or(f64::is_finite));
            let mut ahead = position;
            for mv in analysis.pv {
                assert!(ahead.play(mv).is_ok());
            }
            let _ = EngineCommand::parse(&line);
            if let Some(("bestmove", said)) = line.split_once(' ')
                && let Ok(mv) = position.parse_move(said)
                && position.play(mv).is_ok()
            {
                position = position.start();
            }
        }
    }
}

/// Any 16 bytes are an answer, any 876 a board or an error; both are written as they were read. A sequence of boards is a
/// game as far as it is one.
pub fn course(bytes: &[u8]) {
    if let Some(head) = bytes.first_chunk::<ANSWER_BYTES>() {
        let answer = MoveAnswer::decode(head);
        assert_eq!(answer.encode(), *head);
        let _ = answer.column();
    }
    let mut tracker = Tracker::default();
    for piece in bytes.chunks(REQUEST_BYTES) {
        let mut board = [0; REQUEST_BYTES];
        board[..piece.len()].copy_from_slice(piece);
        let Ok(request) = MoveRequest::decode(&board) else {
            continue;
        };
        let again = MoveRequest::decode(&request.encode());
        assert_eq!(again.ok().as_ref(), Some(&request));
        if let Ok(position) = tracker.follow(request.stones) {
            assert_eq!(
                [0, 1].map(|seat| position.stones(game::Seat::new(seat))),
                request.stones
            );
        }
    }
}

/// Any bytes are an HTTP request or an error; any text is a message or an error, and a message reads back as it is written.
pub fn ggp_request(bytes: &[u8]) {
    let limits = HttpLimits { head: 4096, body: 4096 };
    let read = read_request(&mut { bytes }, limits, || Ok(()));
    let text = match read {
        Ok(request) => request.text,
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    };
    let Ok(message) = Message::parse(&text) else { return };
    let again = Message::parse(&message.to_string());
    match (&message, &again) {
        // Clocks are whole seconds on the way out, and rules stay as they were but for the blanks around them.
        (
            Message::Start { id, rules, .. },
            Ok(Message::Start {
                id: other, rules: same, ..
            }),
        ) => {
            assert_eq!((id, rules.trim()), (other, same.trim()));
            let _ = one_line(rules);
        }
        _ => assert_eq!(again.as_ref(), Ok(&message)),
    }
}

/// Any bytes are an HTTP answer within the limits or an error.
pub fn ggp_answer(bytes: &[u8]) {
    let limits = HttpLimits { head: 512, body: 256 };
    if let Ok((_, text)) = read_answer(&mut { bytes }, limits) {
        // A byte that is no text may become three.
        assert!(text.len() <= 3 * limits.body);
    }
}

static START: LazyLock<String> = LazyLock::new(|| {
    let rules = one_line(gdl::bundled::text("tictactoe").unwrap_or_default());
    format!("( START M x ( {rules} ) 60 60 )")
});

/// A desk that answers with a random player.
fn desk() -> MatchDesk {
    match gdl::players::factory("random") {
        Ok(factory) => MatchDesk::new(factory, PlayerOptions::default(), Arc::new(|_| ())),
        Err(error) => panic!("{error}"),
    }
}

/// How long a desk may be at one input.
const PATIENCE: Duration = Duration::from_secs(20);

/// The desk still plays.
fn stays_fit(desk: &MatchDesk, began: Instant) {
    assert_eq!(desk.answer(&START, Instant::now()).text, "ready");
    let answer = desk.answer("( PLAY M NIL )", Instant::now()).text;
    assert!(answer.starts_with("(mark "), "{answer}");
    assert!(began.elapsed() < PATIENCE);
}

/// Whatever a manager says in the middle of a match, the player answers at once and stays fit to play.
pub fn ggp_desk(bytes: &[u8]) {
    let (began, desk) = (Instant::now(), desk());
    assert_eq!(desk.answer(&START, Instant::now()).text, "ready");
    for line in text(bytes).lines().take(12) {
        // Other games than this one are another target's.
        if !line.to_ascii_lowercase().contains("start") {
            desk.answer(line, Instant::now());
        }
    }
    desk.answer("( ABORT M )", Instant::now());
    stays_fit(&desk, began);
}

/// Whatever the rules, the player answers at once and stays fit to play.
pub fn ggp_start(bytes: &[u8]) {
    let (began, desk) = (Instant::now(), desk());
    let rules = one_line(text(bytes));
    desk.answer(&format!("( START N x ( {rules} ) 1 1 )"), Instant::now());
    desk.answer("( PLAY N NIL )", Instant::now());
    desk.answer("( ABORT N )", Instant::now());
    stays_fit(&desk, began);
}
