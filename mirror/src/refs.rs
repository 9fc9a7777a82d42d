use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::git::Repository;
use crate::objects::Objects;
use crate::text::lossy;
use edgeforge_wire::limits;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// Tags are peeled.
    pub commit: String,
    /// The hash and message of an annotated tag.
    pub tag: Option<(String, String)>,
}

#[derive(Debug, Default)]
pub struct Refs {
    /// HEAD's branch, even if it has no commit. `None` if HEAD is detached.
    pub default_branch: Option<String>,
    pub tips: BTreeMap<String, Tip>,
    /// Names and reasons.
    pub skipped: Vec<String>,
    /// Refs that git cannot read. The server keeps its value of them.
    pub broken: BTreeSet<String>,
}

/// NUL ends each field. `*` stands for the target of an annotated tag.
const FORMAT: &str =
    "--format=%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00";

const BROKEN: &str = "warning: ignoring broken ref ";

impl Refs {
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

    /// Finds the commit of a tag that points to another tag.
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

/// The message follows the first blank line and keeps its own leading blank lines.
fn message(objects: &mut Objects, tag: &str) -> Result<String> {
    let bytes = objects.read(tag)?;
    let start = bytes.windows(2).position(|pair| pair == b"\n\n").map_or(bytes.len(), |at| at + 2);
    let message = bytes.get(start..).unwrap_or_default();
    Ok(lossy(message.split(|byte| *byte == 0).next().unwrap_or_default(), limits::TAG_MESSAGE))
}

fn head(repository: &Repository) -> Result<Option<String>> {
    let name = repository.ask_whether("symbolic-ref", &["--quiet", "HEAD"])?;
    Ok(name.and_then(|name| {
        let name = String::from_utf8(name).ok()?;
        Some(name.strip_suffix('\n').unwrap_or(&name).strip_prefix("refs/heads/")?.to_owned())
    }))
}

/// Returns the hashes that are commits of this repository.
pub fn known(repository: &Repository, hashes: &BTreeSet<&str>) -> Result<BTreeSet<String>> {
    let asked: Vec<String> = hashes.iter().map(|hash| (*hash).to_owned()).collect();
    Ok(check(repository, &asked)?.into_iter().flatten().collect())
}

/// Returns the commit of each name, in order.
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
        Err(Error::Repository("git cat-file did not print a line for every object".to_owned()))
    }
}

pub fn descends(repository: &Repository, old: &str, new: &str) -> Result<bool> {
    Ok(repository.ask_whether("merge-base", &["--is-ancestor", old, new])?.is_some())
}

/// git walks all commits that `tip` reaches.
pub fn count(repository: &Repository, tip: &str) -> Result<u64> {
    let counted = repository.ask("rev-list", &["--count", tip], b"")?;
    numbers(&counted).first().copied().ok_or_else(uncounted)
}

/// Counts from the known number of `base`. git walks only the commits that one of the two reaches.
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
    Error::Repository("git rev-list --count printed no number".to_owned())
}

pub fn containing(repository: &Repository, commit: &str) -> Result<BTreeSet<String>> {
    let contains = format!("--contains={commit}");
    let listed = repository.ask(
        "for-each-ref",
        &["--format=%(refname)", &contains, "refs/heads", "refs/tags"],
        b"",
    )?;
    Ok(String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect())
}
