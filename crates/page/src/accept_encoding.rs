//! What a client says it can unpack: the one reader of `Accept-Encoding` here.

use axum::http::{HeaderMap, header};

/// Whether a client takes an encoding: it names it, or anything (`*`), and does not refuse it with a weight of zero. Who says
/// nothing gets plain answers: not every program that asks an API can unpack.
pub fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING);
    let lines = lines.iter().filter_map(|value| value.to_str().ok());
    let mut any = false;
    for (name, wanted) in lines.flat_map(|line| line.split(',')).map(weighed) {
        // What is said of the encoding itself counts more than what is said of all.
        if name.eq_ignore_ascii_case(encoding) {
            return wanted;
        }
        any |= name == "*" && wanted;
    }
    any
}

/// A part of the list: the name of an encoding, and whether its weight is above zero.
fn weighed(part: &str) -> (&str, bool) {
    let mut words = part.split(';').map(str::trim);
    let name = words.next().unwrap_or_default();
    let weight = words.find_map(|word| word.strip_prefix("q=").or(word.strip_prefix("Q=")));
    // A weight that cannot be read refuses: plain answers can be read by everybody.
    let wanted = weight.is_none_or(|weight| weight.trim().parse().is_ok_and(|weight: f32| weight > 0.0));
    (name, wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn with(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[test]
    fn an_encoding_is_taken_where_it_is_named_and_not_refused() {
        for list in [
            "gzip",
            "deflate, gzip, br",
            "GZIP",
            "br;q=1.0, gzip;q=0.8",
            "gzip ; q=0.001",
            "*",
            "*;q=0.5, br;q=0",
        ] {
            assert!(accepts(&with(list), "gzip"), "{list}");
        }
        for list in [
            "",
            "br",
            "gzip;q=0",
            "gzip; q=0.0",
            "gzip;q=0.000, *",
            "*;q=0",
            "*;q=0, br",
            "xgzip",
            "gzip;q=much",
        ] {
            assert!(!accepts(&with(list), "gzip"), "{list}");
        }
        assert!(!accepts(&HeaderMap::new(), "gzip"));
    }

    #[test]
    fn a_list_may_come_in_several_headers() {
        let mut headers = with("br");
        headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip;q=0.5"));
        assert!(accepts(&headers, "gzip") && accepts(&headers, "br"));
    }
}
