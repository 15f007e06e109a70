//! What the description of the API says beyond the single handlers.

use super::understanding::{AnalysisEnd, Progress, TruthEnd};
use super::{
    every_route, games, gdl, opinion, play, qr, tables, teaching, tournament_study, tournaments, understanding,
};
use crate::app::App;
use ::games::sentence::{Sentence, SentenceValue};
use std::sync::Arc;
use utoipa::OpenApi;
use utoipa::openapi::schema::{AdditionalProperties, Object, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Terzo",
        description = "Play, understand and watch: tables, truth, rule sheets and tournaments. Seats count from 1. A seat \
                       belongs to the client that sat down there, known by the cookie `terzo_client` with a key of its own \
                       choice; clients without one are all the same. Others watch."
    ),
    tags(
        (name = "tables", description = "Games being played"),
        (name = "understanding", description = "The truth about positions and games"),
        (name = "tournaments", description = "Many games between programs, rated"),
        (name = "games", description = "What there is to play")
    ),
    // A stream of several kinds of events is described by one of them only: these are the others.
    components(schemas(Progress, TruthEnd, AnalysisEnd, Sentence, SentenceValue))
)]
struct Description;

/// The description of the API, as JSON, from its handlers.
pub fn openapi() -> String {
    let router = OpenApiRouter::<Arc<App>>::with_openapi(Description::openapi());
    let (_, mut description) = every_route!(router, routes).split_for_parts();
    require_nullable(&mut description);
    description.to_pretty_json().unwrap_or_default() + "\n"
}

/// Says that an answer always has the fields that may be null: a field without a value is written as null, never left out.
/// Who asks may leave such fields out. Requests are known by allowing no fields but their own.
fn require_nullable(description: &mut utoipa::openapi::OpenApi) {
    let schemas = description.components.iter_mut().flat_map(|it| it.schemas.values_mut());
    schemas.for_each(require_nullable_fields);
}

fn require_nullable_fields(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) if !is_request(object) => {
            let named = object.properties.iter();
            let all = named.filter(|(name, field)| object.required.contains(name) || is_nullable(field));
            object.required = all.map(|(name, _)| name.clone()).collect();
        }
        RefOr::T(Schema::AllOf(parts)) => parts.items.iter_mut().for_each(require_nullable_fields),
        _ => (),
    }
}

fn is_request(object: &Object) -> bool {
    matches!(
        object.additional_properties.as_deref(),
        Some(AdditionalProperties::FreeForm(false))
    )
}

fn is_nullable(field: &RefOr<Schema>) -> bool {
    let has_null = |types: &SchemaType| match types {
        SchemaType::Type(only) => *only == Type::Null,
        SchemaType::Array(several) => several.contains(&Type::Null),
        SchemaType::AnyValue => false,
    };
    match field {
        RefOr::T(Schema::Object(object)) => has_null(&object.schema_type),
        RefOr::T(Schema::Array(array)) => has_null(&array.schema_type),
        RefOr::T(Schema::OneOf(several)) => several.items.iter().any(is_nullable),
        _ => false,
    }
}
