//! Lists of users.

use super::entity::{Brief, Own};
use super::sql::ProfileRow;
use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use crate::page::Page;
use crate::params::Parameters;
use crate::store::{Statement, fill, sql};
use crate::users::sql::list::{LIST, NAMED};

/// Parameters of `GET /users`.
#[derive(Debug, Parameters, Default)]
#[serde(default)]
pub struct ListUsers {
    search: Option<String>,
    username: Option<String>,
    active: bool,
    blocked: bool,
}

/// One row more than the page has tells that there is a further one.
fn query(filter: &ListUsers, page: &Page) -> Statement {
    let state = match (filter.active, filter.blocked) {
        (true, true) => "and false",
        // `+`, or SQLite makes an index of all users for each request
        (true, false) => "and +u.state = 'active'",
        (false, true) => "and u.state <> 'active'",
        (false, false) => "",
    };
    let (after, offset) = page.after();
    let (text, name) = match &filter.username {
        Some(name) => (NAMED, Some(name)),
        None => (LIST, filter.search.as_ref()),
    };
    let list = fill(text, &[("state", state)]);
    sql!(list, after, offset, page.size + 1, name.map(String::as_str))
}

/// GET /users
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListUsers>().and_then(|filter| Ok((filter, call.page()?)));
    let ((_, page), entered) = call.sign_in_with(input, |(filter, page)| query(filter, page)).await?;
    let mut rows: Vec<ProfileRow> = entered.rows.all()?;
    let total = page.cut(&mut rows);
    let cursor = rows.last().and_then(|row| page.next([row.user.id.into()]));
    let links = &entered.links;
    if entered.caller.admin {
        let users: Vec<Own> = rows.into_iter().map(|row| Own::new(row, links)).collect();
        call.listing(&page, total, &[], cursor, &users)
    } else {
        let users: Vec<Brief> = rows.into_iter().map(|row| Brief::new(row.user, links)).collect();
        call.listing(&page, total, &[], cursor, &users)
    }
}
