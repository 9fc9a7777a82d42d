//! One request. Handlers get the caller and the project only from authorization.

mod audit;
pub mod commit;
mod entry;
mod gate;
mod held_places;
pub mod idempotency;
pub(crate) mod jwt;
mod key;
mod place;
mod proof;
pub mod reserving;
pub mod session;
pub(crate) mod throttle;
mod token;
pub mod writes;

use crate::kernel::config::Config;
pub use crate::kernel::config::token_hash;
use crate::kernel::dialect::Dialect;
use crate::kernel::error::{Error, Result, ValidationErrors};
use crate::kernel::http::etag;
use crate::kernel::http::{Reply, Request};
use crate::kernel::limits::slots::HeldPlace;
use crate::kernel::paging::listing::Listing;
use crate::kernel::paging::{Page, Total, behind_early_end};
use crate::kernel::params::read::Parameters;
use crate::kernel::params::sent::read_query;
use crate::kernel::params::{Params, Reading};
use crate::kernel::route::Route;
use crate::kernel::store::Store;
use crate::kernel::time;
pub use entry::{Caller, Entry, Links, Resource};
pub use key::{Key, secret};
pub use place::{Gate, Place, path_id, path_number, place_named};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Deref;

/// What is known of a request so far. All of its parts share it.
#[derive(Default)]
pub struct RequestFacts {
    /// The place of a costly read.
    pub held: RefCell<Option<HeldPlace>>,
    /// For the log. None if the caller is not authenticated.
    pub caller_id: Cell<Option<i64>>,
    /// For the log: the owner of the token if `SUDO` names another user.
    pub actor_id: Cell<Option<i64>>,
    /// The person who answers for the token: its user, or the maker of a token of a project.
    pub person_id: Cell<Option<i64>>,
    /// Whether an administrator calls without `SUDO` and without the token of a project.
    pub is_administrator: Cell<bool>,
    /// What the request changes, if the list of administrators' acts is about that ([`Call::acts_on`]).
    pub subject: Cell<Option<audit::Subject>>,
    /// The names of the settings that the request changes, for the same list.
    pub changes: Cell<Option<String>>,
    /// The project of the route, if the caller is no member of it.
    pub project_of_others: Cell<Option<i64>>,
    /// Whether the token was not used within the last hour.
    pub is_new_use: Cell<bool>,
    /// For the log: a fault that an operator should mend.
    pub complaint: Cell<Option<String>>,
    /// Of a request whose token is a JWT.
    pub proof: RefCell<Option<proof::Proof>>,
    pub is_cut: Cell<bool>,
    /// Text to add to a 400 or 404.
    pub hint: Cell<Option<Cow<'static, str>>>,
}

pub struct Call<'a> {
    pub config: &'a Config,
    pub dialect: Dialect,
    pub request: &'a Request,
    pub route: &'static Route,
    pub store: &'a Store<'a>,
    /// Query and body. Authorization errors take precedence over its error.
    pub params: Result<Params>,
    /// What links repeat, if the parameters are those of a part.
    pub sent: Option<Params>,
    pub now: i64,
    pub random: [u8; 16],
    pub gate: RefCell<Gate>,
    pub facts: &'a RequestFacts,
}

impl<'a> Call<'a> {
    /// A part of the same request with other parameters and another gate, for an endpoint that calls another one.
    pub fn part(&self, params: Params, gate: Gate) -> Call<'a> {
        Call { params: Ok(params), sent: self.params.as_ref().ok().cloned(), gate: gate.into(), ..*self }
    }
}

impl Deref for Call<'_> {
    type Target = RequestFacts;

    fn deref(&self) -> &RequestFacts {
        self.facts
    }
}

