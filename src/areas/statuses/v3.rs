use super::{Filter, LONGEST_TEXT, ListedStatus, NewStatus, STATES, Status};
use crate::areas::users::entity::BriefUser;
use crate::kernel::{Call, Error, Links, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Extra {
    author: BriefUser,
}

fn shown(listed: ListedStatus, links: &Links) -> Status<Extra> {
    let ListedStatus { status: row, sha, author, .. } = listed;
    let git_ref = Some(row.git_ref.clone()).filter(|name| !name.is_empty());
    let state = row.state.clone();
    Status::new(row, sha, git_ref, state, Extra { author: BriefUser::new(author, links) })
}

pub async fn create(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let validate = |new: &NewStatus<String>| {
        if !STATES.contains(&new.state.as_str()) {
            return Err(Error::message(format!("invalid state: it is none of {}", STATES.join(", "))));
        }
        new.check_texts(LONGEST_TEXT, "must be a valid URL")
    };
    super::post(call, sha, call.creation().map(|new| (new, None)), validate, shown).await
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct List {
    ref_name: Option<String>,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    stage: Option<String>,
    name: Option<String>,
    all: bool,
}

pub async fn list(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let filter = call.filters::<List>().map(|List { ref_name, git_ref, stage, name, all }| {
        let git_ref = ref_name.or(git_ref);
        Filter { git_ref, stage, name, pipeline_id: None, all, descends: false }
    });
    super::list(call, sha, &[("id", &call.named()), ("sha", sha)], filter, shown).await
}
