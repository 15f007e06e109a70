//! What the server says when it does not do what it was asked.

#[cfg(not(target_arch = "wasm32"))]
use axum::Json;
#[cfg(not(target_arch = "wasm32"))]
use axum::response::{IntoResponse, Response};
use games::describe::ToSchema;
use games::sheets::{Diagnostic, SheetError};
use games::{SessionError, UnknownGame};
use http::StatusCode;
use player::SpecError;
use serde::Serialize;

/// A refusal: always the same shape, whatever was asked.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ApiError {
    #[serde(skip)]
    status: StatusCode,
    /// One word for programs.
    #[schema(example = "illegal_turn")]
    code: &'static str,
    /// A sentence for people.
    message: String,
    /// What is wrong with a rule sheet, place by place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Diagnostic>,
}

/// The body of every refusal.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    error: ApiError,
}

macro_rules! api_errors {
    ($($(#[$doc:meta])* $name:ident = $status:ident;)*) => {
        impl ApiError {
            $($(#[$doc])* pub fn $name(message: impl ToString) -> Self {
                ApiError {
                    status: StatusCode::$status,
                    code: stringify!($name),
                    message: message.to_string(),
                    diagnostics: Vec::new(),
                }
            })*
        }
    };
}

api_errors! {
    /// The request itself cannot be read.
    bad_request = BAD_REQUEST;
    /// The token is missing.
    token = UNAUTHORIZED;
    /// The request comes from another site, or for another host.
    origin = FORBIDDEN;
    /// Somebody who only watches the table wants to change it.
    not_seated = FORBIDDEN;
    /// There is no such thing.
    not_found = NOT_FOUND;
    /// The thing is there and cannot be asked that way.
    method_not_allowed = METHOD_NOT_ALLOWED;
    /// The game has moved on.
    stale_ply = CONFLICT;
    /// Somebody else has changed the table.
    stale_version = CONFLICT;
    /// Somebody else sits there.
    seat_taken = CONFLICT;
    /// The game is over.
    game_over = CONFLICT;
    /// Somebody else is to move.
    not_your_turn = CONFLICT;
    /// No turn to take back.
    nothing_to_undo = CONFLICT;
    /// No turn to play again.
    nothing_to_redo = CONFLICT;
    /// This game does not have it.
    unsupported = CONFLICT;
    /// More bytes than anybody needs.
    too_large = PAYLOAD_TOO_LARGE;
    /// Not JSON.
    media_type = UNSUPPORTED_MEDIA_TYPE;
    /// The rules forbid it.
    illegal_turn = UNPROCESSABLE_ENTITY;
    /// Not a turn.
    bad_turn = UNPROCESSABLE_ENTITY;
    /// Not a position.
    bad_position = UNPROCESSABLE_ENTITY;
    /// Not a game record.
    bad_record = UNPROCESSABLE_ENTITY;
    /// Not a rule sheet that can be played.
    bad_sheet = UNPROCESSABLE_ENTITY;
    /// No game of that name.
    unknown_game = UNPROCESSABLE_ENTITY;
    /// No player of that name, or not with those options.
    unknown_player = UNPROCESSABLE_ENTITY;
    /// Not a tournament that can be played.
    bad_tournament = UNPROCESSABLE_ENTITY;
    /// Too much at once.
    busy = TOO_MANY_REQUESTS;
    /// It cannot be done now, and that is the server's fault.
    unavailable = SERVICE_UNAVAILABLE;
}

impl ApiError {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// One word for programs.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The body of the answer.
    pub fn body(&self) -> ErrorBody {
        ErrorBody { error: self.clone() }
    }

    /// A sentence for people.
    pub fn message(&self) -> &str {
        &self.message
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(ErrorBody { error: self })).into_response()
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> Self {
        match &error {
            SessionError::Over(_) => ApiError::game_over(error),
            SessionError::Illegal(_) => ApiError::illegal_turn(error),
            SessionError::Turn(_) => ApiError::bad_turn(error),
            SessionError::Position(_) => ApiError::bad_position(error),
            SessionError::HalfTurn(why) => ApiError::bad_request(format!("place: {why}")),
            SessionError::Record { .. } => ApiError::bad_record(error),
            SessionError::TooLong(_) => ApiError::unsupported(error),
            SessionError::Player(_) => ApiError::unknown_player(error),
        }
    }
}

impl From<SpecError> for ApiError {
    fn from(error: SpecError) -> Self {
        ApiError::unknown_player(error)
    }
}

impl From<UnknownGame> for ApiError {
    fn from(error: UnknownGame) -> Self {
        ApiError::unknown_game(error)
    }
}

impl From<SheetError> for ApiError {
    fn from(error: SheetError) -> Self {
        ApiError {
            diagnostics: error.diagnostics,
            ..ApiError::bad_sheet(error.message)
        }
    }
}

/// Somebody else's text in a message: not too much of it.
pub fn shortened(text: &str) -> String {
    const KEPT: usize = 60;
    let mut kept: String = text.chars().take(KEPT).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}
