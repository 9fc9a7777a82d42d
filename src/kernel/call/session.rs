//! Sessions of the pages: a cookie in place of a token (behaviour 2.4).

use super::Call;
use crate::kernel::config::token_hash;
use crate::kernel::error::Error;
use crate::kernel::http::{Reply, Request};

/// The names of the cookies with the secret and with the id of the session. A browser takes the prefix over https alone.
fn names(request: &Request) -> [&'static str; 2] {
    let is_secure = request.origin.starts_with("https:");
    if is_secure { ["__Host-session", "__Host-signed-in"] } else { ["session", "signed-in"] }
}

/// The secret in the cookie.
pub fn secret_in(request: &Request) -> Option<&str> {
    let [name, _] = names(request);
    let mut cookies = request.header("cookie")?.split(';').filter_map(|cookie| cookie.trim().split_once('='));
    cookies.find(|(known, _)| *known == name).map(|(_, secret)| secret).filter(|secret| !secret.is_empty())
}

/// The beginning of the secret of a session that ADMIN_TOKEN started.
pub const OF_ADMIN_TOKEN: &str = "r.";

/// The key in the view `callers`. A session that ADMIN_TOKEN started ends when that changes.
pub fn session_key(secret: &str, admin_token_hash: Option<&str>) -> String {
    let more = admin_token_hash.filter(|_| secret.starts_with(OF_ADMIN_TOKEN)).unwrap_or_default();
    format!("session {}", token_hash(&[secret, more].concat()))
}

impl Call<'_> {
    /// Whether a page of this server sent the request. A form of another page cannot send the header, and no preflight
    /// allows it.
    pub fn is_from_page(&self) -> bool {
        let header = |name| self.request.header(name);
        let is_own = match header("sec-fetch-site") {
            Some(site) => site == "same-origin",
            None => header("origin") == Some(&self.request.origin),
        };
        is_own && header("x-edgeforge-page") == Some("1")
    }

    /// The secret in the cookie of a request without a token.
    fn cookie(&self) -> Option<&str> {
        secret_in(self.request).filter(|_| self.dialect.is_v4() && self.token().is_none())
    }

    /// The same if the cookie counts. A read for another host of the site is one without a token.
    pub(super) fn session(&self) -> Option<&str> {
        let site = self.request.header("sec-fetch-site");
        let is_own = || site.is_none_or(|site| matches!(site, "same-origin" | "none"));
        self.cookie().filter(|_| if self.reads() { is_own() } else { self.is_from_page() })
    }

    pub fn has_session(&self) -> bool {
        self.session().is_some()
    }

    /// 403 for a write with a cookie that another site may have made the browser send.
    pub fn refuse_forged(&self) -> Result<(), Error> {
        let is_forged = !self.reads() && self.cookie().is_some() && !self.is_from_page();
        if is_forged { Err(Error::Forbidden(FORGED)) } else { Ok(()) }
    }

    /// Adds the cookies. `age`: seconds, None until the browser ends.
    pub fn with_session(&self, reply: Reply, secret: &str, id: &str, age: Option<i64>) -> Reply {
        let [of_secret, of_id] = names(self.request);
        let secure = if of_id.starts_with("__") { "; Secure" } else { "" };
        let age = age.map(|age| format!("; Max-Age={age}")).unwrap_or_default();
        let cookie = |name, value, hidden| format!("{name}={value}; Path=/{secure}{hidden}; SameSite=Strict{age}");
        reply.with("Set-Cookie", cookie(of_secret, secret, "; HttpOnly")).with("Set-Cookie", cookie(of_id, id, ""))
    }

    pub fn without_session(&self, reply: Reply) -> Reply {
        self.with_session(reply, "", "", Some(0))
    }

    /// Clears the cookies if they have opened nothing.
    pub fn without_ended_session(&self, reply: Reply) -> Reply {
        let is_ended = reply.status == 401 && self.person_id.get().is_none() && self.has_session();
        if is_ended { self.without_session(reply) } else { reply }
    }
}

pub const FORGED: &str = "This request did not come from a page of this server";
