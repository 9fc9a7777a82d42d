//! Snapshots of query plans: for each statement of the `.sql` files how SQLite runs it. `UPDATE_SNAPSHOTS=1 cargo test --test api plans` writes them to `tests/api/plans/<area>.txt`.

pub mod script;
mod source;

use crate::support::{Server, difference, documents, spec};
use edgeforge::Retention;
use edgeforge::quota::Quotas;
use edgeforge::store::Scope;
use edgeforge::store::{Answer, Statement};
use source::Named;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const HOW: &str = "read the difference; if it is intended, run UPDATE_SNAPSHOTS=1 cargo test --test api plans";

/// The limit of all statements together in bytes, counting each text of a list in several orders: workerd caches a
/// megabyte of compiled texts, and every text is sent to the database.
const MOST_TEXT: usize = 800_000;
/// The limit of one statement in bytes.
const LONGEST: usize = 6_100;

/// Tables of one row.
const SINGLE: &[&str] = &["settings", "stored", "object_sweeps", "issue_index", "note_index", "commit_index"];

/// Intended full scans, by statement and table, with the reason.
const SCANS: &[(&str, &str, &str)] = &[
    ("hooks::outbox::served", "hook_queues", "the first six of an index, in its order"),
    ("words::indexing::next", "unindexed_issues", "a queue, the first rows of which are asked for"),
    ("words::indexing::next", "unindexed_notes", "a queue, the first rows of which are asked for"),
    ("words::indexing::next", "unindexed_commits", "a queue, the first rows of which are asked for"),
    ("hooks::outbox::take", "hook_queues", "the first six of an index, in its order"),
    ("imports::stage_labels", "sqlite_sequence", "a row for each table"),
    ("imports::stage_issues", "sqlite_sequence", "a row for each table"),
    ("imports::stage_notes", "sqlite_sequence", "a row for each table"),
    ("imports::stage_awards", "sqlite_sequence", "a row for each table"),
    ("imports::stage_links", "sqlite_sequence", "a row for each table"),
    ("imports::stage_releases", "sqlite_sequence", "a row for each table"),
    ("imports::stage_environments", "sqlite_sequence", "a row for each table"),
    ("imports::stage_deployments", "sqlite_sequence", "a row for each table"),
    ("imports::stage_comments", "sqlite_sequence", "a row for each table"),
    ("imports::remember", "staged_records", "a row for each kind of the request"),
    ("imports::renew", "staged_records", "a row for each kind of the request"),
    ("imports::outcome", "staged_records", "a row for each kind of the request"),
    ("imports::unstage", "staged_records", "a row for each kind of the request"),
    ("retention::project_left", "project_remains", "a queue, the first row of which is asked for"),
];

/// Statements whose plans list the tables that refer to a new row. SQLite only reads those if a foreign key is broken.
const MAKES_A_REFERENCE: &[&str] = &["projects::create", "tokens::create_bot", "users::create"];

/// Statements that the script does not make the service send, by area and name. They need a lost race, a full store, an
/// unfinished move of branches, a range of commits, or a caller who has spent much.
const UNSENT: &[(&str, &str)] = &[
    ("call", "kept_by"),
    ("call", "person_of"),
    ("commits", "sides"),
    ("mirror", "queue"),
    ("mirror", "remember_bytes"),
    ("mirror", "remember"),
    ("mirror", "used"),
];

/// The statements that the service sent, by name and text, each with its answer of the most rows. A list in several
/// orders has one name and a text for each order.
type Sent = BTreeMap<(&'static str, String), (Statement, Answer)>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the script made the service send.
struct Run {
    server: &'static Server,
    sent: Sent,
    /// The names of the statements in their order.
    names: Vec<String>,
}

/// The script runs once.
fn sent() -> &'static Run {
    static SENT: OnceLock<Run> = OnceLock::new();
    SENT.get_or_init(run)
}

