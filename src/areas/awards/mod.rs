//! Emoji on issues and comments (behaviour 6.10).

pub mod v3;
pub mod v4;

use crate::areas::events;
use crate::areas::issues::IssueRef;
use crate::kernel::call::commit::{Change, WrittenRow};
use crate::kernel::call::{Call, Entry, Links};
use crate::kernel::error::{Error, Result};
use crate::kernel::paging::Page;
use crate::kernel::params::Parameters;
use crate::kernel::person::UserRow;
use crate::kernel::store::{Row, Statement};
use crate::kernel::walk::{self, WalkPage};

edgeforge_row::statements!(mod sql: "src/areas/awards/awards.sql");

#[derive(Debug, Row)]
pub struct AwardRow {
    id: i64,
    issue_id: i64,
    /// 0 if it is on the issue itself.
    note_id: i64,
    name: String,
    user: UserRow,
    created_at: i64,
}

impl AwardRow {
    /// The id and the kind of what has the emoji.
    fn awardable(&self) -> (i64, &'static str) {
        if self.note_id == 0 { (self.issue_id, "Issue") } else { (self.note_id, "Note") }
    }
}

/// What has the emoji: an issue, or a comment on it.
#[derive(Debug, Clone, Copy)]
struct Awardable {
    issue: IssueRef,
    note_id: Option<i64>,
}

impl Awardable {
    fn query(self, name: Option<&str>) -> Statement {
        let Awardable { issue: IssueRef { id, iid }, note_id } = self;
        sql::awardable { id, iid, note_id, name }.into()
    }

    fn one(self, award_id: i64) -> Statement {
        let Awardable { issue: IssueRef { id, iid }, note_id } = self;
        let (after, most, skip) = (0, 1, 0);
        sql::list { id, iid, note_id, award_id: Some(award_id), after, most, skip }.into()
    }

    fn page(self, page: &Page) -> [Statement; 2] {
        let Awardable { issue: IssueRef { id, iid }, note_id } = self;
        let (after, skip) = page.after();
        let (award_id, most) = (None::<i64>, page.size + 1);
        [self.query(None), sql::list { id, iid, note_id, award_id, after, most, skip }.into()]
    }

    fn steps(self, call: &Call<'_>, name: &str) -> Vec<Statement> {
        let Awardable { issue: IssueRef { id, iid }, note_id } = self;
        vec![
            sql::expect_awardable { id, iid, note_id, name }.into(),
            sql::create { id, iid, note_id, name }.into(),
            sql::take_part {}.into(),
            sql::settle_todos {}.into(),
            events::award_given(call),
            sql::written {}.into(),
        ]
    }
}

async fn page_of(call: &Call<'_>, of: Result<Awardable>) -> Result<(WalkPage<AwardRow>, Page, Links)> {
    let input = of.and_then(|of| Ok((of, call.page()?)));
    let ((_, page), entry) = call.authorize_rows_with(input, |(of, page)| of.page(page)).await?;
    let rows = entry.more.first().filter(|_| !entry.rows.is_empty()).ok_or_else(Error::no_record)?;
    let walked =
        walk::page_of_rows(rows, &page, |row: &AwardRow| [row.id.into()])?.with_total(&entry.rows)?;
    Ok((walked, page, entry.links))
}

async fn find(call: &Call<'_>, award: Result<(Awardable, i64)>) -> Result<(AwardRow, Entry)> {
    let (_, entry) = call.authorize_rows_with(award, |(of, award_id)| of.one(*award_id)).await?;
    Ok((entry.rows.first()?.ok_or_else(Error::no_record)?, entry))
}

#[derive(Debug, Parameters)]
struct NewAward {
    name: String,
}

const LONGEST_NAME: usize = 50;

/// The name of the emoji, without the colons around it.
fn read_name(call: &Call<'_>) -> Result<String> {
    let NewAward { name } = call.creation()?;
    let name = name.trim().trim_matches(':');
    let is_good = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_+-".contains(&byte);
    if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(is_good) {
        return Err(Error::field("name", "is not a valid emoji name"));
    }
    Ok(name.to_owned())
}

async fn create(call: &Call<'_>, of: Result<Awardable>) -> Result<WrittenRow<AwardRow>> {
    let name = read_name(call);
    let change = of.map(|of| {
        // input errors are only for callers who may
        let steps = name.as_ref().map_or_else(|_| Vec::new(), |name| of.steps(call, name));
        let query = of.query(name.as_deref().ok());
        Change::new(steps, query)
    });
    call.commit(change, |_, rows| refusal(rows.first()?, name)).await
}

#[derive(Row)]
struct AwardChecks {
    may_award: bool,
    is_taken: bool,
    is_full: bool,
}

fn refusal(checks: Option<AwardChecks>, name: Result<String>) -> Result<Error> {
    let seen = checks.ok_or_else(Error::no_record)?;
    if !seen.may_award {
        return Err(Error::FORBIDDEN);
    }
    name?;
    if seen.is_taken {
        return Err(Error::missing("Award Emoji Name has already been taken"));
    }
    Ok(if seen.is_full {
        Error::message("400 Bad request - There are too many emoji")
    } else {
        Error::Expectation
    })
}

/// Returns it as it was. 401 as in GitLab for all but its giver and administrators.
async fn remove(call: &Call<'_>, award: Result<(Awardable, i64)>) -> Result<(AwardRow, Links)> {
    let (row, entry) = find(call, award).await?;
    let caller = entry.caller()?;
    if row.user.id != caller.user.id && !caller.admin {
        return Err(Error::Unauthorized);
    }
    let (issue_id, award_id, user_id) = (row.issue_id, row.id, row.user.id);
    let batch = [
        events::award_taken(call, award_id, caller.user.id),
        sql::leave { issue_id, award_id }.into(),
        sql::remove { issue_id, award_id, user_id }.into(),
    ];
    call.write_safely(batch).await?;
    Ok((row, entry.links))
}
