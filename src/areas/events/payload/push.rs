//! Branches and tags that moved, and comments on commits.

use super::{Source, at, number, stamp, text};
use crate::kernel::answers::discussion::discussion_id;
use crate::kernel::text::title::title;
use crate::kernel::time;
use serde_json::{Value, json};

impl Source<'_> {
    pub(super) fn push_body(&self) -> Value {
        let kind = self.event.kind.as_str();
        let snapshot = &self.snapshot;
        let user = self.part("user");
        let project = self.project();
        let commits = at(snapshot, "commits");
        let commits: Vec<Value> =
            commits.as_array().into_iter().flatten().map(|commit| self.commit(commit, true)).collect();
        let total = snapshot.get("total").and_then(Value::as_u64).unwrap_or(commits.len() as u64);
        let (old, new) = (at(snapshot, "before"), at(snapshot, "after"));
        let zeros = "0".repeat(old.as_str().or(new.as_str()).map_or(40, str::len));
        let or_zeros = |sha: &Value| json!(sha.as_str().unwrap_or(&zeros));
        let is_protected =
            text(snapshot, "ref").strip_prefix("refs/heads/").is_some_and(|name| self.is_protected(name));
        let shown = self.person(&user);
        json!({
            "object_kind": kind, "event_name": kind, "before": or_zeros(&old), "after": or_zeros(&new), "ref": at(snapshot, "ref"),
            "ref_protected": is_protected, "checkout_sha": at(snapshot, "checkout_sha"), "message": at(snapshot, "message"),
            "user_id": at(&user, "id"), "user_name": at(&user, "name"), "user_username": at(&user, "username"), "user_email": "",
            "user_avatar": at(&shown, "avatar_url"), "project_id": at(&project, "id"), "project": project,
            "commits": if self.for_system { Vec::new() } else { commits }, "total_commits_count": total, "push_options": {},
            "repository": {
                "name": at(&project, "name"), "url": at(&project, "url"), "description": at(&project, "description"),
                "homepage": at(&project, "homepage"), "git_http_url": at(&project, "git_http_url"),
                "git_ssh_url": at(&project, "git_ssh_url"), "visibility_level": at(&project, "visibility_level"),
            },
        })
    }

    pub(super) fn update_body(&self) -> Value {
        let (user, project) = (self.part("user"), self.project());
        let changes = self.part("changes");
        let refs: Vec<Value> = changes.as_array().into_iter().flatten().map(|change| at(change, "ref")).collect();
        json!({
            "event_name": self.event.kind, "user_id": at(&user, "id"), "user_name": at(&user, "name"), "user_email": "",
            "user_avatar": at(&self.person(&user), "avatar_url"), "project_id": at(&project, "id"), "project": project,
            "changes": changes, "refs": refs,
        })
    }

    /// `lists`: whether to add the names of its files.
    pub(super) fn commit(&self, commit: &Value, lists: bool) -> Value {
        let (sha, message) = (text(commit, "sha"), text(commit, "message"));
        let zone = i32::try_from(number(commit, "committer_zone")).unwrap_or_default();
        let mut shown = json!({
            "id": sha, "message": message, "title": title(&message),
            "timestamp": time::offset(number(commit, "committed_at"), zone), "url": format!("{}/-/commit/{sha}", self.web_url()),
            "author": { "name": at(commit, "author_name"), "email": at(commit, "author_email") },
        });
        if let Some(members) = shown.as_object_mut().filter(|_| lists) {
            let files = at(commit, "files");
            for (name, kind) in [("added", [true, false]), ("modified", [false, false]), ("removed", [false, true])] {
                let is_of =
                    |file: &&Value| [1, 2].map(|place| file.get(place).and_then(Value::as_i64) == Some(1)) == kind;
                let names =
                    files.as_array().into_iter().flatten().filter(is_of).filter_map(|file| file.get(0)).take(1000);
                members.insert(name.to_owned(), json!(names.collect::<Vec<_>>()));
            }
        }
        shown
    }

    pub(super) fn commit_note_body(&self) -> Value {
        let (note, commit) = (self.part("note"), self.part("commit"));
        let (id, sha) = (number(&note, "id"), text(&commit, "sha"));
        let project = self.project();
        let body = text(&note, "body");
        let attributes = json!({
            "attachment": null, "author_id": at(&note, "author_id"), "change_position": null, "commit_id": sha,
            "created_at": stamp(&at(&note, "created_at")), "discussion_id": discussion_id(id), "id": id,
            "internal": false, "line_code": null, "note": body, "noteable_id": null, "noteable_type": "Commit",
            "original_position": null, "position": null, "project_id": at(&project, "id"), "resolved_at": null,
            "resolved_by_id": null, "resolved_by_push": null, "st_diff": null, "system": false, "type": null,
            "updated_at": stamp(&at(&note, "updated_at")), "updated_by_id": null, "description": body,
            "url": format!("{}/-/commit/{sha}#note_{id}", self.web_url()), "action": self.event.action,
        });
        json!({
            "object_kind": "note", "event_type": "note", "user": self.user(), "project_id": at(&project, "id"), "project": project,
            "object_attributes": attributes, "repository": self.repository(), "commit": self.commit(&commit, false),
        })
    }
}
