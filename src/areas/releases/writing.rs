//! Writes of releases.

use super::link::{self, NewLink};
use super::{Facts, ReleaseRow, absent, sql};
use crate::areas::events;
use crate::kernel::gather::Gather;
use crate::kernel::{Call, Entry, Error, PreparedQuery, Query, Result};
use serde_json::json;
use std::collections::BTreeSet;

/// Milestones of a release.
const MOST_MILESTONES: usize = 20;

/// How often a missing tag is looked for, and the milliseconds between: it may have been pushed just now.
const LOOKS: usize = 5;
const PAUSE: u64 = 1000;

/// The milestones that a request names.
#[derive(Debug, Clone, Default)]
pub struct Milestones {
    pub titles: Vec<String>,
    pub ids: Vec<i64>,
}

impl Milestones {
    /// 400 if a request has both titles and ids.
    pub fn of(titles: Option<Vec<String>>, ids: Option<Vec<i64>>) -> Result<Option<Milestones>> {
        match (titles, ids) {
            (Some(_), Some(_)) => Err(Error::framework("Cannot specify milestones and milestone_ids at the same time")),
            (None, None) => Ok(None),
            (titles, ids) => {
                let named = Milestones { titles: titles.unwrap_or_default(), ids: ids.unwrap_or_default() };
                if named.titles.len() + named.ids.len() > MOST_MILESTONES {
                    let text = format!("400 Bad request - A release has at most {MOST_MILESTONES} milestones");
                    return Err(Error::message(text));
                }
                Ok(Some(named))
            }
        }
    }

    /// The ids of the milestones. 400 if one does not exist.
    fn found(&self, facts: &Facts) -> Result<String> {
        let titles: Vec<&str> = self.titles.iter().map(String::as_str).collect();
        let unknown: Vec<&str> =
            titles.into_iter().filter(|title| !facts.milestones.iter().any(|known| known.title == *title)).collect();
        if !unknown.is_empty() {
            return Err(Error::message(format!("Milestone(s) not found: {}", unknown.join(", "))));
        }
        let is_unknown = |id: &&i64| !facts.milestones.iter().any(|known| known.id == **id);
        let unknown: Vec<String> = self.ids.iter().filter(is_unknown).map(i64::to_string).collect();
        if !unknown.is_empty() {
            return Err(Error::message(format!("Milestone id(s) not found: {}", unknown.join(", "))));
        }
        let ids: Vec<i64> = facts.milestones.iter().map(|known| known.id).collect();
        Ok(json!(ids).to_string())
    }
}

/// What decides about a write to the release of a tag.
pub fn facts(tag: &str, milestones: Option<&Milestones>) -> PreparedQuery<Facts> {
    let Milestones { titles, ids } = milestones.cloned().unwrap_or_default();
    sql::facts { tag, titles: json!(titles).to_string(), ids: json!(ids).to_string() }.prepare()
}

#[derive(Default)]
pub struct Draft {
    pub tag: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub released_at: Option<i64>,
    pub milestones: Option<Milestones>,
    pub links: Vec<NewLink>,
}

impl Draft {
    pub fn query(&self) -> PreparedQuery<Facts> {
        facts(&self.tag, self.milestones.as_ref())
    }

    pub async fn create(self, call: &Call<'_>, entry: &Entry, facts: Facts) -> Result<ReleaseRow> {
        let taken = || Error::Refused(409, "Release already exists".to_owned());
        if facts.release_id.is_some() {
            return Err(taken());
        }
        let ids = self.milestones.as_ref().map(|named| named.found(&facts)).transpose()?;
        let sha = sha_of(call, entry, &self.tag, facts.sha).await?;
        link::check_all(&self.links)?;
        let (project_id, author_id) = (entry.resource.id, entry.caller()?.user.id);
        let tag = self.tag.as_str();
        let create = sql::create {
            project_id,
            tag,
            name: self.name.as_deref().filter(|name| *name != tag),
            description: self.description.as_deref(),
            sha: sha.as_str(),
            author_id,
            now: call.now,
            released_at: self.released_at.unwrap_or(call.now),
        };
        let links = json!(self.links).to_string();
        let links = (!self.links.is_empty()).then_some(sql::add_links { project_id, tag, links });
        let milestones = ids.map(|ids| sql::add_milestones { project_id, tag, ids });
        let event = events::release(call, entry, tag, "create")?;
        let batch = (create, links, milestones, event, sql::written { project_id, tag });
        match call.write(batch).await {
            Err(failure) if failure.is_duplicate() => Err(taken()),
            Err(failure) => Err(failure.into()),
            Ok((.., row)) => row.ok_or_else(absent),
        }
    }
}

