//! Verifies JWTs of a CI and of Cloudflare Access (behaviour 2.5). The platform checks signatures, so that the Worker has no
//! code for RSA.

use crate::kernel::jwt::keys::{self, Key, LONGEST_FETCH, Step};
use crate::kernel::store::Store;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Map, Value};

/// Bytes of a JWT.
const LONGEST: usize = 8192;
/// Characters of the id of a key.
const LONGEST_KEY_ID: usize = 256;
/// Bytes of a document of an issuer.
const LONGEST_DOCUMENT: usize = 64 << 10;
/// Seconds that the clock of an issuer may be ahead or behind.
const SKEW: f64 = 60.0;
/// Milliseconds until a request looks again for the keys that another one fetches.
const PAUSE: u64 = 50;

/// Why a JWT is refused.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    Form,
    Issuer,
    Signature,
    Time,
    /// Nobody trusts it.
    Trust,
    /// The keys of the issuer are out of reach, for this reason.
    Keys(String),
}

/// Who may have signed a JWT.
pub struct Signer<'a> {
    pub issuer: &'a str,
    /// The address of the keys. None: a document of the issuer names it.
    pub keys: Option<String>,
    /// The longest life of a JWT in seconds.
    pub longest_life: f64,
}

/// A JWT of the right form. Its claims are not proven before [`Jwt::verify`].
pub struct Jwt<'a> {
    key_id: String,
    pub claims: Map<String, Value>,
    signed: &'a str,
    signature: Vec<u8>,
}

impl<'a> Jwt<'a> {
    /// None if the form is another.
    pub fn read(text: &'a str) -> Option<Jwt<'a>> {
        let (signed, signature) = text.rsplit_once('.').filter(|_| text.len() <= LONGEST)?;
        let (header, claims) = signed.split_once('.')?;
        // a further dot is no base64url
        let bytes = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).ok();
        let header: Map<String, Value> = serde_json::from_slice(&bytes(header)?).ok()?;
        let key_id = header.get("kid")?.as_str()?;
        let is_read = header.get("alg")? == "RS256"
            && !header.contains_key("crit")
            && (1..=LONGEST_KEY_ID).contains(&key_id.chars().count());
        let claims = serde_json::from_slice(&bytes(claims)?).ok().filter(|_| is_read)?;
        Some(Jwt { key_id: key_id.to_owned(), claims, signed, signature: bytes(signature)? })
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.claims.get(name).and_then(Value::as_str)
    }

    /// Of two, one could use the JWT with the other.
    pub fn audience(&self) -> Option<&str> {
        match self.claims.get("aud")? {
            Value::Array(several) => several.first().filter(|_| several.len() == 1)?.as_str(),
            one => one.as_str(),
        }
    }

    /// Checks issuer, key, signature, times and audience, in this order.
    pub async fn verify(
        &self,
        store: &Store<'_>,
        signer: &Signer<'_>,
        audience: &str,
        now: i64,
    ) -> Result<(), Refusal> {
        if self.text("iss") != Some(signer.issuer) {
            return Err(Refusal::Issuer);
        }
        let key = key_of(store, signer, &self.key_id, now).await?;
        if !store.has_signed(&key.modulus, self.signed, &self.signature).await {
            return Err(Refusal::Signature);
        }
        if !self.is_timely(now as f64 / 1000.0, signer.longest_life) {
            return Err(Refusal::Time);
        }
        if self.audience() == Some(audience) { Ok(()) } else { Err(Refusal::Trust) }
    }

    /// `now`: in seconds.
    fn is_timely(&self, now: f64, longest_life: f64) -> bool {
        let time = |name: &str| self.claims.get(name).and_then(Value::as_f64);
        let (Some(made), Some(end)) = (time("iat"), time("exp")) else { return false };
        let begins = self.claims.get("nbf").map_or(Some(made), Value::as_f64);
        now < end + SKEW
            && made < now + SKEW
            && begins.is_some_and(|begins| begins < now + SKEW)
            && end - made <= longest_life
    }
}

/// Fetches the keys of the issuer if this instance lacks them.
async fn key_of(store: &Store<'_>, signer: &Signer<'_>, id: &str, now: i64) -> Result<Key, Refusal> {
    let mut refusal = Refusal::Keys("another request fetches them".to_owned());
    let mut fetches = 0;
    for _ in 0..LONGEST_FETCH as u64 / PAUSE {
        let mut step = Step::Wait;
        store.remember(&mut |memory| step = memory.keys.step(signer.issuer, id, now));
        match step {
            Step::Use(key) => return Ok(key),
            Step::Unknown => return Err(Refusal::Signature),
            Step::Unavailable(reason) => return Err(Refusal::Keys(reason)),
            Step::Wait => store.pause(PAUSE).await,
            // the instance may forget at any time
            Step::Fetch { .. } if fetches == 2 => break,
            Step::Fetch { address, is_fresh } => {
                fetches += 1;
                let outcome = fetched(store, signer, address, is_fresh).await;
                store.remember(&mut |memory| memory.keys.end(signer.issuer, now, outcome.clone()));
                refusal = match outcome {
                    Err(reason) => Refusal::Keys(reason),
                    Ok((_, keys)) => match keys.into_iter().find(|key| key.id == id) {
                        Some(key) => return Ok(key),
                        None => Refusal::Signature,
                    },
                };
            }
        }
    }
    Err(refusal)
}

async fn fetched(
    store: &Store<'_>,
    signer: &Signer<'_>,
    address: Option<String>,
    is_fresh: bool,
) -> Result<(String, Vec<Key>), String> {
    let address = match signer.keys.clone().or(address) {
        Some(address) => address,
        None => address_of_keys(store, signer.issuer, is_fresh).await?,
    };
    let keys = document(store, &address, is_fresh).await?;
    let keys = keys::usable(&keys).map_err(|reason| format!("{address}: {reason}"))?;
    Ok((address, keys))
}

async fn address_of_keys(store: &Store<'_>, issuer: &str, is_fresh: bool) -> Result<String, String> {
    let place = format!("{issuer}/.well-known/openid-configuration");
    let found = document(store, &place, is_fresh).await?;
    let text = |name: &str| found.get(name).and_then(Value::as_str).unwrap_or_default();
    let (issued, keys) = (text("issuer"), text("jwks_uri"));
    let host = issuer.split('/').nth(2).unwrap_or_default();
    match keys.strip_prefix(&format!("https://{host}/")) {
        _ if issued != issuer => Err(format!("{place}: its issuer is {issued:?}")),
        None => Err(format!("{place}: the keys are on another host")),
        Some(_) => Ok(keys.to_owned()),
    }
}

async fn document(store: &Store<'_>, address: &str, is_fresh: bool) -> Result<Value, String> {
    let fetched = store.fetch(address, LONGEST_DOCUMENT, is_fresh).await;
    let found = fetched.and_then(|answer| match answer.status {
        200 if answer.body.len() > LONGEST_DOCUMENT => Err(format!("it is longer than {LONGEST_DOCUMENT} bytes")),
        200 => serde_json::from_str(&answer.body).map_err(|_| "it is no JSON".to_owned()),
        status => Err(format!("its status is {status}")),
    });
    found.map_err(|reason| format!("{address}: {reason}"))
}
