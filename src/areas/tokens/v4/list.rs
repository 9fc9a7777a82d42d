use super::super::{TokenRow, sql};
use super::entity::Token;
use crate::kernel::fold::patterns;
use crate::kernel::paging::{EVER, Key};
use crate::kernel::store::Value;
use crate::kernel::walk::{self, CountedRows};
use crate::kernel::{Call, Page, Parameters, PreparedQuery, Query, Reply, Result};
use serde_json::json;

#[derive(Debug, Parameters)]
struct Filter {
    state: Option<State>,
    revoked: Option<bool>,
    search: Option<String>,
    created_after: Option<String>,
    created_before: Option<String>,
    last_used_after: Option<String>,
    last_used_before: Option<String>,
    expires_after: Option<String>,
    expires_before: Option<String>,
    sort: Option<Sort>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum State {
    Active,
    Inactive,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Sort {
    CreatedAsc,
    CreatedDesc,
    ExpiresAsc,
    ExpiresDesc,
    LastUsedAsc,
    LastUsedDesc,
    NameAsc,
    NameDesc,
}

impl Sort {
    /// The field of an order that no index has, and whether it is downwards. Pages of such an order are found by the
    /// number of tokens before them.
    fn by_field(self) -> Option<(&'static str, bool)> {
        Some(match self {
            Sort::CreatedAsc | Sort::CreatedDesc => return None,
            Sort::ExpiresAsc => ("expires_at", false),
            Sort::ExpiresDesc => ("expires_at", true),
            Sort::LastUsedAsc => ("last_used_at", false),
            Sort::LastUsedDesc => ("last_used_at", true),
            Sort::NameAsc => ("name", false),
            Sort::NameDesc => ("name", true),
        })
    }
}

/// A list of tokens, as a request asks for it.
pub struct ListRequest {
    /// What the piece `passes` checks, JSON.
    wanted: String,
    is_filtered: bool,
    is_upwards: bool,
    /// None for the order of the ids.
    field: Option<&'static str>,
    is_downwards: bool,
    page: Page,
}

impl ListRequest {
    pub fn read(call: &Call<'_>) -> Result<ListRequest> {
        let asked: Filter = call.filters()?;
        let page = call.page()?;
        let wanted = json!({
            "is_active": asked.state.map(|state| state == State::Active),
            "is_revoked": asked.revoked,
            "search": asked.search.as_deref().map(patterns),
            "created_after": walk::instant("created_after", asked.created_after.as_deref())?,
            "created_before": walk::instant("created_before", asked.created_before.as_deref())?,
            "used_after": walk::instant("last_used_after", asked.last_used_after.as_deref())?,
            "used_before": walk::instant("last_used_before", asked.last_used_before.as_deref())?,
            "expires_after": walk::instant("expires_after", asked.expires_after.as_deref())?,
            "expires_before": walk::instant("expires_before", asked.expires_before.as_deref())?,
        });
        let is_filtered = wanted.as_object().is_some_and(|members| members.values().any(|value| !value.is_null()));
        let is_upwards = asked.sort == Some(Sort::CreatedAsc);
        let (field, is_downwards) = asked.sort.and_then(Sort::by_field).unzip();
        let (wanted, is_downwards) = (wanted.to_string(), is_downwards == Some(true));
        Ok(ListRequest { wanted, is_filtered, is_upwards, field, is_downwards, page })
    }

    /// What the page starts after, how many rows it skips, and how many are read. A list by a field reads as many of the
    /// newest tokens as a total does.
    fn range(&self, page: &Page) -> (Value, i64, i64) {
        if self.field.is_some() {
            return (EVER.into(), self.passed(page), walk::steps(&Page::to_count(), 0, true));
        }
        let ([past], skip) = page.begin([Key::Int(if self.is_upwards { 0 } else { EVER })]);
        (past, skip, walk::steps(page, skip, self.is_filtered))
    }

    /// The number of tokens before this page of a list by a field.
    fn passed(&self, page: &Page) -> i64 {
        match page.after() {
            (Value::Int(passed), skip) => passed.max(0).saturating_add(skip),
            _ => 0,
        }
    }

    pub fn of_users(&self, user_id: Option<i64>) -> PreparedQuery<CountedRows<TokenRow>> {
        walk::counted(&self.page, |page| {
            let ((past, skip, looks), wanted, most) = (self.range(page), &self.wanted, page.size + 1);
            let ListRequest { is_upwards, field, is_downwards, .. } = *self;
            sql::filter { user_id, wanted, is_upwards, field, is_downwards, past, skip, looks, most }.prepare()
        })
    }

    pub fn of_project(&self, of_kind: &str) -> PreparedQuery<CountedRows<TokenRow>> {
        walk::counted(&self.page, |page| {
            let ((past, skip, looks), wanted, most) = (self.range(page), &self.wanted, page.size + 1);
            let ListRequest { is_upwards, field, is_downwards, .. } = *self;
            sql::filter_in_project { of_kind, wanted, is_upwards, field, is_downwards, past, skip, looks, most }
                .prepare()
        })
    }

    /// `path`: as in [`Call::listing`].
    pub fn reply(&self, call: &Call<'_>, (rows, total): CountedRows<TokenRow>, path: &[(&str, &str)]) -> Result<Reply> {
        // the key of the last row of a full page
        let passed = self.field.map(|_| self.passed(&self.page) + self.page.size);
        let tokens = walk::page(rows, &self.page, |row| [passed.unwrap_or(row.id).into()]).with_count(total);
        tokens.reply_at(call, &self.page, path, |row| Token::new(row, call.now, None))
    }
}
