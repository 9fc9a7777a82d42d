use std::hash::{BuildHasher, RandomState};

use serde_json::{Value, json};

use crate::commit::Commit;
use crate::console::{Console, print};
use crate::date;
use crate::error::Result;
use crate::git::Repository;
use crate::log::{Log, Range};
use crate::refs::Refs;
use crate::server::Server;
use crate::text::count;

/// Compares commits chosen at random. Returns the number that differ.
pub fn verify(repository: &Repository, server: &Server<'_>, sample: usize, console: &Console) -> Result<u64> {
    let refs = Refs::read(repository)?;
    let tips = refs.tips.values().map(|tip| tip.commit.as_str()).collect();
    let range = Range::Missing { tips: &tips, known: &Default::default() };
    let all = if tips.is_empty() { Vec::new() } else { repository.ask("rev-list", &["--stdin"], &range.input())? };
    let all = String::from_utf8_lossy(&all);
    let chosen = choose(all.lines().map(str::to_owned), sample);
    console.expect(chosen.len() as u64);
    let mut findings = Findings { console, different: 0 };
    if !chosen.is_empty() {
        let mut log = Log::start(repository, Range::These(&chosen))?;
        while let Some(commit) = log.read()? {
            findings.note(&commit.id, &compare(server, &commit)?);
        }
    }
    Ok(findings.sum(&count(chosen.len() as u64, "commit")))
}

/// Prints differences and advances the progress bar.
pub struct Findings<'a> {
    pub console: &'a Console,
    pub different: u64,
}

impl Findings<'_> {
    pub fn note(&mut self, name: &str, differences: &[String]) {
        self.console.advance(1);
        if !differences.is_empty() {
            self.console.finish();
            self.different += 1;
        }
        for difference in differences {
            print(&format!("{name} {difference}"));
        }
    }

    pub fn sum(self, compared: &str) -> u64 {
        self.console.finish();
        print(&format!("{compared} compared, {} different", self.different));
        self.different
    }
}

/// Chooses items with equal probability (reservoir sampling).
pub fn choose<T>(items: impl Iterator<Item = T>, number: usize) -> Vec<T> {
    let random = RandomState::new();
    let mut chosen = Vec::new();
    for (at, item) in items.enumerate() {
        if chosen.len() < number {
            chosen.push(item);
        } else if let Ok(place) = usize::try_from(random.hash_one(at) % (at as u64 + 1))
            && let Some(slot) = chosen.get_mut(place)
        {
            *slot = item;
        }
    }
    chosen
}

fn compare(server: &Server<'_>, commit: &Commit) -> Result<Vec<String>> {
    let Some(answer) = server.read(&format!("commits/{}", commit.id))? else {
        return Ok(vec!["is not on the server".to_owned()]);
    };
    let mut differences = Vec::new();
    for (field, wanted) in expected(commit) {
        let got = answer.get(field).unwrap_or(&Value::Null);
        if *got != wanted {
            differences.push(format!("{field}: git has {wanted}, the server has {got}"));
        }
    }
    let Some(diff) = server.read(&format!("commits/{}/diff", commit.id))? else {
        differences.push("has no diff on the server; run sync --recheck, which sends all that are lost".to_owned());
        return Ok(differences);
    };
    if serde_json::from_str(&commit.diff).ok().map(without_marks) != Some(without_marks(diff)) {
        differences.push("has a different diff on the server".to_owned());
    }
    Ok(differences)
}

/// Removes `too_large`, which diffs of older hooks do not have.
fn without_marks(mut diff: Value) -> Value {
    for file in diff.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        file.remove("too_large");
    }
    diff
}

fn expected(commit: &Commit) -> Vec<(&'static str, Value)> {
    let (object, texts) = (&commit.object, &commit.texts);
    let committed = json!(date::show(&object.committed));
    let total = commit.additions + commit.deletions;
    vec![
        ("id", json!(commit.id)),
        ("short_id", json!(commit.id.get(..8))),
        ("title", json!(title(&texts.message))),
        ("message", json!(texts.message)),
        ("author_name", json!(texts.author_name)),
        ("author_email", json!(texts.author_email)),
        ("authored_date", json!(date::show(&object.authored))),
        ("committed_date", committed.clone()),
        ("created_at", committed),
        ("parent_ids", json!(object.parents)),
        ("stats", json!({"additions": commit.additions, "deletions": commit.deletions, "total": total})),
    ]
}

/// As git shows it: the first line that is not blank, without trailing blanks, shortened if it is long.
fn title(message: &str) -> String {
    let blank = |letter: char| matches!(letter, ' ' | '\t' | '\n' | '\r');
    let line = message.split('\n').map(|line| line.trim_end_matches(blank)).find(|line| !line.is_empty());
    let line = line.unwrap_or("--no commit message");
    if line.chars().count() > 100 { line.chars().take(80).chain(['…']).collect() } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_over_a_hundred_characters_is_cut_to_eighty() {
        assert_eq!(title("\na \r\nb"), "a");
        assert_eq!(title(&"é".repeat(100)), "é".repeat(100));
        assert_eq!(title(&"é".repeat(101)), "é".repeat(80) + "…");
        assert_eq!(title("\n \n"), "--no commit message");
    }

    #[test]
    fn a_sample_has_no_commit_twice() {
        let mut chosen = choose(0..1000, 100);
        chosen.sort_unstable();
        chosen.dedup();
        assert_eq!(chosen.len(), 100);
        assert_eq!(choose(["a"].into_iter(), 5), ["a"]);
    }
}
