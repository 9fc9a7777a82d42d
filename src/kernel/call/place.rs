use crate::kernel::policy::Action;
use crate::kernel::store::Value;

/// What a route is about, and who may use it at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// The project in the path, for callers with a token.
    Project,
    /// Without a token, public projects only. `OpenGroup` is the same for groups.
    OpenProject,
    /// Like `OpenProject`, but a bad token counts as no token (`gate/lenient.rs`).
    LenientProject,
    /// Packages of a project: like `OpenProject` for reads, but without a token a project that is not public is 401. The token may
    /// be the password of HTTP Basic.
    Packages,
    Group,
    OpenGroup,
    /// For callers with a token of their own.
    User,
    /// For any good token, also of a project.
    AnyToken,
    Admin,
    /// For everybody. A token that is sent must be good.
    Anyone,
    /// Without authentication.
    #[default]
    Public,
}

#[derive(Debug, Clone, Default)]
pub struct Gate {
    pub place: Place,
    pub named: String,
    pub action: Option<Action>,
    /// Whether the answer takes a place ([`crate::kernel::limits::slots`]).
    pub is_costly: bool,
}

impl Place {
    pub fn is_project(self) -> bool {
        matches!(self, Place::Project | Place::OpenProject | Place::LenientProject | Place::Packages)
    }

    /// `reads`: the request is a GET or HEAD.
    pub(super) fn is_open(self, reads: bool) -> bool {
        matches!(self, Place::OpenProject | Place::OpenGroup | Place::Anyone)
            || (self == Place::Packages && reads)
    }

    /// The word for it in a 404.
    pub(super) fn name(self) -> &'static str {
        if self.is_project() { "Project" } else { "Group" }
    }
}

/// An id, or a path in lower case.
pub fn place_named(text: &str) -> Value {
    let number = text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<i64>().ok().filter(|_| number).map_or_else(|| text.to_lowercase().into(), Value::Int)
}
