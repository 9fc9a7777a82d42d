//! Commits and diffs as answers of v4 show them.

use crate::call::{Links, Resource};
use crate::commits::entity::{Stats, title};
use crate::commits::sql::CommitRow;
use crate::commits::trailers::Trailers;
use crate::store::Row;
use crate::time;
use serde::Serialize;
use std::collections::BTreeMap;

/// The list form; a single one and lists with `with_stats` have more.
#[derive(Debug, Serialize)]
pub struct Commit {
    id: String,
    short_id: String,
    created_at: String,
    parent_ids: Vec<String>,
    title: String,
    message: String,
    author_name: String,
    author_email: String,
    authored_date: String,
    committer_name: String,
    committer_email: String,
    committed_date: String,
    trailers: BTreeMap<String, String>,
    extended_trailers: BTreeMap<String, Vec<String>>,
    web_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Option<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<i64>,
    /// There are no pipelines.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_pipeline: Option<Option<()>>,
}

/// What a commit is shown with beside the list form.
#[derive(Debug, Default, Clone, Copy)]
pub struct With {
    pub stats: bool,
    pub trailers: bool,
}

/// The address of a project's own pages, without a final slash.
pub fn page_of(resource: &Resource, links: &Links) -> String {
    format!("{}/{}", links.base, resource.full_path)
}

impl Commit {
    /// `page`: of [`page_of`].
    pub fn new(row: CommitRow, page: &str, with: With) -> Commit {
        let created_at = time::offset_with_millis(row.committed_at, row.committer_zone);
        let trailers = if with.trailers { Trailers::of(&row.message) } else { Trailers::default() };
        Commit {
            short_id: row.sha.chars().take(8).collect(),
            committed_date: created_at.clone(),
            created_at,
            title: title(&row.message),
            authored_date: time::offset_with_millis(row.authored_at, row.author_zone),
            trailers: trailers.last,
            extended_trailers: trailers.all,
            web_url: format!("{page}/-/commit/{}", row.sha),
            stats: with.stats.then(|| Stats::new(&row)),
            id: row.sha,
            parent_ids: row.parent_shas,
            message: row.message,
            author_name: row.author_name,
            author_email: row.author_email,
            committer_name: row.committer_name,
            committer_email: row.committer_email,
            status: None,
            project_id: None,
            last_pipeline: None,
        }
    }

    /// The single form.
    pub fn alone(self, status: Option<&'static str>, project_id: i64) -> Commit {
        Commit { status: Some(status), project_id: Some(project_id), last_pipeline: Some(None), ..self }
    }
}

/// A changed file, as it is stored.
#[derive(Row)]
pub struct Stored {
    diff: String,
    new_path: String,
    old_path: String,
    a_mode: Option<String>,
    b_mode: Option<String>,
    new_file: bool,
    renamed_file: bool,
    deleted_file: bool,
}

/// A changed file.
#[derive(Debug, Serialize)]
pub struct Changed {
    diff: String,
    collapsed: bool,
    /// Whether its text was left out for its length.
    too_large: bool,
    new_path: String,
    old_path: String,
    a_mode: String,
    b_mode: String,
    new_file: bool,
    renamed_file: bool,
    deleted_file: bool,
    /// Nobody looks whether it was written by a program.
    generated_file: Option<()>,
}

impl Changed {
    /// `unidiff`: with the lines that name both sides.
    pub fn new(stored: Stored, unidiff: bool) -> Changed {
        let Stored { diff, new_path, old_path, a_mode, b_mode, new_file, renamed_file, deleted_file } =
            stored;
        // a file that was changed in place has a text unless that was too long; a new one may be empty
        let in_place = !new_file && !renamed_file && !deleted_file && a_mode == b_mode;
        Changed {
            too_large: diff.is_empty() && in_place,
            diff: if unidiff { diff } else { without_head(diff) },
            collapsed: false,
            new_path,
            old_path,
            // no side has none
            a_mode: a_mode.unwrap_or_else(|| "0".to_owned()),
            b_mode: b_mode.unwrap_or_else(|| "0".to_owned()),
            new_file,
            renamed_file,
            deleted_file,
            generated_file: None,
        }
    }
}

/// From the first `@@` on; a text without is left as it is.
fn without_head(diff: String) -> String {
    let at = if diff.starts_with("@@") { Some(0) } else { diff.find("\n@@").map(|at| at + 1) };
    at.and_then(|at| diff.get(at..)).map(str::to_owned).unwrap_or(diff)
}

#[cfg(test)]
mod tests {
    use super::without_head;

    #[test]
    fn a_diff_begins_at_its_first_hunk() {
        for (diff, expected) in [
            ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n", "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n"),
            ("@@ -1 +1 @@\n", "@@ -1 +1 @@\n"),
            ("Binary files a/f and b/f differ\n", "Binary files a/f and b/f differ\n"),
            ("", ""),
        ] {
            assert_eq!(without_head(diff.to_owned()), expected);
        }
    }
}
