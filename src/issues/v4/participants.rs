//! Who takes part in an issue: who wrote it, has to do it, commented on it or was mentioned.

use super::by_number;
use crate::call::{Call, in_project};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::issues::sql::{IssueRef, seen};
use crate::page::{Key, Page};
use crate::person::{UserRow, user_json};
use crate::policy::Action;
use crate::store::{Row, Statement, sql};
use crate::users::v4::Basic;

#[derive(Debug, Row)]
enum Part {
    /// The caller may see the issue.
    Seen,
    User(UserRow),
}

/// No id is greater.
macro_rules! end {
    () => {
        "9007199254740992"
    };
}

/// Who takes part in the issue `?7`, by ids: behind `?8`, `?9` passed over, `?10` at most. From each the next one is looked
/// up, for somebody may have written thousands of comments.
const LIST: &str = in_project!(
    "union all select v from (
  with recursive seen as materialized (select i.id, i.author_id, coalesce(i.assignee_id, i.author_id) as assignee_id from ",
    seen!("?7"),
    "), taking_part(user_id) as (
    select cast((select ?8) as integer) from seen
    union all
    select min(coalesce((select t.user_id from participants t where t.issue_id = s.id and t.user_id > k.user_id
        order by t.user_id limit 1), ",
    end!(),
    "), iif(s.author_id > k.user_id, s.author_id, ",
    end!(),
    "), iif(s.assignee_id > k.user_id, s.assignee_id, ",
    end!(),
    ")) from taking_part k cross join seen s where k.user_id < ",
    end!(),
    "
    limit 1 + (select ?10) + (select ?9)
  )
  select json_object('seen', null) as v from seen
  union all
  select json_object('user', json(",
    user_json!("u"),
    ")) from (select user_id from taking_part limit (select ?10) offset 1 + (select ?9)) k
  cross join users u on u.id = k.user_id)"
);

fn list(issue: IssueRef, page: &Page) -> Statement {
    let ([after], offset) = page.begin([Key::from(-(1 << 53))]);
    sql!(LIST, issue, after, offset, page.size + 1)
}

/// GET /projects/:id/issues/:issue_iid/participants
pub async fn show(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let input = by_number(iid).and_then(|issue| Ok((issue, call.page()?)));
    let query = |(issue, page): &(IssueRef, Page)| list(*issue, page);
    let ((_, page), visited) = call.visit_with(id, Action::ReadIssues, input, query).await?;
    let (mut is_seen, mut users) = (false, Vec::new());
    for part in visited.rows.all()? {
        match part {
            Part::Seen => is_seen = true,
            Part::User(row) => users.push(row),
        }
    }
    if !is_seen {
        return Err(Error::no_record());
    }
    let total = page.cut(&mut users);
    let cursor = users.last().and_then(|user: &UserRow| page.next([user.id.into()]));
    let users: Vec<Basic> = users.into_iter().map(|user| Basic::new(user, &visited.links)).collect();
    call.listing(&page, total, &[], cursor, &users)
}
