use super::change::{add_members, change_level, remove_member};
use super::{Expiry, Filter, MemberRow, MembershipTerms, find};
use crate::areas::users::v3::BriefUser;
use crate::kernel::call::path_id;
use crate::kernel::time;
use crate::kernel::{Call, Links, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Member {
    #[serde(flatten)]
    user: BriefUser,
    access_level: i64,
    created_at: String,
    expires_at: Option<String>,
}

impl Member {
    fn new(row: MemberRow, links: &Links) -> Member {
        let MemberRow { user, access: access_level, created_at, expires_at } = row;
        let (user, created_at) = (BriefUser::new(user, links), time::utc(created_at));
        Member { user, access_level, created_at, expires_at }
    }
}

#[derive(Debug, Parameters)]
struct Search {
    query: Option<String>,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Search>();
    let input = input.map(|search| Filter { word: search.query, ..Filter::default() });
    let (members, entry) = super::list(call, input).await?;
    members.reply(call, |row| Member::new(row, &entry.links))
}

pub async fn show(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    let (row, entry) = find(call, path_id(user_id)).await?;
    Ok(Reply::json(200, &Member::new(row, &entry.links)))
}

#[derive(Debug, Parameters)]
struct Creation {
    user_id: i64,
    access_level: i64,
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    call.will_read::<Expiry>();
    let input = call
        .creation::<Creation>()
        .and_then(|new| Ok((MembershipTerms::read(call, new.access_level)?, vec![new.user_id.into()])));
    let (row, entry) = add_members(call, input).await?;
    Ok(Reply::json(201, &Member::new(row, &entry.links)))
}

pub async fn update(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    let (row, entry) = change_level(call, path_id(user_id)).await?;
    Ok(Reply::json(200, &Member::new(row, &entry.links)))
}

pub async fn delete(call: &Call<'_>, user_id: &str) -> Result<Reply> {
    let (row, entry) = remove_member(call, path_id(user_id)).await?;
    Ok(Reply::json(200, &Member::new(row, &entry.links)))
}
