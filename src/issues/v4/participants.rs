//! Who takes part in an issue: who wrote it, has to do it, commented on it or was mentioned.

use super::by_number;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::issues::sql::IssueRef;
use crate::issues::sql::v4_participants::LIST;
use crate::page::{Key, Page};
use crate::person::UserRow;
use crate::policy::Action;
use crate::store::{Row, Rows, Statement, sql};
use crate::users::v4::Basic;

#[derive(Debug, Row)]
enum Part {
    /// The caller may see the issue.
    Seen,
    User(UserRow),
}

fn list(issue: IssueRef, page: &Page) -> Statement {
    let ([after], offset) = page.begin([Key::from(-(1 << 53))]);
    sql!(LIST, issue, after, offset, page.size + 1)
}

/// None: there is no such issue for the caller.
fn read(rows: &Rows) -> Result<Option<Vec<UserRow>>> {
    let (mut is_seen, mut users) = (false, Vec::new());
    for part in rows.all()? {
        match part {
            Part::Seen => is_seen = true,
            Part::User(row) => users.push(row),
        }
    }
    Ok(is_seen.then_some(users))
}

/// GET /projects/:id/issues/:issue_iid/participants
pub async fn show(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let input = by_number(iid).and_then(|issue| Ok((issue, call.page()?)));
    let query = |(issue, page): &(IssueRef, Page)| list(*issue, page);
    let ((_, page), visited) = call.visit_with(id, Action::ReadIssues, input, query).await?;
    let mut users = read(&visited.rows)?.ok_or_else(Error::no_record)?;
    let total = page.cut(&mut users);
    let cursor = users.last().and_then(|user: &UserRow| page.next([user.id.into()]));
    let users: Vec<Basic> = users.into_iter().map(|user| Basic::new(user, &visited.links)).collect();
    call.listing(&page, total, &[], cursor, &users)
}
