//! The refs of the local repository: branches, tags and the default branch.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::git::Repository;
use crate::objects::Objects;
use crate::text::lossy;
use edgeforge_wire::limits;

/// Where a ref points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// The commit, tags peeled.
    pub commit: String,
    /// An annotated tag's own hash and message.
    pub tag: Option<(String, String)>,
}

/// The refs of a repository at one moment.
#[derive(Debug, Default)]
pub struct Refs {
    /// What HEAD names, born or not; nothing when it is detached.
    pub default_branch: Option<String>,
    /// By full name.
    pub tips: BTreeMap<String, Tip>,
    /// Refs that cannot be mirrored, and why.
    pub skipped: Vec<String>,
    /// Refs that git cannot read: what the server knows of them stays.
    pub broken: BTreeSet<String>,
}

/// Type and hash of the ref itself and of what an annotated tag points at, each ended by NUL.
const FORMAT: &str =
    "--format=%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00";

/// How git's complaint about a ref that it cannot read begins.
const BROKEN: &str = "warning: ignoring broken ref ";

impl Refs {
    /// Reads branches, tags and HEAD.
    pub fn read(repository: &Repository) -> Result<Refs> {
        let (listed, complaints) =
            repository.ask_and_listen("for-each-ref", &[FORMAT, "refs/heads", "refs/tags"])?;
        let mut refs = Refs { default_branch: head(repository)?, ..Refs::default() };
        refs.broken =
            complaints.lines().filter_map(|line| line.strip_prefix(BROKEN)).map(str::to_owned).collect();
        let mut objects = None;
        let mut nested = Vec::new();
        let mut fields = listed.split(|byte| *byte == 0);
        while let Some(name) = fields.next() {
            let name = name.strip_prefix(b"\n").unwrap_or(name);
            let mut word = || String::from_utf8_lossy(fields.next().unwrap_or_default()).into_owned();
            let (kind, hash, inner_kind, inner) = (word(), word(), word(), word());
            if name.is_empty() {
                continue;
            }
            let Ok(name) = String::from_utf8(name.to_vec()) else {
                refs.skipped.push(format!("{}: its name is not UTF-8", lossy(name, 200)));
                continue;
            };
            if name.len() > limits::REF {
                refs.skipped.push(format!("{}..: its name is too long", lossy(name.as_bytes(), 80)));
                continue;
            }
            let mut message = || match &mut objects {
                Some(objects) => message(objects, &hash),
                None => message(objects.insert(Objects::start(repository)?), &hash),
            };
            match (kind.as_str(), inner_kind.as_str()) {
                ("commit", _) => drop(refs.tips.insert(name, Tip { commit: hash.clone(), tag: None })),
                ("tag", "commit") => {
                    drop(
                        refs.tips.insert(name, Tip { commit: inner, tag: Some((hash.clone(), message()?)) }),
                    );
                }
                ("tag", "tag") => nested.push((name, hash.clone(), message()?)),
                _ => refs.skipped.push(format!("{name}: it does not point at a commit")),
            }
        }
        refs.peel(repository, nested)?;
        Ok(refs)
    }

    /// Tags of tags: git peels them to the end.
    fn peel(&mut self, repository: &Repository, nested: Vec<(String, String, String)>) -> Result<()> {
        let asked: Vec<String> = nested.iter().map(|(_, hash, _)| format!("{hash}^{{commit}}")).collect();
        let peeled = check(repository, &asked)?;
        for ((name, hash, message), commit) in nested.into_iter().zip(peeled) {
            match commit {
                Some(commit) => drop(self.tips.insert(name, Tip { commit, tag: Some((hash, message)) })),
                None => self.skipped.push(format!("{name}: it does not point at a commit")),
            }
        }
        Ok(())
    }
}

/// The message of an annotated tag: what follows the first blank line, leading blank lines and all.
fn message(objects: &mut Objects, tag: &str) -> Result<String> {
    let bytes = objects.read(tag)?;
    let start = bytes.windows(2).position(|pair| pair == b"\n\n").map_or(bytes.len(), |at| at + 2);
    let message = bytes.get(start..).unwrap_or_default();
    Ok(lossy(message.split(|byte| *byte == 0).next().unwrap_or_default(), limits::TAG_MESSAGE))
}

/// The branch that HEAD names.
fn head(repository: &Repository) -> Result<Option<String>> {
    let name = repository.ask_whether("symbolic-ref", &["--quiet", "HEAD"])?;
    Ok(name.and_then(|name| {
        let name = String::from_utf8(name).ok()?;
        Some(name.strip_suffix('\n').unwrap_or(&name).strip_prefix("refs/heads/")?.to_owned())
    }))
}

/// Those of the hashes that are commits of this repository.
pub fn known(repository: &Repository, hashes: &BTreeSet<&str>) -> Result<BTreeSet<String>> {
    let asked: Vec<String> = hashes.iter().map(|hash| (*hash).to_owned()).collect();
    Ok(check(repository, &asked)?.into_iter().flatten().collect())
}

/// The commit that each of the names means, in their order.
fn check(repository: &Repository, names: &[String]) -> Result<Vec<Option<String>>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let input = names.join("\n") + "\n";
    let output =
        repository.ask("cat-file", &["--batch-check=%(objecttype) %(objectname)"], input.as_bytes())?;
    let found: Vec<_> = String::from_utf8_lossy(&output)
        .lines()
        .map(|line| line.strip_prefix("commit ").map(str::to_owned))
        .collect();
    if found.len() == names.len() {
        Ok(found)
    } else {
        Err(Error::Repository("git cat-file did not answer for every object".to_owned()))
    }
}

/// Does `new` contain `old`?
pub fn descends(repository: &Repository, old: &str, new: &str) -> Result<bool> {
    Ok(repository.ask_whether("merge-base", &["--is-ancestor", old, new])?.is_some())
}

/// How many commits `tip` reaches: git walks them all.
pub fn count(repository: &Repository, tip: &str) -> Result<u64> {
    let counted = repository.ask("rev-list", &["--count", tip], b"")?;
    numbers(&counted).first().copied().ok_or_else(uncounted)
}

/// The same, where the commits that `base` reaches are counted already: git walks only what one of the two has and the
/// other has not.
pub fn count_beside(repository: &Repository, (base, commits): (&str, u64), tip: &str) -> Result<u64> {
    let between = format!("{base}...{tip}");
    let counted = repository.ask("rev-list", &["--count", "--left-right", &between], b"")?;
    match numbers(&counted).as_slice() {
        [only_base, only_tip] => (commits + only_tip).checked_sub(*only_base).ok_or_else(uncounted),
        _ => Err(uncounted()),
    }
}

fn numbers(printed: &[u8]) -> Vec<u64> {
    String::from_utf8_lossy(printed).split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

fn uncounted() -> Error {
    Error::Repository("git rev-list did not count".to_owned())
}

/// The branches and tags that contain a commit.
pub fn containing(repository: &Repository, commit: &str) -> Result<BTreeSet<String>> {
    let contains = format!("--contains={commit}");
    let listed = repository.ask(
        "for-each-ref",
        &["--format=%(refname)", &contains, "refs/heads", "refs/tags"],
        b"",
    )?;
    Ok(String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect())
}
