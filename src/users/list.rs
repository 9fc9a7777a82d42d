//! Lists of users: what is asked for in v3 and v4, and v3's list.

use super::entity::{Brief, Own};
use super::sql::ProfileRow;
use crate::call::Call;
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::store::{Statement, Value, fill, sql};
use crate::users::sql::list::{BY_USERNAME, LIST};
use crate::walk;

#[derive(Debug, Default)]
pub struct Question<'a> {
    pub ascending: bool,
    pub username: Option<&'a str>,
    pub search: Option<&'a str>,
    pub active: bool,
    pub blocked: bool,
    pub external: bool,
    pub admins: bool,
    /// Not before and not after, in milliseconds.
    pub created: [Option<i64>; 2],
}

impl Question<'_> {
    pub fn statement(&self, page: &Page) -> Statement {
        let [after, before] = self.created;
        let ([past], offset) = page.begin([Key::Int(if self.ascending { 0 } else { 1 << 53 })]);
        let state = match (self.active, self.blocked) {
            (true, false) => Some("active"),
            (false, true) => Some("other"),
            (true, true) | (false, false) => None,
        };
        // who is active is not blocked: nobody stands behind the last user
        let nobody = self.active && self.blocked;
        let past = if nobody { Value::Int(if self.ascending { 1 << 53 } else { 0 }) } else { past };
        let is_filtered = self.search.is_some() || state.is_some() || self.external || self.admins;
        let is_filtered = is_filtered || after.is_some() || before.is_some();
        let (named, beyond) = (
            if self.username.is_some() { BY_USERNAME } else { "?11 is null" },
            if self.ascending { ">" } else { "<" },
        );
        let sort = Sort::word(Some(if self.ascending { Sort::Asc } else { Sort::Desc }));
        let list = fill(LIST, &[("named", named), ("past", beyond), ("sort", sort)]);
        let flag = |asked: bool| asked.then_some(true);
        sql!(
            list,
            past,
            offset,
            walk::steps(page, offset, is_filtered),
            page.size + 1,
            self.username,
            self.search,
            after,
            before,
            state,
            flag(self.external),
            flag(self.admins)
        )
    }
}

/// Parameters of `GET /users`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct ListUsers {
    search: Option<String>,
    username: Option<String>,
    active: bool,
    blocked: bool,
}

/// A username goes before a search.
fn query((filter, page): &(ListUsers, Page)) -> Statement {
    let username = filter.username.as_deref();
    let question = Question {
        ascending: true,
        username,
        search: filter.search.as_deref().filter(|_| username.is_none()),
        active: filter.active,
        blocked: filter.blocked,
        ..Question::default()
    };
    question.statement(page)
}

/// GET /users
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListUsers>().and_then(|filter| Ok((filter, call.page()?)));
    let ((_, page), entered) = call.sign_in_with(input, query).await?;
    let links = &entered.links;
    let users = walk::read(&entered.rows, &page, |row: &ProfileRow| [row.user.id.into()])?;
    if entered.caller.admin {
        users.reply(call, &page, |row| Own::new(row, links))
    } else {
        users.reply(call, &page, |row| Brief::new(row.user, links))
    }
}
