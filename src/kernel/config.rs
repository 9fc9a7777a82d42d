//! The variables of wrangler.toml, and the secret ADMIN_TOKEN.

use crate::kernel::dialect::Profile;
use crate::kernel::jwt::issuers::Issuers;
use crate::kernel::limits::quota::Quotas;
use crate::kernel::limits::rate::{LIMITERS, Rates};
use edgeforge_wire::text::hex;
use sha2::{Digest, Sha256};
use std::cell::RefCell;

#[derive(Debug, Clone, Default)]
pub struct Config {
    /// An error in the variables or the secret. Every answer is then a 500 that logs it.
    pub fault: Option<String>,
    pub profile: Profile,
    /// The base of addresses in answers. If it is empty, the origin of the request is used.
    pub external_url: String,
    /// A repository's address on the git server, with `{path}` for the project's path. May be empty.
    pub git_http_url: String,
    pub git_ssh_url: String,
    /// `token_hash` of ADMIN_TOKEN. None if there is no such token.
    pub admin_token_hash: Option<String>,
    /// Seals the secrets of hooks. None if there is neither HOOKS_KEY nor ADMIN_TOKEN.
    pub hooks_key: Option<[u8; 32]>,
    /// Allowed values of the setting `repository_storage`.
    pub repository_storages: Vec<String>,
    pub cost_header: CostHeader,
    pub replicas: Replicas,
    pub rates: Rates,
    /// Milliseconds of work for one caller in a minute ([`crate::kernel::limits::spending`]); 0 means no limit.
    pub spending: i64,
    pub quotas: Quotas,
    pub retention: Retention,
    /// Whose JWTs a CI may send.
    pub ci_issuers: Issuers,
    /// None: nobody signs in by Cloudflare Access.
    pub access: Option<AccessApplication>,
}

/// The SHA-256 in lower-case hexadecimal, as it is stored.
pub fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// Characters. A shorter secret could be guessed.
const ADMIN_TOKEN_LENGTH: usize = 20;

impl Config {
    /// `variable` returns the value of a variable or secret, the empty text for an absent one.
    pub fn read(variable: &dyn Fn(&str) -> String) -> Config {
        let fault = RefCell::new(None);
        let wrong = |text: String| {
            fault.borrow_mut().get_or_insert(text);
        };
        let number = |name: &str, usual: i64| match variable(name) {
            text if text.is_empty() => usual,
            text => text.parse().ok().filter(|number| (0..=MOST).contains(number)).unwrap_or_else(|| {
                wrong(format!("{name} is {text:?}; it must be a whole number from 0 to {MOST}"));
                usual
            }),
        };
        let admin_token = variable("ADMIN_TOKEN");
        if (1..ADMIN_TOKEN_LENGTH).contains(&admin_token.chars().count()) {
            wrong(format!("ADMIN_TOKEN has fewer than {ADMIN_TOKEN_LENGTH} characters"));
        }
        if (1..ADMIN_TOKEN_LENGTH).contains(&variable("HOOKS_KEY").chars().count()) {
            wrong(format!("HOOKS_KEY has fewer than {ADMIN_TOKEN_LENGTH} characters"));
        }
        let config = Config {
            fault: None,
            profile: Profile::read(&variable("PROFILE")).map_err(wrong).unwrap_or_default(),
            replicas: Replicas::read(&variable("READ_REPLICAS")).map_err(wrong).unwrap_or_default(),
            external_url: variable("EXTERNAL_URL"),
            git_http_url: variable("GIT_HTTP_URL"),
            git_ssh_url: variable("GIT_SSH_URL"),
            admin_token_hash: (!admin_token.is_empty()).then(|| token_hash(&admin_token)),
            hooks_key: hooks_key(&variable("HOOKS_KEY"), &admin_token),
            repository_storages: variable("REPOSITORY_STORAGES")
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect(),
            quotas: Quotas {
                project_bytes: number("PROJECT_BYTES", 1_000_000_000),
                person_bytes: number("PERSON_BYTES", 2_000_000_000),
                instance_bytes: number("INSTANCE_BYTES", 8_000_000_000),
                object_bytes: number("OBJECT_BYTES", 100_000_000_000),
                person_object_bytes: number("PERSON_OBJECT_BYTES", 10_000_000_000),
                hourly_writes: number("WRITES_PER_HOUR", 10_000),
                file_bytes: number("FILE_BYTES", 100_000_000),
                package_file_bytes: number("PACKAGE_FILE_BYTES", 100_000_000),
            },
            rates: Rates(
                LIMITERS.map(|name| u32::try_from(number(&format!("{name}_PER_MINUTE"), 0)).unwrap_or(u32::MAX)),
            ),
            spending: number("SPENDING_PER_MINUTE", 6000),
            retention: Retention {
                deleted_projects: number("DELETED_PROJECTS_DAYS", 7),
                ended_tokens: number("ENDED_TOKENS_DAYS", 365),
                idempotency_keys: number("IDEMPOTENCY_KEYS_DAYS", 1),
                statuses: number("STATUSES_DAYS", 0),
                events: number("EVENTS_DAYS", 1095),
                audit_events: number("AUDIT_EVENTS_DAYS", 365),
                reports: number("REPORTS_DAYS", 90),
            },
            cost_header: match variable("COST_HEADER").as_str() {
                "everyone" => CostHeader::Everyone,
                _ => CostHeader::Administrators,
            },
            ci_issuers: Issuers::read(&variable("CI_ISSUERS")).map_err(wrong).unwrap_or_default(),
            access: AccessApplication::read(variable).map_err(wrong).unwrap_or_default(),
        };
        Config { fault: fault.take(), ..config }
    }
}

