use super::super::{TokenRow, sql};
use super::entity::Token;
use crate::kernel::call::Call;
use crate::kernel::error::Result;
use crate::kernel::http::Reply;
use crate::kernel::paging::{EVER, Key, Page};
use crate::kernel::params::Parameters;
use crate::kernel::store::{Rows, Statement, Value};
use crate::kernel::walk;

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    state: Option<State>,
    revoked: Option<bool>,
    search: Option<String>,
    created_after: Option<String>,
    created_before: Option<String>,
    expires_after: Option<String>,
    expires_before: Option<String>,
    sort: Option<Sort>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum State {
    Active,
    Inactive,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "snake_case")]
enum Sort {
    CreatedAsc,
    CreatedDesc,
}

/// A list of tokens, as a request asks for it.
pub struct ListRequest {
    is_active: Option<bool>,
    is_revoked: Option<bool>,
    search: Option<String>,
    created_after: Option<i64>,
    created_before: Option<i64>,
    expires_after: Option<i64>,
    expires_before: Option<i64>,
    is_upwards: bool,
    past: Value,
    skip: i64,
    looks: i64,
    page: Page,
}

/// The statement `$name` with the parameters of a list, and one of its own.
macro_rules! statement {
    ($asked:expr, $name:ident, $own:ident) => {{
        let asked: &ListRequest = $asked;
        let ListRequest { is_active, is_revoked, is_upwards, skip, looks, .. } = *asked;
        let ListRequest { created_after, created_before, expires_after, expires_before, .. } = *asked;
        let (search, past, most) = (asked.search.clone(), asked.past.clone(), asked.page.size + 1);
        let query = sql::$name {
            $own,
            is_active,
            is_revoked,
            search,
            created_after,
            created_before,
            expires_after,
            expires_before,
            is_upwards,
            past,
            skip,
            looks,
            most,
        };
        Statement::from(query)
    }};
}

impl ListRequest {
    pub fn read(call: &Call<'_>) -> Result<ListRequest> {
        let Filter {
            state,
            revoked,
            search,
            sort,
            created_after,
            created_before,
            expires_after,
            expires_before,
        } = call.filters()?;
        let page = call.page()?;
        let is_upwards = sort == Some(Sort::CreatedAsc);
        let ([past], skip) = page.begin([Key::Int(if is_upwards { 0 } else { EVER })]);
        let mut asked = ListRequest {
            is_active: state.map(|state| state == State::Active),
            is_revoked: revoked,
            search,
            created_after: walk::instant("created_after", created_after.as_deref())?,
            created_before: walk::instant("created_before", created_before.as_deref())?,
            expires_after: walk::instant("expires_after", expires_after.as_deref())?,
            expires_before: walk::instant("expires_before", expires_before.as_deref())?,
            is_upwards,
            past,
            skip,
            looks: 0,
            page,
        };
        asked.looks = walk::steps(&asked.page, skip, asked.is_filtered());
        Ok(asked)
    }

    fn is_filtered(&self) -> bool {
        let times = [self.created_after, self.created_before, self.expires_after, self.expires_before];
        let is_filtered = self.is_active.is_some() || self.is_revoked.is_some() || self.search.is_some();
        is_filtered || times.iter().any(Option::is_some)
    }

    pub fn of_users(&self, user_id: Option<i64>) -> Statement {
        statement!(self, filter, user_id)
    }

    pub fn of_project(&self, of_kind: &str) -> Statement {
        statement!(self, filter_in_project, of_kind)
    }

    /// `path`: as in [`Call::listing`].
    pub fn reply(&self, call: &Call<'_>, rows: &Rows, path: &[(&str, &str)]) -> Result<Reply> {
        let tokens = walk::page_of_rows(rows, &self.page, |row: &TokenRow| [row.id.into()])?;
        tokens.reply_at(call, &self.page, path, |row| Token::new(row, call.now, None))
    }
}
