use super::list::Filter;
use super::{ProfileFields, ProfileRow, change, sql};
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::answers::person::{UserRow, avatar};
use crate::kernel::call::{path_id, path_number};
use crate::kernel::empty_answers;
use crate::kernel::lists::Listed;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, PreparedQuery, Query, Reply, Result};
use serde::Serialize;

/// `UserBasic`, the form of users in other records.
#[derive(Debug, Serialize)]
pub struct BasicUser {
    id: i64,
    username: String,
    /// Always empty: e-mail addresses are not public.
    public_email: &'static str,
    pub name: String,
    state: String,
    locked: bool,
    pub avatar_url: Option<String>,
    web_url: String,
}

impl BasicUser {
    pub fn new(row: UserRow, links: &Links) -> BasicUser {
        let UserRow { id, username, name, state, email } = row;
        let avatar_url = links.avatars.then(|| avatar(&email, &links.base));
        let web_url = format!("{}/{username}", links.base);
        BasicUser { id, username, public_email: "", name, state, locked: false, avatar_url, web_url }
    }
}

/// `User`, for callers with a token.
#[derive(Debug, Serialize)]
pub struct User {
    #[serde(flatten)]
    basic: BasicUser,
    created_at: String,
    #[serde(flatten)]
    about: ProfileFields,
    /// The user of a project's token.
    bot: bool,
    #[serde(flatten)]
    constants: Constants,
}

const OF_USER: Constants = Constants(&[
    (Constant::Text(""), &["discord", "github", "job_title"]),
    (Constant::Null, &["pronouns"]),
    (Constant::Text(""), &["organization"]),
    (Constant::Null, &["work_information", "local_time"]),
    (Constant::Number(0), &["followers", "following"]),
    (Constant::Bool(false), &["is_followed"]),
]);

impl User {
    pub fn new(row: ProfileRow, links: &Links) -> User {
        User {
            bot: row.user.id < 0,
            basic: BasicUser::new(row.user, links),
            created_at: time::utc(row.created_at),
            about: row.about,
            constants: OF_USER,
        }
    }
}

/// `UserPublic`, which users see of themselves. With [`AdministratorFields`]: `UserWithAdmin`.
#[derive(Debug, Serialize)]
struct OwnUser {
    #[serde(flatten)]
    user: User,
    confirmed_at: String,
    email: String,
    commit_email: String,
    projects_limit: i64,
    can_create_project: bool,
    external: bool,
    #[serde(flatten)]
    constants: Constants,
    #[serde(flatten)]
    for_administrators: Option<AdministratorFields>,
}

#[derive(Debug, Serialize)]
struct AdministratorFields {
    is_admin: bool,
    namespace_id: i64,
    note: Option<()>,
    created_by: Option<()>,
}

const OF_OWN: Constants = Constants(&[
    (Constant::Null, &["last_sign_in_at", "last_activity_on", "current_sign_in_at"]),
    (Constant::Number(1), &["theme_id", "color_scheme_id"]),
    (Constant::Nothing([]), &["identities"]),
    (Constant::Bool(true), &["can_create_group"]),
    (Constant::Bool(false), &["two_factor_enabled", "private_profile"]),
    (Constant::Text("en"), &["preferred_language"]),
]);

impl OwnUser {
    fn new(row: ProfileRow, is_for_administrator: bool, links: &Links) -> OwnUser {
        let (namespace_id, is_admin) = (row.user.id, row.admin);
        let for_administrators = AdministratorFields { is_admin, namespace_id, note: None, created_by: None };
        OwnUser {
            confirmed_at: time::utc(row.created_at),
            email: row.user.email.clone(),
            commit_email: row.user.email.clone(),
            projects_limit: row.projects_limit,
            can_create_project: row.can_create_project(),
            external: row.external,
            constants: OF_OWN,
            for_administrators: is_for_administrator.then_some(for_administrators),
            user: User::new(row, links),
        }
    }

    fn reply(status: u16, (row, entry): (ProfileRow, Entry)) -> Result<Reply> {
        Ok(Reply::json(status, &OwnUser::new(row, true, &entry.links)))
    }
}

pub async fn show_own(call: &Call<'_>) -> Result<Reply> {
    let (entry, row) = call.authorize(own()).await?;
    own_reply(200, row, &entry)
}

/// The caller.
pub fn own() -> PreparedQuery<Option<ProfileRow>> {
    sql::own {}.prepare()
}

