//! Lists of projects in v4: everywhere, of a group and of a user. Each range that a list is made of gives no more than the
//! page reaches; what is hidden from the caller is not looked at.

use super::{Extras, Project, Simple};
use crate::call::{Call, Caller, Links};
use crate::empty;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::policy::{Action, level};
use crate::projects::list::Level;
use crate::projects::sql::ProjectRow;
use crate::projects::sql::v4_list::{BEHIND, BEHIND_ID, COMMITS, EVERYWHERE, OF_GROUP, OF_USER};
use crate::store::{Rows, Statement, fill, sql};
use crate::walk;
use serde::Serialize;

/// Parameters of a list.
#[derive(Debug, Parameters, Default)]
#[serde(default)]
struct Filter {
    membership: bool,
    owned: bool,
    min_access_level: Option<i64>,
    archived: Option<bool>,
    visibility: Option<Level>,
    search: Option<String>,
    search_namespaces: bool,
    with_issues_enabled: bool,
    id_after: Option<i64>,
    id_before: Option<i64>,
    updated_after: Option<String>,
    updated_before: Option<String>,
    last_activity_after: Option<String>,
    last_activity_before: Option<String>,
    simple: bool,
    statistics: bool,
    order_by: Option<Order>,
    sort: Option<Sort>,
    // there are neither stars nor topics, and nobody looks at the language
    starred: bool,
    topic: Option<String>,
    with_programming_language: Option<String>,
}

/// A project with a higher id was made later. Stars and similarity are no order here.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Order {
    Id,
    Name,
    Path,
    CreatedAt,
    UpdatedAt,
    LastActivityAt,
    StarCount,
    Similarity,
}

impl Order {
    /// The order's expression of the alias `x`.
    fn key(self) -> &'static str {
        match self {
            Order::Name => "lower(x.name)",
            Order::Path => "lower(x.path)",
            Order::UpdatedAt | Order::LastActivityAt => "x.updated_at",
            Order::Id | Order::CreatedAt | Order::StarCount | Order::Similarity => "x.id",
        }
    }

    /// Where a row stands; SQLite's `lower` knows no other letters either.
    fn of_row(self, row: &ProjectRow) -> Key {
        match self {
            Order::Name => Key::Text(row.project.name.to_ascii_lowercase()),
            Order::Path => Key::Text(row.project.path.to_ascii_lowercase()),
            Order::UpdatedAt | Order::LastActivityAt => Key::Int(row.project.updated_at),
            Order::Id | Order::CreatedAt | Order::StarCount | Order::Similarity => Key::Int(row.project.id),
        }
    }
}

/// A list as it was asked for.
struct Asked {
    filter: Filter,
    changed: [Option<i64>; 2],
    page: Page,
}

impl Asked {
    fn read(call: &Call<'_>) -> Result<Asked> {
        let filter: Filter = call.filters()?;
        if filter.min_access_level.is_some_and(|level| ![5, 10, 15, 20, 30, 40, 50].contains(&level)) {
            return Err(Error::framework("min_access_level does not have a valid value"));
        }
        let time = |name: &str, text: &Option<String>| walk::instant(name, text.as_deref());
        let changed = [
            time("updated_after", &filter.updated_after)?
                .max(time("last_activity_after", &filter.last_activity_after)?),
            time("updated_before", &filter.updated_before)?
                .into_iter()
                .chain(time("last_activity_before", &filter.last_activity_before)?)
                .min(),
        ];
        Ok(Asked { filter, changed, page: call.page_or_keyset()? })
    }

    fn order(&self) -> Order {
        self.filter.order_by.unwrap_or(Order::Id)
    }

    /// The least level that the caller must have as a member.
    fn least(&self) -> Option<i64> {
        let Filter { membership, owned, min_access_level, .. } = self.filter;
        let owned = owned.then_some(level!(Owner));
        owned.max(min_access_level).or(membership.then_some(level!(Guest)))
    }

    /// Whether no project fits.
    fn is_empty(&self) -> bool {
        let Filter { starred, topic, with_programming_language, .. } = &self.filter;
        *starred || topic.is_some() || with_programming_language.is_some()
    }

