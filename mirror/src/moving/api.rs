//! The API of a server, without a project in the address.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::fields::text;
use super::json;
use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::pace::Pace;
use crate::roots::roots;
use crate::server::next_query;
use crate::settings::{checked_address, token_in};
use crate::text::{printable, segment};
use crate::transport::{Answer, Body, Content, Transport, told};

pub const SOURCE_TOKEN: &str = "EDGEFORGE_SOURCE_TOKEN";

#[derive(Debug)]
pub struct Api<'a> {
    pub transport: Transport<'a>,
    /// `https://gitlab.example.com`
    pub address: String,
    pub pace: Arc<Pace>,
}

/// An answer that is no success: its status and message.
#[derive(Debug)]
pub struct Refusal(pub u16, pub String);

impl Refusal {
    /// The status, and the message without it.
    pub fn told(&self) -> String {
        told(self.0, &printable(&self.1))
    }
}

/// What an answer has, if it is a success.
type Answered<T> = std::result::Result<T, Refusal>;

impl<'a> Api<'a> {
    pub fn new(address: &str, token: String, options: &Options, console: &'a Console) -> Result<Api<'a>> {
        let address = checked_address(address, console)?;
        let rate = options.ci.last("rate").and_then(|rate| rate.parse().ok()).unwrap_or_default();
        let transport = Transport::new(&address, "", token, options.retries, roots(options.ca_file.clone())?, console);
        let pace = Arc::new(Pace::new(rate));
        Ok(Api { transport: transport.moving(&address, Arc::clone(&pace)), address, pace })
    }

    pub fn send(&self, method: &str, path: &str, body: Option<Content<'_>>) -> Result<Answer> {
        let body = body.map(|bytes| Body { bytes, gzip: false });
        self.transport.request(method, path, body.as_ref())
    }

    /// Sends a JSON object, and returns that of the answer.
    pub fn write(&self, method: &str, path: &str, body: &Value) -> Result<Answered<Value>> {
        let content = Content::Json(body.to_string().into_bytes().into());
        let answer = self.send(method, path, Some(content))?;
        Ok(match answer.status {
            200..=299 => Ok(serde_json::from_slice(&answer.body).unwrap_or_default()),
            status => Err(Refusal(status, answer.message())),
        })
    }

    pub fn read(&self, path: &str) -> Result<Answered<Value>> {
        let answer = self.send("GET", path, None)?;
        Ok(match answer.status {
            200 => Ok(json::parse(&answer.body).map_err(|why| self.strange(path, &why))?),
            status => Err(Refusal(status, answer.message())),
        })
    }

    pub fn needed(&self, path: &str) -> Result<Value> {
        self.read(path)?.map_err(|refusal| self.refused(path, &refusal))
    }

    /// Each record of all pages of a list. Returns how many the server counts, if it does.
    pub fn list(&self, path: &str, mut each: impl FnMut(Value) -> Result<()>) -> Result<Answered<Option<u64>>> {
        let (base, first) = path.split_once('?').unwrap_or((path, ""));
        let (mut query, mut total) = (first.to_owned(), None);
        loop {
            let address = format!("{base}?{query}");
            let answer = self.send("GET", &address, None)?;
            if answer.status != 200 {
                return Ok(Err(Refusal(answer.status, answer.message())));
            }
            let Value::Array(page) = json::parse(&answer.body).map_err(|why| self.strange(&address, &why))? else {
                return Err(self.strange(&address, "it is no list"));
            };
            let is_empty = page.is_empty();
            page.into_iter().try_for_each(&mut each)?;
            // the most, because something may go between two pages
            total = answer.total.max(total);
            // the address before the query may be one behind a proxy
            let linked = next_query(&answer.link);
            let counted = || answer.next_page.map(|page| format!("{first}&page={page}"));
            match linked.or_else(counted).filter(|next| *next != query && !is_empty) {
                Some(next) => query = next,
                None => return Ok(Ok(total)),
            }
        }
    }

    /// All records of a list, and how many the server counts.
    pub fn all(&self, path: &str) -> Result<Answered<(Vec<Value>, Option<u64>)>> {
        let mut all = Vec::new();
        let total = self.list(path, |of| {
            all.push(of);
            Ok(())
        })?;
        Ok(total.map(|total| (all, total)))
    }

    pub fn needed_list(&self, path: &str) -> Result<Vec<Value>> {
        self.all(path)?.map(|(all, _)| all).map_err(|refusal| self.refused(path, &refusal))
    }

    pub fn refused(&self, path: &str, refusal: &Refusal) -> Error {
        let hint = match refusal.0 {
            401 => ": the token is not valid; give another one",
            403 => ": the token may not do this",
            404 => ": it does not exist, or the token may not see it",
            _ => "",
        };
        Error::Server(format!("{}/api/v4{path} answered {}{hint}", self.address, refusal.told()))
    }

    fn strange(&self, path: &str, why: &str) -> Error {
        Error::Server(format!("{}{path} answered, but not with the JSON of this API: {why}", self.address))
    }
}

/// The path of a project below the API.
pub fn project(id: &str) -> String {
    format!("/projects/{}", segment(id))
}

/// `variable`: where a token may be that has no file.
pub fn token(file: Option<&Path>, variable: &str, console: &Console) -> Result<String> {
    match (file, std::env::var(variable)) {
        (Some(file), _) => token_in(file, console),
        (None, Ok(token)) if !token.trim().is_empty() => Ok(token.trim().to_owned()),
        _ => Err(Error::Usage(format!("the token is missing; set {variable} or give --token-file"))),
    }
}

/// `given` of the needed options.
pub fn option<'o>(options: &'o Options, name: &'o str) -> Result<&'o str> {
    let found = match name {
        "server" => options.server.as_deref(),
        "project" => options.project.as_deref(),
        name => options.ci.last(name),
    };
    found.ok_or_else(|| Error::Usage(format!("--{name} is missing; run edgeforge-mirror --help")))
}

/// What a refusal is about: a field of the answer, or all of it.
pub fn says(Refusal(_, message): &Refusal, word: &str) -> bool {
    message.to_lowercase().contains(word)
}

/// The web address of a project, by its answer.
pub fn web_address(project: &Value, address: &str) -> String {
    let path = text(project, "path_with_namespace").unwrap_or_default();
    text(project, "web_url").map_or_else(|| format!("{address}/{path}"), str::to_owned)
}
