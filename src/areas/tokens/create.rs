//! The database has only the hash of a token. A repeated answer for an `Idempotency-Key` contains the token again, because
//! it is derived from the key and the caller's token ([`Call::derived`]).

use super::{NewToken, TokenRow, key_of, owner, owner_of, sql};
use crate::kernel::call::idempotency::{StoredAnswer, again, read};
use crate::kernel::call::{Caller, Key, secret, token_hash};
use crate::kernel::jwt::trust;
use crate::kernel::store::Rows;
use crate::kernel::{Call, Error, Reply, Result, Row, Statement};
use edgeforge_wire::text::hex;
use serde::Serialize;
use serde_json::json;

#[derive(Debug)]
pub(super) struct Draft {
    new: NewToken,
    user_id: i64,
    project_id: Option<i64>,
    /// The highest level of a project's token.
    access: Option<i64>,
    /// The old token of a rotation. The new one acts as the same user.
    replaces: Option<TokenRow>,
    ends: Ends,
}

impl Draft {
    /// The new token ends no later than the caller's.
    fn personal(caller: &Caller, new: NewToken, user_id: i64) -> Draft {
        let ends = Ends { usual: None, most: caller.token_expires_at, old: None };
        Draft { new, user_id, project_id: None, access: None, replaces: None, ends }
    }

    /// `user_id`: the owner or creator of the new token.
    pub(super) fn instead_of(old: TokenRow, user_id: i64, expires_at: Option<i64>, ends: Ends) -> Draft {
        let new = NewToken {
            name: old.name.clone(),
            description: old.description.clone(),
            expires_at,
            scopes: old.scopes,
            cross_project: old.cross_project,
            trust: None,
        };
        let (project_id, access) = (old.project_id, old.access);
        Draft { new, user_id, project_id, access, replaces: Some(old), ends }
    }

    fn expiry(&self) -> Result<Option<i64>> {
        match (self.new.expires_at, self.ends.most) {
            (Some(asked), Some(most)) if asked > most => {
                Err(Error::field("expires_at", "cannot be later than that of the token that makes it"))
            }
            (Some(asked), _) => Ok(Some(asked)),
            (None, most) => Ok(self.ends.usual.into_iter().chain(most).min()),
        }
    }

    /// The name of the user that a project's token acts as, and in whose name a hook closes issues.
    fn bot_name(&self) -> String {
        format!("{} ({})", self.new.name, if self.access.is_some() { "token" } else { "mirror" })
    }

    fn statements(&self, hash: &str, expires_at: Option<i64>, now: i64) -> Vec<Statement> {
        let Draft { new, user_id, project_id, access, replaces, .. } = self;
        // a unique name, from which the stored hash cannot be computed
        let suffix: String = token_hash(&format!("bot {hash}")).chars().take(16).collect();
        let bot = format!("project_{}_bot_{suffix}", project_id.unwrap_or_default());
        let mut steps: Vec<Statement> = match replaces {
            Some(TokenRow { id, .. }) => {
                let end = match self.ends.old {
                    Some(ends_at) => sql::end_by { id: *id, ends_at }.into(),
                    None => sql::revoke { id: *id, now }.into(),
                };
                vec![sql::expect_live { id: *id, now }.into(), end]
            }
            None if project_id.is_some() => vec![
                sql::name_bot { username: &bot }.into(),
                sql::create_bot { username: &bot, bot_name: self.bot_name(), maker_id: *user_id, now }.into(),
            ],
            None => Vec::new(),
        };
        let (bot_id, title, scopes) = (replaces.as_ref().and_then(|old| old.bot_id), &new.name, new.scopes);
        let (user_id, project_id, access) = (*user_id, *project_id, *access);
        let claims = new.trust.as_ref().map(|trust| json!(trust.rules).to_string());
        let token = sql::create {
            hash,
            user_id,
            project_id,
            access,
            title,
            description: new.description.as_deref(),
            now,
            expires_at,
            scopes,
            bot_id,
            bot,
            cross_project: new.cross_project,
            issuer: new.trust.as_ref().map(|trust| trust.issuer.as_str()),
            claims,
        };
        steps.push(token.into());
        steps
    }
}

/// Times in milliseconds since 1970.
#[derive(Debug)]
pub(super) struct Ends {
    /// The default end, unless `most` is earlier. None if the default is `most`.
    pub(super) usual: Option<i64>,
    /// The latest end. None if the token need not end.
    pub(super) most: Option<i64>,
    /// When the old token of a rotation ends. None: at once.
    pub(super) old: Option<i64>,
}

/// The kept answer. `salt`: see [`Call::derived`].
#[derive(Debug, Row)]
struct SaltedRow {
    #[row(flatten)]
    token: TokenRow,
    salt: String,
}

