//! The doors: who calls, where to, and whether he may. 401, then 404, then 403, then the question's own error.

use super::idempotency::{self, Kept, Key};
use super::scope;
use super::token::Credentials;
use super::{Call, Caller, Entered, Place, SignedIn};
use crate::error::{Error, Result};
use crate::page::{end_early, ending_early, is_bounded};
use crate::policy::{self, Access, Action};
use crate::store::{Rows, Statement, Value, flag};
use serde::Deserialize;

/// Whether a batch may be tried again when its answer was lost.
pub(super) enum Repeat {
    Harmless,
    /// Done twice, it would make two records.
    Doubles,
}

#[derive(Deserialize)]
pub(super) struct DoorRow {
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

    /// [`Call::enter`] for a request that may have been answered before.
    pub async fn enter_again(
        &self,
        project: &str,
        action: Action,
        key: Option<&Key>,
        question: Result<Statement>,
    ) -> Result<(Entered, Option<Kept>)> {
        let kept = key.map(|_| idempotency::kept());
        let batch = question.map(|question| [question].into_iter().chain(kept).collect());
        let place = [scope::reference(project), scope::needs(action, self.reads(), key, 0)];
        let (entered, answers) =
            self.step_through("Project", action, scope::PROJECT_DOOR, place, batch, Repeat::Harmless).await?;
        Ok((entered, idempotency::read(key, &answers)?))
    }

    async fn step_in(
        &self,
        reference: &str,
        action: Action,
        what: &str,
        door: &'static str,
        question: Result<Statement>,
    ) -> Result<Entered> {
        let batch = question.map(|question| vec![question]);
        let place = [scope::reference(reference), scope::needs(action, self.reads(), None, 0)];
        Ok(self.step_through(what, action, door, place, batch, Repeat::Harmless).await?.0)
    }

