use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    /// The hashes of the tags inside a tag of a tag, at most as many as the server takes.
    pub inner_tags: Vec<String>,
}

#[derive(Debug, Default)]
pub struct Refs {
    /// HEAD's branch, or another one if that does not exist. `None` without branches.
    pub default_branch: Option<String>,
    /// Why the default branch is not HEAD's.
    pub instead_of_head: Option<String>,
    pub tips: BTreeMap<String, Tip>,
    /// Names and reasons.
    pub skipped: Vec<String>,
    /// Refs that git cannot read. The server keeps its value of them.
    pub broken: BTreeSet<String>,
}

/// NUL ends each field. `*` stands for the target of an annotated tag.
const FORMAT: &str = "--format=%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00";

const BROKEN: &str = "warning: ignoring broken ref ";

impl Refs {
    pub fn read(repository: &Repository) -> Result<Refs> {
        let (listed, complaints) = repository.ask_and_listen("for-each-ref", &[FORMAT, "refs/heads", "refs/tags"])?;
        let broken = complaints.lines().filter_map(|line| line.strip_prefix(BROKEN)).map(str::to_owned).collect();
        let mut refs = Refs { broken, ..Refs::default() };
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
            if begins_with_dash(&name) {
                refs.skipped.push(format!("{name}: its name begins with -, which git reads as an option"));
                continue;
            }
            if name.len() > limits::REF {
                refs.skipped.push(format!("{}..: its name is too long", lossy(name.as_bytes(), 80)));
                continue;
            }
            let mut tip = |commit: String| match &mut objects {
                Some(objects) => of_tag(objects, &hash, commit),
                None => of_tag(objects.insert(Objects::start(repository)?), &hash, commit),
            };
            match (kind.as_str(), inner_kind.as_str()) {
                ("commit", _) => {
                    drop(refs.tips.insert(name, Tip { commit: hash.clone(), tag: None, inner_tags: Vec::new() }));
                }
                ("tag", "commit") => drop(refs.tips.insert(name, tip(inner)?)),
                ("tag", "tag") => nested.push((name, tip(inner)?)),
                _ => refs.skipped.push(format!("{name}: it does not point at a commit")),
            }
        }
        refs.peel(repository, nested)?;
        refs.choose_default_branch(head(repository)?);
        Ok(refs)
    }

    /// As GitLab does it: HEAD's branch, else main, else master, else the first.
    fn choose_default_branch(&mut self, head: Option<String>) {
        let full = |branch: &str| format!("refs/heads/{branch}");
        let is_broken = head.as_ref().is_some_and(|head| self.broken.contains(&full(head)));
        if is_broken || head.as_ref().is_some_and(|head| self.tips.contains_key(&full(head))) {
            self.default_branch = head;
            return;
        }
        let usual = ["main", "master"].into_iter().find(|branch| self.tips.contains_key(&full(branch)));
        let first = || self.tips.keys().find_map(|name| name.strip_prefix("refs/heads/"));
        let Some(branch) = usual.or_else(first).map(str::to_owned) else { return };
        let why = head
            .map_or("HEAD is detached".to_owned(), |head| format!("HEAD names the branch {head}, which is not here"));
        self.instead_of_head = Some(format!(
            "{why}; the default branch on the server is {branch}, until you run git symbolic-ref HEAD refs/heads/BRANCH"
        ));
        self.default_branch = Some(branch);
    }

    /// Finds the commit of a tag that points to another tag.
    fn peel(&mut self, repository: &Repository, nested: Vec<(String, Tip)>) -> Result<()> {
        let asked: Vec<String> = nested.iter().map(|(_, tip)| format!("{}^{{commit}}", tip.commit)).collect();
        let peeled = check(repository, &asked)?;
        for ((name, tip), commit) in nested.into_iter().zip(peeled) {
            match commit {
                Some(commit) => drop(self.tips.insert(name, Tip { commit, ..tip })),
                None => self.skipped.push(format!("{name}: it does not point at a commit")),
            }
        }
        Ok(())
    }
}

/// The annotated tag at the commit.
fn of_tag(objects: &mut Objects, tag: &str, commit: String) -> Result<Tip> {
    let object = objects.object(tag)?;
    let (mut inner_tags, mut next) = (Vec::new(), inner_tag(&object));
    while let Some(hash) = next.filter(|_| inner_tags.len() < limits::INNER_TAGS) {
        next = inner_tag(&objects.object(&hash)?);
        inner_tags.push(hash);
    }
    Ok(Tip { commit, tag: Some((tag.to_owned(), message(&object))), inner_tags })
}

