//! Copies the uploads that the texts of an issue link to into another project.

use crate::areas::addresses::is_secret;
use crate::kernel::call::reserving::Reservation;
use crate::kernel::gather::Gather;
use crate::kernel::limits::slots::Kind;
use crate::kernel::limits::spending::Work;
use crate::kernel::{Call, Query, Result, Row, Statement};
use edgeforge_wire::text::hex;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

edgeforge_row::statements!(mod sql: "src/areas/issues/moved_uploads.sql");

/// The most files, bytes of files, and bytes of the texts that link to them. Further links stay as they are.
const MOST_FILES: usize = 100;
const MOST_BYTES: i64 = 100 << 20;
/// As JSON in one parameter, the texts have at most twice as many bytes, and D1 takes two million.
const MOST_TEXT: i64 = 900_000;

const LINK: &str = "/uploads/";

#[derive(Row)]
struct Text {
    note_id: i64,
    text: String,
}

#[derive(Row)]
struct LinkedUpload {
    secret: String,
    size: i64,
    object_key: String,
    own: String,
}

/// The uploads that a move copies.
#[derive(Default)]
pub struct MovedUploads {
    /// None if nothing is copied.
    pub statement: Option<Statement>,
    /// The keys of the objects and of their copies.
    pairs: Vec<(String, String)>,
    /// Bytes of the copies.
    bytes: i64,
    /// The texts whose links changed, by the id of the comment, or 0 for the description.
    texts: BTreeMap<i64, String>,
}

impl MovedUploads {
    /// JSON `[{id, text}, ..]` for ids after `after` up to `last`.
    pub fn texts(&self, after: i64, last: i64) -> String {
        let texts = self.texts.iter().filter(|(id, _)| (after + 1..=last).contains(*id));
        json!(texts.map(|(id, text)| json!({ "id": id, "text": text })).collect::<Vec<_>>()).to_string()
    }

    pub async fn find(call: &Call<'_>, id: i64, to_project_id: i64) -> Result<MovedUploads> {
        if call.store.objects().is_none() {
            return Ok(MovedUploads::default());
        }
        let texts = call.store.ask(sql::linking_texts { id, most: MOST_TEXT }).await?;
        let secrets = secrets(&texts);
        if secrets.is_empty() {
            return Ok(MovedUploads::default());
        }
        let secrets = json!(secrets).to_string();
        let linked = call.store.ask(sql::linked { id, secrets }).await?;
        let mut left = MOST_BYTES;
        let fits = |upload: &LinkedUpload| {
            left -= upload.size;
            left >= 0
        };
        let linked: Vec<LinkedUpload> = linked.into_iter().take_while(fits).collect();
        let renamed = |upload: &LinkedUpload| (upload.secret.clone(), renamed(&call.random, &upload.secret));
        let new: BTreeMap<String, String> = linked.iter().map(renamed).gather();
        let pair = |upload: &LinkedUpload| {
            let to = format!("{}/{to_project_id}/uploads/{}", upload.own, new.get(&upload.secret)?);
            // an empty file has no object
            (upload.size > 0).then(|| (upload.object_key.clone(), to))
        };
        let pairs = linked.iter().filter_map(pair).collect();
        let bytes = linked.iter().map(|upload| upload.size).sum();
        // in the order of the texts
        let copy = |LinkedUpload { secret, .. }: &LinkedUpload| json!({ "secret": secret, "copy": new.get(secret) });
        let copies = linked.iter().map(copy);
        let copies = json!(copies.collect::<Vec<_>>()).to_string();
        let person_id = call.person_id.get();
        let statement = Some(sql::copy { id, to_project_id, copies, person_id, now: call.now }.into());
        let texts = texts.into_iter().map(|text| (text.note_id, rewritten(&text.text, &new))).gather();
        Ok(MovedUploads { statement, pairs, bytes, texts })
    }

    /// Takes room for the copies, makes them, and writes the batch.
    pub async fn write<Q: Query>(
        self,
        call: &Call<'_>,
        reserved: &mut Reservation<'_, '_>,
        batch: Q,
    ) -> Result<Q::Answer> {
        let store = call.store.objects().filter(|_| self.bytes > 0);
        let _held = store.map(|_| call.hold(Kind::Files)).transpose()?;
        if let Some(store) = store {
            reserved.take(self.bytes, ()).await?;
            call.store.work(Work::Objects(2 * self.pairs.len()));
            call.store.work(Work::Bytes(self.bytes.unsigned_abs()));
            reserved.keys = self.pairs.iter().map(|(_, to)| to.clone()).collect();
            store.copy(self.pairs).await?;
        }
        Ok(reserved.write(batch).await?)
    }
}

/// The secret of the upload that a link leads to. `rest`: what follows [`LINK`].
fn secret(rest: &str) -> Option<&str> {
    rest.split_once('/').map(|(secret, _)| secret).filter(|secret| is_secret(secret))
}

/// The secrets of the uploads in the texts, in their order, each once.
fn secrets(texts: &[Text]) -> Vec<&str> {
    let mut secrets: Vec<&str> = Vec::new();
    for secret in texts.iter().flat_map(|text| text.text.split(LINK).skip(1).filter_map(secret)) {
        if secrets.len() < MOST_FILES && !secrets.contains(&secret) {
            secrets.push(secret);
        }
    }
    secrets
}

/// The secret of a copy, which nobody can guess without `random`.
fn renamed(random: &[u8; 16], secret: &str) -> String {
    let digest = hex(&Sha256::new().chain_update(random).chain_update(secret).finalize());
    digest.chars().take(secret.len()).collect()
}

fn rewritten(text: &str, new: &BTreeMap<String, String>) -> String {
    let mut parts = text.split(LINK);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, rest| match secret(rest).and_then(|old| Some((old, new.get(old)?))) {
        Some((old, secret)) => text + LINK + secret + rest.strip_prefix(old).unwrap_or_default(),
        None => text + LINK + rest,
    })
}
