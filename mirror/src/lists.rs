use serde_json::Value;

use crate::console::Console;
use crate::error::Result;
use crate::git::Repository;
use crate::refs::{Refs, Tip};
use crate::server::Server;
use crate::text::{count, segment};
use crate::verify::{Findings, choose};

const PAGE: usize = 100;

/// Pages read from the beginning of each list, and pages read at random from the rest.
const FIRST_PAGES: usize = 100;
const OTHER_PAGES: usize = 20;

/// Also checks the commit of every ref. Returns the number of refs that differ.
pub fn verify(repository: &Repository, server: &Server<'_>, console: &Console) -> Result<u64> {
    let refs = Refs::read(repository)?;
    let mut lists = Lists { server, console, first_page: None, pages: 0 };
    let mut findings = Findings { console, different: 0 };
    let (mut branches, mut tags) = (0, 0);
    console.expect(refs.tips.len() as u64);
    for (name, tip) in &refs.tips {
        let differences = if let Some(branch) = name.strip_prefix("refs/heads/") {
            branches += 1;
            // if a tag has the branch's name, the server lists the tag, as git does
            let listed = refs.tips.get(&format!("refs/tags/{branch}")).unwrap_or(tip);
            let mut differences =
                lists.leads_to(&format!("branches/{}", segment(branch)), "/commit/id", tip)?;
            differences.extend(lists.compare(repository, branch, listed)?);
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
    /// The number of a list's first page: 0 or 1, depending on the profile.
    first_page: Option<usize>,
    pages: u64,
}

impl Lists<'_> {
    fn leads_to(&self, path: &str, hash: &str, tip: &Tip) -> Result<Vec<String>> {
        let answer = self.server.read(path)?.unwrap_or_default();
        let got = answer.pointer(hash).and_then(Value::as_str);
        let differs = got != Some(tip.commit.as_str());
        let difference = || format!("git has {}, the server has {}", tip.commit, got.unwrap_or("nothing"));
        Ok(differs.then(difference).into_iter().collect())
    }

    fn compare(&mut self, repository: &Repository, branch: &str, tip: &Tip) -> Result<Vec<String>> {
        let listed = repository.ask("rev-list", &[&tip.commit, "--"], b"")?;
        let listed = String::from_utf8_lossy(&listed);
        let commits: Vec<&str> = listed.lines().collect();
        let pages: Vec<&[&str]> = commits.chunks(PAGE).collect();
        let mut chosen: Vec<usize> = (0..pages.len().min(FIRST_PAGES)).collect();
        chosen.extend(choose(FIRST_PAGES..pages.len(), OTHER_PAGES));
        // the page after the last must be empty
        chosen.push(pages.len());
        let first_page = self.first_page(branch, tip)?;
        let mut differences = Vec::new();
        for at in chosen {
            let wanted = pages.get(at).copied().unwrap_or_default();
            let got = self.page(branch, PAGE, first_page + at)?;
            self.pages += 1;
            if got != wanted {
                let same = got.iter().zip(wanted).take_while(|(got, wanted)| got == *wanted).count();
                differences.push(format!("page {} differs from its commit {} on", at + 1, same + 1));
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

    fn page(&self, branch: &str, size: usize, number: usize) -> Result<Vec<String>> {
        let path = format!("commits?ref_name={}&per_page={size}&page={number}", segment(branch));
        let answer = self.server.read(&path)?.unwrap_or_default();
        let commits = answer.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(commits.iter().filter_map(|commit| Some(commit.get("id")?.as_str()?.to_owned())).collect())
    }
}
