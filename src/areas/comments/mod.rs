//! Comments on commits (behaviour 7.4).

pub mod discussions;
pub mod lines;
pub mod v3;
pub mod v4;

use crate::areas::commits::{self, diffs};
use crate::areas::events;
use crate::areas::issues::{mentions, people};
use crate::kernel::answers::discussion::Position;
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::Key;
use crate::kernel::call::commit::{Change, WrittenRow};
use crate::kernel::lists::Listed;
use crate::kernel::policy;
use crate::kernel::{Call, Entry, Error, Parameters, Result, Row, Statement};
use lines::Anchor;

edgeforge_row::statements!(mod sql: "src/areas/comments/comments.sql");

#[derive(Debug, Row)]
pub struct CommentRow {
    id: i64,
    project_id: i64,
    note: String,
    path: Option<String>,
    line: Option<i64>,
    line_type: Option<String>,
    /// None for a comment on the whole commit.
    position: Option<Position>,
    created_at: i64,
    updated_at: i64,
    author: UserRow,
    author_created_at: i64,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum LineType {
    New,
    Old,
}

struct NewComment {
    note: String,
    anchor: Option<Anchor>,
    /// Whether the line is no number. Only in v3, which allows that if the request names the commit by a branch.
    line_is_no_number: bool,
}

async fn list(call: &Call<'_>, sha: &str) -> Result<(Entry, Listed<CommentRow>)> {
    let (_, entry, comments) =
        call.authorize_with(call.page(), |page| sql::list { name: sha, page: page.clone() }).await?;
    Ok((entry, comments.or_missing(|| Error::missing("Commit"))?))
}

#[derive(Row)]
struct Target {
    is_by_hash: bool,
}

/// Takes one round trip. A comment on a line takes another one before, to look for the line in the diff.
async fn create(call: &Call<'_>, name: &str, mut input: Result<NewComment>) -> Result<WrittenRow<CommentRow>> {
    if let Ok(new) = &mut input
        && new.anchor.is_some()
    {
        let query = (commits::sql::diff { name }, sql::target { name });
        let (_, (diff, target)) = call.authorize(query).await?;
        target.ok_or_else(|| Error::missing("Commit"))?;
        let diff = diffs::text(call, &diff).await?.unwrap_or_default();
        new.anchor.take_if(|line| !line.found_in(&diff));
    }
    add(call, name, input).await
}

/// Adds a comment whose line is in the diff.
async fn add(call: &Call<'_>, name: &str, input: Result<NewComment>) -> Result<WrittenRow<CommentRow>> {
    let input = input.and_then(|new| Ok((new, call.idempotency_key()?)));
    let no_line = input.as_ref().is_ok_and(|(new, _)| new.line_is_no_number);
    let change = input.map(|(new, key)| change(call, name, &new, key));
    let refusal = |_: &Entry, target: Option<Target>| {
        Ok(match target {
            None => Error::missing("Commit"),
            Some(Target { is_by_hash: true }) if no_line => Error::field("line", "is invalid"),
            Some(_) => Error::Expectation,
        })
    };
    call.commit(change, refusal).await
}

/// A line that is no number is an error if the request names the commit by its hash. Otherwise the comment is about
/// the whole commit.
fn change<'n>(call: &Call<'_>, name: &'n str, new: &NewComment, key: Option<Key>) -> Change<sql::target<&'n str>> {
    let NewComment { note, anchor, line_is_no_number: no_line } = new;
    let (path, line) = (anchor.as_ref().map(|line| line.path.as_str()), anchor.as_ref().map(|line| line.line));
    let line_type = anchor.as_ref().map(|anchor| anchor.line_type);
    let keep = key.as_ref().map(|key| {
        let (key, digest, base) = (key.hash.as_str(), key.digest.as_str(), call.links(false).base);
        sql::keep { key, digest, base }.into()
    });
    let mut steps: Vec<Statement> = vec![
        sql::expect_place { name, no_line: *no_line }.into(),
        sql::create { name, note, path, line, line_type }.into(),
        sql::settle_todos {}.into(),
    ];
    if let Some(names) = people(&mentions(&[note]), note) {
        let (member, anyone) = policy::readers_of_commits();
        steps.push(sql::add_todos_of_mentioned { names, member, anyone }.into());
    }
    steps.extend([events::commit_comment(call), sql::created {}.into()]);
    Change { steps, keep, key, only_adds: true, query: sql::target { name } }
}
