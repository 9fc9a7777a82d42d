use super::ProfileRow;
use crate::kernel::call::{Call, Entry};
use crate::kernel::error::Result;
use crate::kernel::paging::{EVER, Key, Page, Sort};
use crate::kernel::params::Parameters;
use crate::kernel::store::{Prepared, Query};
use crate::kernel::walk::{self, WalkPage, WalkRow, instant};

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
    pub order_by: Option<OrderBy>,
    pub sort: Option<Sort>,
}

edgeforge_row::statements!(mod ordered: "src/areas/users/lists.sql");

#[derive(Debug, Clone, Copy, PartialEq, Parameters)]
#[param(rename_all = "snake_case")]
pub(super) enum OrderBy {
    Id,
    CreatedAt,
    Name,
    Username,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    Id,
    Name,
    Username,
}

impl Order {
    /// SQLite's `lower` also changes ASCII letters only.
    fn keys(self, row: &ProfileRow) -> [Key; 2] {
        let key = match self {
            Order::Name => Key::Text(row.user.name.to_ascii_lowercase()),
            Order::Username => Key::Text(row.user.username.to_ascii_lowercase()),
            Order::Id => Key::Int(row.user.id),
        };
        [key, Key::Int(row.user.id)]
    }
}

impl Filter {
    /// `created_after` and `created_before` in milliseconds.
    pub fn times(&self) -> Result<[Option<i64>; 2]> {
        let after = instant("created_after", self.created_after.as_deref())?;
        Ok([after, instant("created_before", self.created_before.as_deref())?])
    }

    fn order(&self) -> Order {
        match self.order_by {
            Some(OrderBy::Name) => Order::Name,
            Some(OrderBy::Username) => Order::Username,
            // newer users have higher ids
            None | Some(OrderBy::Id | OrderBy::CreatedAt) => Order::Id,
        }
    }

    fn query(
        &self,
        (order, ascending): (Order, bool),
        [created_after, created_before]: [Option<i64>; 2],
        page: &Page,
    ) -> Prepared<Vec<WalkRow<ProfileRow>>> {
        let (low, high) = match order {
            Order::Id => (Key::Int(-EVER), Key::Int(EVER)),
            Order::Name | Order::Username => ("".into(), "\u{10ffff}".into()),
        };
        let ([low, high, at, id], skip) = page.range(ascending, low, high);
        let is_active = (self.active || self.blocked).then_some(self.active);
        let times = created_after.or(created_before);
        let is_filtered = is_active.is_some() || self.external || self.admins || times.is_some();
        let matches_nobody = self.active && self.blocked;
        let looks = walk::steps(page, skip, is_filtered || self.search.is_some());
        ordered::list {
            order,
            ascending,
            username: self.username.as_deref(),
            search: self.search.as_deref(),
            is_active,
            is_external: self.external,
            is_admin: self.admins,
            created_after,
            created_before,
            low,
            high,
            at,
            id,
            looks: if matches_nobody { 0 } else { looks },
            most: page.size + 1,
            skip,
        }
        .prepare()
    }
}

pub(super) async fn read(
    call: &Call<'_>,
    input: Result<([Option<i64>; 2], Filter, Page)>,
) -> Result<(Page, WalkPage<ProfileRow>, Entry)> {
    let query = |(times, filter, page): &([Option<i64>; 2], Filter, Page)| {
        let count = || walk::count(filter.query((Order::Id, false), *times, &Page::to_count()));
        let order = (filter.order(), filter.sort == Some(Sort::Asc));
        (filter.query(order, *times, page), call.dialect.counts_lists().then(count))
    };
    let ((_, filter, page), entry, (users, total)) = call.authorize_with(input, query).await?;
    let users = walk::page(users, &page, |row| filter.order().keys(row)).with_count(total.flatten());
    Ok((page, users, entry))
}
