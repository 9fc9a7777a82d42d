//! What a deployment sets.

use crate::dialect::Profile;
use crate::quota::Quotas;
use crate::rate::Rates;

/// The Worker's variables and secret.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// What is wrong with the variables: nothing is served, and the log says it.
    pub fault: Option<String>,
    pub profile: Profile,
    /// Where the addresses in answers begin; empty: where the request came to.
    pub external_url: String,
    /// Where the git server has a project's repository, with `{path}` for the project's path; empty: not told.
    pub git_http_url: String,
    pub git_ssh_url: String,
    /// [`token_hash`] of ADMIN_TOKEN; none: nobody is root.
    pub admin_token_hash: Option<String>,
    /// Names that the setting `repository_storage` may have.
    pub repository_storages: Vec<String>,
    /// Who is told in `Server-Timing` what a request cost.
    pub cost_header: CostHeader,
    /// Who reads from replicas of the database.
    pub replicas: Replicas,
    /// How often somebody may ask.
    pub rates: Rates,
    /// How much there may be.
    pub quotas: Quotas,
    /// What ends by itself.
    pub retention: Retention,
}

/// Who is told what a request cost. A cost tells of rows that the caller may not see, so on a server that others use it
/// is for administrators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CostHeader {
    /// Those who come with their own token, and act as nobody else.
    #[default]
    Administrators,
    /// For development and measuring.
    Everyone,
}

/// Who reads from replicas of the database (behaviour 4.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Replicas {
    /// Nobody.
    #[default]
    Off,
    /// Who says with a bookmark how new the answer has to be.
    On,
    /// And who brings neither a bookmark nor a token.
    Nearest,
}

impl Replicas {
    /// The variable READ_REPLICAS: `off`, `on`, `nearest`, or nothing, which is `off`.
    pub fn read(text: &str) -> Result<Replicas, String> {
        match text {
            "" | "off" => Ok(Replicas::Off),
            "on" => Ok(Replicas::On),
            "nearest" => Ok(Replicas::Nearest),
            other => Err(format!("READ_REPLICAS is {other:?}; it can be \"off\", \"on\" or \"nearest\"")),
        }
    }
}

/// After how many days things end; 0: never.
#[derive(Debug, Clone, Copy, Default)]
pub struct Retention {
    /// What hung on a deleted project.
    pub deleted_projects: i64,
    /// Tokens that have expired or were revoked.
    pub ended_tokens: i64,
    /// What was kept of answers to requests with an `Idempotency-Key`. They are of use for a day.
    pub idempotency_keys: i64,
    /// Statuses, unless they are the newest of their commit, ref and name or a deployment has them.
    pub statuses: i64,
}
