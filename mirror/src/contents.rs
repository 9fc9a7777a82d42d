//! Sends trees and files: those that the commits of branches and tags need and the server lacks.
//!
//! The server marks each commit whose objects have all arrived. The hook names the objects of other commits, and the
//! server answers which of them it lacks. So an interrupted sync continues where it ended.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use edgeforge_wire::contents::{Contents, Extent, Heading, Kind, LeftOut, Reason};
use edgeforge_wire::limits;

use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::objects::Objects;
use crate::parcels::{self, leave_out};
use crate::refs;
use crate::server::Server;
use crate::text::count;

/// What the server has, and what it should have.
#[derive(Debug, Default)]
pub struct State {
    /// The trees and files that the user wants to send.
    pub extent: Extent,
    /// None if the server stores no contents.
    pub most_file_bytes: Option<u64>,
    /// The commits at which branches and tags end after the sync. The server may have others that git lacks.
    pub tips: BTreeSet<String>,
    /// Other commits whose files are needed: merge bases of the tips with the default branch.
    pub bases: BTreeSet<String>,
    /// Commits of which the server has objects. [`Extent::None`]: a sync has only begun to send them.
    pub has: BTreeMap<String, Extent>,
}

impl State {
    /// Whether the server stores no contents, or the user wants none.
    fn is_off(&self) -> bool {
        self.extent == Extent::None || self.most_file_bytes.is_none()
    }

    fn needed(&self) -> impl Iterator<Item = &String> {
        self.tips.iter().chain(&self.bases)
    }

    /// The commits whose objects the server may lack.
    pub fn lacking(&self) -> Vec<&str> {
        self.lacking_of(self.needed())
    }

    fn lacking_of<'s>(&self, commits: impl Iterator<Item = &'s String>) -> Vec<&'s str> {
        let is_lacking = |commit: &&String| !self.is_off() && !self.is_complete(commit);
        commits.filter(is_lacking).map(String::as_str).collect()
    }

    /// Whether there is nothing to send or to remove.
    pub fn is_settled(&self) -> bool {
        self.lacking().is_empty() && (self.is_off() || self.ended().is_empty())
    }

    /// Commits of which the server has objects and which are not needed any more.
    fn ended(&self) -> BTreeSet<&str> {
        let needed: BTreeSet<&String> = self.needed().collect();
        self.has.keys().filter(|commit| !needed.contains(*commit)).map(String::as_str).collect()
    }

    /// The trees and files, and with the history also the commits, that the needed commits have and git knows.
    pub fn reached(&self, repository: &Repository) -> Result<Vec<String>> {
        if self.is_off() {
            return Ok(Vec::new());
        }
        let needed = refs::known(repository, &self.needed().map(String::as_str).collect())?;
        let needed: Vec<&str> = needed.iter().map(String::as_str).collect();
        Ok(reached(repository, self.extent, &needed, &[])?.lines().map(str::to_owned).collect())
    }

    fn is_complete(&self, commit: &str) -> bool {
        self.has.get(commit).is_some_and(|has| *has >= self.extent)
    }
}

/// Returns false if the server has no room for what the tips need. Merge bases may take the room that is left.
pub fn send(
    repository: &Repository,
    server: &Server<'_>,
    state: &State,
    jobs: usize,
    console: &Console,
) -> Result<bool> {
    let lacking: BTreeSet<&str> = state.lacking_of(state.tips.iter()).into_iter().collect();
    let bases = state.lacking_of(state.bases.iter());
    if lacking.is_empty() && bases.is_empty() {
        return Ok(true);
    }
    let tips = state.tips.iter().map(String::as_str).collect();
    let known = refs::known(repository, &tips)?;
    let (lacking, stored): (Vec<&str>, Vec<&str>) =
        known.iter().map(String::as_str).partition(|tip| lacking.contains(tip));
    if !send_those(repository, server, state, [&lacking, &stored], jobs, console)? {
        return Ok(false);
    }
    let stored = [lacking, stored].concat();
    if !send_those(repository, server, state, [&bases, &stored], jobs, console)? {
        console.warn(
            "the server has no room to compare all branches and tags with the default branch; its other records are updated",
        );
    }
    Ok(true)
}

