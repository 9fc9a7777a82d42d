//! Emoji on issues and comments (behaviour 6.10).

pub mod v3;
pub mod v4;

use crate::areas::events;
use crate::areas::issues::IssueRef;
use crate::kernel::answers::constants::Constants;
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::commit::{Change, WrittenRow};
use crate::kernel::lists::{ListTotal, Listed};
use crate::kernel::text::emoji::stored_name;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, Page, Parameters, PreparedQuery, Query, Reply, Result, Row, Statement};
use serde::Serialize;

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

#[derive(Debug, Serialize)]
pub struct Award<U> {
    id: i64,
    name: String,
    user: U,
    created_at: String,
    updated_at: String,
    awardable_id: i64,
    awardable_type: &'static str,
    #[serde(flatten)]
    constants: Constants,
}

/// The form of an emoji in one of the APIs, and how its paths name issues and comments.
pub trait WireForm {
    type User: Serialize;
    const CONSTANTS: Constants;
    fn user(row: UserRow, links: &Links) -> Self::User;
    fn issue(text: &str) -> Result<IssueRef>;
    fn id(name: &str, text: &str) -> Result<i64>;
    fn removed(award: &Award<Self::User>) -> Reply;
}

pub fn shown<A: WireForm>(row: AwardRow, links: &Links) -> Award<A::User> {
    let (awardable_id, awardable_type) = row.awardable();
    let created_at = time::utc(row.created_at);
    Award {
        id: row.id,
        name: row.name,
        user: A::user(row.user, links),
        updated_at: created_at.clone(),
        created_at,
        awardable_id,
        awardable_type,
        constants: A::CONSTANTS,
    }
}

/// What has the emoji: an issue, or a comment on it.
#[derive(Debug, Clone, Copy)]
struct Awardable {
    issue: IssueRef,
    note_id: Option<i64>,
}

impl Awardable {
    fn read<A: WireForm>(issue: &str, note: Option<&str>) -> Result<Awardable> {
        let note_id = |text: &str| A::id("note_id", text);
        Ok(Awardable { issue: A::issue(issue)?, note_id: note.map(note_id).transpose()? })
    }

    fn query(self, name: Option<&str>) -> PreparedQuery<Option<AwardableRow>> {
        let Awardable { issue: IssueRef { id, iid }, note_id } = self;
        sql::awardable { id, iid, note_id, name }.prepare()
    }

    fn one(self, award_id: i64) -> PreparedQuery<Option<AwardRow>> {
        let Awardable { issue: IssueRef { id, iid }, note_id } = self;
        sql::one { id, iid, note_id, award_id }.prepare()
    }

    fn page(self, page: &Page) -> PreparedQuery<Listed<AwardRow>> {
        let Awardable { issue: IssueRef { id, iid }, note_id } = self;
        sql::list { id, iid, note_id, page: page.clone() }.prepare()
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

/// `note`: the comment that has the emoji, or None for the issue itself.
pub async fn list<A: WireForm>(call: &Call<'_>, issue: &str, note: Option<&str>) -> Result<Reply> {
    let input = Awardable::read::<A>(issue, note).and_then(|of| Ok((of, call.page()?)));
    let query = |(of, page): &(Awardable, Page)| (of.query(None), of.page(page));
    let (_, entry, (seen, awards)) = call.authorize_with(input, query).await?;
    let total = seen.ok_or_else(Error::no_record)?.total;
    awards.with_count(Some(total)).reply(call, |row| shown::<A>(row, &entry.links))
}

async fn find<A: WireForm>(
    call: &Call<'_>,
    issue: &str,
    note: Option<&str>,
    award_id: &str,
) -> Result<(AwardRow, Entry)> {
    let award = Awardable::read::<A>(issue, note).and_then(|of| Ok((of, A::id("award_id", award_id)?)));
    let (_, entry, row) = call.authorize_with(award, |(of, award_id)| of.one(*award_id)).await?;
    Ok((row.ok_or_else(Error::no_record)?, entry))
}

pub async fn show<A: WireForm>(call: &Call<'_>, issue: &str, note: Option<&str>, award_id: &str) -> Result<Reply> {
    let (row, entry) = find::<A>(call, issue, note, award_id).await?;
    Ok(Reply::json(200, &shown::<A>(row, &entry.links)))
}

#[derive(Debug, Parameters)]
struct NewAward {
    name: String,
}

const LONGEST_NAME: usize = 50;

/// The stored name of the emoji that is named with or without colons around it.
pub fn emoji_name(sent: &str) -> Option<String> {
    let name = stored_name(sent.trim().trim_matches(':'));
    let is_good = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_+-".contains(&byte);
    (!name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(is_good)).then_some(name)
}

pub async fn create<A: WireForm>(call: &Call<'_>, issue: &str, note: Option<&str>) -> Result<Reply> {
    let wrong = || Error::field("name", "is not a valid emoji name");
    let name = call.creation().and_then(|NewAward { name }| emoji_name(&name).ok_or_else(wrong));
    let change = Awardable::read::<A>(issue, note).map(|of| {
        // input errors are only for callers who may
        let steps = name.as_ref().map_or_else(|_| Vec::new(), |name| of.steps(call, name));
        let query = of.query(name.as_deref().ok());
        Change::new(steps, query)
    });
    let written: WrittenRow<AwardRow> = call.commit(change, |_, seen| refusal(seen, name)).await?;
    Ok(written.reply(201, shown::<A>))
}

/// What may have the emoji.
#[derive(Row)]
struct AwardableRow {
    #[row(flatten)]
    total: ListTotal,
    may_award: bool,
    is_taken: bool,
    is_full: bool,
}

fn refusal(seen: Option<AwardableRow>, name: Result<String>) -> Result<Error> {
    let seen = seen.ok_or_else(Error::no_record)?;
    if !seen.may_award {
        return Err(Error::FORBIDDEN);
    }
    name?;
    if seen.is_taken {
        return Err(Error::missing("Award Emoji Name has already been taken"));
    }
    Ok(if seen.is_full { Error::message("400 Bad request - There are too many emoji") } else { Error::Expectation })
}

/// 401 as in GitLab for all but its giver and administrators.
pub async fn remove<A: WireForm>(call: &Call<'_>, issue: &str, note: Option<&str>, award_id: &str) -> Result<Reply> {
    let (row, entry) = find::<A>(call, issue, note, award_id).await?;
    let caller = entry.caller()?;
    if row.user.id != caller.user.id && !caller.admin {
        return Err(Error::Unauthorized);
    }
    let (issue_id, award_id, user_id) = (row.issue_id, row.id, row.user.id);
    let batch = (
        events::award_taken(call, award_id, caller.user.id),
        sql::leave { issue_id, award_id },
        sql::remove { issue_id, award_id, user_id },
    );
    call.write_safely(batch).await?;
    Ok(A::removed(&shown::<A>(row, &entry.links)))
}
