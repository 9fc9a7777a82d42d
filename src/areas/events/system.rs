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

pub fn user_made(call: &Call<'_>, username_key: &str) -> Statement {
    let (id, old_username) = (None::<i64>, None::<String>);
    let event_name = "user_create";
    sql::system_user { id, username_key, event_name, old_username, origin: origin(call), now: call.now }.into()
}

/// The event of a renamed user. Runs after a change, and writes nothing if the name is the same.
pub fn user_renamed(call: &Call<'_>, id: i64, old_username: &str) -> Statement {
    let (username_key, event_name) = (None::<String>, "user_rename");
    sql::system_user { id, username_key, event_name, old_username, origin: origin(call), now: call.now }.into()
}

/// The event of a deleted user. Runs before the deletion.
pub fn user_gone(call: &Call<'_>, id: i64) -> Statement {
    let (username_key, old_username, event_name) = (None::<String>, None::<String>, "user_destroy");
    sql::system_user { id, username_key, event_name, old_username, origin: origin(call), now: call.now }.into()
}

pub fn group_made(call: &Call<'_>, path_key: &str) -> Statement {
    let (id, ends, old_path, event_name) = (None::<i64>, false, None::<String>, "group_create");
    sql::system_group { id, ends, path_key, event_name, old_path, origin: origin(call), now: call.now }.into()
}

/// The event of a renamed group. Runs after a change, and writes nothing if the path is the same.
pub fn group_renamed(call: &Call<'_>, id: i64, old_path: &str) -> Statement {
    let (ends, path_key, event_name) = (false, None::<String>, "group_rename");
    sql::system_group { id, ends, path_key, event_name, old_path, origin: origin(call), now: call.now }.into()
}

/// The event of a deleted group. Runs before the deletion, and writes nothing if the group has projects, because it
/// then stays.
pub fn group_gone(call: &Call<'_>, id: i64) -> Statement {
    let (ends, path_key, old_path, event_name) = (true, None::<String>, None::<String>, "group_destroy");
    sql::system_group { id, ends, path_key, event_name, old_path, origin: origin(call), now: call.now }.into()
}
