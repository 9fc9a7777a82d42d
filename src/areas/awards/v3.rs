use super::{Award, WireForm};
use crate::areas::issues::IssueRef;
use crate::areas::issues::v3::by_id;
use crate::areas::users::entity::BriefUser;
use crate::kernel::answers::constants::Constants;
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::path_id;
use crate::kernel::{Links, Reply, Result};

pub struct V3;

impl WireForm for V3 {
    type User = BriefUser;
    const CONSTANTS: Constants = Constants(&[]);

    fn user(row: UserRow, links: &Links) -> BriefUser {
        BriefUser::new(row, links)
    }

    fn issue(text: &str) -> Result<IssueRef> {
        by_id(text)
    }

    fn id(_: &str, text: &str) -> Result<i64> {
        path_id(text)
    }

    fn removed(award: &Award<BriefUser>) -> Reply {
        Reply::json(200, award)
    }
}
