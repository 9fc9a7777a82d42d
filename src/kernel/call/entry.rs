//! What authorization returns to an endpoint: the caller, the project or group of the route, and the base of addresses.

use crate::kernel::answers::person::UserRow;
use crate::kernel::error::{Error, Result};
use crate::kernel::policy::{self, Access, Action, Visibility};
use crate::kernel::store::Row;

#[derive(Debug, Row)]
pub struct Caller {
    #[row(flatten)]
    pub user: UserRow,
    pub admin: bool,
    /// The user, or the maker of a token of a project.
    pub member_id: i64,
    /// The least visibility of projects that the caller sees without being a member: external users see public ones.
    sees_from: i64,
    /// The project of a project's or hook's token.
    pub(super) token_project_id: Option<i64>,
    /// Bits of [`mod@policy::scopes`].
    pub(super) scopes: i64,
    /// Milliseconds since 1970. None if the token does not expire.
    pub token_expires_at: Option<i64>,
    /// The last use of the token to the hour, in milliseconds since 1970; 0 if there was none. None if the caller has
    /// no stored token.
    pub(super) token_used_at: Option<i64>,
    /// The kind of the token, as in the table `tokens`. None for ADMIN_TOKEN.
    pub kind: Option<String>,
}

impl Caller {
    /// The visibility of a project as the policy takes it: for who sees it as a member alone it is private.
    pub fn visibility(&self, of: Visibility) -> Visibility {
        if of.level() < self.sees_from { Visibility::Private } else { of }
    }

    /// Whether the token is one of a project.
    pub fn is_of_a_project(&self) -> bool {
        self.token_project_id.is_some()
    }

    /// Whether the token's scopes allow reading the activity of a project. A token for statuses or deployments may not
    /// see when something happened.
    pub fn reads_activity(&self) -> bool {
        self.scopes & policy::scopes(Action::ReadIssues, true) != 0
    }
}

#[derive(Debug, Row, Clone, Default)]
pub struct Resource {
    pub id: i64,
    #[row(default)]
    pub full_path: String,
    pub visibility: Visibility,
    pub access: Access,
    pub default_branch: Option<String>,
    issues_enabled: Option<i64>,
    builds_enabled: Option<i64>,
    #[row(default)]
    pub archived: bool,
}

impl Resource {
    pub fn may(&self, action: Action) -> bool {
        #[cfg(not(target_arch = "wasm32"))]
        policy::ASKED.with_borrow_mut(|asked| asked.push(action));
        policy::may(action, self.access, self.visibility)
    }

    /// The address of its pages, without a final slash.
    pub fn page(&self, links: &Links) -> String {
        format!("{}/{}", links.base, self.full_path)
    }

    pub fn has_issues(&self) -> bool {
        self.issues_enabled == Some(1)
    }

    pub fn has_builds(&self) -> bool {
        self.builds_enabled == Some(1)
    }
}

#[derive(Debug, Clone, Default)]
pub struct Links {
    pub base: String,
    pub avatars: bool,
    pub git_http: String,
    pub git_ssh: String,
}

/// An authorized request.
#[derive(Debug, Default)]
pub struct Entry {
    /// None if the route needs no token and the request has none.
    pub caller: Option<Caller>,
    /// The default value if the route names no project or group.
    pub resource: Resource,
    pub links: Links,
}

impl Entry {
    /// The entry for an answer about one project in the list of a group.
    pub fn of_project(&self, project: Resource) -> Entry {
        Entry { resource: project, links: self.links.clone(), ..Entry::default() }
    }

    pub fn user_id(&self) -> Option<i64> {
        self.caller.as_ref().map(|caller| caller.user.id)
    }

    pub fn caller(&self) -> Result<&Caller> {
        self.caller.as_ref().ok_or(Error::Unauthorized)
    }
}
