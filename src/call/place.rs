//! What the line of a route says of a request: where it goes and what for.

use crate::policy::Action;
use crate::store::Value;

/// What a request is about, and who may make it at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// The project that the path names, for a caller with a token.
    Project,
    /// The same; without a token a caller sees public projects.
    OpenProject,
    /// The same; a token that is no good counts as none (`gate/lenient.rs`).
    LenientProject,
    /// The group that the path names, for a caller with a token.
    Group,
    /// The same; without a token a caller sees public groups.
    OpenGroup,
    /// What belongs to the caller.
    User,
    /// The same, for a token of a project, too.
    AnyToken,
    /// What administrators do.
    Admin,
    /// What everybody may read. A token that is sent must be good.
    Anyone,
    /// Nobody is asked for.
    #[default]
    Public,
}

/// Of the route: where the request goes and what for.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    pub place: Place,
    /// The segment that names the project or group.
    pub named: String,
    pub action: Option<Action>,
}

impl Place {
    pub fn is_project(self) -> bool {
        matches!(self, Place::Project | Place::OpenProject | Place::LenientProject)
    }

    pub(super) fn is_open(self) -> bool {
        matches!(self, Place::OpenProject | Place::OpenGroup | Place::Anyone)
    }

    pub(super) fn name(self) -> &'static str {
        if self.is_project() { "Project" } else { "Group" }
    }
}

/// The project or group that a path names: an id, or a path in lower case.
pub fn place_named(text: &str) -> Value {
    let number = text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<i64>().ok().filter(|_| number).map_or_else(|| text.to_lowercase().into(), Value::Int)
}
