//! The plan of a list: which index ranges it reads, in which projects, where it begins, and how many issues it looks at.

use super::filter::{Assignee, Driver, Filter, Labels, Milestone, Scope, Span, State, sql};
use super::search::Search;
use crate::kernel::paging::Key;
use crate::kernel::sql::Piece;
use crate::kernel::store::Scope as Begins;
use crate::kernel::{Call, Page};

/// The projects of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ListPlace {
    Project,
    Group,
    /// Those with issues that the caller wrote or is assigned to.
    Caller,
    Anywhere,
}

impl ListPlace {
    pub fn of(call: &Call<'_>) -> ListPlace {
        match call.gate.borrow().place {
            place if place.is_project() => ListPlace::Project,
            place if place.is_group() => ListPlace::Group,
            _ => ListPlace::Caller,
        }
    }

    pub fn pieces(self) -> (Begins, Piece) {
        match self {
            ListPlace::Project => (Begins::Project, sql::in_project),
            ListPlace::Group => (Begins::Group, sql::in_group),
            ListPlace::Caller => (Begins::Caller, sql::of_caller),
            ListPlace::Anywhere => (Begins::Caller, sql::anywhere),
        }
    }
}

/// A merge reads its ranges row by row in order. Other statements read each range as a set.
#[derive(Clone, Copy, PartialEq)]
pub enum ReadOrder {
    InOrder,
    AsSets,
}

impl Driver {
    /// The key of a range, which is not needed if it is the caller, and what is in the range.
    pub fn pieces(self, read: ReadOrder) -> [Piece; 2] {
        match self {
            Driver::Numbers => [sql::project_key, sql::of_numbers],
            Driver::Words => [sql::project_key, sql::of_project],
            Driver::Assignee(true) => [sql::project_key, sql::of_assignee],
            Driver::Assignee(false) => [sql::assignee_key, sql::of_assignee],
            Driver::Author(true) => [sql::project_key, sql::of_author],
            Driver::Author(false) => [sql::author_key, sql::of_author],
            Driver::Milestone => [sql::milestone_key, sql::of_milestone],
            Driver::Label => [sql::label_key, sql::of_label],
            Driver::Project if read == ReadOrder::AsSets => [sql::project_key, sql::of_project_in_time],
            Driver::Project => [sql::project_key, sql::of_project],
        }
    }

    /// The ids of a range that is read as a set.
    pub fn members(self) -> Piece {
        if self == Driver::Words { sql::ids_by_words } else { sql::ids }
    }
}

/// The most titles of labels of which a list of many projects finds the rarest in each project.
pub const MOST_TITLES: usize = 2;
pub const MOST_PROJECTS: i64 = 1000;
/// Issues that a page with a number reads, or a total without a counter, with one filter.
pub const MOST_COUNTED: i64 = 10_000;
/// The same for a list of many projects.
const MOST_COUNTED_WIDELY: i64 = 4000;
/// The same for a total in v4, of a list of many projects with filters that have no index.
pub const FEW_COUNTED: i64 = 1000;
/// The same where the texts of issues are read for a search, and for a page of such a search beyond its size.
const MOST_SEARCHED: i64 = 300;
/// The most issues of a list by a field.
const MOST_BY_FIELD: i64 = 1000;

/// Limits that tests lower, so that a small world reaches them.
#[derive(Debug, Clone, Copy)]
pub struct Looks {
    /// Issues that a page with a cursor reads beyond its size. Five times as many in a list by update whose narrow ranges
    /// have too many issues to sort.
    pub beyond: i64,
    pub most_sorted: i64,
}

const LOOKS: Looks = Looks { beyond: 1000, most_sorted: 5000 };

#[derive(Debug, Clone)]
pub struct List {
    pub filter: Filter,
    pub page: Page,
    pub whose: ListPlace,
    pub looks: Looks,
}

