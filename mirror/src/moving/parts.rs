//! What an export reads beside issues: releases, deployments, statuses, members, people, files.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::archive::{
    Archive, COMMIT_NOTES, DEPLOYMENTS, ENVIRONMENTS, ISSUES, MEMBERS, MILESTONES, RELEASES, STATUSES, USERS,
};
use super::common::{PAGE, unusable};
use super::fields::{flag, id_in, list, millis, number, picked, text, word};
use super::people::confirmed;
use super::report::Progress;
use super::source::{Source, milestone};
use super::survey::status;
use super::texts::Texts;
use super::{lines, time};
use crate::console::Console;
use crate::error::Result;
use crate::text::segment;

/// At a GitLab the commits of so many pipelines have their statuses read.
const PIPELINES: usize = 1000;

/// What is not of issues.
pub fn parts(source: &Source<'_>, folder: &Path, at: Option<i64>, is_ours: bool) -> Result<()> {
    let write = |name: &str, query: &str, wanted: &str, to: &str, line: fn(&Value) -> Value| {
        let read = if source.is_wanted(wanted) {
            source.part(name, &format!("/{query}{PAGE}"), &source.web)?
        } else {
            Vec::new()
        };
        let lines: Vec<_> = read.iter().map(line).collect();
        // both servers list the newest release first, and an import writes them in the order of the archive
        if name == "releases" {
            return lines::write(&folder.join(to), lines.iter().rev());
        }
        lines::write(&folder.join(to), &lines)
    };
    write("releases", "releases?", "releases", RELEASES, release)?;
    write("environments", "environments?", "deployments", ENVIRONMENTS, environment)?;
    write("deployments", "deployments?order_by=id&sort=asc&", "deployments", DEPLOYMENTS, deployment)?;
    write("members", "members/all?", "members", MEMBERS, |of| {
        let user = picked(of, "id username", json!({"public_email": word(of, "public_email")}));
        picked(of, "access_level expires_at", json!({"user_id": number(of, "id"), "user": user}))
    })?;
    statuses(source, folder, at, is_ours)?;
    if source.with.contains(&"commit-comments") {
        let mut notes = Vec::new();
        for commit in source.part("commits", &format!("/repository/commits?all=true&{PAGE}"), &source.web)? {
            let Some(sha) = text(&commit, "id") else { continue };
            let read =
                source.part("comments of commits", &format!("/repository/commits/{sha}/comments?{PAGE}"), sha)?;
            notes.extend(read.iter().map(|of| commit_note(of, sha)));
        }
        lines::write(&folder.join(COMMIT_NOTES), &notes)?;
    }
    Ok(())
}

fn commit_note(of: &Value, sha: &str) -> Value {
    let author = json!({"name": of.pointer("/author/name")});
    picked(
        of,
        "note created_at path line line_type",
        json!({"noteable_type": "Commit", "author_id": id_in(of, "author"), "author": author, "commit_id": sha}),
    )
}

fn release(of: &Value) -> Value {
    let link = |of: &Value| {
        let filepath = text(of, "direct_asset_url")
            .and_then(|url| url.split_once("/downloads/"))
            .map(|(_, end)| format!("/{end}"));
        picked(of, "name url link_type", json!({"filepath": filepath}))
    };
    // as releases
    let links = of.pointer("/assets/links").and_then(Value::as_array).into_iter().flatten().rev();
    let milestones = list(of, "milestones").iter().map(|of| json!({"milestone": milestone(of)}));
    picked(
        of,
        "name description created_at released_at",
        json!({
            "tag": text(of, "tag_name"),
            "author_id": id_in(of, "author"),
            "sha": of.pointer("/commit/id"),
            "links": links.map(link).collect::<Vec<_>>(),
            "milestone_releases": milestones.collect::<Vec<_>>(),
        }),
    )
}

fn environment(of: &Value) -> Value {
    let more = json!({"external_url": word(of, "external_url"), "at": millis(of, "created_at")});
    picked(of, "name tier description state", more)
}

fn deployment(of: &Value) -> Value {
    let job = of.get("deployable").unwrap_or(&Value::Null);
    let more = json!({
        "environment": of.pointer("/environment/name"),
        "tag": flag(job, "tag"),
        "user": id_in(of, "user"),
        "state": text(of, "status"),
        "job": text(job, "name"),
        "at": millis(of, "created_at"),
        "started_at": millis(job, "started_at"),
        "finished_at": millis(of, "finished_at").or(millis(job, "finished_at")),
    });
    picked(of, "sha ref", more)
}

