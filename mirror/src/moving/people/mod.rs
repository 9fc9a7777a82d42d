//! Who is who: by a map, by a confirmed address, or a placeholder. Never by an equal user name.

mod map;

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::api::{Api, Refusal, says};
use super::common::PAGE;
use super::fields::{flag, number, text, word};
use super::report::Report;
use super::texts;
use crate::error::{Error, Result};

/// The source's number of a person that is not known.
pub const NOBODY: i64 = 0;

/// No user of this server. Records of a dry run have it.
const NOT_MADE: i64 = -1;

#[derive(Debug, Default, Clone)]
pub struct Person {
    pub username: String,
    pub name: String,
    /// A confirmed one.
    pub email: Option<String>,
    /// Whether an account may be made for them.
    pub is_active: bool,
    /// Whether a record names them.
    pub is_met: bool,
}

/// The users of this server.
#[derive(Debug, Default)]
struct Here {
    by_email: HashMap<String, i64>,
    by_username: HashMap<String, i64>,
    usernames: HashMap<i64, String>,
}

#[derive(Debug, Default)]
pub struct People {
    /// By the number there.
    known: BTreeMap<i64, Person>,
    found: HashMap<i64, (i64, &'static str)>,
    here: Here,
    /// `gitlab.example.com`
    host: String,
}

/// What the map file says: the user here by the number at the source, 0 for a placeholder.
pub type Map = HashMap<i64, i64>;

/// The options that decide about people.
#[derive(Debug, Default)]
pub struct Rules<'a> {
    pub map: Option<&'a str>,
    pub creates_users: bool,
    /// Nobody is made: those that lack are [`NOT_MADE`].
    pub is_dry: bool,
}

impl Here {
    fn read(api: &Api<'_>) -> Result<Here> {
        let mut here = Here::default();
        let path = format!("/users?order_by=id&sort=asc&{PAGE}");
        // one page at a time: a server may have a hundred thousand
        let read = api.list(&path, |user| {
            here.add(&user);
            Ok(())
        })?;
        read.map_err(|refusal| api.refused(&path, &refusal))?;
        Ok(here)
    }

    fn add(&mut self, user: &Value) -> Option<i64> {
        let id = number(user, "id")?;
        if let Some(email) = word(user, "email") {
            self.by_email.insert(email.to_lowercase(), id);
        }
        let username = text(user, "username").unwrap_or_default();
        self.by_username.insert(username.to_lowercase(), id);
        self.usernames.insert(id, username.to_owned());
        Some(id)
    }
}

impl People {
    /// `source`: its web address.
    pub fn new(source: &str) -> People {
        let host = source.split("://").nth(1).unwrap_or(source).split('/').next().unwrap_or_default().to_lowercase();
        let host = host.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.', "-");
        People { host: host.trim_matches(['-', '.']).to_owned(), ..People::default() }
    }

    /// A record names this person, or [`NOBODY`].
    pub fn meet(&mut self, id: i64) {
        self.known.entry(id).or_default().is_met = true;
    }

    /// What archives of GitLab say about the author of a comment.
    pub fn tell_author(&mut self, note: &Value) {
        if let (Some(id), Some(author)) = (number(note, "author_id"), note.get("author")) {
            self.tell(id, Person { name: text(author, "name").unwrap_or_default().to_owned(), ..Person::default() });
        }
    }

    /// Adds what something says about a person. What is known already stays.
    pub fn tell(&mut self, id: i64, about: Person) {
        let known = self.known.entry(id).or_default();
        let fill = |known: &mut String, told: String| {
            if known.is_empty() {
                *known = told;
            }
        };
        fill(&mut known.username, about.username);
        fill(&mut known.name, about.name);
        known.email = known.email.take().or(about.email);
        known.is_active |= about.is_active;
    }

    pub fn tell_user(&mut self, user: &Value, email: Option<&str>) {
        if let Some(id) = number(user, "id") {
            let is_active = text(user, "state").is_none_or(|state| state == "active") && !flag(user, "bot");
            let owned = |name| word(user, name).unwrap_or_default().to_owned();
            let email = email.filter(|of| of.contains('@') && !of.ends_with(".import.invalid")).map(str::to_owned);
            self.tell(id, Person { username: owned("username"), name: owned("name"), email, is_active, is_met: false });
        }
    }

    /// The people that are not known well enough.
    pub fn unknown(&self) -> Vec<i64> {
        let lacks = |of: &Person| of.is_met && (of.username.is_empty() || of.email.is_none());
        self.known.iter().filter(|(id, of)| **id > NOBODY && lacks(of)).map(|(id, _)| *id).collect()
    }

    /// Reads who is here, and what the map file says, before anything is made.
    pub fn look(&mut self, api: &Api<'_>, rules: &Rules<'_>) -> Result<Map> {
        self.here = Here::read(api)?;
        self.read_map(rules)
    }

    /// Finds everybody here, or makes them.
    pub fn resolve(&mut self, api: &Api<'_>, rules: &Rules<'_>, map: &Map, report: &mut Report) -> Result<()> {
        for (id, person) in self.known.clone().into_iter().filter(|(_, of)| of.is_met) {
            let found = match self.found_as(id, &person, map.get(&id)) {
                Some(found) => found,
                None if rules.is_dry && self.may_have_account(&person, rules) => (NOT_MADE, "to be made"),
                None if rules.is_dry => (NOT_MADE, "to be placeholders"),
                None => self.make(api, id, &person, rules)?,
            };
            self.found.insert(id, found);
            *report.people.entry(found.1).or_default() += 1;
        }
        Ok(())
    }

