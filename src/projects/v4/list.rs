//! Lists of projects in v4: everywhere, of a group and of a user.

use super::{Extras, Project, Simple};
use crate::call::{Call, Caller, Links};
use crate::empty;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Page, Sort};
use crate::params::Parameters;
use crate::policy::{Action, level};
use crate::projects::list::Level;
use crate::projects::listing::{self, Question, Searched, Whose};
use crate::projects::sql::ProjectRow;
use crate::store::{Rows, Statement};
use crate::walk;
use serde::Serialize;

/// Parameters of a list.
#[derive(Debug, Parameters, Default)]
#[param(default)]
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
#[param(rename_all = "snake_case")]
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

impl From<Order> for listing::Order {
    fn from(order: Order) -> listing::Order {
        match order {
            Order::Name => listing::Order::Name,
            Order::Path => listing::Order::Path,
            Order::UpdatedAt | Order::LastActivityAt => listing::Order::Update,
            Order::Id | Order::CreatedAt | Order::StarCount | Order::Similarity => listing::Order::Id,
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

    fn order(&self) -> listing::Order {
        self.filter.order_by.map_or(listing::Order::Id, listing::Order::from)
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

    fn query(&self, whose: Whose<'_>) -> Statement {
        let Asked { filter, changed, page } = self;
        let question = Question {
            order: self.order(),
            ascending: filter.sort == Some(Sort::Asc),
            least: self.least(),
            search: filter.search.as_deref(),
            searched: if filter.search_namespaces { Searched::WholePaths } else { Searched::Names },
            archived: filter.archived,
            visibility: filter.visibility.map(|level| level as i64),
            with_issues: filter.with_issues_enabled,
            changed: *changed,
            ids: [filter.id_after, filter.id_before],
            all: true,
            commits: filter.statistics,
            total: false,
        };
        question.statement(whose, page)
    }

    fn reply(&self, call: &Call<'_>, caller: Option<&Caller>, rows: Rows, links: &Links) -> Result<Reply> {
        if self.is_empty() {
            return empty::reply(call, &self.page);
        }
        let order = self.order();
        let projects = walk::read(&rows, &self.page, |row: &ProjectRow| order.of_row(row))?;
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
    let query = |asked: &Asked| asked.query(Whose::Everywhere);
    let (asked, found) = call.browse_with(Asked::read(call), query).await?;
    asked.reply(call, found.caller.as_ref(), found.rows, &found.links)
}

/// GET /groups/:id/projects
pub async fn list_for_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |asked: &Asked| asked.query(Whose::Group);
    let (asked, found) = call.visit_group_with(id, Action::ReadProject, Asked::read(call), query).await?;
    asked.reply(call, found.caller.as_ref(), found.rows, &found.links)
}

/// GET /users/:id/projects
///
/// The user is named by id or by username.
pub async fn list_for_user(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |asked: &Asked| asked.query(Whose::User(id));
    let (asked, found) = call.browse_with(Asked::read(call), query).await?;
    if found.rows.is_empty() {
        return Err(Error::missing("User"));
    }
    asked.reply(call, found.caller.as_ref(), found.rows, &found.links)
}