/// A server of the script, which records.
fn recording() -> &'static Server {
    // quotas and expired tokens use statements, too
    let (project_bytes, instance_bytes) = (1 << 40, 1 << 40);
    let quotas = Quotas { project_bytes, instance_bytes, hourly_writes: 1 << 20, ..Quotas::default() };
    let retention = Retention {
        deleted_projects: 1,
        ended_tokens: 1,
        idempotency_keys: 1,
        statuses: 1,
        events: 1,
        audit_events: 1,
        reports: 1,
    };
    let server = Server::with_objects(|config| {
        (config.quotas, config.retention) = (quotas, retention);
        config.access = Some(documents::access());
    });
    // most of it without an object store, which changes few statements
    server.bucket().bind(false);
    server.database().record();
    server
}

fn run() -> Run {
    let server = recording();
    script::run(server);
    let (mut sent, mut names) = (Sent::new(), Vec::new());
    for (statement, answer) in server.database().recorded() {
        names.push(short(statement.name));
        let (_, most) = sent
            .entry((statement.name, statement.sql.to_string()))
            .or_insert_with(|| (statement.clone(), answer.clone()));
        if answer.rows.len() > most.rows.len() {
            *most = answer;
        }
    }
    Run { server, sent, names }
}

/// `edgeforge::areas::labels::sql::one` as `labels::one`.
fn short(name: &str) -> String {
    name.split("::").skip(2).filter(|part| *part != "sql").collect::<Vec<_>>().join("::")
}

/// A statement that is put together from pieces has more texts than these.
const MOST_TEXTS: usize = 8;

/// The texts of one statement in a snapshot: the plan of each, or for a statement that is put together from pieces the
/// lines that their plans have.
fn entries(server: &Server, texts: &[&(Statement, Answer)]) -> String {
    let mut text = String::new();
    let plan_of = |statement: &Statement| server.database().plan(&statement.sql, statement.scope != Scope::None);
    if let [(first, _), ..] = texts
        && texts.len() > MOST_TEXTS
    {
        let plans: Vec<String> = texts.iter().map(|(statement, _)| plan_of(statement)).collect();
        let lines: BTreeSet<&str> = plans.iter().flat_map(|plan| plan.lines()).map(str::trim).collect();
        writeln!(text, "{}\n  in several texts", short(first.name)).unwrap();
        lines.iter().for_each(|line| writeln!(text, "    {line}").unwrap());
        return text;
    }
    for (statement, _) in texts {
        let begins = match statement.scope {
            Scope::None => "",
            Scope::Project => " (project)",
            Scope::Group => " (group)",
            Scope::Caller => " (caller)",
        };
        writeln!(text, "{}{begins}", short(statement.name)).unwrap();
        plan_of(statement).lines().for_each(|line| writeln!(text, "    {line}").unwrap());
    }
    text
}

fn by_name(sent: &Sent) -> BTreeMap<&str, Vec<&(Statement, Answer)>> {
    let mut names: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    sent.iter().for_each(|((name, _), texts)| names.entry(name).or_default().push(texts));
    names
}

fn file(area: &str) -> PathBuf {
    root().join("tests/api/plans").join(area).with_extension("txt")
}

/// What an instance remembers may refuse a request or spare a question. It never takes a statement out of a batch, because
/// other instances, the sweep and a new deployment write to the same database.
#[test]
fn no_batch_depends_on_what_an_instance_remembers() {
    if !spec().is_in_process() {
        return;
    }
    let names = &sent().names;
    let server = recording();
    server.database().forget_always();
    script::run(server);
    let of_new_instances: Vec<String> =
        server.database().recorded().into_iter().map(|(statement, _)| short(statement.name)).collect();
    let at = names.iter().zip(&of_new_instances).position(|(one, other)| one != other);
    let around = |names: &[String]| at.map(|at| names[at.saturating_sub(8)..(at + 4).min(names.len())].to_vec());
    assert_eq!(around(names), around(&of_new_instances));
    assert_eq!(names.len(), of_new_instances.len());
}

