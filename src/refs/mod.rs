//! Branches and tags, in v3's shapes.

pub mod entity;
mod pages;
pub mod sql;
pub mod v4;

use crate::call::{Call, Entered};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::policy::Action;
use crate::store::Statement;
use entity::{Branch, Tag};
use serde::Serialize;
use sql::{Found, RefRow};

/// The refs of a list, the setting default_branch_protection, and what tells the reply of pages.
struct Listed {
    entered: Entered,
    protection: i64,
    rows: Vec<RefRow>,
    page: Page,
    /// Whether further refs follow, and whether a page was asked for.
    has_more: bool,
    asked: bool,
}

/// All refs of a kind as far as they fit one answer, as the original did; a page of them where one is asked for.
async fn list(call: &Call<'_>, id: &str, query: fn(&Page, i64) -> Statement) -> Result<Listed> {
    let asked = call.asks_for_page();
    let most = |page: &Page| if asked { page.size } else { sql::MOST_REFS };
    let (page, mut entered) =
        call.enter_with(id, Action::ReadCommits, call.page(), |page| query(page, most(page))).await?;
    let protection = entered.rows.shift()?.unwrap_or_default();
    let mut rows = Vec::new();
    let mut has_more = false;
    for found in entered.rows.all()? {
        match found {
            Found::Whole(row) if (rows.len() as i64) < most(&page) && !has_more => rows.push(*row),
            Found::Whole(_) | Found::Further => has_more = true,
        }
    }
    Ok(Listed { entered, protection, rows, page, has_more, asked })
}

impl Listed {
    /// The reply; `next`: the name that the next page goes on behind.
    fn reply<T: Serialize>(
        &self,
        call: &Call<'_>,
        id: &str,
        next: Option<&str>,
        items: &[T],
    ) -> Result<Reply> {
        if !self.asked && !self.has_more {
            return Ok(Reply::json(200, items));
        }
        let cursor = next.and_then(|name| self.page.next([name.into()]));
        call.listing(&self.page, Total::More(self.has_more), &[("id", id)], cursor, items)
    }
}

/// GET /projects/:id/repository/branches
pub async fn branches(call: &Call<'_>, id: &str) -> Result<Reply> {
    let mut listed = list(call, id, sql::branches).await?;
    let rows = std::mem::take(&mut listed.rows);
    let next = rows.last().map(|row| row.name.clone());
    let default = listed.entered.resource.default_branch.as_deref();
    let shown = |row| Branch::new(row, default, listed.protection);
    let branches: Vec<Branch> = rows.into_iter().map(shown).collect();
    listed.reply(call, id, next.as_deref(), &branches)
}

/// GET /projects/:id/repository/branches/:branch
pub async fn branch(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::ReadCommits, sql::one("refs/heads/", name)).await?;
    let protection = entered.rows.shift()?.unwrap_or_default();
    let row = entered.rows.first()?.ok_or_else(|| Error::missing("Branch"))?;
    Ok(Reply::json(200, &Branch::new(row, entered.resource.default_branch.as_deref(), protection)))
}

/// GET /projects/:id/repository/tags: the original listed the last name first
pub async fn tags(call: &Call<'_>, id: &str) -> Result<Reply> {
    let mut listed = list(call, id, sql::tags).await?;
    let rows = std::mem::take(&mut listed.rows);
    let next = rows.last().map(|row| row.name.clone());
    let tags: Vec<Tag> = rows.into_iter().map(Tag::new).collect();
    listed.reply(call, id, next.as_deref(), &tags)
}

/// GET /projects/:id/repository/tags/:tag
pub async fn tag(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    let mut entered = call.enter(id, Action::ReadCommits, sql::one("refs/tags/", name)).await?;
    let _protection: Option<i64> = entered.rows.shift()?;
    let row = entered.rows.first()?.ok_or_else(|| Error::missing("Tag"))?;
    Ok(Reply::json(200, &Tag::new(row)))
}
