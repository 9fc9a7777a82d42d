use super::list::Filter;
use super::{ProfileFields, ProfileRow, change, sql};
use crate::kernel::answers::person::{UserRow, avatar};
use crate::kernel::call::path_id;
use crate::kernel::paging::Sort;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, Parameters, Reply, Result};
use serde::Serialize;

/// The form of users in other records (specification, "User").
#[derive(Debug, Serialize)]
pub struct BriefUser {
    name: String,
    username: String,
    id: i64,
    state: String,
    avatar_url: Option<String>,
    web_url: String,
}

impl BriefUser {
    pub fn new(row: UserRow, links: &Links) -> BriefUser {
        let UserRow { id, username, name, state, email } = row;
        let avatar_url = links.avatars.then(|| avatar(&email, &links.base));
        let web_url = format!("{}/{username}", links.base);
        BriefUser { name, username, id, state, avatar_url, web_url }
    }
}

#[derive(Debug, Serialize)]
pub struct FullUser {
    #[serde(flatten)]
    brief: BriefUser,
    created_at: String,
    is_admin: bool,
    #[serde(flatten)]
    about: ProfileFields,
}

impl FullUser {
    pub fn new(row: ProfileRow, links: &Links) -> FullUser {
        FullUser {
            brief: BriefUser::new(row.user, links),
            created_at: time::utc(row.created_at),
            is_admin: row.admin,
            about: row.about,
        }
    }
}

/// Members that only the user and administrators see.
#[derive(Debug, Serialize)]
struct OwnUser {
    #[serde(flatten)]
    full: FullUser,
    last_sign_in_at: Option<String>,
    confirmed_at: String,
    email: String,
    theme_id: i64,
    color_scheme_id: i64,
    projects_limit: i64,
    current_sign_in_at: Option<String>,
    identities: [String; 0],
    can_create_group: bool,
    can_create_project: bool,
    two_factor_enabled: bool,
    external: bool,
}

impl OwnUser {
    fn new(row: ProfileRow, links: &Links) -> OwnUser {
        OwnUser {
            last_sign_in_at: None,
            confirmed_at: time::utc(row.created_at),
            email: row.user.email.clone(),
            theme_id: 1,
            color_scheme_id: 1,
            projects_limit: row.projects_limit,
            current_sign_in_at: None,
            identities: [],
            can_create_group: true,
            can_create_project: row.can_create_project(),
            two_factor_enabled: false,
            external: row.external,
            full: FullUser::new(row, links),
        }
    }

    fn reply(status: u16, (row, entry): (ProfileRow, Entry)) -> Result<Reply> {
        Ok(Reply::json(status, &OwnUser::new(row, &entry.links)))
    }
}

pub fn user_id(call: &Call<'_>, id: &str) -> Result<i64> {
    path_id(id).inspect_err(|_| call.hint("a user is named by a number here: GET /users?username=.. tells it"))
}

pub async fn show_own(call: &Call<'_>) -> Result<Reply> {
    let (entry, row) = call.authorize(sql::own {}).await?;
    let row = row.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &OwnUser::new(row, &entry.links)))
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Search {
    search: Option<String>,
    username: Option<String>,
    active: bool,
    blocked: bool,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Search>().and_then(|Search { search, username, active, blocked }| {
        let search = search.filter(|_| username.is_none());
        let sort = Some(Sort::Asc);
        let filter = Filter { username, search, active, blocked, sort, ..Filter::default() };
        Ok(([None; 2], filter, call.page()?))
    });
    let (users, entry) = super::list::read(call, input).await?;
    if entry.caller()?.admin {
        users.reply(call, |row| OwnUser::new(row, &entry.links))
    } else {
        users.reply(call, |row| BriefUser::new(row.user, &entry.links))
    }
}

pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (_, entry, row) = call.authorize_with(user_id(call, id), |id| sql::one { id: *id }).await?;
    let row = row.ok_or_else(|| Error::missing("User"))?;
    Ok(if entry.caller()?.admin {
        Reply::json(200, &OwnUser::new(row, &entry.links))
    } else {
        Reply::json(200, &FullUser::new(row, &entry.links))
    })
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    OwnUser::reply(201, super::create(call).await?)
}

pub async fn update(call: &Call<'_>, id: &str) -> Result<Reply> {
    OwnUser::reply(200, change::update(call, user_id(call, id)).await?)
}

pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    OwnUser::reply(200, change::delete(call, user_id(call, id)).await?)
}

pub async fn set_blocked(call: &Call<'_>, id: &str, blocked: bool) -> Result<Reply> {
    change::set_blocked(call, user_id(call, id), blocked).await?;
    Ok(Reply::json(200, &true))
}
