//! One request being answered: its authorization, its parameters, its time. A caller or a project is only to be had
//! through authorization, whose look-up travels with the endpoint's own query in one statement.

pub mod commit;
mod gate;
pub mod idempotency;
mod key;
mod place;
mod quota;
mod token;

use crate::config::Config;
use crate::dialect::Dialect;
use crate::error::{Error, Result, ValidationErrors};
use crate::http::{Reply, Request};
use crate::page::listing::Listing;
use crate::page::{Page, Total};
use crate::params::read::Parameters;
use crate::params::sent::read_query;
use crate::params::{Params, Reading};
use crate::person::UserRow;
use crate::policy::{self, Access, Action, Visibility};
use crate::store::{Row, Rows, Store};
use crate::time;
pub use key::{Key, token_hash};
pub use place::{Gate, Place, place_named};
use serde::Serialize;
use std::cell::{Cell, RefCell};

pub struct Call<'a> {
    pub config: &'a Config,
    /// The API that is spoken.
    pub dialect: Dialect,
    pub request: &'a Request,
    pub store: Store<'a>,
    /// Query and body; an error is told only to those who may know more than 401.
    pub params: Result<Params>,
    /// Milliseconds since 1970.
    pub now: i64,
    /// Fresh random bytes for one token.
    pub random: [u8; 16],
    /// What the route says.
    pub gate: RefCell<Gate>,
    /// Who was let in, for the log.
    pub caller_id: Cell<Option<i64>>,
    /// Whose token it was, where somebody else is acted as, for the log.
    pub actor_id: Cell<Option<i64>>,
    /// Whether the caller is an administrator with a token of their own.
    pub is_administrator: Cell<bool>,
    /// What an operator should mend though the request is answered, for the log.
    pub complaint: Cell<Option<String>>,
    /// Whether the rows of a list had to end early.
    pub is_cut: Cell<bool>,
    /// What may help a caller whom this request refuses with 400 or 404.
    pub hint: Cell<Option<&'static str>>,
}

#[derive(Debug, Row)]
pub struct Caller {
    #[row(flatten)]
    pub user: UserRow,
    pub admin: bool,
    /// The one project that a token of a hook or of a project is for.
    token_project_id: Option<i64>,
    /// Of the token, as in [`policy::scopes`].
    scopes: i64,
    pub token_expires_at: Option<i64>,
}

/// The project or group that a request names, as the caller stands to it.
#[derive(Debug, Row, Clone, Default)]
pub struct Resource {
    pub id: i64,
    /// A project's path with namespace.
    #[row(default)]
    pub full_path: String,
    pub visibility: Visibility,
    pub access: Access,
    /// The resource's own columns that handlers ask for.
    pub default_branch: Option<String>,
    issues_enabled: Option<i64>,
    builds_enabled: Option<i64>,
}

impl Resource {
    pub fn may(&self, action: Action) -> bool {
        policy::may(action, self.access, self.visibility)
    }

    pub fn has_issues(&self) -> bool {
        self.issues_enabled == Some(1)
    }

    pub fn has_builds(&self) -> bool {
        self.builds_enabled == Some(1)
    }
}

/// How addresses in answers begin, and whether users have pictures.
#[derive(Debug, Clone, Default)]
pub struct Links {
    pub base: String,
    pub avatars: bool,
    /// [`Config::git_http_url`] and [`Config::git_ssh_url`].
    pub git_http: String,
    pub git_ssh: String,
}

/// An authorized request, with the rows of the statements that were asked in the same round trip.
#[derive(Debug, Default)]
pub struct Entry {
    /// None: the caller sent no token where none is needed.
    pub caller: Option<Caller>,
    /// The project or group of the route. Elsewhere one that is nothing.
    pub resource: Resource,
    pub rows: Rows,
    /// Of the others.
    pub more: Vec<Rows>,
    pub links: Links,
}

impl Entry {
    /// The caller's id, if the caller sent a token.
    pub fn user_id(&self) -> Option<i64> {
        self.caller.as_ref().map(|caller| caller.user.id)
    }

    /// The caller, on a route that needs a token.
    pub fn caller(&self) -> Result<&Caller> {
        self.caller.as_ref().ok_or(Error::Unauthorized)
    }
}

