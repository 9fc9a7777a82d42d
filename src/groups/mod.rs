//! Groups: a namespace with members (contract B 3.2).

pub mod entity;
pub mod sql;

use crate::call::Call;
use crate::error::{Error, Faults, Result};
use crate::http::Reply;
use crate::names;
use entity::Group;
use serde::Deserialize;
use sql::{Before, Draft};

/// Parameters of `POST /groups`.
#[derive(Debug, Deserialize)]
pub struct NewGroup {
    name: String,
    path: String,
    #[serde(default)]
    description: String,
    visibility_level: Option<i64>,
}

impl NewGroup {
    /// The parameters as far as they can be judged alone. A group is private unless it says otherwise.
    fn checked(mut self) -> Result<NewGroup> {
        self.name = self.name.trim().to_owned();
        self.path = self.path.trim().to_owned();
        let mut faults = Faults::default();
        names::check_name(&mut faults, &self.name);
        names::check_namespace(&mut faults, "path", &self.path);
        self.visibility_level =
            Some(names::check_visibility(&mut faults, self.visibility_level.unwrap_or(0)));
        faults.result().map(|()| self)
    }
}

fn path_taken() -> Error {
    Error::field("path", "has already been taken")
}

/// POST /groups
pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation().and_then(NewGroup::checked);
    let question = input.as_ref().map(|new| sql::before(&new.path, None));
    let entered = call.sign_in(question.map_err(Error::clone)).await?;
    let NewGroup { name, path, description, visibility_level } = input?;
    let before: Before = entered.rows.first()?.ok_or_else(|| Error::Internal("no settings".to_owned()))?;
    let visibility = visibility_level.unwrap_or(0);
    before.judge(Some(visibility).filter(|_| !entered.caller.admin))?;
    let draft =
        Draft { name, path, description, visibility, owner_id: entered.caller.user.id, now: call.now };
    let row = sql::create(&call.store, draft).await?;
    Ok(Reply::json(201, &Group::new(row, &entered.links)))
}

impl Before {
    /// `level`: the visibility to be, of a caller whom the settings bind.
    fn judge(&self, level: Option<i64>) -> Result<()> {
        if self.path_taken {
            return Err(path_taken());
        }
        let mut faults = Faults::default();
        if let Some(level) = level {
            names::check_restriction(&mut faults, level, &self.restricted);
        }
        faults.result()
    }
}
