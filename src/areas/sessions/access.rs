//! Signing in by Cloudflare Access, which stands in front of `/-/access` alone (behaviour 2.6).

use super::{LONGEST_NAME, MOST, sql};
use crate::areas::users::{self, domains::Domains};
use crate::kernel::call::jwt::{Jwt, Refusal, Signer};
use crate::kernel::call::secret;
use crate::kernel::call::session::session_key;
use crate::kernel::config::AccessApplication;
use crate::kernel::http::Request;
use crate::kernel::store::Failure;
use crate::kernel::text::names;
use crate::kernel::{Call, Error, Parameters, Reply, Result, Row, ValidationErrors};
use edgeforge_wire::text::{cut, is_deceptive};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Whether the request is for the address that Access stands in front of.
pub fn is_asked(request: &Request) -> bool {
    request.path == "/-/access" && request.method == "GET"
}

#[derive(Default, Parameters)]
struct Aim {
    to: Option<String>,
}

/// Bytes of an e-mail address or a name.
const LONGEST_TEXT: usize = 255;

/// Bytes of the address of a page.
const LONGEST_ADDRESS: usize = 4096;

/// Characters of an address that a header cannot have, beside those that are not ASCII.
const ESCAPED: &AsciiSet = &CONTROLS.add(b' ');

/// The page to show after signing in, always one of this server.
fn aim(call: &Call<'_>) -> String {
    let to = call.filters::<Aim>().unwrap_or_default().to.unwrap_or_default();
    let is_other = to.starts_with("//") || to.starts_with("/\\") || to.contains(char::is_control);
    let is_page = to.starts_with('/') && to.len() <= LONGEST_ADDRESS && !is_other;
    if is_page { to } else { "/".to_owned() }
}

fn redirect(to: &str) -> Reply {
    Reply::found(utf8_percent_encode(to, ESCAPED).to_string())
}

/// Back to the page for signing in. `reason`: for the log.
fn back(call: &Call<'_>, problem: &str, reason: impl AsRef<str>) -> Reply {
    call.complain(format!("Access: {}", reason.as_ref()));
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("problem", problem), ("to", &aim(call))])
        .finish();
    redirect(&format!("/users/sign_in?{query}"))
}

/// What a browser is shown in place of a 401, which counts for the limit of the address.
pub fn shown(call: &Call<'_>, outcome: Result<Reply>) -> Result<Reply> {
    match outcome {
        Err(Error::Unauthorized) if is_asked(call.request) => {
            let reason = call.hint.take().unwrap_or_default();
            Ok(back(call, "assertion", reason))
        }
        outcome => outcome,
    }
}

pub async fn enter(call: &Call<'_>) -> Result<Reply> {
    let unknown = || Error::Framework(404, "404 Not Found".to_owned());
    let access = call.config.access.as_ref().ok_or_else(unknown)?;
    match person(call, access).await {
        Ok(person) => sign_in(call, person, access.creates).await,
        Err((Some(problem), reason)) => Ok(back(call, problem, reason)),
        Err((None, reason)) => {
            call.hint(reason);
            Err(Error::Unauthorized)
        }
    }
}