impl List {
    pub fn new(filter: Filter, page: Page, whose: ListPlace) -> List {
        let list = List { filter, page, whose, looks: LOOKS };
        if list.is_plain() {
            return list;
        }
        let reach = list.most_looked();
        List { page: list.page.reaching(reach), ..list }
    }

    pub fn driver(&self) -> Driver {
        if self.filter.search.is_some() && !self.is_of_numbers() { Driver::Words } else { self.merged_driver() }
    }

    fn is_of_numbers(&self) -> bool {
        self.filter.iids.is_some() && self.whose == ListPlace::Project
    }

    /// The driver of a page that reads its ranges row by row. The index of words has no order of a list.
    pub fn merged_driver(&self) -> Driver {
        let filter = &self.filter;
        match (filter.scope, &filter.assignee, &filter.author, &filter.milestone, &filter.labels) {
            _ if self.is_of_numbers() => Driver::Numbers,
            (Scope::AssignedToMe, ..) => Driver::Assignee(true),
            (Scope::CreatedByMe, ..) => Driver::Author(true),
            (_, Some(Assignee::Is(_)), ..) => Driver::Assignee(false),
            (_, _, Some(_), ..) => Driver::Author(false),
            (.., Some(Milestone::Titled(_) | Milestone::Own(_)), _) => Driver::Milestone,
            (.., Some(Labels::AllOf(_))) => Driver::Label,
            (.., Some(Labels::AnyOf(titles))) if titles.len() == 1 => Driver::Label,
            _ => Driver::Project,
        }
    }

    pub fn span(&self) -> Span {
        if self.filter.by_update { self.filter.updated } else { self.filter.created }
    }

    /// Whether the driver's ranges hold exactly the issues of the list, apart from the caller's own.
    pub fn is_exact(&self, driver: Driver) -> bool {
        self.filter.search.is_none()
            && self.filter.conditions().iter().all(|condition| condition.held_by == Some(driver))
    }

    /// Whether counters have the total.
    pub fn is_counted(&self, driver: Driver) -> bool {
        let known = matches!(driver, Driver::Project | Driver::Label | Driver::Milestone);
        known && self.is_exact(driver) && self.span() == Span::default()
    }

    /// Whether the list has all issues of some sections of a project.
    pub fn is_plain(&self) -> bool {
        let driver = self.driver();
        self.whose == ListPlace::Project && driver == Driver::Project && self.is_exact(driver)
    }

    /// The drivers whose ranges a page sorts whole, unless they have too many issues: one after the other, until one has
    /// few enough. A page that none is left for merges its ranges.
    pub fn sorted_drivers(&self) -> Vec<Driver> {
        if self.filter.by_field.is_some() {
            return Vec::new();
        }
        let words = Some(self.driver()).filter(|driver| *driver == Driver::Words);
        let merged = self.merged_driver();
        let is_narrow = merged == Driver::Numbers || (self.filter.by_update && merged != Driver::Project);
        words.into_iter().chain(is_narrow.then_some(merged)).collect()
    }

    /// The most issues that a page sorts.
    pub fn most_sorted(&self, driver: Driver) -> i64 {
        let most = self.looks.most_sorted;
        match driver {
            Driver::Words => self.most_looked().min(2 * most),
            _ if self.filter.search.is_some() => self.most_merged().min(most),
            _ => most,
        }
    }

    /// How many times as much as one filter the check of an issue costs. One filter costs up to 12 rows for a page and as
    /// many for its total: a page far behind, of issues by a person with a label, reads 240,000 rows.
    fn weight(&self, reads_texts: bool) -> i64 {
        let filter = &self.filter;
        let words = filter.search.as_ref().filter(|_| reads_texts).map_or(0, |search| search.words.len());
        let labels = match &filter.labels {
            Some(Labels::AllOf(titles) | Labels::AnyOf(titles)) => titles.len(),
            // these read a label and its title
            Some(Labels::None | Labels::Any) => 2,
            None => 0,
        };
        let milestones = [&filter.milestone, &filter.not.milestone].into_iter().flatten().count();
        let reactions = usize::from(filter.reaction.is_some());
        // one of these costs as much as any other filter
        let further = (labels + filter.not.labels.len() + milestones + reactions).saturating_sub(1);
        (words.max(1) + further) as i64
    }

