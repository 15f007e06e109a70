//! Words for what the API tells, on the types that it tells: utoipa's where somebody asks for the API's description (the feature
//! `describe`), and none for everybody else.

#[cfg(not(feature = "describe"))]
pub use api_macros::{IntoParams, ToSchema};
#[cfg(feature = "describe")]
pub use utoipa::{IntoParams, ToSchema};
