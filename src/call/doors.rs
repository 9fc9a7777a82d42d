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
}

#[derive(Deserialize)]
struct Actor {
    id: i64,
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
        let place = [scope::reference(reference), scope::needs(action)];
        let (door, rows, error) = self.knock(door, credentials, place, question).await?;
        let links = self.links(door.avatars);
        let (caller, place) = self.pass(door, action, what)?;
        error.map_or(Ok(Entered { caller, place, rows, links }), Err)
    }

    /// The door of what everybody may read: in a public project it asks nobody, elsewhere it is [`Call::enter`].
    pub async fn visit(&self, project: &str, action: Action, question: Statement) -> Result<(Place, Rows)> {
        let credentials = self.credentials().unwrap_or_default();
        let door = scope::OPEN_PROJECT_DOOR;
        let place = [scope::reference(project), scope::needs(action)];
        let (door, rows, _) = self.knock(door, credentials, place, Ok(question)).await?;
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
        self.ask_alone(question, false).await
    }

    /// 401, then 403, then the question's own error: the door of administrators.
    pub async fn administer(&self, question: Result<Statement>) -> Result<SignedIn> {
        self.ask_alone(question, true).await
    }

    async fn ask_alone(&self, question: Result<Statement>, administrators: bool) -> Result<SignedIn> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let needs = [Value::from(administrators.then_some(1)), Value::Null];
        let (door, rows, error) = self.knock(scope::CALLER_DOOR, credentials, needs, question).await?;
        let links = self.links(door.avatars);
        let caller = self.admit(door.user, door.actor)?;
        if caller.hook_project_id.is_some() || (administrators && !caller.admin) {
            return Err(Error::FORBIDDEN);
        }
        error.map_or(Ok(SignedIn { caller, rows, links }), Err)
    }

    /// The door that anyone passes: the caller where the token is good, else none.
    pub async fn guest(&self) -> Result<Option<Caller>> {
        match self.sign_in(Ok(scope::caller_door())).await {
            Ok(entered) => Ok(Some(entered.caller)),
            Err(error @ (Error::Internal(_) | Error::Unavailable { .. })) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// One trip: who calls, where to, and the question's rows. A question that could not be put leaves its error.
    async fn knock(
        &self,
        door: &'static str,
        credentials: Credentials,
        [place, needs]: [Value; 2],
        question: Result<Statement>,
    ) -> Result<(DoorRow, Rows, Option<Error>)> {
        let (mut statement, error) = match question {
            Ok(statement) => (statement, None),
            Err(error) => (Statement { sql: door.into(), binds: Vec::new() }, Some(error)),
        };
        let mut binds = credentials.binds(self.now).to_vec();
        binds.push(place);
        // D1 refuses more binds than the statement has places, and without a place `?6` is unused
        if needs != Value::Null || !statement.binds.is_empty() {
            binds.push(needs);
        }
        statement.binds.splice(0..0, binds);
        let mut rows = self.store.ask(statement).await?;
        let door: Option<DoorRow> = rows.first()?;
        let door = door.ok_or_else(|| Error::Internal("a door without a row".to_owned()))?;
        rows.drop_first();
        Ok((door, rows, error))
    }

    fn admit(&self, user: Option<Caller>, actor: Option<Actor>) -> Result<Caller> {
        let Some(sudo) = self.sudo() else {
            self.caller_id.set(user.as_ref().map(|caller| caller.user.id));
            let caller = user.ok_or(Error::Unauthorized)?;
            self.is_administrator.set(caller.admin && caller.hook_project_id.is_none());
            return Ok(caller);
        };
        let actor = actor.ok_or(Error::Unauthorized)?;
        self.actor_id.set(Some(actor.id));
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
