//! Links as pictures that a phone's camera reads.

use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::extract::Query;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use games::describe::IntoParams;
use qrcodegen::{QrCode, QrCodeEcc};
use serde::Deserialize;

/// The longest text. A camera reads denser codes badly.
const LONGEST: usize = 500;

/// The white border that readers need, in modules.
const QUIET_ZONE: i32 = 4;

/// What to write.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct QrQuery {
    /// The text: a link.
    text: String,
}

/// A text as a QR code, drawn as SVG.
#[api_macros::path(
    get, path = "/api/qr", tag = "tables", params(QrQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 400, body = ErrorBody))
)]
pub async fn qr(Query(query): Query<QrQuery>) -> Result<Response, ApiError> {
    let too_long = || ApiError::bad_request(format!("text: expected at most {LONGEST} bytes"));
    if query.text.len() > LONGEST {
        return Err(too_long());
    }
    let code = QrCode::encode_text(&query.text, QrCodeEcc::Medium).map_err(|_| too_long())?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg(&code)).into_response())
}

/// A path with a square for every dark module.
fn svg(code: &QrCode) -> String {
    let size = code.size();
    let dark = (0..size)
        .flat_map(|y| (0..size).map(move |x| (x, y)))
        .filter(|&(x, y)| code.get_module(x, y));
    let path: String = dark
        .map(|(x, y)| format!("M{} {}h1v1h-1z", x + QUIET_ZONE, y + QUIET_ZONE))
        .collect();
    let whole = size + 2 * QUIET_ZONE;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{whole}v{whole}H0z"/><path fill="#000" d="{path}"/></svg>"##
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Draws the path of a picture, eight pixels a module, and has it read by somebody else.
    fn read(svg: &str) -> String {
        let number = |text: &str| text.parse::<usize>().unwrap();
        let whole = number(svg.split(['"', ' ']).nth(7).unwrap());
        let squares = svg.rsplit("d=\"").next().unwrap().split('"').next().unwrap();
        let dark: HashSet<(usize, usize)> = squares
            .split('M')
            .skip(1)
            .map(|square| square.split('h').next().unwrap().split_once(' ').unwrap())
            .map(|(x, y)| (number(x), number(y)))
            .collect();
        let mut picture = rqrr::PreparedImage::prepare_from_greyscale(8 * whole, 8 * whole, |x, y| {
            if dark.contains(&(x / 8, y / 8)) { 0 } else { 255 }
        });
        let found = picture.detect_grids();
        assert_eq!(found.len(), 1);
        found[0].decode().unwrap().1
    }

    #[test]
    fn a_camera_reads_what_was_written() {
        let long = format!(
            "http://192.168.0.7:8080/t/q7f3k2m9x1ab?token={}",
            "0123456789abcdef".repeat(4)
        );
        for text in ["http://127.0.0.1:8080/t/q7f3k2m9x1ab", &long, "grüße"] {
            let code = QrCode::encode_text(text, QrCodeEcc::Medium).unwrap();
            assert_eq!(read(&svg(&code)), text);
        }
    }
}
