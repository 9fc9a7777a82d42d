//! Migrations of a database without room: all are applied, and count every byte.

use rusqlite::Connection;
use std::path::PathBuf;

/// What later migrations count, copy or rename, in a project that lacks a byte of a further step of its maker's share.
const ROWS: &str = "
insert into namespaces (id, kind, path, path_key) values (-2, 'user', 'of-hook', 'of-hook'), (-1, 'user', 'bot', 'bot'), (2, 'user', 'ann', 'ann'), (3, 'group', 'g', 'g');
insert into users (id, username, name, email, email_key, created_at) select id, path, path, path, path, 0 from namespaces where id in (-2, -1, 2);
insert into groups (id, name, path, visibility, created_at) values (3, 'g', 'g', 20, 0);
insert into group_members (user_id, group_id, access, created_at) values (2, 3, 50, 0);
insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, default_branch, created_at, updated_at)
  values (1, 3, 2, 'p', 'p', 'g/p', 'g/p', 'g / p', 20, 'master', 0, 0);
insert into tokens (hash, id, user_id, kind, project_id, bot_id, pusher_id, scopes, access, name, created_at) values
  ('a', 1, 2, 'personal', null, null, null, 1, null, 'a', 0), ('b', 2, 2, 'project', 1, -1, null, 4, 30, 'b', 0), ('c', 3, 2, 'hook', 1, null, -2, 64, null, 'c', 0);
insert into issues (id, project_id, iid, author_id, title, created_at, updated_at) values (1, 1, 1, 2, 'one', 0, 0);
insert into notes (id, project_id, issue_id, author_id, body, created_at, updated_at) values (1, 1, 1, 2, '@root', 0, 0);
insert into todos (user_id, author_id, project_id, issue_id, note_id, action, created_at, updated_at) values (1, 2, 1, 1, 1, 'mentioned', 0, 0);
insert into awards (id, issue_id, note_id, user_id, name, created_at) values
  (1, 1, 0, 2, '+1', 0), (2, 1, 0, 2, 'thumbsup', 0), (3, 1, 0, 1, '+1', 0), (4, 1, 1, 1, '-1', 0);
insert into participants (issue_id, user_id, note_id) select issue_id, user_id, -id from awards;
insert into commits (id, project_id, sha, author_name, author_email, authored_at, author_zone, committer_name, committer_email, committed_at,
  committer_zone, additions, deletions, parent_shas, message) values (1, 1, 'abcd', 'a', 'a', 0, 0, 'a', 'a', 0, 0, 0, 0, '[]', 'a');
insert into commit_comments (project_id, commit_id, author_id, note, created_at, updated_at) values (1, 1, 2, 'a', 0, 0);
insert into refs (project_id, name, commit_id, tag_sha) values
  (1, 'refs/heads/master', 1, null), (1, 'refs/tags/a', 1, 'efef'), (1, 'refs/tags/b', 1, 'efef'), (1, 'refs/tags/c', 1, 'cdcd');
insert into environments (project_id, number, name, created_at) values (1, 1, 'production', 0), (1, 2, 'Review/a', 0);
insert into hooks (project_id, maker_id, url, events, created_at) values (1, 2, 'https://example.com', -1, 0);
insert into hook_events (kind, action, bit, project_id, origin, created_at, snapshot) values ('issue', 'open', 4, 1, '{}', 0, '{}');
insert into deliveries (event_id, hook_id, webhook_id, next_at, created_at, project_id) values (1, 1, 'a', 0, 0, 1);
update projects set description = printf('%*c', 262143 - (select (bytes + 258048) % 262144 from storage where project_id = 1), 'x') where id = 1;
update stored set project_most = 1, person_most = 1, most = 1;";

/// The numbers and texts of the migrations.
fn migrations() -> Vec<(u32, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "sql"));
    paths.sort();
    let number = |path: &PathBuf| path.file_name().unwrap().to_string_lossy()[..4].parse().unwrap();
    paths.iter().map(|path| (number(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// The newest migration that a server may have had before the next upgrade.
const RELEASED: u32 = 23;

/// A database of the released version with the rows above, to which `change`d later migrations are applied.
fn upgraded(change: impl Fn(u32, &str) -> String) -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory().unwrap();
    let (before, later): (Vec<_>, Vec<_>) = migrations().into_iter().partition(|(number, _)| *number <= RELEASED);
    before.iter().for_each(|(_, text)| connection.execute_batch(text).unwrap());
    connection.execute_batch("pragma foreign_keys = on").unwrap();
    connection.execute_batch(ROWS).unwrap();
    for (number, text) in later {
        connection.execute_batch(&format!("begin; {}; commit", change(number, &text)))?;
    }
    Ok(connection)
}

fn texts(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_server_without_room_is_migrated_and_every_byte_counts() {
    let connection = upgraded(|_, text| text.to_owned()).unwrap();
    let recount =
        include_str!("recount.sql").lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n");
    let wrong: Vec<String> =
        recount.split(';').filter(|sql| !sql.trim().is_empty()).flat_map(|sql| texts(&connection, sql)).collect();
    assert_eq!(wrong, Vec::<String>::new());
    let rows = "select json_array((select count(*) from tag_objects), (select count(*) from todos),
        (select group_concat(name order by id) from awards), (select group_concat(slug) from environments),
        (select group_concat(maker_id) from users), (select creator_id from groups), (select count(*) from request_marks))";
    assert_eq!(texts(&connection, rows), [r#"[2,1,"thumbsup,thumbsup,thumbsdown","production","2,2",2,0]"#]);
    // from now on nobody writes more
    let full = connection.execute("insert into tag_objects (project_id, sha, commit_id) values (1, 'e', 1)", []);
    assert!(full.unwrap_err().to_string().contains("E_PROJECT_FULL"));
}

/// Each of these counts more bytes, so there are rows for it.
#[test]
fn a_migration_that_counts_more_bytes_fails_on_a_server_without_room_unless_it_says_that_it_moves() {
    for marked in [31, 32] {
        let unmarked = |number, text: &str| {
            let changed = text.replace("values (1, 1)", "values (1, 0)");
            if number == marked { changed } else { text.to_owned() }
        };
        let failed = upgraded(unmarked).unwrap_err().to_string();
        assert!(failed.contains("_FULL"), "{marked}: {failed}");
    }
}
