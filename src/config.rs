use crate::dialect::Profile;
use crate::quota::Quotas;
use crate::rate::Rates;

#[derive(Debug, Clone, Default)]
pub struct Config {
    /// An error in the variables. Every answer is then a 500 that logs it.
    pub fault: Option<String>,
    pub profile: Profile,
    /// The base of addresses in answers. Empty: the request's origin.
    pub external_url: String,
    /// A repository's address on the git server, with `{path}` for the project's path. May be empty.
    pub git_http_url: String,
    pub git_ssh_url: String,
    /// `token_hash` of ADMIN_TOKEN. None if there is no such token.
    pub admin_token_hash: Option<String>,
    /// Allowed values of the setting `repository_storage`.
    pub repository_storages: Vec<String>,
    pub cost_header: CostHeader,
    pub replicas: Replicas,
    pub rates: Rates,
    pub quotas: Quotas,
    pub retention: Retention,
}

/// Who gets the header `Server-Timing`. The cost of a request depends on rows that the caller may not see, so
/// on a shared server only administrators get it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CostHeader {
    /// With their own token and without `SUDO`.
    #[default]
    Administrators,
    Everyone,
}

/// Which requests may read from replicas of the database (behaviour 4.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Replicas {
    #[default]
    Off,
    /// Requests with a bookmark, which names the state that they need.
    On,
    /// Also requests without bookmark and token.
    Nearest,
}

impl Replicas {
    /// The variable READ_REPLICAS. Empty means `off`.
    pub fn read(text: &str) -> Result<Replicas, String> {
        match text {
            "" | "off" => Ok(Replicas::Off),
            "on" => Ok(Replicas::On),
            "nearest" => Ok(Replicas::Nearest),
            other => Err(format!("READ_REPLICAS is {other:?}; it can be \"off\", \"on\" or \"nearest\"")),
        }
    }
}

/// Days until data is deleted; 0 keeps it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Retention {
    pub deleted_projects: i64,
    pub ended_tokens: i64,
    /// Answers kept for an `Idempotency-Key`, which are used for one day.
    pub idempotency_keys: i64,
    /// Statuses, except those of deployments and the newest of each commit, ref and name.
    pub statuses: i64,
}
