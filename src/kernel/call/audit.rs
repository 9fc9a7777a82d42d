//! The list of what administrators did (behaviour 13.4): the batch of a write adds the row.

use super::{Call, Place, path_id, token_hash};
use crate::kernel::answers::person::ROOT;
use crate::kernel::policy::{self, Access};
use crate::kernel::store::Statement;
use edgeforge_wire::text::{cut, hex};

edgeforge_row::statements!(mod sql: "src/kernel/call/audit.sql");

/// Bytes, as in the table.
const LONGEST_PATH: usize = 200;
const LENGTH_OF_REQUEST: usize = 16;

/// A kind, an id and an owner. The id is None for what the request makes and for the settings, the owner for who made the
/// project or group.
pub type Subject = (&'static str, Option<i64>, Option<i64>);

impl Call<'_> {
    /// Notes what the request changes, for a row if that is another person's: the list is about it, whatever the path
    /// names.
    pub fn acts_on(&self, kind: &'static str, id: Option<i64>, owner_id: Option<i64>) {
        self.subject.set(Some((kind, id, owner_id)));
    }

    /// The row about this write: at a route for administrators, with SUDO, or of what another person owns.
    pub(super) fn audit(&self) -> Option<Statement> {
        let author_id = self.person_id.get()?;
        let is_for_administrators =
            self.route.actions.iter().any(|action| policy::least(*action).0 == Access::Administrator);
        let is_sure = self.route.place == Place::Admin || is_for_administrators || self.actor_id.get().is_some();
        let subject = self.subject.get().or_else(|| is_sure.then(|| self.entity()));
        let (entity_type, entity_id, owner_id) = subject?;
        if !is_sure && (self.is_limited() || owner_id == Some(author_id)) {
            return None;
        }
        let (is_sure, changes, now) = (is_sure || owner_id.is_some(), self.changes.take(), self.now);
        let (event_name, path, request) = self.request_named();
        Some(sql::note { author_id, entity_type, entity_id, event_name, path, request, changes, is_sure, now }.into())
    }

    /// The same with SUDO for a batch that authorizes itself.
    pub(super) fn audit_of_sudo(&self) -> Option<Statement> {
        if self.sudo().is_none() || self.is_refused_sudo() {
            return None;
        }
        let (event_name, path, request) = self.request_named();
        Some(sql::note_of_sudo { author_id: ROOT, event_name, path, request }.into())
    }

    /// The operation, the path, and a name of the request.
    fn request_named(&self) -> (String, &str, String) {
        // the random bytes may become a token, so not they themselves
        let request = token_hash(&format!("audit event {}", hex(&self.random)));
        let event_name = format!("{} {}", self.route.verb, self.route.address());
        (event_name, cut(&self.request.path, LONGEST_PATH), cut(&request, LENGTH_OF_REQUEST).to_owned())
    }

    fn entity(&self) -> Subject {
        let id = path_id(&self.gate.borrow().named).ok();
        match self.route.path.first().and_then(|segment| segment.word()) {
            _ if self.route.place != Place::Admin => ("User", self.caller_id.get(), None),
            Some("users") => ("User", id, None),
            Some("projects") => ("Project", id, None),
            Some("hooks") => ("SystemHook", id, None),
            _ => ("ApplicationSetting", None, None),
        }
    }
}