    /// Issues that a total without a counter reads, and a page with a number.
    pub fn most_looked(&self) -> i64 {
        let search = self.filter.search.as_ref();
        let reads_texts = search.is_some_and(|search| self.is_of_numbers() || !search.asked().is_exact);
        self.most_checked(reads_texts)
    }

    /// The same for a page that merges its ranges.
    pub fn most_merged(&self) -> i64 {
        self.most_checked(self.filter.search.is_some())
    }

    fn most_checked(&self, reads_texts: bool) -> i64 {
        let filter = &self.filter;
        let most = match self.whose {
            _ if reads_texts => MOST_SEARCHED,
            ListPlace::Project => MOST_COUNTED,
            ListPlace::Group | ListPlace::Caller | ListPlace::Anywhere => MOST_COUNTED_WIDELY,
        };
        // a list by update may read issues twice: if there are too many to sort, it reads all of them in order
        let times = if filter.by_update && (filter.labels.is_some() || filter.milestone.is_some()) { 2 } else { 1 };
        most / (self.weight(reads_texts) * times)
    }

    /// Issues that a list by a field reads: of many projects fewer if each is checked against many filters.
    pub fn most_by_field(&self) -> i64 {
        if self.whose == ListPlace::Project { MOST_BY_FIELD } else { MOST_BY_FIELD / self.weight(false) }
    }

    /// Issues that a page reads which merges its ranges.
    pub fn looked(&self, is_again: bool) -> i64 {
        let reads_texts = self.filter.search.is_some();
        let most = if is_again { 5 * self.looks.beyond } else { self.looks.beyond };
        let most = if reads_texts { most.min(MOST_SEARCHED) } else { most };
        let beyond = most / self.weight(reads_texts);
        // the same for all pages by their numbers, so that these have all matches among so many issues
        let has_cursor = self.page.follows() && !self.filter.full;
        self.page.size + 1 + if has_cursor { beyond } else { self.most_merged().max(beyond) }
    }

    /// The number of issues before this page of a list by a field. The cursor holds that number.
    pub fn passed(&self) -> i64 {
        let (keys, skipped) = self.page.starts(vec![Key::Int(0)]);
        let passed = keys.iter().find_map(|key| if let Key::Int(number) = key { Some(*number) } else { None });
        passed.unwrap_or_default().max(0).saturating_add(skipped)
    }

    pub fn goes_up(&self) -> bool {
        self.filter.ascending && self.filter.by_field.is_none()
    }
}

impl Filter {
    /// 0 opened, 1 closed, 2 opened and confidential, 3 closed and confidential.
    pub fn sections(&self) -> Vec<i64> {
        let takes = |section: &i64| {
            let is_closed = section % 2 == 1;
            let in_state = match self.state {
                Some(State::Opened) => !is_closed,
                Some(State::Closed) => is_closed,
                Some(State::All) | None => true,
            };
            in_state && self.confidential.is_none_or(|confidential| (*section > 1) == confidential)
        };
        if self.matches_nothing() { Vec::new() } else { (0..4).filter(takes).collect() }
    }

    fn matches_nothing(&self) -> bool {
        self.nothing || self.is_contradictory() || self.search.as_ref().is_some_and(Search::finds_nothing)
    }

    fn is_contradictory(&self) -> bool {
        use Milestone::{Any, None, Started, Upcoming};
        let (Some(wanted), Some(not)) = (&self.milestone, &self.not.milestone) else { return false };
        let same = std::mem::discriminant(wanted) == std::mem::discriminant(not);
        (same && matches!(wanted, Any | None | Upcoming(_) | Started(_))) || (*wanted != None && *not == Any)
    }
}
