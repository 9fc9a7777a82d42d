//! Commit statuses (specification, "Commits"; contract B 4.4).

pub mod entity;
pub mod posts;
pub mod sql;

use crate::Profile;
use crate::call::Call;
use crate::error::{Error, Faults, Result};
use crate::http::Reply;
use crate::page::Total;
use crate::policy::Action;
use crate::settings::forms::is_web_link;
use entity::Status;
use posts::{Key, Outcome, Post};
use serde::Deserialize;
use sql::{Listed, Target};

/// Parameters of `POST /projects/:id/statuses/:sha`.
#[derive(Debug, Deserialize)]
pub struct NewStatus {
    pub state: String,
    #[serde(rename = "ref")]
    pub git_ref: Option<String>,
    pub name: Option<String>,
    pub context: Option<String>,
    pub target_url: Option<String>,
    pub description: Option<String>,
    pub coverage: Option<f64>,
}

/// The values of `state`. What was skipped is stored and shown as canceled: v3 has no word for it.
const STATES: [&str; 6] = ["pending", "running", "success", "failed", "canceled", "skipped"];

/// Characters: a page of a hundred statuses still fits an answer.
const LONGEST_TEXT: usize = 16_384;

/// POST /projects/:id/statuses/:sha
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.creation::<NewStatus>();
    let question = input.as_ref().map(|_| sql::target(sha)).map_err(Error::clone);
    let entered = call.enter(id, Action::PostStatus, question).await?;
    let new = input?;
    let target: Target = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    if !STATES.contains(&new.state.as_str()) {
        return Err(Error::message(format!("invalid state: it is none of {}", STATES.join(", "))));
    }
    let mut faults = Faults::default();
    for (field, text) in [("name", &new.name), ("context", &new.context), ("ref", &new.git_ref)] {
        faults.check_length(field, text.as_deref(), 255);
    }
    for (field, text) in [("target_url", &new.target_url), ("description", &new.description)] {
        faults.check_length(field, text.as_deref(), LONGEST_TEXT);
    }
    if new.target_url.as_deref().is_some_and(|url| !url.is_empty() && !is_web_link(url)) {
        faults.add("target_url", "must be a valid URL");
    }
    faults.result()?;
    let key = Key {
        project_id: entered.place.id,
        commit_id: target.commit_id,
        git_ref: new.git_ref.or(target.branch).unwrap_or_default(),
        name: new.name.or(new.context).unwrap_or_else(|| "default".to_owned()),
        user_id: entered.caller.user.id,
    };
    let post = Post {
        key,
        state: Some(if new.state == "skipped" { "canceled".to_owned() } else { new.state }),
        target_url: new.target_url,
        description: new.description,
        coverage: new.coverage,
        stage: None,
        tag: None,
        repeat_is_refused: call.config.profile == Profile::Gitlab,
        now: call.now,
    };
    match posts::store(&call.store, &post).await? {
        Outcome::Stored(row) => {
            Ok(Reply::json(201, &Status::new(row, target.sha, entered.caller.user, &entered.links)))
        }
        Outcome::Refused(stored) => Err(refusal(post.state.as_deref(), &stored)),
    }
}

/// Clients know these texts by heart.
pub fn refusal(posted: Option<&str>, stored: &str) -> Error {
    let event = if posted == Some("running") { "run" } else { "enqueue" };
    Error::message(format!(
        "Cannot transition status via :{event} from :{stored} (Reason(s): Status cannot transition via \"{event}\")"
    ))
}

/// Parameters of `GET /projects/:id/repository/commits/:sha/statuses`.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
pub struct ListStatuses {
    pub ref_name: Option<String>,
    #[serde(rename = "ref")]
    pub git_ref: Option<String>,
    pub stage: Option<String>,
    pub name: Option<String>,
    pub all: bool,
}

/// GET /projects/:id/repository/commits/:sha/statuses
pub async fn list(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.query::<ListStatuses>(&[]).and_then(|filter| Ok((filter, call.page()?)));
    let any_ref = call.config.profile == Profile::Gitlab;
    let question = input.as_ref().map(|(filter, page)| sql::list(sha, filter, any_ref, page));
    let entered = call.enter(id, Action::ReadStatuses, question.map_err(Error::clone)).await?;
    let (_, page) = input?;
    let listed = Listed::from(&entered.rows)?.ok_or_else(|| Error::missing("Commit"))?;
    // the next page begins behind this one's last id
    let cursor = listed.statuses.last().and_then(|(row, _)| page.next([row.id.into()]));
    let shown = |(row, author)| Status::new(row, listed.sha.clone(), author, &entered.links);
    let statuses: Vec<Status> = listed.statuses.into_iter().map(shown).collect();
    call.listing(&page, Total::Known(listed.total), &[("id", id), ("sha", sha)], cursor, &statuses)
}
