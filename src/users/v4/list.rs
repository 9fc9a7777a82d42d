//! The list of users in v4.

use super::{Basic, Own};
use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Page, Sort};
use crate::params::Parameters;
use crate::store::Statement;
use crate::users::list::Question;
use crate::users::sql::ProfileRow;
use crate::walk;

/// Parameters of `GET /users`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    username: Option<String>,
    search: Option<String>,
    active: bool,
    blocked: bool,
    external: bool,
    admins: bool,
    created_after: Option<String>,
    created_before: Option<String>,
    order_by: Option<Order>,
    sort: Option<Sort>,
}

/// A user with a higher id was made later.
#[derive(Debug, Parameters, Clone, Copy)]
#[param(rename_all = "snake_case")]
enum Order {
    Id,
    CreatedAt,
}

/// A list as it was asked for.
struct Asked {
    filter: Filter,
    created: [Option<i64>; 2],
    page: Page,
}

impl Asked {
    fn read(call: &Call<'_>) -> Result<Asked> {
        let filter: Filter = call.filters()?;
        let created = [
            walk::instant("created_after", filter.created_after.as_deref())?,
            walk::instant("created_before", filter.created_before.as_deref())?,
        ];
        // both orders are the same one
        let _ = filter.order_by;
        Ok(Asked { filter, created, page: call.page_or_keyset()? })
    }

    fn query(&self) -> Statement {
        let Asked { filter, created, page } = self;
        let question = Question {
            ascending: filter.sort == Some(Sort::Asc),
            username: filter.username.as_deref(),
            search: filter.search.as_deref(),
            active: filter.active,
            blocked: filter.blocked,
            external: filter.external,
            admins: filter.admins,
            created: *created,
        };
        question.statement(page)
    }
}

/// GET /users
///
/// Without a token it only tells who has a username.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let asked = Asked::read(call);
    let is_named = asked.as_ref().is_ok_and(|asked| asked.filter.username.is_some());
    if !call.has_credentials() && !is_named {
        return Err(Error::Forbidden("Not authorized to access /api/v4/users"));
    }
    let (Asked { page, .. }, found) = call.browse_with(asked, Asked::query).await?;
    let users = walk::read(&found.rows, &page, |row: &ProfileRow| [row.user.id.into()])?;
    if found.caller.is_some_and(|caller| caller.admin) {
        users.reply(call, &page, |row| Own::new(row, true, &found.links))
    } else {
        users.reply(call, &page, |row| Basic::new(row.user, &found.links))
    }
}
