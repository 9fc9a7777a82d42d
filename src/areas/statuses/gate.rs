//! Whether a commit may be deployed: whether the newest statuses of its checks are green (behaviour 8.5).

use crate::kernel::params::Param;
use crate::kernel::store::Reading;
use crate::kernel::{Call, Error, Parameters, PreparedQuery, Query, Reply, Result, Row};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;

edgeforge_row::statements!(mod sql: "src/areas/statuses/gate.sql");

#[derive(Row)]
struct GateRow {
    sha: String,
    is_small: bool,
}

/// No address and no description, because tokens that only deploy read this.
#[derive(Row, Serialize)]
struct Check {
    name: String,
    /// None if the status of this name is missing, and any ref would do.
    #[serde(rename = "ref")]
    git_ref: Option<String>,
    state: String,
    job_id: Option<i64>,
    /// The state of a gate with this check alone.
    #[serde(skip)]
    gate: String,
}

#[derive(Serialize)]
struct Gate {
    sha: String,
    state: String,
    checks: Vec<Check>,
}

#[derive(Parameters, Default)]
#[param(default)]
struct GateParams {
    names: Option<BTreeSet<String>>,
    except: BTreeSet<String>,
    #[param(rename = "ref")]
    git_ref: Option<String>,
    user_id: Option<BTreeSet<i64>>,
    allow_skipped: bool,
}

const MOST_NAMES: usize = 50;

impl GateParams {
    /// A value that a script has lost would otherwise open the gate too wide.
    fn checked(self, call: &Call<'_>) -> Result<GateParams> {
        let is_lost = |param: &Param| match param {
            Param::List(items) => items.is_empty() || items.iter().any(Param::is_blank),
            Param::Text(text) => text.split(',').all(|part| part.trim().is_empty()),
            other => other.is_blank(),
        };
        let sent = call.params()?.sent();
        let lost = ["names", "except", "user_id", "ref"].into_iter().find(|name| sent.get(*name).is_some_and(is_lost));
        let lengths = [self.names.as_ref().map_or(0, BTreeSet::len), self.except.len()];
        Err(Error::framework(match lost {
            Some(name) => format!("{name} is empty"),
            None if lengths.iter().any(|length| *length > MOST_NAMES) => {
                format!("names and except have at most {MOST_NAMES} names each")
            }
            None if !lengths.contains(&0) => "names, except are mutually exclusive".to_owned(),
            None => return Ok(self),
        }))
    }

    fn query(&self, sha: &str) -> (PreparedQuery<Option<GateRow>>, PreparedQuery<Vec<Check>>) {
        let list = |names: &BTreeSet<String>| json!(names).to_string();
        let (names, ref_name) = (self.names.as_ref().map(list), self.git_ref.clone());
        let user_ids = self.user_id.as_ref().map(|ids| json!(ids).to_string());
        let allow_skipped = self.allow_skipped;
        let commit = sql::commit { sha, names: names.clone(), ref_name: ref_name.clone() }.prepare();
        let checks = if names.is_some() {
            sql::named_checks { sha, names, ref_name, user_ids, allow_skipped }.prepare()
        } else {
            sql::all_checks { sha, names, except: list(&self.except), ref_name, user_ids, allow_skipped }.prepare()
        };
        (commit, checks)
    }
}

/// 200 if it is green, and else 409, so that a client that looks at the status alone deploys nothing by mistake.
pub async fn show(call: &Call<'_>, sha: &str) -> Result<Reply> {
    // a replica may not know of a failure yet
    call.store.turn_to(Reading::Primary);
    let input = call.filters::<GateParams>().and_then(|params| params.checked(call));
    let (params, _, (commit, checks)) = call.authorize_with(input, |params| params.query(sha)).await?;
    let GateRow { sha, is_small } = commit.ok_or_else(|| Error::missing("Commit"))?;
    if !is_small {
        let less = if params.git_ref.is_none() { "ref" } else { "names" };
        return Err(Error::unprocessable(format!("more than 5000 statuses: give {less}")));
    }
    // the worst comes first
    let state = checks.first().map_or("pending".to_owned(), |check| check.gate.clone());
    let is_pending = state == "pending";
    let reply = Reply::json(if state == "success" { 200 } else { 409 }, &Gate { sha, state, checks });
    Ok(if is_pending { reply.with("Retry-After", "10") } else { reply })
}
