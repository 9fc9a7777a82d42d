//! The list of what administrators did, for administrators (behaviour 13.4). `kernel/call/audit.rs` writes it.

pub mod v4;

use crate::kernel::answers::person::UserRow;
use crate::kernel::lists::Listed;
use crate::kernel::paging::EVER;
use crate::kernel::{Error, Page, Parameters, PreparedQuery, Query, Result, Row, instant};

edgeforge_row::statements!(mod sql: "src/areas/audit/audit.sql");

#[derive(Debug, Row)]
pub struct AuditRow {
    id: i64,
    author_id: i64,
    author: UserRow,
    entity_type: String,
    entity_id: Option<i64>,
    event_name: String,
    path: String,
    changes: Option<String>,
    created_at: i64,
}

#[derive(Debug, Clone, Copy, Parameters)]
#[param(verbatim)]
enum EntityType {
    User,
    Group,
    Project,
    SystemHook,
    ApplicationSetting,
}

#[derive(Debug, Parameters)]
struct Filter {
    created_after: Option<String>,
    created_before: Option<String>,
    entity_type: Option<EntityType>,
    entity_id: Option<i64>,
}

/// A filter as it was read. Both times are inclusive.
struct Range {
    from: i64,
    to: i64,
    entity_type: Option<&'static str>,
    entity_id: Option<i64>,
}

impl Filter {
    fn range(self) -> Result<Range> {
        if self.entity_id.is_some() && self.entity_type.is_none() {
            return Err(Error::framework("entity_type is missing"));
        }
        Ok(Range {
            from: instant("created_after", self.created_after.as_deref())?.unwrap_or(-EVER),
            to: instant("created_before", self.created_before.as_deref())?.unwrap_or(EVER),
            entity_type: self.entity_type.map(EntityType::word),
            entity_id: self.entity_id,
        })
    }
}

impl Range {
    fn query(&self, page: Page) -> PreparedQuery<Listed<AuditRow>> {
        let Range { from: first, to: last, entity_type, entity_id } = *self;
        sql::list { first, last, entity_type, entity_id, page }.prepare()
    }
}
