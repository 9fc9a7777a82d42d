//! Validates the commits of the hook. A commit's hash proves its object. The server trusts the hook for the diff, the
//! counts of lines, and texts in old encodings.

use crate::kernel::{Error, Result};
use edgeforge_wire::object::{Object, hashes_to};
use edgeforge_wire::text::is_hash;
use edgeforge_wire::{Commit, limits};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

/// Bytes up to which a diff stays in the database, even with an object store.
const SHORT: usize = 1024;

#[derive(Debug)]
pub struct ParsedCommit {
    pub id: String,
    pub object: Object,
    pub additions: u64,
    pub deletions: u64,
    /// JSON of the diff, or of its paths if `stored` is set.
    pub diff: String,
    /// None if the diff stays in the database.
    pub paths: Option<String>,
    pub stored: Option<StoredObject>,
    /// Changed paths that lists by path do not find in the diff. Each follows two slashes, and two slashes end the
    /// text.
    pub more_paths: String,
}

#[derive(Debug)]
pub struct StoredObject {
    pub object: String,
    /// Unpacked size.
    pub bytes: usize,
    /// SHA-256 in base64url.
    pub digest: String,
}

/// Bytes of the paths of a diff in one row. Longer ones are in `more_paths`, where they take less.
const MOST_PATHS: usize = 600_000;

/// Bytes. Lists by path do not look into a longer diff in the database (history.sql).
const MOST_SEARCHED: usize = 1_900_000;

/// Bytes. git limits a path to 4 KiB, and each invalid byte becomes 3 bytes of UTF-8.
const LONGEST_PATH: usize = 16 << 10;

/// A changed file. Answers contain the diff as the hook sent it, so its shape must be right.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape matters")]
struct Entry<'a> {
    #[serde(borrow)]
    diff: Cow<'a, str>,
    #[serde(borrow)]
    old_path: Cow<'a, str>,
    #[serde(borrow)]
    new_path: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    a_mode: Option<Cow<'a, str>>,
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    b_mode: Option<Cow<'a, str>>,
    new_file: bool,
    renamed_file: bool,
    deleted_file: bool,
    #[serde(default)]
    too_large: bool,
}

#[derive(Serialize)]
struct Paths<'a> {
    new_path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_path: Option<&'a str>,
}

fn entries(diff: &str) -> Option<Vec<Entry<'_>>> {
    serde_json::from_str(diff).ok()
}

/// The paths in a diff as a JSON array: lists filter commits by path. None if the diff must stay in the database.
pub fn paths(diff: &str) -> Option<String> {
    paths_of(&entries(diff)?, diff.len())
}