/// The hash of the tag that a tag's object names, if it names one.
fn inner_tag(object: &[u8]) -> Option<String> {
    let mut lines = object.split(|byte| *byte == b'\n');
    let hash = lines.next()?.strip_prefix(b"object ")?;
    (lines.next()? == b"type tag").then(|| String::from_utf8_lossy(hash).into_owned())
}

/// git's own commands make no such branch or tag, but a push can.
fn begins_with_dash(name: &str) -> bool {
    ["refs/heads/-", "refs/tags/-"].iter().any(|begin| name.starts_with(begin))
}

/// The message follows the first blank line and keeps its own leading blank lines.
fn message(bytes: &[u8]) -> String {
    let start = bytes.windows(2).position(|pair| pair == b"\n\n").map_or(bytes.len(), |at| at + 2);
    let message = bytes.get(start..).unwrap_or_default();
    lossy(message.split(|byte| *byte == 0).next().unwrap_or_default(), limits::TAG_MESSAGE)
}

/// The branch that HEAD names, even if it has no commit. `None` if HEAD is detached.
fn head(repository: &Repository) -> Result<Option<String>> {
    let name = match repository.ask_whether("symbolic-ref", &["--quiet", "HEAD"]) {
        // git fails if it cannot read the branch, for example an empty file
        Err(error) => Some(std::fs::read(repository.common().join("HEAD")).ok().and_then(target).ok_or(error)?),
        name => name?,
    };
    Ok(name.and_then(|name| {
        let name = String::from_utf8(name).ok().filter(|name| !begins_with_dash(name))?;
        Some(name.strip_suffix('\n').unwrap_or(&name).strip_prefix("refs/heads/")?.to_owned())
    }))
}

/// The ref that the file of a symbolic ref names.
fn target(file: Vec<u8>) -> Option<Vec<u8>> {
    file.strip_prefix(b"ref: ").map(<[u8]>::to_vec)
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
    let output = repository.ask("cat-file", &["--batch-check=%(objecttype) %(objectname)"], input.as_bytes())?;
    let found: Vec<_> =
        String::from_utf8_lossy(&output).lines().map(|line| line.strip_prefix("commit ").map(str::to_owned)).collect();
    if found.len() == names.len() {
        Ok(found)
    } else {
        Err(Error::Repository("git cat-file did not print a line for every object".to_owned()))
    }
}

pub fn descends(repository: &Repository, old: &str, new: &str) -> Result<bool> {
    Ok(repository.ask_whether("merge-base", &["--is-ancestor", old, new])?.is_some())
}

/// As many as a mask has bits.
pub const COUNTED_AT_ONCE: usize = 64;

/// The number of commits that each tip reaches, from one walk of git. A walk for each pair of branches takes longer than
/// reading the history, if a repository has many old branches.
pub fn counts(repository: &Repository, tips: &[&str]) -> Result<Vec<u64>> {
    if let [tip] = tips {
        let counted = repository.ask("rev-list", &["--count", tip], b"")?;
        let number = String::from_utf8_lossy(&counted).trim().parse();
        return number.map(|number| vec![number]).map_err(|_| uncounted());
    }
    let input = tips.join("\n") + "\n";
    let listed = repository.ask("rev-list", &["--stdin", "--topo-order", "--parents"], input.as_bytes())?;
    let listed = String::from_utf8_lossy(&listed);
    // bit n: tip n reaches the commit
    let mut masks: HashMap<&str, u64> = HashMap::new();
    for (bit, tip) in tips.iter().enumerate() {
        *masks.entry(tip).or_default() |= 1 << bit;
    }
    let mut counts = vec![0; tips.len()];
    for line in listed.lines() {
        let mut words = line.split(' ');
        let mask = words.next().and_then(|id| masks.remove(id)).unwrap_or_default();
        words.for_each(|parent| *masks.entry(parent).or_default() |= mask);
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += mask >> bit & 1;
        }
    }
    Ok(counts)
}

fn uncounted() -> Error {
    Error::Repository("git rev-list --count printed no number".to_owned())
}

pub fn containing(repository: &Repository, commit: &str) -> Result<BTreeSet<String>> {
    let contains = format!("--contains={commit}");
    let listed = repository.ask("for-each-ref", &["--format=%(refname)", &contains, "refs/heads", "refs/tags"], b"")?;
    Ok(String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect())
}