#[test]
fn every_statement_runs_by_the_plan_of_its_snapshot() {
    if !spec().is_in_process() {
        return;
    }
    let Run { server, sent, .. } = sent();
    let unnamed: Vec<&str> = sent.keys().filter(|(name, _)| name.is_empty()).map(|(_, text)| text.as_str()).collect();
    assert!(unnamed.is_empty(), "the service sent statements without a name; put them into a .sql file: {unnamed:#?}");
    let mut snapshots: BTreeMap<String, String> = BTreeMap::new();
    for texts in by_name(sent).values() {
        let area = texts[0].0.name.split("::").nth(2).unwrap_or_default().to_owned();
        snapshots.entry(area).or_default().push_str(&entries(server, texts));
    }
    let is_sent = |named: &Named| sent.keys().any(|(name, _)| name.ends_with(&named.path()) && named.is_in(name));
    let unsent: Vec<String> = source::statements()
        .iter()
        .filter(|named| !is_sent(named) && !UNSENT.contains(&(named.area.as_str(), named.name.as_str())))
        .map(|named| format!("{} ({})", named.name, named.file))
        .collect();
    assert!(unsent.is_empty(), "no request of tests/api/plans/script.rs sends these; add one: {unsent:#?}");
    let mut different = String::new();
    for (area, text) in &snapshots {
        if let Some(difference) = difference(file(area), text) {
            writeln!(different, "{area}, {difference}").unwrap();
        }
    }
    assert!(different.is_empty(), "the plans differ from tests/api/plans; {HOW}\n{different}");
}

#[test]
fn no_statement_scans_a_table() {
    if !spec().is_in_process() {
        return;
    }
    let Run { server, sent, .. } = sent();
    let tables: BTreeSet<String> = server
        .rows("select json_quote(name) as v from sqlite_schema where type = 'table'")
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    let mut found = BTreeSet::new();
    for (statement, _) in sent.values() {
        let name = short(statement.name);
        for table in server.database().scanned(&statement.sql) {
            let is_meant = MAKES_A_REFERENCE.contains(&name.as_str())
                || SCANS.iter().any(|(of, scanned, _)| *of == name && *scanned == table);
            if tables.contains(&table) && !SINGLE.contains(&table.as_str()) && !is_meant {
                found.insert(format!("{name} scans {table}"));
            }
        }
    }
    assert!(found.is_empty(), "add an index, or name the scan and its reason in SCANS: {found:#?}");
}

#[test]
fn statements_are_short() {
    if !spec().is_in_process() {
        return;
    }
    let Run { sent, .. } = sent();
    let long: Vec<_> = sent.values().filter(|(statement, _)| statement.sql.len() >= LONGEST).collect();
    let long: Vec<_> = long.iter().map(|(statement, _)| (statement.name, statement.sql.len())).collect();
    assert!(long.is_empty(), "shorten these statements to {LONGEST} bytes: {long:?}");
    let bytes: usize = by_name(sent)
        .values()
        .map(|texts| {
            let lengths = texts.iter().map(|(statement, _)| statement.sql.len());
            // one that is put together from pieces has no text of its own
            if texts.len() > MOST_TEXTS { lengths.max().unwrap_or_default() } else { lengths.sum() }
        })
        .sum();
    let mut lengths: Vec<usize> = sent.values().map(|(statement, _)| statement.sql.len()).collect();
    lengths.sort_unstable();
    println!(
        "{} statements, {bytes} bytes, median {}, longest {}",
        lengths.len(),
        lengths[lengths.len() / 2],
        lengths[lengths.len() - 1]
    );
    assert!(bytes < MOST_TEXT, "all statements have {bytes} bytes; the limit is {MOST_TEXT}: shorten some");
}