impl Call<'_> {
    /// Leaves something to mend in the log.
    pub fn complain(&self, text: String) {
        self.complaint.set(Some(text));
    }

    /// Leaves a word beside the refusal that follows. It must tell nothing that the caller may not know.
    pub fn hint(&self, text: &'static str) {
        self.hint.set(Some(text));
    }

    pub fn links(&self, avatars: bool) -> Links {
        let external = self.config.external_url.trim_end_matches('/');
        let base = if external.is_empty() { &self.request.origin } else { external };
        let Config { git_http_url, git_ssh_url, .. } = self.config;
        Links { base: base.to_owned(), avatars, git_http: git_http_url.clone(), git_ssh: git_ssh_url.clone() }
    }

    /// Whether the request changes nothing.
    pub fn reads(&self) -> bool {
        matches!(self.request.method.as_str(), "GET" | "HEAD")
    }

    /// Refuses a request that cannot be read, whether or not its endpoint takes parameters. The body of DELETE does no
    /// harm where nothing is read of it.
    pub fn readable<T>(&self, input: Result<T>) -> Result<T> {
        let input = input?;
        match &self.params {
            Err(_) if self.request.method == "DELETE" => read_query(self.request).map(|_| input),
            Err(error) => Err(error.clone()),
            Ok(_) => Ok(input),
        }
    }

    /// 412 where a record that is to be deleted was changed after the second that the caller knows it from.
    pub fn expect_unmodified(&self, updated_at: i64) -> Result<()> {
        let since =
            self.request.header("if-unmodified-since").filter(|_| self.dialect.heeds_unmodified_since());
        match since.and_then(time::read) {
            Some(since) if since.div_euclid(1000) < updated_at.div_euclid(1000) => {
                Err(Error::Refused(412, "412 Precondition Failed".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Query and body, or why they cannot be read.
    pub fn params(&self) -> Result<&Params> {
        self.params.as_ref().map_err(Error::clone)
    }

    pub fn filters<T: Parameters>(&self) -> Result<T> {
        self.params()?.read(Reading::Query)
    }

    pub fn creation<T: Parameters>(&self) -> Result<T> {
        self.params()?.read(Reading::Create)
    }

    /// The same with the fields that failed, for an endpoint that judges the others, too.
    pub fn creation_and_errors<T: Parameters>(&self) -> Result<(T, ValidationErrors)> {
        self.params()?.read_and_errors(Reading::Create)
    }

    pub fn edit<T: Parameters>(&self) -> Result<T> {
        self.params()?.read(Reading::Edit)
    }

    /// The same with the fields that failed.
    pub fn edit_and_errors<T: Parameters>(&self) -> Result<(T, ValidationErrors)> {
        self.params()?.read_and_errors(Reading::Edit)
    }

    /// Whether a list that is answered whole as a rule is to be answered in pages.
    pub fn asks_for_page(&self) -> bool {
        let given = |params: &Params| ["page", "per_page", "cursor"].iter().any(|name| params.has(name));
        self.params.as_ref().is_ok_and(given)
    }

    pub fn page(&self) -> Result<Page> {
        Page::from(self.request, self.params()?)
    }

    /// The same for a list that may be read by `pagination=keyset`.
    pub fn page_or_keyset(&self) -> Result<Page> {
        Ok(self.page()?.or_keyset(self.params()?))
    }

    /// The same where the first page has another number.
    pub fn page_counted_from(&self, first: i64) -> Result<Page> {
        Page::counted_from(first, self.request, self.params()?)
    }

    /// A list's page as the reply. `path`: the values of the path's placeholders.
    pub fn listing<T: Serialize>(
        &self,
        page: &Page,
        total: Total,
        path: &[(&str, &str)],
        next_cursor: Option<String>,
        items: &[T],
    ) -> Result<Reply> {
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        self.paged(page, total, path, next_cursor, (count, Reply::json(200, items)))
    }

    fn paged(
        &self,
        page: &Page,
        total: Total,
        path: &[(&str, &str)],
        next_cursor: Option<String>,
        (count, items): (i64, Reply),
    ) -> Result<Reply> {
        let params = self.params()?;
        // the next page begins where this one had to end
        let total = match total {
            Total::Both(count, _) if self.is_cut.get() => Total::Both(count, true),
            Total::More(_) if self.is_cut.get() => Total::More(true),
            Total::Untold(_) if self.is_cut.get() => Total::Untold(true),
            // all of it is on this page
            Total::More(false) if page.is_first() && self.dialect.counts_short_lists() => {
                Total::Both(count, false)
            }
            total => total,
        };
        Ok(Listing { request: self.request, dialect: self.dialect, params, page, total, path, next_cursor }
            .with_headers(items))
    }
}

/// An id in a path: digits only, else there is no such record.
pub fn path_id(text: &str) -> Result<i64> {
    let digits = !text.is_empty() && text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().map_err(|_| Error::no_record()) } else { Err(Error::no_record()) }
}

/// The same as v4 tells it: `name` is what the refusal calls the number.
pub fn path_number(name: &str, text: &str) -> Result<i64> {
    path_id(text).map_err(|_| Error::invalid(name))
}
