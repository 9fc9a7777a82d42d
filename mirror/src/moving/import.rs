//! `import`: an archive is read whole, then its records are sent, then its files, then its members.

use std::path::Path;
use std::time::Instant;

use super::api::{Api, Refusal, SOURCE_TOKEN, option, project, token, web_address};
use super::archive::{Archive, Manifest};
use super::fields::flag;
use super::foresight::Foresight;
use super::people::{People, Rules, confirmed};
use super::records::Maker;
use super::report::{Report, rough, thousands};
use super::send::Sender;
use super::survey::{Survey, walk};
use super::texts::Texts;
use super::{files, packages, target, verify};
use crate::args::Options;
use crate::console::{Console, print};
use crate::error::{Error, Result};
use crate::settings::TOKEN;
use crate::text::origin;

pub fn import(options: &Options, console: &Console) -> Result<u8> {
    let began = Instant::now();
    let (given, server, path) = (option(options, "archive")?, option(options, "server")?, option(options, "project")?);
    let with = options.ci.words("with").collect::<Vec<_>>();
    if let Some(word) = with.iter().find(|word| **word != "members") {
        return Err(Error::Usage(format!("--with {word}: import knows members")));
    }
    let api = Api::new(server, token(options.token_file.as_deref(), TOKEN, console)?, options, console)?;
    let archive = Archive::open(Path::new(given), console)?;
    let manifest = Manifest::read(&archive, options)?;
    let (mut people, mut report) = (People::new(&manifest.source), Report::default());
    let survey = Survey::read(&archive, &mut people, &mut report)?;
    for member in survey.members.iter().filter(|_| with.contains(&"members")) {
        people.meet(target::id_of(member));
    }
    ask_source(&manifest, &mut people, options, console)?;
    let ci = &options.ci;
    let verifies = ci.last("verify").is_some();
    let is_dry = options.dry_run || verifies;
    target::check_token(&api)?;
    let creates_users = ci.last("create-users").is_some();
    let found = target::find(&api, path)?;
    let creates = ci.last("create").is_some() && !verifies;
    if found.is_none() && !creates {
        let hint = if verifies { "" } else { "; make it, or give --create" };
        return Err(Error::Server(format!("there is no project {path} at {}{hint}", api.address)));
    }
    let rules = Rules { map: ci.last("map"), creates_users, is_dry };
    let map = people.look(&api, &rules)?;
    // before any account is made
    let target = match found {
        None if is_dry => target::check_home(&api, path, &archive).map(|()| None)?,
        None => Some(target::create(&api, path, &archive, &manifest)?),
        found => found,
    };
    people.resolve(&api, &rules, &map, &mut report)?;
    if let (true, false, Some(map)) = (is_dry, verifies, ci.last("map")) {
        people.suggest(map, console)?;
    }
    let web = target.as_ref().map_or_else(|| format!("{}/{path}", api.address), |of| web_address(of, &api.address));
    let to_make = people.to_make() as u64;
    let texts = Texts::new(&manifest.source, manifest.project_id, &web, people.renamed());
    let milestones = survey.titles();
    let source = manifest.source.clone();
    let mut maker = Maker { source, people: Some(people), texts, milestones, report, ..Maker::default() };
    if verifies {
        return verify::verify(&api, path, &archive, &survey, maker, options, console);
    }
    let file_count = (archive.files(files::FOLDER)?.len() + archive.files(packages::FOLDER)?.len()) as u64;
    let requests = survey.records.div_ceil(250) + file_count + to_make;
    let forecast = format!("about {} requests, {}", thousands(requests), rough(seconds(survey.records, file_count)));
    let is_archived = target.as_ref().is_some_and(|of| flag(of, "archived"));
    let archives = flag(&archive.object("tree/project.json")?, "archived") && ci.last("create").is_some();
    if is_archived && archives && !is_dry {
        target::set_archived(&api, path, false)?;
    }
    console.say(&forecast);
    let foresight = is_dry.then(|| Foresight::new(&api, target.is_some().then(|| project(path))));
    let mut sender = Sender::new(&api, &project(path), foresight, survey.records, console);
    walk(&archive, &survey, &mut maker, |record, report| sender.add(record, report))?;
    let batches = sender.end(&mut maker.report)?;
    if is_dry {
        let of_project = if target.is_none() { format!(", and {path} would be made") } else { String::new() };
        print(&format!(
            "nothing was sent: {batches} requests of records, {file_count} of files, {to_make} of people{of_project}"
        ));
    } else {
        let way = files::Way { api: &api, project: project(path), archive: &archive, jobs: options.jobs, console };
        files::send(&way, &mut maker.report)?;
        packages::send(&way, &mut maker.report)?;
        if let Some(people) = maker.people.as_ref().filter(|_| with.contains(&"members")) {
            target::members(&api, path, &survey, people, &mut maker.report)?;
        }
        if archives {
            target::set_archived(&api, path, true)?;
        }
    }
    if archive.root.join("project.bundle").exists() {
        console.say("the archive has a repository: git clone --mirror project.bundle, then edgeforge-mirror sync");
    }
    if maker.report.refused.keys().any(|why| why.ends_with("is not indexed")) {
        console
            .say("commits or tags lack: sync the repository, then import again, and what was refused for them comes");
    }
    maker.report.end(&api.pace, began, ci.last("report"))
}

/// A batch of 300 takes half a second, a file a twentieth.
fn seconds(records: u64, files: u64) -> f64 {
    records as f64 / 600.0 + files as f64 / 20.0
}

/// Asks the source for the people that the archive says too little about.
fn ask_source(manifest: &Manifest, people: &mut People, options: &Options, console: &Console) -> Result<()> {
    let Some(file) = options.ci.last("source-token-file") else { return Ok(()) };
    let api = Api::new(origin(&manifest.source), token(Some(file.as_ref()), SOURCE_TOKEN, console)?, options, console)?;
    for id in people.unknown() {
        match api.read(&format!("/users/{id}"))? {
            Ok(user) => people.tell_user(&user, confirmed(&user)),
            Err(Refusal(404 | 403, _)) => {}
            Err(refusal) => return Err(Error::Repository(api.refused("/users", &refusal).to_string())),
        }
    }
    Ok(())
}
