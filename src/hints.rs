//! Hints for a client that requested a path which does not exist, and for usual mistakes (behaviour 5.2). A hint depends
//! only on the request, never on the database.

use crate::kernel::call::Call;
use crate::kernel::error::Error;
use crate::kernel::http::{Body, Request};
use crate::kernel::route::{Route, Segment};
use crate::routes::Line;

/// Longer paths are not compared with the routes.
const MOST_SEGMENTS: usize = 10;
/// Bytes.
const LONGEST_SEGMENT: usize = 40;

/// Paths that GitLab has below a project or group and this server has not, and what to use instead.
const ABSENT: [(&[&str], &str); 2] = [
    (
        &["runners", "triggers", "trigger", "pipeline_schedules", "builds"],
        "nothing is built here: a build that runs elsewhere posts its result to /projects/:id/statuses/:sha",
    ),
    (
        &["merge_requests", "wikis", "snippets", "registry", "pages", "star", "fork"],
        "this server leaves it out on purpose",
    ),
];

/// The hint of an error for which the endpoint has none.
pub fn of_error(error: &Error, call: &Call<'_>) -> Option<&'static str> {
    match error {
        Error::Unauthorized if call.has_session() => Some("the session has ended: sign in again"),
        Error::Unauthorized if call.credentials().is_some() => {
            Some("the token is wrong, or it has ended or was revoked")
        }
        Error::Unauthorized => Some("send a token in the header PRIVATE-TOKEN, or in Authorization: Bearer"),
        Error::NotFound(_) if *error == Error::missing("Commit") => {
            Some("the mirror has sent no branch, tag or commit of this name")
        }
        error if error.status() == 400 && is_untyped_json(call.request) => {
            Some("the body looks like JSON: send the header Content-Type: application/json")
        }
        _ => None,
    }
}

fn is_untyped_json(request: &Request) -> bool {
    let is_typed =
        request.header("content-type").is_some_and(|kind| kind.to_ascii_lowercase().contains("application/json"));
    let first = if let Body::Bytes(body) = &request.body { body.trim_ascii_start().first() } else { None };
    !is_typed && first.is_some_and(|byte| b"{[".contains(byte))
}

/// The hint of a success that some clients take for a failure.
pub const NOT_CREATED: &str = "clients that expect 201 here need PROFILE=gitlab (docs/profiles.md)";

/// The hint for a path of neither API, or one that cannot be decoded.
pub const APIS: &str = "this server has /api/v4 and /api/v3; /docs lists all endpoints";

/// The hint for a path that exists with another verb. `allowed`: the verbs of the path.
pub fn of_verb(path: &[&str], allowed: &str) -> String {
    let reason = absent(path).map(|reason| format!("{reason}; "));
    format!("{}this path takes {allowed}; /docs lists all endpoints", reason.unwrap_or_default())
}

/// The path and the routes of one API.
pub struct Api {
    pub path: &'static str,
    pub lines: &'static [Line],
}

impl Api {
    fn has(&self, path: &[&str]) -> bool {
        self.lines.iter().any(|line| line.route.fits(path))
    }

    /// The first route that differs from the path by one misspelled word, or that has one word more.
    fn nearest(&self, path: &[&str]) -> Option<String> {
        let is_near = |route: &&Route| is_misspelled(route.path, path) || lacks_a_word(route.path, path);
        let nearest = self.lines.iter().map(|line| &line.route).find(is_near)?;
        Some(format!("{} {}{}", nearest.verb, self.path, nearest.address()))
    }
}

pub fn hint(path: &[&str], asked: &Api, other: &Api) -> String {
    const ALL: &str = "/docs lists all endpoints";
    if let ["projects", _, "repository", "files", _, _, ..] = path {
        return format!("the path of a file is one segment, its slash is %2F: repository/files/src%2Fmain.rs; {ALL}");
    }
    if path == ["session"] {
        return format!("nobody signs in by a password: send a token in the header PRIVATE-TOKEN; {ALL}");
    }
    if path.len() > MOST_SEGMENTS || path.iter().any(|segment| segment.len() > LONGEST_SEGMENT) {
        return format!("there is no such endpoint; {ALL}");
    }
    if let Some(reason) = absent(path) {
        return format!("{reason}; {ALL}");
    }
    if let ["projects", group, _, rest @ ..] = path
        && group.parse::<i64>().is_err()
        && !group.contains('/')
        && asked.has(&[&["projects", ""], rest].concat())
    {
        return format!("a project's path is one segment, its slash is %2F: projects/group%2Fproject; {ALL}");
    }
    if other.has(path) {
        return format!("there is such an endpoint in {}; {ALL}", other.path);
    }
    match asked.nearest(path) {
        Some(nearest) => format!("the nearest endpoint is {nearest}; {ALL}"),
        None => format!("there is no such endpoint; {ALL}"),
    }
}

fn absent(path: &[&str]) -> Option<&'static str> {
    let (["projects" | "groups", _, "repository", word, ..] | ["projects" | "groups", _, word, ..]) = path else {
        return None;
    };
    ABSENT.iter().find(|(words, _)| words.contains(word)).map(|(_, reason)| *reason)
}

/// Whether one word of the path has one letter more, less or wrong, compared with the route.
fn is_misspelled(route: &[Segment], path: &[&str]) -> bool {
    let mut wrong = route.iter().zip(path).filter(|(known, sent)| !known.fits(sent));
    let first = wrong.next().is_some_and(|(known, sent)| known.word().is_some_and(|word| is_alike(word, sent)));
    route.len() == path.len() && first && wrong.next().is_none()
}

/// Whether the path is the route without one word, and ends as the route.
fn lacks_a_word(route: &[Segment], path: &[&str]) -> bool {
    let is_word = |at: usize| route.get(at).is_some_and(|segment| segment.word().is_some());
    let last = route.len().saturating_sub(1);
    let fits_without = |at: usize| {
        let others = route.iter().enumerate().filter(|(here, _)| *here != at);
        others.zip(path).all(|((_, known), sent)| known.fits(sent))
    };
    route.len() == path.len() + 1 && is_word(last) && (0..last).any(|at| is_word(at) && fits_without(at))
}

fn is_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|word| word.to_lowercase().replace('-', "_").into_bytes());
    let most = one.len().max(other.len());
    let same = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let begin = same(&mut one.iter().zip(&other));
    let end = same(&mut one.iter().rev().zip(other.iter().rev()));
    most > 3 && begin + end + 1 >= most
}

#[cfg(test)]
#[path = "../tests/unit/hints.rs"]
mod tests;