/// Sends the objects that the commits `lacking` need and stored commits do not. Returns false if the server has no
/// room.
fn send_those(
    repository: &Repository,
    server: &Server<'_>,
    state: &State,
    [lacking, stored]: [&[&str]; 2],
    jobs: usize,
    console: &Console,
) -> Result<bool> {
    if lacking.is_empty() {
        return Ok(true);
    }
    let listed = reached(repository, state.extent, lacking, stored)?;
    let mut ids: Vec<&str> = lacking.to_vec();
    ids.extend(listed.lines());
    let mut lacked = Vec::new();
    for some in ids.chunks(limits::ASKED) {
        lacked.extend(server.lacking(some)?);
    }
    let headings = headings(repository, &lacked)?;
    let most = state.most_file_bytes.unwrap_or_default();
    let (left_out, wanted): (Vec<Heading>, Vec<Heading>) =
        headings.into_iter().partition(|heading| is_too_long(heading, most));
    let left_out: Vec<LeftOut> = left_out.iter().map(|heading| leave_out(heading, Reason::Size)).collect();
    for object in &left_out {
        console.warn(&format!("left out the {} {}: it has {} bytes", object.kind.word(), object.id, object.size));
    }
    console.expect(wanted.len() as u64);
    if !wanted.is_empty() {
        let extent = state.extent;
        // before the first object, so that a later sync finds the objects if this one is killed
        name(server, lacking, |begun| Contents { extent, begun, ..Contents::default() })?;
    }
    let sent = parcels::send(repository, server, console, jobs, wanted)?;
    console.finish();
    for object in &sent.unfit {
        console.warn(&format!("left out the {} {}: the server cannot read it", object.kind.word(), object.id));
    }
    if let Some(reason) = sent.full {
        let bytes = server.bytes()?.map(|bytes| format!("; the project has {bytes}")).unwrap_or_default();
        console.warn(&format!("the server has no room for more trees and files: {reason}{bytes}"));
        return Ok(false);
    }
    note(server, state, left_out.into_iter().chain(sent.unfit).collect(), lacking)?;
    console.say(&format!("sent {} ({} kB packed)", count(sent.objects, "object"), sent.bytes.div_ceil(1000)));
    Ok(true)
}

fn is_too_long(heading: &Heading, most: u64) -> bool {
    match heading.kind {
        Kind::Commit => false,
        Kind::Tree => heading.size > limits::TREE,
        Kind::Blob => most > 0 && heading.size > most,
    }
}

/// Names commits to the server, in as many requests as it takes. `contents`: the message for some of them.
fn name(server: &Server<'_>, commits: &[&str], contents: impl Fn(Vec<String>) -> Contents) -> Result<()> {
    for some in commits.chunks(limits::ASKED) {
        server.note(&contents(some.iter().map(|commit| (*commit).to_owned()).collect()))?;
    }
    Ok(())
}

/// Sends the objects that are left out, and then the commits, which the server takes for complete from then on.
fn note(server: &Server<'_>, state: &State, left_out: Vec<LeftOut>, complete: &[&str]) -> Result<()> {
    let extent = state.extent;
    for left_out in left_out.chunks(limits::OBJECTS) {
        server.note(&Contents { extent, left_out: left_out.to_vec(), ..Contents::default() })?;
    }
    name(server, complete, |complete| Contents { extent, complete, ..Contents::default() })
}