impl Call<'_> {
    pub fn complain(&self, text: String) {
        self.complaint.set(Some(text));
    }

    /// Adds a text to the error that follows. The text must not depend on data that the caller may not see.
    pub fn hint(&self, text: impl Into<Cow<'static, str>>) {
        self.hint.set(Some(text.into()));
    }

    pub fn links(&self, avatars: bool) -> Links {
        let external = self.config.external_url.trim_end_matches('/');
        let base = if external.is_empty() { &self.request.origin } else { external };
        let Config { git_http_url, git_ssh_url, .. } = self.config;
        Links { base: base.to_owned(), avatars, git_http: git_http_url.clone(), git_ssh: git_ssh_url.clone() }
    }

    pub fn reads(&self) -> bool {
        matches!(self.request.method.as_str(), "GET" | "HEAD")
    }

    /// Returns the error of `input` or else of `params`, even if the endpoint reads no parameters. For DELETE
    /// an error in the body does not count.
    pub fn readable<T>(&self, input: Result<T>) -> Result<T> {
        let input = input?;
        match &self.params {
            Err(_) if self.request.method == "DELETE" => read_query(self.request).map(|_| input),
            Err(error) => Err(error.clone()),
            Ok(_) => Ok(input),
        }
    }

    /// The last millisecond of the time in `If-Unmodified-Since`.
    pub fn unmodified_since(&self) -> Option<i64> {
        let header = self.request.header("if-unmodified-since");
        header.filter(|_| self.dialect.heeds_unmodified_since()).and_then(time::read_to_its_end)
    }

    /// 412 if `If-Match` has another tag than the record. Whether the request has that header.
    pub fn expect_match(&self, tag: impl FnOnce() -> String) -> Result<bool> {
        let header = self.request.header("if-match").filter(|_| self.dialect.heeds_unmodified_since());
        match header {
            Some(list) if !etag::names(list, &tag()) => Err(Error::changed()),
            header => Ok(header.is_some()),
        }
    }

    /// 412 if the record has changed since `If-Unmodified-Since`.
    pub fn expect_unmodified(&self, updated_at: i64) -> Result<()> {
        match self.unmodified_since() {
            Some(since) if since < updated_at => Err(Error::changed()),
            _ => Ok(()),
        }
    }

    pub fn params(&self) -> Result<&Params> {
        self.params.as_ref().map_err(Error::clone)
    }

    /// For an endpoint that may refuse the request before it reads these parameters: the refusal does not name them as
    /// unread.
    pub fn will_read<T: Parameters>(&self) {
        self.params.iter().for_each(|params| params.know(T::NAMES));
    }

    pub fn filters<T: Parameters>(&self) -> Result<T> {
        self.params()?.read(Reading::Query)
    }

    pub fn creation<T: Parameters>(&self) -> Result<T> {
        self.params()?.read(Reading::Create)
    }

    /// Also returns the fields that failed, for an endpoint that adds its own errors.
    pub fn creation_and_errors<T: Parameters>(&self) -> Result<(T, ValidationErrors)> {
        self.params()?.read_and_errors(Reading::Create)
    }

    pub fn edit<T: Parameters>(&self) -> Result<T> {
        self.params()?.read(Reading::Edit)
    }

    pub fn edit_and_errors<T: Parameters>(&self) -> Result<(T, ValidationErrors)> {
        self.params()?.read_and_errors(Reading::Edit)
    }

    /// Whether the request asks for a page, for lists that are returned whole by default.
    pub fn asks_for_page(&self) -> bool {
        let given = |params: &Params| ["page", "per_page", "cursor"].iter().any(|name| params.has(name));
        self.params.as_ref().is_ok_and(given)
    }

    pub fn page(&self) -> Result<Page> {
        Page::from(self.request, self.route, self.params()?)
    }

    /// The whole list if it has at most `most` rows and the request asks for no page.
    pub fn page_or_whole(&self, most: i64) -> Result<Page> {
        let page = self.page()?;
        Ok(if self.asks_for_page() { page } else { page.whole_up_to(most) })
    }

    pub fn page_or_keyset(&self) -> Result<Page> {
        Ok(self.page()?.or_keyset(self.params()?))
    }

    /// `first`: the number of the first page.
    pub fn page_counted_from(&self, first: i64) -> Result<Page> {
        Page::counted_from(first, self.request, self.route, self.params()?)
    }

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

    /// The `Link` to the next page of a list whose pages are named by tokens.
    pub fn next_link(&self, name: &str, token: &str) -> Result<String> {
        let address = Listing::address_with(self.request, self.params()?, name, token);
        Ok(format!("<{address}>; rel=\"next\""))
    }

    fn paged(
        &self,
        page: &Page,
        total: Total,
        path: &[(&str, &str)],
        next_cursor: Option<String>,
        (count, items): (i64, Reply),
    ) -> Result<Reply> {
        let params = self.sent.as_ref().map_or_else(|| self.params(), Ok)?;
        // a page that ends early has a next page
        let total = match total {
            total if self.is_cut.get() => total.with_more(true),
            Total::More(false) if page.is_first() && self.dialect.counts_lists() => Total::Both(count, false),
            total => total,
        };
        let (total, next_cursor, items) = if page.is_beyond() {
            page.past_the_end(total, count)?;
            (total.with_more(false), None, Reply::json(200, &[(); 0]))
        } else {
            if page.skips() && count == 0 && total.has_more() {
                return Err(behind_early_end());
            }
            (total, next_cursor, items)
        };
        Ok(Listing { request: self.request, dialect: self.dialect, params, page, total, path, next_cursor }
            .with_headers(items))
    }
}
