//! Trees and files of a repository (behaviour 12.2). Each object is proven by its hash before it is stored. Objects are
//! stored before their rows are written, so that no row names a missing object.

use super::lists::lists;
use super::proof::{Proof, ProvenObject, RootNames};
use super::sql;
use crate::kernel::body_reader::BodyReader;
use crate::kernel::call::reserving::Reservation;
use crate::kernel::error::Full;
use crate::kernel::limits::spending::Work;
use crate::kernel::store::{GrowingObject, Objects, PackedObject};
use crate::kernel::{Call, Error, Reply, Result, Statement};
use edgeforge_wire::contents::{Heading, Kind};
use edgeforge_wire::limits;
use serde::Serialize;
use serde_json::json;
use std::mem;

/// Packed bytes that are collected before they are put together.
const WAITING: usize = 4 << 20;

/// Root trees that one statement names.
const TREES_AT_ONCE: usize = 100;

#[derive(Serialize)]
struct ObjectItem {
    sha: String,
    kind: &'static str,
    size: u64,
    packed: u64,
    about: Option<String>,
    #[serde(flatten)]
    names: RootNames,
}

#[derive(Serialize)]
struct TreeItem {
    commit: String,
    tree: String,
}

/// The objects of a request, while they are received.
struct Receiver<'c, 'a> {
    call: &'c Call<'a>,
    store: &'a dyn Objects,
    reserved: Reservation<'c, 'a>,
    /// The start of the keys of the project's objects.
    place: String,
    waiting: Vec<(String, PackedObject)>,
    objects: Vec<ObjectItem>,
    trees: Vec<TreeItem>,
    /// Unpacked bytes.
    unpacked: u64,
}

#[derive(Serialize)]
struct ReceivedCount {
    received: usize,
}

fn full(most: i64) -> Error {
    let text = format!(
        "507 Insufficient Storage: trees and files are stored while a project has less than three quarters of PROJECT_BYTES, which are {most}"
    );
    Error::Refused(507, text)
}

pub async fn receive(call: &Call<'_>) -> Result<Reply> {
    let most = call.config.quotas.bytes_for_contents();
    let with_quota = |error| {
        if error == Error::Full(Full::PartOfProject) { full(call.config.quotas.project_bytes) } else { error }
    };
    let (_, entry, place, reserved) =
        call.authorize_storing(Ok(()), most, 1, sql::before_objects {}).await.map_err(with_quota)?;
    let store = call.store.objects().ok_or_else(off)?;
    let mut receiver = Receiver::new(call, store, reserved, place);
    let outcome = receiver.receive(entry.resource.id).await;
    let received = receiver.reserved.end(outcome).await.map_err(with_quota)?;
    Ok(Reply::json(201, &ReceivedCount { received }))
}

/// The error without an object store.
pub fn off() -> Error {
    Error::Refused(501, "501 Not Implemented - this server has no store for the contents of repositories".to_owned())
}

impl<'c, 'a> Receiver<'c, 'a> {
    fn new(call: &'c Call<'a>, store: &'a dyn Objects, reserved: Reservation<'c, 'a>, place: String) -> Self {
        let (waiting, objects, trees) = (Vec::new(), Vec::new(), Vec::new());
        Receiver { call, store, reserved, place, waiting, objects, trees, unpacked: 0 }
    }

    /// Returns the number of received objects.
    async fn receive(&mut self, project_id: i64) -> Result<usize> {
        let received = self.read(BodyReader::of(&self.call.body())?).await?;
        self.write(project_id).await?;
        Ok(received)
    }

    async fn read(&mut self, mut from: BodyReader) -> Result<usize> {
        let mut count = 0;
        while let Some(line) = from.line().await? {
            if count == limits::OBJECTS {
                return Err(Error::message(format!("more than {} objects at once", limits::OBJECTS)));
            }
            let heading = Heading::read(&line).ok_or_else(|| refusal(count, "", "not the heading of one"))?;
            let id = heading.id.clone();
            self.read_one(heading, &mut from, &|reason| refusal(count, &id, reason)).await?;
            count += 1;
        }
        self.flush().await?;
        Ok(count)
    }