/// The e-mail address and the name that Access knows, or the problem and its reason. Without a problem the JWT is wrong.
async fn person(
    call: &Call<'_>,
    access: &AccessApplication,
) -> Result<(String, Option<String>), (Option<&'static str>, String)> {
    let header = |name| call.request.header(name);
    let refused = |reason: &str| (None, reason.to_owned());
    let is_page = header("sec-fetch-dest").is_none_or(|kind| kind == "document");
    if !is_page || header("sec-purpose").is_some_and(|purpose| purpose.contains("prefetch")) {
        return Err((Some("assertion"), "the browser shows no page for this request".to_owned()));
    }
    let assertion = header("cf-access-jwt-assertion").ok_or_else(|| {
        refused("there is no header Cf-Access-Jwt-Assertion: is the path of the application -/access?")
    })?;
    let keys = Some(format!("{}/cdn-cgi/access/certs", access.issuer));
    let signer = Signer { issuer: &access.issuer, keys, longest_life: f64::INFINITY };
    let malformed = || refused("the JWT is malformed, or its algorithm is not RS256");
    let jwt = Jwt::read(assertion).ok_or_else(malformed)?;
    jwt.verify(call.store, &signer, &access.audience, call.now).await.map_err(|refusal| match refusal {
        Refusal::Keys(reason) => (Some("unavailable"), reason),
        Refusal::Issuer => refused("the issuer of the JWT is not that of ACCESS_TEAM"),
        Refusal::Trust => refused("the audience of the JWT is not ACCESS_AUD"),
        Refusal::Time => refused("the JWT is not valid at this time"),
        Refusal::Form | Refusal::Signature => refused("the signature of the JWT does not verify"),
    })?;
    let text = |name| jwt.text(name).filter(|text| text.len() <= LONGEST_TEXT && !text.contains(is_deceptive));
    let email = text("email").filter(|email| text("type") == Some("app") && users::is_email(email));
    let none = || refused("the JWT is not of a person: it needs the type app and an e-mail address");
    Ok((email.ok_or_else(none)?.to_owned(), text("name").map(str::to_owned)))
}

#[derive(Row)]
pub struct Known {
    /// Of the user with the e-mail address. None if there is none.
    state: Option<String>,
    session_id: Option<i64>,
    expires_at: Option<i64>,
    signup_enabled: bool,
    /// A name that nobody has. None if no account is made.
    free_name: Option<String>,
    #[row(flatten)]
    domains: Domains,
}

/// `creates`: as in the configuration.
async fn sign_in(call: &Call<'_>, (email, name): (String, Option<String>), creates: Option<bool>) -> Result<Reply> {
    let secret = secret(&call.random);
    let (hash, email_key, now) = (session_key(&secret, None), email.to_lowercase(), call.now);
    let browser = cut(call.request.header("user-agent").unwrap_or_default(), LONGEST_NAME);
    let local_part = email.split('@').next().unwrap_or_default();
    let base = creates.map(|_| username(local_part));
    let (hash, email_key, base) = (hash.as_str(), email_key.as_str(), base.as_deref());
    let start = || {
        let start = sql::start_by_access { hash, email_key, browser, now };
        (start, sql::end_oldest { hash, most: MOST }, sql::known { hash, email_key, base })
    };
    let (.., mut known) = call.store.run(start()).await?;
    if let (None, Some(external), true, Some(username)) =
        (&known.state, creates, known.signup_enabled, known.free_name.take())
    {
        let name = name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or(local_part);
        let allowed = known.domains.check(&email);
        if let Ok(new) = allowed.and_then(|()| users::newcomer(call, &email, name, &username, external)) {
            known = match call.store.run((new, start())).await {
                // somebody else has the name or the e-mail address by now
                Err(Failure::Constraint(_)) => call.store.run(start()).await?.2,
                outcome => outcome?.1.2,
            };
        }
    }
    let Some((id, expires_at)) = known.session_id.zip(known.expires_at) else {
        return Ok(match known.state {
            None => back(call, "no_account", "no user has the e-mail address, and none was made"),
            Some(_) => back(call, "blocked", "the user is blocked"),
        });
    };
    Ok(call.with_session(redirect(&aim(call)), &secret, &id.to_string(), Some((expires_at - now) / 1000)))
}

/// A username made of the first part of an e-mail address.
fn username(local_part: &str) -> String {
    let is_kept = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    let kept = |letter: char| if is_kept(letter) { letter } else { '-' };
    // with room for a number
    let name: String = local_part.chars().take(200).map(kept).collect();
    let mut errors = ValidationErrors::default();
    names::check_namespace(&mut errors, "username", &name);
    if errors.is_empty() { name } else { format!("user-{}", name.replace('.', "-")) }
}
