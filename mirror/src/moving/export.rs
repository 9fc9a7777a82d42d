//! `export`: a server is read into a folder. A run that was killed goes on, and a later one reads what has changed.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use super::api::{Api, Refusal, SOURCE_TOKEN, option, project, token, web_address};
use super::common::{PAGE, VERSION, unusable};
use super::fields::{flag, id_in, list, millis, number, text, word};
use super::lines;
use super::manifest;
use super::pack::pack;
use super::people::confirmed;
use super::report::{Progress, Report, rough, thousands};
use super::source::{Source, milestone};
use super::survey::{
    COMMIT_NOTES, DEPLOYMENTS, ENVIRONMENTS, ISSUES, LABELS, LINKS, MEMBERS, MILESTONES, RELEASES, STATUSES, USERS,
};
use super::time;
use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::text::segment;

/// Minutes before an export in which what changes is read again by the next one.
const OVERLAP: i64 = 600_000;

/// Issues that are read before their lines are written. A run that is killed loses them.
const TOGETHER: usize = 25;

/// At a GitLab the commits of so many pipelines have their statuses read.
const PIPELINES: usize = 1000;

const WITHOUT: &[&str] =
    &["confidential", "events", "emoji", "links", "uploads", "releases", "deployments", "statuses"];
const WITH: &[&str] = &["note-emoji", "commit-comments"];

/// What is counted for the report and has no place in the archive.
const COUNTED: &[(&str, &str)] = &[
    ("merge_requests", "merge requests: they stay in GitLab's own archive"),
    ("snippets", "snippets"),
    ("protected_branches", "protected branches"),
    ("boards", "boards"),
];

pub fn export(options: &Options, console: &Console) -> Result<u8> {
    let began = Instant::now();
    let (from, path, to) = (option(options, "from")?, option(options, "project")?, Path::new(option(options, "to")?));
    for (name, known) in [("with", WITH), ("without", WITHOUT)] {
        if let Some(word) = options.ci.words(name).find(|word| !known.contains(word)) {
            return Err(Error::Usage(format!("--{name} {word} is not known; give some of {}", known.join(", "))));
        }
    }
    let file = options.token_file.as_ref().map(|file| file.display().to_string());
    let api = Api::new(from, token(file.as_deref(), SOURCE_TOKEN, console)?, options, console)?;
    let is_file = to.extension().is_some_and(|end| end == "gz" || end == "tgz");
    let folder = if is_file { PathBuf::from(format!("{}.partial", to.display())) } else { to.to_owned() };
    let with = options.ci.words("with").collect();
    let report = read(&api, path, &folder, with, options, console).map_err(|error| match error {
        Error::Server(text) => Error::Repository(text),
        error => error,
    })?;
    if options.has_repository {
        bundle(&options.repository, &folder)?;
    }
    if is_file {
        pack(&folder, to)?;
        fs::remove_dir_all(&folder).map_err(unusable(&folder))?;
    }
    let paces = api.pace().into_iter().collect::<Vec<_>>();
    report.end(&paces, began, options.ci.last("report"))
}

fn bundle(repository: &Path, folder: &Path) -> Result<()> {
    let to = folder.join("project.bundle");
    let done =
        Command::new("git").arg("-C").arg(repository).args(["bundle", "create", "-q"]).arg(&to).arg("--all").status();
    match done {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Error::Repository(format!("git bundle ended with {status}"))),
        Err(error) => Err(Error::Repository(format!("git cannot be run: {error}"))),
    }
}

