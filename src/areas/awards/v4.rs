use super::{AwardRow, WireForm};
use crate::areas::issues::IssueRef;
use crate::areas::issues::v4::by_number;
use crate::areas::users::v4::BasicUser;
use crate::kernel::call::{Links, path_number};
use crate::kernel::constants::{Constant, Constants};
use crate::kernel::error::Result;
use crate::kernel::http::Reply;
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Award {
    id: i64,
    name: String,
    user: BasicUser,
    created_at: String,
    updated_at: String,
    awardable_id: i64,
    awardable_type: &'static str,
    #[serde(flatten)]
    constant: Constants,
}

/// The address of a custom emoji, which this server does not have.
const CONSTANT: Constants = Constants(&[(Constant::Null, &["url"])]);

impl WireForm for Award {
    fn new(row: AwardRow, links: &Links) -> Award {
        let (awardable_id, awardable_type) = row.awardable();
        let created_at = time::utc(row.created_at);
        let user = BasicUser::new(row.user, links);
        Award {
            id: row.id,
            name: row.name,
            user,
            updated_at: created_at.clone(),
            created_at,
            awardable_id,
            awardable_type,
            constant: CONSTANT,
        }
    }

    fn issue(text: &str) -> Result<IssueRef> {
        by_number(text)
    }

    fn id(name: &str, text: &str) -> Result<i64> {
        path_number(name, text)
    }

    fn removed(self) -> Reply {
        Reply::empty(204)
    }
}
