//! `import --verify`: exports the project, makes records of both archives, and compares them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use serde_json::Value;

use super::api::{Api, project};
use super::archive::{Archive, COMMIT_NOTES, ISSUES};
use super::common::{sum_of, unusable};
use super::fields::{number, text};
use super::people::People;
use super::records::{Maker, Record};
use super::report::{Report, thousands};
use super::survey::{Survey, walk};
use super::{export, files as uploads, lines, packages};
use crate::args::Options;
use crate::console::{Console, print};
use crate::error::Result;

const MOST_LINES: u64 = 100;

/// Fields that the server gives to a record itself, or does not show.
const UNEQUAL: &[(&str, &[&str])] = &[
    ("label", &["at"]),
    ("milestone", &["updated_at"]),
    ("environment", &["at", "tier"]),
    ("deployment", &["job", "tag", "started_at"]),
    ("event", &["commit"]),
    ("comment", &["line_type"]),
];

/// Kinds of which the project may have more than the archive.
const SHARED: &[&str] = &["label", "environment"];

struct Findings {
    lines: u64,
    kinds: BTreeMap<String, u64>,
}

impl Findings {
    fn tell(&mut self, kind: &str, line: &str) {
        self.lines += 1;
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
        if self.lines <= MOST_LINES {
            print(line);
        }
    }
}

/// Returns the exit code: 1 if something differs.
pub fn verify(
    api: &Api<'_>,
    path: &str,
    archive: &Archive,
    survey: &Survey,
    mut there: Maker,
    options: &Options,
    console: &Console,
) -> Result<u8> {
    let root = std::env::temp_dir().join(format!("edgeforge-verify-{}", std::process::id()));
    fs::create_dir_all(&root).map_err(unusable(&root))?;
    let comments = archive.root.join(COMMIT_NOTES).exists().then_some("commit-comments");
    let packages = archive.root.join(packages::FOLDER).exists().then_some(packages::FOLDER);
    let with = ["note-emoji"].into_iter().chain(comments).chain(packages).collect();
    let read = export::read(api, path, &root, with, options, console);
    let compared = read.and_then(|read| {
        let copy = Archive::open(&root, console)?;
        let mut report = Report::default();
        let all = Survey::read(&copy, &mut People::new(""), &mut report)?;
        let mut here = Maker { source: there.source.clone(), ..Maker::default() };
        let mut findings = Findings { lines: 0, kinds: BTreeMap::new() };
        for (why, left) in &read.refused {
            findings.tell("unread", &format!("{why}: {}", left.addresses.join(", ")));
        }
        issues(archive, &copy, &mut there, &mut here, &mut findings)?;
        parts([(archive, survey, &mut there), (&copy, &all, &mut here)], &mut findings)?;
        let listed = uploads::listed(api, &project(path), archive)?;
        files(archive, &copy, &listed, &mut findings)?;
        Ok(findings)
    });
    fs::remove_dir_all(&root).map_err(unusable(&root))?;
    let Findings { lines, kinds } = compared?;
    if lines > MOST_LINES {
        print(&format!("and {} more", thousands(lines - MOST_LINES)));
    }
    kinds.iter().for_each(|(kind, count)| print(&format!("{kind}: {} differ", thousands(*count))));
    print(&format!(
        "{} issues and {} records compared, {} differences",
        thousands(survey.issues.len() as u64),
        thousands(survey.records),
        thousands(lines)
    ));
    Ok(u8::from(lines > 0))
}

/// Each issue of the archive with that of the project, one at a time.
fn issues(
    archive: &Archive,
    copy: &Archive,
    there: &mut Maker,
    here: &mut Maker,
    findings: &mut Findings,
) -> Result<()> {
    let (mut places, _) = lines::index(&copy.root.join(ISSUES))?;
    archive.lines(ISSUES, |_, of| {
        let iid = number(&of, "iid").unwrap_or_default();
        let Some(at) = places.remove(&iid) else {
            findings.tell("issue", &format!("issue {iid} is not in the project"));
            return Ok(());
        };
        compare(iid, &there.issue(&of), &here.issue(&copy.line_at(ISSUES, at)?), findings);
        Ok(())
    })?;
    for iid in places.keys() {
        findings.tell("issue", &format!("issue {iid} is not in the archive"));
    }
    Ok(())
}

