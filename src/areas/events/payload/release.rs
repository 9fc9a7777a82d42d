//! Releases.

use super::{Source, at, number, stamp, text};
use crate::kernel::answers::page_address::{segment, sources};
use serde_json::{Value, json};

impl Source<'_> {
    pub(super) fn release_body(&self) -> Value {
        let release = self.part("release");
        let (tag, page) = (text(&release, "tag"), self.web_url());
        let (links, sources) = (at(&release, "links"), sources(&tag, &page));
        let count = sources.len() + links.as_array().map_or(0, Vec::len);
        let commit = at(&release, "commit");
        json!({
            "id": number(&release, "id"), "created_at": stamp(&at(&release, "created_at")), "description": at(&release, "description"),
            "name": at(&release, "name"), "released_at": stamp(&at(&release, "released_at")), "tag": tag, "object_kind": "release",
            "project": self.project(), "url": format!("{page}/-/releases/{}", segment(&tag)), "action": self.event.action,
            "assets": { "count": count, "links": links, "sources": sources },
            "commit": if commit.is_null() { Value::Null } else { self.commit(&commit, false) },
        })
    }
}
