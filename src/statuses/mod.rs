//! Commit statuses (specification, "Commits"; contract B 4.4).

pub mod entity;
pub mod sql;

use crate::Profile;
use crate::call::Call;
use crate::error::{Error, Faults, Result};
use crate::http::Reply;
use crate::page::Total;
use crate::policy::Action;
use entity::Status;
use serde::Deserialize;
use sql::{Key, Listed, Outcome, Post, Target};

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

/// The values of `state`.
const STATES: [&str; 5] = ["pending", "running", "success", "failed", "canceled"];

/// POST /projects/:id/statuses/:sha
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.creation::<NewStatus>();
    let question = input.as_ref().map(|_| sql::target(sha)).map_err(Error::clone);
    let entered = call.enter(id, Action::PostStatus, question).await?;
    let new = input?;
    let target: Target = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
    if !STATES.contains(&new.state.as_str()) {
        return Err(Error::message("invalid state"));
    }
    let mut faults = Faults::default();
    for (field, text) in [("name", &new.name), ("context", &new.context), ("ref", &new.git_ref)] {
        faults.check_length(field, text.as_deref(), 255);
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
        state: new.state,
        target_url: new.target_url,
        description: new.description,
        coverage: new.coverage,
        repeat_is_refused: call.config.profile == Profile::Gitlab,
        now: call.now,
    };
    match sql::post(&call.store, &post).await? {
        Outcome::Stored(row) => {
            Ok(Reply::json(201, &Status::new(row, target.sha, entered.caller.user, &entered.links)))
        }
        Outcome::Refused(stored) => Err(Error::message(refusal(&post.state, &stored))),
    }
}

/// Clients know these texts by heart.
fn refusal(posted: &str, stored: &str) -> String {
    let event = if posted == "pending" { "enqueue" } else { "run" };
    format!(
        "Cannot transition status via :{event} from :{stored} (Reason(s): Status cannot transition via \"{event}\")"
    )
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
    let shown = |(row, author)| Status::new(row, listed.sha.clone(), author, &entered.links);
    let statuses: Vec<Status> = listed.statuses.into_iter().map(shown).collect();
    call.listing(&page, Total::Known(listed.total), &[("id", id), ("sha", sha)], None, &statuses)
}
