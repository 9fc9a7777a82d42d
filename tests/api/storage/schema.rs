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

/// The tables from which something deletes rows.
fn deletions() -> Vec<String> {
    let mut sources = Vec::new();
    for (folder, end) in [("src", ".rs"), ("src", ".sql"), ("migrations", ".sql")] {
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), end, &mut sources);
    }
    let named = |text: &str| text.split([' ', '\n', ';', '"']).next().unwrap_or_default().to_owned();
    sources.iter().flat_map(|text| text.split("delete from ").skip(1)).map(named).collect()
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
    let deleted = deletions();
    let deletes = |table: &str| deleted.iter().any(|name| name == table);
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

/// Tables without `quota_bytes`, and what bounds them.
const BOUNDED: &[(&str, &str)] = &[
    ("audit_events", "retention; short rows by administrators"),
    ("branch_counts", "a row for each name of a branch that commits have, which refs count"),
    ("branch_queue", "a short row for each commit"),
    ("expectations", "always empty"),
    ("forgotten_commits", "a short row for each commit"),
    ("group_members", "a short row for each person in a group"),
    ("hook_chains", "half an hour"),
    ("hook_queues", "a row for each project"),
    ("hook_trials", "a minute"),
    ("hourly_writes", "a row for each person"),
    ("imported", "a short row for each record that an import brought, which counts"),
    ("issue_counts", "a row for each project"),
    ("issue_index", "one row"),
    ("issue_remains", "a row for each deleted issue, which counts"),
    ("issue_labels", "40 bytes each, by its triggers"),
    (
        "issue_words",
        "tokens of at most 4,000 letters of an issue, whose text counts: 0.5 to 8 bytes for each of its bytes",
    ),
    ("issue_words_config", "of issue_words"),
    ("issue_words_data", "of issue_words"),
    ("issue_words_docsize", "of issue_words"),
    ("issue_words_idx", "of issue_words"),
    ("note_index", "one row"),
    ("note_words", "tokens of at most 4,000 letters of a comment, as of an issue"),
    ("note_words_config", "of note_words"),
    ("note_words_data", "of note_words"),
    ("note_words_docsize", "of note_words"),
    ("note_words_idx", "of note_words"),
    ("commit_index", "one row"),
    ("commit_words", "tokens of at most 4,000 letters of a message, as of an issue"),
    ("commit_words_config", "of commit_words"),
    ("commit_words_data", "of commit_words"),
    ("commit_words_docsize", "of commit_words"),
    ("commit_words_idx", "of commit_words"),
    ("mirrors", "a row for each project"),
    ("namespaces", "a row for each group and user"),
    ("object_sweeps", "one row"),
    ("parents", "a short row for each parent of a commit, which its commit counts"),
    ("project_members", "a short row for each person in a project"),
    ("project_remains", "a row for each deleted project"),
    ("removed_numbers", "a row for each project"),
    ("request_marks", "always empty"),
    ("reservations", "bytes, by its triggers"),
    ("settings", "one row"),
    ("shares", "a row for each person"),
    ("staged_records", "always empty"),
    ("status_heads", "a short row for each status, which counts"),
    ("storage", "a row for each project"),
    ("unindexed_commits", "a short row for each commit, until it is indexed"),
    ("unindexed_issues", "a short row for each changed issue"),
    ("unindexed_notes", "a short row for each changed comment"),
    ("stored", "one row"),
    ("subscriptions", "a short row for each person who takes part in an issue, which counts"),
    ("sweeps", "one row"),
];

/// Tables whose rows count in the share of no person and no project, and tables of [`BOUNDED`] that are not there.
fn uncounted(connection: &Connection) -> Vec<String> {
    let names = |sql: &str| rows(connection, sql).into_iter().map(|(name, ..)| name).collect::<Vec<_>>();
    let tables = names("select name, '', '' from sqlite_schema where type = 'table' and name not like 'sqlite_%'");
    let counted = names(
        "select t.name, '', '' from sqlite_schema t join pragma_table_xinfo(t.name) c where c.name = 'quota_bytes'",
    );
    let triggers = rows(connection, "select tbl_name, lower(sql), '' from sqlite_schema where type = 'trigger'");
    let sources = deletions();
    // whether a new or a removed row of the table changes a share, also by the triggers of what it changes
    let reaches_share = |table: &str, what: &'static str| {
        let (mut seen, mut next) = (Vec::new(), vec![(table.to_owned(), what)]);
        while let Some(step) = next.pop() {
            let (of, what) = &step;
            for (_, sql, _) in triggers.iter().filter(|(on, sql, _)| on == of && sql.contains(&format!("after {what}")))
            {
                let words: Vec<&str> = sql.split_whitespace().collect();
                for pair in words.windows(3) {
                    next.extend(match pair {
                        ["update", name, "set"] => Some(((*name).to_owned(), "update")),
                        ["insert", "into", name] => Some(((*name).to_owned(), "insert")),
                        _ => None,
                    });
                }
            }
            seen.push(step);
            next.retain(|step| !seen.contains(step));
        }
        seen.iter().any(|(name, _)| name == "storage" || name == "shares")
    };
    // the pipeline of a commit is deleted when it is empty
    let gives_back =
        |table: &String| table == "status_counts" || !sources.contains(table) || reaches_share(table, "delete");
    let is_bounded = |table: &String| BOUNDED.iter().any(|(name, _)| name == table);
    let counts = |table: &String| counted.contains(table) && reaches_share(table, "insert") && gives_back(table);
    let mut found: Vec<String> = tables.iter().filter(|table| !is_bounded(table) && !counts(table)).cloned().collect();
    found.extend(
        BOUNDED
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .filter(|name| !tables.contains(name) || counted.contains(name)),
    );
    found
}

#[test]
fn each_table_counts_in_the_share_of_a_person_or_a_project() {
    let connection = schema();
    assert_eq!(uncounted(&connection), Vec::<String>::new(), "count these, or say in BOUNDED what bounds them");
    // a new table is found, and one that only the server counts
    connection
        .execute_batch(
            "create table plain (id integer primary key, text text);
            create table counted (id integer primary key, text text, quota_bytes integer as (100 + octet_length(text)));
            create trigger counted_stored after insert on counted BEGIN
              update stored set bytes = bytes + new.quota_bytes where id = 1;
            END;
            create trigger counted_unstored after delete on counted BEGIN
              update stored set bytes = bytes - old.quota_bytes where id = 1;
            END;
            drop trigger groups_unshared;",
        )
        .unwrap();
    assert_eq!(uncounted(&connection), ["groups", "plain", "counted"]);
}
