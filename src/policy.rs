//! Who may do what: one table (behaviour 3.2) and the rule that what you cannot see is not there.

use crate::error::{Error, Result};

/// How much a caller may do in a project or group, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(from = "i64")]
pub enum Access {
    None,
    Guest,
    Reporter,
    Developer,
    Master,
    Owner,
    Administrator,
}

impl From<i64> for Access {
    fn from(level: i64) -> Self {
        match level {
            ..10 => Access::None,
            10..20 => Access::Guest,
            20..30 => Access::Reporter,
            30..40 => Access::Developer,
            40..50 => Access::Master,
            50..60 => Access::Owner,
            60.. => Access::Administrator,
        }
    }
}

impl Access {
    /// The number that stands for it in the database and on the wire.
    pub fn level(self) -> i64 {
        match self {
            Access::None => 0,
            Access::Guest => 10,
            Access::Reporter => 20,
            Access::Developer => 30,
            Access::Master => 40,
            Access::Owner => 50,
            Access::Administrator => 60,
        }
    }
}

/// Who sees a project or group without being a member: nobody, whoever is signed in, anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(from = "i64")]
pub enum Visibility {
    Private,
    Internal,
    Public,
}

impl From<i64> for Visibility {
    fn from(level: i64) -> Self {
        match level {
            ..10 => Visibility::Private,
            10..20 => Visibility::Internal,
            20.. => Visibility::Public,
        }
    }
}

impl Visibility {
    /// The number that stands for it in the database and on the wire.
    pub fn level(self) -> i64 {
        match self {
            Visibility::Private => 0,
            Visibility::Internal => 10,
            Visibility::Public => 20,
        }
    }
}

macro_rules! actions {
    ($($name:ident)*) => {
        /// Everything that is asked of a project or group.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action { $($name),* }

        impl Action {
            pub const ALL: &'static [Action] = &[$(Action::$name),*];
        }
    };
}

actions! {
    ReadProject EditProject DeleteProject ReadMembers ManageMembers CreateProject ManageGroup
    ReadIssues CreateIssue ReadConfidentialIssues EditAnyIssue EditAnyNote MoveIssue DeleteIssue SetTimes
    ReadLabels ManageLabels ReadMilestones ManageMilestones
    ReadCommits CommentCommit ReadStatuses PostStatus ReadDeployments CreateDeployment PushMirror
    ForgetCommit ManageTokens
}

/// The least member level that may, and the least visibility that lets every signed-in caller.
pub fn least(action: Action) -> (Access, Option<Visibility>) {
    use Access::{Developer, Guest, Master, Owner, Reporter};
    use Visibility::{Internal, Public};
    match action {
        Action::ReadProject => (Guest, Some(Internal)),
        Action::EditProject => (Master, None),
        Action::DeleteProject => (Owner, None),
        Action::ReadMembers => (Guest, Some(Internal)),
        Action::ManageMembers => (Master, None),
        // in a group
        Action::CreateProject => (Master, None),
        Action::ManageGroup => (Owner, None),

        Action::ReadIssues => (Guest, Some(Internal)),
        Action::CreateIssue => (Guest, Some(Internal)),
        Action::ReadConfidentialIssues => (Reporter, None),
        // and labels, milestone and assignee of new ones
        Action::EditAnyIssue => (Reporter, None),
        Action::EditAnyNote => (Master, None),
        Action::MoveIssue => (Reporter, None),
        Action::DeleteIssue => (Owner, None),
        Action::SetTimes => (Owner, None),
        Action::ReadLabels => (Guest, Some(Internal)),
        Action::ManageLabels => (Reporter, None),
        Action::ReadMilestones => (Guest, Some(Internal)),
        Action::ManageMilestones => (Reporter, None),

        Action::ReadCommits => (Reporter, Some(Internal)),
        Action::CommentCommit => (Reporter, Some(Internal)),
        Action::ReadStatuses => (Reporter, Some(Internal)),
        Action::PostStatus => (Developer, None),
        Action::ReadDeployments => (Reporter, Some(Public)),
        Action::CreateDeployment => (Developer, None),
        Action::PushMirror => (Master, None),
        Action::ForgetCommit => (Owner, None),
        // of hooks and of the project
        Action::ManageTokens => (Master, None),
    }
}

/// What tokens may be used for: the bits of `tokens.scopes`. A project's tokens have bits of their own, which open nothing
/// that lies outside projects.
pub mod scopes {
    pub const API: i64 = 1;
    pub const READ_API: i64 = 2;
    pub const PROJECT_API: i64 = 4;
    pub const PROJECT_READ_API: i64 = 8;
    pub const STATUSES: i64 = 16;
    pub const DEPLOYMENTS: i64 = 32;
    pub const MIRROR: i64 = 64;
    /// All but those of hooks.
    pub const ANY: i64 = 63;

    /// The names, of tokens of a person, of a project and of a hook.
    pub const PERSONAL: &[(&str, i64)] = &[("api", API), ("read_api", READ_API)];
    pub const PROJECT: &[(&str, i64)] = &[
        ("api", PROJECT_API),
        ("read_api", PROJECT_READ_API),
        ("statuses", STATUSES),
        ("deployments", DEPLOYMENTS),
    ];
    pub const HOOK: &[(&str, i64)] = &[("mirror", MIRROR)];
}

/// The scopes that let their tokens do what belongs to persons. `reads`: by GET.
pub fn personal_scopes(reads: bool) -> i64 {
    scopes::API | if reads { scopes::READ_API } else { 0 }
}

/// The scopes that let their tokens do `action`, each as far as its user may. Clients read a project before they post.
pub fn scopes(action: Action, reads: bool) -> i64 {
    let own = match action {
        Action::ManageTokens => return personal_scopes(reads),
        Action::ReadProject if reads => scopes::STATUSES | scopes::DEPLOYMENTS,
        Action::ReadStatuses | Action::PostStatus => scopes::STATUSES,
        Action::ReadDeployments | Action::CreateDeployment => scopes::DEPLOYMENTS,
        Action::PushMirror => scopes::MIRROR,
        _ => 0,
    };
    own | personal_scopes(reads) | scopes::PROJECT_API | if reads { scopes::PROJECT_READ_API } else { 0 }
}

/// Whether a signed-in caller with `access` may do `action` to something of that visibility.
pub fn may(action: Action, access: Access, visibility: Visibility) -> bool {
    let (member, anyone) = least(action);
    access >= member || anyone.is_some_and(|needed| visibility >= needed)
}

/// The one rule of doors: what the caller cannot see is 404, what he sees and may not do is 403.
pub fn check(action: Action, access: Access, visibility: Visibility, what: &str) -> Result<()> {
    if !may(Action::ReadProject, access, visibility) {
        Err(Error::missing(what))
    } else if !may(action, access, visibility) {
        Err(Error::FORBIDDEN)
    } else {
        Ok(())
    }
}
