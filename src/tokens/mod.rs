//! Access tokens: of users, and of the hooks that push a project's mirror.

pub mod entity;
pub mod sql;

use crate::call::{Call, SignedIn, path_id, token_hash};
use crate::error::{Error, Faults, Result};
use crate::http::Reply;
use crate::time;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use entity::Token;
use serde::Deserialize;
use sql::{Draft, Whose};

/// Parameters of a new token.
#[derive(Debug, Deserialize)]
struct NewToken {
    name: String,
    expires_at: Option<String>,
}

/// A [`NewToken`] that can be made: its name, and when it expires.
#[derive(Debug, Clone)]
struct Checked {
    name: String,
    expires_at: Option<i64>,
}

impl NewToken {
    fn checked(self) -> Result<Checked> {
        let name = self.name.trim().to_owned();
        let mut faults = Faults::default();
        faults.check_length("name", Some(&name), 255);
        let expires_at = self.expires_at.as_deref().and_then(time::lenient);
        if self.expires_at.is_some() && expires_at.is_none() {
            faults.add("expires_at", "is invalid");
        }
        faults.result().map(|()| Checked { name, expires_at })
    }
}

/// 20 characters that fit into an address and a header.
fn fresh(random: &[u8; 16]) -> String {
    let (fifteen, _) = random.split_at(15);
    BASE64_URL_SAFE_NO_PAD.encode(fifteen)
}

/// Lets through the user himself and administrators.
fn admit(entered: &SignedIn) -> Result<Whose> {
    let whose: Whose = entered.rows.first()?.ok_or_else(|| Error::missing("User"))?;
    let own = whose.user_id == entered.caller.user.id;
    if own || entered.caller.admin { Ok(whose) } else { Err(Error::FORBIDDEN) }
}

/// POST /users/:id/personal_access_tokens
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let user_id = path_id(id);
    let input = call.creation().and_then(NewToken::checked);
    // whose it would be is judged before what it would be called
    let entered = call.sign_in(user_id.map(|id| sql::whose(id, None))).await?;
    let whose = admit(&entered)?;
    let Checked { name, expires_at } = input?;
    let token = fresh(&call.random);
    let draft = Draft {
        hash: token_hash(&token),
        user_id: whose.user_id,
        project_id: None,
        name,
        expires_at,
        now: call.now,
    };
    let row = sql::create(&call.store, draft).await?;
    Ok(Reply::json(201, &Token::new(row, call.now, Some(token))))
}