/// Names the objects that the server no longer needs, after the refs have moved.
pub fn clean(repository: &Repository, server: &Server<'_>, state: &State) -> Result<()> {
    let ended = state.ended();
    if ended.is_empty() || state.is_off() {
        return Ok(());
    }
    // git cannot list the objects of commits that it lacks
    if refs::known(repository, &state.tips.iter().map(String::as_str).collect())?.len() < state.tips.len() {
        return Ok(());
    }
    let needed: Vec<&str> = state.needed().map(String::as_str).collect();
    let unneeded: Vec<String> = if refs::known(repository, &ended)?.len() == ended.len() {
        let ended: Vec<&str> = ended.iter().copied().collect();
        reached(repository, state.extent, &ended, &needed)?.lines().map(str::to_owned).collect()
    } else {
        let listed = reached(repository, state.extent, &needed, &[])?;
        let needed: HashSet<&str> = listed.lines().collect();
        let stored = server.all_objects()?.into_iter().map(|stored| stored.id);
        stored.filter(|id| !needed.contains(id.as_str())).collect()
    };
    let extent = state.extent;
    for unneeded in unneeded.chunks(limits::ASKED) {
        server.note(&Contents { extent, unneeded: unneeded.to_vec(), ..Contents::default() })?;
    }
    let ended: Vec<&str> = ended.into_iter().collect();
    name(server, &ended, |ended| Contents { extent, ended, ..Contents::default() })
}

/// The hashes of the objects that the commits `of` need and the commits `without` do not, one in each line. For
/// [`Extent::Tips`] without the commits themselves.
pub fn reached(repository: &Repository, extent: Extent, of: &[&str], without: &[&str]) -> Result<String> {
    if of.is_empty() {
        return Ok(String::new());
    }
    let tree = if extent == Extent::History { "" } else { "^{tree}" };
    let mut input = String::new();
    of.iter().for_each(|commit| input.push_str(&format!("{commit}{tree}\n")));
    without.iter().for_each(|commit| input.push_str(&format!("^{commit}{tree}\n")));
    let listed = repository.ask("rev-list", &["--objects", "--no-object-names", "--stdin"], input.as_bytes())?;
    Ok(String::from_utf8_lossy(&listed).into_owned())
}

/// Kinds and sizes of objects, in their order.
pub fn headings(repository: &Repository, ids: &[String]) -> Result<Vec<Heading>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let input = ids.join("\n") + "\n";
    let format = "--batch-check=%(objecttype) %(objectname) %(objectsize)";
    let listed = repository.ask("cat-file", &[format], input.as_bytes())?;
    let unread = |line: &[u8]| Error::Repository(format!("git cat-file: {}", String::from_utf8_lossy(line)));
    let lines = listed.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| Heading::read(line).ok_or_else(|| unread(line))).collect()
}

/// Compares the server's objects with git's, and the bytes of some files, if the token may read them. Returns the number of
/// differences.
pub fn verify(
    repository: &Repository,
    server: &Server<'_>,
    state: &State,
    sample: usize,
    console: &Console,
) -> Result<u64> {
    let needed: Vec<&str> = state.needed().map(String::as_str).collect();
    let mut findings = crate::verify::Findings { console, different: 0 };
    let listed = reached(repository, state.extent, &needed, &[])?;
    let ids: Vec<String> = listed.lines().map(str::to_owned).collect();
    let mut stored: BTreeMap<String, (Kind, u64, bool)> = BTreeMap::new();
    for object in server.all_objects()? {
        stored.insert(object.id, (object.kind, object.size, object.left_out.is_some()));
    }
    for commit in state.lacking() {
        findings.note(commit, &["is not complete on the server".to_owned()]);
    }
    let (mut compared, mut left_out, mut blobs) = (0, 0, Vec::new());
    for Heading { kind, id, size } in headings(repository, &ids)? {
        if kind == Kind::Commit {
            continue;
        }
        compared += 1;
        match stored.remove(&id) {
            None => findings.note(&id, &["is not on the server".to_owned()]),
            Some((of, length, _)) if of != kind || length != size => {
                findings.note(&id, &[format!("is a {} of {length} bytes on the server", of.word())]);
            }
            Some((_, _, true)) => left_out += 1,
            Some(_) if kind == Kind::Blob => blobs.push(id),
            Some(_) => {}
        }
    }
    if server.may_read()? {
        let mut objects = Objects::start(repository)?;
        for id in crate::verify::choose(blobs.into_iter(), sample) {
            if server.file(&id)? != Some(objects.object(&id)?) {
                findings.note(&id, &["has other bytes on the server".to_owned()]);
            }
        }
    }
    console.say(&format!("{left_out} are left out, {} are not needed", stored.len()));
    Ok(findings.sum(&count(compared, "object")))
}
