//! Authentication and authorization: who calls, what they ask for, and whether they may. A refusal is 401, then 404,
//! then 403 (behaviour 3.1); only those who are authorized hear what is wrong with their parameters.

use super::key::Key;
use super::scope;
use super::token::Credentials;
use super::{Browsing, Call, Caller, Entered, Resource, SignedIn, Visited};
use crate::error::{Error, Result};
use crate::page::{end_early, is_bounded, shorter};
use crate::policy::{self, Access, Action};
use crate::store::{Reading, Row, Rows, Statement, Value, sql};
use std::pin::Pin;

/// Whether a batch may be tried again when its answer was lost.
pub(super) enum Repeat {
    Harmless,
    /// Done twice, it would make two records.
    Doubles,
}

/// What a request names: how it is called in a refusal, and the statement that looks it up alone.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    name: &'static str,
    head: &'static str,
}

pub(super) const PROJECT: Kind = Kind { name: "Project", head: scope::PROJECT_HEAD };
const GROUP: Kind = Kind { name: "Group", head: scope::GROUP_HEAD };

/// The first row of every answer.
#[derive(Row)]
struct HeadRow {
    user: Option<Caller>,
    resource: Option<Resource>,
    avatars: bool,
}

/// An authorization on its way. Behind a pointer: else each endpoint would hold all of it.
type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + 'a>>;

/// Both; who may not enter hears nothing of their input.
async fn both<T, E>(input: Result<T>, entering: Later<'_, E>) -> Result<(T, E)> {
    let entered = entering.await?;
    Ok((input?, entered))
}

