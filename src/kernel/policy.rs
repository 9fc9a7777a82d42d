//! Who may do what (behaviour 3.2).

use crate::kernel::error::{Error, Result};
use crate::kernel::params::Parameters;
use crate::kernel::store::{Column, Tree, WrongColumns};

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
        [Administrator, Owner, Master, Developer, Reporter, Guest].into_iter().find(reached).unwrap_or(Access::None)
    }
}

impl Column for Access {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Access {
        Access::from(i64::read(from, wrong))
    }
}

impl Access {
    pub const fn level(self) -> i64 {
        self as i64
    }
}

/// Who sees a project or group without being a member: nobody, any signed-in user, or anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Parameters)]
pub enum Visibility {
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
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> Visibility {
        Visibility::from(i64::read(from, wrong))
    }
}

impl Visibility {
    pub const fn level(self) -> i64 {
        self as i64
    }
}

macro_rules! actions {
    ($($name:ident)*) => {
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
    ReadCommits CommentCommit ReadStatuses ReadGate PostStatus ReadPipelines ReadDeployments ReadEnvironments CreateDeployment
    PushMirror ForgetCommit ManageTokens ManageHooks ReadReleases ManageReleases
    ReadUploads CreateUpload ManageUploads ReadPackages PublishPackage DeletePackage ImportRecords
}

/// The access that a member needs, and the visibility from which on every signed-in caller may. None: only members may.
pub type Rule = (Access, Option<Visibility>);

/// The rule of an action. Statements get it as binds, so a change here changes them all.
pub fn least(action: Action) -> Rule {
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(rule) = trial::rule(action) {
        return rule;
    }
    rule(action)
}

/// Overrides a rule for the tests of one thread.
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod trial {
    use crate::kernel::policy::{Action, Rule};
    use std::cell::Cell;

    thread_local! {
        static CHANGED: Cell<Option<(Action, Rule)>> = const { Cell::new(None) };
    }

    pub(super) fn rule(action: Action) -> Option<Rule> {
        CHANGED.get().filter(|(changed, _)| *changed == action).map(|(_, rule)| rule)
    }

    pub fn with<T>(action: Action, rule: Rule, during: impl FnOnce() -> T) -> T {
        struct RuleGuard(Option<(Action, Rule)>);
        impl Drop for RuleGuard {
            fn drop(&mut self) {
                CHANGED.set(self.0);
            }
        }
        let _back = RuleGuard(CHANGED.replace(Some((action, rule))));
        during()
    }
}

/// The least access that reads all confidential issues of a project.
pub fn confidential_level() -> i64 {
    least(Action::ReadConfidentialIssues).0.level()
}

/// The least access and the least visibility that let somebody read commits.
pub fn readers_of_commits() -> (i64, i64) {
    let (member, anyone) = least(Action::ReadCommits);
    // greater than any visibility, so only members may
    (member.level(), anyone.map_or(i64::MAX, Visibility::level))
}

fn rule(action: Action) -> Rule {
    use Access::{Administrator, Developer, Guest, Master, Owner, Reporter};
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
        // also sets labels, milestone and assignee of new issues
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
        Action::ReadStatuses | Action::ReadGate => (Reporter, Some(Internal)),
        Action::PostStatus => (Developer, None),
        // of all commits, with their titles
        Action::ReadPipelines => (Reporter, Some(Internal)),
        // v3: only members read those of an internal project
        Action::ReadDeployments => (Reporter, Some(Public)),
        // v4: also for deployments
        Action::ReadEnvironments => (Reporter, Some(Internal)),
        Action::CreateDeployment => (Developer, None),
        Action::PushMirror => (Master, None),
        Action::ForgetCommit => (Owner, None),
        // the tokens of the mirror hook and of the project
        Action::ManageTokens => (Master, None),
        Action::ManageHooks => (Master, None),
        // names of tags need ReadCommits, too
        Action::ReadReleases => (Guest, Some(Internal)),
        Action::ManageReleases => (Developer, None),

        // by an address that holds a secret
        Action::ReadUploads => (Guest, Some(Internal)),
        Action::CreateUpload => (Guest, Some(Internal)),
        Action::ManageUploads => (Master, None),
        Action::ReadPackages => (Guest, Some(Internal)),
        Action::PublishPackage => (Developer, None),
        Action::DeletePackage => (Master, None),
        Action::ImportRecords => (Administrator, None),
    }
}

