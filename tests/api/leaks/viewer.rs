//! The viewers of a random world, and what each may read in a project.

use crate::jwt::{FIRST, ISSUER, signed};
use crate::support::{ROUTES, ROUTES_V4};
use edgeforge::BASE_PATH;
use serde_json::json;
use std::sync::LazyLock;

/// The base path of an API, and its routes.
pub type Table = (&'static str, &'static [(&'static str, &'static str)]);

/// The kinds of viewers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Viewer {
    Nobody,
    /// No token. v4 shows public records without one.
    Anybody,
    WrongToken,
    Blocked,
    External,
    Outsider,
    Guest,
    Reporter,
    Developer,
    /// The developer with a read-only token.
    Reader,
    /// The developer in the pages, by a cookie. v3 takes none.
    Session,
    Hook,
    /// A project token with all the rights of a developer there.
    Project,
    /// A project's token for statuses.
    Statuses,
    /// The same rights as `Project`, by the JWT of a CI that the project trusts.
    Trust,
}

pub const VIEWERS: [Viewer; 15] = [
    Viewer::Nobody,
    Viewer::Anybody,
    Viewer::WrongToken,
    Viewer::Blocked,
    Viewer::External,
    Viewer::Outsider,
    Viewer::Guest,
    Viewer::Reporter,
    Viewer::Developer,
    Viewer::Reader,
    Viewer::Session,
    Viewer::Hook,
    Viewer::Project,
    Viewer::Statuses,
    Viewer::Trust,
];

/// The users; their personal namespaces have the same ids.
pub const PEOPLE: [(i64, &str); 9] = [
    (2, "blocked"),
    (4, "external"),
    (6, "outsider"),
    (8, "guest"),
    (10, "reporter"),
    (12, "developer"),
    (14, "master"),
    (16, "owner"),
    (18, "other"),
];

/// The users behind project tokens, and those who created the tokens.
pub const BOT: i64 = -200;
pub const MAKER: i64 = 14;

/// The secret of the audience of the trust.
pub const TRUST: &str = "AAAAAAAAAAAAAAAAAAAA";

/// At the time of all requests.
static JWT: LazyLock<String> = LazyLock::new(|| {
    let (made, end) = (1_795_000_000 - 10, 1_795_000_000 + 300);
    let audience = format!("urn:edgeforge:trust:{TRUST}");
    let claims = json!({ "iss": ISSUER, "aud": audience, "iat": made, "exp": end, "repository_id": "12" });
    signed(&FIRST, "first", &claims)
});

impl Viewer {
    /// The user whose rights they have.
    pub fn user(self) -> Option<i64> {
        match self {
            Viewer::Nobody | Viewer::Anybody | Viewer::WrongToken => None,
            Viewer::Blocked => Some(2),
            Viewer::External => Some(4),
            Viewer::Outsider => Some(6),
            Viewer::Guest => Some(8),
            Viewer::Reporter => Some(10),
            Viewer::Developer | Viewer::Reader | Viewer::Session => Some(12),
            Viewer::Hook => Some(MAKER),
            Viewer::Project | Viewer::Statuses | Viewer::Trust => Some(BOT),
        }
    }

    pub fn token(self) -> Option<String> {
        match self {
            Viewer::Nobody | Viewer::Anybody | Viewer::Session => None,
            Viewer::WrongToken => Some("wrong".to_owned()),
            Viewer::Hook => Some("hook".to_owned()),
            Viewer::Project => Some("project".to_owned()),
            Viewer::Statuses => Some("statuses".to_owned()),
            Viewer::Reader => Some("reader".to_owned()),
            Viewer::Trust => Some(JWT.clone()),
            _ => self.user().map(|id| format!("token-{id}")),
        }
    }

    /// Whether they get refusals only, except for public badges.
    pub fn is_shut_out(self) -> bool {
        matches!(self, Viewer::Nobody | Viewer::WrongToken | Viewer::Blocked)
    }

    /// The APIs of this viewer. Without a token v4 shows public records, and v3 nothing.
    pub fn tables(self) -> &'static [Table] {
        static BOTH: LazyLock<[Table; 2]> =
            LazyLock::new(|| [(BASE_PATH, ROUTES.as_slice()), ("/api/v4", ROUTES_V4.as_slice())]);
        match self {
            Viewer::Nobody => BOTH.split_at(1).0,
            Viewer::Anybody | Viewer::Session => BOTH.split_at(1).1,
            _ => &*BOTH,
        }
    }

    /// Whether their token is for one project.
    pub fn is_tied(self) -> bool {
        matches!(self, Viewer::Hook | Viewer::Project | Viewer::Statuses | Viewer::Trust)
    }

    /// Whether they may read the content of all projects that they see.
    pub fn reads(self) -> bool {
        !self.is_shut_out() && !self.is_tied()
    }

    /// Whether they may read a project's content; `own`: that of their token.
    pub fn reads_in(self, own: bool) -> bool {
        self.reads() || (own && matches!(self, Viewer::Project | Viewer::Trust))
    }

    /// Their user and level as a member.
    pub fn member(self) -> (Option<i64>, i64) {
        if self.is_tied() { (Some(MAKER), 40) } else { (self.user(), self.level()) }
    }

    /// The lowest visibility that they see as a non-member.
    pub fn sees_from(self) -> i64 {
        let is_of_project = matches!(self, Viewer::Project | Viewer::Statuses | Viewer::Trust);
        if is_of_project || matches!(self, Viewer::Anybody | Viewer::External) || self.is_shut_out() { 20 } else { 10 }
    }

    /// Their level as a member.
    pub fn level(self) -> i64 {
        match self {
            Viewer::Guest => 10,
            Viewer::Reporter => 20,
            Viewer::Developer
            | Viewer::Reader
            | Viewer::Session
            | Viewer::Project
            | Viewer::Statuses
            | Viewer::Trust => 30,
            Viewer::Hook => 40,
            _ => self.chosen_level(),
        }
    }

    fn chosen_level(self) -> i64 {
        if self == Viewer::External { 10 } else { 0 }
    }
}

/// What the viewer may read in a project.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing {
    pub user: i64,
    /// Labels, milestones, members.
    pub plans: bool,
    pub issues: bool,
    /// All confidential issues.
    pub confidential: bool,
    /// Commits, refs, statuses.
    pub repository: bool,
    /// Titles and authors of commits.
    pub titles: bool,
    pub deployments: bool,
}

impl Standing {
    pub fn new(viewer: Viewer, own: bool, seen: bool, visibility: i64, (issues, builds): (bool, bool)) -> Standing {
        let access = if own { viewer.level() } else { 0 };
        let plans = seen && viewer.reads_in(own);
        let open = visibility >= viewer.sees_from();
        let repository = seen
            && if viewer.reads_in(own) {
                access >= 20 || open
            } else {
                viewer.is_shut_out() || own || visibility == 20
            };
        Standing {
            user: viewer.user().unwrap_or_default(),
            plans,
            issues: plans && issues,
            confidential: access >= 20,
            repository,
            titles: repository && viewer != Viewer::Statuses,
            deployments: plans && builds && (access >= 20 || open),
        }
    }
}
