//! Users (behaviour 5.4).

pub mod change;
pub mod domains;
pub mod edit;
pub mod entity;
pub mod list;
pub mod sql;
pub mod v4;

use crate::call::{Call, Links, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::names;
use entity::Own;
use sql::{Before, NewUser, ProfileRow};

impl NewUser {
    /// The parameters as far as they can be judged alone; blanks around names are cut.
    fn checked(mut self) -> Result<NewUser> {
        for text in [&mut self.email, &mut self.name, &mut self.username] {
            *text = text.trim().to_owned();
        }
        let mut errors = ValidationErrors::default();
        check_email(&mut errors, &self.email);
        names::check_letters(&mut errors, "name", Some(&self.name));
        names::check_namespace(&mut errors, "username", &self.username);
        check_projects_limit(&mut errors, self.projects_limit);
        errors.result().map(|()| self)
    }
}

fn check_email(errors: &mut ValidationErrors, email: &str) {
    let whole = email
        .split_once('@')
        .is_some_and(|(name, domain)| !name.is_empty() && !domain.is_empty() && !domain.contains('@'));
    if !whole || email.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
        errors.add("email", "is invalid");
    }
}

fn check_projects_limit(errors: &mut ValidationErrors, limit: Option<i64>) {
    if limit.is_some_and(|limit| limit < 0) {
        errors.add("projects_limit", "must be greater than or equal to 0");
    }
}

/// GET /user
pub async fn show_own(call: &Call<'_>) -> Result<Reply> {
    let entered = call.sign_in_with_any_token(sql::own()).await?;
    let row: ProfileRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Own::new(row, &entered.links)))
}

/// A user's id in a path.
pub fn user_id(call: &Call<'_>, id: &str) -> Result<i64> {
    path_id(id)
        .inspect_err(|_| call.hint("a user is named by a number here: GET /users?username=.. tells it"))
}

/// GET /users/:id
pub async fn show(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (_, entered) = call.sign_in_with(user_id(call, id), |id| sql::one(*id)).await?;
    let row: ProfileRow = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    Ok(if entered.caller.admin {
        Reply::json(200, &Own::new(row, &entered.links))
    } else {
        Reply::json(200, &entity::Full::new(row, &entered.links))
    })
}

/// Makes the user whom the parameters describe.
async fn create_checked(call: &Call<'_>) -> Result<(ProfileRow, Links)> {
    let input = call.creation().and_then(NewUser::checked);
    let (new, entered) =
        call.administer_with(input, |new| sql::before_create(&new.email, &new.username)).await?;
    let before: Before = entered.rows.first()?.ok_or_else(|| Error::Internal("no settings".to_owned()))?;
    before.check(&new.email)?;
    Ok((sql::create(&call.store, new, call.now).await?, entered.links))
}

/// POST /users
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (row, links) = create_checked(call).await?;
    Ok(Reply::json(201, &Own::new(row, &links)))
}

impl Before {
    fn check(&self, email: &str) -> Result<()> {
        if self.email_taken {
            return Err(sql::email_taken());
        }
        if self.username_taken {
            return Err(sql::username_taken());
        }
        let mut errors = ValidationErrors::default();
        domains::check(&mut errors, email, self);
        errors.result()
    }
}
