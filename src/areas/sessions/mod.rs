//! Sessions of the pages: starting, listing and ending them (behaviour 2.4).

pub mod access;

use crate::areas::tokens;
use crate::areas::users::v4::{own, own_reply, user_id};
use crate::kernel::call::session::{FORGED, OF_ADMIN_TOKEN, session_key};
use crate::kernel::call::{Caller, path_id, secret};
use crate::kernel::policy::scopes;
use crate::kernel::time::{self, HOUR};
use crate::kernel::{Call, Entry, Error, Parameters, Reply, Result, Row};
use edgeforge_wire::text::cut;
use serde::Serialize;
use serde_json::json;

edgeforge_row::statements!(mod sql: "src/areas/sessions/sessions.sql");

/// The most sessions of a person.
const MOST: i64 = 100;

/// Bytes of the name that a browser gives itself.
const LONGEST_NAME: usize = 255;

/// What the dialog to sign in shows.
pub async fn about(call: &Call<'_>) -> Result<Reply> {
    call.params()?;
    let text: Option<String> = call.store.ask(sql::text {}).await?;
    let access = call.config.access.as_ref().map(|_| "/-/access");
    Ok(Reply::json(200, &json!({ "access": access, "sign_in_text": text })))
}

#[derive(Parameters)]
struct NewSession {
    #[param(default)]
    remember: bool,
}

#[derive(Row)]
struct Started {
    id: i64,
    expires_at: i64,
}

pub async fn start(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation::<NewSession>();
    // the token of a hook
    let refused = |error| if error == Error::OUT_OF_SCOPE { REFUSED } else { error };
    let (NewSession { remember }, entry, row) = call.authorize_with(input, |_| own()).await.map_err(refused)?;
    let (secret, Started { id, expires_at }) = make(call, entry.caller()?).await?;
    let age = remember.then_some((expires_at - call.now) / 1000);
    Ok(call.with_session(own_reply(201, row, &entry)?, &secret, &id.to_string(), age))
}

const REFUSED: Error = Error::Forbidden("Only a personal token starts a session");

/// Returns the secret, which is always a new one, whatever cookie the request has.
async fn make(call: &Call<'_>, caller: &Caller) -> Result<(String, Started)> {
    if !call.is_from_page() {
        return Err(Error::Forbidden(FORGED));
    }
    let is_parameter = ["private_token", "access_token"].iter().any(|name| call.params().is_ok_and(|it| it.has(name)));
    let kind = caller.kind.as_deref();
    if is_parameter || call.actor_id.get().is_some() || kind.is_some_and(|kind| kind != "personal") {
        return Err(REFUSED);
    }
    let (is_root, user_id, now) = (kind.is_none(), caller.user.id, call.now);
    let secret = format!("{}{}", if is_root { OF_ADMIN_TOKEN } else { "" }, secret(&call.random));
    let hash = session_key(&secret, call.config.admin_token_hash.as_deref());
    let token = call.credentials().map(|credentials| credentials.hash);
    let browser = cut(call.request.header("user-agent").unwrap_or_default(), LONGEST_NAME);
    let most = is_root.then_some(now + 12 * HOUR);
    let start = sql::start { hash: &hash, user_id, token, browser, now, most };
    let batch = (start, sql::end_oldest { hash: &hash, most: MOST }, sql::started { hash: &hash });
    let (.., started) = call.store.run(batch).await?;
    // the token may have ended meanwhile
    Ok((secret, started.ok_or(Error::Unauthorized)?))
}

#[derive(Row)]
pub struct Ended {
    is_of_access: bool,
    after_sign_out_path: Option<String>,
}

pub async fn end(call: &Call<'_>) -> Result<Reply> {
    let (_, ended) = call.authorize(sql::end {}).await?;
    let Ended { is_of_access, after_sign_out_path } = ended.ok_or(Error::Forbidden("Only a session ends so"))?;
    let access = call.config.access.as_ref().filter(|_| is_of_access);
    let access = access.map(|access| format!("{}/cdn-cgi/access/logout", access.issuer));
    let redirect_to = access.or(after_sign_out_path).unwrap_or_else(|| "/".to_owned());
    Ok(call.without_session(Reply::json(200, &json!({ "redirect_to": redirect_to }))))
}

#[derive(Debug, Row, Serialize)]
pub struct Session {
    id: i64,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
    #[serde(serialize_with = "time::as_utc_or_null")]
    last_used_at: Option<i64>,
    #[serde(serialize_with = "time::as_utc")]
    expires_at: i64,
    user_agent: String,
    via: String,
    current: bool,
}

/// The newest first.
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = user_id(id).and_then(|id| Ok((id, call.page_or_whole(MOST)?)));
    let query = |(user_id, page): &(i64, _)| {
        (tokens::owner_of(*user_id), sql::list { user_id: *user_id, page: Clone::clone(page) })
    };
    let ((..), entry, (owner, sessions)) = call.authorize_with(input, query).await?;
    may(&entry, owner)?;
    sessions.reply(call, |row| row)
}

pub async fn end_one(call: &Call<'_>, id: &str, session_id: &str) -> Result<Reply> {
    let input = user_id(id).and_then(|user_id| Ok((user_id, path_id(session_id)?)));
    let ((user_id, id), entry, owner) = call.authorize_with(input, |(id, _)| tokens::owner_of(*id)).await?;
    may(&entry, owner)?;
    call.acts_on("User", Some(user_id), Some(user_id));
    let ended: Option<i64> = call.write_many(0, sql::end_one { id, user_id }).await?;
    ended.map(|_| Reply::empty(204)).ok_or_else(Error::no_record)
}

/// The person and administrators, by a token that may do all that they may: a program must not see who is signed in.
fn may(entry: &Entry, owner: Option<tokens::OwnerRow>) -> Result<()> {
    entry.caller()?.needs_scope(scopes::API)?;
    tokens::owner(entry, owner).map(|_| ())
}
