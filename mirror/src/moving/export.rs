//! `export`: a server is read into a folder. A run that was killed goes on, and a later one reads what has changed.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use super::api::{Api, SOURCE_TOKEN, option, project, token, web_address};
use super::archive::{ISSUES, LABELS, LINKS, MANIFEST, MILESTONES};
use super::common::{PAGE, VERSION, own_only, unusable};
use super::fields::{flag, id_in, number, picked, put, text};
use super::parts::{Named, files, parts, people};
use super::reading::{issues, links};
use super::report::Report;
use super::source::Source;
use super::tarball::pack;
use super::target::VISIBILITIES;
use super::{lines, packages, time};
use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};

/// Minutes before an export in which what changes is read again by the next one.
const OVERLAP: i64 = 600_000;

const WITHOUT: &[&str] =
    &["confidential", "events", "emoji", "links", "uploads", "releases", "deployments", "statuses"];
const WITH: &[&str] = &["note-emoji", "commit-comments", packages::FOLDER];

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
    let token = token(options.token_file.as_deref(), SOURCE_TOKEN, console)?;
    let api = Api::new(from, token, options, console)?;
    let is_file = to.extension().is_some_and(|end| end == "gz" || end == "tgz");
    if to.is_file() && !(is_file && is_gzip(to)) {
        return Err(Error::Usage(format!("{} is a file that is no archive; give another place", to.display())));
    }
    if options.has_repository && !options.repository.exists() {
        return Err(Error::Usage(format!("--repository {} is not there", options.repository.display())));
    }
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
        own_only(to)?;
        fs::remove_dir_all(&folder).map_err(unusable(&folder))?;
    }
    report.end(&api.pace, began, options.ci.last("report"))
}

fn is_gzip(file: &Path) -> bool {
    let mut begin = [0; 2];
    File::open(file).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok()) && begin == [0x1f, 0x8b]
}

fn bundle(repository: &Path, folder: &Path) -> Result<()> {
    // git runs in the folder of the repository
    let to = std::path::absolute(folder).map_err(unusable(folder))?.join("project.bundle");
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
    // addresses of people and confidential issues are in it
    own_only(folder)?;
    let (version, user) = (api.needed("/version")?, api.needed("/user")?);
    let of = api.needed(&format!("{}?statistics=true", project(path)))?;
    let before = earlier(folder, &of, options)?;
    let at = before.get("at").and_then(Value::as_str).and_then(time::millis).map(|at| at - OVERLAP);
    let web = web_address(&of, &api.address);
    let mut source = Source::new(api, of, web, options.ci.words("without").collect(), with);
    let access = access(&source.project, &user);
    if access < 20 {
        console.warn("the token is less than a reporter's: confidential issues of others lack in the export");
    }
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
    let own = folder.join(MANIFEST);
    lines::write(&own, [&manifest])?;
    // a GitLab has the hash of its commit there
    let is_ours = text(&version, "revision").is_some_and(|revision| revision.contains('.'));
    head(&mut source, folder, &version, is_ours)?;
    let known = issues(&source, folder, at, options, console)?;
    let linked: HashSet<i64> = links(&source, folder, &known)?;
    source.report(|report| report.of("issue").new = linked.len() as u64);
    parts(&source, folder, at, is_ours)?;
    let named = Named::read(&source, folder, console)?;
    people(&source, folder, &named)?;
    files(&source, folder, &named, console)?;
    packages::read(&source, folder)?;
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
    if report.refused.is_empty() {
        put(&mut manifest, "at", time::shown(started));
    }
    put(&mut manifest, "complete", true);
    put(&mut manifest, "counts", counts);
    lines::write(&own, [&manifest])?;
    Ok(report)
}

/// The manifest of an earlier run into this folder, which must be of the same project.
fn earlier(folder: &Path, project: &Value, options: &Options) -> Result<Value> {
    let text_of = fs::read(folder.join(MANIFEST)).unwrap_or_default();
    let before: Value = serde_json::from_slice(&text_of).unwrap_or_default();
    if !before.is_null() && id_in(&before, "project") != number(project, "id") {
        return Err(Error::Usage(format!("{} has another project", folder.display())));
    }
    if options.ci.last("full").is_some() || before.is_null() {
        [ISSUES, LINKS].iter().for_each(|path| drop(fs::remove_file(folder.join(path))));
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
    let visibility = VISIBILITIES.iter().find(|(name, _)| text(of, "visibility") == Some(name));
    let enabled = |name: &str, old: &str| {
        text(of, name).map_or_else(|| of.get(old).and_then(Value::as_bool).unwrap_or(true), |level| level != "disabled")
    };
    let tree = json!({
        "description": text(of, "description"),
        "visibility_level": visibility.map_or(0, |(_, level)| *level),
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
    for of in source.api.needed_list(&path)? {
        let title = text(&of, "name").unwrap_or_default().to_owned();
        let is_own = of.get("is_project_label").and_then(Value::as_bool).unwrap_or(true);
        let kind = if is_own { "ProjectLabel" } else { "GroupLabel" };
        let label = picked(&of, "id color description", json!({"title": title, "type": kind}));
        if is_own || !labels.contains_key(&title) {
            labels.insert(title, label);
        }
    }
    let own = labels.values().filter(|of| text(of, "type") == Some("ProjectLabel"));
    let own: Vec<_> = own.map(|of| picked(of, "color description title type", json!({}))).collect();
    lines::write(&folder.join(LABELS), &own)?;
    source.labels = labels;
    let mut milestones = BTreeMap::new();
    let query = "state=all&include_ancestors=true&include_parent_milestones=true";
    for of in source.api.needed_list(&format!("{}/milestones?{query}&{PAGE}", source.path))? {
        let names = "title iid group_id description state start_date due_date created_at updated_at";
        let line = picked(&of, names, json!({}));
        milestones.insert((number(&of, "group_id").is_some(), number(&of, "iid"), number(&of, "id")), line);
    }
    lines::write(&folder.join(MILESTONES), milestones.values())
}
