//! Finds the route of a request, and answers it. Paths are split before they are decoded: `NAMESPACE%2FPROJECT` is one
//! segment.

use crate::hints::{Api, hint};
use crate::kernel::call::Call;
use crate::kernel::dialect::{Dialect, Profile};
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::params::decode;
use crate::routes::{ROUTES, ROUTES_V4, v3, v4};

/// Answers a request, and returns the route's pattern for the log.
pub async fn answer(call: &Call<'_>) -> (&'static str, Result<Reply>) {
    let segments = match segments(&call.request.path) {
        Ok(segments) => segments,
        Err(error) => return ("-", Err(error)),
    };
    let path: Vec<&str> = segments.iter().map(String::as_str).collect();
    let method = if call.request.method == "HEAD" { "GET" } else { call.request.method.as_str() };
    let verbs = match call.dialect {
        Dialect::V3(_) => v3::verbs(&path),
        Dialect::V4 => v4::verbs(&path),
    };
    let dispatch = || match call.dialect {
        Dialect::V3(_) => v3::dispatch(call, method, &path),
        Dialect::V4 => v4::dispatch(call, method, &path),
    };
    // a later pattern may fit with this verb, but only the first pattern counts
    if verbs.contains(&method)
        && let Some((pattern, outcome)) = dispatch()
    {
        let outcome = match outcome.await {
            Ok(reply) => call.streaming(reply).await,
            error => error,
        };
        return (pattern, outcome);
    }
    let outcome = match method {
        _ if verbs.is_empty() => {
            let [v3, v4] =
                [("/api/v3", ROUTES), ("/api/v4", ROUTES_V4)].map(|(path, routes)| Api { path, routes });
            call.hint(if call.dialect == Dialect::V4 {
                hint(&path, &v4, &v3)
            } else {
                hint(&path, &v3, &v4)
            });
            Err(Error::Framework(404, "404 Not Found".to_owned()))
        }
        "OPTIONS" => Ok(preflight(&verbs)),
        _ => Err(Error::NotAllowed(allowed(&verbs))),
    };
    ("-", outcome)
}

fn allowed(verbs: &[&str]) -> String {
    let head: &[&str] = if verbs.contains(&"GET") { &["HEAD"] } else { &[] };
    [&["OPTIONS"], verbs, head].concat().join(", ")
}

fn preflight(verbs: &[&str]) -> Reply {
    Reply::empty(204)
        .with("Allow", allowed(verbs))
        .with("Access-Control-Allow-Methods", allowed(verbs))
        .with(
            "Access-Control-Allow-Headers",
            "PRIVATE-TOKEN, SUDO, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Unmodified-Since, X-D1-Bookmark",
        )
        .with("Access-Control-Max-Age", "7200")
}

/// Decodes the segments below the base. A final `.json` is cut, unless it belongs to a name.
pub fn segments(path: &str) -> Result<Vec<String>> {
    let unknown = || Error::Framework(404, "404 Not Found".to_owned());
    let (_, below) = Dialect::of(path, Profile::default()).ok_or_else(unknown)?;
    let mut segments: Vec<String> = below
        .split('/')
        .filter(|segment| !segment.is_empty())
        .map(|segment| decode(segment, false))
        .collect::<Result<_>>()?;
    let named = names_ref(&segments);
    if let Some(last) = segments.last_mut()
        && let Some(cut) = last.strip_suffix(".json").filter(|cut| !cut.is_empty())
        // a branch may be called `x.json`
        && !named
    {
        *last = cut.to_owned();
    }
    // names contain no NUL, and binds must not
    if segments.iter().any(|segment| segment.contains('\0')) { Err(unknown()) } else { Ok(segments) }
}

fn names_ref(segments: &[String]) -> bool {
    let words: Vec<&str> = segments.iter().map(String::as_str).collect();
    matches!(
        words.as_slice(),
        ["projects", _, "repository", "branches" | "tags" | "commits" | "files" | "raw", _]
            | ["projects", _, "labels" | "releases", _]
            | ["projects", _, "releases", _, "downloads", _]
            | ["projects", _, "uploads", _, _]
            | ["projects", _, "packages", "generic", _, _, _]
    )
}