/// Whether a request with the action changes an archived project, too. Its owner ends that state or deletes it, the
/// hook pushes, and who has access can always be changed.
pub fn changes_archived(action: Action) -> bool {
    use Action::{DeleteProject, ForgetCommit, ManageMembers, ManageTokens, PushMirror, ReadMembers};
    matches!(action, DeleteProject | PushMirror | ForgetCommit | ReadMembers | ManageMembers | ManageTokens)
}

/// Bits of `tokens.scopes`. A project's tokens have their own bits, with no access outside of projects.
pub mod scopes {
    pub const API: i64 = 1;
    pub const READ_API: i64 = 2;
    pub const PROJECT_API: i64 = 4;
    pub const PROJECT_READ_API: i64 = 8;
    pub const STATUSES: i64 = 16;
    pub const DEPLOYMENTS: i64 = 32;
    pub const MIRROR: i64 = 64;
    /// All but MIRROR.
    pub const ANY: i64 = 63;

    pub const PERSONAL: &[(&str, i64)] = &[("api", API), ("read_api", READ_API)];
    /// Scopes with which a token may write. `READING`: may read.
    const WRITING: i64 = API | PROJECT_API;
    const READING: i64 = WRITING | READ_API | PROJECT_READ_API;
    /// Further scopes of GitLab: name, bit, and scopes of which the token must have one as well. They allow nothing
    /// here.
    pub const PARTS: &[(&str, i64, i64)] = &[
        ("read_user", 1 << 7, READING),
        ("read_repository", 1 << 8, READING),
        ("read_registry", 1 << 9, READING),
        ("read_virtual_registry", 1 << 10, READING),
        ("read_service_ping", 1 << 11, READING),
        ("write_repository", 1 << 12, WRITING),
        ("write_registry", 1 << 13, WRITING),
        ("write_virtual_registry", 1 << 14, WRITING),
        ("sudo", 1 << 15, WRITING),
        ("admin_mode", 1 << 16, WRITING),
        ("self_rotate", 1 << 17, WRITING),
        ("create_runner", 1 << 18, WRITING),
        ("manage_runner", 1 << 19, WRITING),
        ("ai_features", 1 << 20, WRITING),
        ("k8s_proxy", 1 << 21, WRITING),
    ];
    pub const PROJECT: &[(&str, i64)] =
        &[("api", PROJECT_API), ("read_api", PROJECT_READ_API), ("statuses", STATUSES), ("deployments", DEPLOYMENTS)];
    pub const HOOK: &[(&str, i64)] = &[("mirror", MIRROR)];
}

/// The scopes that allow requests outside of projects. `reads`: the request is a GET or HEAD.
pub fn personal_scopes(reads: bool) -> i64 {
    scopes::API | if reads { scopes::READ_API } else { 0 }
}

/// The scopes that allow the action; a token needs one of them. STATUSES and DEPLOYMENTS also allow reading the
/// project, because clients do that first.
pub fn scopes(action: Action, reads: bool) -> i64 {
    let own = match action {
        Action::ManageTokens => return personal_scopes(reads),
        Action::ReadProject if reads => scopes::STATUSES | scopes::DEPLOYMENTS,
        Action::ReadStatuses | Action::PostStatus => scopes::STATUSES,
        // a job that deploys asks whether the tests passed
        Action::ReadGate => scopes::STATUSES | scopes::DEPLOYMENTS,
        Action::ReadDeployments | Action::ReadEnvironments | Action::CreateDeployment => scopes::DEPLOYMENTS,
        Action::PushMirror => scopes::MIRROR,
        _ => 0,
    };
    own | personal_scopes(reads) | scopes::PROJECT_API | if reads { scopes::PROJECT_READ_API } else { 0 }
}

#[cfg(not(target_arch = "wasm32"))]
std::thread_local! {
    /// The actions that endpoints have checked. The suite compares them with the table of routes.
    pub static ASKED: std::cell::RefCell<Vec<Action>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Whether a signed-in caller may do `action`.
pub fn may(action: Action, access: Access, visibility: Visibility) -> bool {
    let (member, anyone) = least(action);
    access >= member || anyone.is_some_and(|needed| visibility >= needed)
}

/// 404 if the caller does not see the resource, 403 if they see it but may not do the action. `what`: the word for the
/// resource in the 404.
pub fn check(action: Action, access: Access, visibility: Visibility, what: &str) -> Result<()> {
    if !may(Action::ReadProject, access, visibility) {
        Err(Error::missing(what))
    } else if !may(action, access, visibility) {
        Err(Error::FORBIDDEN)
    } else {
        Ok(())
    }
}