/// Those of the commits that have a pipeline.
fn statuses(source: &Source<'_>, folder: &Path, at: Option<i64>, is_ours: bool) -> Result<()> {
    let path = folder.join(STATUSES);
    if !source.is_wanted("statuses") {
        return lines::write(&path, []);
    }
    let since = at.map_or_else(String::new, |at| format!("&updated_after={}", segment(&time::shown(at))));
    let pipelines =
        source.part("pipelines", &format!("/pipelines?order_by=id&sort=desc{since}&{PAGE}"), &source.web)?;
    let most = if is_ours { usize::MAX } else { PIPELINES };
    let left = pipelines.len().saturating_sub(most) as u64;
    source
        .report(|report| report.leave_many("pipelines before the newest 1,000: their statuses are not read", left, ""));
    let commits: HashSet<_> = pipelines.iter().take(most).filter_map(|of| text(of, "sha")).collect();
    let mut all = at.map(|_| lines::all(&path)).unwrap_or_default();
    all.retain(|line| text(line, "sha").is_some_and(|sha| !commits.contains(sha)));
    for sha in commits {
        for of in source.part("statuses", &format!("/repository/commits/{sha}/statuses?all=true&{PAGE}"), sha)? {
            all.push(status(sha, &of, id_in(&of, "author")));
        }
    }
    let place = |of: &Value| {
        let word = |name| text(of, name).unwrap_or_default().to_owned();
        (number(of, "at"), word("sha"), word("ref"), word("name"), of.to_string())
    };
    all.sort_by_cached_key(place);
    lines::write(&path, &all)
}

/// Who and what an archive names.
#[derive(Default)]
pub struct Named {
    /// People, and what their comments call them.
    users: BTreeMap<i64, Value>,
    /// Files by their secrets and names.
    files: BTreeSet<(String, String)>,
}

impl Named {
    pub fn read(source: &Source<'_>, folder: &Path, console: &Console) -> Result<Named> {
        let (archive, mut named) = (Archive::open(folder, console)?, Named::default());
        let tree = "tree/project.json";
        for path in [tree, ISSUES, MILESTONES, RELEASES, MEMBERS, COMMIT_NOTES, DEPLOYMENTS, STATUSES] {
            archive.lines(path, |_, of| {
                named.add(&of, &source.texts);
                Ok(())
            })?;
        }
        Ok(named)
    }

    fn add(&mut self, of: &Value, texts: &Texts) {
        of.as_array().into_iter().flatten().for_each(|of| self.add(of, texts));
        for (name, value) in of.as_object().into_iter().flatten() {
            match (&**name, value) {
                ("author_id" | "closed_by_id" | "user_id" | "user", Value::Number(id)) => {
                    let called = of.pointer("/author/name").cloned().unwrap_or_default();
                    self.users.entry(id.as_i64().unwrap_or_default()).or_insert(called);
                }
                ("note" | "description", Value::String(text)) => self.files.extend(texts.files(text)),
                _ => self.add(value, texts),
            }
        }
    }
}

/// All people that the archive names. The source is asked once for each.
pub fn people(source: &Source<'_>, folder: &Path, named: &Named) -> Result<()> {
    let path = folder.join(USERS);
    let before = lines::all(&path).into_iter().filter_map(|of| Some((number(&of, "id")?, of)));
    let mut known: BTreeMap<_, _> = before.collect();
    for (id, name) in &named.users {
        if known.contains_key(id) {
            continue;
        }
        let asked = source.api.read(&format!("/users/{id}"))?.unwrap_or_else(|_| json!({"name": name}));
        let more = json!({"id": id, "email": confirmed(&asked), "bot": flag(&asked, "bot")});
        known.insert(*id, picked(&asked, "username name state", more));
    }
    lines::write(&path, known.values())
}

/// Reads the files that texts name.
pub fn files(source: &Source<'_>, folder: &Path, named: &Named, console: &Console) -> Result<()> {
    if !source.is_wanted("uploads") {
        return Ok(());
    }
    let mut progress = Progress::new(console, &source.api.pace, "files", named.files.len() as u64);
    for (secret, name) in &named.files {
        let home = folder.join("uploads").join(secret);
        let (place, part) = (home.join(name), folder.join("uploads.part"));
        progress.advance(1);
        source.report(|report| report.of("file").read += 1);
        if place.exists() {
            continue;
        }
        fs::create_dir_all(&home).map_err(unusable(&home))?;
        let own = format!("{}/uploads/{secret}/{}", source.path, segment(name));
        let web = format!("{}/uploads/{secret}/{}", source.web, segment(name));
        let mut status = source.api.transport.download(&own, &part);
        if !matches!(status, Ok(200)) {
            status = source.api.transport.download(&web, &part);
        }
        match status {
            Ok(200) => {
                fs::rename(&part, &place).map_err(unusable(&place))?;
                source.report(|report| report.of("file").new += 1);
            }
            outcome => {
                let why = outcome.map_or_else(|error| error.to_string(), |status| status.to_string());
                let _ = fs::remove_dir(&home);
                source.report(|report| {
                    report.leave("files that texts name and the source does not have", &format!("{web}: {why}"))
                });
            }
        }
    }
    progress.end();
    Ok(())
}
