use super::rename::{MOST_PROJECTS, renamed, too_many};
use super::{
    NameConflicts, ProfileRow, check_email, check_projects_limit, check_website, constraint_error, is_of_placeholder,
    sql,
};
use crate::areas::events::system::{self, Life};
use crate::kernel::answers::person::ROOT;
use crate::kernel::text::names::{self, text};
use crate::kernel::{Call, Entry, Error, Parameters, Patch, Result, Row, Statement, ValidationErrors};

#[derive(Debug, Parameters)]
struct Edit {
    email: Patch<String>,
    name: Patch<String>,
    username: Patch<String>,
    admin: Option<bool>,
    external: Option<bool>,
    bio: Patch<String>,
    location: Patch<String>,
    skype: Patch<String>,
    linkedin: Patch<String>,
    twitter: Patch<String>,
    website_url: Patch<String>,
    projects_limit: Patch<i64>,
}

impl Edit {
    fn validated(mut self) -> Result<Edit> {
        let mut errors = ValidationErrors::default();
        let check_name = |errors: &mut ValidationErrors, name: &str| names::check_letters(errors, "name", Some(name));
        let check_path = |errors: &mut ValidationErrors, name: &str| names::check_namespace(errors, "username", name);
        names::needed(&mut errors, "email", &mut self.email, check_email);
        names::needed(&mut errors, "name", &mut self.name, check_name);
        names::needed(&mut errors, "username", &mut self.username, check_path);
        if let Patch::Set(address) = &self.website_url {
            check_website(&mut errors, address);
        }
        check_projects_limit(&mut errors, self.projects_limit.set().copied());
        errors.result().map(|()| self)
    }

    /// Whether the user's projects get new full names or addresses.
    fn renames(&self) -> bool {
        self.name.set().is_some() || self.username.set().is_some()
    }

    fn batch(self, call: &Call<'_>, id: i64, before: &BeforeUpdate) -> Vec<Statement> {
        let (renames, username) = (self.renames(), self.username.set());
        let update = sql::update {
            id,
            email: self.email.set(),
            email_key: lower(&self.email),
            name: self.name.set(),
            username,
            admin: self.admin,
            external: self.external,
            bio: text(self.bio),
            location: text(self.location),
            skype: text(self.skype),
            linkedin: text(self.linkedin),
            twitter: text(self.twitter),
            website_url: text(self.website_url),
            keeps_limit: self.projects_limit.is_keep(),
            projects_limit: self.projects_limit.set().copied(),
        };
        let mut batch = vec![update.into()];
        if let Some(username) = username {
            batch.push(sql::change_username { id, username, username_key: lower(&self.username) }.into());
        }
        if renames {
            batch = renamed(id, before.projects, batch);
            batch.push(system::user(call, Life::Renamed { id, old: &before.username }));
        }
        batch
    }
}

fn lower(text: &Patch<String>) -> Option<String> {
    text.set().map(|text| text.to_lowercase())
}

#[derive(Debug, Row)]
pub struct BeforeUpdate {
    username: String,
    email_key: String,
    projects: i64,
    #[row(flatten)]
    taken: NameConflicts,
}

pub(super) async fn update(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Entry)> {
    let input = id.and_then(|id| Ok((id, call.edit::<Edit>()?.validated()?)));
    let query = |(id, edit): &(i64, Edit)| sql::before_update {
        id: *id,
        email: lower(&edit.email),
        username: lower(&edit.username),
    };
    let ((id, edit), entry, before) = call.authorize_with(input, query).await?;
    let before = before.ok_or_else(|| Error::missing("User"))?;
    before.taken.check()?;
    if lower(&edit.email).is_some_and(|email| is_of_placeholder(&email) && email != before.email_key) {
        return Err(Error::field("email", "is one of an import"));
    }
    if id == ROOT && edit.admin == Some(false) {
        return Err(Error::FORBIDDEN);
    }
    if edit.renames() && before.projects > MOST_PROJECTS {
        return Err(too_many());
    }
    let batch = edit.batch(call, id, &before);
    let (_, row) = call.write((batch, sql::profile { id })).await.map_err(constraint_error)?;
    Ok((row.ok_or_else(|| Error::missing("User"))?, entry))
}

async fn find(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Entry)> {
    let (_, entry, row) = call.authorize_with(id, |id| sql::one { id: *id }).await?;
    Ok((row.ok_or_else(|| Error::missing("User"))?, entry))
}

/// 403 for root and the caller's own account.
async fn find_removable(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Entry)> {
    let (row, entry) = find(call, id).await?;
    let is_protected = row.user.id == ROOT || Some(row.user.id) == entry.user_id();
    if is_protected { Err(Error::FORBIDDEN) } else { Ok((row, entry)) }
}

/// Returns whether the state changed.
pub(super) async fn set_blocked(call: &Call<'_>, id: Result<i64>, blocked: bool) -> Result<bool> {
    let (row, _) = if blocked { find_removable(call, id).await? } else { find(call, id).await? };
    if row.user.state == "ldap_blocked" {
        return Err(Error::Forbidden(if blocked {
            "LDAP blocked users cannot be modified by the API"
        } else {
            "LDAP blocked users cannot be unblocked by the API"
        }));
    }
    let new_state = if blocked { "blocked" } else { "active" };
    call.write_safely(sql::set_state { id: row.user.id, new_state }).await?;
    Ok(row.user.state != new_state)
}

/// Turns the user into a blocked ghost and revokes all tokens. The row stays, because records of the user refer to it,
/// and the namespace stays with its projects. Username and e-mail address can be used again.
pub(super) async fn delete(call: &Call<'_>, id: Result<i64>) -> Result<(ProfileRow, Entry)> {
    let (mut row, entry) = find_removable(call, id).await?;
    if row.projects_count > MOST_PROJECTS {
        return Err(too_many());
    }
    let (id, now) = (row.user.id, call.now);
    // no username ends in a period
    let username = format!("ghost-{id}.");
    let renaming = vec![
        system::user(call, Life::Ends { id }),
        sql::forget { id, username: &username, now }.into(),
        sql::change_username { id, username: &username, username_key: &username }.into(),
    ];
    let mut batch = renamed(id, row.projects_count, renaming);
    batch.extend([
        sql::end_sessions { id }.into(),
        sql::block_bots { id }.into(),
        sql::revoke_tokens { id, now }.into(),
    ]);
    call.write_safely(batch).await?;
    row.user.state = "blocked".to_owned();
    Ok((row, entry))
}
