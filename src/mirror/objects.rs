//! Trees and files of a repository (behaviour 12.2). Each is proven by its hash before it is stored. Objects come before
//! their rows, so that a row names no missing object.

use super::proof::{Proof, Proven};
use super::sql;
use super::store::lists;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::incoming::Incoming;
use crate::places;
use crate::spending::Work;
use crate::store::{Failure, Growing, Objects, Packed, Row, Statement};
use edgeforge_wire::contents::{Heading, Kind};
use edgeforge_wire::limits;
use serde::Serialize;
use serde_json::json;
use std::mem;

/// Packed bytes that wait for others, to be put together.
const WAITING: usize = 4 << 20;

/// Root trees that one statement names.
const TREES_AT_ONCE: usize = 100;

const HALF: &str =
    "507 Insufficient Storage: trees and files are stored while a project has less than half of its bytes";

#[derive(Row)]
struct Before {
    project_bytes: i64,
    all_bytes: i64,
    /// The start of the keys of the project's objects.
    place: String,
}

#[derive(Serialize)]
struct ObjectItem {
    sha: String,
    kind: &'static str,
    size: u64,
    packed: u64,
    about: Option<String>,
}

#[derive(Serialize)]
struct TreeItem {
    commit: String,
    tree: String,
}

/// What a request has brought.
struct Receiver<'a> {
    call: &'a Call<'a>,
    store: &'a dyn Objects,
    before: Before,
    waiting: Vec<(String, Packed)>,
    objects: Vec<ObjectItem>,
    trees: Vec<TreeItem>,
    /// Unpacked bytes.
    unpacked: u64,
}

#[derive(Serialize)]
struct Received {
    received: usize,
}

pub async fn receive(call: &Call<'_>) -> Result<Reply> {
    let entry = call.authorize(sql::before_objects {}).await?;
    let before: Option<Before> = entry.rows.first()?;
    let before = before.ok_or_else(|| Error::Internal("no row before objects".to_owned()))?;
    let store = call.store.objects().ok_or_else(off)?;
    let _held = call.hold(places::Kind::Files)?;
    let mut receiver = Receiver::new(call, store, before);
    let received = receiver.read(Incoming::of(&call.request.body)?).await?;
    receiver.write(entry.resource.id).await?;
    Ok(Reply::json(201, &Received { received }))
}

/// Without an object store.
pub fn off() -> Error {
    Error::Refused(
        501,
        "501 Not Implemented - this server has no store for the contents of repositories".to_owned(),
    )
}