    /// What is filtered row by row.
    fn is_filtered(&self, text: &str) -> bool {
        let Filter { search, archived, visibility, with_issues_enabled, .. } = &self.filter;
        search.is_some()
            || archived.is_some()
            || visibility.is_some()
            || *with_issues_enabled
            || self.changed.iter().any(Option::is_some)
            || (text != EVERYWHERE && self.least().is_some())
            || (self.order().key() != "x.id" && (self.filter.id_after.or(self.filter.id_before)).is_some())
    }

    /// `user`: whose projects they are, id or name.
    fn query(&self, text: &'static str, user: Option<&str>) -> Statement {
        let Asked { filter, changed: [after, before], page } = self;
        let ascending = filter.sort == Some(Sort::Asc);
        let is_by_id = self.order().key() == "x.id";
        let (least, most) = (filter.id_after.unwrap_or(0), filter.id_before.unwrap_or(1 << 53));
        let (nearest, farthest) = if ascending { (least, most) } else { (most, least) };
        let end = if ascending { 0 } else { 1 << 53 };
        let beginning = match self.order() {
            Order::Name | Order::Path => Key::from(if ascending { "" } else { "\u{10ffff}" }),
            _ if is_by_id => Key::Int(nearest),
            _ => Key::Int(end),
        };
        let ([key, id], offset) = page.begin([beginning, Key::Int(end)]);
        let behind = if is_by_id { BEHIND_ID } else { BEHIND };
        let (past, until, sort) = if ascending { (">", "<", "asc") } else { ("<", ">", "desc") };
        let pieces = [
            ("behind", behind),
            ("key", self.order().key()),
            ("past", past),
            ("until", until),
            ("sort", sort),
            ("commits", if filter.statistics { COMMITS } else { "" }),
        ];
        let list = fill(text, &pieces);
        let mut statement = sql!(
            list,
            self.least(),
            key,
            if is_by_id { farthest.into() } else { id },
            walk::steps(page, offset, self.is_filtered(text)),
            page.size + 1,
            offset,
            filter.search.as_deref(),
            filter.search_namespaces,
            filter.archived,
            filter.visibility.map(|level| level as i64),
            filter.with_issues_enabled.then_some(1),
            *after,
            *before,
            filter.id_after,
            filter.id_before
        );
        if let Some(user) = user {
            let id = crate::call::path_id(user).ok();
            let name = id.is_none().then(|| user.to_lowercase());
            statement.binds.extend([id.into(), name.into()]);
        }
        statement
    }

    fn reply(&self, call: &Call<'_>, caller: Option<&Caller>, rows: Rows, links: &Links) -> Result<Reply> {
        if self.is_empty() {
            return empty::reply(call, &self.page);
        }
        let order = self.order();
        let key = |row: &ProjectRow| [order.of_row(row), row.project.id.into()];
        let projects = walk::read(&rows, &self.page, key)?;
        let extras = Extras { statistics: self.filter.statistics, license: false };
        let is_simple = self.filter.simple || caller.is_none();
        projects.reply(call, &self.page, |row| match is_simple {
            true => Shown::Simple(Box::new(Simple::new(row.project, row.namespace, links))),
            false => Shown::Whole(Box::new(Project::new(row, caller, extras, links))),
        })
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Shown {
    Simple(Box<Simple>),
    Whole(Box<Project>),
}

/// GET /projects
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let query = |asked: &Asked| asked.query(EVERYWHERE, None);
    let (asked, found) = call.browse_with(Asked::read(call), query).await?;
    asked.reply(call, found.caller.as_ref(), found.rows, &found.links)
}

/// GET /groups/:id/projects
pub async fn list_for_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |asked: &Asked| asked.query(OF_GROUP, None);
    let (asked, found) = call.visit_group_with(id, Action::ReadProject, Asked::read(call), query).await?;
    asked.reply(call, found.caller.as_ref(), found.rows, &found.links)
}

/// GET /users/:id/projects
///
/// The user is named by id or by username.
pub async fn list_for_user(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |asked: &Asked| asked.query(OF_USER, Some(id));
    let (asked, found) = call.browse_with(Asked::read(call), query).await?;
    if found.rows.is_empty() {
        return Err(Error::missing("User"));
    }
    asked.reply(call, found.caller.as_ref(), found.rows, &found.links)
}
