//! Tests what the build script does with the modules of the page.

#[path = "../build/bundle.rs"]
mod bundle;

use bundle::{Files, bundle};

fn digest(bytes: &[u8]) -> String {
    format!(
        "{:08x}",
        bytes
            .iter()
            .fold(7u32, |sum, &byte| sum.wrapping_mul(31) + u32::from(byte))
    )
}

const DOCUMENT: &str = "<script src=\"/theme.js\"></script>\n<link rel=\"stylesheet\" href=\"/one.css\">\n\
                        <link rel=\"stylesheet\" href=\"/two.css\">\n<script type=\"module\" src=\"/app.js\"></script>\n";

fn packed(modules: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
    let around = [
        ("index.html", DOCUMENT),
        ("one.css", "a {}\n"),
        ("two.css", "b {}\n"),
        ("theme.js", ""),
    ];
    let files: Files = (around.iter().chain(modules))
        .map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()))
        .collect();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ok(bundle(files)?
        .into_iter()
        .map(|(name, bytes)| (name, text(bytes)))
        .collect())
}

#[test]
fn modules_that_are_needed_together_are_one_file_and_each_is_there_once() {
    let files = packed(&[
        (
            "app.js",
            "import { a as first } from './common/a.js';\nconst later = () => import('./late/page.js');\nconst more = () => import('./late/more.js');\n",
        ),
        ("common/a.js", "import { b } from './b.js';\nexport const a = b + 1;\n"),
        ("common/b.js", "export const b = 1;\n"),
        ("common/shared.js", "export function both() {}\n"),
        (
            "late/page.js",
            "import { b } from '../common/b.js';\nimport { both } from '../common/shared.js';\nexport async function page() {}\n",
        ),
        ("late/more.js", "import { both } from '../common/shared.js';\nexport default {\n  x: 1,\n};\n"),
    ])
    .unwrap();
    let named = |ending: &str| files.iter().find(|(name, _)| name.ends_with(ending)).unwrap();
    let (app, text) = named("/app.js");
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}"));
    assert!(
        at("modules['common/b.js'] =") < at("modules['common/a.js'] ="),
        "what is needed runs first"
    );
    assert!(at("modules['common/shared.js'] =") < at("modules['app.js'] ="));
    assert!(text.contains("const { a: first } = modules['common/a.js'];"));
    assert!(text.contains("import('./late/page.js')"));
    let (_, page) = named("late/page.js");
    assert!(page.starts_with("import { modules } from '../app.js';\n") && !page.contains("modules['common/b.js'] ="));
    assert!(
        page.ends_with("export const page = modules['late/page.js'].page;\n"),
        "{page}"
    );
    assert!(
        named("late/more.js")
            .1
            .ends_with("export default modules['late/more.js'].default;\n")
    );
    assert_eq!(named("/style.css").1, "a {}\nb {}\n");
    assert!(named("index.html").1.contains(&format!("src=\"/{app}\"")));
    assert!(!files.iter().any(|(name, _)| name.ends_with("common/a.js")));
}

#[test]
fn comments_and_indents_stay_behind() {
    let files = packed(&[(
        "app.js",
        "// Where it begins.\n/**\n * Several\n * lines.\n */\nconst a = /** @type {any} */ (1); // 'https://x'\n\n/** one */\n  const b = 'a//b';\n",
    )])
    .unwrap();
    let (_, text) = files.iter().find(|(name, _)| name.ends_with("/app.js")).unwrap();
    assert!(
        text.contains("(() => {\nconst a =  (1); // 'https://x'\nconst b = 'a//b';\nreturn"),
        "{text}"
    );
    let refused = |text| packed(&[("app.js", text)]).unwrap_err();
    assert!(refused("const a = `one\n  two`;\n").contains("app.js: a text over several lines"));
    assert!(refused("/** a\n").contains("app.js: a comment without end"));
}

#[test]
fn what_cannot_be_put_together_is_an_error_that_says_where() {
    let refused = |modules: &[(&str, &str)]| packed(modules).unwrap_err();
    let circle = refused(&[
        ("app.js", "import { a } from './a.js';\n"),
        ("a.js", "import { b } from './b.js';\n"),
        ("b.js", "import { a } from './a.js';\n"),
    ]);
    assert!(circle.contains("circle: app.js a.js b.js a.js"), "{circle}");
    assert!(refused(&[("app.js", "import { a } from './a.js';\n")]).contains("no module a.js"));
    assert!(refused(&[("app.js", "import * as a from './a.js';\n")]).contains("app.js: expected import { names }"));
    assert!(refused(&[("app.js", "export { a };\n")]).contains("app.js: unknown export"));
    assert!(refused(&[("app.js", "import { a } from '../a.js';\n")]).contains("lies outside"));
}
