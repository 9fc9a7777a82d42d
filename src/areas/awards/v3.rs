use super::{AwardRow, Awardable};
use crate::areas::issues::v3::by_id;
use crate::areas::users::entity::BriefUser;
use crate::kernel::call::{Call, Links, path_id};
use crate::kernel::error::Result;
use crate::kernel::http::Reply;
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Award {
    id: i64,
    name: String,
    user: BriefUser,
    created_at: String,
    updated_at: String,
    awardable_id: i64,
    awardable_type: &'static str,
}

impl Award {
    fn new(row: AwardRow, links: &Links) -> Award {
        let (awardable_id, awardable_type) = row.awardable();
        let created_at = time::utc(row.created_at);
        let user = BriefUser::new(row.user, links);
        Award {
            id: row.id,
            name: row.name,
            user,
            updated_at: created_at.clone(),
            created_at,
            awardable_id,
            awardable_type,
        }
    }
}

fn on_issue(issue_id: &str) -> Result<Awardable> {
    Ok(Awardable { issue: by_id(issue_id)?, note_id: None })
}

fn on_note(issue_id: &str, note_id: &str) -> Result<Awardable> {
    Ok(Awardable { issue: by_id(issue_id)?, note_id: Some(path_id(note_id)?) })
}

fn named(of: Result<Awardable>, award_id: &str) -> Result<(Awardable, i64)> {
    Ok((of?, path_id(award_id)?))
}

async fn list_of(call: &Call<'_>, of: Result<Awardable>) -> Result<Reply> {
    let (walked, page, links) = super::page_of(call, of).await?;
    walked.reply(call, &page, |row| Award::new(row, &links))
}

async fn show_of(call: &Call<'_>, award: Result<(Awardable, i64)>) -> Result<Reply> {
    let (row, entry) = super::find(call, award).await?;
    Ok(Reply::json(200, &Award::new(row, &entry.links)))
}

async fn create_on(call: &Call<'_>, of: Result<Awardable>) -> Result<Reply> {
    Ok(super::create(call, of).await?.reply(201, Award::new))
}

async fn remove_from(call: &Call<'_>, award: Result<(Awardable, i64)>) -> Result<Reply> {
    let (row, links) = super::remove(call, award).await?;
    Ok(Reply::json(200, &Award::new(row, &links)))
}

pub async fn list(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    list_of(call, on_issue(issue_id)).await
}

pub async fn list_on_note(call: &Call<'_>, issue_id: &str, note_id: &str) -> Result<Reply> {
    list_of(call, on_note(issue_id, note_id)).await
}

pub async fn show(call: &Call<'_>, issue_id: &str, award_id: &str) -> Result<Reply> {
    show_of(call, named(on_issue(issue_id), award_id)).await
}

pub async fn show_on_note(call: &Call<'_>, issue_id: &str, note_id: &str, award_id: &str) -> Result<Reply> {
    show_of(call, named(on_note(issue_id, note_id), award_id)).await
}

pub async fn create(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    create_on(call, on_issue(issue_id)).await
}

pub async fn create_on_note(call: &Call<'_>, issue_id: &str, note_id: &str) -> Result<Reply> {
    create_on(call, on_note(issue_id, note_id)).await
}

pub async fn remove(call: &Call<'_>, issue_id: &str, award_id: &str) -> Result<Reply> {
    remove_from(call, named(on_issue(issue_id), award_id)).await
}

pub async fn remove_from_note(
    call: &Call<'_>,
    issue_id: &str,
    note_id: &str,
    award_id: &str,
) -> Result<Reply> {
    remove_from(call, named(on_note(issue_id, note_id), award_id)).await
}
