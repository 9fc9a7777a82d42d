//! Compares the server's refs, tags and branches of commits with git. A hook's token is allowed to read
//! these.

use std::collections::{BTreeMap, HashMap};

use crate::console::{Console, print};
use crate::error::Result;
use crate::git::Repository;
use crate::refs::Refs;
use crate::server::Server;
use crate::text::{count, printable};
use edgeforge_wire::{Mirror, Ref};

/// Differences printed of each kind. The rest is only counted.
const SHOWN: u64 = 20;

/// Returns the number of differences.
pub fn verify(repository: &Repository, server: &Server<'_>, console: &Console) -> Result<u64> {
    let remote = server.refs(true)?;
    let local = Refs::read(repository)?;
    if remote.pending {
        console.warn("the server is still assigning commits to branches; run `sync` to continue");
    }
    let refs = Findings::default().all(compare_refs(&local, &remote));
    print(&format!("{} compared, {refs} different", count(local.tips.len() as u64, "ref")));
    let (branches, commits) = compare_branches(repository, server, &local, &remote)?;
    print(&format!("branches of {} compared, {branches} different", count(commits, "commit")));
    Ok(refs + branches)
}

#[derive(Default)]
struct Findings(u64);

impl Findings {
    fn note(&mut self, text: &str) {
        self.0 += 1;
        if self.0 <= SHOWN {
            print(&printable(text));
        } else if self.0 == SHOWN + 1 {
            print("..");
        }
    }

    fn all(mut self, texts: Vec<String>) -> u64 {
        texts.iter().for_each(|text| self.note(text));
        self.0
    }
}

fn compare_refs(local: &Refs, remote: &Mirror) -> Vec<String> {
    let mut differences = Vec::new();
    let mut on_server: BTreeMap<&str, &Ref> = remote.refs.iter().map(|found| (found.name.as_str(), found)).collect();
    for (name, tip) in &local.tips {
        let Some(found) = on_server.remove(name.as_str()) else {
            differences.push(format!("{name} is not on the server"));
            continue;
        };
        let (tag, message) = tip.tag.as_ref().map(|(tag, message)| (tag, message)).unzip();
        if found.sha != tip.commit {
            differences.push(format!("{name}: git has {}, the server has {}", tip.commit, found.sha));
        } else if found.tag_sha.as_ref() != tag {
            differences.push(format!("{name} is a different tag on the server"));
        } else if found.message.as_ref() != message {
            differences.push(format!("{name} has a different message on the server"));
        }
    }
    let gone = on_server.keys().filter(|name| !local.broken.contains(**name));
    differences.extend(gone.map(|name| format!("{name} is only on the server")));
    if local.default_branch != remote.default_branch {
        let name = |branch: &Option<String>| branch.clone().unwrap_or_else(|| "none".to_owned());
        let (git, server) = (name(&local.default_branch), name(&remote.default_branch));
        differences.push(format!("default branch: git has {git}, the server has {server}"));
    }
    differences
}

/// Returns the numbers of differences and of compared commits.
fn compare_branches(repository: &Repository, server: &Server<'_>, local: &Refs, remote: &Mirror) -> Result<(u64, u64)> {
    let mut branch_of = branches_of_commits(repository, local, remote)?;
    let mut findings = Findings::default();
    let mut compared = 0;
    let (mut after, mut read) = (String::new(), 0);
    loop {
        let page = server.commits(&after, &mut read)?;
        for found in &page.commits {
            let wanted = branch_of.remove(&found.id);
            if wanted != found.branch.as_deref() {
                let name = |branch: Option<&str>| branch.unwrap_or("none").to_owned();
                let (git, server) = (name(wanted), name(found.branch.as_deref()));
                findings.note(&format!("branch of {}: git has {git}, the server has {server}", found.id));
            }
        }
        compared += page.commits.len() as u64;
        match page.next {
            Some(hash) => after = hash,
            None => break,
        }
    }
    branch_of.keys().for_each(|id| findings.note(&format!("{id} is not on the server")));
    Ok((findings.0, compared))
}

/// Maps each commit to its branch: the default branch if that contains the commit, else the first in byte
/// order. A branch that git cannot read is where the server has it, because `sync` leaves it alone.
fn branches_of_commits<'a>(
    repository: &Repository,
    local: &'a Refs,
    remote: &'a Mirror,
) -> Result<HashMap<String, &'a str>> {
    let tips = local.tips.iter().map(|(name, tip)| (name.as_str(), tip.commit.as_str()));
    let broken = remote.refs.iter().filter(|found| local.broken.contains(&found.name));
    let mut branches: Vec<(&'a str, &'a str)> = tips
        .chain(broken.map(|found| (found.name.as_str(), found.sha.as_str())))
        .filter_map(|(name, commit)| Some((name.strip_prefix("refs/heads/")?, commit)))
        .collect();
    branches.sort_by_key(|(name, _)| (local.default_branch.as_deref() != Some(*name), *name));
    if branches.is_empty() {
        return Ok(HashMap::new());
    }
    let mut ranks: HashMap<&str, usize> = HashMap::new();
    for (rank, (_, commit)) in branches.iter().enumerate() {
        ranks.entry(commit).or_insert(rank);
    }
    let tips: String = branches.iter().map(|(_, commit)| format!("{commit}\n")).collect();
    let listed =
        repository.ask("rev-list", &["--ignore-missing", "--stdin", "--topo-order", "--parents"], tips.as_bytes())?;
    let listed = String::from_utf8_lossy(&listed);
    let mut best = ranks;
    let mut branch_of = HashMap::new();
    for line in listed.lines() {
        let mut words = line.split(' ');
        let Some(id) = words.next() else { continue };
        let Some(rank) = best.remove(id) else { continue };
        for parent in words {
            best.entry(parent).and_modify(|known| *known = rank.min(*known)).or_insert(rank);
        }
        branch_of.extend(branches.get(rank).map(|(name, _)| (id.to_owned(), *name)));
    }
    Ok(branch_of)
}
