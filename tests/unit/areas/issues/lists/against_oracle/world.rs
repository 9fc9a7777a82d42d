//! Projects of every kind with issues of every kind.

use crate::areas::words::tokens;
use rusqlite::Connection;
use std::collections::BTreeSet;

pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.roll(of.len() as u64)).unwrap()].clone()
    }

    pub fn maybe<T>(&mut self, what: impl FnOnce(&mut Dice) -> T) -> Option<T> {
        (self.roll(4) == 0).then(|| what(self))
    }
}

pub struct Stored {
    pub id: i64,
    pub iid: i64,
    pub project: i64,
    pub author: i64,
    pub assignee: Option<i64>,
    pub milestone: Option<i64>,
    pub labels: BTreeSet<String>,
    pub closed: bool,
    pub closed_by: Option<i64>,
    pub confidential: bool,
    pub created: i64,
    pub updated: i64,
    pub due: Option<String>,
    pub title: String,
    pub description: String,
}

pub const ROOT: i64 = 1;
pub const PEOPLE: [i64; 5] = [10, 11, 12, 13, 14];
/// Owner, reporter and guest of the group; 13 is a stranger, and 14 only sees public projects.
pub const MEMBERS: [(i64, i64); 3] = [(10, 50), (11, 20), (12, 10)];
/// Id, visibility, archived. All but the last are in the group 50.
pub const PROJECTS: [(i64, i64, bool); 5] =
    [(1, 0, false), (2, 10, false), (3, 20, false), (4, 20, true), (5, 20, false)];
/// A person has given an emoji to the issues whose id and theirs add up to a multiple of the number.
pub const EMOJI: [(&str, i64); 2] = [("star", 3), ("thumbsup", 5)];
pub const TODAY: &str = "2020-05-10";

pub fn schema() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    let mut files: Vec<_> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "sql"))
        .collect();
    files.sort();
    for path in files {
        connection.execute_batch(&std::fs::read_to_string(path).unwrap()).unwrap();
    }
    connection
}

