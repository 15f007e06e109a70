//! Long answers are compressed: the list of games alone would be a third of what the page transfers.

use crate::accept_encoding::accepts;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Shorter answers fit into a few packets anyway and are not worth the work.
const LONG: u64 = 4096;

/// Compresses what is JSON, long, and for somebody who can unpack it. Streams have no length and pass untouched.
pub async fn compress(request: Request, next: Next) -> Response {
    let accepted = accepts(request.headers(), "gzip");
    let response = next.run(request).await;
    let length = response.body().size_hint().exact();
    if !accepted || !is_json(response.headers()) || length.is_none_or(|length| length < LONG) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(plain) = to_bytes(body, usize::MAX).await else {
        return Response::from_parts(parts, Body::empty());
    };
    match gzip(&plain) {
        Ok(compressed) => {
            parts.headers.remove(header::CONTENT_LENGTH);
            parts
                .headers
                .insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            parts
                .headers
                .insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            Response::from_parts(parts, Body::from(compressed))
        }
        Err(_) => Response::from_parts(parts, Body::from(plain)),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}

fn gzip(plain: &Bytes) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::default());
    encoder.write_all(plain)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    #[test]
    fn what_was_compressed_is_the_same_unpacked() {
        let plain = Bytes::from("terzo ".repeat(2000));
        let compressed = gzip(&plain).expect("writing to memory");
        assert!(compressed.len() < plain.len() / 10);
        let mut unpacked = Vec::new();
        GzDecoder::new(&compressed[..])
            .read_to_end(&mut unpacked)
            .expect("just compressed");
        assert_eq!(unpacked, plain);
    }
}
