//! What differs between the mirror and the server, and the changes that mend it.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::git::Repository;
use crate::log::Range;
use crate::refs::{self, Refs};
use crate::server::{RefChange, Remote, RemoteRef};

/// The way from the server's refs to the mirror's.
#[derive(Debug)]
pub struct Plan {
    /// The mirror's default branch, and the server's.
    pub default_branch: Option<String>,
    pub old_default_branch: Option<String>,
    /// The default branch first, deletions last.
    pub changes: Vec<RefChange>,
    /// Commits of the server's refs that the mirror has too.
    pub known: BTreeSet<String>,
}

impl Plan {
    /// Compares the two.
    pub fn new(repository: &Repository, local: Refs, remote: &Remote) -> Result<Plan> {
        let known = refs::known(repository, &remote.commits())?;
        let mut there: BTreeMap<&str, &RemoteRef> =
            remote.refs.iter().map(|remote| (remote.name.as_str(), remote)).collect();
        let mut changes = Vec::new();
        for (name, tip) in local.tips {
            let (tag_sha, message) = tip.tag.unzip();
            let old = there.remove(name.as_str());
            if old.is_some_and(|old| old.sha == tip.commit && old.tag_sha == tag_sha) {
                continue;
            }
            let old = old.map(|old| old.sha.as_str());
            let forced = match old {
                None => false,
                Some(old) => !known.contains(old) || !refs::descends(repository, old, &tip.commit)?,
            };
            let (old, new) = (old.map(str::to_owned), Some(tip.commit));
            changes.push(RefChange { name, old, new, tag_sha, message, forced });
        }
        changes.extend(there.into_iter().map(|(name, old)| RefChange {
            name: name.to_owned(),
            old: Some(old.sha.clone()),
            new: None,
            tag_sha: None,
            message: None,
            forced: false,
        }));
        let first = local.default_branch.as_ref().map(|branch| format!("refs/heads/{branch}"));
        changes.sort_by_key(|change| (change.new.is_none(), Some(&change.name) != first.as_ref()));
        Ok(Plan {
            default_branch: local.default_branch,
            old_default_branch: remote.default_branch.clone(),
            changes,
            known,
        })
    }

    /// Is the server as the mirror is?
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.default_branch == self.old_default_branch
    }

    /// The commits that the changes lead to.
    pub fn tips(&self) -> BTreeSet<&str> {
        self.changes.iter().filter_map(|change| change.new.as_deref()).collect()
    }

    /// How many commits the server lacks.
    pub fn missing(&self, repository: &Repository) -> Result<u64> {
        Range::Missing { tips: &self.tips(), known: &self.known }.count(repository)
    }

    /// One line for each difference.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.changes.iter().map(line).collect();
        if self.default_branch != self.old_default_branch {
            let name = |branch: &Option<String>| branch.clone().unwrap_or_else(|| "(none)".to_owned());
            let (old, new) = (name(&self.old_default_branch), name(&self.default_branch));
            lines.push(format!("! default branch {old} -> {new}"));
        }
        lines
    }
}

fn line(change: &RefChange) -> String {
    let short = |hash: &str| hash.get(..8).unwrap_or(hash).to_owned();
    let name = &change.name;
    match (&change.old, &change.new) {
        (Some(old), Some(new)) if old == new => format!("* {name} {} (another tag)", short(new)),
        (Some(old), Some(new)) => {
            let (mark, word) = if change.forced { ('!', " (forced)") } else { ('*', "") };
            format!("{mark} {name} {} -> {}{word}", short(old), short(new))
        }
        (None, Some(new)) => format!("+ {name} {}", short(new)),
        (Some(old), None) => format!("- {name} {}", short(old)),
        (None, None) => format!("  {name}"),
    }
}
