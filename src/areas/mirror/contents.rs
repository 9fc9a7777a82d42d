//! Which objects of a repository the server has and needs (behaviour 12.2).

use super::lists::lists;
use super::objects::off;
use super::{After, body, sql};
use crate::kernel::store::{Column, Members, Tree, WrongColumns};
use crate::kernel::{Call, Error, Query, Reply, Result, Statement};
use edgeforge_wire::Unreferenced;
use edgeforge_wire::contents::{Contents, Extent, Kind, Lacking, LeftOut, Noted, Objects, Reason, Stored};
use edgeforge_wire::limits;
use edgeforge_wire::text::is_hash;
use serde_json::json;

const OBJECTS_OF_A_PAGE: usize = 4000;

impl Column for Extent {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Extent {
        match i64::read(from, wrong) {
            2 => Extent::History,
            1 => Extent::Tips,
            _ => Extent::None,
        }
    }
}

impl Column for Unreferenced {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Unreferenced {
        let (sha, contents) = Column::read(from, wrong);
        Unreferenced { sha, contents }
    }
}

impl Column for Stored {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Stored {
        let mut from = Members::of(from, wrong);
        let (kind, left_out): (String, Option<String>) = (from.column("kind"), from.column("left_out"));
        let size: i64 = from.column("size");
        Stored {
            id: from.column("id"),
            kind: Kind::read(&kind).unwrap_or(Kind::Blob),
            size: size.unsigned_abs(),
            left_out: left_out.map(|reason| if reason == "size" { Reason::Size } else { Reason::Unfit }),
        }
    }
}

/// None without an object store.
pub fn most_file_bytes(call: &Call<'_>) -> Option<u64> {
    call.store.objects().map(|_| call.config.quotas.file_bytes.unsigned_abs())
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let query =
        |After { after }: &After| sql::objects { after: after.as_str(), most: OBJECTS_OF_A_PAGE as i64 }.prepare();
    let (_, _, objects) = call.authorize_with(call.filters(), query).await?;
    let next = objects.last().filter(|_| objects.len() >= OBJECTS_OF_A_PAGE).map(|last| last.id.clone());
    Ok(Reply::json(200, &Objects { objects, next }))
}

/// Returns those of the given objects that the server lacks, and marks the others as needed. With `recheck`, returns
/// those that the object store has lost.
pub async fn lacking(call: &Call<'_>) -> Result<Reply> {
    let project_id = call.authorize(()).await?.0.resource.id;
    let store = call.store.objects().ok_or_else(off)?;
    let Lacking { objects, recheck } = body(call).await?;
    check_hashes(&objects, if recheck { limits::RECHECKED } else { limits::ASKED })?;
    let objects = match recheck {
        true => super::lost::recheck(call, store, project_id, &objects).await?,
        false => unknown_objects(call, project_id, &objects).await?,
    };
    Ok(Reply::json(200, &Lacking { objects, recheck: false }))
}

async fn unknown_objects(call: &Call<'_>, project_id: i64, objects: &[String]) -> Result<Vec<String>> {
    let most = call.config.quotas.file_bytes;
    let mut batch: Vec<Statement> = Vec::new();
    for shas in lists(objects) {
        batch.push(sql::need { project_id, shas: &shas }.into());
        batch.push(sql::lacking { project_id, shas, most }.into());
    }
    let mut objects = Vec::new();
    for rows in call.store.repeat(batch).await?.iter().skip(1).step_by(2) {
        objects.extend(rows.all::<String>()?);
    }
    Ok(objects)
}

fn check_hashes(hashes: &[String], most: usize) -> Result<()> {
    match () {
        () if hashes.len() > most => Err(Error::message(format!("more than {most} hashes at once"))),
        () if !hashes.iter().all(|hash| is_hash(hash)) => Err(Error::message("not a hash")),
        () => Ok(()),
    }
}

pub async fn note(call: &Call<'_>) -> Result<Reply> {
    let project_id = call.authorize(()).await?.0.resource.id;
    let contents = body::<Contents>(call).await?;
    let contents = validated(contents)?;
    let objects = contents.left_out.len() + contents.unneeded.len();
    call.write_safely(steps(project_id, &contents, call.now)).await?;
    Ok(Reply::json(200, &Noted { objects }))
}

fn validated(contents: Contents) -> Result<Contents> {
    let Contents { left_out, begun, complete, unneeded, ended, .. } = &contents;
    let ids: Vec<String> = left_out.iter().map(|object| object.id.clone()).collect();
    for (hashes, most) in [
        (&ids, limits::OBJECTS),
        (begun, limits::ASKED),
        (complete, limits::ASKED),
        (unneeded, limits::ASKED),
        (ended, limits::ASKED),
    ] {
        check_hashes(hashes, most)?;
    }
    let is_valid = |object: &LeftOut| object.kind != Kind::Commit && object.size < 1 << 50;
    if left_out.iter().all(is_valid) { Ok(contents) } else { Err(Error::message("not an object that is left out")) }
}

fn steps(project_id: i64, contents: &Contents, now: i64) -> Vec<Statement> {
    let Contents { extent, left_out, begun, complete, unneeded, ended } = contents;
    let (extent, level) = (extent.word(), *extent as i64);
    let mut batch = vec![sql::set_extent { project_id, extent }.into()];
    batch.extend(lists(left_out).into_iter().map(|objects| sql::leave_out { project_id, objects }.into()));
    batch.extend(lists(begun).into_iter().map(|shas| sql::begin_contents { project_id, shas }.into()));
    batch.extend(lists(complete).into_iter().map(|shas| sql::complete { project_id, shas, level }.into()));
    batch.extend(lists(unneeded).into_iter().map(|shas| sql::unneeded { project_id, shas, now }.into()));
    batch.extend(lists(ended).into_iter().map(|shas| sql::end_contents { project_id, shas }.into()));
    batch
}

/// Makes the hook send an object again that the store has lost. `of`: the commit that contains the object.
pub fn lose(project_id: i64, sha: &str, of: &str) -> Vec<Statement> {
    let shas = json!([sha]).to_string();
    vec![sql::doubt_contents { project_id, sha, of }.into(), sql::lose_object { project_id, shas }.into()]
}
