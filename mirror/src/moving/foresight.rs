//! What a dry run asks the server, so that it refuses what the import would refuse.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use edgeforge_wire::Commits;
use serde_json::Value;

use super::api::{Api, Refusal};
use super::common::PAGE;
use super::fields::{millis, number, text};
use super::records::Record;
use crate::error::Result;

/// A list of the project, and the field by which its records are known.
type List = (&'static str, &'static str);

const ISSUES: List = ("/issues?scope=all&state=all&order_by=created_at&sort=asc&pagination=keyset&", "iid");
const TITLES: List = ("/milestones?state=all&", "title");
const NUMBERS: List = ("/milestones?state=all&", "iid");
const TAGS: List = ("/repository/tags?", "name");
/// In pages of 4,000.
const COMMITS: List = ("/mirror/commits?after=", "id");

/// When the records of a list were made, by their names.
type Made = HashMap<String, Option<i64>>;

pub struct Foresight<'a> {
    api: &'a Api<'a>,
    /// Its path below the API. None: the import would make it, and it has nothing.
    project: Option<String>,
    /// Each is read when a record needs it.
    lists: HashMap<List, Made>,
    /// Numbers of issues that are refused, and why what hangs on them is.
    issues: HashMap<String, String>,
    /// Titles of milestones that are refused.
    milestones: HashSet<String>,
}

impl<'a> Foresight<'a> {
    pub fn new(api: &'a Api<'a>, project: Option<String>) -> Foresight<'a> {
        Foresight { api, project, lists: HashMap::new(), issues: HashMap::new(), milestones: HashSet::new() }
    }

    /// Why the import would refuse a record. What an import brought has the time of the record.
    pub fn refusal(&mut self, record: &Record) -> Result<Option<String>> {
        let of = &record.body;
        let is_other = |made: &Option<i64>| *made != number(of, "at");
        let lacks = |all: &Made, field, why: &str| (!all.contains_key(&name(of, field))).then(|| why.to_owned());
        Ok(match record.kind {
            "issue" => {
                let iid = name(of, "iid");
                let (why, hanging) = if self.list(ISSUES)?.get(&iid).is_some_and(is_other) {
                    let why = format!("{iid} is an issue that was made here");
                    (why.clone(), why)
                } else if self.milestones.contains(&name(of, "milestone")) {
                    ("milestone: there is none of this title".to_owned(), format!("issue: there is no issue {iid}"))
                } else {
                    return Ok(None);
                };
                self.issues.insert(iid, hanging);
                Some(why)
            }
            "note" | "event" | "award" | "link" => {
                ["issue", "target"].iter().find_map(|field| self.issues.get(&name(of, field))).cloned()
            }
            "milestone" => {
                let last = self.list(NUMBERS)?.keys().filter_map(|iid| iid.parse().ok()).max().unwrap_or(0);
                let iid = number(of, "iid").filter(|iid| *iid <= last);
                match self.list(TITLES)?.get(&name(of, "title")) {
                    Some(made) if is_other(made) => Some("title: has already been taken".to_owned()),
                    Some(_) => None,
                    None => iid.map(|iid| {
                        self.milestones.insert(name(of, "title"));
                        format!("iid: {iid} is not above {last}, the last number")
                    }),
                }
            }
            "release" => lacks(self.list(TAGS)?, "tag", "tag: it is not indexed"),
            "deployment" | "status" | "comment" => lacks(self.list(COMMITS)?, "sha", "sha: the commit is not indexed"),
            _ => None,
        })
    }

    fn list(&mut self, list: List) -> Result<&Made> {
        let place = match self.lists.entry(list) {
            Entry::Occupied(known) => return Ok(known.into_mut()),
            Entry::Vacant(place) => place,
        };
        let (query, field) = list;
        let Some(path) = self.project.as_ref().map(|project| format!("{project}{query}")) else {
            return Ok(place.insert(Made::new()));
        };
        if list == COMMITS {
            return Ok(place.insert(commits(self.api, &path)?));
        }
        let mut found = Made::new();
        let read = self.api.list(&format!("{path}{PAGE}"), |of| {
            found.insert(name(&of, field), millis(&of, "created_at"));
            Ok(())
        })?;
        match read {
            // issues or the repository are disabled
            Ok(_) | Err(Refusal(403 | 404, _)) => Ok(place.insert(found)),
            Err(refusal) => Err(self.api.refused(&path, &refusal)),
        }
    }
}

fn commits(api: &Api<'_>, path: &str) -> Result<Made> {
    let (mut found, mut after) = (Made::new(), Some(String::new()));
    while let Some(hash) = after {
        let page: Commits = serde_json::from_value(api.needed(&format!("{path}{hash}"))?).unwrap_or_default();
        found.extend(page.commits.into_iter().map(|commit| (commit.id, None)));
        after = page.next.filter(|next| *next > hash);
    }
    Ok(found)
}

/// A text or a number.
fn name(of: &Value, field: &str) -> String {
    text(of, field).map_or_else(|| number(of, field).unwrap_or_default().to_string(), str::to_owned)
}
