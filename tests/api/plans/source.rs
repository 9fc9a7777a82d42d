//! Checks the place of SQL in the source: `.sql` files, each statement with a name.

use std::path::{Path, PathBuf};

/// A statement of a `.sql` file.
pub struct Named {
    /// The file's folder in `src/`.
    pub area: String,
    /// Relative to the project.
    pub file: String,
    pub name: String,
    pub text: String,
}

impl Named {
    /// The end of the name under which it is sent.
    pub fn path(&self) -> String {
        format!("::{}", self.name)
    }

    /// Whether the statement sent under `name` can be this one: the area is the same.
    pub fn is_in(&self, name: &str) -> bool {
        name.split("::").nth(2) == Some(self.area.as_str())
    }
}

fn files(ending: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn relative(path: &Path) -> String {
    path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().display().to_string()
}

/// Every statement of every file.
pub fn statements() -> Vec<Named> {
    let mut found = Vec::new();
    for path in files("sql") {
        let (whole, file) = (std::fs::read_to_string(&path).unwrap(), relative(&path));
        let area = file.split('/').nth(2).unwrap().to_owned();
        let whole = whole.replace("-- list: ", "-- name: ");
        for part in whole.split("-- name: ").skip(1) {
            let part = part.split("-- piece: ").next().unwrap();
            let (head, rest) = part.split_once('\n').unwrap();
            let code: Vec<&str> = rest.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
            let text = code.join("\n");
            let end = head.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(head.len());
            found.push(Named { area: area.clone(), file: file.clone(), name: head[..end].to_owned(), text });
        }
    }
    found
}

/// The table of an alias, if the statement names it as `table alias`.
fn is_of(text: &str, alias: &str, tables: &[&str]) -> bool {
    tables.iter().any(|table| {
        text.split(&format!("{table} {alias}"))
            .skip(1)
            .any(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
    })
}

/// A visibility decides together with an access, and the views hide that of internal projects from external users.
#[test]
fn an_access_with_a_visibility_comes_from_the_views_of_authorization() {
    let mut found = Vec::new();
    for Named { file, name, text, .. } in statements() {
        assert!(!text.contains("sees_from, 0, "), "{file}: {name} hides a visibility itself; ask project_access");
        let mut pieces = text.split(".visibility,").peekable();
        while let Some(before) = pieces.next().filter(|_| text.contains("access")) {
            let alias = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
            let views = ["scope", "place", "project_access", "group_access"];
            if pieces.peek().is_some() && !is_of(&text, alias, &views) {
                found.push(format!("{file}: {name} returns {alias}.visibility"));
            }
        }
    }
    assert!(found.is_empty(), "take it from project_access or group_access: {found:#?}");
    for (name, text) in migrations() {
        let compares = text.contains("p.visibility >=") || text.contains("external, 20");
        assert!(
            !compares
                || ["0004_access.sql", "0033_archived_projects.sql", "0037_sessions.sql"].contains(&name.as_str()),
            "{name} compares a visibility itself; take it from project_viewers"
        );
    }
}

/// A token of a project acts as a user of its own, and a person makes a thousand of them.
#[test]
fn what_somebody_may_do_in_a_minute_or_an_hour_is_counted_by_person() {
    let counts = |text: &str| {
        text.contains("insert into") && text.contains("count(*)") && text.contains("now - ")
            || text.contains("insert into hourly_writes")
    };
    let found: Vec<_> = statements().into_iter().filter(|statement| counts(&statement.text)).collect();
    assert!(found.len() >= 3, "{}", found.len());
    let by_user = |statement: &Named| statement.text.contains("s.user_id") || statement.text.contains("select user_id");
    let wrong =
        found.iter().filter(|statement| by_user(statement)).map(|Named { file, name, .. }| format!("{file}: {name}"));
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0], "count by member_id, the person behind the token");
}

/// Name and text of each migration.
fn migrations() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sql = paths.filter(|path| path.extension().is_some_and(|end| end == "sql"));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    sql.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap())).collect()
}

/// Tables whose ids need no `autoincrement`, although rows are deleted.
const IDS_THAT_END: [(&str, &str); 12] = [
    ("groups", "the id of its namespace, whose row stays"),
    ("statuses", "the newest one goes with its project"),
    ("milestones", "go with their project"),
    ("more_paths", "nothing names them"),
    ("commit_references", "nothing names them"),
    ("resource_events", "go with their issue"),
    ("todos", "go with their issue"),
    ("events", "go by age, but not the newest"),
    ("hook_log", "go by age, and their hook names them"),
    ("hook_trials", "nothing names them"),
    ("reservations", "nothing names them"),
    ("request_marks", "have ids of their own"),
];

#[test]
fn an_id_of_a_row_that_is_deleted_is_not_given_out_again() {
    let schema: String = migrations().into_iter().map(|(_, text)| text).collect();
    let statements = statements();
    let is_deleted = |table: &str| {
        let deletes = format!("delete from {table} ");
        statements.iter().any(|it| format!("{} ", it.text.replace('\n', " ")).contains(&deletes))
    };
    for table in schema.split("create table ").skip(1) {
        let name = table.split_whitespace().next().unwrap();
        let table = table.split("\n)").next().unwrap();
        let column = table.lines().map(str::trim).find(|line| line.starts_with("id integer primary key"));
        let comes_again = column.is_some_and(|column| !column.contains("autoincrement")) && is_deleted(name);
        let is_known = IDS_THAT_END.iter().any(|(known, _)| *known == name);
        assert_eq!(comes_again, is_known, "{name}: make its id autoincrement, or give the reason in IDS_THAT_END");
    }
}

#[test]
fn sql_stands_in_sql_files() {
    let mut found = Vec::new();
    for path in files("rs") {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for (number, line) in code.lines().enumerate() {
            let line = line.trim();
            let begins = ["select ", "insert into ", "update ", "delete from ", "with "];
            let in_quotes = begins.iter().any(|word| line.contains(&format!("\"{word}")));
            let is_prose = line.starts_with("//") || line.contains("Error") || line.contains("hint(");
            let is_test = relative(&path).contains("/test");
            if in_quotes && !is_prose && !is_test && !path.ends_with("src/kernel/sql.rs") {
                found.push(format!("{}:{}: {line}", relative(&path), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "move this SQL to the .sql file of its area:\n{}", found.join("\n"));
}
