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
