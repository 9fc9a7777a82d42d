//! The JWT of a CI in place of a token. It comes in by a trust, a token of a project without a secret (behaviour 2.5).

use super::Call;
use super::jwt::{Jwt, Refusal, Signer};
use crate::kernel::error::{Error, Result};
use crate::kernel::jwt::keys::RETRY;
use crate::kernel::jwt::trust::{Trust, key_of};
use crate::kernel::store::Row;
use serde_json::{Value, json};

edgeforge_row::statements!(mod sql: "src/kernel/call/proof.sql");

/// A JWT that was verified and fits its trust.
pub struct Proof {
    /// That of the trust in the view `callers`.
    pub(super) key: String,
    /// For the log.
    pub claims: Value,
}

#[derive(Row)]
struct TrustRow {
    issuer: String,
    rules: Vec<String>,
}

impl Call<'_> {
    /// Gives the request the rights of the trust that the JWT fits. The error is 401, or 503 without the issuer's keys.
    pub(super) async fn prove(&self, text: &str) -> Result<()> {
        let refused = |refusal| self.refused(refusal);
        let jwt = Jwt::read(text).ok_or_else(|| refused(Refusal::Form))?;
        let issuer = jwt.text("iss").and_then(|issuer| Some((issuer, self.config.ci_issuers.find(issuer)?)));
        let (issuer, is_one_of_many) = issuer.ok_or_else(|| refused(Refusal::Issuer))?;
        let untrusted = || refused(Refusal::Trust);
        let audience = jwt.audience().and_then(|audience| Some((audience, key_of(audience)?)));
        let (audience, key) = audience.ok_or_else(untrusted)?;
        // anybody could let this server ask made-up issuers
        if is_one_of_many && self.trust(&key, issuer).await?.is_none() {
            return Err(untrusted());
        }
        let signer = Signer { issuer, keys: None, longest_life: 86_400.0 };
        jwt.verify(self.store, &signer, audience, self.now).await.map_err(refused)?;
        let trust = self.trust(&key, issuer).await?;
        trust.filter(|trust| trust.fits(&jwt.claims)).ok_or_else(untrusted)?;
        let cut = |name: &str| jwt.text(name).unwrap_or_default().chars().take(200).collect::<String>();
        let claims = json!({ "iss": issuer, "sub": cut("sub"), "jti": cut("jti") });
        self.proof.replace(Some(Proof { key, claims }));
        Ok(())
    }

    fn refused(&self, refusal: Refusal) -> Error {
        self.hint(match refusal {
            Refusal::Form => "The JWT is malformed, or its algorithm is not RS256",
            Refusal::Issuer => "Its issuer is not in CI_ISSUERS",
            Refusal::Signature => "Its signature does not verify",
            Refusal::Time => "It is not valid at this time",
            Refusal::Trust => "No trust fits its audience, issuer and claims",
            Refusal::Keys(cause) => {
                let remedy = "the issuer of the JWT does not show its keys";
                return Error::Unavailable { cause, retry_after: (RETRY / 1000) as u16, remedy };
            }
        });
        Error::Unauthorized
    }

    /// The trust with this key, if it trusts the issuer. It may have ended.
    async fn trust(&self, key: &str, issuer: &str) -> Result<Option<Trust>> {
        let mut trust = None;
        self.store.remember(&mut |memory| trust = memory.trusts.get(key).cloned());
        if trust.is_none() {
            let rows = self.store.ask(sql::trust { key }).await?;
            trust = rows.map(|TrustRow { issuer, rules }| Trust { issuer, rules });
            let found = trust.as_ref();
            self.store.remember(&mut |memory| found.into_iter().for_each(|found| memory.trust(key, found)));
        }
        Ok(trust.filter(|trust| trust.issuer == issuer))
    }
}