impl<'a> Receiver<'a> {
    fn new(call: &'a Call<'a>, store: &'a dyn Objects, before: Before) -> Receiver<'a> {
        let (waiting, objects, trees) = (Vec::new(), Vec::new(), Vec::new());
        Receiver { call, store, before, waiting, objects, trees, unpacked: 0 }
    }

    async fn read(&mut self, mut from: Incoming) -> Result<usize> {
        let mut count = 0;
        while let Some(line) = from.line().await? {
            if count == limits::OBJECTS {
                return Err(Error::message(format!("more than {} objects at once", limits::OBJECTS)));
            }
            let heading = Heading::read(&line).ok_or_else(|| refusal(count, "", "not the heading of one"))?;
            let id = heading.id.clone();
            self.read_one(heading, &mut from).await.map_err(|error| match error {
                Unfit::Because(reason) => refusal(count, &id, reason),
                Unfit::Failed(error) => error,
            })?;
            count += 1;
        }
        self.flush().await?;
        Ok(count)
    }

    async fn read_one(&mut self, heading: Heading, from: &mut Incoming) -> Result<(), Unfit> {
        let most = self.call.config.quotas.file_bytes.unsigned_abs();
        self.unpacked = self.unpacked.saturating_add(heading.size);
        if most > 0 && self.unpacked > most + limits::UNPACKED {
            return Err(Unfit::Because("the objects of the request are too long together"));
        }
        self.call.store.work(Work::Bytes(heading.size));
        let mut growing = Growing::new(format!("{}{}", self.before.place, heading.id));
        match self.prove(Proof::new(heading, most)?, from, &mut growing).await {
            Ok(proven) => self.keep(proven, growing).await,
            Err(error) => {
                growing.abandon().await;
                Err(error)
            }
        }
    }

    /// Reads an object to its end. What fills a part of an upload goes to the store.
    async fn prove(
        &self,
        mut proof: Proof,
        from: &mut Incoming,
        growing: &mut Growing<'a>,
    ) -> Result<Proven, Unfit> {
        loop {
            if from.unread().is_empty() && !from.more().await? {
                return Err(Unfit::Because("it ends early"));
            }
            let (used, has_ended) = proof.feed(from.unread())?;
            growing.extend(from.unread().get(..used).unwrap_or_default());
            from.consume(used);
            if has_ended {
                return Ok(proof.finish()?);
            }
            if growing.fills_a_part() {
                self.check_room(growing.length)?;
                growing.store_parts(self.store).await?;
            }
        }
    }

    async fn keep(&mut self, proven: Proven, growing: Growing<'a>) -> Result<(), Unfit> {
        let Proven { heading, about, tree } = proven;
        if heading.kind == Kind::Commit {
            let tree = tree.filter(|tree| !tree.is_empty()).ok_or("its tree has no hash")?;
            self.trees.push(TreeItem { commit: heading.id, tree });
            return Ok(());
        }
        let Growing { key, bytes, upload, length: packed } = growing;
        self.check_room(packed)?;
        let about = about.write();
        let in_parts = upload.is_some();
        if let Some(mut upload) = upload {
            upload.put(bytes).await?;
            upload.finish().await?;
        } else {
            self.waiting.push((key, Packed { bytes, about: about.clone() }));
        }
        let (kind, about) = (heading.kind.word(), in_parts.then_some(about));
        self.objects.push(ObjectItem { sha: heading.id, kind, size: heading.size, packed, about });
        if self.waiting.iter().map(|(_, packed)| packed.bytes.len()).sum::<usize>() > WAITING {
            self.flush().await?;
        }
        Ok(())
    }

    /// 507 before the batch is refused, so that nothing is put that nobody counts. Trees and files come before the
    /// commits of a push, so they leave half of the project's bytes to all other records.
    fn check_room(&self, more: u64) -> Result<()> {
        let bytes = self.objects.iter().map(|object| object.packed + 100).sum::<u64>() + more + 100;
        let more = i64::try_from(bytes).unwrap_or(i64::MAX);
        let (quotas, Before { project_bytes, all_bytes, .. }) = (self.call.config.quotas, &self.before);
        match () {
            () if !quotas.leave(*project_bytes, 0, more) => Err(Error::ProjectFull),
            () if !quotas.leave(*project_bytes, *all_bytes, more) => Err(Error::ServerFull),
            () if !quotas.leave(*project_bytes + quotas.project_bytes / 2, 0, more) => {
                Err(Error::Refused(507, HALF.to_owned()))
            }
            () => Ok(()),
        }
    }

    async fn flush(&mut self) -> Result<()> {
        let waiting = mem::take(&mut self.waiting);
        if waiting.is_empty() { Ok(()) } else { Ok(self.store.put_packed(waiting).await?) }
    }

    async fn write(&mut self, project_id: i64) -> Result<()> {
        let objects = lists(mem::take(&mut self.objects)).into_iter();
        let mut batch: Vec<Statement> =
            objects.map(|objects| sql::add_objects { project_id, objects }.into()).collect();
        let trees = mem::take(&mut self.trees);
        let trees = trees.chunks(TREES_AT_ONCE).map(|trees| json!(trees).to_string());
        batch.extend(trees.map(|trees| sql::set_trees { project_id, trees }.into()));
        if batch.is_empty() { Ok(()) } else { Ok(self.call.write_safely(batch).await.map(drop)?) }
    }
}

/// Why an object is not stored.
enum Unfit {
    Because(&'static str),
    Failed(Error),
}

impl From<&'static str> for Unfit {
    fn from(reason: &'static str) -> Unfit {
        Unfit::Because(reason)
    }
}

impl From<Error> for Unfit {
    fn from(error: Error) -> Unfit {
        Unfit::Failed(error)
    }
}

impl From<Failure> for Unfit {
    fn from(failure: Failure) -> Unfit {
        Unfit::Failed(failure.into())
    }
}

fn refusal(index: usize, id: &str, reason: &str) -> Error {
    Error::message(format!("object {index} ({id}): {reason}"))
}
