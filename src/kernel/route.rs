//! A route: its path, who may use it, what its body is and what it costs. `routes/` has the tables.

use crate::kernel::http::Content;
use crate::kernel::policy::Action;

/// What a route is about, and who may use it at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// The project in the path, for callers with a token.
    Project,
    /// Like `Project`, and for callers without a token if the project is public. `OpenGroup` is the same for groups.
    OpenProject,
    /// Like `OpenProject`, but a bad token counts as no token (`gate/lenient.rs`).
    LenientProject,
    /// Packages of a project. Like `OpenProject` for reads, but the answer is 401, not 404, if a caller without a token
    /// may not see the project. Like `Project` for writes.
    Packages,
    Group,
    OpenGroup,
    /// For callers with a token of their own.
    User,
    /// For any valid token, also one of a project.
    AnyToken,
    Admin,
    /// For everybody. If a token is sent, it must be valid.
    Anyone,
    /// The same, also with a token of a project.
    AnyTokenOrNone,
    /// Without authentication.
    #[default]
    Public,
}

impl Place {
    pub fn is_project(self) -> bool {
        matches!(self, Place::Project | Place::OpenProject | Place::LenientProject | Place::Packages)
    }

    pub fn is_group(self) -> bool {
        matches!(self, Place::Group | Place::OpenGroup)
    }

    /// `reads`: the request is a GET or HEAD.
    pub(crate) fn is_open(self, reads: bool) -> bool {
        matches!(self, Place::OpenProject | Place::OpenGroup | Place::Anyone | Place::AnyTokenOrNone)
            || (self == Place::Packages && reads)
    }

    /// The word for it in a 404.
    pub(crate) fn name(self) -> &'static str {
        if self.is_project() { "Project" } else { "Group" }
    }
}

/// Whether `.json` at the end of the path belongs to the last segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It names the format, and is cut.
    Format,
    /// It is a part of the name.
    Name,
    /// It is a part of the name, but is cut behind a commit's whole hash.
    Commit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment {
    Word(&'static str),
    /// Any text. The name is for hints and descriptions.
    Any(&'static str),
}

impl Segment {
    pub fn word(self) -> Option<&'static str> {
        if let Segment::Word(word) = self { Some(word) } else { None }
    }

    pub fn fits(self, sent: &str) -> bool {
        self.word().is_none_or(|word| word == sent)
    }
}

/// A line of the tables in `routes/`. Each word behind `@` on a line is a method of this type.
#[derive(Debug)]
pub struct Route {
    pub verb: &'static str,
    pub path: &'static [Segment],
    /// The path for the log.
    pub pattern: &'static str,
    pub place: Place,
    /// Authorization checks the first one. The endpoint may check the others.
    pub actions: &'static [Action],
    pub content: Content,
    pub ending: Ending,
    /// Whether the answer takes a place of the instance ([`crate::kernel::limits::slots`]).
    pub is_costly: bool,
    /// Whether it counts as a push of the mirror hook.
    pub is_push: bool,
    /// Whether an error's `message` is repeated as `error`.
    pub repeats_errors: bool,
    /// Whether the token may be the password of HTTP Basic.
    pub takes_passwords: bool,
    /// The most round trips of an answer, and of a refusal. The suite checks them.
    pub trips: [u32; 2],
}

impl Route {
    /// The route of a request that no line of the tables fits.
    pub const NONE: Route = Route::new("-", &[], "-", Place::Public, &[]);

    pub const fn new(
        verb: &'static str,
        path: &'static [Segment],
        pattern: &'static str,
        place: Place,
        actions: &'static [Action],
    ) -> Route {
        Route {
            verb,
            path,
            pattern,
            place,
            actions,
            content: Content::Parameters,
            ending: Ending::Format,
            is_costly: false,
            is_push: false,
            repeats_errors: false,
            takes_passwords: false,
            trips: if matches!(verb.as_bytes(), b"GET") { [1, 1] } else { [2, 2] },
        }
    }

    /// The answer needs much memory or time, so an instance makes only a few at once.
    pub const fn costly(self) -> Route {
        Route { is_costly: true, ..self }
    }

    /// The last segment is a name, which may end in `.json`.
    pub const fn name(self) -> Route {
        Route { ending: Ending::Name, ..self }
    }

    /// The last segment names a commit: by a branch or tag, which may end in `.json`, or by a hash.
    pub const fn commit(self) -> Route {
        Route { ending: Ending::Commit, ..self }
    }

    /// The mirror hook writes with this route.
    pub const fn push(self) -> Route {
        Route { is_push: true, content: Content::Message, ..self }
    }

    /// The body has files or objects.
    pub const fn pieces(self) -> Route {
        Route { content: Content::Pieces, ..self }
    }

    /// It publishes a release or a file. A refusal has its text in `error` as well as in `message`, because some
    /// release tools print only `error`.
    pub const fn publishes(self) -> Route {
        Route { repeats_errors: true, ..self }
    }

    /// Programs that load packages send their token as a password.
    pub const fn password(self) -> Route {
        Route { takes_passwords: true, ..self }
    }

    /// The most round trips, if an answer to this verb takes more or fewer than usual.
    pub const fn trips(self, most: u32) -> Route {
        let [_, refused] = self.trips;
        Route { trips: [most, if refused > most { refused } else { most }], ..self }
    }

    /// The most round trips of a refusal, if it takes more than an answer.
    pub const fn refused(self, most: u32) -> Route {
        let [answered, _] = self.trips;
        Route { trips: [answered, most], ..self }
    }

    /// The path for people: `/users/:id/block`.
    pub fn address(&self) -> String {
        let shown = self.path.iter().map(|segment| match segment {
            Segment::Word(word) => format!("/{word}"),
            Segment::Any(name) => format!("/:{name}"),
        });
        shown.collect()
    }

    pub fn fits(&self, path: &[&str]) -> bool {
        self.path.len() == path.len() && self.path.iter().zip(path).all(|(known, sent)| known.fits(sent))
    }

    /// Names and values of the path that a request may repeat as parameters: `id` of links, `project_id` of some clients.
    pub fn repeated(&self, sent: &[String]) -> Vec<(String, String)> {
        let mut above = "";
        let mut repeated = Vec::new();
        for (segment, value) in self.path.iter().zip(sent) {
            match segment {
                Segment::Word(word) => above = word.trim_end_matches('s'),
                Segment::Any(name) => {
                    repeated.extend([(*name).to_owned(), format!("{above}_id")].map(|name| (name, value.clone())));
                }
            }
        }
        repeated
    }

    /// Whether the path has a placeholder of this name.
    pub fn names(&self, name: &str) -> bool {
        self.path.iter().any(|segment| matches!(segment, Segment::Any(known) if *known == name))
    }
}
