//! Finds why an object cannot be read. The database has a row for each object that the store should have.

use super::{Reader, Revision};
use crate::areas::contents::sql;
use crate::areas::mirror::contents::lose;
use crate::kernel::store::Reading;
use crate::kernel::{Error, Result, Row};
use edgeforge_wire::contents::Kind;
use serde_json::json;
use std::collections::HashSet;

#[derive(Row)]
pub(super) struct ObjectRow {
    kind: String,
    size: i64,
    left_out: Option<String>,
    pub about: Option<String>,
}

impl Reader<'_> {
    pub(super) async fn row(&self, sha: &str) -> Result<Option<ObjectRow>> {
        Ok(self.call.store.ask(sql::object { project_id: self.project_id, sha }).await?.first()?)
    }

    /// Those of the objects whose bytes are not stored because they are too long.
    pub async fn left_out(&self, ids: &[&str]) -> Result<HashSet<String>> {
        if ids.is_empty() {
            return Ok(HashSet::new());
        }
        let statement = sql::too_long { project_id: self.project_id, ids: json!(ids).to_string() };
        let rows: Vec<String> = self.call.store.ask(statement).await?.all()?;
        Ok(rows.into_iter().collect())
    }

    /// Why a file cannot be read.
    pub async fn missing(&self, id: &str, path: &str) -> Error {
        self.lacking(Kind::Blob, id, path).await
    }

    pub(super) async fn lacking(&self, kind: Kind, id: &str, path: &str) -> Error {
        self.reason(kind, id, path).await.unwrap_or_else(|error| error)
    }

    async fn reason(&self, kind: Kind, id: &str, path: &str) -> Result<Error> {
        let row = self.row(id).await?;
        if row.as_ref().is_some_and(|row| row.kind != kind.word()) {
            return Ok(Error::unprocessable(format!("{path} is of another kind than its directory says")));
        }
        let is_stored = row.as_ref().is_some_and(|row| row.left_out.is_none());
        match row.and_then(|row| Some((row.left_out?, row.size))) {
            Some((reason, _)) if reason == "size" => {
                let most = self.call.config.quotas.file_bytes;
                return Ok(Error::unprocessable(format!("{path} is larger than the mirror's limit of {most} bytes")));
            }
            Some(_) => {
                return Ok(Error::unprocessable(format!("{path} is not an object that this server reads")));
            }
            None => {}
        }
        if is_stored {
            self.call.complain(format!(
                "the object {id} of project {} is lost; the next sync sends it anew",
                self.project_id
            ));
        }
        if is_stored || self.at.is_complete {
            self.call.store.turn_to(Reading::Primary);
            self.call.store.repeat(lose(self.project_id, id, &self.at.sha)).await?;
        }
        Ok(self.not_mirrored())
    }

    pub(super) fn not_mirrored(&self) -> Error {
        let Revision { sha, extent, is_tip, is_complete, .. } = &self.at;
        if extent == "tips" && !is_tip && !is_complete {
            let text = format!("objects of {sha} are not mirrored: no branch or tag ends there");
            return Error::unprocessable(text);
        }
        Error::NotYet(format!("503 Service Unavailable - objects of {sha} are not mirrored yet"))
    }
}
