//! What an export reads beside issues: releases, deployments, statuses, members, people, files.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::common::{PAGE, unusable};
use super::fields::{flag, list, millis, number, text, with_texts, word};
use super::people::confirmed;
use super::report::Progress;
use super::source::{Source, milestone};
use super::survey::{COMMIT_NOTES, DEPLOYMENTS, ENVIRONMENTS, MEMBERS, RELEASES, STATUSES, USERS};
use super::{lines, time};
use crate::console::Console;
use crate::error::Result;
use crate::text::segment;

/// At a GitLab the commits of so many pipelines have their statuses read.
const PIPELINES: usize = 1000;

/// What is not of issues.
pub fn parts(source: &Source<'_>, folder: &Path, at: Option<i64>, is_ours: bool) -> Result<()> {
    let whole = |name: &'static str, path: &str, wanted: &str| {
        if source.is_wanted(wanted) { source.part(name, path, &source.web) } else { Ok(Vec::new()) }
    };
    let releases = whole("releases", &format!("/releases?{PAGE}"), "releases")?;
    lines::write(&folder.join(RELEASES), &releases.iter().rev().map(|of| release(source, of)).collect::<Vec<_>>())?;
    let environments = whole("environments", &format!("/environments?{PAGE}"), "deployments")?;
    lines::write(&folder.join(ENVIRONMENTS), &environments.iter().map(environment).collect::<Vec<_>>())?;
    let deployments = whole("deployments", &format!("/deployments?order_by=id&sort=asc&{PAGE}"), "deployments")?;
    lines::write(&folder.join(DEPLOYMENTS), &deployments.iter().map(|of| deployment(source, of)).collect::<Vec<_>>())?;
    let members = whole("members", &format!("/members/all?{PAGE}"), "members")?;
    let member = |of: &Value| {
        json!({
            "user_id": source.person(&json!({"user": of}), "user"),
            "access_level": number(of, "access_level"),
            "expires_at": text(of, "expires_at"),
            "user": {"id": number(of, "id"), "username": text(of, "username"), "public_email": word(of, "public_email")},
        })
    };
    lines::write(&folder.join(MEMBERS), &members.iter().map(member).collect::<Vec<_>>())?;
    statuses(source, folder, at, is_ours)?;
    if source.with.contains(&"commit-comments") {
        let mut notes = Vec::new();
        for commit in source.part("commits", &format!("/repository/commits?all=true&{PAGE}"), &source.web)? {
            let Some(sha) = text(&commit, "id") else { continue };
            let read =
                source.part("comments of commits", &format!("/repository/commits/{sha}/comments?{PAGE}"), sha)?;
            notes.extend(read.iter().map(|of| commit_note(source, of, sha)));
        }
        lines::write(&folder.join(COMMIT_NOTES), &notes)?;
    }
    Ok(())
}

fn commit_note(source: &Source<'_>, of: &Value, sha: &str) -> Value {
    source.scan(text(of, "note"));
    with_texts(
        json!({
            "noteable_type": "Commit",
            "author_id": source.person(of, "author"),
            "author": {"name": of.pointer("/author/name")},
            "commit_id": sha,
            "line": number(of, "line"),
        }),
        of,
        "note created_at path line_type",
    )
}

fn release(source: &Source<'_>, of: &Value) -> Value {
    source.scan(text(of, "description"));
    let link = |of: &Value| {
        let filepath = text(of, "direct_asset_url")
            .and_then(|url| url.split_once("/downloads/"))
            .map(|(_, end)| format!("/{end}"));
        json!({"name": text(of, "name"), "url": text(of, "url"), "filepath": filepath, "link_type": text(of, "link_type")})
    };
    // both servers list the newest first, and an import writes them in the order of the archive
    let links = of.pointer("/assets/links").and_then(Value::as_array).into_iter().flatten().rev();
    with_texts(
        json!({
            "tag": text(of, "tag_name"),
            "author_id": source.person(of, "author"),
            "sha": of.pointer("/commit/id"),
            "links": links.map(link).collect::<Vec<_>>(),
            "milestone_releases": list(of, "milestones").iter().map(|of| json!({"milestone": milestone(of)})).collect::<Vec<_>>(),
        }),
        of,
        "name description created_at released_at",
    )
}

