use super::{ProjectRow, sql};
use crate::kernel::lists::{ListTotal, Listed};
use crate::kernel::paging::EVER;
use crate::kernel::policy::Visibility;
use crate::kernel::store::Value;
use crate::kernel::text::fold::patterns;
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
    pub fn of_token(&self) -> PreparedQuery<Option<ProjectRow>> {
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

    pub fn query(&self, place: Place, page: Page) -> PreparedQuery<Listed<ProjectRow>> {
        let ([updated_from, updated_to], [first_id, last_id]) = (range(self.updated), range(self.ids));
        let narrowed = self.is_filtered(&place).then_some(true);
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
                search,
                searched,
                archived,
                with_issues,
                updated_from,
                updated_to,
                first_id,
                last_id,
                narrowed,
                page,
            }
            .prepare(),
            Place::Namespace(namespace) => ordered::in_namespace {
                order,
                ascending,
                namespace,
                least,
                visibility,
                search,
                searched,
                archived,
                with_issues,
                updated_from,
                updated_to,
                first_id,
                last_id,
                narrowed,
                page,
            }
            .prepare(),
        }
    }

    pub fn total(&self, own: bool) -> PreparedQuery<Option<ListTotal>> {
        let (search, archived) = (self.search(), self.archived);
        let visibility = self.visibility.map(Visibility::level);
        if search.is_none() && archived.is_none() && visibility.is_none() {
            sql::count { own }.prepare()
        } else {
            sql::count_matching { own, search, archived, visibility }.prepare()
        }
    }
}
