use super::ProfileRow;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::params::Sent;
use crate::kernel::text::fold::patterns;
use crate::kernel::{Call, Entry, Page, Parameters, PreparedQuery, Query, Result, instant};

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
    pub exclude_active: bool,
    pub exclude_external: bool,
    pub without_projects: bool,
    pub created_after: Option<String>,
    pub created_before: Option<String>,
    pub order_by: Option<OrderBy>,
    pub sort: Option<Sort>,
    // nobody has a second factor, an identity elsewhere, a public address or further attributes, and only humans are listed
    pub two_factor: Option<TwoFactor>,
    pub extern_uid: Option<String>,
    pub provider: Option<String>,
    pub saml_provider_id: Option<i64>,
    pub public_email: Option<String>,
    pub custom_attributes: Sent,
    pub auditors: bool,
    pub exclude_humans: bool,
    #[expect(dead_code, reason = "everybody who is listed is one")]
    pub humans: bool,
    #[expect(dead_code, reason = "nobody who is listed is one")]
    pub exclude_internal: bool,
    #[expect(dead_code, reason = "nobody who is listed is one")]
    pub without_project_bots: bool,
    #[expect(dead_code, reason = "nobody comes from a directory")]
    pub skip_ldap: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Parameters)]
pub(super) enum TwoFactor {
    Enabled,
    Disabled,
}

edgeforge_row::statements!(mod ordered: "src/areas/users/lists.sql");

#[derive(Debug, Clone, Copy, PartialEq, Parameters)]
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

impl Filter {
    /// `created_after` and `created_before` in milliseconds.
    pub fn times(&self) -> Result<[Option<i64>; 2]> {
        let after = instant("created_after", self.created_after.as_deref())?;
        Ok([after, instant("created_before", self.created_before.as_deref())?])
    }

    fn matches_nobody(&self) -> bool {
        let texts = [&self.extern_uid, &self.provider, &self.public_email];
        self.active && (self.blocked || self.exclude_active)
            || self.custom_attributes.0
            || self.auditors
            || self.exclude_humans
            || self.two_factor == Some(TwoFactor::Enabled)
            || self.saml_provider_id.is_some()
            || texts.iter().any(|text| text.is_some())
    }

    fn order(&self) -> Order {
        match self.order_by {
            Some(OrderBy::Name) => Order::Name,
            Some(OrderBy::Username) => Order::Username,
            // the same order: newer users have higher ids
            None | Some(OrderBy::Id | OrderBy::CreatedAt) => Order::Id,
        }
    }

    /// None: the list is empty.
    fn query(&self, [created_after, created_before]: [Option<i64>; 2], page: Page) -> Option<Users> {
        let is_active = (self.active || self.blocked || self.exclude_active).then_some(self.active);
        let times = created_after.or(created_before);
        let kinds = [self.external, self.admins, self.exclude_external, self.without_projects];
        let is_filtered = is_active.is_some() || kinds.contains(&true) || times.is_some() || self.search.is_some();
        let list = ordered::list {
            order: self.order(),
            ascending: self.sort == Some(Sort::Asc),
            username: self.username.as_deref(),
            search: self.search.as_deref().map(patterns),
            email: self.search.as_deref().map(str::to_lowercase),
            is_active,
            is_external: self.external,
            is_admin: self.admins,
            is_internal: self.exclude_external,
            without_projects: self.without_projects,
            created_after,
            created_before,
            narrowed: is_filtered.then_some(true),
            page,
        };
        (!self.matches_nobody()).then(|| list.prepare())
    }
}

type Users = PreparedQuery<Listed<ProfileRow>>;

pub(super) async fn read(
    call: &Call<'_>,
    input: Result<([Option<i64>; 2], Filter, Page)>,
) -> Result<(Listed<ProfileRow>, Entry)> {
    let input = input.map(|(times, filter, page)| {
        (times, filter, if call.dialect.counts_lists() { page } else { page.uncounted() })
    });
    let query = |(times, filter, page): &([Option<i64>; 2], Filter, Page)| filter.query(*times, page.clone());
    let ((.., page), entry, users) = call.authorize_with(input, query).await?;
    Ok((Listed::or_empty(users, page), entry))
}
