use std::collections::{BTreeMap, BTreeSet};

use crate::bases::bases;
use crate::contents::State;
use crate::error::Result;
use crate::git::Repository;
use crate::log::Range;
use crate::refs::{self, Refs};
use crate::text::count;
use edgeforge_wire::contents::Extent;
use edgeforge_wire::{Change, Mirror, Ref};

/// The most merge bases whose files are sent: the newest ones.
const MOST_BASES: usize = 500;

/// The differences between the server's refs and the repository's.
#[derive(Debug)]
pub struct Plan {
    pub default_branch: Option<String>,
    pub old_default_branch: Option<String>,
    /// The default branch comes first. Deletions come last.
    pub changes: Vec<Change>,
    /// Commits of the server's refs that the repository contains.
    pub known: BTreeSet<String>,
    /// Commits that the server asks for again, because their diffs were removed.
    pub again: Vec<String>,
    /// The server is still assigning commits to branches.
    pub pending: bool,
    /// The server has refs, and the repository has no refs or none of the server's commits.
    pub is_another: bool,
    /// Trees and files.
    pub contents: State,
}

impl Plan {
    /// Refs in `excluded` keep their value on the server. `messages`: whether `remote` has the messages of tags.
    /// `extent`: the trees and files to send.
    pub fn new(
        repository: &Repository,
        local: Refs,
        remote: &Mirror,
        excluded: &BTreeSet<String>,
        messages: bool,
        extent: Extent,
    ) -> Result<Plan> {
        let on_server: BTreeSet<&str> = remote.refs.iter().map(|remote| remote.sha.as_str()).collect();
        let known = refs::known(repository, &on_server)?;
        let forgotten = remote.forgotten.iter().map(String::as_str).collect();
        let again = refs::known(repository, &forgotten)?.into_iter().collect();
        let is_another = !remote.refs.is_empty() && (local.tips.is_empty() || known.is_empty());
        let mut on_server: BTreeMap<&str, &Ref> =
            remote.refs.iter().map(|remote| (remote.name.as_str(), remote)).collect();
        let mut changes = Vec::new();
        for (name, tip) in local.tips {
            let (tag_sha, message) = tip.tag.unzip();
            let old = on_server.remove(name.as_str());
            let is_same =
                |old: &Ref| old.sha == tip.commit && old.tag_sha == tag_sha && (!messages || old.message == message);
            if excluded.contains(&name) || old.is_some_and(is_same) {
                continue;
            }
            let (old, new) = (old.map(|old| old.sha.clone()), Some(tip.commit));
            changes.push(Change { name, old, new, tag_sha, message, inner_tags: tip.inner_tags, commits: None });
        }
        let gone = on_server.into_iter().filter(|(name, _)| !excluded.contains(*name) && !local.broken.contains(*name));
        changes.extend(gone.map(|(name, old)| Change {
            name: name.to_owned(),
            old: Some(old.sha.clone()),
            ..Change::default()
        }));
        let first = local.default_branch.as_ref().map(|branch| format!("refs/heads/{branch}"));
        let contents = contents(repository, remote, &changes, extent, first.as_deref())?;
        changes.sort_by_key(|change| (change.new.is_none(), Some(&change.name) != first.as_ref()));
        Ok(Plan {
            default_branch: local.default_branch,
            old_default_branch: remote.default_branch.clone(),
            changes,
            known,
            again,
            pending: remote.pending,
            is_another,
            contents,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.contents.is_settled()
            && self.changes.is_empty()
            && self.again.is_empty()
            && !self.pending
            && !self.has_new_default()
    }

    fn has_new_default(&self) -> bool {
        self.default_branch != self.old_default_branch
    }

    pub fn deleted(&self) -> usize {
        self.changes.iter().filter(|change| change.new.is_none()).count()
    }

    pub fn tips(&self) -> BTreeSet<&str> {
        self.changes.iter().filter_map(|change| change.new.as_deref()).collect()
    }

    pub fn missing(&self, repository: &Repository) -> Result<u64> {
        let tips = self.tips();
        let missing = match tips.is_empty() {
            true => 0,
            false => Range::Missing { tips: &tips, known: &self.known }.count(repository)?,
        };
        Ok(missing + self.again.len() as u64)
    }

    pub fn lines(&self, repository: &Repository) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for change in &self.changes {
            lines.push(self.line(repository, change)?);
        }
        if self.has_new_default() {
            let name = |branch: &Option<String>| branch.clone().unwrap_or_else(|| "(none)".to_owned());
            let (old, new) = (name(&self.old_default_branch), name(&self.default_branch));
            lines.push(format!("! default branch {old} -> {new}"));
        }
        let lacking = self.contents.lacking().len();
        if lacking > 0 {
            lines.push(format!("* trees and files of {} to send", count(lacking as u64, "commit")));
        }
        if self.pending {
            lines.push("* the server is still assigning commits to branches".to_owned());
        }
        Ok(lines)
    }

    fn line(&self, repository: &Repository, change: &Change) -> Result<String> {
        let short = |hash: &str| hash.get(..8).unwrap_or(hash).to_owned();
        let name = &change.name;
        Ok(match (&change.old, &change.new) {
            (Some(old), Some(new)) if old == new => format!("* {name} {} (different tag)", short(new)),
            (Some(old), Some(new)) => {
                let grew = self.known.contains(old) && refs::descends(repository, old, new)?;
                let (mark, word) = if grew { ('*', "") } else { ('!', " (forced)") };
                format!("{mark} {name} {} -> {}{word}", short(old), short(new))
            }
            (None, Some(new)) => format!("+ {name} {}", short(new)),
            (Some(old), None) => format!("- {name} {}", short(old)),
            (None, None) => format!("  {name}"),
        })
    }
}

/// The server's refs after the changes, and what it has of their commits. `first`: the name of the default branch.
fn contents(
    repository: &Repository,
    remote: &Mirror,
    changes: &[Change],
    extent: Extent,
    first: Option<&str>,
) -> Result<State> {
    let mut refs: BTreeMap<&str, &str> =
        remote.refs.iter().map(|remote| (remote.name.as_str(), remote.sha.as_str())).collect();
    for change in changes {
        match &change.new {
            Some(new) => refs.insert(&change.name, new),
            None => refs.remove(change.name.as_str()),
        };
    }
    let of_refs = remote.refs.iter().map(|remote| (&remote.sha, remote.contents));
    let of_others = remote.unreferenced.iter().map(|other| (&other.sha, other.contents));
    let has = of_others.chain(of_refs.filter(|(_, extent)| *extent > Extent::None));
    let has = has.map(|(sha, extent)| (sha.clone(), extent)).collect();
    let default = first.and_then(|first| refs.get(first).copied());
    let tips: BTreeSet<String> = refs.values().map(|sha| (*sha).to_owned()).collect();
    let most_file_bytes = remote.most_file_bytes;
    let mut state = State { extent, most_file_bytes, tips, has, ..State::default() };
    if let Some(default) = default
        && extent == Extent::Tips
        && most_file_bytes.is_some()
    {
        state.bases = needed_bases(repository, remote, changes, default, &state)?;
    }
    Ok(state)
}

/// The merge bases whose files are needed. A push that only adds refs finds those of its commits, and the stored ones
/// stay. Any other finds all: where a branch moves, merge bases begin and end to be needed, also of other branches if it
/// is the default branch. That walk takes about as long as counting the commits of a branch.
fn needed_bases(
    repository: &Repository,
    remote: &Mirror,
    changes: &[Change],
    default: &str,
    state: &State,
) -> Result<BTreeSet<String>> {
    let stored = remote.unreferenced.iter().filter(|other| other.contents > Extent::None);
    let stored: Vec<String> = stored.map(|other| other.sha.clone()).collect();
    let before = remote.default_branch.as_ref().map(|branch| format!("refs/heads/{branch}"));
    let before = before.and_then(|name| remote.refs.iter().find(|remote| remote.name == name));
    let is_added = |change: &Change| change.old.is_none();
    let is_whole =
        changes.is_empty() || !changes.iter().all(is_added) || before.is_none_or(|before| before.sha != default);
    let all = is_whole.then(|| bases(repository, default, &state.tips.iter().map(String::as_str).collect()));
    let needed = match all.transpose()?.flatten() {
        Some(found) => found,
        // also where git lacks a commit: it is unknown which are needed, so all stored ones stay
        None => {
            let new = changes.iter().filter_map(|change| change.new.as_deref());
            let of: BTreeSet<&str> = state.lacking().into_iter().chain(new).collect();
            [bases(repository, default, &of)?.unwrap_or_default(), stored].concat()
        }
    };
    Ok(needed.into_iter().filter(|id| !state.tips.contains(id)).take(MOST_BASES).collect())
}