/// The key made from the secret HOOKS_KEY or, if that is empty, from ADMIN_TOKEN. None if both are empty.
pub fn hooks_key(own: &str, admin_token: &str) -> Option<[u8; 32]> {
    let secret = if own.is_empty() { admin_token } else { own };
    (!secret.is_empty()).then(|| Sha256::digest(format!("key of hooks\0{secret}").as_bytes()).into())
}

/// The largest value of a variable. D1 stores it exactly.
const MOST: i64 = 1_000_000_000_000_000;

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
    /// As `On`, and requests without bookmark and token.
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

/// The application of Cloudflare Access in front of `/-/access` (behaviour 2.6).
#[derive(Debug, Clone)]
pub struct AccessApplication {
    /// `https://<team>.cloudflareaccess.com`, who signs.
    pub issuer: String,
    /// Its AUD tag.
    pub audience: String,
    /// Whether people without an account get one, and then whether it is external.
    pub creates: Option<bool>,
}

impl AccessApplication {
    fn read(variable: &dyn Fn(&str) -> String) -> Result<Option<AccessApplication>, String> {
        let (team, audience) = (variable("ACCESS_TEAM"), variable("ACCESS_AUD"));
        let creates = match variable("ACCESS_CREATE_USERS").as_str() {
            "" => None,
            "internal" => Some(false),
            "external" => Some(true),
            other => {
                return Err(format!("ACCESS_CREATE_USERS is {other:?}; it can be empty, \"internal\" or \"external\""));
            }
        };
        if team.is_empty() != audience.is_empty() {
            return Err("ACCESS_TEAM and ACCESS_AUD need each other: set both or neither".to_owned());
        }
        if !team.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
            return Err(format!("ACCESS_TEAM is {team:?}; it is the name in front of .cloudflareaccess.com"));
        }
        let issuer = format!("https://{team}.cloudflareaccess.com");
        Ok((!team.is_empty()).then_some(AccessApplication { issuer, audience, creates }))
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
    /// Entries of the lists of events.
    pub events: i64,
    /// What administrators did.
    pub audit_events: i64,
    /// Reports of CI.
    pub reports: i64,
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/config.rs"]
mod tests;
