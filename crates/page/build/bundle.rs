//! Puts together what a browser needs together.
//!
//! The page is written as many small modules. A browser would hear of each only from the one that imports it, and over HTTP/1
//! asks for six at a time: on a slow line most of the time is spent asking. So all modules that `app.js` imports become one
//! file, and so do those behind every `import()`. A module becomes a function that gives back what it exports; what others
//! import from it is read from there. Only the forms of `import` and `export` are understood that the page uses; any other
//! is an error, and so is a circle of imports, since then there is no order to run them in.

use std::collections::{BTreeMap, BTreeSet};

/// Files by their names.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Where the page begins, and what it is shown in.
const ENTRY: &str = "app.js";
const DOCUMENT: &str = "index.html";
/// All style sheets of the document.
const STYLES: &str = "style.css";

/// What one module is made of.
struct Module {
    /// Its text without imports and the word `export`.
    body: String,
    /// What it imports: the names as they are written, and from which module.
    imports: Vec<(String, String)>,
    /// What it exports.
    exports: Vec<String>,
    /// What it loads when it is needed.
    later: Vec<String>,
}

/// The files as they are served.
pub fn bundle(mut files: Files) -> Result<Files, String> {
    let mut modules = BTreeMap::new();
    let mut seen = vec![ENTRY.to_string()];
    let mut entries = BTreeSet::from([ENTRY.to_string()]);
    while let Some(name) = seen.pop() {
        if modules.contains_key(&name) {
            continue;
        }
        let text = files.get(&name).ok_or_else(|| format!("there is no module {name}"))?;
        let text = std::str::from_utf8(text).map_err(|error| format!("{name}: {error}"))?;
        let module = read(&name, text)?;
        seen.extend(module.imports.iter().map(|(_, from)| from.clone()));
        seen.extend(module.later.iter().cloned());
        entries.extend(module.later.iter().cloned());
        modules.insert(name, module);
    }
    let bundles = divide(&modules, &entries)?;
    files.retain(|name, _| !modules.contains_key(name));
    for (entry, members) in &bundles {
        let whole = write(entry, members, &modules);
        files.insert(entry.clone(), whole.into_bytes());
    }
    link_styles(&mut files)?;
    for (name, bytes) in &mut files {
        let marks = match name.rsplit('.').next() {
            Some("js") => ("/**", Some("//")),
            Some("css") => ("/*", None),
            _ => continue,
        };
        let text = std::str::from_utf8(bytes).map_err(|error| format!("{name}: {error}"))?;
        *bytes = strip(name, text, marks)?.into_bytes();
    }
    Ok(settle(files))
}

/// A text without its comments, which are for who works on the page and are a third of it, and without what its lines begin with.
/// `marks` are what a comment up to `*/` begins with, wherever it stands, and what a line begins with that is a comment.
fn strip(name: &str, text: &str, (opening, line_mark): (&str, Option<&str>)) -> Result<String, String> {
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for whole in text.lines() {
        let mut line = String::new();
        let mut rest = whole;
        loop {
            let end = if inside { "*/" } else { opening };
            let Some((before, after)) = rest.split_once(end) else {
                break;
            };
            if !inside {
                line += before;
            }
            inside = !inside;
            rest = after;
        }
        if !inside {
            line += rest;
        }
        let line = line.trim();
        // What stands at the beginning of a line would be lost from a text that goes over several.
        if line.matches('`').count() % 2 == 1 {
            return Err(format!("{name}: a text over several lines: {whole}"));
        }
        if !line.is_empty() && !line_mark.is_some_and(|mark| line.starts_with(mark)) {
            kept += line;
            kept.push('\n');
        }
    }
    match inside {
        true => Err(format!("{name}: a comment without end")),
        false => Ok(kept),
    }
}

