//! Who may do what: one table (behaviour 3.2) and the rule that what you cannot see is not there.

use crate::error::{Error, Result};
use crate::params::Parameters;
use crate::store::{Column, Tree, Wrong};

/// How much a caller may do in a project or group, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Access {
    #[default]
    None = 0,
    Guest = 10,
    Reporter = 20,
    Developer = 30,
    Master = 40,
    Owner = 50,
    Administrator = 60,
}

impl From<i64> for Access {
    fn from(level: i64) -> Self {
        use Access::{Administrator, Developer, Guest, Master, Owner, Reporter};
        let reached = |access: &Access| level >= access.level();
        [Administrator, Owner, Master, Developer, Reporter, Guest]
            .into_iter()
            .find(reached)
            .unwrap_or(Access::None)
    }
}

impl Column for Access {
    fn read(from: Tree<'_>, wrong: &Wrong) -> Access {
        Access::from(i64::read(from, wrong))
    }
}

impl Access {
    /// The number that stands for it in the database and on the wire.
    pub const fn level(self) -> i64 {
        self as i64
    }
}

/// Who sees a project or group without being a member: nobody, whoever is signed in, anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Parameters)]
#[param(rename_all = "lowercase")]
pub enum Visibility {
    #[default]
    Private = 0,
    Internal = 10,
    Public = 20,
}

impl From<i64> for Visibility {
    fn from(level: i64) -> Self {
        let reached = |visibility: &Visibility| level >= visibility.level();
        [Visibility::Public, Visibility::Internal].into_iter().find(reached).unwrap_or(Visibility::Private)
    }
}

impl Column for Visibility {
    fn read(from: Tree<'_>, wrong: &Wrong) -> Visibility {
        Visibility::from(i64::read(from, wrong))
    }
}

impl Visibility {
    /// The number that stands for it in the database and on the wire.
    pub const fn level(self) -> i64 {
        self as i64
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

/// What an action needs: a level, or a visibility that lets every signed-in caller.
pub type Rule = (Access, Option<Visibility>);

/// The rule of an action. Statements get its numbers as binds, so that one that is changed here is changed everywhere.
pub fn least(action: Action) -> Rule {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(rule) = trial::rule(action) {
        return rule;
    }
    rule(action)
}

/// Another rule for the tests of this thread; not in the Worker.
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod trial {
    use super::{Action, Rule};
    use std::cell::Cell;

    thread_local! {
        static CHANGED: Cell<Option<(Action, Rule)>> = const { Cell::new(None) };
    }

    pub(super) fn rule(action: Action) -> Option<Rule> {
        CHANGED.get().filter(|(changed, _)| *changed == action).map(|(_, rule)| rule)
    }

    /// Runs `during` under another rule.
    pub fn with<T>(action: Action, rule: Rule, during: impl FnOnce() -> T) -> T {
        struct Back(Option<(Action, Rule)>);
        impl Drop for Back {
            fn drop(&mut self) {
                CHANGED.set(self.0);
            }
        }
        let _back = Back(CHANGED.replace(Some((action, rule))));
        during()
    }
}

/// From which level on a member reads confidential issues, as a bind.
pub fn confidential_level() -> i64 {
    least(Action::ReadConfidentialIssues).0.level()
}

fn rule(action: Action) -> Rule {
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

/// The order of refusals: what the caller cannot see is 404, what they see and may not do is 403.
pub fn check(action: Action, access: Access, visibility: Visibility, what: &str) -> Result<()> {
    if !may(Action::ReadProject, access, visibility) {
        Err(Error::missing(what))
    } else if !may(action, access, visibility) {
        Err(Error::FORBIDDEN)
    } else {
        Ok(())
    }
}
