//! The list of what administrators did (behaviour 13.4): the batch of a write adds the row.

use super::{Call, Place, path_id, token_hash};
use crate::kernel::store::Statement;
use edgeforge_wire::text::{cut, hex};

edgeforge_row::statements!(mod sql: "src/kernel/call/audit.sql");

/// Bytes, as in the table.
const LONGEST_PATH: usize = 200;
const LENGTH_OF_REQUEST: usize = 16;

impl Call<'_> {
    /// Notes whose tokens or projects the request changes: the list is about this user, whatever the path names.
    pub fn acts_on(&self, user_id: i64) {
        self.subject_id.set(Some(user_id));
    }

    /// The row about this write. None unless the route is for administrators, or one changes what another person owns.
    pub(super) fn audit(&self) -> Option<Statement> {
        let author_id = self.person_id.get()?;
        let is_of_others = self.subject_id.get().is_some_and(|user_id| user_id != author_id) && !self.is_limited();
        (self.route.place == Place::Admin || is_of_others).then(|| {
            let (entity_type, entity_id) = self.entity();
            let event_name = format!("{} {}", self.route.verb, self.route.address());
            // the random bytes may become a token, so not they themselves
            let request = token_hash(&format!("audit event {}", hex(&self.random)));
            let (path, request) = (cut(&self.request.path, LONGEST_PATH), cut(&request, LENGTH_OF_REQUEST));
            sql::note { author_id, entity_type, entity_id, event_name, path, request, now: self.now }.into()
        })
    }

    /// What the write is about. The id is None for a new record, and for the settings.
    fn entity(&self) -> (&'static str, Option<i64>) {
        if let Some(user_id) = self.subject_id.get() {
            return ("User", Some(user_id));
        }
        let id = path_id(&self.gate.borrow().named).ok();
        match self.route.path.first().and_then(|segment| segment.word()) {
            Some("users") => ("User", id),
            Some("projects") => ("Project", id),
            Some("hooks") => ("SystemHook", id),
            _ => ("ApplicationSetting", None),
        }
    }
}
