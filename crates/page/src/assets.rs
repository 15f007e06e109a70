//! The files of the page: part of the program, already compressed, and not sent again to who has them.

use crate::accept_encoding::accepts;
use crate::api_error::ApiError;
use crate::extract::{KEY_COOKIE, cookie, wants_page};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use std::borrow::Cow;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// A file that is part of the program. Nearly all who ask read brotli; for the few who read nothing but the file as it is, it is
/// inflated.
struct Packed {
    name: &'static str,
    tag: &'static str,
    brotli: &'static [u8],
    gzip: &'static [u8],
}

static PACKED: &[Packed] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// What a browser is told the files are. Files of other kinds are not served.
const KINDS: [(&str, &str); 11] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("json", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("txt", "text/plain; charset=utf-8"),
    ("woff2", "font/woff2"),
];

/// Where the files come from.
pub enum Assets {
    /// From the program.
    Packed,
    /// From a folder, read anew at every request: for who works on the page.
    Folder(PathBuf),
}

/// The file behind a path. Links into the page are all the same file; the page looks at its address itself.
fn file_of(path: &str) -> &str {
    let path = path.trim_start_matches('/');
    let page = path.is_empty()
        || ["t", "tournaments", "gdl", "api", "puzzles", "learn", "rules", "explore"]
            .contains(&path.split('/').next().unwrap_or_default());
    match page {
        true => "index.html",
        false => path,
    }
}

/// Whether the page at a path begins with the list of games. A browser is told so with the document, and asks for both at once.
fn needs_games(path: &str) -> bool {
    ["/", "/gdl", "/tournaments"].contains(&path) || path.starts_with("/t/")
}

/// The page itself, and what is said to who may not see it.
const PAGE: &str = "index.html";
const REFUSED: &str = "refused.html";

impl Assets {
    /// Answers a request for a path of the page. A browser that comes to a path that is nowhere gets the page, too, which
    /// says so.
    pub fn serve(&self, path: &str, headers: &HeaderMap) -> Response {
        let file = file_of(path);
        let found = self.file(file, headers);
        let mut response = match found {
            Some(response) => response,
            None if wants_page(headers) => match self.file(PAGE, &HeaderMap::new()) {
                Some(page) => (StatusCode::NOT_FOUND, page).into_response(),
                None => return ApiError::not_found("there is no such page").into_response(),
            },
            None => return ApiError::not_found("there is no such page").into_response(),
        };
        if file == PAGE && needs_games(path) {
            let link = HeaderValue::from_static("</api/games>; rel=preload; as=fetch; crossorigin");
            response.headers_mut().insert(header::LINK, link);
        }
        if (file == PAGE || response.status() == StatusCode::NOT_FOUND)
            && cookie(headers, KEY_COOKIE).is_none()
            && let Some(key) = new_key()
        {
            response.headers_mut().insert(header::SET_COOKIE, key);
        }
        response
    }

    /// A refusal as a page for people, if a person asks.
    pub fn refuse(&self, error: ApiError, headers: &HeaderMap) -> Response {
        let template = match self {
            _ if !wants_page(headers) => None,
            Assets::Packed => PACKED.iter().find(|packed| packed.name == REFUSED).map(Packed::plain),
            Assets::Folder(folder) => read(folder, REFUSED),
        };
        let Some(template) = template else {
            return error.into_response();
        };
        let words = escaped(error.message());
        let page = String::from_utf8_lossy(&template).replace("{message}", &words);
        let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
        (error.status(), kind, page).into_response()
    }

    fn file(&self, file: &str, headers: &HeaderMap) -> Option<Response> {
        let kind = kind_of(file)?;
        let mut response = match self {
            Assets::Packed => PACKED.iter().find(|packed| packed.name == file)?.answer(headers),
            Assets::Folder(folder) => ([(header::CACHE_CONTROL, "no-store")], read(folder, file)?).into_response(),
        };
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        Some(response)
    }
}

/// A new key for a browser, as a cookie: 128 bits that nobody can guess. A link from elsewhere must not look like a
/// visit without a key, or it would cost its owner all seats: so the cookie comes along with links (`Lax`). Requests that
/// change something are never sent by other sites, see `guard`.
fn new_key() -> Option<HeaderValue> {
    let (high, low) = (getrandom::u64().ok()?, getrandom::u64().ok()?);
    let cookie = format!("{KEY_COOKIE}={high:016x}{low:016x}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000");
    HeaderValue::from_str(&cookie).ok()
}

/// Text as text, in a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn kind_of(file: &str) -> Option<&'static str> {
    let ending = Path::new(file).extension()?.to_str()?;
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

/// A file below a folder, and nothing outside it.
fn read(folder: &Path, file: &str) -> Option<Vec<u8>> {
    let file = Path::new(file);
    let inside = file.components().all(|part| matches!(part, Component::Normal(_)));
    inside.then(|| std::fs::read(folder.join(file)).ok())?
}

impl Packed {
    /// The file as it is. What was compressed when the program was built can be read again.
    fn plain(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        match GzDecoder::new(self.gzip).read_to_end(&mut plain) {
            Ok(_) => plain,
            Err(_) => Vec::new(),
        }
    }

