//! Commits as answers show them (specification, "Commit").

use super::sql::{CommitRow, Judged};
use crate::time;
use serde::Serialize;

/// What both forms share, and all that a deployment shows.
#[derive(Debug, Serialize)]
pub struct Base {
    id: String,
    short_id: String,
    title: String,
    author_name: String,
    author_email: String,
    created_at: String,
    message: String,
}

/// The list form.
#[derive(Debug, Serialize)]
pub struct Listed {
    #[serde(flatten)]
    base: Base,
    allow_failure: bool,
}

/// The single form.
#[derive(Debug, Serialize)]
pub struct Commit {
    #[serde(flatten)]
    base: Base,
    committed_date: String,
    authored_date: String,
    parent_ids: Vec<String>,
    stats: Stats,
    status: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub struct Stats {
    additions: i64,
    deletions: i64,
    total: i64,
}

impl Stats {
    pub fn new(row: &CommitRow) -> Stats {
        let CommitRow { additions, deletions, .. } = *row;
        Stats { additions, deletions, total: additions + deletions }
    }
}

impl Base {
    pub fn new(row: &mut CommitRow) -> Base {
        let message = std::mem::take(&mut row.message);
        Base {
            short_id: row.sha.chars().take(8).collect(),
            id: std::mem::take(&mut row.sha),
            title: title(&message),
            author_name: std::mem::take(&mut row.author_name),
            author_email: std::mem::take(&mut row.author_email),
            created_at: time::offset(row.committed_at, row.committer_zone),
            message,
        }
    }
}

impl Listed {
    pub fn new(mut row: CommitRow) -> Listed {
        Listed { base: Base::new(&mut row), allow_failure: false }
    }
}

impl Commit {
    pub fn new(Judged { commit: mut row, counts }: Judged) -> Commit {
        Commit {
            base: Base::new(&mut row),
            committed_date: time::offset(row.committed_at, row.committer_zone),
            authored_date: time::offset(row.authored_at, row.author_zone),
            stats: Stats::new(&row),
            status: counts.and_then(|counts| counts.aggregate()),
            parent_ids: row.parent_shas,
        }
    }
}

/// A message's first line that is not blank, cut where it is long.
pub fn title(message: &str) -> String {
    // blank to git: a name may end in another kind of space
    let blank = |letter: char| matches!(letter, ' ' | '\t' | '\n' | '\r');
    let lines = message.split('\n').map(|line| line.trim_end_matches(blank));
    let line = lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
    match line {
        "" => "--no commit message".to_owned(),
        line if line.chars().count() > 100 => line.chars().take(80).chain(['…']).collect(),
        line => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn a_title_is_the_first_line_and_at_most_100_characters() {
        assert_eq!(title("one\n\ntwo\n"), "one");
        assert_eq!(title("  \n\none\n"), "one");
        assert_eq!(title(" \n"), "--no commit message");
        assert_eq!(title("one\u{3000}\ntwo"), "one\u{3000}");
        assert_eq!(title(&"é".repeat(100)), "é".repeat(100));
        assert_eq!(title(&"é".repeat(101)), format!("{}…", "é".repeat(80)));
    }
}
