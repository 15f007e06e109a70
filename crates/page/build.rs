//! Packs the files of `assets` into the program, so that the page crosses a slow line as quickly as it can: modules that are
//! needed together are one file, style sheets are one file, everything lies in a folder named after what is in it (so a
//! browser keeps it for ever), and each file is there compressed, by brotli and by gzip.

#[path = "build/bundle.rs"]
mod bundle;

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=assets");
    println!("cargo::rerun-if-changed=build");
    // In a browser nobody serves them from the program.
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        return Ok(());
    }
    let folder = Path::new("assets");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?);
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    let mut files = BTreeMap::new();
    for path in &paths {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.strip_prefix(folder).map_err(io::Error::other)?;
        files.insert(name.to_string_lossy().replace('\\', "/"), fs::read(path)?);
    }
    let files = bundle::bundle(files).map_err(io::Error::other)?;
    let mut table = String::from("&[\n");
    for (number, (name, plain)) in files.iter().enumerate() {
        for (ending, bytes) in [("br", brotli(plain)?), ("gz", gzip(plain)?)] {
            fs::write(out.join(format!("asset{number}.{ending}")), bytes)?;
        }
        let include = |ending: &str| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/asset{number}.{ending}\"))");
        table += &format!(
            "    Packed {{ name: {name:?}, tag: \"\\\"{}\\\"\", brotli: {}, gzip: {} }},\n",
            digest(plain),
            include("br"),
            include("gz")
        );
    }
    table += "]\n";
    fs::write(out.join("assets.rs"), table)?;
    let description = Path::new("../../docs/openapi.json");
    println!("cargo::rerun-if-changed={}", description.display());
    fs::write(out.join("openapi.json.gz"), gzip(&fs::read(description)?)?)
}

/// A name for what is in some bytes.
fn digest(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

/// Files below a folder. Names that begin with a dot are nobody's business.
fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), into)?;
        } else {
            into.push(entry.path());
        }
    }
    Ok(())
}

fn brotli(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut pressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut pressed, 4096, 11, 22);
    writer.write_all(plain)?;
    drop(writer);
    Ok(pressed)
}

fn gzip(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(plain)?;
    writer.finish()
}
