//! The notes of a tag, which are a release of v4 without links.

use super::ReleaseRow;
use super::writing::{Change, Draft};
use crate::kernel::{Call, Error, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Parameters)]
struct Notes {
    description: String,
}

/// A release as v3's tags show it.
#[derive(Debug, Serialize)]
pub struct Release {
    tag_name: String,
    description: Option<String>,
}

impl Release {
    pub fn new(tag_name: String, description: Option<String>) -> Release {
        Release { tag_name, description }
    }
}

fn reply(status: u16, row: ReleaseRow) -> Reply {
    Reply::json(status, &Release::new(row.tag, row.description))
}

pub async fn create(call: &Call<'_>, tag: &str) -> Result<Reply> {
    let input = call.creation::<Notes>();
    let input =
        input.map(|notes| Draft { tag: tag.to_owned(), description: Some(notes.description), ..Draft::default() });
    let (draft, entry, facts) = call.authorize_with(input, Draft::query).await?;
    if facts.sha.is_none() && facts.release_id.is_none() {
        return Err(Error::NotFound("Tag does not exist".to_owned()));
    }
    Ok(reply(201, draft.create(call, &entry, facts).await?))
}

pub async fn update(call: &Call<'_>, tag: &str) -> Result<Reply> {
    let input = call.creation::<Notes>();
    let input = input.map(|notes| Change { description: Some(notes.description), ..Change::default() });
    let (change, entry, (known, row)) = call.authorize_with(input, |change| change.query(tag)).await?;
    if known.sha.is_none() {
        return Err(Error::NotFound("Tag does not exist".to_owned()));
    }
    Ok(reply(200, change.write(call, &entry, known, row).await?))
}