    /// Who entered, with the first statement's rows; and the rows of the others.
    pub(super) async fn step_through(
        &self,
        what: &str,
        action: Action,
        door: &'static str,
        place: [Value; 2],
        batch: Result<Vec<Statement>>,
        repeat: Repeat,
    ) -> Result<(Entered, Vec<Rows>)> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let (door, mut answers, error) = self.knock(door, credentials, place, batch, repeat).await?;
        let links = self.links(door.avatars);
        let (caller, place) = self.pass(door, action, what)?;
        let rows = answers.drain(..1.min(answers.len())).next().unwrap_or_default();
        error.map_or(Ok((Entered { caller, place, rows, links }, answers)), Err)
    }

    /// The door of what everybody may read: in a public project it asks nobody, elsewhere it is [`Call::enter`].
    pub async fn visit(&self, project: &str, action: Action, question: Statement) -> Result<(Place, Rows)> {
        let credentials = self.credentials().unwrap_or_default();
        let door = scope::OPEN_PROJECT_DOOR;
        let place = [scope::reference(project), scope::needs(action, self.reads(), None, 0)];
        let (door, mut answers, _) =
            self.knock(door, credentials, place, Ok(vec![question]), Repeat::Harmless).await?;
        let rows = answers.pop().unwrap_or_default();
        match door {
            DoorRow { user: None, place: Some(place), .. } => Ok((place, rows)),
            door => Ok((self.pass(door, action, "Project")?.1, rows)),
        }
    }

    /// 401, then 404, then 403.
    fn pass(&self, door: DoorRow, action: Action, what: &str) -> Result<(Caller, Place)> {
        let caller = self.admit(door.user, door.actor)?;
        let place = door.place.ok_or_else(|| Error::missing(what))?;
        if caller.token_project_id.is_some() && place.access == Access::None {
            return Err(Error::FORBIDDEN);
        }
        caller.needs_scope(policy::scopes(action, self.reads()))?;
        policy::judge(action, place.access, place.visibility, what)?;
        Ok((caller, place))
    }

    /// 401, then the question's own error: the door of what belongs to the caller alone.
    pub async fn sign_in(&self, question: Result<Statement>) -> Result<SignedIn> {
        let batch = question.map(|question| vec![question]);
        Ok(self.ask_alone(false, self.personal(), Value::Null, batch).await?.0)
    }

    /// The same for what a project's token may hear, too: what it is itself.
    pub async fn introduce(&self, question: Result<Statement>) -> Result<SignedIn> {
        let batch = question.map(|question| vec![question]);
        Ok(self.ask_alone(false, policy::scopes::ANY, Value::Null, batch).await?.0)
    }

    fn personal(&self) -> i64 {
        policy::personal_scopes(self.reads())
    }

    /// [`Call::sign_in`] for a request that may have been answered before.
    pub async fn sign_in_again(
        &self,
        key: Option<&Key>,
        question: Result<Statement>,
    ) -> Result<(SignedIn, Option<Kept>)> {
        let kept = key.map(|_| idempotency::kept_of_caller());
        // without a question there is only the door, which has no place for the key
        let needs = key.filter(|_| question.is_ok()).map_or(Value::Null, scope::only_key);
        let batch = question.map(|question| [question].into_iter().chain(kept).collect());
        let (signed_in, answers) = self.ask_alone(false, self.personal(), needs, batch).await?;
        Ok((signed_in, idempotency::read(key, &answers)?))
    }

    /// 401, then 403, then the question's own error: the door of administrators.
    pub async fn administer(&self, question: Result<Statement>) -> Result<SignedIn> {
        let batch = question.map(|question| vec![question]);
        Ok(self.ask_alone(true, self.personal(), Value::Null, batch).await?.0)
    }

    async fn ask_alone(
        &self,
        administrators: bool,
        scopes: i64,
        needs: Value,
        batch: Result<Vec<Statement>>,
    ) -> Result<(SignedIn, Vec<Rows>)> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let place = [scope::alone(administrators, scopes), needs];
        let (door, mut answers, error) =
            self.knock(scope::CALLER_DOOR, credentials, place, batch, Repeat::Harmless).await?;
        let links = self.links(door.avatars);
        let caller = self.admit(door.user, door.actor)?;
        caller.needs_scope(scopes)?;
        if administrators && !caller.admin {
            return Err(Error::FORBIDDEN);
        }
        let rows = answers.drain(..1.min(answers.len())).next().unwrap_or_default();
        error.map_or(Ok((SignedIn { caller, rows, links }, answers)), Err)
    }

    /// The door that anyone passes: the caller where the token is good, else none.
    pub async fn guest(&self) -> Result<Option<Caller>> {
        match self.sign_in(Ok(scope::caller_door())).await {
            Ok(entered) => Ok(Some(entered.caller)),
            Err(error @ (Error::Internal(_) | Error::Unavailable { .. })) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// One trip: who calls, where to, and the rows of each statement of the batch, whose first is a question. A batch that
    /// could not be put leaves its error.
    pub(super) async fn knock(
        &self,
        door: &'static str,
        credentials: Credentials,
        [place, needs]: [Value; 2],
        batch: Result<Vec<Statement>>,
        repeat: Repeat,
    ) -> Result<(DoorRow, Vec<Rows>, Option<Error>)> {
        let (mut batch, error) = match batch {
            Ok(batch) => (batch, None),
            Err(error) => (vec![Statement { sql: door.into(), binds: Vec::new() }], Some(error)),
        };
        let mut head = credentials.binds(self.now).to_vec();
        head.push(place);
        // D1 refuses more binds than the statement has places, and without a place `?6` is unused
        if needs != Value::Null || batch.iter().any(|statement| !statement.binds.is_empty()) {
            head.push(needs);
        }
        for statement in &mut batch {
            statement.binds.splice(0..0, head.iter().cloned());
        }
        let list = batch.first().filter(|statement| is_bounded(statement)).cloned();
        let mut answers = match repeat {
            Repeat::Harmless => self.store.repeat(batch).await?,
            Repeat::Doubles => self.store.batch(batch).await?,
        };
        if let (Some(list), Some(rows)) = (list, answers.first_mut())
            && let Some(shorter) = ending_early(&list, rows)
        {
            *rows = self.store.ask(shorter).await?;
            self.is_cut.set(end_early(&mut rows.0));
        }
        let found = answers.first_mut().map(Rows::shift).transpose()?.flatten();
        let door = found.ok_or_else(|| Error::Internal("a door without a row".to_owned()))?;
        Ok((door, answers, error))
    }

    fn admit(&self, user: Option<Caller>, actor: Option<Actor>) -> Result<Caller> {
        let Some(sudo) = self.sudo() else {
            self.caller_id.set(user.as_ref().map(|caller| caller.user.id));
            let caller = user.ok_or(Error::Unauthorized)?;
            self.is_administrator.set(caller.admin && caller.token_project_id.is_none());
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
        let name: String = sudo.chars().take(255).collect();
        user.ok_or_else(|| Error::missing(&format!("No user id or username for: {name}")))
    }
}

impl Caller {
    /// 403 unless the token has one of these scopes.
    fn needs_scope(&self, scopes: i64) -> Result<()> {
        let text = "403 Forbidden  - The scopes of the token do not allow this";
        if self.scopes & scopes == 0 { Err(Error::Forbidden(text)) } else { Ok(()) }
    }
}
