use super::{ProjectRow, sql};
use crate::kernel::fold::patterns;
use crate::kernel::paging::{EVER, Key};
use crate::kernel::policy::Visibility;
use crate::kernel::store::Value;
use crate::kernel::walk::{self, ListAnswer, WalkPage, WalkRow, WalkTotal};
use crate::kernel::{Page, PreparedQuery, Query};

edgeforge_row::statements!(mod ordered: "src/areas/projects/lists.sql");

#[derive(Clone)]
pub enum Place {
    /// All projects that the caller sees. With [`Filter::least`], those that the caller is a member of.
    Everywhere,
    /// An id or a path. Null for the caller's own namespace.
    Namespace(Value),
}

/// `Id` is also the order of creation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Order {
    #[default]
    Id,
    Name,
    Path,
    Update,
}

impl Order {
    /// Changes only ASCII letters to lower case, like SQLite's `lower`.
    fn keys(self, row: &ProjectRow) -> [Key; 2] {
        let key = match self {
            Order::Id => Key::Int(row.project.id),
            Order::Name => Key::Text(row.project.name.to_ascii_lowercase()),
            Order::Path => Key::Text(row.project.path.to_ascii_lowercase()),
            Order::Update => Key::Int(row.project.updated_at),
        };
        [key, Key::Int(row.project.id)]
    }
}

/// The column `kind` of `project_texts`. Every kind also contains name, path and description.
#[derive(Debug, Clone, Copy, Default)]
pub enum SearchedTexts {
    WholePaths = 1,
    #[default]
    Paths = 2,
}

#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub order: Order,
    pub ascending: bool,
    /// The lowest level of the caller as a member.
    pub least: Option<i64>,
    pub search: Option<String>,
    pub searched: SearchedTexts,
    pub archived: Option<bool>,
    pub visibility: Option<Visibility>,
    pub with_issues: bool,
    /// First and last time in milliseconds, inclusive like `ids`.
    pub updated: [Option<i64>; 2],
    pub ids: [Option<i64>; 2],
    /// Lists every project if the caller is an administrator.
    pub all: bool,
}

fn range([first, last]: [Option<i64>; 2]) -> [i64; 2] {
    [first.unwrap_or(-EVER), last.unwrap_or(EVER)]
}

impl Filter {
    fn search(&self) -> Option<String> {
        self.search.as_deref().map(patterns)
    }

    fn is_filtered(&self, place: &Place) -> bool {
        self.search.is_some()
            || self.archived.is_some()
            || self.with_issues
            || (self.order != Order::Update && self.updated.iter().any(Option::is_some))
            || (self.order != Order::Id && self.ids.iter().any(Option::is_some))
            || (matches!(place, Place::Namespace(_)) && self.least.is_some())
    }

    /// The project of a caller with a token of a project, if it is in the list.
    pub fn of_token(&self) -> PreparedQuery<Vec<WalkRow<ProjectRow>>> {
        let ([updated_from, updated_to], [first_id, last_id]) = (range(self.updated), range(self.ids));
        let Filter { least, archived, with_issues, .. } = *self;
        let (search, searched) = (self.search(), self.searched as i64);
        let visibility = self.visibility.map(Visibility::level);
        sql::of_token {
            least,
            visibility,
            archived,
            with_issues,
            updated_from,
            updated_to,
            first_id,
            last_id,
            searched,
            search,
        }
        .prepare()
    }

    pub fn page(&self, place: Place, page: &Page) -> PreparedQuery<Vec<WalkRow<ProjectRow>>> {
        let ([updated_from, updated_to], [first_id, last_id]) = (range(self.updated), range(self.ids));
        let [low, high] = match self.order {
            Order::Id => [Key::Int(first_id), Key::Int(last_id)],
            Order::Update => [Key::Int(updated_from), Key::Int(updated_to)],
            Order::Name | Order::Path => ["".into(), "\u{10ffff}".into()],
        };
        let ([low, high, at, id], skip) = page.range(self.ascending, low, high);
        let (looks, most) = (walk::steps(page, skip, self.is_filtered(&place)), page.size + 1);
        let Filter { order, ascending, least, archived, with_issues, all, .. } = *self;
        let (search, searched) = (self.search(), self.searched as i64);
        let visibility = self.visibility.map(Visibility::level);
        match place {
            Place::Everywhere => ordered::everywhere {
                order,
                ascending,
                least,
                all,
                visibility,
                low,
                high,
                at,
                id,
                looks,
                search,
                searched,
                archived,
                with_issues,
                updated_from,
                updated_to,
                first_id,
                last_id,
                most,
                skip,
            }
            .prepare(),
            Place::Namespace(namespace) => ordered::in_namespace {
                order,
                ascending,
                namespace,
                least,
                visibility,
                low,
                high,
                at,
                id,
                looks,
                search,
                searched,
                archived,
                with_issues,
                updated_from,
                updated_to,
                first_id,
                last_id,
                most,
                skip,
            }
            .prepare(),
        }
    }

    /// The page and, if the answer has one, the total.
    pub fn counted(&self, place: Place, page: &Page) -> PreparedQuery<ListAnswer<ProjectRow>> {
        let by_id = Filter { order: Order::Id, ascending: false, ..self.clone() };
        let total = page.is_numbered().then(|| walk::count(by_id.page(place.clone(), &Page::to_count())));
        (self.page(place, page), total).prepare()
    }

    pub fn total(&self, own: bool) -> PreparedQuery<Option<WalkTotal>> {
        let (search, archived) = (self.search(), self.archived);
        let visibility = self.visibility.map(Visibility::level);
        if search.is_none() && archived.is_none() && visibility.is_none() {
            sql::count { own }.prepare()
        } else {
            sql::count_matching { own, search, archived, visibility }.prepare()
        }
    }

    pub fn read(&self, rows: Vec<WalkRow<ProjectRow>>, page: &Page) -> WalkPage<ProjectRow> {
        walk::page(rows, page, |row| self.order.keys(row))
    }
}
