//! License templates for the in-process host, modelled on the real ones.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Key, name, nickname, featured, listed, text.
type Template = (&'static str, &'static str, Option<&'static str>, bool, bool, &'static str);

const TEMPLATES: &[Template] = &[
    (
        "agpl-3.0",
        "GNU Affero General Public License v3.0",
        Some("GNU AGPLv3"),
        false,
        true,
        "GNU AFFERO GENERAL PUBLIC LICENSE\n\n<one line to give the program's name and a brief idea of what it does.>\nCopyright (C) <year>  <name of author>\n",
    ),
    (
        "apache-2.0",
        "Apache License 2.0",
        None,
        true,
        true,
        "                                 Apache License\n\n   Copyright {yyyy} {name of copyright owner}\n",
    ),
    ("artistic-2.0", "Artistic License 2.0", None, false, true, "The Artistic License 2.0\n"),
    ("bsd-2-clause", "BSD 2-clause \"Simplified\" License", None, false, true, "Copyright (c) [year], [fullname]\n"),
    (
        "bsd-3-clause",
        "BSD 3-clause \"New\" License",
        None,
        false,
        true,
        "Copyright (c) [year], [fullname]\nName of [project]\n",
    ),
    ("cc0-1.0", "Creative Commons Zero v1.0 Universal", None, false, true, "CC0 1.0 Universal\n"),
    ("epl-1.0", "Eclipse Public License 1.0", None, false, true, "Eclipse Public License - v 1.0\n"),
    (
        "gpl-2.0",
        "GNU General Public License v2.0",
        Some("GNU GPLv2"),
        false,
        true,
        "GNU GENERAL PUBLIC LICENSE\n\n{description}\nCopyright (C) {year}  {fullname}\n{signature of Ty Coon}\n",
    ),
    (
        "gpl-3.0",
        "GNU General Public License v3.0",
        Some("GNU GPLv3"),
        true,
        true,
        "GNU GENERAL PUBLIC LICENSE\n\n{one line to give the program's name and a brief idea of what it does.}\nCopyright (C) {year}  {name of author}\n{project}  Copyright (C) {year}  {fullname}\n",
    ),
    ("isc", "ISC License", None, false, true, "Copyright (c) [year], [fullname]\n"),
    (
        "lgpl-2.1",
        "GNU Lesser General Public License v2.1",
        Some("GNU LGPLv2.1"),
        false,
        true,
        "{description}\nCopyright (C) {year}  {fullname}\n",
    ),
    ("lgpl-3.0", "GNU Lesser General Public License v3.0", Some("GNU LGPLv3"), false, true, "GNU LESSER\n"),
    ("mit", "MIT License", None, true, true, "MIT License\n\nCopyright (c) [year] [fullname]\n"),
    ("mpl-2.0", "Mozilla Public License 2.0", None, false, true, "Mozilla Public License Version 2.0\n"),
    ("unlicense", "The Unlicense", None, false, true, "This is free and unencumbered software\n"),
    ("wtfpl", "Do What The F*ck You Want To Public License", None, false, false, "Copyright (C) 2004 Sam Hocevar\n"),
];

pub fn listed() -> Vec<&'static str> {
    TEMPLATES.iter().filter(|template| template.4).map(|template| template.0).collect()
}

/// The blobs that `scripts/licenses.mjs` writes.
pub fn blobs() -> BTreeMap<String, String> {
    let template = |&(key, name, nickname, featured, _, content): &(&str, &str, Option<&str>, bool, bool, &str)| {
        json!({
            "key": key, "name": name, "nickname": nickname, "featured": featured,
            "html_url": format!("http://choosealicense.com/licenses/{key}/"),
            "source_url": if key == "mit" { "https://opensource.org/licenses/MIT" } else { "http://example.com/" },
            "description": "A license.", "conditions": ["include-copyright"],
            "permissions": ["modifications"], "limitations": ["no-liability"], "content": content,
        })
    };
    let list: Vec<Value> = TEMPLATES.iter().filter(|entry| entry.4).map(template).collect();
    let single = TEMPLATES.iter().map(|entry| (format!("licenses/{}", entry.0), template(entry).to_string()));
    single.chain([("licenses".to_owned(), Value::from(list).to_string())]).collect()
}

/// The real templates, if `node_modules` has their package.
pub fn real_blobs() -> Option<BTreeMap<String, String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("node_modules/choosealicense-list").exists() {
        return None;
    }
    let file = std::env::temp_dir().join(format!("edgeforge-licenses-{}.json", std::process::id()));
    let made = Command::new("node").current_dir(root).arg("scripts/licenses.mjs").arg(&file).status();
    assert!(made.is_ok_and(|status| status.success()), "scripts/licenses.mjs failed: run it by hand to see why");
    let entries: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = |entry: &Value, name: &str| entry[name].as_str().unwrap().to_owned();
    Some(entries.iter().map(|entry| (text(entry, "key"), text(entry, "value"))).collect())
}
