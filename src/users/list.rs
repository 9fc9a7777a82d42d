use super::{ProfileRow, sql};
use crate::call::{Call, Entry};
use crate::error::Result;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::store::Statement;
use crate::walk::{self, Walked, instant};

#[derive(Debug, Parameters, Default)]
#[param(default)]
pub(super) struct Filter {
    pub username: Option<String>,
    /// A part of a name or username, or for administrators a whole e-mail address.
    pub search: Option<String>,
    pub active: bool,
    pub blocked: bool,
    pub external: bool,
    pub admins: bool,
    pub created_after: Option<String>,
    pub created_before: Option<String>,
    #[expect(dead_code, reason = "both orders are the same")]
    pub order_by: Option<Order>,
    pub sort: Option<Sort>,
}

#[derive(Debug, Parameters)]
#[param(rename_all = "snake_case")]
pub(super) enum Order {
    Id,
    CreatedAt,
}

impl Filter {
    /// `created_after` and `created_before` in milliseconds.
    pub fn times(&self) -> Result<[Option<i64>; 2]> {
        let after = instant("created_after", self.created_after.as_deref())?;
        Ok([after, instant("created_before", self.created_before.as_deref())?])
    }

    fn query(&self, [created_after, created_before]: [Option<i64>; 2], page: &Page) -> Statement {
        let is_upwards = self.sort == Some(Sort::Asc);
        let ([past], skip) = page.begin([Key::Int(if is_upwards { 0 } else { 1 << 53 })]);
        let is_active = (self.active || self.blocked).then_some(self.active);
        let times = created_after.or(created_before);
        let is_filtered = is_active.is_some() || self.external || self.admins || times.is_some();
        let matches_nobody = self.active && self.blocked;
        let looks = walk::steps(page, skip, is_filtered || self.search.is_some());
        sql::list {
            is_upwards,
            username: self.username.as_deref(),
            search: self.search.as_deref(),
            is_active,
            is_external: self.external,
            is_admin: self.admins,
            created_after,
            created_before,
            past,
            looks: if matches_nobody { 0 } else { looks },
            most: page.size + 1,
            skip,
        }
        .into()
    }
}

pub(super) async fn read(
    call: &Call<'_>,
    input: Result<([Option<i64>; 2], Filter, Page)>,
) -> Result<(Page, Walked<ProfileRow>, Entry)> {
    let query = |(times, filter, page): &([Option<i64>; 2], Filter, Page)| filter.query(*times, page);
    let ((.., page), entry) = call.authorize_with(input, query).await?;
    let users = walk::page(&entry.rows, &page, |row: &ProfileRow| [row.user.id.into()])?;
    Ok((page, users, entry))
}
