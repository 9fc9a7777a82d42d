//! Rules for the whole schema.

use rusqlite::Connection;
use std::path::Path;

fn files(folder: &Path, end: &str, found: &mut Vec<String>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, end, found);
        } else if path.to_string_lossy().ends_with(end) {
            found.push(std::fs::read_to_string(&path).unwrap());
        }
    }
}

fn schema() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    let mut migrations = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations"), ".sql", &mut migrations);
    for text in migrations {
        connection.execute_batch(&text).unwrap();
    }
    connection
}

fn rows(connection: &Connection, sql: &str) -> Vec<(String, String, String)> {
    let mut statement = connection.prepare(sql).unwrap();
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    statement.query_map([], read).unwrap().map(Result::unwrap).collect()
}

/// When a row is deleted, SQLite looks for rows that refer to it, in an index or in the whole table.
#[test]
fn what_refers_to_rows_that_are_deleted_is_found_by_an_index() {
    let connection = schema();
    let mut sources = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), ".rs", &mut sources);
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), ".sql", &mut sources);
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations"), ".sql", &mut sources);
    let deletes = |table: &str| sources.iter().any(|text| text.contains(&format!("delete from {table}")));
    let keys = rows(
        &connection,
        "select t.name, f.\"from\", f.\"table\" from sqlite_schema t join pragma_foreign_key_list(t.name) f where t.type = 'table'",
    );
    let indexed = rows(
        &connection,
        "select t.name, c.name, '' from sqlite_schema t join pragma_index_list(t.name) l
        join pragma_index_info(l.name) c on c.seqno = 0 and c.name is not null where t.type = 'table'
        union select t.name, c.name, '' from sqlite_schema t join pragma_table_info(t.name) c on c.pk = 1 where t.type = 'table'",
    );
    assert!(keys.len() > 30 && deletes("notes") && !deletes("users"));
    let missing: Vec<String> = keys
        .iter()
        .filter(|(_, _, parent)| deletes(parent))
        .filter(|(table, column, _)| !indexed.iter().any(|(of, first, _)| (of, first) == (table, column)))
        .map(|(table, column, parent)| format!("{table}.{column}, which refers to {parent}"))
        .collect();
    assert!(missing.is_empty(), "add an index to these references: {missing:#?}");
}

/// Limits that no person has a share of, and why none needs one.
const SHARED: [(&str, &str); 11] = [
    ("groups_stay_as_visible_as_their_projects", "compares visibilities"),
    ("projects_begin_no_more_visible_than_their_group", "compares visibilities"),
    ("projects_stay_no_more_visible_than_their_group", "compares visibilities"),
    ("tokens_of_project_end", "maintainers make them"),
    ("status_counts_end", "developers post them"),
    ("hooks_of_system_end", "administrators make them"),
    ("hooks_of_project_end", "maintainers make them"),
    ("events_without_room", "of a write that storage_counts allowed"),
    ("storage_counts", "outsiders end at full_for_others, which leaves the rest to members"),
    ("stored_ends", "storage_shared bounds each person"),
    ("hook_events_end", "events that were sent make room, and those that wait have shares"),
];

/// The triggers that compare something and then refuse or drop, unless they name the person whose share it is.
fn limits_without_a_person(connection: &Connection) -> Vec<String> {
    let triggers = rows(connection, "select name, tbl_name, sql from sqlite_schema where type = 'trigger'");
    let tables = rows(connection, "select name, sql, '' from sqlite_schema where type = 'table'");
    let has_person =
        |text: &str| ["user_id", "person_id", "member_id", "creator_id"].iter().any(|name| text.contains(name));
    let counts = |text: &str| text.split_whitespace().any(|word| ["<", ">", "<=", ">="].contains(&word));
    let ends = |text: &str| text.contains("raise(") || text.contains("row_number()");
    let of_person = |table: &str| {
        tables.iter().any(|(name, sql, _)| {
            name == table && sql.lines().take(3).any(|line| has_person(line) && line.contains("primary key"))
        })
    };
    let found =
        triggers.iter().filter(|(_, table, sql)| counts(sql) && ends(sql) && !has_person(sql) && !of_person(table));
    found.map(|(name, ..)| name.clone()).collect()
}

#[test]
fn every_limit_has_shares_by_person_or_a_reason_why_it_needs_none() {
    let connection = schema();
    let mut found = limits_without_a_person(&connection);
    found.sort();
    let mut named: Vec<_> = SHARED.iter().map(|(name, _)| *name).collect();
    named.sort_unstable();
    assert_eq!(found, named, "give each person a share of what these triggers count, or name the reason in SHARED");
}