fn compare(iid: i64, there: &[Record], here: &[Record], findings: &mut Findings) {
    let before = findings.lines;
    let head = |name: &str, findings: &mut Findings| {
        let value = |of: &[Record]| of.first().and_then(|head| head.body.get(name)).cloned().unwrap_or_default();
        let (one, other) = (value(there), value(here));
        let long = |of: &Value| of.as_str().map_or_else(|| of.to_string().len(), str::len) as u64;
        let told = if long(&one).max(long(&other)) > 40 {
            format!("{} and {} bytes", thousands(long(&one)), thousands(long(&other)))
        } else {
            format!("{one} and {other}")
        };
        if one != other {
            findings.tell("issue", &format!("issue {iid}: {name} differs ({told})"));
        }
    };
    let names = [there, here].into_iter().filter_map(|of| of.first()?.body.as_object()).flat_map(|of| of.keys());
    let names: BTreeSet<_> = names.filter(|name| !matches!(&***name, "key" | "updated_at")).collect();
    names.into_iter().for_each(|name| head(name, findings));
    let hanging = |all: &[Record]| {
        let notes: BTreeMap<_, _> =
            all.iter().filter(|of| of.kind == "note").map(|of| (of.key(), bare(of, None))).collect();
        let note = |of: &Record| text(&of.body, "note").and_then(|key| notes.get(key)).map(String::as_str);
        let mut found = Counted::new();
        all.iter().for_each(|of| *found.entry((of.kind, bare(of, note(of)))).or_default() += 1);
        found
    };
    let more = without(hanging(there), hanging(here));
    for (kind, what) in [("note", "comments"), ("event", "events"), ("award", "emoji")] {
        let of_kind = more.iter().filter(|((of, _), _)| *of == kind);
        let sum = |of: fn(i64) -> bool| of_kind.clone().map(|(_, n)| *n).filter(|n| of(*n)).sum::<i64>().abs();
        if let Some(((_, first), _)) = of_kind.clone().next() {
            let (lacks, more, first) = (sum(|n| n > 0), sum(|n| n < 0), begin(first));
            let text = format!("issue {iid}: {lacks} {what} only in the archive, {more} only here: {first}");
            findings.tell(kind, &text);
        }
    }
    if findings.lines == before {
        head("updated_at", findings);
    }
}

/// How many records are equal, by their kinds and texts.
type Counted = BTreeMap<(&'static str, String), i64>;

/// What one side has more than the other, and less below zero.
fn without(mut there: Counted, here: Counted) -> Counted {
    here.into_iter().for_each(|(record, count)| *there.entry(record).or_default() -= count);
    there.retain(|_, count| *count != 0);
    there
}

fn begin(text: &str) -> String {
    text.chars().take(200).collect()
}

/// A text that does not depend on the server: without its key, what the server does not show, and what is as if it were
/// absent. `note`: the comment of an emoji.
fn bare(record: &Record, note: Option<&str>) -> String {
    let mut body = record.body.clone();
    let unequal = UNEQUAL.iter().find(|(kind, _)| *kind == record.kind).map(|(_, names)| *names).unwrap_or_default();
    if let Some(fields) = body.as_object_mut() {
        let says = |value: &Value| {
            !matches!(value, Value::Bool(false)) && value.as_str() != Some("") && value.as_i64() != Some(0)
        };
        fields.retain(|name, value| name != "key" && !unequal.contains(&name.as_str()) && says(value));
        if record.kind == "award" {
            fields.insert("note".to_owned(), note.into());
        }
    }
    body.to_string()
}

/// All that is not of one issue.
fn parts(sides: [(&Archive, &Survey, &mut Maker); 2], findings: &mut Findings) -> Result<()> {
    let [there, here] = sides.map(|(archive, survey, maker)| -> Result<Counted> {
        let mut all = Counted::new();
        walk(archive, survey, maker, |record, _| {
            if !matches!(record.kind, "issue" | "note" | "event" | "award") {
                *all.entry((record.kind, bare(&record, None))).or_default() += 1;
            }
            Ok(())
        })?;
        Ok(all)
    });
    for ((kind, text), count) in without(there?, here?) {
        let place =
            if count > 0 { "not in the project as in the archive" } else { "not in the archive as in the project" };
        if count > 0 || !SHARED.contains(&kind) {
            findings.tell(kind, &format!("{kind}: {place}: {}", begin(&text)));
        }
    }
    Ok(())
}

/// `listed`: what the project has beside what its texts name, so that an export does not find it.
fn files(archive: &Archive, copy: &Archive, listed: &HashMap<String, u64>, findings: &mut Findings) -> Result<()> {
    let is_listed =
        |path: &str, size| path.split_once('/').is_some_and(|(secret, _)| listed.get(secret) == Some(&size));
    for folder in [uploads::FOLDER, packages::FOLDER] {
        let here: BTreeMap<_, _> = copy.files(folder)?.into_iter().collect();
        for (path, size) in archive.files(folder)? {
            let place = format!("{folder}/{path}");
            let sum = |of: &Archive| sum_of(&of.root.join(&place));
            match here.get(&path) {
                None if folder == uploads::FOLDER && is_listed(&path, size) => {}
                // a server before this one does not list secrets
                None if folder == uploads::FOLDER && listed.is_empty() => {
                    findings.tell("file", &format!("{place} is not in the project, or no text names it"));
                }
                None => findings.tell("file", &format!("{place} is not in the project")),
                Some(found) if *found != size => findings.tell("file", &format!("{place}: {size} and {found} bytes")),
                Some(_) if sum(archive)? != sum(copy)? => findings.tell("file", &format!("{place} has other bytes")),
                Some(_) => {}
            }
        }
    }
    Ok(())
}
