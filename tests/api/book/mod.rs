//! The book of statements: whatever the service sends to the database stands in `tests/api/statements/<area>/<name>.sql` as
//! it runs, with its title, its binds, how many rows it gave in one small world, and SQLite's plan.
//! `BLESS=1 cargo test --test api book` writes it.

mod format;
pub mod script;
mod source;

use crate::support::{Server, spec};
use edgeforge::Retention;
use edgeforge::inputs::heads;
use edgeforge::quota::Quotas;
use edgeforge::store::{Answer, Statement};
use format::formatted;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HOW: &str = "look at the difference, and where it is meant: BLESS=1 cargo test --test api book";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder() -> PathBuf {
    root().join("tests/api/statements")
}

/// Area and name of a statement: those of its constant, or of what it does where its text is chosen among several.
fn title(statement: &Statement) -> (String, String) {
    let parts: Vec<&str> = statement.origin.module.split("::").skip(1).collect();
    let (area, rest) = parts.split_first().unwrap_or((&"other", &[]));
    let constant = statement.origin.text.rsplit([':', '.']).next().unwrap_or_default().trim();
    let is_constant = constant.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    let own =
        if is_constant && !constant.is_empty() { constant.to_lowercase() } else { deed(&statement.sql) };
    let rest: Vec<&str> = rest.iter().copied().filter(|part| *part != "sql").chain([own.as_str()]).collect();
    ((*area).to_owned(), rest.join("-"))
}

/// What a statement does: its verb and the table it writes.
fn deed(sql: &str) -> String {
    let words: Vec<&str> = sql.split_whitespace().collect();
    let write = words.windows(3).find_map(|three| match three {
        ["insert", "into", table] | ["delete", "from", table] => Some((three[0], *table)),
        ["update", table, "set" | "as" | "indexed"] => Some(("update", *table)),
        _ => None,
    });
    match write {
        Some((verb, table)) => format!("{verb}_{table}"),
        None => "select".to_owned(),
    }
}

/// The lines above a constant in the source that tell what it asks.
fn told(statement: &Statement) -> Option<String> {
    let path: Vec<&str> = statement.origin.module.split("::").skip(1).collect();
    let constant = statement.origin.text.rsplit("::").next()?;
    let (area, rest) = path.split_first()?;
    let area = root().join("src").join(area);
    let own = root().join("src").join(path.join("/"));
    // beside the code, or below sql/ by the name of the file that sends it or by the one that the code names
    let named =
        statement.origin.text.split("::").map(|part| area.join("sql").join(part).with_extension("rs"));
    let moved = area.join("sql").join(rest.join("_")).with_extension("rs");
    let files = [own.with_extension("rs"), own.join("mod.rs"), moved, area.join("sql.rs")];
    files.into_iter().chain(named).find_map(|file| above(&std::fs::read_to_string(file).ok()?, constant))
}

/// The doc comment of a constant in this text.
fn above(text: &str, constant: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| {
        line.trim_start_matches("pub ")
            .trim_start_matches("pub(crate) ")
            .starts_with(&format!("const {constant}:"))
    })?;
    let above = lines[..at].iter().rev().map_while(|line| line.strip_prefix("///")).collect::<Vec<_>>();
    let text: Vec<&str> = above.iter().rev().map(|line| line.trim()).collect();
    (!text.is_empty()).then(|| text.join(" "))
}

/// The head of a statement: its name, and where it begins and ends. Lists have it in the frame that bounds them.
fn head(sql: &str) -> Option<(&'static str, std::ops::Range<usize>)> {
    let fitting = heads().into_iter().filter_map(|(name, text)| {
        let begin = sql.find(text).filter(|begin| *begin < 200 && sql.len() > text.len())?;
        Some((name, begin..begin + text.len()))
    });
    fitting.max_by_key(|(_, range)| range.len())
}

/// A page of the book.
fn page(statement: &Statement, answer: &Answer, plan: &str) -> String {
    let head = head(&statement.sql);
    let mut text = String::new();
    let title = told(statement).unwrap_or_else(|| {
        let (area, name) = title(statement);
        format!("{area}: {}", name.replace(['-', '_'], " "))
    });
    wrapped(&mut text, &title);
    let first = if head.is_some() { 7 } else { 1 };
    let list = statement.origin.binds.len() == 1
        && statement.binds.len() - (first - 1).min(statement.binds.len()) > 1;
    let names: Vec<String> = statement
        .origin
        .binds
        .iter()
        .enumerate()
        .map(|(at, bind)| {
            format!(
                "?{}{} {}",
                first + at,
                if list { ".." } else { "" },
                bind.split_whitespace().collect::<Vec<_>>().join(" ")
            )
        })
        .collect();
    if !names.is_empty() {
        wrapped(&mut text, &format!("Binds: {}", names.join(", ")));
    }
    writeln!(
        text,
        "-- Rows in the small world: {} given, {} written",
        answer.rows.len(),
        answer.rows_written
    )
    .unwrap();
    text.push('\n');
    let own = match head {
        Some((name, range)) => {
            let frame = formatted(&statement.sql[..range.start]);
            writeln!(text, "{frame}{}-- call/{name}_head.sql", if frame.is_empty() { "" } else { "\n" })
                .unwrap();
            range.end
        }
        None => 0,
    };
    text.push_str(&formatted(&statement.sql[own..]));
    text.push_str("\n\n-- Plan:\n");
    for line in plan.lines() {
        writeln!(text, "-- {line}").unwrap();
    }
    text
}

