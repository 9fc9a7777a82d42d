//! Where SQL stands in the source, and that each statement named there is in the book.

use super::folder;
use std::collections::BTreeSet;
use std::path::Path;

/// Constants that no request of the script sends.
const UNSENT: &[&str] = &[
    // asked where a push finds no room
    "mirror/sql/BYTES",
];

/// Path and text of every file of the service, without its unit tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut files) = (vec![root.join("src")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned();
                files.push((name, text));
            }
        }
    }
    files.retain(|(file, _)| !file.contains("_test/"));
    files.sort();
    files
}

/// Whether a text in quotes begins or goes on as a statement does.
fn has_sql(text: &str) -> bool {
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    ["select ", "insert into ", "update ", "delete from ", " cross join ", " union all"].iter().any(|piece| {
        code.split(piece).skip(1).zip(code.match_indices(piece)).any(|(_, (at, _))| {
            // within quotes: an odd number of them before
            (code[..at].matches('"').count() - code[..at].matches("\\\"").count()) % 2 == 1
        })
    })
}

#[test]
fn sql_stands_in_one_kind_of_file() {
    let mut found = BTreeSet::new();
    for (file, text) in sources() {
        let name = file.rsplit('/').next().unwrap();
        let is_place = name == "sql.rs" || name.starts_with("pages") || file.contains("/sql/");
        if has_sql(&text) && !is_place {
            found.insert(file);
        }
    }
    assert!(
        found.is_empty(),
        "SQL belongs into the area's sql.rs (or pages*.rs, or files below sql/): {found:?}"
    );
}

#[test]
fn no_statement_is_edited_at_run_time() {
    let mut found = Vec::new();
    for (file, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            let edits = line.contains(".replace(\"{")
                || line.contains("sql.replace(")
                || line.contains("LIST.replace(");
            let is_link = line.contains("links.git_");
            if edits && !is_link {
                found.push(format!("{file}:{}: {}", number + 1, line.trim()));
            }
            if line.contains(".sql = ") {
                found.push(format!("{file}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "a constant for each variant, or `store::fill` with named parts:\n{}",
        found.join("\n")
    );
}

#[test]
fn every_constant_that_is_sent_is_in_the_book() {
    let mut missing = Vec::new();
    for (file, text) in sources() {
        let module = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
        let parts: Vec<&str> = module.split('/').collect();
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for call in code.join("\n").split(" sql!(").skip(1) {
            let name = call.trim_start().split([',', ')', ';', '\n']).next().unwrap_or_default().trim();
            let name = name.rsplit("::").next().unwrap_or_default();
            let is_constant =
                !name.is_empty() && name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
            if !is_constant
                || name.ends_with("_HEAD")
                || UNSENT.contains(&format!("{module}/{name}").as_str())
            {
                continue;
            }
            let rest: Vec<&str> = parts[1..].iter().copied().filter(|part| *part != "sql").collect();
            let lower = name.to_lowercase();
            let page = [rest.as_slice(), &[lower.as_str()]].concat().join("-");
            let page = format!("{}/{page}.sql", parts[0]);
            if !folder().join(&page).exists() {
                missing.push(format!("{page} ({file})"));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "not in the book: add a request that sends it to tests/api/book/script.rs, then BLESS=1 cargo test --test api book\n{}",
        missing.join("\n")
    );
}
