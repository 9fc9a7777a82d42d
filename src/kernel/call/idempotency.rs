//! Requests with an `Idempotency-Key`: for one day, a repeat gets the first answer again. The batch that
//! writes a record also keeps the row that the answer is made of. Nothing is kept of a refused request, so
//! its repeat is validated again.

use super::key::Key;
use super::{Call, Links};
use crate::kernel::config::token_hash;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::store::{Column, Row, Rows, Statement, Store};
use serde::Serialize;
use serde_json::json;

edgeforge_row::statements!(pub(super) mod kept_answers: "src/kernel/call/idempotency.sql");

const LONGEST_KEY: usize = 255;

impl Call<'_> {
    /// None if no key is sent. 400 unless it has 1 to 255 printable characters.
    pub fn idempotency_key(&self) -> Result<Option<Key>> {
        let Some(text) = self.request.header("idempotency-key") else { return Ok(None) };
        let is_printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if text.trim().is_empty() || text.len() > LONGEST_KEY || !is_printable {
            return Err(Error::invalid("Idempotency-Key"));
        }
        let params = self.params()?.without(&["private_token", "access_token", "sudo"]);
        let request = json!([self.request.method, self.request.path, params.sent()]).to_string();
        let (hash, digest) = (token_hash(text), token_hash(&request));
        Ok(Some(Key { text: text.to_owned(), hash, digest }))
    }
}

impl Key {
    /// For a request whose answer also depends on its token.
    pub fn bound_to_token(mut self, call: &Call<'_>) -> Key {
        let token = call.credentials().map(|credentials| credentials.hash);
        self.digest = token_hash(&json!([self.digest, token]).to_string());
        self
    }

    /// Ends the batch if this user has an answer under the key.
    pub fn expect_unused(&self, user_id: i64, now: i64) -> Statement {
        kept_answers::expect_unused_by { user_id, key: self.hash.as_str(), now }.into()
    }

    /// Returns the kept answer of the route's caller.
    pub fn kept(&self, call: &Call<'_>) -> Statement {
        let key = self.hash.as_str();
        if call.gate.borrow().place.is_project() {
            kept_answers::kept { key }.into()
        } else {
            kept_answers::kept_of_caller { key }.into()
        }
    }

    pub async fn find(&self, store: &Store<'_>, user_id: i64, now: i64) -> Result<Option<StoredAnswer>> {
        let rows = store.ask(kept_answers::kept_by { user_id, key: self.hash.as_str(), now }).await?;
        read(Some(self), Some(&rows))
    }
}

#[derive(Debug)]
pub struct StoredAnswer(Rows);

#[derive(Row)]
struct Digest {
    digest: String,
}

#[derive(Row)]
struct AnswerRow<T> {
    answer: Answer<T>,
}

#[derive(Row)]
struct Answer<T> {
    base: String,
    avatars: bool,
    row: T,
}

impl StoredAnswer {
    /// Returns the row, and the links of the first answer.
    pub fn read<T: Column>(self) -> Result<(T, Links)> {
        let whole = self.0.first::<AnswerRow<T>>()?;
        let Answer { base, avatars, row } =
            whole.ok_or_else(|| Error::Internal("the kept answer has no row".to_owned()))?.answer;
        // no kept answer has a repository's address
        Ok((row, Links { base, avatars, ..Links::default() }))
    }

    pub fn reply<T: Column, B: Serialize>(self, status: u16, body: impl FnOnce(T, &Links) -> B) -> Result<Reply> {
        let (row, links) = self.read()?;
        Ok(again(Reply::json(status, &body(row, &links))))
    }
}

pub fn again(reply: Reply) -> Reply {
    reply.with("Idempotent-Replayed", "true")
}

/// Reads the kept answer from the rows of [`Key::kept`]. 422 if the key was used for another request.
pub fn read(key: Option<&Key>, rows: Option<&Rows>) -> Result<Option<StoredAnswer>> {
    let (Some(key), Some(rows)) = (key, rows) else { return Ok(None) };
    match rows.first()? {
        None => Ok(None),
        Some(Digest { digest }) if digest == key.digest => Ok(Some(StoredAnswer(rows.clone()))),
        Some(_) => {
            let text = "422 Unprocessable Entity: this Idempotency-Key was used for another request";
            Err(Error::Refused(422, text.to_owned()))
        }
    }
}
