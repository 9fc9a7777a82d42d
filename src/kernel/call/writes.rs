//! Quotas of writes and bytes (behaviour 4.4). Triggers end a batch that exceeds one.

use super::Call;
use crate::kernel::config::Config;
use crate::kernel::error::{Error, Full};
use crate::kernel::http::Body;
use crate::kernel::policy;
use crate::kernel::store::{Failure, Query, Statement};
use crate::kernel::time::HOUR;

edgeforge_row::statements!(pub mod sql: "src/kernel/call/writes.sql");

const SILENT: &str = "x-edgeforge-silent";

impl Call<'_> {
    /// One atomic batch of an authorized request, which counts as one write.
    pub async fn write<Q: Query>(&self, query: Q) -> Result<Q::Answer, Failure> {
        self.write_many(1, query).await
    }

    /// The same for a batch that copies `writes` issues and comments. 0: the request has been counted.
    pub async fn write_many<Q: Query>(&self, writes: i64, query: Q) -> Result<Q::Answer, Failure> {
        let (_, answer, _) = self.judged(self.store.run(self.counted(writes, query)).await).await?;
        Ok(answer)
    }

    /// The same for a batch that is safe to repeat.
    pub async fn write_safely<Q: Query>(&self, query: Q) -> Result<Q::Answer, Failure> {
        let (_, answer, _) = self.judged(self.store.ask(self.counted(1, query)).await).await?;
        Ok(answer)
    }

    /// [`Call::write_safely`] after the expectation `unmodified`. With one the batch is not repeated, because the
    /// repeat would fail on what the first try wrote.
    pub async fn write_unmodified<Q: Query>(
        &self,
        unmodified: Option<Statement>,
        query: Q,
    ) -> Result<Q::Answer, Failure> {
        match unmodified {
            None => self.write_safely(query).await,
            Some(expectation) => Ok(self.write((expectation, query)).await?.1),
        }
    }

    /// The query between the statements that count it, and those that list what administrators did.
    fn counted<Q: Query>(&self, writes: i64, query: Q) -> (Vec<Statement>, Q, Vec<Statement>) {
        let most = self.config.quotas.hourly_writes;
        let is_limited = self.is_limited();
        let project_of_others = self.project_of_others.get().filter(|_| is_limited);
        let writes = if project_of_others.is_some() { writes * self.writes_of_others() } else { writes };
        let user_id = self.person_id.get().filter(|_| most > 0 && writes > 0 && is_limited);
        let count = |user_id| sql::count_write_of { user_id, hour: self.now / HOUR, writes, most }.into();
        let is_silent = self.asks_for_silence() && !is_limited;
        let others = project_of_others.map(|project_id| sql::mark_others_of { project_id }.into());
        let silence = is_silent.then(|| sql::silence {}.into());
        // first, so that a refused write costs nothing more
        let before = self
            .still_allowed()
            .into_iter()
            .chain([limits(self.config)])
            .chain(user_id.map(count))
            .chain(others)
            .chain(silence);
        let after = project_of_others.map(|_| sql::unmark_others {}.into());
        let end = is_silent.then(|| sql::end_silence {}.into());
        (before.collect(), query, after.into_iter().chain(end).chain(self.audit()).collect())
    }

    /// How many writes this one counts for a caller who is no member: one for each 1,000 bytes of its body. So nobody
    /// fills the projects of others in an hour.
    fn writes_of_others(&self) -> i64 {
        let bytes = if let Body::Bytes(bytes) = &self.request.body { bytes.len() } else { 0 };
        i64::try_from(bytes / 1000).unwrap_or(i64::MAX).saturating_add(1)
    }

    /// Administrators, and requests with SUDO, have no limit.
    pub(super) fn is_limited(&self) -> bool {
        !self.is_administrator.get() && self.actor_id.get().is_none()
    }

    /// Whether the request has the header with which administrators write without events, hooks and to-do items.
    fn asks_for_silence(&self) -> bool {
        self.request.header(SILENT).is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
    }

    /// The same for a batch that authorizes itself: the statements before and after its own.
    pub fn silence(&self) -> Option<(Statement, Statement)> {
        self.asks_for_silence().then(|| (sql::silence_if_allowed {}.into(), sql::end_silence {}.into()))
    }

    /// The statements before and after those of a batch that authorizes itself.
    pub fn quotas(&self) -> (Vec<Statement>, Vec<Statement>) {
        let (before, after) = self.quotas_of(false);
        (before, after.into_iter().chain(self.audit_of_sudo()).collect())
    }

    /// The same. `only_adds`: [`Change::only_adds`](super::commit::Change::only_adds).
    pub(super) fn quotas_of(&self, only_adds: bool) -> (Vec<Statement>, Option<Statement>) {
        let most = self.config.quotas.hourly_writes;
        let of_others = self.writes_of_others();
        let count = (most > 0).then(|| sql::count_write { most, of_others }.into());
        let action = self.gate.borrow().action;
        let (mark, unmark) = action
            .filter(|action| !only_adds && policy::least(*action).1.is_some())
            .map(|_| (sql::mark_others {}.into(), sql::unmark_others {}.into()))
            .unzip();
        ([limits(self.config)].into_iter().chain(count).chain(mark).collect(), unmark)
    }

    /// Adds the size of the quota to the error of a quota.
    pub fn with_quota(&self, error: Error) -> Error {
        let quotas = self.config.quotas;
        let full = |what: &str, most: i64| {
            let text = format!("507 Insufficient Storage: {what} may have {most} bytes");
            Error::Refused(507, text)
        };
        match error {
            Error::Full(Full::Project) => full("this project", quotas.project_bytes),
            Error::Full(Full::ForOthers) => {
                let text = "507 Insufficient Storage: what is left is for the members of this project";
                Error::Refused(507, text.to_owned())
            }
            Error::Full(Full::ProjectsOfPerson) => {
                full("the projects, groups and tokens that one person made", quotas.person_bytes)
            }
            Error::Full(Full::Server) => full("this server", quotas.instance_bytes),
            Error::Full(Full::Objects) => full("the files of this server", quotas.object_bytes),
            Error::Full(Full::ObjectsOfPerson) => full("the files of one person", quotas.person_object_bytes),
            Error::TooMany(excess) if excess.wait == 0 => {
                let next_hour = (self.now / HOUR + 1) * HOUR;
                Error::too_many(quotas.hourly_writes, "writes in an hour", self.now, next_hour)
            }
            error => error,
        }
    }
}

/// Stores the quotas, which triggers read: the first statement of each batch that may make a project longer. An instance
/// that remembered to have stored them would not notice that another deployment has stored its own.
pub fn limits(config: &Config) -> Statement {
    let [project_most, person_most, most] = config.quotas.stored();
    sql::set_limits { project_most, person_most, most }.into()
}