pub(super) struct CreatedToken {
    row: TokenRow,
    /// Of a trust it is a part of the audience, which everybody may know.
    secret: String,
    /// The time of the first answer.
    at: i64,
    again: bool,
}

impl CreatedToken {
    fn again(call: &Call<'_>, kept: StoredAnswer, key: &Key) -> Result<CreatedToken> {
        let (SaltedRow { token: row, salt }, _) = kept.read()?;
        Ok(CreatedToken { secret: secret(&call.derived(key, &salt)), at: row.created_at, row, again: true })
    }

    pub(super) fn reply<T: Serialize>(
        self,
        status: u16,
        shown: impl FnOnce(TokenRow, i64, Option<String>) -> T,
    ) -> Reply {
        let reply = Reply::json(status, &shown(self.row, self.at, Some(self.secret)));
        if self.again { again(reply) } else { reply }
    }
}

/// Creates the token, or returns that of the first request with the same key. `kept`: the rows of [`Key::kept`].
pub(super) async fn make(
    call: &Call<'_>,
    caller: &Caller,
    draft: impl FnOnce() -> Result<Draft>,
    key: Option<Key>,
    kept: Option<&Rows>,
) -> Result<CreatedToken> {
    if let (Some(kept), Some(key)) = (read(key.as_ref(), kept)?, &key) {
        return CreatedToken::again(call, kept, key);
    }
    let draft = draft()?;
    // about the project of a new token, or the owner or maker of the token or of the one that it replaces
    match (&draft.replaces, draft.project_id) {
        (None, Some(id)) => call.acts_on("Project", Some(id), None),
        (old, _) => {
            let owner_id = old.as_ref().map_or(draft.user_id, |old| old.user_id);
            call.acts_on("User", Some(owner_id), Some(owner_id));
        }
    }
    let salt = hex(&call.random);
    let secret = secret(&key.as_ref().map_or(call.random, |key| call.derived(key, &salt)));
    let hash = if draft.new.trust.is_some() { trust::key(&secret) } else { token_hash(&secret) };
    let now = call.now;
    let (caller_id, person_id, key) = (caller.user.id, caller.member_id, key.as_ref());
    let mut batch: Vec<Statement> = key.iter().map(|key| key.expect_unused(caller_id, now)).collect();
    batch.extend(draft.statements(&hash, draft.expiry()?, now));
    batch.extend(key.map(|key| {
        let (digest, key, hash) = (&key.digest, &key.hash, &hash);
        sql::keep { caller_id, person_id, key, digest, hash, salt, now }.into()
    }));
    let batch = (batch, sql::created { hash });
    // with a key the batch may be retried, because it succeeds only once
    let made = if key.is_some() { call.write_safely(batch).await } else { call.write(batch).await };
    match made {
        Err(failure) if failure.is_expectation() => {
            // without a key, the old token of a rotation has ended
            let key = key.ok_or_else(Error::no_record)?;
            let kept = key.find(call.store, caller_id, now).await?.ok_or_else(Error::no_record)?;
            CreatedToken::again(call, kept, key)
        }
        made => Ok(CreatedToken { row: made?.1, secret, at: now, again: false }),
    }
}

/// Errors of authorization take precedence over those of `input`.
pub(super) async fn create_for_user(
    call: &Call<'_>,
    user_id: Result<i64>,
    input: Result<NewToken>,
) -> Result<CreatedToken> {
    let key = key_of(call);
    let query = user_id.as_ref().ok().map(|user_id| {
        let kept = key.as_ref().ok().and_then(Option::as_ref).map(|key| key.kept(call));
        (owner_of(*user_id), kept)
    });
    let (entry, answer) = call.authorize_first(query).await?;
    user_id?;
    let (found, kept) = answer.unzip();
    let owner = owner(&entry, found.flatten())?;
    let (new, key) = (input?, key?);
    let caller = entry.caller()?;
    let draft = || Ok(Draft::personal(caller, new, owner.user_id));
    make(call, caller, draft, key, kept.flatten().as_ref()).await
}

/// `input`: the token, and its level or None for the token of a hook.
pub(super) async fn create_for_project(
    call: &Call<'_>,
    input: Result<(NewToken, Option<i64>)>,
) -> Result<CreatedToken> {
    let input = input.and_then(|(new, access)| Ok((new, access, key_of(call)?)));
    let query = |(_, _, key): &(_, _, Option<Key>)| key.as_ref().map(|key| key.kept(call));
    let ((new, access, key), entry, kept) = call.authorize_with(input, query).await?;
    let caller = entry.caller()?;
    let project_id = Some(entry.resource.id);
    let draft = || Ok(Draft { project_id, access, ..Draft::personal(caller, new, caller.user.id) });
    make(call, caller, draft, key, kept.as_ref()).await
}
