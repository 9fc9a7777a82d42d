use super::{Award, WireForm};
use crate::areas::issues::IssueRef;
use crate::areas::issues::v4::by_number;
use crate::areas::users::v4::BasicUser;
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::path_number;
use crate::kernel::{Links, Reply, Result};

pub struct V4;

impl WireForm for V4 {
    type User = BasicUser;
    /// The address of a custom emoji, which this server does not have.
    const CONSTANTS: Constants = Constants(&[(Constant::Null, &["url"])]);

    fn user(row: UserRow, links: &Links) -> BasicUser {
        BasicUser::new(row, links)
    }

    fn issue(text: &str) -> Result<IssueRef> {
        by_number(text)
    }

    fn id(name: &str, text: &str) -> Result<i64> {
        path_number(name, text)
    }

    fn removed(_: &Award<BasicUser>) -> Reply {
        Reply::empty(204)
    }
}
