//! Reads the issues of a source into the folder of an export.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Mutex;

use serde_json::Value;

use super::api::Refusal;
use super::archive::{ISSUES, LINKS};
use super::common::{PAGE, in_threads, locked};
use super::fields::{flag, number, text};
use super::report::{Progress, rough, thousands};
use super::source::Source;
use super::{lines, time};
use crate::args::Options;
use crate::console::Console;
use crate::error::Result;
use crate::text::segment;

/// Issues that are read before their lines are written. A run that is killed loses them.
const TOGETHER: usize = 25;

/// Appends the issues that the folder lacks, or that changed since `at`. Returns the numbers that were there before.
pub fn issues(
    source: &Source<'_>,
    folder: &Path,
    at: Option<i64>,
    options: &Options,
    console: &Console,
) -> Result<HashSet<i64>> {
    let path = folder.join(ISSUES);
    let (before, last) = lines::index(&path)?;
    let before: HashSet<i64> = before.into_keys().collect();
    // those of a killed run stand in the order of their making
    let mut after = last.as_ref().filter(|_| at.is_none()).and_then(|line| text(line, "created_at")).map(str::to_owned);
    let mut seen = if at.is_none() { before.clone() } else { HashSet::new() };
    let since = at.map_or_else(String::new, |at| format!("&updated_after={}", segment(&time::shown(at))));
    let base = format!("{}/issues?scope=all&state=all&order_by=created_at&sort=asc&{PAGE}{since}", source.path);
    let first = source.api.send("GET", &format!("{}&per_page=1", base.replace(&format!("&{PAGE}"), "")), None)?;
    let total = first.total.unwrap_or_default();
    let parts = 1 + ["emoji", "links"].iter().filter(|part| source.is_wanted(part)).count() as u64;
    let commits = source.project.pointer("/statistics/commit_count").and_then(Value::as_u64).unwrap_or_default();
    let commits = if source.with.contains(&"commit-comments") { commits + commits.div_ceil(100) } else { 0 };
    let requests = total.div_ceil(100) + total * (parts + if source.is_wanted("events") { 3 } else { 0 }) + commits;
    let rate = options.ci.last("rate").and_then(|rate| rate.parse::<f64>().ok()).filter(|rate| *rate > 0.0);
    let forecast =
        rate.map_or_else(String::new, |rate| format!(", {} at {rate} a minute", rough(requests as f64 * 60.0 / rate)));
    console.say(&format!("{} issues, about {} requests{forecast}", thousands(total), thousands(requests)));
    let mut progress = Progress::new(console, &source.api.pace, "issues", total);
    let (mut is_keyset, mut tries) = (true, 0);
    loop {
        let keyset = if is_keyset { "&pagination=keyset" } else { "" };
        let from = after.as_ref().map_or_else(String::new, |after| format!("&created_after={}", segment(after)));
        let (mut page, mut listed) = (Vec::new(), 0);
        let (known, mut newest) = (seen.len(), None);
        let mut take = |page: &mut Vec<Value>, seen: &mut HashSet<i64>| -> Result<()> {
            let taken = std::mem::take(page);
            progress.advance(taken.len() as u64);
            let new: Vec<_> =
                taken.into_iter().filter(|of| number(of, "iid").is_some_and(|iid| seen.insert(iid))).collect();
            let lines = in_parallel(&new, options.jobs, |of| source.issue(of))?;
            source.report(|report| report.of("issue").read += lines.len() as u64);
            for place in lines::append(&path, &lines)? {
                let iid = lines.get(place).and_then(|line| number(line, "iid")).unwrap_or_default();
                console.warn(&format!("issue {iid} is longer than GitLab's import reads"));
            }
            Ok(())
        };
        let outcome = source.api.list(&format!("{base}{keyset}{from}"), |of| {
            listed += 1;
            newest = text(&of, "created_at").map(str::to_owned).or(newest.take());
            if source.is_wanted("confidential") || !flag(&of, "confidential") {
                page.push(of);
            }
            if page.len() == TOGETHER { take(&mut page, &mut seen) } else { Ok(()) }
        })?;
        take(&mut page, &mut seen)?;
        match outcome {
            // an issue that was deleted meanwhile moved the pages behind it
            Ok(Some(total)) if total > listed && tries < 3 => tries += 1,
            Ok(_) => break,
            Err(Refusal(400 | 405, _)) if is_keyset && listed == 0 => is_keyset = false,
            // too far for pages by number
            Err(Refusal(400 | 405, _)) if newest.is_some() && seen.len() > known => after = newest,
            Err(refusal) => return Err(source.api.refused(&base, &refusal)),
        }
    }
    progress.end();
    Ok(before)
}

/// Does so many at a time, and keeps their order.
fn in_parallel<T: Sync>(of: &[T], jobs: usize, work: impl Fn(&T) -> Result<Value> + Sync) -> Result<Vec<Value>> {
    let done = Mutex::new(BTreeMap::new());
    in_threads(jobs, of, |place, one| {
        let value = work(one)?;
        locked(&done).insert(place, value);
        Ok(())
    })?;
    let done = std::mem::take(&mut *locked(&done));
    Ok(done.into_values().collect())
}

/// Puts the issues in order, and takes their links out of them. Links between issues that were not read again stay.
pub fn links(source: &Source<'_>, folder: &Path, before: &HashSet<i64>) -> Result<HashSet<i64>> {
    let (mut read, mut all) = (HashSet::new(), BTreeMap::new());
    let mut add = |link: Value| {
        let key = (number(&link, "issue"), number(&link, "target"), text(&link, "type").map(str::to_owned));
        all.insert(key, link);
    };
    lines::settle(&folder.join(ISSUES), |iid, line| {
        if let Some(Value::Array(links)) = line.as_object_mut().and_then(|line| line.remove("links")) {
            read.insert(iid);
            links.into_iter().for_each(&mut add);
        }
    })?;
    for link in lines::all(&folder.join(LINKS)) {
        let was_read = |name| number(&link, name).is_some_and(|iid| read.contains(&iid));
        if !was_read("issue") && !was_read("target") && source.is_wanted("links") {
            let key = (number(&link, "issue"), number(&link, "target"), text(&link, "type").map(str::to_owned));
            all.entry(key).or_insert(link);
        }
    }
    lines::write(&folder.join(LINKS), all.values())?;
    read.retain(|iid| !before.contains(iid));
    Ok(read)
}