    async fn read_one(&mut self, heading: Heading, from: &mut BodyReader, refused: Refused<'_>) -> Result<()> {
        let most = self.call.config.quotas.file_bytes.unsigned_abs();
        self.unpacked = self.unpacked.saturating_add(heading.size);
        if most > 0 && self.unpacked > most + limits::UNPACKED {
            return Err(refused("the objects of the request are too long together"));
        }
        self.call.store.work(Work::Bytes(heading.size));
        let mut growing = GrowingObject::new(format!("{}{}", self.place, heading.id));
        let proof = Proof::new(heading, most).map_err(refused)?;
        match self.prove(proof, from, &mut growing, refused).await {
            Ok(proven) => self.keep(proven, growing, refused).await,
            Err(error) => {
                growing.abandon().await;
                Err(error)
            }
        }
    }

    /// Reads an object to its end. Puts each full part of an upload into the store.
    async fn prove(
        &mut self,
        mut proof: Proof,
        from: &mut BodyReader,
        growing: &mut GrowingObject<'a>,
        refused: Refused<'_>,
    ) -> Result<ProvenObject> {
        loop {
            if from.unread().is_empty() && !from.more().await? {
                return Err(refused("it ends early"));
            }
            let (used, has_ended) = proof.feed(from.unread()).map_err(refused)?;
            growing.extend(from.unread().get(..used).unwrap_or_default());
            from.consume(used);
            if has_ended {
                return proof.finish().map_err(refused);
            }
            if growing.fills_a_part() {
                self.reserve(growing.length).await?;
                growing.store_parts(self.store).await?;
            }
        }
    }

    async fn keep(&mut self, proven: ProvenObject, growing: GrowingObject<'a>, refused: Refused<'_>) -> Result<()> {
        let ProvenObject { heading, about, tree, names } = proven;
        if heading.kind == Kind::Commit {
            let tree = tree.filter(|tree| !tree.is_empty()).ok_or_else(|| refused("its tree has no hash"))?;
            self.trees.push(TreeItem { commit: heading.id, tree });
            return Ok(());
        }
        let GrowingObject { key, bytes, upload, length: packed } = growing;
        self.reserve(packed).await?;
        let about = about.write();
        let in_parts = upload.is_some();
        if let Some(mut upload) = upload {
            upload.put(bytes).await?;
            upload.finish().await?;
        } else {
            self.waiting.push((key, PackedObject { bytes, about: about.clone() }));
        }
        self.reserved.kept += i64::try_from(packed).unwrap_or(i64::MAX);
        let (kind, about) = (heading.kind.word(), in_parts.then_some(about));
        self.objects.push(ObjectItem { sha: heading.id, kind, size: heading.size, packed, about, names });
        if self.waiting.iter().map(|(_, packed)| packed.bytes.len()).sum::<usize>() > WAITING {
            self.flush().await?;
        }
        Ok(())
    }

    /// Takes room for `more` bytes before they are put.
    async fn reserve(&mut self, more: u64) -> Result<()> {
        let bytes = self.objects.iter().map(|object| object.packed).sum::<u64>() + more;
        self.reserved.grow(bytes).await
    }

    async fn flush(&mut self) -> Result<()> {
        let waiting = mem::take(&mut self.waiting);
        if waiting.is_empty() { Ok(()) } else { Ok(self.store.put_packed(waiting).await?) }
    }

    async fn write(&mut self, project_id: i64) -> Result<()> {
        let person_id = self.call.person_id.get();
        let objects = lists(mem::take(&mut self.objects)).into_iter();
        let mut batch: Vec<Statement> =
            objects.map(|objects| sql::add_objects { project_id, person_id, objects }.into()).collect();
        let trees = mem::take(&mut self.trees);
        let trees = trees.chunks(TREES_AT_ONCE).map(|trees| json!(trees).to_string());
        batch.extend(trees.map(|trees| sql::set_trees { project_id, trees }.into()));
        Ok(self.reserved.write(batch).await.map(drop)?)
    }
}

/// The error for a reason why an object is not stored.
type Refused<'r> = &'r dyn Fn(&'static str) -> Error;

fn refusal(index: usize, id: &str, reason: &str) -> Error {
    Error::message(format!("object {index} ({id}): {reason}"))
}
