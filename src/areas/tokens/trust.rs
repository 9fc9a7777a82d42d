//! A trust: a token of a project without a secret, by which the JWTs of a CI come in (behaviour 2.5).

use crate::kernel::jwt::trust::Trust;
use crate::kernel::{Call, Error, Parameters, Result};

/// Parameters of a trust in addition to those of a token of a project.
#[derive(Debug, Parameters)]
pub struct TrustParams {
    issuer: Option<String>,
    #[param(default)]
    claims: Vec<String>,
}

const MOST_CLAIMS: usize = 20;
/// Bytes.
const LONGEST_CLAIM: usize = 255;

/// Claims that name a repository or a project for good. Another one may get a name that was given up.
const IDS: [&str; 5] = ["repository_id", "project_id", "pipeline_id", "oidc.circleci.com/project-id", "sub"];

impl TrustParams {
    /// None: a token with a secret is asked for.
    pub fn validated(self, call: &Call<'_>) -> Result<Option<Trust>> {
        let TrustParams { issuer, claims } = self;
        if issuer.is_none() && claims.is_empty() {
            return Ok(None);
        }
        let issuer = issuer.filter(|issuer| call.config.ci_issuers.find(issuer).is_some());
        let issuer = issuer.ok_or_else(|| Error::field("issuer", "is not in the list of this server"))?;
        let is_claim = |claim: &String| {
            let is_pair = claim.split_once('=').is_some_and(|(name, value)| !name.is_empty() && !value.is_empty());
            is_pair && claim.len() <= LONGEST_CLAIM && !claim.contains(char::is_control)
        };
        if claims.len() > MOST_CLAIMS || !claims.iter().all(is_claim) {
            return Err(Error::field("claims", "must be 1 to 20 texts name=value of at most 255 bytes"));
        }
        let has_id = |name: &&str| {
            let mut values = claims.iter().filter_map(|claim| claim.strip_prefix(*name)?.strip_prefix('=')).peekable();
            values.peek().is_some() && values.all(|value| !value.ends_with('*'))
        };
        if !IDS.iter().any(has_id) {
            return Err(Error::field("claims", "must have the repository's id, for example repository_id=123"));
        }
        Ok(Some(Trust { issuer, rules: claims }))
    }
}
