use super::{Extras, Project, SimpleProject};
use crate::areas::projects::ProjectRow;
use crate::areas::projects::lists::{Filter, Order, Place, SearchedTexts};
use crate::areas::projects::sql;
use crate::kernel::call::{Caller, place_named};
use crate::kernel::empty_answers;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::params::Sent;
use crate::kernel::policy::{Access, Visibility};
use crate::kernel::{Call, Entry, Error, Page, Parameters, PreparedQuery, Reply, Result, instant};

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct List {
    membership: bool,
    owned: bool,
    min_access_level: Option<i64>,
    archived: Option<bool>,
    visibility: Option<Visibility>,
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
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
    // projects have no stars, topics or languages, so these filters match nothing
    starred: bool,
    topic: Option<String>,
    with_programming_language: Option<String>,
    topic_id: Option<i64>,
    // no project is imported or waits for its deletion, so these match nothing, too
    imported: bool,
    marked_for_deletion_on: Option<String>,
    repository_checksum_failed: bool,
    wiki_checksum_failed: bool,
    custom_attributes: Sent,
    repository_storage: Option<String>,
    /// The opposite of `archived`.
    active: Option<bool>,
}

impl List {
    fn matches_nothing(&self) -> bool {
        self.starred
            || self.imported
            || self.repository_checksum_failed
            || self.wiki_checksum_failed
            || self.custom_attributes.0
            || is_elsewhere(self.repository_storage.as_deref())
            || self.topic.is_some()
            || self.topic_id.is_some()
            || self.with_programming_language.is_some()
            || self.marked_for_deletion_on.is_some()
            || self.active.is_some() && self.active == self.archived
    }
}

/// Whether it is the name of a storage that this server does not have.
pub fn is_elsewhere(repository_storage: Option<&str>) -> bool {
    repository_storage.is_some_and(|name| name != "default")
}

/// The last two are accepted and sort by id.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum OrderBy {
    Id,
    Name,
    Path,
    CreatedAt,
    UpdatedAt,
    LastActivityAt,
    StarCount,
    Similarity,
}

impl From<OrderBy> for Order {
    fn from(order: OrderBy) -> Order {
        match order {
            OrderBy::Name => Order::Name,
            OrderBy::Path => Order::Path,
            OrderBy::UpdatedAt | OrderBy::LastActivityAt => Order::Update,
            OrderBy::Id | OrderBy::CreatedAt | OrderBy::StarCount | OrderBy::Similarity => Order::Id,
        }
    }
}

pub fn check_level(level: Option<i64>) -> Result<()> {
    match level {
        Some(level) if ![5, 10, 15, 20, 30, 40, 50].contains(&level) => {
            Err(Error::none_of("min_access_level", &["5", "10", "15", "20", "30", "40", "50"]))
        }
        _ => Ok(()),
    }
}

struct ListRequest {
    list: List,
    filter: Filter,
    page: Page,
}

impl ListRequest {
    fn read(call: &Call<'_>) -> Result<ListRequest> {
        let list: List = call.filters()?;
        check_level(list.min_access_level)?;
        let time = |name: &str, text: &Option<String>| instant(name, text.as_deref());
        let updated = [
            time("updated_after", &list.updated_after)?.max(time("last_activity_after", &list.last_activity_after)?),
            time("updated_before", &list.updated_before)?
                .into_iter()
                .chain(time("last_activity_before", &list.last_activity_before)?)
                .min(),
        ];
        let ids = [list.id_after.map(|id| id.saturating_add(1)), list.id_before.map(|id| id.saturating_sub(1))];
        let owned = list.owned.then_some(Access::Owner.level());
        let member = list.membership.then_some(Access::Guest.level());
        let searched = if list.search_namespaces { SearchedTexts::WholePaths } else { SearchedTexts::Paths };
        let filter = Filter {
            order: list.order_by.map_or(Order::Id, Order::from),
            ascending: list.sort == Some(Sort::Asc),
            least: owned.max(list.min_access_level).or(member),
            search: list.search.clone(),
            searched,
            archived: list.archived.or(list.active.map(|active| !active)),
            visibility: list.visibility,
            with_issues: list.with_issues_enabled,
            updated,
            ids,
            all: true,
        };
        Ok(ListRequest { list, filter, page: call.page_or_keyset()? })
    }

    fn query(&self, place: Place) -> PreparedQuery<Listed<ProjectRow>> {
        self.filter.query(place, self.page.clone())
    }

    fn reply(&self, call: &Call<'_>, entry: &Entry, projects: Listed<ProjectRow>) -> Result<Reply> {
        let ListRequest { list, page, .. } = self;
        if list.matches_nothing() {
            return empty_answers::reply(call, page);
        }
        let (caller, links) = (entry.caller.as_ref(), &entry.links);
        if list.simple || caller.is_none() {
            return projects.reply(call, |row| SimpleProject::of(row, caller, links));
        }
        let extras = Extras { statistics: list.statistics, license: false };
        projects.reply(call, |row| Project::new(row, caller, extras, links))
    }
}

impl Place {
    fn of(call: &Call<'_>) -> Place {
        match call.gate.borrow().place.is_group() {
            true => Place::Namespace(place_named(&call.named())),
            false => Place::Everywhere,
        }
    }
}

/// By a part of a name, path or description.
pub async fn search(call: &Call<'_>) -> Result<Reply> {
    #[derive(Parameters)]
    struct Text {
        search: String,
    }
    let input = call.filters::<Text>().and_then(|Text { search }| {
        let filter = Filter { search: Some(search), all: true, ..Filter::default() };
        Ok((filter, call.page()?))
    });
    let query = |(filter, page): &(Filter, Page)| filter.query(Place::of(call), page.clone());
    let (_, entry, projects) = call.authorize_with(input, query).await?;
    projects.reply(call, |row| SimpleProject::of(row, entry.caller.as_ref(), &entry.links))
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let query = |request: &ListRequest| (request.query(Place::Everywhere), request.filter.of_token());
    let (request, entry, (mut listed, own)) = call.authorize_with(ListRequest::read(call), query).await?;
    if entry.caller.as_ref().is_some_and(Caller::is_of_a_project) {
        // its user is a member of that project alone
        listed = Listed::whole(own.into_iter().collect(), request.page.clone());
    }
    request.reply(call, &entry, listed)
}

pub async fn list_in_group(call: &Call<'_>) -> Result<Reply> {
    let query = |request: &ListRequest| request.query(Place::of(call));
    let (request, entry, listed) = call.authorize_with(ListRequest::read(call), query).await?;
    request.reply(call, &entry, listed)
}

pub async fn list_for_user(call: &Call<'_>, id_or_username: &str) -> Result<Reply> {
    let user = place_named(id_or_username);
    let query = |request: &ListRequest| (request.query(Place::Namespace(user.clone())), sql::is_user { user });
    let (request, entry, (listed, users)) = call.authorize_with(ListRequest::read(call), query).await?;
    if users.is_empty() {
        return Err(Error::missing("User"));
    }
    request.reply(call, &entry, listed)
}
