//! Commit statuses (specification, "Commits"; behaviour 8).

mod creation;
pub mod entity;
pub mod posts;
pub mod sql;
pub mod v4;

use crate::call::write::Written;
use crate::call::{Call, Entered, Links};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::person::UserRow;
use crate::policy::Action;
use crate::settings::forms::is_web_link;
use creation::{Before, Draft, Posted};
use entity::Status;
use serde::{Deserialize, Serialize};
use sql::{Listed, StatusRow};

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
const STATES: [&str; 6] = ["pending", "running", "success", "failed", "canceled", SKIPPED];

/// It is stored as canceled, beside the word that it was skipped: v3 has no name for it.
const SKIPPED: &str = "skipped";

/// Characters: a page of a hundred statuses still fits an answer.
const LONGEST_TEXT: usize = 16_384;

impl NewStatus {
    fn check(&self) -> Result<()> {
        if !STATES.contains(&self.state.as_str()) {
            return Err(Error::message(format!("invalid state: it is none of {}", STATES.join(", "))));
        }
        self.check_texts(LONGEST_TEXT, "must be a valid URL")
    }

    /// `longest_url`: characters; `no_link`: what is said of an address that is no web link.
    fn check_texts(&self, longest_url: usize, no_link: &str) -> Result<()> {
        let mut errors = ValidationErrors::default();
        errors.check_length("ref", self.git_ref.as_deref(), 255);
        errors.check_length("description", self.description.as_deref(), LONGEST_TEXT);
        errors.check_length("target_url", self.target_url.as_deref(), longest_url);
        if self.target_url.as_deref().is_some_and(|url| !url.is_empty() && !is_web_link(url)) {
            errors.add("target_url", no_link);
        }
        errors.result()
    }

    /// As it is stored.
    fn stored_state(&self) -> &str {
        if self.state == SKIPPED { "canceled" } else { &self.state }
    }
}

/// POST /projects/:id/statuses/:sha
pub async fn create(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.creation::<NewStatus>();
    // what is wrong with it is told after the commit is found
    let judged = input.as_ref().map_err(Error::clone).and_then(NewStatus::check);
    let (written, hint) = post(call, id, sha, input, judged).await?;
    Ok(hinted(written.reply(201, Posted::shown), hint))
}

/// Stores a status, and says whether its ref is unknown. `judged`: what is wrong with the input.
async fn post(
    call: &Call<'_>,
    id: &str,
    sha: &str,
    input: Result<NewStatus>,
    judged: Result<()>,
) -> Result<(Written<Posted>, bool)> {
    let key = judged.and(call.idempotency_key());
    let (repeat_is_refused, base) = (call.dialect.refuses_repeated_state(), call.links(false).base);
    let plan = input.as_ref().map_err(Error::clone).map(|new| {
        let draft = Draft { sha, new, repeat_is_refused, base: &base };
        key.as_ref().map_or_else(|_| draft.query(), |key| draft.plan(key.clone()))
    });
    let mut ref_is_unknown = false;
    let check = |entered: &mut Entered| {
        let before: Before = entered.rows.first()?.ok_or_else(|| Error::missing("Commit"))?;
        key?;
        ref_is_unknown = before.ref_is_unknown;
        let state = input.as_ref().ok().map(NewStatus::stored_state);
        before.refused.map_or(Ok(()), |stored| Err(refusal(state, &stored)))
    };
    let written = call.write(id, Action::PostStatus, plan, check).await?;
    Ok((written, ref_is_unknown))
}

/// A misspelt ref hides the status from most lists.
fn hinted(reply: Reply, ref_is_unknown: bool) -> Reply {
    if ref_is_unknown {
        reply.with("X-Hint", "ref is the name of no branch or tag of this project")
    } else {
        reply
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
    /// Not a parameter of v3: whether the last id comes first.
    #[serde(skip)]
    pub descends: bool,
}

/// GET /projects/:id/repository/commits/:sha/statuses
pub async fn list(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let path = [("id", id), ("sha", sha)];
    answer(call, (id, sha), &path, call.filters(), Status::new).await
}

/// A list as either API shows it. `path`: what its links repeat.
async fn answer<T: Serialize>(
    call: &Call<'_>,
    (id, sha): (&str, &str),
    path: &[(&str, &str)],
    filter: Result<ListStatuses>,
    shown: impl Fn(StatusRow, String, UserRow, &Links) -> T,
) -> Result<Reply> {
    let input = filter.and_then(|filter| Ok((filter, call.page()?)));
    let any_ref = call.dialect.lists_statuses_of_all_refs();
    let ((filter, page), entered) = call
        .enter_with(id, Action::ReadStatuses, input, |(filter, page)| sql::list(sha, filter, any_ref, page))
        .await?;
    let mut listed = Listed::from(&entered.rows)?.ok_or_else(|| Error::missing("Commit"))?;
    if let (Some(_), Some(_), Some(count)) = (&filter.name, &filter.stage, listed.total) {
        call.store.note_counted(count.unsigned_abs());
    }
    let total = page.cut_counted(&mut listed.statuses, listed.total);
    // the next page begins behind this one's last id
    let cursor = listed.statuses.last().and_then(|(row, _)| page.next([row.id.into()]));
    let shown = |(row, author)| shown(row, listed.sha.clone(), author, &entered.links);
    let statuses: Vec<T> = listed.statuses.into_iter().map(shown).collect();
    call.listing(&page, total, path, cursor, &statuses)
}