/// Which modules go into the file of each entry. What several need goes into the first file, which everybody has.
fn divide(
    modules: &BTreeMap<String, Module>,
    entries: &BTreeSet<String>,
) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut needed = BTreeMap::new();
    for entry in entries {
        let mut order = Vec::new();
        visit(entry, modules, &mut Vec::new(), &mut order)?;
        needed.insert(entry.clone(), order);
    }
    let mut shared = needed.remove(ENTRY).unwrap_or_default();
    let first: BTreeSet<String> = shared.iter().cloned().collect();
    let count = |name: &String| needed.values().filter(|order| order.contains(name)).count();
    let mut common: Vec<String> = Vec::new();
    for name in needed.values().flatten() {
        if !first.contains(name) && !common.contains(name) && (count(name) > 1 || !modules[name].later.is_empty()) {
            common.push(name.clone());
        }
    }
    // The entry itself runs last.
    shared.pop();
    shared.extend(common);
    shared.push(ENTRY.into());
    for order in needed.values_mut() {
        order.retain(|name| !shared.contains(name));
    }
    needed.insert(ENTRY.into(), shared);
    Ok(needed)
}

/// What a module needs, each after what it needs itself.
fn visit(
    name: &str,
    modules: &BTreeMap<String, Module>,
    path: &mut Vec<String>,
    order: &mut Vec<String>,
) -> Result<(), String> {
    if path.iter().any(|above| above == name) {
        return Err(format!(
            "modules import each other in a circle: {} {name}",
            path.join(" ")
        ));
    }
    if order.iter().any(|done| done == name) {
        return Ok(());
    }
    path.push(name.into());
    for (_, from) in &modules[name].imports {
        visit(from, modules, path, order)?;
    }
    path.pop();
    order.push(name.into());
    Ok(())
}

/// The file of an entry.
fn write(entry: &str, members: &[String], modules: &BTreeMap<String, Module>) -> String {
    let mut text = match entry {
        ENTRY => "export const modules = {};\n".to_string(),
        _ => format!(
            "import {{ modules }} from '{}{ENTRY}';\n",
            "../".repeat(entry.matches('/').count())
        ),
    };
    for name in members {
        let Module {
            body, imports, exports, ..
        } = &modules[name];
        text += &format!("modules['{name}'] = (() => {{\n");
        for (names, from) in imports {
            text += &format!("const {} = modules['{from}'];\n", names.replace(" as ", ": "));
        }
        text += body;
        text += &format!("return {{ {} }};\n}})();\n", exports.join(", "));
    }
    if entry != ENTRY {
        for name in &modules[entry].exports {
            let export = if name.starts_with("default") {
                "export default"
            } else {
                "export const"
            };
            let place = format!("modules['{entry}'].{}", name.split(':').next().unwrap_or(name));
            text += &match export {
                "export default" => format!("export default {place};\n"),
                _ => format!("export const {name} = {place};\n"),
            };
        }
    }
    text
}

/// Reads a module line by line.
fn read(name: &str, text: &str) -> Result<Module, String> {
    let mut module = Module {
        body: String::new(),
        imports: Vec::new(),
        exports: Vec::new(),
        later: Vec::new(),
    };
    for line in text.lines() {
        let place = |what: &str| format!("{name}: {what}: {line}");
        if let Some(import) = line.strip_prefix("import ") {
            let (names, from) = import.split_once(" from ").ok_or_else(|| place("unknown import"))?;
            let from = from.trim_matches([';', '\'']);
            if !names.starts_with('{') || !names.ends_with('}') {
                return Err(place("expected import { names }"));
            }
            module.imports.push((names.into(), resolve(name, from)?));
            continue;
        }
        let mut line = line.to_string();
        // Types in comments name modules, too.
        if !line.trim_start().starts_with(['*', '/']) {
            let mut rest = line.clone();
            while let Some((_, after)) = rest.split_once("import('") {
                let (from, after) = after.split_once("')").ok_or_else(|| place("unknown import"))?;
                let (from, after) = (from.to_string(), after.to_string());
                // `import('…').Type` in a comment at the end of a line is no import.
                if !is_type(&line, &from) {
                    let whole = resolve(name, &from)?;
                    line = line.replace(&format!("import('{from}')"), &format!("import('./{whole}')"));
                    module.later.push(whole);
                }
                rest = after;
            }
        }
        if let Some(exported) = line.strip_prefix("export ") {
            module
                .exports
                .push(exported_name(exported).ok_or_else(|| place("unknown export"))?);
            line = match exported.strip_prefix("default ") {
                Some(value) => format!("const theDefault = {value}"),
                None => exported.into(),
            };
        }
        module.body += &line;
        module.body.push('\n');
    }
    Ok(module)
}

