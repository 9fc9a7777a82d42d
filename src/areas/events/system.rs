//! Events for hooks of the system: what happens to projects, members, users and groups (behaviour 14.3).

use super::{EventNeeds, sql};
use crate::kernel::{Action, Call, Statement};

fn origin(call: &Call<'_>) -> String {
    // only administrators make these hooks, and they see everything
    EventNeeds::Of(Action::ReadProject).origin(call)
}

pub fn project_made(call: &Call<'_>, creator_id: i64) -> Statement {
    sql::system_new_project { creator_id, event_name: "project_create", origin: origin(call), now: call.now }.into()
}

/// The event of a changed project. Runs directly after the change.
pub fn project_changed(call: &Call<'_>, id: i64, old_path: &str) -> Statement {
    let event_name = None::<String>;
    sql::system_project { id, event_name, old_path, origin: origin(call), now: call.now }.into()
}

/// The event of a deleted project. Runs before the deletion.
pub fn project_gone(call: &Call<'_>, id: i64) -> Statement {
    let old_path = None::<String>;
    sql::system_project { id, event_name: "project_destroy", old_path, origin: origin(call), now: call.now }.into()
}

/// What happens to a member. `before`: the level before a change; without another level now, there is no event. The
/// event of `Ends` runs before the member leaves, the others run after the change.
#[derive(Debug, Clone, Copy)]
pub enum Membership {
    Begins,
    Changes { before: i64 },
    Ends,
}

impl Membership {
    /// `place`: the word for a project or a group.
    fn event_name(self, place: &str) -> String {
        match self {
            Membership::Begins => format!("user_add_to_{place}"),
            Membership::Changes { .. } => format!("user_update_for_{place}"),
            Membership::Ends => format!("user_remove_from_{place}"),
        }
    }

    fn before(self) -> Option<i64> {
        match self {
            Membership::Changes { before } => Some(before),
            _ => None,
        }
    }
}

pub fn member(call: &Call<'_>, project_id: i64, user_id: i64, what: Membership) -> Statement {
    let (event_name, before, origin) = (what.event_name("team"), what.before(), origin(call));
    sql::system_member { project_id, user_id, event_name, before, origin, now: call.now }.into()
}

/// The events of the memberships in projects and groups that end by `today`, before they are deleted, for the Cron
/// trigger.
pub fn members_expire(base: &str, today: &str, now: i64) -> [Statement; 2] {
    let origin = EventNeeds::Of(Action::ReadProject).origin_at(base, (None, None));
    [
        sql::system_members_expire { today, event_name: "user_remove_from_team", origin: origin.as_str(), now }.into(),
        sql::system_group_members_expire { today, event_name: "user_remove_from_group", origin, now }.into(),
    ]
}

pub fn group_member(call: &Call<'_>, group_id: i64, user_id: i64, what: Membership) -> Statement {
    let (event_name, before, leaves) = (what.event_name("group"), what.before(), matches!(what, Membership::Ends));
    sql::system_group_member { group_id, user_id, event_name, before, leaves, origin: origin(call), now: call.now }
        .into()
}

/// What happens to a user or a group. `Begins` has the key of its name, because it has no id before the batch. The event
/// of `Renamed` runs after a change, and writes nothing if the name is the same. That of `Ends` runs before the deletion,
/// and writes nothing if the group has projects, because it then stays.
#[derive(Debug, Clone, Copy)]
pub enum Life<'a> {
    Begins { key: &'a str },
    Renamed { id: i64, old: &'a str },
    Ends { id: i64 },
}

impl<'a> Life<'a> {
    /// Its id, key and old name, and the word for what happens.
    fn parts(self) -> (Option<i64>, Option<&'a str>, Option<&'a str>, &'static str) {
        match self {
            Life::Begins { key } => (None, Some(key), None, "create"),
            Life::Renamed { id, old } => (Some(id), None, Some(old), "rename"),
            Life::Ends { id } => (Some(id), None, None, "destroy"),
        }
    }
}

pub fn user(call: &Call<'_>, life: Life<'_>) -> Statement {
    let (id, username_key, old_username, word) = life.parts();
    let event_name = format!("user_{word}");
    sql::system_user { id, username_key, event_name, old_username, origin: origin(call), now: call.now }.into()
}

pub fn group(call: &Call<'_>, life: Life<'_>) -> Statement {
    let ((id, path_key, old_path, word), ends) = (life.parts(), matches!(life, Life::Ends { .. }));
    let event_name = format!("group_{word}");
    sql::system_group { id, ends, path_key, event_name, old_path, origin: origin(call), now: call.now }.into()
}