fn paths_of(entries: &[Entry<'_>], bytes: usize) -> Option<String> {
    if bytes <= SHORT {
        return None;
    }
    let paths = |entry| {
        let Entry { new_path, old_path, .. }: &Entry<'_> = entry;
        Paths { new_path, old_path: (old_path != new_path).then_some(old_path) }
    };
    let paths: Vec<Paths<'_>> = entries.iter().map(paths).collect();
    serde_json::to_string(&paths).ok().filter(|paths| paths.len() <= MOST_PATHS && paths.len() < bytes)
}

/// Joins the paths that the hook sent with those of `files`, as far as they fit. Also whether all fit.
fn join_paths(sent: &[String], files: &[Entry<'_>]) -> std::result::Result<(String, bool), &'static str> {
    let mut text = String::new();
    let mut add = |path: &str| {
        let fits = text.len() + path.len() + 4 <= limits::MORE_PATHS;
        text.extend(["//", path].into_iter().filter(|_| fits));
        fits
    };
    for path in sent {
        if path.len() > LONGEST_PATH {
            return Err("a path is too long");
        }
        if !add(path) {
            return Err("more_paths are too long");
        }
    }
    let mut is_whole = true;
    for Entry { new_path, old_path, .. } in files {
        is_whole &= add(new_path) && (old_path == new_path || add(old_path));
    }
    if !text.is_empty() {
        text.push_str("//");
    }
    Ok((text, is_whole))
}

/// Validates each commit by itself. `has_store`: long diffs may move to the object store.
pub fn read(commits: Vec<Commit>, has_store: bool) -> Result<Vec<ParsedCommit>> {
    if commits.len() > limits::COMMITS {
        return Err(Error::message(format!("more than {} commits at once", limits::COMMITS)));
    }
    let read = commits.into_iter().enumerate().map(|(index, commit)| {
        let id = commit.id.clone();
        ParsedCommit::new(commit, has_store).map_err(|reason| refusal(index, &id, reason))
    });
    let mut read: Vec<ParsedCommit> = read.collect::<Result<_>>()?;
    // of several copies of a commit only the first counts, because parts of their diffs must not be mixed
    let mut seen = HashSet::new();
    read.retain(|commit| seen.insert(commit.id.clone()));
    Ok(read)
}

/// The parents that are not earlier in the batch.
pub fn outside_parents(commits: &[ParsedCommit]) -> Vec<&str> {
    let mut seen = HashSet::new();
    let mut outside = BTreeSet::new();
    for commit in commits {
        let parents = commit.object.parents.iter().map(String::as_str);
        outside.extend(parents.filter(|parent| !seen.contains(parent)));
        seen.insert(commit.id.as_str());
    }
    outside.into_iter().collect()
}

pub fn orphan(commits: &[ParsedCommit], unknown: &[String]) -> Option<Error> {
    commits.iter().enumerate().find_map(|(index, commit)| {
        let parent = commit.object.parents.iter().find(|parent| unknown.contains(parent))?;
        Some(refusal(index, &commit.id, &format!("parent {parent} is not known")))
    })
}

fn refusal(index: usize, id: &str, reason: &str) -> Error {
    let id: String = id.chars().take(64).collect();
    Error::message(format!("commit {index} ({id}): {reason}"))
}

impl ParsedCommit {
    fn new(commit: Commit, has_store: bool) -> std::result::Result<ParsedCommit, &'static str> {
        if !is_hash(&commit.id) {
            return Err("not a commit's hash");
        }
        let bytes = commit.object().ok_or("it has no object, or no base64")?;
        if bytes.len() > limits::OBJECT {
            return Err("the object is too long");
        }
        if !hashes_to(&bytes, &commit.id) {
            return Err("the object has another hash");
        }
        let mut object = Object::read(&bytes)?;
        if object.encoding.is_some()
            && let Some(mut texts) = commit.texts.filter(|texts| !texts.has_nul())
        {
            texts.cut();
            object.texts = texts;
        }
        match () {
            () if object.parents.len() > limits::PARENTS => Err("it has more than 100 parents"),
            () if object.parents.iter().any(|parent| parent.len() != commit.id.len()) => {
                Err("a parent is not a commit's hash")
            }
            () if commit.additions.max(commit.deletions) > 1 << 40 => Err("a count is too large"),
            () if commit.diff.len() > limits::DIFF => Err("the diff is too long"),
            () => {
                let Commit { id, additions, deletions, diff, more_paths, .. } = commit;
                let files = entries(&diff).ok_or("the diff is no JSON array of changed files")?;
                let mut paths = if has_store { paths_of(&files, diff.len()) } else { None };
                let (can_move, is_searched) = (has_store && diff.len() > SHORT, diff.len() <= MOST_SEARCHED);
                let joins = paths.is_none() && (can_move || !is_searched);
                let (more_paths, is_whole) = join_paths(&more_paths, if joins { &files } else { &[] })?;
                if joins && can_move && (is_whole || !is_searched) {
                    paths = Some("[]".to_owned());
                }
                Ok(ParsedCommit { id, object, additions, deletions, diff, paths, stored: None, more_paths })
            }
        }
    }
}
