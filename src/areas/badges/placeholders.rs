//! `%{project_path}` and its like in the addresses of badges.

use crate::kernel::answers::page_address::in_path;
use crate::kernel::policy;
use crate::kernel::{Action, Entry, PreparedQuery, Query, Row};

edgeforge_row::statements!(mod sql: "src/areas/badges/placeholders.sql");

/// A row of the statement `facts`.
#[derive(Debug, Row)]
pub struct Facts {
    title: String,
    path: String,
    /// The last commit of the default branch. None if there is none, or the caller may not read commits.
    sha: Option<String>,
    tag: Option<String>,
}

pub fn query() -> PreparedQuery<Facts> {
    let (member, anyone) = policy::least(Action::ReadCommits);
    // greater than any visibility, so only members may
    let anyone = anyone.map_or(i64::MAX, policy::Visibility::level);
    let scopes = policy::scopes(Action::ReadCommits, true);
    sql::facts { member: member.level(), anyone, scopes }.prepare()
}

impl Facts {
    /// None if there is no such placeholder.
    fn value(&self, name: &str, entry: &Entry) -> Option<String> {
        let resource = &entry.resource;
        let namespace = || resource.full_path.strip_suffix(&self.path)?.strip_suffix('/');
        let server = entry.links.base.split("://").nth(1).and_then(|rest| rest.split('/').next());
        Some(match name {
            "project_path" => resource.full_path.clone(),
            "project_title" => self.title.clone(),
            "project_name" => self.path.clone(),
            "project_id" => resource.id.to_string(),
            "project_namespace" => namespace().unwrap_or_default().to_owned(),
            "default_branch" => resource.default_branch.clone().unwrap_or_default(),
            "commit_sha" => self.sha.clone().unwrap_or_default(),
            "latest_tag" => self.tag.clone().unwrap_or_default(),
            "gitlab_server" => server.unwrap_or_default().to_owned(),
            _ => return None,
        })
    }

    /// The address with the values of its placeholders. Other texts in `%{..}` stay.
    pub fn fill(&self, address: &str, entry: &Entry) -> String {
        let mut pieces = address.split("%{");
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let known = piece.split_once('}').and_then(|(name, rest)| Some((self.value(name, entry)?, rest)));
            match known {
                Some((value, rest)) => {
                    filled.push_str(&in_path(&value));
                    filled.push_str(rest);
                }
                None => {
                    filled.push_str("%{");
                    filled.push_str(piece);
                }
            }
        }
        filled
    }
}
