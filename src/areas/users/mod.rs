//! Users (behaviour 5.4).

mod change;
pub mod domains;
mod list;
pub mod rename;
pub mod v3;
pub mod v4;

use crate::areas::events::system::{self, Life};
use crate::kernel::answers::person::UserRow;
use crate::kernel::store::Failure;
use crate::kernel::text::names;
use crate::kernel::text::web_address::{WEB, is_address};
use crate::kernel::{Call, Entry, Error, Parameters, Result, Row, Statement, ValidationErrors};
use serde::Serialize;

edgeforge_row::statements!(pub mod sql: "src/areas/users/users.sql");

pub mod entity {
    pub use super::v3::{BriefUser, FullUser};
}

#[derive(Debug, Clone, Row)]
pub struct ProfileRow {
    #[row(flatten)]
    pub user: UserRow,
    pub created_at: i64,
    pub admin: bool,
    pub external: bool,
    #[row(flatten)]
    pub about: ProfileFields,
    pub projects_limit: i64,
    pub projects_count: i64,
}

#[derive(Debug, Clone, Row, Serialize)]
pub struct ProfileFields {
    bio: Option<String>,
    location: Option<String>,
    skype: String,
    linkedin: String,
    twitter: String,
    website_url: String,
}

impl ProfileRow {
    fn can_create_project(&self) -> bool {
        self.admin || self.projects_count < self.projects_limit
    }
}

#[derive(Debug, Default, Parameters)]
struct NewUser {
    email: String,
    name: String,
    username: String,
    #[param(default)]
    admin: bool,
    #[param(default)]
    external: bool,
    bio: Option<String>,
    location: Option<String>,
    #[param(default)]
    skype: String,
    #[param(default)]
    linkedin: String,
    #[param(default)]
    twitter: String,
    #[param(default)]
    website_url: String,
    projects_limit: Option<i64>,
}

impl NewUser {
    fn statements(self, call: &Call<'_>) -> Vec<Statement> {
        let username_key = self.username.to_lowercase();
        let NewUser { email, name, username, admin, external, bio, location, skype, linkedin, twitter, .. } = self;
        let NewUser { website_url, projects_limit, .. } = self;
        let create = sql::create {
            new_state: if is_of_placeholder(&email) { "blocked" } else { "active" },
            username_key: &username_key,
            email_key: email.to_lowercase(),
            email,
            name,
            admin,
            external,
            bio,
            location,
            skype,
            linkedin,
            twitter,
            website_url,
            projects_limit,
            now: call.now,
        };
        let name = sql::take_name { username, username_key: &username_key };
        vec![name.into(), create.into(), system::user(call, Life::Begins { key: &username_key })]
    }

    fn validated(mut self) -> Result<NewUser> {
        for text in [&mut self.email, &mut self.name, &mut self.username] {
            *text = text.trim().to_owned();
        }
        let mut errors = ValidationErrors::default();
        check_email(&mut errors, &self.email);
        names::check_letters(&mut errors, "name", Some(&self.name));
        names::check_namespace(&mut errors, "username", &self.username);
        check_website(&mut errors, &self.website_url);
        check_projects_limit(&mut errors, self.projects_limit);
        errors.result().map(|()| self)
    }
}

fn check_website(errors: &mut ValidationErrors, address: &str) {
    if !address.is_empty() && !is_address(address, WEB) {
        errors.add("website_url", "must be a valid URL");
    }
}

pub fn is_email(email: &str) -> bool {
    let is_whole = email
        .split_once('@')
        .is_some_and(|(name, domain)| !name.is_empty() && !domain.is_empty() && !domain.contains('@'));
    is_whole && !email.chars().any(|letter| letter.is_whitespace() || letter.is_control())
}

fn check_email(errors: &mut ValidationErrors, email: &str) {
    if !is_email(email) {
        errors.add("email", "is invalid");
    }
}

/// Whether the address is one of a placeholder for somebody who has no account, which imports make (behaviour 21).
fn is_of_placeholder(email: &str) -> bool {
    email.to_lowercase().ends_with(".import.invalid")
}

fn check_projects_limit(errors: &mut ValidationErrors, limit: Option<i64>) {
    if limit.is_some_and(|limit| limit < 0) {
        errors.add("projects_limit", "must be greater than or equal to 0");
    }
}

#[derive(Debug, Row)]
pub struct BeforeCreation {
    #[row(flatten)]
    taken: NameConflicts,
    #[row(flatten)]
    domains: domains::Domains,
}

#[derive(Debug, Row)]
struct NameConflicts {
    email_taken: bool,
    username_taken: bool,
}

impl NameConflicts {
    fn check(&self) -> Result<()> {
        match self {
            NameConflicts { email_taken: true, .. } => Err(already_taken("Email")),
            NameConflicts { username_taken: true, .. } => Err(already_taken("Username")),
            _ => Ok(()),
        }
    }
}

async fn create(call: &Call<'_>) -> Result<(ProfileRow, Entry)> {
    let input = call.creation().and_then(NewUser::validated);
    let query =
        |new: &NewUser| sql::before_create { email: new.email.to_lowercase(), username: new.username.to_lowercase() };
    let (new, entry, before) = call.authorize_with(input, query).await?;
    before.taken.check()?;
    if !is_of_placeholder(&new.email) {
        before.domains.check(&new.email)?;
    }
    let username_key = new.username.to_lowercase();
    let batch = (new.statements(call), sql::created { username_key: username_key.as_str() });
    let (_, row) = call.write(batch).await.map_err(constraint_error)?;
    Ok((row, entry))
}

/// The statements that make a user who nobody else asked for. The error says why the names are none.
pub fn newcomer(call: &Call<'_>, email: &str, name: &str, username: &str, external: bool) -> Result<Vec<Statement>> {
    let [email, name, username] = [email, name, username].map(str::to_owned);
    let new = NewUser { email, name, username, external, ..NewUser::default() };
    Ok(new.validated()?.statements(call))
}

fn constraint_error(failure: Failure) -> Error {
    match failure {
        Failure::Constraint(text) if text.contains("users.email_key") => already_taken("Email"),
        Failure::Constraint(text) if text.contains("namespaces.path_key") || text.contains("users.username") => {
            already_taken("Username")
        }
        other => other.into(),
    }
}

fn already_taken(what: &str) -> Error {
    Error::Refused(409, format!("{what} has already been taken"))
}