/// As lines of a comment.
fn wrapped(text: &mut String, told: &str) {
    let mut line = "--".to_owned();
    for word in told.split_whitespace() {
        if line.len() + word.len() > 118 {
            writeln!(text, "{line}").unwrap();
            line = "--  ".to_owned();
        }
        line.push(' ');
        line.push_str(word);
    }
    writeln!(text, "{line}").unwrap();
}

/// So many bytes have the texts of all statements together: workerd keeps a megabyte of them compiled, and what is seldom sent
/// makes room for what is.
const MOST_TEXT: usize = 830_000;

/// Path below the folder, and text, of every page.
fn book() -> BTreeMap<String, String> {
    // quotas and what ends have statements, too
    let quotas = Quotas { project_bytes: 100_000, instance_bytes: 1 << 40, hourly_writes: 1 << 20 };
    let retention = Retention { deleted_projects: 1, ended_tokens: 1, idempotency_keys: 1, statuses: 1 };
    let server = Server::with_objects(|config| (config.quotas, config.retention) = (quotas, retention));
    // most of it without an object store, which changes little
    server.bucket().bind(false);
    server.database().record();
    script::run(server);
    let recorded = server.database().recorded();
    let (mut pages, mut known) = (BTreeMap::new(), BTreeSet::new());
    for (name, text) in heads() {
        let plan = if name == "write" { String::new() } else { server.database().plan(text, false) };
        let mut page = format!(
            "-- How statements begin: {name}. Binds ?1 to ?6: src/call/sql/scope.rs\n\n{}\n",
            formatted(text)
        );
        if !plan.is_empty() {
            page.push_str("\n-- Plan:\n");
            plan.lines().for_each(|line| writeln!(page, "-- {line}").unwrap());
        }
        pages.insert(format!("call/{name}_head.sql"), page);
        known.insert((String::new(), text.to_owned()));
    }
    let texts: BTreeSet<&str> = recorded.iter().map(|(statement, _)| statement.sql.as_ref()).collect();
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    assert!(bytes < MOST_TEXT, "{bytes} bytes of statements: find a text that serves two of them");
    for (statement, answer) in recorded {
        let (area, name) = title(&statement);
        let is_head = known.contains(&(String::new(), statement.sql.to_string()));
        if is_head || !known.insert((format!("{area}/{name}"), statement.sql.to_string())) {
            continue;
        }
        let plan = server.database().plan(&statement.sql, head(&statement.sql).is_some());
        let text = page(&statement, &answer, &plan);
        let path = |number: usize| match number {
            1 => format!("{area}/{name}.sql"),
            number => format!("{area}/{name}_{number}.sql"),
        };
        let free = (1..).map(path).find(|path| !pages.contains_key(path)).unwrap();
        pages.insert(free, text);
    }
    pages
}

fn written(at: &Path, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(at).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            written(&path, found);
        } else {
            let name = path.strip_prefix(folder()).unwrap().display().to_string();
            found.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_statement_is_in_the_book_as_it_runs() {
    if !spec().is_in_process() {
        return;
    }
    let pages = book();
    if std::env::var("BLESS").is_ok_and(|value| value == "1") {
        let _ = std::fs::remove_dir_all(folder());
        for (name, text) in &pages {
            let file = folder().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
    }
    let mut known = BTreeMap::new();
    written(&folder(), &mut known);
    let mut told = String::new();
    for name in pages.keys().chain(known.keys()).collect::<BTreeSet<_>>() {
        match (pages.get(name), known.get(name)) {
            (Some(new), Some(old)) if new == old => {}
            (Some(new), Some(old)) => {
                let first = new.lines().zip(old.lines()).find(|(new, old)| new != old);
                writeln!(told, "{name} differs, first (new, old) at {first:#?}").unwrap();
            }
            (Some(_), None) => writeln!(told, "{name} is new").unwrap(),
            (None, _) => writeln!(told, "{name} is sent no more").unwrap(),
        }
    }
    assert!(told.is_empty(), "the book of statements (tests/api/statements) is not what runs; {HOW}\n{told}");
}
