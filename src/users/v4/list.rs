//! The list of users in v4.

use super::{Basic, Own};
use crate::call::{Call, signed_in};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::store::{Row, Statement, Value, fill, sql};
use crate::users::sql::{ProfileRow, profile_json};
use crate::walk;

/// Parameters of `GET /users`.
#[derive(Debug, Parameters, Default)]
#[serde(default)]
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
#[serde(rename_all = "snake_case")]
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

/// A user of the list, or where the walk for its page ended.
#[derive(Row)]
enum Part {
    User(Box<ProfileRow>),
    End(Option<i64>),
}

/// The first `?10` of those behind `?8` others, past the id `?7` and among the first `?9` there, who have the username `?11`
/// and `?12` in their names. `?13` and `?14`: made not before and not after; `?15`: their state, `other` for none that is
/// active. `?16`, `?17`: external ones, and administrators, which administrators may ask for; others are not told who is one, nor by the cost.
const LIST: &str = signed_in!(
    "union all select v from (
  with found as materialized (select id from (select u.id, u.name, u.username, u.email_key, u.state, u.created_at, u.external, u.admin,
      c.admin as knows from caller c cross join {people} where u.id {past} (select ?7) and u.id > 0 and {named}
      order by u.id {sort} limit (select ?9)) u
    where (?12 is null or instr(lower(u.name), lower(?12)) or instr(lower(u.username), lower(?12)) or u.knows and u.email_key = lower(?12))
      and u.created_at >= coalesce(?13, u.created_at) and u.created_at <= coalesce(?14, u.created_at)
      and (?15 is null or ?15 = iif(u.state = 'active', 'active', 'other'))
      and (?16 is null or not u.knows or u.external) and (?17 is null or not u.knows or u.admin)
    limit (select ?10) offset (select ?8))
  select v from (select json_object('user', json(",
    profile_json!(),
    ")) as v from found f cross join users u on u.id = f.id order by f.id {sort})
  union all select json_object('end', (select u.id from caller c cross join {people}
      where u.id {past} (select ?7) and u.id > 0 and {named} order by u.id {sort} limit 1 offset (select ?9 - 1)))
    where (select count(*) from found) < (select ?10))"
);

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
        let Asked { filter, created: [after, before], page } = self;
        let ascending = filter.sort == Some(Sort::Asc);
        let ([past], offset) = page.begin([Key::Int(if ascending { 0 } else { 1 << 53 })]);
        // who is active is not blocked: nobody stands behind the last user
        let nobody = filter.active && filter.blocked;
        let past = if nobody { Value::Int(if ascending { 1 << 53 } else { 0 }) } else { past };
        let state = match (filter.active, filter.blocked) {
            (true, true) => None,
            (true, false) => Some("active"),
            (false, true) => Some("other"),
            (false, false) => None,
        };
        let flag = |asked: bool| asked.then_some(true);
        let is_filtered = filter.search.is_some() || state.is_some() || filter.external || filter.admins;
        let is_filtered = is_filtered || after.is_some() || before.is_some();
        let steps = walk::steps(page, offset, is_filtered);
        let named = if filter.username.is_some() {
            "u.id = (select n.id from namespaces n where n.path_key = lower(?11))"
        } else {
            "?11 is null"
        };
        let people = if filter.username.is_some() { "users u" } else { "users u indexed by users_of_people" };
        let beyond = if ascending { ">" } else { "<" };
        let pieces =
            [("named", named), ("people", people), ("past", beyond), ("sort", Sort::word(filter.sort))];
        let list = fill(LIST, &pieces);
        sql!(
            list,
            past,
            offset,
            steps,
            page.size + 1,
            filter.username.as_deref(),
            filter.search.as_deref(),
            *after,
            *before,
            state,
            flag(filter.external),
            flag(filter.admins)
        )
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
    let (mut rows, mut end) = (Vec::new(), None);
    for part in found.rows.all()? {
        match part {
            Part::User(row) => rows.push(*row),
            Part::End(id) => end = id,
        }
    }
    let end = end.map(|id| [Key::Int(id)]);
    let (total, cursor) = walk::cut(&page, &mut rows, end, |row| [row.user.id.into()]);
    let links = &found.links;
    if found.caller.is_some_and(|caller| caller.admin) {
        let users: Vec<Own> = rows.into_iter().map(|row| Own::new(row, true, links)).collect();
        call.listing(&page, total, &[], cursor, &users)
    } else {
        let users: Vec<Basic> = rows.into_iter().map(|row| Basic::new(row.user, links)).collect();
        call.listing(&page, total, &[], cursor, &users)
    }
}
