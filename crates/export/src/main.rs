//! Writes the page as files for any static host: `export DIR QUARTO ALL DATA`, called by `scripts/page-export`.
//!
//! The page's modules are bundled as for the server. Beside them go the modules, their glue, the books and the data that a server would work out (`DATA`, a folder of JSON); the
//! document gets one more script, and the service worker learns which files there are. It depends on nothing, so that it is built in a moment.

#[path = "../../page/build/bundle.rs"]
mod bundle;

use bundle::Files;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// Where everything but the page's own files goes.
const GLUE: &str = "terzo";

/// What nothing leaves the browser by, also on a host that says nothing about it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'";

/// Files that are fetched when they are needed, not when the page is installed: books of rarer variants, and what is for other pages.
const LATER: [&str; 4] = [
    "terzo/files/quarto-squares.book",
    "terzo/files/quarto-squares-only.book",
    "terzo/files/quarto-torus.book",
    "terzo-quarto.js",
];

fn main() -> io::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [folder, quarto, all, data] = arguments.as_slice() else {
        return Err(io::Error::other(
            "expected DIR QUARTO ALL DATA; scripts/page-export gives them",
        ));
    };
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = bundle::bundle(read(&crates.join("page/assets"))?).map_err(io::Error::other)?;
    // What only a server shows, and style sheets that went into the one for all.
    files.retain(|name, _| name != "refused.html" && !name.contains("style/"));
    for (name, bytes) in read(&crates.join("browser/static"))? {
        let place = match name.as_str() {
            "sw.js" | "manifest.webmanifest" => name,
            _ => format!("{GLUE}/{name}"),
        };
        files.insert(place, bytes);
    }
    for folder in ["quarto/src/book", "quarto/src/puzzle"] {
        let wanted = |name: &str| name.ends_with(".book") || name.ends_with(".puzzles");
        let found = read(&crates.join(folder))?.into_iter().filter(|(name, _)| wanted(name));
        files.extend(found.map(|(name, bytes)| (format!("{GLUE}/files/{name}"), bytes)));
    }
    for (name, bytes) in read(data)? {
        let place = match name.as_str() {
            "terzo-quarto.js" => name,
            _ => format!("{GLUE}/{name}"),
        };
        files.insert(place, bytes);
    }
    files.insert(
        format!("{GLUE}/openapi.json"),
        fs::read(crates.join("../docs/openapi.json"))?,
    );
    files.insert(format!("{GLUE}/quarto.wasm"), fs::read(quarto)?);
    files.insert(format!("{GLUE}/terzo.wasm"), fs::read(all)?);
    edit(&mut files, "index.html", settle)?;
    let listed = list(&files);
    edit(&mut files, "sw.js", |text| {
        listed
            .iter()
            .fold(text, |text, (mark, value)| text.replace(mark, value))
    })?;
    for (name, bytes) in &files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// The document for a host of plain files, under any path.
fn settle(document: String) -> String {
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<link rel=\"manifest\" href=\"manifest.webmanifest\">\n<script src=\"{GLUE}/boot.js\"></script>\n<script src="
    );
    let document = document.replacen("<html lang=\"en\">", "<html lang=\"en\" data-host=\"files\">", 1);
    let document = document.replacen("<script src=", &head, 1);
    // Links to pages are the router's; links to files are relative.
    ["a/", "icon.svg"].iter().fold(document, |text, name| {
        text.replace(&format!("\"/{name}"), &format!("\"{name}"))
    })
}

/// What the service worker is told: a name for all of this, and the files it fetches at once.
fn list(files: &Files) -> [(&'static str, String); 2] {
    let mut all = Vec::new();
    let mut names = vec!["./".to_string()];
    for (name, bytes) in files {
        all.extend_from_slice(name.as_bytes());
        all.extend_from_slice(bytes);
        if name != "sw.js" && name != "index.html" && !LATER.contains(&name.as_str()) {
            names.push(name.clone());
        }
    }
    [("@VERSION@", digest(&all)), ("@FILES@", names.join("', '"))]
}

fn edit(files: &mut Files, name: &str, change: impl FnOnce(String) -> String) -> io::Result<()> {
    let bytes = files
        .remove(name)
        .ok_or_else(|| io::Error::other(format!("there is no {name}")))?;
    let text = String::from_utf8(bytes).map_err(io::Error::other)?;
    files.insert(name.into(), change(text).into_bytes());
    Ok(())
}

/// A name for what is in some bytes.
fn digest(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

/// The files below a folder, by their paths there.
fn read(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).map_err(io::Error::other)?;
            files.insert(name.to_string_lossy().replace('\\', "/"), fs::read(&path)?);
        }
    }
    Ok(files)
}