pub fn own_reply(status: u16, row: Option<ProfileRow>, entry: &Entry) -> Result<Reply> {
    let row = row.ok_or_else(Error::no_record)?;
    Ok(Reply::json(status, &OwnUser::new(row, entry.caller()?.admin, &entry.links)))
}

pub fn user_id(text: &str) -> Result<i64> {
    path_number("id", text)
}

pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    if !call.has_credentials() {
        return Err(Error::Forbidden("Not authorized!"));
    }
    let (entry, row) = find(call, id).await?;
    Ok(if entry.caller()?.admin && row.user.id > 0 {
        Reply::json(200, &OwnUser::new(row, true, &entry.links))
    } else {
        Reply::json(200, &User::new(row, &entry.links))
    })
}

/// A person, or the user of a token of a project that the caller sees, whose id is negative.
async fn find(call: &Call<'_>, id: &str) -> Result<(Entry, ProfileRow)> {
    let missing = || Error::missing("User");
    let (digits, is_bot) = id.strip_prefix('-').map_or((id, false), |digits| (digits, true));
    let asked = |id: &i64| ((!is_bot).then_some(sql::one { id: *id }), is_bot.then_some(sql::bot { id: -id }));
    let (_, entry, (person, bot)) = call.authorize_with(path_id(digits).map_err(|_| missing()), asked).await?;
    let row = person.flatten().or(bot.flatten()).ok_or_else(missing)?;
    Ok((entry, row))
}

/// The status of a user. Nobody has one.
pub async fn status(call: &Call<'_>, id: &str) -> Result<Reply> {
    find(call, id).await?;
    Ok(Reply::json(200, &UserStatus::default()))
}

pub async fn own_status(call: &Call<'_>) -> Result<Reply> {
    call.authorize(()).await?;
    Ok(Reply::json(200, &UserStatus::default()))
}

#[derive(Debug, Default, Serialize)]
struct UserStatus {
    emoji: Option<()>,
    message: Option<()>,
    availability: Option<()>,
    message_html: Option<()>,
    clear_status_at: Option<()>,
}

/// Lists of records that no user has.
pub async fn nothing(call: &Call<'_>, id: &str) -> Result<Reply> {
    let page = call.page();
    find(call, id).await?;
    empty_answers::reply(call, &page?)
}

/// The one address of the caller.
pub async fn list_addresses(call: &Call<'_>) -> Result<Reply> {
    #[derive(Serialize)]
    struct Address {
        id: i64,
        email: String,
        confirmed_at: String,
    }
    let (page, _, row) = call.authorize_with(call.page(), |_| sql::own {}).await?;
    let row = row.ok_or_else(Error::no_record)?;
    let confirmed_at = time::utc(row.created_at);
    let address = Address { id: row.user.id, email: row.user.email, confirmed_at };
    Listed::whole(vec![address], page).reply(call, |address| address)
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>();
    let input = input.and_then(|filter| Ok((filter.times()?, filter, call.page_or_keyset()?)));
    let is_named = input.as_ref().is_ok_and(|(_, filter, _)| filter.username.is_some());
    if !call.has_credentials() && !is_named {
        return Err(Error::Forbidden("Not authorized to access /api/v4/users"));
    }
    let (users, entry) = super::list::read(call, input).await?;
    if entry.caller.is_some_and(|caller| caller.admin) {
        users.reply(call, |row| OwnUser::new(row, true, &entry.links))
    } else {
        users.reply(call, |row| BasicUser::new(row.user, &entry.links))
    }
}

/// Searches for a part of a name or username.
pub async fn search(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>();
    let input = input.and_then(|filter| Ok((filter.times()?, filter, call.page()?)));
    let (users, entry) = super::list::read(call, input).await?;
    users.reply(call, |row| BasicUser::new(row.user, &entry.links))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    OwnUser::reply(201, super::create(call).await?)
}

pub async fn update(call: &Call<'_>, id: &str) -> Result<Reply> {
    OwnUser::reply(200, change::update(call, user_id(id)).await?)
}

pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    change::delete(call, user_id(id)).await?;
    Ok(Reply::empty(204))
}

/// `true` for a change, as clients expect. Null if the user was already blocked.
pub async fn block(call: &Call<'_>, id: &str) -> Result<Reply> {
    let changed = change::set_blocked(call, user_id(id), true).await?;
    Ok(Reply::json(201, &changed.then_some(true)))
}

/// `true` for a change, as clients expect. False if the user was not blocked.
pub async fn unblock(call: &Call<'_>, id: &str) -> Result<Reply> {
    let changed = change::set_blocked(call, user_id(id), false).await?;
    Ok(Reply::json(201, &changed))
}