impl Call<'_> {
    /// Authorizes an action in a project: 401, then 404, then 403. `query` is answered by the same trip, and runs only
    /// where the caller is authorized.
    pub async fn enter(&self, project: &str, action: Action, query: Statement) -> Result<Entered> {
        Ok(self.enter_with(project, action, Ok(()), |()| query).await?.1)
    }

    /// [`Call::enter`] with the request's checked input, which the query is made of. What is wrong with the input is told
    /// to those who are authorized.
    pub fn enter_with<T>(
        &self,
        project: &str,
        action: Action,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> impl Future<Output = Result<(T, Entered)>> {
        let (input, batch) = self.question(input, query);
        both(input, self.enter_place(PROJECT, action, self.place(project, action), batch))
    }

    /// [`Call::enter`] for a group.
    pub async fn enter_group(&self, group: &str, action: Action, query: Statement) -> Result<Entered> {
        Ok(self.enter_group_with(group, action, Ok(()), |()| query).await?.1)
    }

    /// [`Call::enter_with`] for a group.
    pub fn enter_group_with<T>(
        &self,
        group: &str,
        action: Action,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> impl Future<Output = Result<(T, Entered)>> {
        let (input, batch) = self.question(input, query);
        both(input, self.enter_place(GROUP, action, self.place(group, action), batch))
    }

    /// Authorizes a read that public projects allow to anybody, also to those who bring no token.
    pub async fn visit(&self, project: &str, action: Action, query: Statement) -> Result<Visited> {
        Ok(self.visit_with(project, action, Ok(()), |()| query).await?.1)
    }

    /// [`Call::visit`] with the request's checked input.
    pub fn visit_with<T>(
        &self,
        project: &str,
        action: Action,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> impl Future<Output = Result<(T, Visited)>> {
        let (input, batch) = self.question(input, query);
        both(input, self.visit_place(PROJECT, scope::reference(project), action, batch))
    }

    /// [`Call::visit_with`] for a group.
    pub fn visit_group_with<T>(
        &self,
        group: &str,
        action: Action,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> impl Future<Output = Result<(T, Visited)>> {
        let (input, batch) = self.question(input, query);
        both(input, self.visit_place(GROUP, scope::reference(group), action, batch))
    }

    fn visit_place(
        &self,
        kind: Kind,
        reference: Value,
        action: Action,
        batch: Option<Vec<Statement>>,
    ) -> Later<'_, Visited> {
        Box::pin(async move {
            if self.has_credentials() {
                let place = [reference, scope::needs(action, self.reads(), None, 0)];
                return self.enter_place(kind, action, place, batch).await.map(Visited::from);
            }
            let place = [reference, scope::needs(action, true, None, 0)];
            let (head, mut answers) =
                self.ask(kind.head, Credentials::anybody(), place, batch, Repeat::Harmless).await?;
            let links = self.links(head.avatars);
            let resource = head.resource.ok_or_else(|| Error::missing(kind.name))?;
            policy::check(action, resource.access, resource.visibility, kind.name)?;
            let rows = answers.drain(..1.min(answers.len())).next().unwrap_or_default();
            Ok(Visited { caller: None, resource, rows, links })
        })
    }

    /// Head binds of a place and of what the caller needs there.
    fn place(&self, reference: &str, action: Action) -> [Value; 2] {
        [scope::reference(reference), scope::needs(action, self.reads(), None, 0)]
    }

    /// The statement that input and query make, if the request can be read.
    fn question<T>(
        &self,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> (Result<T>, Option<Vec<Statement>>) {
        let input = self.readable(input);
        let batch = input.as_ref().ok().map(|input| vec![query(input)]);
        (input, batch)
    }

    /// Who entered, with the query's rows. Tried again where the database was away.
    fn enter_place(
        &self,
        kind: Kind,
        action: Action,
        place: [Value; 2],
        batch: Option<Vec<Statement>>,
    ) -> Later<'_, Entered> {
        Box::pin(
            async move { Ok(self.enter_to_write(kind, action, place, batch, Repeat::Harmless).await?.0) },
        )
    }

    /// Who entered, with the first statement's rows; and the rows of the others. What writes must not be done twice.
    pub(super) async fn enter_to_write(
        &self,
        kind: Kind,
        action: Action,
        place: [Value; 2],
        batch: Option<Vec<Statement>>,
        repeat: Repeat,
    ) -> Result<(Entered, Vec<Rows>)> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let (head, mut answers) = self.ask(kind.head, credentials, place, batch, repeat).await?;
        let links = self.links(head.avatars);
        let (caller, resource) = self.authorize_head(head, action, kind.name)?;
        let rows = answers.drain(..1.min(answers.len())).next().unwrap_or_default();
        Ok((Entered { caller, resource, rows, links }, answers))
    }

    /// 401, then 404, then 403.
    fn authorize_head(&self, head: HeadRow, action: Action, what: &str) -> Result<(Caller, Resource)> {
        let caller = self.authenticate(head.user)?;
        let resource = head.resource.ok_or_else(|| Error::missing(what))?;
        if caller.token_project_id.is_some() && resource.access == Access::None {
            return Err(Error::FORBIDDEN);
        }
        caller.needs_scope(policy::scopes(action, self.reads()))?;
        policy::check(action, resource.access, resource.visibility, what)?;
        Ok((caller, resource))
    }

    /// Authenticates for what belongs to the caller alone: 401.
    pub async fn sign_in(&self, query: Statement) -> Result<SignedIn> {
        Ok(self.sign_in_with(Ok(()), |()| query).await?.1)
    }

    /// [`Call::sign_in`] with the request's checked input.
    pub fn sign_in_with<T>(
        &self,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> impl Future<Output = Result<(T, SignedIn)>> {
        let (input, batch) = self.question(input, query);
        both(input, self.enter_person(false, batch))
    }

    /// [`Call::sign_in`] for what a token of a project may read, too: what it is itself.
    pub async fn sign_in_with_any_token(&self, query: Statement) -> Result<SignedIn> {
        let signed_in = self.enter_alone(false, policy::scopes::ANY, None, Some(vec![query])).await?.0;
        self.readable(Ok(signed_in))
    }

    fn personal(&self) -> i64 {
        policy::personal_scopes(self.reads())
    }

    /// Authenticates an administrator with the request's checked input: 401, then 403.
    pub fn administer_with<T>(
        &self,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> impl Future<Output = Result<(T, SignedIn)>> {
        let (input, batch) = self.question(input, query);
        both(input, self.enter_person(true, batch))
    }

    /// Who signed in with a token of their own, with the query's rows.
    fn enter_person(&self, administrators: bool, batch: Option<Vec<Statement>>) -> Later<'_, SignedIn> {
        Box::pin(async move { Ok(self.enter_alone(administrators, self.personal(), None, batch).await?.0) })
    }

    async fn enter_alone(
        &self,
        administrators: bool,
        scopes: i64,
        key: Option<&Key>,
        batch: Option<Vec<Statement>>,
    ) -> Result<(SignedIn, Vec<Rows>)> {
        let credentials = self.credentials().ok_or(Error::Unauthorized)?;
        let place = scope::alone(administrators, scopes, key);
        let (head, mut answers) =
            self.ask(scope::CALLER_HEAD, credentials, place, batch, Repeat::Harmless).await?;
        let links = self.links(head.avatars);
        let caller = self.authenticate(head.user)?;
        caller.needs_scope(scopes)?;
        if administrators && !caller.admin {
            return Err(Error::FORBIDDEN);
        }
        let rows = answers.drain(..1.min(answers.len())).next().unwrap_or_default();
        Ok((SignedIn { caller, rows, links }, answers))
    }

    /// What anybody may read that belongs to no project: the caller where they bring a token, which then must be good.
    pub fn browse_with<T>(
        &self,
        input: Result<T>,
        query: impl FnOnce(&T) -> Statement,
    ) -> impl Future<Output = Result<(T, Browsing)>> {
        let (input, batch) = self.question(input, query);
        both(input, self.browse(batch))
    }

    fn browse(&self, batch: Option<Vec<Statement>>) -> Later<'_, Browsing> {
        Box::pin(async move {
            if self.has_credentials() {
                let SignedIn { caller, rows, links } = self.enter_person(false, batch).await?;
                return Ok(Browsing { caller: Some(caller), rows, links });
            }
            let place = scope::alone(false, policy::personal_scopes(true), None);
            let (head, mut answers) =
                self.ask(scope::CALLER_HEAD, Credentials::anybody(), place, batch, Repeat::Harmless).await?;
            let rows = answers.pop().unwrap_or_default();
            Ok(Browsing { caller: None, rows, links: self.links(head.avatars) })
        })
    }

    /// One trip: who calls, where to, and the rows of each statement of the batch, whose first is a query. None: there is
    /// nothing to ask for beside the head.
    async fn ask(
        &self,
        head: &'static str,
        credentials: Credentials,
        [place, needs]: [Value; 2],
        batch: Option<Vec<Statement>>,
        repeat: Repeat,
    ) -> Result<(HeadRow, Vec<Rows>)> {
        let has_token = !credentials.hash.is_empty();
        let batch = batch.filter(|_| self.reads() || !has_token || !self.is_refused_sudo());
        let mut batch = batch.unwrap_or_else(|| vec![sql!(head)]);
        let mut binds = credentials.binds(self.now).to_vec();
        binds.extend([place, needs]);
        for statement in &mut batch {
            statement.binds.splice(0..0, binds.iter().cloned());
        }
        let door = if has_token { self.door(head, binds) } else { None };
        let list = batch.first().filter(|statement| is_bounded(statement)).cloned();
        let mut answers = match (door, repeat) {
            (Some(door), _) => self.store.repeat_behind(door, batch).await?,
            (None, Repeat::Harmless) => self.store.repeat(batch).await?,
            (None, Repeat::Doubles) => self.store.batch(batch).await?,
        };
        if let (Some(list), Some(rows)) = (list, answers.first_mut())
            && let Some((list, count)) = shorter(&list, rows)
        {
            let fitting = self.store.ask(list).await?;
            let (page, is_cut) = end_early(fitting.0, std::mem::take(&mut rows.0), count);
            rows.0 = page;
            self.is_cut.set(is_cut);
        }
        let found = answers.first_mut().map(Rows::shift).transpose()?.flatten();
        let head = found.ok_or_else(|| Error::Internal("a head without a row".to_owned()))?;
        Ok((head, answers))
    }

    /// What the primary is asked while a replica is asked for all: who calls, and how they stand to the project. What is
    /// not of one project is judged row by row, so the primary is asked for it whole.
    fn door(&self, head: &'static str, binds: Vec<Value>) -> Option<Statement> {
        if !self.store.is_away() {
            return None;
        }
        if scope::PROJECT_HEAD != head {
            self.store.turn_to(Reading::Primary);
            return None;
        }
        Some(Statement { binds, ..sql!(head) })
    }
}

impl Caller {
    /// 403 unless the token has one of these scopes.
    pub(super) fn needs_scope(&self, scopes: i64) -> Result<()> {
        let reason = "The scopes of the token do not allow this";
        if self.scopes & scopes == 0 { Err(Error::Forbidden(reason)) } else { Ok(()) }
    }
}
