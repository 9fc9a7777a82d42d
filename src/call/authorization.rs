//! The doors: who calls, where to, and whether he may. 401, then 404, then 403, then the query's own error.

use super::idempotency::{self, Kept, Key};
use super::scope;
use super::token::Credentials;
use super::{Call, Caller, Entered, Resource, SignedIn};
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
pub(super) struct HeadRow {
    user: Option<Caller>,
    /// Whose token it is, where `SUDO` names somebody else.
    actor: Option<Actor>,
    resource: Option<Resource>,
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
    /// 401, then 404, then 403, then the query's own error: the door of everything in a project.
    pub async fn enter(&self, project: &str, action: Action, query: Result<Statement>) -> Result<Entered> {
        self.enter_one(project, action, "Project", scope::PROJECT_HEAD, query).await
    }

    /// The same for a group.
    pub async fn enter_group(
        &self,
        group: &str,
        action: Action,
        query: Result<Statement>,
    ) -> Result<Entered> {
        self.enter_one(group, action, "Group", scope::GROUP_HEAD, query).await
    }

    /// [`Call::enter`] for a request that may have been answered before.
    pub async fn enter_again(
        &self,
        project: &str,
        action: Action,
        key: Option<&Key>,
        query: Result<Statement>,
    ) -> Result<(Entered, Option<Kept>)> {
        let kept = key.map(|_| idempotency::kept());
        let batch = query.map(|query| [query].into_iter().chain(kept).collect());
        let resource = [scope::reference(project), scope::needs(action, self.reads(), key, 0)];
        let (entered, answers) = self
            .enter_with("Project", action, scope::PROJECT_HEAD, resource, batch, Repeat::Harmless)
            .await?;
        Ok((entered, idempotency::read(key, &answers)?))
    }

    async fn enter_one(
        &self,
        reference: &str,
        action: Action,
        what: &str,
        door: &'static str,
        query: Result<Statement>,
    ) -> Result<Entered> {
        let batch = query.map(|query| vec![query]);
        let resource = [scope::reference(reference), scope::needs(action, self.reads(), None, 0)];
        Ok(self.enter_with(what, action, door, resource, batch, Repeat::Harmless).await?.0)
    }

    /// Who entered, with the first statement's rows; and the rows of the others.
    pub(super) async fn enter_with(
        &self,
        what: &str,
        action: Action,
        door: &'static str,
        resource: [Value; 2],
        batch: Result<Vec<Statement>>,
        repeat: Repeat,
    ) -> Result<(Entered, Vec<Rows>)> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let (door, mut answers, error) = self.ask(door, credentials, resource, batch, repeat).await?;
        let links = self.links(door.avatars);
        let (caller, resource) = self.authorize(door, action, what)?;
        let rows = answers.drain(..1.min(answers.len())).next().unwrap_or_default();
        error.map_or(Ok((Entered { caller, resource, rows, links }, answers)), Err)
    }

    /// The door of what everybody may read: in a public project it asks nobody, elsewhere it is [`Call::enter`].
    pub async fn enter_public(
        &self,
        project: &str,
        action: Action,
        query: Statement,
    ) -> Result<(Resource, Rows)> {
        let credentials = self.credentials().unwrap_or_default();
        let door = scope::OPEN_PROJECT_HEAD;
        let resource = [scope::reference(project), scope::needs(action, self.reads(), None, 0)];
        let (door, mut answers, _) =
            self.ask(door, credentials, resource, Ok(vec![query]), Repeat::Harmless).await?;
        let rows = answers.pop().unwrap_or_default();
        match door {
            HeadRow { user: None, resource: Some(resource), .. } => Ok((resource, rows)),
            door => Ok((self.authorize(door, action, "Project")?.1, rows)),
        }
    }

    /// 401, then 404, then 403.
    fn authorize(&self, door: HeadRow, action: Action, what: &str) -> Result<(Caller, Resource)> {
        let caller = self.authenticate(door.user, door.actor)?;
        let resource = door.resource.ok_or_else(|| Error::missing(what))?;
        if caller.token_project_id.is_some() && resource.access == Access::None {
            return Err(Error::FORBIDDEN);
        }
        caller.needs_scope(policy::scopes(action, self.reads()))?;
        policy::check(action, resource.access, resource.visibility, what)?;
        Ok((caller, resource))
    }

    /// 401, then the query's own error: the door of what belongs to the caller alone.
    pub async fn sign_in(&self, query: Result<Statement>) -> Result<SignedIn> {
        let batch = query.map(|query| vec![query]);
        Ok(self.ask_alone(false, self.personal(), Value::Null, batch).await?.0)
    }

    /// The same for what a project's token may hear, too: what it is itself.
    pub async fn sign_in_with_any_token(&self, query: Result<Statement>) -> Result<SignedIn> {
        let batch = query.map(|query| vec![query]);
        Ok(self.ask_alone(false, policy::scopes::ANY, Value::Null, batch).await?.0)
    }

    fn personal(&self) -> i64 {
        policy::personal_scopes(self.reads())
    }

    /// [`Call::sign_in`] for a request that may have been answered before.
    pub async fn sign_in_again(
        &self,
        key: Option<&Key>,
        query: Result<Statement>,
    ) -> Result<(SignedIn, Option<Kept>)> {
        let kept = key.map(|_| idempotency::kept_of_caller());
        // without a query there is only the door, which has no resource for the key
        let needs = key.filter(|_| query.is_ok()).map_or(Value::Null, scope::only_key);
        let batch = query.map(|query| [query].into_iter().chain(kept).collect());
        let (signed_in, answers) = self.ask_alone(false, self.personal(), needs, batch).await?;
        Ok((signed_in, idempotency::read(key, &answers)?))
    }

    /// 401, then 403, then the query's own error: the door of administrators.
    pub async fn administer(&self, query: Result<Statement>) -> Result<SignedIn> {
        let batch = query.map(|query| vec![query]);
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
        let resource = [scope::alone(administrators, scopes), needs];
        let (door, mut answers, error) =
            self.ask(scope::CALLER_HEAD, credentials, resource, batch, Repeat::Harmless).await?;
        let links = self.links(door.avatars);
        let caller = self.authenticate(door.user, door.actor)?;
        caller.needs_scope(scopes)?;
        if administrators && !caller.admin {
            return Err(Error::FORBIDDEN);
        }
        let rows = answers.drain(..1.min(answers.len())).next().unwrap_or_default();
        error.map_or(Ok((SignedIn { caller, rows, links }, answers)), Err)
    }

    /// The door that anyone passes: the caller where the token is good, else none.
    pub async fn optional_caller(&self) -> Result<Option<Caller>> {
        match self.sign_in(Ok(scope::caller_head())).await {
            Ok(entered) => Ok(Some(entered.caller)),
            Err(error @ (Error::Internal(_) | Error::Unavailable { .. })) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// One trip: who calls, where to, and the rows of each statement of the batch, whose first is a query. A batch that
    /// could not be put leaves its error.
    pub(super) async fn ask(
        &self,
        door: &'static str,
        credentials: Credentials,
        [resource, needs]: [Value; 2],
        batch: Result<Vec<Statement>>,
        repeat: Repeat,
    ) -> Result<(HeadRow, Vec<Rows>, Option<Error>)> {
        let (mut batch, error) = match batch {
            Ok(batch) => (batch, None),
            Err(error) => (vec![Statement { sql: door.into(), binds: Vec::new() }], Some(error)),
        };
        let mut head = credentials.binds(self.now).to_vec();
        head.push(resource);
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

    fn authenticate(&self, user: Option<Caller>, actor: Option<Actor>) -> Result<Caller> {
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
