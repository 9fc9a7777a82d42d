//! Tokens as they are sent and as they are stored.

use super::Call;
use super::key::{Key, token_hash};
use crate::person::ROOT;
use sha2::{Digest, Sha256};

impl Call<'_> {
    /// Whom an administrator wants to be; the parameter wins.
    pub(super) fn sudo(&self) -> Option<String> {
        let parameter = self.params.as_ref().ok().and_then(|params| params.text("sudo"));
        parameter.or_else(|| self.request.header("sudo").map(str::to_owned)).filter(|name| !name.is_empty())
    }

    /// The token presented: the header wins over the parameter.
    fn token(&self) -> Option<String> {
        let parameter = |name: &'static str| self.params.as_ref().ok().and_then(|params| params.text(name));
        let bearer = || {
            let (scheme, token) = self.request.header("authorization")?.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
        };
        let token = self.request.header("private-token").map(str::to_owned);
        token
            .or_else(|| parameter("private_token"))
            .or_else(bearer)
            .or_else(|| parameter("access_token"))
            .filter(|token| !token.is_empty())
            .or_else(|| self.job_token())
    }

    /// A job's token. In front of it stands what no token has, so that it is never taken for a good one of another kind.
    fn job_token(&self) -> Option<String> {
        if !self.dialect.knows_job_tokens() {
            return None;
        }
        let parameter = || self.params.as_ref().ok().and_then(|params| params.text("job_token"));
        let token = self.request.header("job-token").map(str::to_owned).or_else(parameter)?;
        Some(format!("job {token}")).filter(|_| !token.is_empty())
    }

    /// What the caller comes in with.
    pub(crate) fn credentials(&self) -> Option<Credentials> {
        let token = self.token()?;
        let hash = token_hash(&token);
        let is_root = self.config.admin_token_hash.as_deref() == Some(hash.as_str());
        let whom = || self.sudo().unwrap_or_else(|| ROOT.to_string());
        let key = if is_root { acting_as(&whom()) } else { hash.clone() };
        Some(Credentials { hash, key, is_root, anybody: false })
    }

    /// Sixteen bytes that follow from the token presented, the key of the request and `salt`: whoever has the database
    /// alone cannot tell them.
    pub fn derived(&self, key: &Key, salt: &str) -> [u8; 16] {
        let secret = serde_json::json!(["derived token", self.token(), key.text, salt]).to_string();
        let digest: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
        digest.first_chunk().copied().unwrap_or_default()
    }

    /// Whether any token was sent, good or not.
    pub fn has_credentials(&self) -> bool {
        self.credentials().is_some()
    }
}

/// The key of the user whom ADMIN_TOKEN acts as, an id or a name.
fn acting_as(whom: &str) -> String {
    let number = whom.len() <= 15 && whom.bytes().all(|byte| byte.is_ascii_digit());
    match whom.parse::<i64>() {
        Ok(id) if number => format!("user {id}"),
        _ => format!("user {whom}"),
    }
}

/// By default nobody's.
#[derive(Default)]
pub(crate) struct Credentials {
    pub(crate) hash: String,
    /// The key of the view `callers`.
    pub(super) key: String,
    /// Whether they are ADMIN_TOKEN.
    is_root: bool,
    /// Whether none are needed.
    anybody: bool,
}

impl Credentials {
    /// Of who brings no token where anybody may ask.
    pub(super) fn anybody() -> Credentials {
        Credentials { key: "anybody".to_owned(), anybody: true, ..Credentials::default() }
    }

    /// Whether no token was sent.
    pub(super) fn is_anybody(&self) -> bool {
        self.anybody
    }

    /// Whether they are ADMIN_TOKEN.
    pub(crate) fn is_root(&self) -> bool {
        self.is_root
    }
}
