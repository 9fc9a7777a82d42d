use super::{AwardRow, WireForm};
use crate::areas::issues::IssueRef;
use crate::areas::issues::v3::by_id;
use crate::areas::users::entity::BriefUser;
use crate::kernel::call::{Links, path_id};
use crate::kernel::error::Result;
use crate::kernel::http::Reply;
use crate::kernel::time;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Award {
    id: i64,
    name: String,
    user: BriefUser,
    created_at: String,
    updated_at: String,
    awardable_id: i64,
    awardable_type: &'static str,
}

impl WireForm for Award {
    fn new(row: AwardRow, links: &Links) -> Award {
        let (awardable_id, awardable_type) = row.awardable();
        let created_at = time::utc(row.created_at);
        let user = BriefUser::new(row.user, links);
        Award {
            id: row.id,
            name: row.name,
            user,
            updated_at: created_at.clone(),
            created_at,
            awardable_id,
            awardable_type,
        }
    }

    fn issue(text: &str) -> Result<IssueRef> {
        by_id(text)
    }

    fn id(_: &str, text: &str) -> Result<i64> {
        path_id(text)
    }

    fn removed(self) -> Reply {
        Reply::json(200, &self)
    }
}
