//! Authentication and authorization by the place and action of the route (`routes/`). Errors are 401, then
//! 404, then 403 (behaviour 2.3), and only then errors in the input.

mod late;
mod lenient;

use super::place::{Gate, Place, place_named};
use super::token::Credentials;
use super::{Call, Caller, Entry, Resource};
use crate::kernel::answers::person::ROOT;
use crate::kernel::error::{Error, Result};
use crate::kernel::params::sent::read_query;
use crate::kernel::policy::{self, Access, Visibility};
use crate::kernel::store::{Answers, Query, Reading, Row, Rows, Scope, Statement, Store};
use crate::kernel::time::HOUR;

edgeforge_row::statements!(mod sql: "src/kernel/call/authorization.sql");

#[derive(Row)]
struct Authorization {
    caller: Option<Caller>,
    resource: Option<Resource>,
    avatars: bool,
}

impl Authorization {
    fn read(answers: &[Rows]) -> Result<Authorization> {
        let row = answers.first().map(Rows::first).transpose()?.flatten();
        row.ok_or_else(|| Error::Internal("the authorization query returned no row".to_owned()))
    }
}

impl Call<'_> {
    /// Writes when the token was used, at most once an hour. Nothing depends on whether that succeeds.
    pub async fn note_use(&self, store: &Store<'_>) {
        if let Some(Credentials { hash, .. }) = self.credentials().filter(|_| self.is_new_use.get()) {
            store.run(sql::note_use { hash, now: self.now, before: self.now - HOUR }).await.ok();
        }
    }

    pub fn arrive(&self, gate: Gate) {
        self.gate.replace(gate);
    }

    pub fn named(&self) -> String {
        self.gate.borrow().named.clone()
    }

    /// 401 unless the token is good. For input that is validated before authorization.
    pub async fn identify(&self) -> Result<()> {
        let gate = self.gate.replace(Gate { place: Place::AnyToken, ..Gate::default() });
        let outcome = self.enter_gate(None, true).await;
        self.gate.replace(gate);
        outcome.map(|_| ())
    }

    /// The caller and the resource of the route, and the rows of `query`, in one round trip.
    pub async fn authorize<Q: Query>(&self, query: Q) -> Result<(Entry, Q::Answer)> {
        let ((), entry, answer) = self.authorize_with(Ok(()), |()| query).await?;
        Ok((entry, answer))
    }

    /// [`Call::authorize`] whatever the body is, for a request that is refused anyway.
    pub async fn authorize_without_body(&self) -> Result<Entry> {
        let (entry, _) = Box::pin(self.enter_gate(Some(Vec::new()), true)).await?;
        read_query(self.request)?;
        Ok(entry)
    }

    /// [`Call::authorize`] with a query made from validated input. Authorization errors take precedence over
    /// input errors.
    pub fn authorize_with<T, Q: Query>(
        &self,
        input: Result<T>,
        query: impl FnOnce(&T) -> Q,
    ) -> impl Future<Output = Result<(T, Entry, Q::Answer)>> {
        let mut batch = Vec::new();
        let input = self.readable(input).map(|input| {
            let sent = query(&input).add_to(&mut batch);
            (input, sent)
        });
        let entry = Box::pin(self.enter_gate(input.is_ok().then_some(batch), true));
        async move {
            let (entry, mut answers) = entry.await?;
            let (input, sent) = input?;
            Ok((input, entry, Q::read(sent, &mut answers)?))
        }
    }

    /// [`Call::authorize_with`] for builds. Returns 403 if the project's builds are disabled.
    pub async fn authorize_builds<T, Q: Query>(
        &self,
        input: Result<T>,
        query: impl FnOnce(&T) -> Q,
    ) -> Result<(T, Entry, Q::Answer)> {
        let (input, entry, answer) = self.authorize_with(input, query).await?;
        if entry.resource.has_builds() { Ok((input, entry, answer)) } else { Err(Error::FORBIDDEN) }
    }

    /// [`Call::authorize`] for input that is validated after the query.
    pub async fn authorize_first<Q: Query>(&self, query: Q) -> Result<(Entry, Q::Answer)> {
        let mut batch = Vec::new();
        let sent = query.add_to(&mut batch);
        let (entry, mut answers) = Box::pin(self.enter_gate(Some(batch), true)).await?;
        Ok((entry, Q::read(sent, &mut answers)?))
    }

    /// `batch`: None if the request will be refused anyway. `is_harmless`: a lost answer may be retried.
    pub(super) async fn enter_gate(
        &self,
        batch: Option<Vec<Statement>>,
        is_harmless: bool,
    ) -> Result<(Entry, Answers)> {
        let gate = self.gate.borrow().clone();
        if gate.place == Place::LenientProject {
            return self.enter_leniently(&gate, batch.unwrap_or_default()).await;
        }
        let credentials = match self.credentials() {
            Some(credentials) => credentials,
            None if gate.place.is_open(self.reads()) => Credentials::anybody(),
            None => return Err(Error::Unauthorized),
        };
        let is_signed_in = !credentials.is_anybody();
        let writes_nothing = self.reads() || !is_signed_in || !self.is_refused_sudo();
        let batch = batch.filter(|_| writes_nothing).unwrap_or_default();
        self.hold_if_costly().await?;
        let answers = self.run(&gate, &credentials, batch, is_harmless).await?;
        let entered = self.entry_of(&gate, is_signed_in, answers)?;
        self.own_place()?;
        Ok(entered)
    }

    fn entry_of(&self, gate: &Gate, is_signed_in: bool, answers: Vec<Rows>) -> Result<(Entry, Answers)> {
        let found = Authorization::read(&answers)?;
        let links = self.links(found.avatars);
        let (caller, resource) = self.decide(gate, is_signed_in, found)?;
        let mut answers = Answers::from(answers);
        answers.next_rows();
        Ok((Entry { caller, resource, links }, answers))
    }

    async fn run(
        &self,
        gate: &Gate,
        credentials: &Credentials,
        own: Vec<Statement>,
        is_harmless: bool,
    ) -> Result<Vec<Rows>> {
        let batch = self.batch_of_key(gate, &credentials.key, own);
        let check = batch.first().and_then(|first| self.primary_check(gate.place, first, credentials));
        Ok(match check {
            Some(check) => self.store.repeat_with_check(check, batch).await?,
            None if is_harmless => self.store.repeat(batch).await?,
            None => self.store.batch(batch).await?,
        })
    }

    fn batch_of_key(&self, gate: &Gate, key: &str, own: Vec<Statement>) -> Vec<Statement> {
        let (now, place) = (self.now, place_named(&gate.named));
        let first: Statement = match gate.place {
            of if of.is_project() => sql::in_project { key, now, place }.into(),
            Place::Group | Place::OpenGroup => sql::in_group { key, now, place }.into(),
            _ => sql::alone { key, now }.into(),
        };
        let own = own.into_iter().map(|statement| self.scoped(statement, gate, key));
        [first].into_iter().chain(own).collect()
    }

    fn scoped(&self, mut statement: Statement, gate: &Gate, key: &str) -> Statement {
        let confidential = policy::confidential_level().into();
        let binds = match statement.scope {
            Scope::None => return statement,
            Scope::Caller => {
                let administrators = i64::from(gate.place == Place::Admin);
                vec![key.into(), self.now.into(), self.scopes(gate).into(), administrators.into(), confidential]
            }
            Scope::Project | Scope::Group => {
                let (access, visibility) = gate.action.map_or((Access::Administrator, None), policy::least);
                let visibility = visibility.map(Visibility::level);
                let place = place_named(&gate.named);
                let scopes = self.scopes(gate).into();
                let rule = [access.level().into(), visibility.into(), scopes, confidential];
                let change = (statement.scope == Scope::Project).then(|| i64::from(gate.is_change).into());
                [key.into(), self.now.into(), place].into_iter().chain(rule).chain(change).collect()
            }
        };
        statement.binds.splice(0..0, binds);
        statement
    }

    fn scopes(&self, gate: &Gate) -> i64 {
        // a JWT to post statuses does not ask who it is (behaviour 2.5)
        let is_of_job = || self.route.place == Place::AnyToken && self.reads() && self.proof.borrow().is_some();
        match gate.action {
            _ if is_of_job() => policy::scopes(policy::Action::ReadIssues, true),
            _ if matches!(gate.place, Place::AnyToken | Place::AnyTokenOrNone) => policy::scopes::ANY,
            Some(action) => policy::scopes(action, self.reads()),
            None => policy::personal_scopes(self.reads()),
        }
    }

    /// The query that the primary runs while a replica runs the batch. Returns None if one copy answers all;
    /// outside of projects that is the primary.
    fn primary_check(&self, place: Place, first: &Statement, credentials: &Credentials) -> Option<Statement> {
        if credentials.is_anybody() || !self.store.is_away() {
            return None;
        }
        if !place.is_project() {
            self.store.turn_to(Reading::Primary);
            return None;
        }
        Some(first.clone())
    }

    /// Errors are 401, then 404, then 403.
    fn decide(&self, gate: &Gate, is_signed_in: bool, found: Authorization) -> Result<(Option<Caller>, Resource)> {
        let caller = if is_signed_in { Some(self.authenticate(found.caller)?) } else { None };
        let Some(action) = gate.action else {
            if let Some(caller) = &caller {
                caller.needs_scope(self.scopes(gate))?;
                if gate.place == Place::Admin && !caller.admin {
                    return Err(Error::FORBIDDEN);
                }
            }
            return Ok((caller, found.resource.unwrap_or_default()));
        };
        let what = gate.place.name();
        let resource = match found.resource {
            None if gate.place == Place::Packages && !is_signed_in => return Err(Error::Unauthorized),
            found => found.ok_or_else(|| Error::missing(what))?,
        };
        if let Some(caller) = &caller {
            if caller.token_project_id.is_some() && resource.access == Access::None {
                return Err(Error::FORBIDDEN);
            }
            caller.needs_scope(self.scopes(gate))?;
        }
        policy::check(action, resource.access, resource.visibility, what)?;
        if gate.is_change && resource.archived {
            return Err(Error::Forbidden("The project is archived and only read. An owner can unarchive it"));
        }
        let is_of_others = gate.place.is_project() && resource.access == Access::None;
        self.project_of_others.set(is_of_others.then_some(resource.id));
        Ok((caller, resource))
    }

    /// 401 if the token is wrong. With `SUDO`: 403 unless the token is ADMIN_TOKEN, and 404 if the user does
    /// not exist.
    pub(super) fn authenticate(&self, user: Option<Caller>) -> Result<Caller> {
        let Some(sudo) = self.sudo() else {
            let caller = user.ok_or(Error::Unauthorized)?;
            self.is_new_use.set(caller.token_used_at.is_some_and(|at| at <= self.now - HOUR));
            self.person_id.set(Some(caller.member_id));
            self.caller_id.set(Some(caller.user.id));
            self.is_administrator.set(caller.admin && caller.token_project_id.is_none());
            return Ok(caller);
        };
        if self.is_refused_sudo() {
            let owner = user.ok_or(Error::Unauthorized)?;
            self.person_id.set(Some(owner.member_id));
            self.actor_id.set(Some(owner.user.id));
            return Err(Error::Forbidden(match owner.admin {
                true => "Private token must be specified in order to use sudo",
                false => "Must be admin to use sudo",
            }));
        }
        self.person_id.set(Some(ROOT));
        self.actor_id.set(Some(ROOT));
        let caller = user.ok_or_else(|| Error::NoSuchUser(sudo.chars().take(255).collect()))?;
        self.caller_id.set(Some(caller.user.id));
        Ok(caller)
    }

    /// Whether `SUDO` is sent without ADMIN_TOKEN. Such a request must not write.
    pub(super) fn is_refused_sudo(&self) -> bool {
        self.sudo().is_some() && !self.credentials().is_some_and(|credentials| credentials.is_root())
    }
}

impl Caller {
    /// Whether the token has one of these scopes.
    pub fn has_scope(&self, scopes: i64) -> bool {
        self.scopes & scopes != 0
    }

    pub fn needs_scope(&self, scopes: i64) -> Result<()> {
        if self.has_scope(scopes) { Ok(()) } else { Err(Error::OUT_OF_SCOPE) }
    }
}