pub fn world(dice: &mut Dice) -> Connection {
    let connection = schema();
    let run = |sql: &str| connection.execute_batch(sql).unwrap();
    for id in PEOPLE {
        run(&format!(
            "insert into namespaces values ({id}, 'user', 'U{id}', 'u{id}');
             insert into users (id, username, name, email, email_key, external, created_at) values ({id}, 'U{id}', 'u', '{id}', '{id}', {}, 0)",
            i64::from(id == 14)
        ));
    }
    run("insert into namespaces values (50, 'group', 'g', 'g');
        insert into groups (id, name, path, visibility, created_at) values (50, 'g', 'g', 20, 0)");
    for (id, access) in MEMBERS {
        run(&format!(
            "insert into group_members (user_id, group_id, access, created_at) values ({id}, 50, {access}, 0)"
        ));
    }
    for (id, visibility, archived) in PROJECTS {
        let namespace = if id == 5 { 13 } else { 50 };
        run(&format!(
            "insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, archived, created_at, updated_at)
             values ({id}, {namespace}, 10, 'p{id}', 'p{id}', 'n/p{id}', 'n/p{id}', 'p', {visibility}, {archived}, 0, 0);
             insert into issue_counts (project_id) values ({id})"
        ));
        for (number, (title, state, start, due)) in [
            ("v1", "active", "null", "'2020-05-11'"),
            ("v2", "active", "'2020-05-01'", "'2020-06-01'"),
            ("v3", "closed", "'2020-05-01'", "'2020-05-12'"),
        ]
        .into_iter()
        .enumerate()
        {
            run(&format!(
                "insert into milestones (id, project_id, iid, title, state, start_date, due_date, created_at, updated_at)
                 values ({id}{number}, {id}, {number} + 1, '{title}', '{state}', {start}, {due}, 0, 0)"
            ));
        }
        for (number, title) in ["a", "b", "c"].into_iter().enumerate() {
            run(&format!(
                "insert into labels (id, project_id, title, color, created_at) values ({id}{number}, {id}, '{title}', '', 0)"
            ));
        }
        for number in 1..40 {
            let author = dice.one(&PEOPLE);
            let assignee = dice.maybe(|dice| dice.one(&PEOPLE)).map_or("null".to_owned(), |id| id.to_string());
            let milestone = if dice.roll(2) == 0 { "null".to_owned() } else { format!("{id}{}", dice.roll(3)) };
            let due = dice.one(&["null", "'2020-05-01'", "'2020-05-10'", "'2020-05-11'", "'2020-06-30'"]);
            let title = dice.one(&["two blue", "Red мИр", "one éa 5%", "Rarely", "Red two"]);
            let description = dice.one(&[None, Some("RED, TWO"), Some("twofold")]);
            let description = description.map_or("null".to_owned(), |text| format!("'{text}'"));
            let (created, updated) = (dice.roll(9), 9 + dice.roll(9));
            run(&format!(
                "insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, due_date, confidential, created_at, updated_at)
                 values ({id}, {number}, {author}, {assignee}, {milestone}, '{title}', {description}, {due}, {}, {created}, {updated})",
                i64::from(dice.roll(3) == 0)
            ));
            for label in 0..3 {
                if dice.roll(3) == 0 {
                    run(&format!(
                        "insert into issue_labels select id, {id}{label}, section, created_at from issues order by id desc limit 1"
                    ));
                }
            }
            if dice.roll(2) == 0 {
                let by = dice.one(&PEOPLE);
                run(&format!(
                    "update issues set state = 'closed', closed_at = 1, closed_by_id = {by} where id = (select max(id) from issues)"
                ));
            }
            if dice.roll(4) == 0 {
                let to = dice.one(&PEOPLE);
                run(&format!(
                    "update issues set assignee_id = {to}, updated_at = updated_at + 1 where id = (select max(id) from issues)"
                ));
            }
        }
    }
    for person in PEOPLE {
        for (name, turn) in EMOJI {
            run(&format!(
                "insert into awards (issue_id, note_id, user_id, name, created_at)
                 select id, 0, {person}, '{name}', 0 from issues where (id + {person}) % {turn} = 0"
            ));
        }
    }
    index(&connection, "i.id % 3");
    connection
}

/// Puts into the index of words what the condition takes of the issues i.
pub fn index(connection: &Connection, condition: &str) {
    let text = format!(
        "select i.id, printf('%s%08x', iif(i.confidential, 'h', 'o'), i.project_id), t.title, coalesce(t.description, '')
        from issues i cross join issue_texts t using (id) where {condition}"
    );
    let mut found = connection.prepare(&text).unwrap();
    let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    let rows: Vec<(i64, String, String, String)> = rows.map(Result::unwrap).collect();
    let mut put = connection.prepare("insert into issue_words (rowid, title, description) values (?, ?, ?)").unwrap();
    for (id, key, title, description) in rows {
        put.execute((id, tokens(&key, &title), tokens(&key, &description))).unwrap();
    }
    connection
        .execute_batch(&format!(
            "delete from unindexed_issues where issue_id in (select i.id from issues i where {condition})"
        ))
        .unwrap();
}

pub fn stored(connection: &Connection) -> Vec<Stored> {
    let text = "select i.id, i.iid, i.project_id, i.author_id, i.assignee_id, i.milestone_id,
        (select group_concat(l.title) from issue_labels b join labels l on l.id = b.label_id where b.issue_id = i.id),
        i.state = 'closed', i.closed_by_id, i.confidential, i.created_at, i.updated_at, i.due_date,
        i.title, coalesce(i.description, '') from issues i";
    let mut statement = connection.prepare(text).unwrap();
    let rows = statement.query_map([], |row| {
        let labels: Option<String> = row.get(6)?;
        Ok(Stored {
            id: row.get(0)?,
            iid: row.get(1)?,
            project: row.get(2)?,
            author: row.get(3)?,
            assignee: row.get(4)?,
            milestone: row.get(5)?,
            labels: labels.iter().flat_map(|names| names.split(',')).map(str::to_owned).collect(),
            closed: row.get(7)?,
            closed_by: row.get(8)?,
            confidential: row.get(9)?,
            created: row.get(10)?,
            updated: row.get(11)?,
            due: row.get(12)?,
            title: row.get(13)?,
            description: row.get(14)?,
        })
    });
    rows.unwrap().map(Result::unwrap).collect()
}