/// Whether a module is only named for the sake of a type, in a comment.
fn is_type(line: &str, from: &str) -> bool {
    let call = format!("import('{from}')");
    let before = line.split(&call).next().unwrap_or_default();
    before
        .rfind("/**")
        .is_some_and(|comment| !before[comment..].contains("*/"))
}

/// What a declaration is called.
fn exported_name(declaration: &str) -> Option<String> {
    if declaration.starts_with("default ") {
        return Some("default: theDefault".into());
    }
    let mut words = declaration
        .split([' ', '(', '=', ';', '<'])
        .filter(|word| !word.is_empty());
    let kind = words.find(|word| !["async"].contains(word))?;
    let name = words.next()?.trim_start_matches('*');
    ["const", "function", "class"].contains(&kind).then(|| name.to_string())
}

/// The module that another one means.
fn resolve(name: &str, from: &str) -> Result<String, String> {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in from.split('/') {
        match part {
            "." => (),
            ".." => {
                parts.pop().ok_or_else(|| format!("{name}: {from} lies outside"))?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// Makes one style sheet of those that the document links.
fn link_styles(files: &mut Files) -> Result<(), String> {
    let document = text_of(files, DOCUMENT)?;
    let (mut kept, mut styles) = (String::new(), String::new());
    for line in document.lines() {
        let linked = line
            .strip_prefix("<link rel=\"stylesheet\" href=\"/")
            .and_then(|rest| rest.strip_suffix("\">"));
        match linked {
            None => kept += &format!("{line}\n"),
            Some(name) => {
                if styles.is_empty() {
                    kept += &format!("<link rel=\"stylesheet\" href=\"/{STYLES}\">\n");
                }
                styles += &text_of(files, name)?;
            }
        }
    }
    files.insert(DOCUMENT.into(), kept.into_bytes());
    files.insert(STYLES.into(), styles.into_bytes());
    Ok(())
}

fn text_of(files: &Files, name: &str) -> Result<String, String> {
    let bytes = files.get(name).ok_or_else(|| format!("there is no {name}"))?;
    String::from_utf8(bytes.clone()).map_err(|error| format!("{name}: {error}"))
}

/// Moves scripts and styles into a folder that is named after what is in them all, and tells the document so.
fn settle(files: Files) -> Files {
    let kept = |name: &str| [".html", ".svg"].iter().any(|ending| name.ends_with(ending)) || name == "style/base.css";
    let mut all = Vec::new();
    for (name, bytes) in files.iter().filter(|(name, _)| !name.ends_with(".html")) {
        all.extend_from_slice(name.as_bytes());
        all.extend_from_slice(bytes);
    }
    let folder = format!("a/{}", super::digest(&all));
    let moved = |(name, bytes): (String, Vec<u8>)| match kept(&name) {
        true if name == DOCUMENT => {
            let text = String::from_utf8_lossy(&bytes);
            let text = [STYLES, ENTRY, "theme.js"].iter().fold(text.to_string(), |text, file| {
                text.replace(&format!("\"/{file}\""), &format!("\"/{folder}/{file}\""))
            });
            (name, text.into_bytes())
        }
        true => (name, bytes),
        false => (format!("{folder}/{name}"), bytes),
    };
    files.into_iter().map(moved).collect()
}
