//! Members in v4 (behaviour 13.4): beside those of a project or group itself, those who are it by what it lies in.

use super::sql::MemberRow;
use super::{Home, check_level, end, find, join, promote};
use crate::call::path_number;
use crate::call::{Call, Links};
use crate::constants::{Constant, Constants};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::members::sql::Search;
use crate::members::sql::list::endpoints;
use crate::page::Page;
use crate::params::Parameters;
use crate::policy::Action;
use crate::sorted::set;
use crate::store::Statement;
use crate::time;
use crate::users::v4::Basic;
use crate::walk::{self, Part};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(Debug, Serialize)]
struct Member {
    #[serde(flatten)]
    user: Basic,
    access_level: i64,
    created_at: String,
    #[serde(flatten)]
    constants: Constants,
}

/// Memberships do not end by themselves.
const OF_MEMBER: Constants = Constants(&[
    (Constant::Null, &["created_by", "expires_at"]),
    (Constant::Text("active"), &["membership_state"]),
]);

impl Member {
    fn new(row: MemberRow, links: &Links) -> Member {
        let MemberRow { user, access, created_at } = row;
        let created_at = time::utc(created_at);
        Member { user: Basic::new(user, links), access_level: access, created_at, constants: OF_MEMBER }
    }
}

/// Parameters of a list.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    query: Option<String>,
    search: Option<String>,
    user_ids: Vec<i64>,
    skip_users: Vec<i64>,
}

/// A page of those who are asked for.
fn statement(home: Home, inherited: bool, filter: &Filter, page: &Page) -> Statement {
    let word = filter.query.as_deref().or(filter.search.as_deref());
    let search = Search { inherited, word, among: &filter.user_ids, without: &filter.skip_users };
    home.queries().list(&search, page)
}

/// A page of members, in the form that `shown` gives them.
async fn list<T: Serialize>(
    call: &Call<'_>,
    home: Home,
    id: &str,
    inherited: bool,
    shown: fn(MemberRow, &Links) -> T,
) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| statement(home, inherited, filter, page);
    let ((_, page), entered) = home.enter(call, id, Action::ReadMembers, input, query).await?;
    let members = walk::read(&entered.rows, &page, |row: &MemberRow| [row.user.id.into()])?;
    members.reply(call, &page, |row| shown(row, &entered.links))
}

/// One who is a member directly or by what the place lies in.
async fn find_any(call: &Call<'_>, home: Home, id: &str, user_id: &str) -> Result<Reply> {
    let input = path_number("user_id", user_id);
    // the first one behind the id before
    let query = |user_id: &i64| home.queries().next_to(*user_id - 1);
    let (user_id, entered) = home.enter(call, id, Action::ReadMembers, input, query).await?;
    let row: Box<MemberRow> = match entered.rows.first::<Part<MemberRow>>()? {
        Some(Part::Row(row)) if row.user.id == user_id => row,
        _ => return Err(Error::no_record()),
    };
    Ok(Reply::json(200, &Member::new(*row, &entered.links)))
}

/// Parameters of new members, one or several.
#[derive(Debug, Parameters)]
struct NewMember {
    #[param(default)]
    user_id: BTreeSet<i64>,
    #[param(default)]
    username: BTreeSet<String>,
    access_level: i64,
    expires_at: Option<String>,
}

/// A membership that would end is refused: it must never be longer than asked.
fn checked(access_level: i64, expires_at: Option<String>) -> Result<i64> {
    check_level(access_level)?;
    match expires_at {
        Some(_) => Err(Error::field("expires_at", "is not supported")),
        None => Ok(access_level),
    }
}

/// As many users one request makes members.
const MOST_NEW: usize = 100;

impl NewMember {
    /// The level and the users.
    fn read(self) -> Result<(i64, Vec<Value>)> {
        let users: Vec<Value> = match (self.user_id.is_empty(), self.username.is_empty()) {
            (true, true) => {
                let text = "user_id, username are missing, at least one parameter must be provided";
                return Err(Error::framework(text));
            }
            (false, false) => return Err(Error::framework("user_id, username are mutually exclusive")),
            (false, true) => self.user_id.into_iter().map(Value::from).collect(),
            (true, false) => {
                // two ways to write one name
                let names = set(self.username.iter().map(|name| name.to_lowercase()));
                names.into_iter().map(Value::from).collect()
            }
        };
        if users.len() > MOST_NEW {
            return Err(Error::framework(format!("user_id are too many (maximum is {MOST_NEW})")));
        }
        Ok((checked(self.access_level, self.expires_at)?, users))
    }
}

async fn add(call: &Call<'_>, home: Home, id: &str) -> Result<Reply> {
    let input = call.creation::<NewMember>().and_then(NewMember::read);
    let are_several = input.as_ref().is_ok_and(|(_, users)| users.len() > 1);
    let (row, links) = join(call, home, id, input).await?;
    Ok(match are_several {
        true => Reply::json(201, &json!({ "status": "success" })),
        false => Reply::json(201, &Member::new(row, &links)),
    })
}

/// Parameters of a member's change.
#[derive(Debug, Parameters)]
struct EditMember {
    access_level: i64,
    expires_at: Option<String>,
}

async fn update(call: &Call<'_>, home: Home, id: &str, user_id: &str) -> Result<Reply> {
    let input = path_number("user_id", user_id).and_then(|user_id| {
        let edit = call.creation::<EditMember>()?;
        Ok((user_id, checked(edit.access_level, edit.expires_at)?))
    });
    let (row, links) = promote(call, home, id, input).await?;
    Ok(Reply::json(200, &Member::new(row, &links)))
}

endpoints!(of_project, Project, "Members of a project.");
endpoints!(of_group, Group, "Members of a group.");

/// GET /projects/:id/users
pub async fn users(call: &Call<'_>, id: &str) -> Result<Reply> {
    list(call, Home::Project, id, true, |row, links| Basic::new(row.user, links)).await
}