/// Reads a project into a folder.
pub fn read(
    api: &Api<'_>,
    path: &str,
    folder: &Path,
    with: Vec<&str>,
    options: &Options,
    console: &Console,
) -> Result<Report> {
    let started = time::now();
    for inner in ["tree/project", "edgeforge", "uploads"] {
        fs::create_dir_all(folder.join(inner)).map_err(unusable(folder))?;
    }
    let (version, user) = (api.needed("/version")?, api.needed("/user")?);
    let of = api.needed(&project(path))?;
    let before = earlier(folder, &of, options)?;
    let at = before.get("at").and_then(Value::as_str).and_then(time::millis).map(|at| at - OVERLAP);
    let web = web_address(&of, &api.address);
    let mut source = Source::new(api, of, web, options.ci.words("without").collect(), with);
    let access = access(&source.project, &user);
    if access < 20 {
        console.warn("the token is less than a reporter's: confidential issues of others lack in the export");
    }
    source.remember_files(list(&before, "missing"));
    let mut manifest = json!({
        "format": 1,
        "server": api.address,
        "project": {
            "id": number(&source.project, "id"),
            "path": text(&source.project, "path_with_namespace"),
            "name": text(&source.project, "name"),
            "web_url": source.web,
        },
        "user": {"username": text(&user, "username"), "access_level": access},
        "options": {"with": source.with, "without": source.without},
        "at": before.get("at"),
        "complete": false,
    });
    let own = folder.join(manifest::PATH);
    lines::write(&own, [&manifest])?;
    // a GitLab has the hash of its commit there
    let is_ours = text(&version, "revision").is_some_and(|revision| revision.contains('.'));
    head(&mut source, folder, &version, is_ours)?;
    let known = issues(&source, folder, at, options, console)?;
    let linked: HashSet<i64> = links(&source, folder, &known)?;
    source.report(|report| report.of("issue").new = linked.len() as u64);
    parts(&source, folder, at, is_ours)?;
    people(&source, folder)?;
    let missing = files(&source, folder, console)?;
    let mut counts = serde_json::Map::new();
    for (name, what) in COUNTED {
        let answer = api.send("GET", &format!("{}/{name}?per_page=1", source.path), None)?;
        if let Some(total @ 1..) = answer.total.filter(|_| answer.status == 200) {
            counts.insert((*name).to_owned(), json!(total));
            source.report(|report| report.leave_many(what, total, ""));
        }
    }
    for hook in source.part("web hooks", &format!("/hooks?{PAGE}"), &source.web)? {
        source.report(|report| report.leave("web hooks", text(&hook, "url").unwrap_or_default()));
    }
    if flag(&source.project, "wiki_enabled") {
        source.report(|report| report.leave("a wiki: git clone has it", &format!("{}.wiki.git", source.web)));
    }
    if at.is_some() && source.is_wanted("emoji") {
        console.say("new emoji and links of issues that did not change otherwise come with --full only");
    }
    let report = source.report(std::mem::take);
    // what could not be read is read by the next run
    let is_whole = report.refused.is_empty();
    let fields = [
        ("at", if is_whole { json!(time::shown(started)) } else { json!(before.get("at")) }),
        ("complete", json!(true)),
        ("counts", Value::Object(counts)),
        ("missing", Value::Array(missing)),
    ];
    if let Some(object) = manifest.as_object_mut() {
        object.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
    lines::write(&own, [&manifest])?;
    Ok(report)
}

/// The manifest of an earlier run into this folder, which must be of the same project.
fn earlier(folder: &Path, project: &Value, options: &Options) -> Result<Value> {
    let text_of = fs::read(folder.join(manifest::PATH)).unwrap_or_default();
    let before: Value = serde_json::from_slice(&text_of).unwrap_or_default();
    if !before.is_null() && id_in(&before, "project") != number(project, "id") {
        return Err(Error::Usage(format!("{} has another project", folder.display())));
    }
    if options.ci.last("full").is_some() || before.is_null() {
        let _ = fs::remove_file(folder.join(ISSUES));
        let _ = fs::remove_file(folder.join(LINKS));
        return Ok(Value::Null);
    }
    Ok(before)
}

fn access(project: &Value, user: &Value) -> i64 {
    let level = |name: &str| project.get("permissions").and_then(|of| number(of.get(name)?, "access_level"));
    let level = level("project_access").max(level("group_access")).unwrap_or_default();
    if flag(user, "is_admin") { 60 } else { level }
}

/// The project, its labels and milestones.
fn head(source: &mut Source<'_>, folder: &Path, version: &Value, is_ours: bool) -> Result<()> {
    let of = &source.project;
    source.scan(text(of, "description"));
    let visibility = match text(of, "visibility") {
        Some("public") => 20,
        Some("internal") => 10,
        _ => 0,
    };
    let enabled = |name: &str, old: &str| {
        text(of, name).map_or_else(|| of.get(old).and_then(Value::as_bool).unwrap_or(true), |level| level != "disabled")
    };
    let tree = json!({
        "description": text(of, "description"),
        "visibility_level": visibility,
        "archived": flag(of, "archived"),
        "autoclose_referenced_issues": of.get("autoclose_referenced_issues"),
        "issues_enabled": enabled("issues_access_level", "issues_enabled"),
        "builds_enabled": enabled("builds_access_level", "jobs_enabled"),
    });
    lines::write(&folder.join("tree/project.json"), [&tree])?;
    let said = |name| text(version, name).unwrap_or_default();
    let revision = if is_ours { "edgeforge" } else { said("revision") };
    for (name, text) in [("VERSION", VERSION), ("GITLAB_VERSION", said("version")), ("GITLAB_REVISION", revision)] {
        fs::write(folder.join(name), text).map_err(unusable(folder))?;
    }
    let mut labels = BTreeMap::new();
    let path = format!("{}/labels?include_ancestor_groups=true&{PAGE}", source.path);
    source.api.needed_list(&path, |of| {
        let title = text(&of, "name").unwrap_or_default().to_owned();
        let is_own = of.get("is_project_label").and_then(Value::as_bool).unwrap_or(true);
        let label = json!({
            "id": number(&of, "id"),
            "title": title,
            "color": text(&of, "color"),
            "description": text(&of, "description"),
            "type": if is_own { "ProjectLabel" } else { "GroupLabel" },
        });
        if is_own || !labels.contains_key(&title) {
            labels.insert(title, label);
        }
        Ok(())
    })?;
    let own: Vec<_> = labels.values().filter(|of| text(of, "type") == Some("ProjectLabel")).map(without_id).collect();
    lines::write(&folder.join(LABELS), &own)?;
    source.labels = labels;
    let mut milestones = BTreeMap::new();
    let query = "state=all&include_ancestors=true&include_parent_milestones=true";
    source.api.needed_list(&format!("{}/milestones?{query}&{PAGE}", source.path), |of| {
        source.scan(text(&of, "description"));
        let names =
            ["title", "iid", "group_id", "description", "state", "start_date", "due_date", "created_at", "updated_at"];
        let line: Value =
            names.iter().map(|name| ((*name).to_owned(), of.get(*name).cloned().unwrap_or_default())).collect();
        milestones.insert((number(&of, "group_id").is_some(), number(&of, "iid"), number(&of, "id")), line);
        Ok(())
    })?;
    lines::write(&folder.join(MILESTONES), milestones.values())
}

fn without_id(label: &Value) -> Value {
    let mut label = label.clone();
    if let Some(fields) = label.as_object_mut() {
        fields.remove("id");
    }
    label
}

/// Appends the issues that the folder lacks, or that changed since `at`. Returns the numbers that were there before.
fn issues(
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
    let requests = total.div_ceil(100) + total * (parts + if source.is_wanted("events") { 3 } else { 0 });
    let rate = options.ci.last("rate").and_then(|rate| rate.parse::<f64>().ok()).filter(|rate| *rate > 0.0);
    let forecast =
        rate.map_or_else(String::new, |rate| format!(", {} at {rate} a minute", rough(requests as f64 * 60.0 / rate)));
    console.say(&format!("{} issues, about {} requests{forecast}", thousands(total), thousands(requests)));
    let Some(pace) = source.api.pace() else { return Ok(before) };
    let mut progress = Progress::new(console, pace, "issues", total);
    let (mut is_keyset, mut tries) = (true, 0);
    loop {
        let keyset = if is_keyset { "&pagination=keyset" } else { "" };
        let from = after.as_ref().map_or_else(String::new, |after| format!("&created_after={}", segment(after)));
        let (mut page, mut listed) = (Vec::new(), 0);
        let (known, mut newest) = (seen.len(), None);
        let mut take = |page: &mut Vec<Value>, seen: &mut HashSet<i64>| -> Result<()> {
            let taken = std::mem::take(page);
            progress.advance(taken.len() as u64, pace);
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
    let next = Mutex::new(of.iter().enumerate());
    let done = Mutex::new(BTreeMap::new());
    let run = || -> Result<()> {
        loop {
            let taken = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((place, one)) = taken else { return Ok(()) };
            let value = work(one)?;
            done.lock().unwrap_or_else(PoisonError::into_inner).insert(place, value);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(run)).collect();
        let ends = workers.into_iter().map(|worker| worker.join());
        ends.map(|end| end.unwrap_or_else(|_| Err(Error::Server("a thread ended".to_owned()))))
            .collect::<Result<Vec<_>>>()
    })?;
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect())
}

/// Puts the issues in order, and takes their links out of them. Links between issues that were not read again stay.
fn links(source: &Source<'_>, folder: &Path, before: &HashSet<i64>) -> Result<HashSet<i64>> {
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
    let old = fs::read_to_string(folder.join(LINKS)).unwrap_or_default();
    for link in old.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
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

/// What is not of issues.
fn parts(source: &Source<'_>, folder: &Path, at: Option<i64>, is_ours: bool) -> Result<()> {
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
    json!({
        "note": text(of, "note"),
        "noteable_type": "Commit",
        "author_id": source.person(of, "author"),
        "author": {"name": of.pointer("/author/name")},
        "created_at": text(of, "created_at"),
        "commit_id": sha,
        "path": text(of, "path"),
        "line": number(of, "line"),
        "line_type": text(of, "line_type"),
    })
}

fn release(source: &Source<'_>, of: &Value) -> Value {
    source.scan(text(of, "description"));
    let link = |of: &Value| {
        let filepath = text(of, "direct_asset_url")
            .and_then(|url| url.split_once("/downloads/"))
            .map(|(_, end)| format!("/{end}"));
        json!({"name": text(of, "name"), "url": text(of, "url"), "filepath": filepath, "link_type": text(of, "link_type")})
    };
    let links = of.pointer("/assets/links").and_then(Value::as_array).into_iter().flatten();
    json!({
        "tag": text(of, "tag_name"),
        "name": text(of, "name"),
        "description": text(of, "description"),
        "author_id": source.person(of, "author"),
        "created_at": text(of, "created_at"),
        "released_at": text(of, "released_at"),
        "sha": of.pointer("/commit/id"),
        "links": links.map(link).collect::<Vec<_>>(),
        "milestone_releases": list(of, "milestones").iter().map(|of| json!({"milestone": milestone(of)})).collect::<Vec<_>>(),
    })
}

fn environment(of: &Value) -> Value {
    json!({
        "name": text(of, "name"),
        "external_url": word(of, "external_url"),
        "tier": text(of, "tier"),
        "description": text(of, "description"),
        "state": text(of, "state"),
        "at": millis(of, "created_at"),
    })
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
    let mut all = Vec::new();
    let old = at.map(|_| fs::read_to_string(&path).unwrap_or_default()).unwrap_or_default();
    for line in old.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        if text(&line, "sha").is_some_and(|sha| !commits.contains(sha)) {
            all.push(line);
        }
    }
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
fn people(source: &Source<'_>, folder: &Path) -> Result<()> {
    let path = folder.join(USERS);
    let mut known = BTreeMap::new();
    for line in fs::read_to_string(&path).unwrap_or_default().lines() {
        let of: Value = serde_json::from_str(line).unwrap_or_default();
        number(&of, "id").map(|id| known.insert(id, of));
    }
    for (id, met) in source.users() {
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
fn files(source: &Source<'_>, folder: &Path, console: &Console) -> Result<Vec<Value>> {
    let (mut missing, files) = (Vec::new(), source.files());
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