    fn may_have_account(&self, person: &Person, rules: &Rules<'_>) -> bool {
        rules.creates_users && person.is_active && person.email.is_some() && !person.username.is_empty()
    }

    /// `mapped`: None if the map does not have the person, 0 for a placeholder.
    fn found_as(&self, id: i64, person: &Person, mapped: Option<&i64>) -> Option<(i64, &'static str)> {
        let by_map = mapped.filter(|here| **here > 0).map(|here| (*here, "by the map"));
        let by_email = || {
            let email = person.email.as_ref().filter(|_| mapped.is_none())?;
            self.here.by_email.get(&email.to_lowercase()).map(|here| (*here, "by their address"))
        };
        let placeholder = || self.here.by_email.get(&self.address(id)).map(|here| (*here, "as placeholders"));
        by_map.or_else(by_email).or_else(placeholder)
    }

    fn make(&mut self, api: &Api<'_>, id: i64, person: &Person, rules: &Rules<'_>) -> Result<(i64, &'static str)> {
        let own = person.email.as_ref().filter(|_| self.may_have_account(person, rules)).cloned();
        let how = if own.is_some() { "made" } else { "as new placeholders" };
        let address = own.unwrap_or_else(|| self.address(id));
        let label = self.host.split('.').next().unwrap_or_default();
        let unknown = if id == NOBODY { "Unknown user".to_owned() } else { format!("User {id}") };
        let name = Some(texts::name(&person.name)).filter(|name| !name.trim().is_empty()).unwrap_or(unknown);
        let base = if id == NOBODY { "nobody".to_owned() } else { allowed(&person.username, id) };
        let candidates = [base.clone(), format!("{base}-{label}")].into_iter();
        for username in candidates.chain((2..1000).map(|number| format!("{base}-{label}-{number}"))) {
            if self.here.by_username.contains_key(&username.to_lowercase()) {
                continue;
            }
            let new = json!({"email": address, "name": name, "username": username});
            match api.write("POST", "/users", &new)? {
                Ok(user) => match self.here.add(&user) {
                    Some(id) => return Ok((id, how)),
                    None => return Err(Error::Server("POST /users answered without an id".to_owned())),
                },
                // another import may have made them
                Err(Refusal(409, message)) if message.to_lowercase().contains("email") => {
                    self.here = Here::read(api)?;
                    let found = self.here.by_email.get(&address.to_lowercase());
                    return found.map(|id| (*id, how)).ok_or_else(|| Error::Server(format!("{address}: {message}")));
                }
                Err(refusal) if says(&refusal, "username") || says(&refusal, "path") || says(&refusal, "taken") => {}
                Err(refusal) => return Err(api.refused("/users", &refusal)),
            }
        }
        Err(Error::Server(format!("no user name is free for {} ({id})", person.username)))
    }

    fn address(&self, id: i64) -> String {
        let id = if id == NOBODY { "nobody".to_owned() } else { id.to_string() };
        format!("{id}@{}.import.invalid", self.host)
    }

    /// The user here. [`NOBODY`] has one, too.
    pub fn here(&self, id: Option<i64>) -> i64 {
        self.found.get(&id.unwrap_or(NOBODY)).map_or(NOT_MADE, |(here, _)| *here)
    }

    /// Whether this is an account that somebody enters.
    pub fn account(&self, id: i64) -> Option<i64> {
        self.found.get(&id).filter(|(_, how)| !how.contains("placeholder")).map(|(here, _)| *here)
    }

    /// User names that differ here, those of the source in lower case.
    pub fn renamed(&self) -> HashMap<String, String> {
        let named = |(id, (here, _)): (&i64, &(i64, &str))| {
            let there = &self.known.get(id)?.username;
            let here = self.here.usernames.get(here)?;
            (!there.is_empty() && !there.eq_ignore_ascii_case(here)).then(|| (there.to_lowercase(), here.clone()))
        };
        self.found.iter().filter_map(named).collect()
    }

    /// Requests that would make those who lack.
    pub fn to_make(&self) -> usize {
        self.found.values().filter(|(here, _)| *here == NOT_MADE).count()
    }
}

/// An address that its owner has confirmed, which a public one always is.
pub fn confirmed(user: &Value) -> Option<&str> {
    let own = word(user, "email").filter(|_| text(user, "confirmed_at").is_some());
    own.or(word(user, "public_email"))
}

/// A user name that this server may take.
fn allowed(username: &str, id: i64) -> String {
    let kept: String =
        username.chars().filter(|of| of.is_ascii_alphanumeric() || "_-.".contains(*of)).take(200).collect();
    let kept = kept.trim_matches(['-', '.']);
    let is_number = kept.bytes().all(|byte| byte.is_ascii_digit());
    let is_ending = [".git", ".atom", ".json"].iter().any(|end| kept.to_lowercase().ends_with(end));
    if is_number || is_ending { format!("user-{id}") } else { kept.to_owned() }
}

#[cfg(test)]
#[path = "../../../tests/unit/moving/people.rs"]
mod tests;
