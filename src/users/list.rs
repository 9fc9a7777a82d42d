//! Lists of users.

use super::{ProfileRow, sql};
use crate::call::{Call, Entry};
use crate::error::Result;
use crate::page::{Key, Page};
use crate::store::Statement;
use crate::walk::{self, Walked};

/// Which users are listed.
#[derive(Debug, Default)]
pub(super) struct Filter {
    pub is_upwards: bool,
    pub username: Option<String>,
    /// A part of a name, or for administrators an e-mail address.
    pub search: Option<String>,
    pub active: bool,
    pub blocked: bool,
    pub external: bool,
    pub admins: bool,
    pub created_after: Option<i64>,
    pub created_before: Option<i64>,
}

impl Filter {
    fn query(&self, page: &Page) -> Statement {
        let ([past], skip) = page.begin([Key::Int(if self.is_upwards { 0 } else { 1 << 53 })]);
        let is_active = (self.active || self.blocked).then_some(self.active);
        let times = self.created_after.or(self.created_before);
        let is_filtered = is_active.is_some() || self.external || self.admins || times.is_some();
        // nobody is active and blocked
        let is_empty = self.active && self.blocked;
        let looks = walk::steps(page, skip, is_filtered || self.search.is_some());
        sql::list {
            is_upwards: self.is_upwards,
            username: self.username.as_deref(),
            search: self.search.as_deref(),
            is_active,
            is_external: self.external,
            is_admin: self.admins,
            created_after: self.created_after,
            created_before: self.created_before,
            past,
            looks: if is_empty { 0 } else { looks },
            most: page.size + 1,
            skip,
        }
        .into()
    }
}

pub(super) async fn read(
    call: &Call<'_>,
    input: Result<(Filter, Page)>,
) -> Result<(Page, Walked<ProfileRow>, Entry)> {
    let ((_, page), entry) = call.authorize_with(input, |(filter, page)| filter.query(page)).await?;
    let users = walk::page(&entry.rows, &page, |row: &ProfileRow| [row.user.id.into()])?;
    Ok((page, users, entry))
}
