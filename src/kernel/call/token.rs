use super::Call;
use super::key::Key;
use super::place::path_id;
use super::proof::Proof;
use super::session::session_key;
use crate::kernel::answers::person::ROOT;
use crate::kernel::config::token_hash;
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

impl Call<'_> {
    /// The user to act as. The parameter takes precedence over the header.
    pub(super) fn sudo(&self) -> Option<String> {
        let parameter = self.params.as_ref().ok().and_then(|params| params.text("sudo"));
        parameter.or_else(|| self.request.header("sudo").map(str::to_owned)).filter(|name| !name.is_empty())
    }

    /// The header takes precedence over the parameter. A blank one counts as none.
    pub(super) fn token(&self) -> Option<String> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let parameter = |name: &'static str| given(self.params.as_ref().ok().and_then(|params| params.text(name)));
        let authorization = || match self.authorization()? {
            (scheme, token) if scheme == "bearer" => Some(token.to_owned()),
            (scheme, token) if scheme == "basic" && self.route.takes_passwords => Some(password(token)),
            _ => None,
        };
        given(self.request.header("private-token").map(str::to_owned))
            .or_else(|| parameter("private_token"))
            .or_else(|| given(authorization()))
            .or_else(|| parameter("access_token"))
            .or_else(|| self.job_token())
    }

    /// The scheme, in lower case, and the rest of the header.
    fn authorization(&self) -> Option<(String, &str)> {
        let (scheme, rest) = self.request.header("authorization")?.split_once(' ')?;
        Some((scheme.to_ascii_lowercase(), rest.trim()))
    }

    /// The token if it is a JWT in a header. Tokens of this server have no dot.
    pub(super) fn jwt(&self) -> Option<String> {
        let token = self.token().filter(|token| token.starts_with("eyJ") && token.contains('.'))?;
        let is_bearer = self.authorization().is_some_and(|(scheme, sent)| scheme == "bearer" && sent == token);
        let is_in_header = is_bearer || self.request.header("private-token") == Some(token.as_str());
        let is_root = self.credentials().is_some_and(|credentials| credentials.is_root);
        Some(token).filter(|_| is_in_header && !is_root)
    }

    /// The token of a CI job or of a deployment. The prefix keeps it from being read as a token of another kind.
    fn job_token(&self) -> Option<String> {
        if !self.dialect.knows_job_tokens() {
            return None;
        }
        let parameter = self.params.as_ref().ok().and_then(|params| params.text("job_token"));
        let header = |name: &str| self.request.header(name).map(str::to_owned);
        let tokens = [header("job-token"), parameter, header("deploy-token")].into_iter().flatten();
        tokens.map(|token| token.trim().to_owned()).find(|token| !token.is_empty()).map(|token| format!("job {token}"))
    }

    pub(crate) fn credentials(&self) -> Option<Credentials> {
        let admin_token_hash = self.config.admin_token_hash.as_deref();
        let Some(token) = self.token() else {
            let hash = session_key(self.session()?, admin_token_hash);
            return Some(Credentials { key: hash.clone(), hash, ..Credentials::default() });
        };
        if let Some(Proof { key, .. }) = &*self.proof.borrow() {
            return Some(Credentials { hash: key.clone(), key: key.clone(), ..Credentials::default() });
        }
        let hash = token_hash(&token);
        let is_root = admin_token_hash == Some(hash.as_str());
        let whom = || self.sudo().unwrap_or_else(|| ROOT.to_string());
        let key = if is_root { acting_as(&whom()) } else { hash.clone() };
        Some(Credentials { hash, key, is_root, anybody: false })
    }

    /// Derived from the token or the secret of the session, the key and `salt`. The database alone is not enough to compute it.
    pub fn derived(&self, key: &Key, salt: &str) -> [u8; 16] {
        let token = self.token().or_else(|| self.session().map(str::to_owned));
        let secret = serde_json::json!(["derived token", token, key.text, salt]).to_string();
        let digest: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
        digest.first_chunk().copied().unwrap_or_default()
    }

    pub fn has_credentials(&self) -> bool {
        self.credentials().is_some()
    }
}

/// The token in credentials of HTTP Basic. Credentials without a token are returned unchanged: they are the token of no
/// caller.
fn password(credentials: &str) -> String {
    let text = BASE64_STANDARD.decode(credentials).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let token = text.as_deref().and_then(|text| text.split_once(':')).map(|(_, token)| token);
    token.filter(|token| !token.is_empty()).unwrap_or(credentials).to_owned()
}

/// The key for ADMIN_TOKEN. `whom`: the id or name of the user that it acts as.
fn acting_as(whom: &str) -> String {
    path_id(whom).map_or_else(|_| format!("user {whom}"), |id| format!("user {id}"))
}

#[derive(Default)]
pub(crate) struct Credentials {
    pub(crate) hash: String,
    /// The key in the view `callers`.
    pub(super) key: String,
    is_root: bool,
    anybody: bool,
}

impl Credentials {
    pub(super) fn anybody() -> Credentials {
        Credentials { key: "anybody".to_owned(), anybody: true, ..Credentials::default() }
    }

    pub(super) fn is_anybody(&self) -> bool {
        self.anybody
    }

    pub(crate) fn is_root(&self) -> bool {
        self.is_root
    }
}
