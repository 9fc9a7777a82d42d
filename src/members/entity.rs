//! Members as answers show them.

use super::sql::MemberRow;
use crate::call::Links;
use crate::time;
use crate::users::entity::Brief;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Member {
    #[serde(flatten)]
    user: Brief,
    access_level: i64,
    created_at: String,
    /// Memberships do not end by themselves.
    expires_at: Option<String>,
}

impl Member {
    pub fn new(row: MemberRow, links: &Links) -> Member {
        let MemberRow { user, access, created_at } = row;
        Member {
            user: Brief::new(user, links),
            access_level: access,
            created_at: time::utc(created_at),
            expires_at: None,
        }
    }
}
