use super::super::{TokenRow, sql};
use super::entity::Token;
use crate::kernel::lists::Listed;
use crate::kernel::text::fold::patterns;
use crate::kernel::{Call, Page, Parameters, PreparedQuery, Query, Reply, Result, instant};
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
    /// What the piece `token_passes` checks, JSON. None without a filter.
    wanted: Option<String>,
    /// None for the order of the ids.
    field: Option<&'static str>,
    is_downwards: bool,
    /// Of the order of the ids.
    ascending: bool,
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
            "created_after": instant("created_after", asked.created_after.as_deref())?,
            "created_before": instant("created_before", asked.created_before.as_deref())?,
            "used_after": instant("last_used_after", asked.last_used_after.as_deref())?,
            "used_before": instant("last_used_before", asked.last_used_before.as_deref())?,
            "expires_after": instant("expires_after", asked.expires_after.as_deref())?,
            "expires_before": instant("expires_before", asked.expires_before.as_deref())?,
        });
        let is_filtered = wanted.as_object().is_some_and(|members| members.values().any(|value| !value.is_null()));
        let (field, is_downwards) = asked.sort.and_then(Sort::by_field).unzip();
        Ok(ListRequest {
            wanted: is_filtered.then(|| wanted.to_string()),
            field,
            is_downwards: is_downwards == Some(true),
            ascending: asked.sort == Some(Sort::CreatedAsc),
            page,
        })
    }

    pub fn of_users(&self, user_id: Option<i64>) -> PreparedQuery<Listed<TokenRow>> {
        let ListRequest { ascending, is_downwards, ref wanted, ref page, .. } = *self;
        let page = page.clone();
        match self.field {
            Some(field) => sql::sorted { user_id, wanted: wanted.as_deref(), field, is_downwards, page }.prepare(),
            None => sql::filter { user_id, wanted: wanted.as_deref(), ascending, page }.prepare(),
        }
    }

    pub fn of_project(&self, of_kind: &str) -> PreparedQuery<Listed<TokenRow>> {
        let ListRequest { ascending, is_downwards, ref wanted, ref page, .. } = *self;
        let (wanted, page) = (wanted.as_deref(), page.clone());
        match self.field {
            Some(field) => sql::sorted_in_project { of_kind, wanted, field, is_downwards, page }.prepare(),
            None => sql::filter_in_project { of_kind, wanted, ascending, page }.prepare(),
        }
    }
}

/// `path`: as in [`Call::listing`].
pub fn reply(call: &Call<'_>, tokens: Listed<TokenRow>, path: &[(&str, &str)]) -> Result<Reply> {
    tokens.reply_at(call, path, |row| Token::new(row, call.now, None))
}
