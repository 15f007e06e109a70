//! Packs the files of `assets` into the program, each as it is and pressed by brotli and gzip, so that the server
//! never has to press anything and the page crosses a slow line as quickly as it can.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=assets");
    let folder = Path::new("assets");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?);
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for (number, file) in files.iter().enumerate() {
        println!("cargo::rerun-if-changed={}", file.display());
        let plain = fs::read(file)?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&plain);
        let name = file.strip_prefix(folder).map_err(io::Error::other)?;
        let name = name.to_string_lossy().replace('\\', "/");
        for (ending, bytes) in [("plain", plain.clone()), ("br", brotli(&plain)?), ("gz", gzip(&plain)?)] {
            fs::write(out.join(format!("asset{number}.{ending}")), bytes)?;
        }
        let include = |ending: &str| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/asset{number}.{ending}\"))");
        table += &format!(
            "    Packed {{ name: {name:?}, tag: \"\\\"{:016x}\\\"\", plain: {}, brotli: {}, gzip: {} }},\n",
            hasher.finish(),
            include("plain"),
            include("br"),
            include("gz")
        );
    }
    table += "]\n";
    fs::write(out.join("assets.rs"), table)
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