fn environment(of: &Value) -> Value {
    with_texts(
        json!({
            "external_url": word(of, "external_url"),
            "at": millis(of, "created_at"),
        }),
        of,
        "name tier description state",
    )
}

fn deployment(source: &Source<'_>, of: &Value) -> Value {
    let job = of.get("deployable").unwrap_or(&Value::Null);
    json!({
        "environment": of.pointer("/environment/name"),
        "sha": text(of, "sha"),
        "ref": text(of, "ref"),
        "tag": flag(job, "tag"),
        "user": source.person(of, "user"),
        "state": text(of, "status"),
        "job": text(job, "name"),
        "at": millis(of, "created_at"),
        "started_at": millis(job, "started_at"),
        "finished_at": millis(of, "finished_at").or(millis(job, "finished_at")),
    })
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
            all.push(json!({
                "sha": sha,
                "ref": text(&of, "ref"),
                "name": text(&of, "name"),
                "user": source.person(&of, "author"),
                "state": text(&of, "status"),
                "target_url": word(&of, "target_url"),
                "description": text(&of, "description"),
                "coverage": of.get("coverage"),
                "at": millis(&of, "created_at"),
                "started_at": millis(&of, "started_at"),
                "finished_at": millis(&of, "finished_at"),
            }));
        }
    }
    let place = |of: &Value| {
        let word = |name| text(of, name).unwrap_or_default().to_owned();
        (number(of, "at"), word("sha"), word("ref"), word("name"), of.to_string())
    };
    all.sort_by_cached_key(place);
    lines::write(&path, &all)
}

/// All people that the archive names. The source is asked once for each.
pub fn people(source: &Source<'_>, folder: &Path) -> Result<()> {
    let path = folder.join(USERS);
    let before = lines::all(&path).into_iter().filter_map(|of| Some((number(&of, "id")?, of)));
    let mut known: BTreeMap<_, _> = before.collect();
    for (id, met) in source.met(|met| met.users.clone()) {
        if known.contains_key(&id) {
            continue;
        }
        let asked = source.api.read(&format!("/users/{id}"))?.unwrap_or(met);
        known.insert(
            id,
            json!({
                "id": id,
                "username": text(&asked, "username"),
                "name": text(&asked, "name"),
                "state": text(&asked, "state"),
                "email": confirmed(&asked),
                "bot": flag(&asked, "bot"),
            }),
        );
    }
    lines::write(&path, known.values())
}

/// Reads the files that texts name. Returns those that lack.
pub fn files(source: &Source<'_>, folder: &Path, console: &Console) -> Result<Vec<Value>> {
    let (mut missing, files) = (Vec::new(), source.met(|met| met.files.clone()));
    let Some(pace) = source.api.pace().filter(|_| source.is_wanted("uploads")) else { return Ok(missing) };
    let mut progress = Progress::new(console, pace, "files", files.len() as u64);
    for (secret, name) in files {
        let home = folder.join("uploads").join(&secret);
        let (place, part) = (home.join(&name), folder.join("uploads.part"));
        progress.advance(1, pace);
        source.report(|report| report.of("file").read += 1);
        if place.exists() {
            continue;
        }
        fs::create_dir_all(&home).map_err(unusable(&home))?;
        let own = format!("{}/uploads/{secret}/{}", source.path, segment(&name));
        let web = format!("{}/uploads/{secret}/{}", source.web, segment(&name));
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
                missing.push(json!([secret, name]));
            }
        }
    }
    progress.end();
    Ok(missing)
}