/// The commit of the tag. Waits for it, because clients push the tag only seconds before.
async fn sha_of(call: &Call<'_>, entry: &Entry, tag: &str, known: Option<String>) -> Result<String> {
    let mut known = known;
    for _ in 0..LOOKS {
        if let Some(sha) = known {
            return Ok(sha);
        }
        call.store.pause(PAUSE).await;
        known = call.store.ask(sql::tip_of_tag { project_id: entry.resource.id, tag }).await?;
    }
    let text = format!("Tag {tag} is not in the mirror: push it to the git host first");
    known.ok_or(Error::Refused(422, text))
}

/// The changes of a release. None keeps a value, an empty text removes it.
#[derive(Debug, Default)]
pub struct Change {
    pub name: Option<String>,
    pub description: Option<String>,
    pub released_at: Option<i64>,
    pub milestones: Option<Milestones>,
}

impl Change {
    /// What decides about the change, and the release.
    pub fn query(&self, tag: &str) -> PreparedQuery<(Facts, Option<ReleaseRow>)> {
        (facts(tag, self.milestones.as_ref()), sql::one { tag }).prepare()
    }

    /// Whether the release has these values.
    fn is_of(&self, row: &ReleaseRow, facts: &Facts) -> bool {
        let has = |text: &Option<String>, stored: &Option<String>| {
            let Some(text) = text else { return true };
            Some(text.as_str()).filter(|text| !text.trim().is_empty()) == stored.as_deref()
        };
        let milestones = |ids: BTreeSet<i64>| ids == row.milestones.iter().map(|of| of.row.id).gather();
        (has(&self.name, &row.name) || row.name.is_none() && self.name.as_ref() == Some(&row.tag))
            && has(&self.description, &row.description)
            && self.released_at.is_none_or(|at| at == row.released_at)
            && (self.milestones.is_none() || milestones(facts.milestones.iter().map(|of| of.id).gather()))
    }

    /// A change that changes nothing writes nothing.
    pub async fn write(
        self,
        call: &Call<'_>,
        entry: &Entry,
        facts: Facts,
        row: Option<ReleaseRow>,
    ) -> Result<ReleaseRow> {
        let (id, row) = facts.release_id.zip(row).ok_or_else(absent)?;
        let ids = self.milestones.as_ref().map(|named| named.found(&facts)).transpose()?;
        if self.is_of(&row, &facts) {
            return Ok(row);
        }
        let tag = row.tag.as_str();
        let is_blank = |text: &Option<String>| text.as_ref().is_some_and(|text| text.trim().is_empty());
        let update = sql::update {
            id,
            project_id: entry.resource.id,
            clears_name: is_blank(&self.name) || self.name.as_deref() == Some(tag),
            name: self.name.as_deref(),
            clears_description: is_blank(&self.description),
            description: self.description.as_deref(),
            released_at: self.released_at,
            now: call.now,
        };
        let project_id = entry.resource.id;
        let milestones =
            ids.map(|ids| (sql::remove_milestones { id, project_id }, sql::add_milestones { project_id, tag, ids }));
        let event = events::release(call, entry, tag, "update")?;
        let (.., row) = call.write((update, milestones, event, sql::written { project_id, tag })).await?;
        row.ok_or_else(absent)
    }
}

/// Removes a release and its links.
pub async fn remove(call: &Call<'_>, entry: &Entry, tag: &str, facts: Facts) -> Result<()> {
    let id = facts.existing()?;
    call.expect_unmodified(facts.updated_at.unwrap_or_default())?;
    let project_id = entry.resource.id;
    call.write((
        events::release(call, entry, tag, "delete")?,
        sql::remove_links { id, project_id },
        sql::remove_milestones { id, project_id },
        sql::remove { id, project_id },
    ))
    .await?;
    Ok(())
}
