//! The doors: who calls, where to, and whether he may. 401, then 404, then 403, then the question's own error.

use super::scope;
use super::token::Credentials;
use super::{Call, Caller, Entered, Place, SignedIn};
use crate::error::{Error, Result};
use crate::policy::{self, Action};
use crate::store::{Rows, Statement, Value, flag};
use serde::Deserialize;

#[derive(Deserialize)]
struct DoorRow {
    user: Option<Caller>,
    /// Whose token it is, where `SUDO` names somebody else.
    actor: Option<Actor>,
    place: Option<Place>,
    #[serde(with = "flag")]
    avatars: bool,
    /// Whether the rows of the question stand in the rows of the door.
    #[serde(default)]
    beside: bool,
}

#[derive(Deserialize)]
struct Actor {
    token: String,
    #[serde(with = "flag")]
    admin: bool,
}

impl Call<'_> {
    /// 401, then 404, then 403, then the question's own error: the door of everything in a project.
    pub async fn enter(&self, project: &str, action: Action, question: Result<Statement>) -> Result<Entered> {
        self.step_in(project, action, "Project", scope::PROJECT_DOOR, question).await
    }

    /// The same for a group.
    pub async fn enter_group(
        &self,
        group: &str,
        action: Action,
        question: Result<Statement>,
    ) -> Result<Entered> {
        self.step_in(group, action, "Group", scope::GROUP_DOOR, question).await
    }

    async fn step_in(
        &self,
        reference: &str,
        action: Action,
        what: &str,
        door: &'static str,
        question: Result<Statement>,
    ) -> Result<Entered> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let (door, rows, error) = self.knock(door, credentials, Some(reference), question).await?;
        let links = self.links(door.avatars);
        let (caller, place) = self.pass(door, action, what)?;
        error.map_or(Ok(Entered { caller, place, rows, links }), Err)
    }

    /// The door of what everybody may read: in a public project it asks nobody, elsewhere it is [`Call::enter`].
    pub async fn visit(&self, project: &str, action: Action, question: Statement) -> Result<(Place, Rows)> {
        let credentials = self.credentials().unwrap_or_default();
        let door = scope::OPEN_PROJECT_DOOR;
        let (door, rows, _) = self.knock(door, credentials, Some(project), Ok(question)).await?;
        match door {
            DoorRow { user: None, place: Some(place), .. } => Ok((place, rows)),
            door => Ok((self.pass(door, action, "Project")?.1, rows)),
        }
    }

    /// 401, then 404, then 403.
    fn pass(&self, door: DoorRow, action: Action, what: &str) -> Result<(Caller, Place)> {
        let caller = self.admit(door.user, door.actor)?;
        let place = door.place.ok_or_else(|| Error::missing(what))?;
        if let Some(project_id) = caller.hook_project_id
            && (project_id != place.id || action != Action::PushMirror)
        {
            return Err(Error::FORBIDDEN);
        }
        policy::judge(action, place.access, place.visibility, what)?;
        Ok((caller, place))
    }

    /// 401, then the question's own error: the door of what belongs to the caller alone.
    pub async fn sign_in(&self, question: Result<Statement>) -> Result<SignedIn> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let (door, rows, error) = self.knock(scope::CALLER_DOOR, credentials, None, question).await?;
        let links = self.links(door.avatars);
        let caller = self.admit(door.user, door.actor)?;
        if caller.hook_project_id.is_some() {
            return Err(Error::FORBIDDEN);
        }
        error.map_or(Ok(SignedIn { caller, rows, links }), Err)
    }

    /// 401, then 403, then the question's own error: the door of administrators.
    pub async fn administer(&self, question: Result<Statement>) -> Result<SignedIn> {
        match self.sign_in(question).await {
            Ok(entered) if !entered.caller.admin => Err(Error::FORBIDDEN),
            // the question's error is not for everyone
            Err(error) if error.status() == 400 => {
                let entered = Box::pin(self.sign_in(Ok(scope::caller_door()))).await?;
                if entered.caller.admin { Err(error) } else { Err(Error::FORBIDDEN) }
            }
            outcome => outcome,
        }
    }

    /// The door that anyone passes: the caller where the token is good, else none.
    pub async fn guest(&self) -> Result<Option<Caller>> {
        match self.sign_in(Ok(scope::caller_door())).await {
            Ok(entered) => Ok(Some(entered.caller)),
            Err(Error::Internal(cause)) => Err(Error::Internal(cause)),
            Err(_) => Ok(None),
        }
    }

    /// One trip: who calls, where to, and the question's rows. A question that could not be put leaves its error.
    async fn knock(
        &self,
        door: &'static str,
        credentials: Credentials,
        reference: Option<&str>,
        question: Result<Statement>,
    ) -> Result<(DoorRow, Rows, Option<Error>)> {
        let (mut statement, error) = match question {
            Ok(statement) => (statement, None),
            Err(error) => (Statement { sql: door.into(), binds: Vec::new() }, Some(error)),
        };
        let mut binds = credentials.binds(self.now).to_vec();
        // D1 refuses more binds than the statement has places
        if reference.is_some() || !statement.binds.is_empty() {
            binds.extend(reference.map_or([Value::Null, Value::Null], scope::reference));
        }
        statement.binds.splice(0..0, binds);
        let mut rows = self.store.run(statement).await?;
        let door: Option<DoorRow> = rows.first()?;
        let door = door.ok_or_else(|| Error::Internal("a door without a row".to_owned()))?;
        if !door.beside {
            rows.drop_first();
        }
        Ok((door, rows, error))
    }

    fn admit(&self, user: Option<Caller>, actor: Option<Actor>) -> Result<Caller> {
        let Some(sudo) = self.sudo() else {
            self.caller_id.set(user.as_ref().map(|caller| caller.user.id));
            return user.ok_or(Error::Unauthorized);
        };
        let actor = actor.ok_or(Error::Unauthorized)?;
        if !actor.admin {
            return Err(Error::Forbidden("403 Forbidden  - Must be admin to use sudo"));
        }
        if actor.token != "private" {
            return Err(Error::Forbidden(
                "403 Forbidden  - Private token must be specified in order to use sudo",
            ));
        }
        self.caller_id.set(user.as_ref().map(|caller| caller.user.id));
        user.ok_or_else(|| Error::missing(&format!("No user id or username for: {sudo}")))
    }
}