    fn answer(&self, headers: &HeaderMap) -> Response {
        let value = |name| {
            headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
        };
        let (encoding, bytes) = if accepts(headers, "br") {
            (Some("br"), Some(self.brotli))
        } else if accepts(headers, "gzip") {
            (Some("gzip"), Some(self.gzip))
        } else {
            (None, None)
        };
        // Each form of a file is another one to a cache.
        let tag = format!(
            "{}{}\"",
            self.tag.trim_end_matches('"'),
            encoding.map_or(String::new(), |e| format!("-{e}"))
        );
        let known = value(header::IF_NONE_MATCH).split(',').any(|known| known.trim() == tag);
        let mut response = match known {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => bytes.map_or_else(|| self.plain().into(), Cow::Borrowed).into_response(),
        };
        let answer = response.headers_mut();
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            answer.insert(header::ETAG, tag);
        }
        answer.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        // What lies in a folder that is named after its content never changes.
        let kept = if self.name.starts_with("a/") {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
        if let (Some(encoding), false) = (encoding, known) {
            answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{DefaultHasher, Hasher};

    fn headers(pairs: &[(header::HeaderName, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn a_file_is_compressed_for_who_can_read_that_and_not_sent_twice() {
        let brotli = Assets::Packed.serve("/t/abc", &headers(&[(header::ACCEPT_ENCODING, "gzip, deflate, br")]));
        assert_eq!(brotli.headers()[header::CONTENT_ENCODING], "br");
        assert_eq!(brotli.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
        let tag = brotli.headers()[header::ETAG].clone();
        let mut again = headers(&[(header::ACCEPT_ENCODING, "br")]);
        again.insert(header::IF_NONE_MATCH, tag.clone());
        assert_eq!(Assets::Packed.serve("/", &again).status(), StatusCode::NOT_MODIFIED);
        let plain = Assets::Packed.serve("/", &HeaderMap::new());
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        assert_ne!(plain.headers()[header::ETAG], tag);
    }

    #[test]
    fn what_is_sent_plain_is_the_file_that_was_compressed() {
        for packed in PACKED {
            // The tag is a digest of the file, made before it was compressed.
            let mut hasher = DefaultHasher::new();
            hasher.write(&packed.plain());
            assert_eq!(packed.tag, format!("\"{:016x}\"", hasher.finish()), "{}", packed.name);
        }
    }

    #[test]
    fn a_browser_hears_with_the_document_what_the_page_will_ask_for() {
        let link = |path| {
            Assets::Packed
                .serve(path, &HeaderMap::new())
                .headers()
                .get(header::LINK)
                .cloned()
        };
        for path in ["/", "/t/abc", "/gdl", "/tournaments"] {
            assert!(
                link(path).is_some_and(|link| link.as_bytes().starts_with(b"</api/games>; rel=preload")),
                "{path}"
            );
        }
        for path in ["/learn", "/api", "/icon.svg", "/tournaments/1"] {
            assert_eq!(link(path), None, "{path}");
        }
    }

    #[test]
    fn a_folder_gives_nothing_from_outside() {
        let folder = Assets::Folder(env!("CARGO_MANIFEST_DIR").into());
        let status = |path: &str| folder.serve(path, &HeaderMap::new()).status();
        assert_eq!(status("/assets/index.html"), StatusCode::OK);
        for path in [
            "/../game/Cargo.toml",
            "/Cargo.toml",
            "/assets/../../README.txt",
            "/src",
            "//etc/passwd.txt",
        ] {
            assert_eq!(status(path), StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[test]
    fn the_page_with_all_boards_is_below_120_kilobytes_on_the_line_in_any_language_and_what_teaches_below_25() {
        let size = |wanted: &dyn Fn(&str) -> bool| -> usize {
            let packed = PACKED.iter().filter(|packed| wanted(packed.name));
            packed.map(|packed| packed.brotli.len()).sum()
        };
        let texts = |name: &str| name.contains("/texts/");
        // A language has two tables: what the page says, and the games.
        let language = 2 * size(&texts) / PACKED.iter().filter(|packed| texts(packed.name)).count();
        // Lesson, puzzles and explorer are fetched by who goes there.
        let teaching = |name: &str| name.contains("/teach/") || name.contains("learn");
        let total = size(&|name| !texts(name) && !teaching(name)) + language;
        assert!(total < 120_000, "{total} bytes");
        let later = size(&teaching);
        assert!(later > 0 && later < 25_000, "{later} bytes");
    }

    #[test]
    fn the_document_names_files_that_are_there_and_are_kept_for_ever() {
        let page = Assets::Packed.serve("/", &HeaderMap::new());
        assert_eq!(page.headers()[header::CACHE_CONTROL], "no-cache");
        let document = PACKED.iter().find(|packed| packed.name == PAGE).unwrap().plain();
        let document = std::str::from_utf8(&document).unwrap();
        let named: Vec<&str> = document.split('"').filter(|text| text.starts_with("/a/")).collect();
        assert_eq!(named.len(), 3, "a style sheet and two scripts: {named:?}");
        for path in named {
            let answer = Assets::Packed.serve(path, &HeaderMap::new());
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
            assert!(
                answer.headers()[header::CACHE_CONTROL]
                    .to_str()
                    .unwrap()
                    .contains("immutable"),
                "{path}"
            );
        }
    }
}
