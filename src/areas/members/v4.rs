use super::change::{add_members, change_level, remove_member};
use super::{Expiry, Filter, Home, MemberRow, MembershipTerms, find, sql};
use crate::areas::users::v4::BasicUser;
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::call::path_number;
use crate::kernel::gather::Gather;
use crate::kernel::time;
use crate::kernel::{Call, Error, Links, Page, Parameters, Reply, Result};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(Debug, Serialize)]
struct Member {
    #[serde(flatten)]
    user: BasicUser,
    access_level: i64,
    created_at: String,
    expires_at: Option<String>,
    #[serde(flatten)]
    constants: Constants,
}

const OF_MEMBER: Constants =
    Constants(&[(Constant::Null, &["created_by"]), (Constant::Text("active"), &["membership_state"])]);

impl Member {
    fn new(row: MemberRow, links: &Links) -> Member {
        let MemberRow { user, access: access_level, created_at, expires_at } = row;
        let (user, created_at) = (BasicUser::new(user, links), time::utc(created_at));
        Member { user, access_level, created_at, expires_at, constants: OF_MEMBER }
    }
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Search {
    query: Option<String>,
    search: Option<String>,
    user_ids: Vec<i64>,
    skip_users: Vec<i64>,
}

async fn listed<T: Serialize>(call: &Call<'_>, is_inherited: bool, shown: fn(MemberRow, &Links) -> T) -> Result<Reply> {
    let input = call.filters::<Search>().map(|Search { query, search, user_ids, skip_users }| Filter {
        is_inherited,
        with_owner: true,
        word: query.or(search),
        among: user_ids,
        without: skip_users,
    });
    let (members, entry) = super::list(call, input).await?;
    members.reply(call, |row| shown(row, &entry.links))
}

pub async fn list(call: &Call<'_>, is_inherited: bool) -> Result<Reply> {
    listed(call, is_inherited, Member::new).await
}

pub async fn users(call: &Call<'_>) -> Result<Reply> {
    listed(call, true, |row, links| BasicUser::new(row.user, links)).await
}

pub async fn show_any(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    if let Some(bot) = user_id.strip_prefix('-') {
        return show_bot(call, bot).await;
    }
    let filter = Filter { is_inherited: true, with_owner: true, ..Filter::default() };
    // the first member from this id on, possibly another one
    let query = |user_id: &i64| Home::of(call).list(&filter, Page::first().behind(*user_id - 1));
    let (user_id, entry, members) = call.authorize_with(path_number("user_id", user_id), query).await?;
    let row = members.rows.into_iter().find(|row| row.user.id == user_id);
    let row = row.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Member::new(row, &entry.links)))
}

/// The id of a user. That of the user of a project's token is negative, and of no member.
fn number(user_id: &str) -> Result<i64> {
    let digits = user_id.strip_prefix('-').unwrap_or(user_id);
    path_number("user_id", digits).map(|id| if digits == user_id { id } else { -id })
}

/// The user of a project's token has a negative id, and is in no list. A program with that token looks for its own level.
async fn show_bot(call: &Call<'_>, digits: &str) -> Result<Reply> {
    let is_project = Home::of(call) == Home::Project;
    let query = |id: &i64| is_project.then_some(sql::bot_of_project { user_id: -id });
    let (_, entry, row) = call.authorize_with(path_number("user_id", digits), query).await?;
    let row = row.flatten().ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Member::new(row, &entry.links)))
}

pub async fn show(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    let (row, entry) = find(call, number(user_id)).await?;
    Ok(Reply::json(200, &Member::new(row, &entry.links)))
}

#[derive(Debug, Parameters)]
struct Creation {
    #[param(default)]
    user_id: BTreeSet<i64>,
    #[param(default)]
    username: BTreeSet<String>,
    access_level: i64,
}

const MOST_NEW_MEMBERS: usize = 100;

impl Creation {
    fn read(self, call: &Call<'_>) -> Result<(MembershipTerms, Vec<Value>)> {
        let terms = MembershipTerms::read(call, self.access_level)?;
        let users: Vec<Value> = match (self.user_id.is_empty(), self.username.is_empty()) {
            (true, true) => {
                let text = "user_id, username are missing, at least one parameter must be provided";
                return Err(Error::framework(text));
            }
            (false, false) => return Err(Error::framework("user_id, username are mutually exclusive")),
            (false, true) => self.user_id.into_iter().map(Value::from).collect(),
            (true, false) => {
                // usernames that differ only in case are the same
                let names: BTreeSet<String> = self.username.iter().map(|name| name.to_lowercase()).gather();
                names.into_iter().map(Value::from).collect()
            }
        };
        if users.len() > MOST_NEW_MEMBERS {
            return Err(Error::framework(format!("user_id are too many (maximum is {MOST_NEW_MEMBERS})")));
        }
        Ok((terms, users))
    }
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    call.will_read::<Expiry>();
    let input = call.creation::<Creation>().and_then(|new| new.read(call));
    let are_several = input.as_ref().is_ok_and(|(_, users)| users.len() > 1);
    let (row, entry) = add_members(call, input).await?;
    Ok(match are_several {
        true => Reply::json(201, &json!({ "status": "success" })),
        false => Reply::json(201, &Member::new(row, &entry.links)),
    })
}

pub async fn update(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    let (row, entry) = change_level(call, number(user_id)).await?;
    Ok(Reply::json(200, &Member::new(row, &entry.links)))
}

pub async fn delete(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    remove_member(call, number(user_id)).await?;
    Ok(Reply::empty(204))
}
