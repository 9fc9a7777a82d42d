//! `verify --lists`: reads every branch's list of commits back and compares it with `git log`, and asks for every
//! branch and tag.

use serde_json::Value;

use crate::console::Console;
use crate::error::Result;
use crate::git::Repository;
use crate::refs::{Refs, Tip};
use crate::server::Server;
use crate::text::{count, segment};
use crate::verify::{Findings, choose};

/// Commits on a page: the most that the server gives.
const PAGE: usize = 100;

/// So many pages of a list are read from its beginning, and so many of the others, at random.
const FIRST_PAGES: usize = 100;
const OTHER_PAGES: usize = 20;

/// Compares the lists of all branches and where all refs lead; how many of them differ.
pub fn verify(repository: &Repository, server: &Server<'_>, console: &Console) -> Result<u64> {
    let refs = Refs::read(repository)?;
    let mut lists = Lists { server, console, first_page: None, pages: 0 };
    let mut findings = Findings { console, different: 0 };
    let (mut branches, mut tags) = (0, 0);
    console.expect(refs.tips.len() as u64);
    for (name, tip) in &refs.tips {
        let differences = if let Some(branch) = name.strip_prefix("refs/heads/") {
            branches += 1;
            // as git does, the server means the tag where a branch is called the same
            let meant = refs.tips.get(&format!("refs/tags/{branch}")).unwrap_or(tip);
            let mut differences =
                lists.leads_to(&format!("branches/{}", segment(branch)), "/commit/id", tip)?;
            differences.extend(lists.compare(repository, branch, meant)?);
            differences
        } else {
            tags += 1;
            let tag = name.strip_prefix("refs/tags/").unwrap_or(name);
            lists.leads_to(&format!("commits/{}", segment(tag)), "/id", tip)?
        };
        findings.note(name, &differences);
    }
    let (branches, tags) = (count(branches, "list"), count(tags, "tag"));
    Ok(findings.sum(&format!("{branches} of {} and {tags}", count(lists.pages, "page"))))
}

struct Lists<'a> {
    server: &'a Server<'a>,
    console: &'a Console,
    /// The number of a list's first page: the profiles differ in it.
    first_page: Option<usize>,
    /// How many pages were compared.
    pages: u64,
}

impl Lists<'_> {
    /// Is the answer's hash the ref's commit?
    fn leads_to(&self, path: &str, hash: &str, tip: &Tip) -> Result<Vec<String>> {
        let told = self.server.read(path)?.unwrap_or_default();
        let got = told.pointer(hash).and_then(Value::as_str);
        let differs = got != Some(tip.commit.as_str());
        let difference = || format!("git has {}, the server {}", tip.commit, got.unwrap_or("nothing"));
        Ok(differs.then(difference).into_iter().collect())
    }

    /// The pages of a list that differ.
    fn compare(&mut self, repository: &Repository, branch: &str, tip: &Tip) -> Result<Vec<String>> {
        let listed = repository.ask("rev-list", &[&tip.commit, "--"], b"")?;
        let listed = String::from_utf8_lossy(&listed);
        let commits: Vec<&str> = listed.lines().collect();
        let pages: Vec<&[&str]> = commits.chunks(PAGE).collect();
        let mut chosen: Vec<usize> = (0..pages.len().min(FIRST_PAGES)).collect();
        chosen.extend(choose(FIRST_PAGES..pages.len(), OTHER_PAGES));
        // behind the last one comes an empty one
        chosen.push(pages.len());
        let first_page = self.first_page(branch, tip)?;
        let mut differences = Vec::new();
        for at in chosen {
            let wanted = pages.get(at).copied().unwrap_or_default();
            let got = self.page(branch, PAGE, first_page + at)?;
            self.pages += 1;
            if got != wanted {
                let same = got.iter().zip(wanted).take_while(|(got, wanted)| got == *wanted).count();
                differences.push(format!("page {}: differs from its commit {} on", at + 1, same + 1));
            }
        }
        self.console.detail(&format!("{branch}: {} listed", count(commits.len() as u64, "commit")));
        Ok(differences)
    }

    fn first_page(&mut self, branch: &str, tip: &Tip) -> Result<usize> {
        if let Some(known) = self.first_page {
            return Ok(known);
        }
        let from_one = self.page(branch, 1, 1)?.first() == Some(&tip.commit);
        Ok(*self.first_page.insert(usize::from(from_one)))
    }

    /// The hashes of one page.
    fn page(&self, branch: &str, size: usize, number: usize) -> Result<Vec<String>> {
        let path = format!("commits?ref_name={}&per_page={size}&page={number}", segment(branch));
        let told = self.server.read(&path)?.unwrap_or_default();
        let commits = told.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(commits.iter().filter_map(|commit| Some(commit.get("id")?.as_str()?.to_owned())).collect())
    }
}
