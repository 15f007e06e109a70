//! What the server says when it does not do what it was asked.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// A refusal: always the same shape, whatever was asked.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Refusal {
    #[serde(skip)]
    status: StatusCode,
    /// One word for programs.
    #[schema(example = "illegal_turn")]
    code: &'static str,
    /// A sentence for people.
    message: String,
    /// What is wrong with a rule sheet, place by place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Remark>,
}

/// The body of every refusal.
#[derive(Serialize, ToSchema)]
pub struct Refused {
    error: Refusal,
}

/// One thing to say about a rule sheet. Lines and columns count from 1; they are missing if it concerns the sheet as a
/// whole.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Remark {
    /// "error" or "warning".
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where it begins.
    pub line: Option<usize>,
    /// Where it begins.
    pub column: Option<usize>,
    /// Where it ends.
    pub end_line: Option<usize>,
    /// Where it ends.
    pub end_column: Option<usize>,
    /// The line.
    pub snippet: Option<String>,
    /// What to say at the place.
    pub label: String,
    /// What could be done about it.
    pub help: Option<String>,
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident = $status:ident;)*) => {
        impl Refusal {
            $($(#[$doc])* pub fn $name(message: impl ToString) -> Self {
                Refusal {
                    status: StatusCode::$status,
                    code: stringify!($name),
                    message: message.to_string(),
                    diagnostics: Vec::new(),
                }
            })*
        }
    };
}

refusals! {
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

impl Refusal {
    /// Adds what is wrong with a rule sheet.
    pub fn with_remarks(mut self, remarks: Vec<Remark>) -> Self {
        self.diagnostics = remarks;
        self
    }

    /// What is wrong with a rule sheet.
    pub fn into_remarks(self) -> Vec<Remark> {
        self.diagnostics
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// One word for programs.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// A sentence for people.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(Refused { error: self })).into_response()
    }
}
