//! The routes of both APIs.
//!
//! `["projects", id, "issues"] { DELETE [issue_id] Project ReadIssues + DeleteIssue => .. }`: a caller who may not read
//! issues of the project gets 404 or 403 at once. Then the endpoint checks whether the caller may delete this issue,
//! which may depend on its row. The suite fails if a write checks an action that its route does not name.
//!
//! A word behind `@` is a method of [`Route`]: `@pieces` is for a body with a file. Behind the endpoint are its arguments:
//! segments of the path, and values by which routes differ that share an endpoint.

use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::policy::Action;
use crate::kernel::route::{Place, Route, Segment};
use std::future::ready;
use std::pin::Pin;

/// Boxed, because a single future for all endpoints would be one huge function.
pub type Outcome<'a> = Pin<Box<dyn Future<Output = Result<Reply>> + 'a>>;

/// A route and its endpoint, which takes the decoded segments of the path.
pub struct Line {
    pub route: Route,
    pub answer: for<'a> fn(&'a Call<'_>, &'a [&'a str]) -> Outcome<'a>,
}

/// The table of one API, with the routes of the mirror hook, which are the same in both. The path of a line is that of
/// its group and its own.
macro_rules! routes {
    ($($own:tt)*) => {
        table! {
            $($own)*
            ["projects", id, "mirror"] {
                GET [] Project PushMirror => mirror::show;
                GET ["commits"] Project PushMirror => mirror::commits;
                POST ["commits"] Project PushMirror @push @trips 3 @refused 6 => mirror::store::push;
                GET ["commits", sha] Project PushMirror => mirror::has, sha;
                DELETE ["commits", sha] Project ForgetCommit @push => mirror::forget, sha;
                PUT ["refs"] Project PushMirror + EditAnyIssue @push @trips 28 => mirror::swap::swap;
                GET ["objects"] Project PushMirror => mirror::contents::list;
                POST ["objects"] Project PushMirror @push @pieces @refused 4 => mirror::objects::receive;
                POST ["objects", "lacking"] Project PushMirror @push @trips 3 => mirror::contents::lacking;
                PUT ["contents"] Project PushMirror @push @refused 3 => mirror::contents::note;
            }
        }
    };
}

macro_rules! table {
    ($($above:tt { $(
        $verb:ident $below:tt $place:ident $($action:ident $(+ $decides:ident)*)? $(@$word:ident $($count:literal)?)*
            => $endpoint:path $(, $argument:expr)*;
    )* })*) => {
        #[allow(unused_variables, reason = "the names of segments")]
        pub static ROUTES: &[Line] = &[$($(Line {
            route: Route::new(
                stringify!($verb),
                segments!($above $below),
                pattern!($above $below),
                Place::$place,
                &[$(Action::$action, $(Action::$decides,)*)?],
            )$(.$word($($count)?))*,
            answer: |call, path| match path {
                named!($above $below) => Box::pin($endpoint(call $(, $argument)*)),
                _ => absent(),
            },
        },)*)*];
    };
}

macro_rules! segments {
    ([$($above:tt),*] [$($below:tt),*]) => {
        &[$(segment!($above),)* $(segment!($below),)*]
    };
}

macro_rules! segment {
    ($word:literal) => {
        Segment::Word($word)
    };
    ($name:ident) => {
        Segment::Any(stringify!($name))
    };
}

macro_rules! pattern {
    ([] []) => {
        "[]"
    };
    ([] [$first:tt $(, $below:tt)*]) => {
        pattern!([$first] [$($below),*])
    };
    ([$first:tt $(, $above:tt)*] [$($below:tt),*]) => {
        concat!("[", stringify!($first) $(, ", ", stringify!($above))* $(, ", ", stringify!($below))*, "]")
    };
}

/// The path with a variable for each segment that has a name.
macro_rules! named {
    ([$($above:tt),*] [$($below:tt),*]) => {
        [$(variable!($above),)* $(variable!($below),)*]
    };
}

macro_rules! variable {
    ($word:literal) => {
        _
    };
    ($name:ident) => {
        $name
    };
}

/// Does not happen: a line only gets paths that fit its route.
fn absent<'a>() -> Outcome<'a> {
    Box::pin(ready(Err(Error::no_record())))
}

pub mod v3;
pub mod v4;
