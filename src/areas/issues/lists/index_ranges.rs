use super::filter::{Assignee, Filter, Labels, Milestone, Scope, Span, State};
use super::pieces::{ListPlace, sql};
use crate::kernel::sql::Piece;
use serde_json::{Value, json};

/// The kind of index ranges that a list reads: the first of these that the filter allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Driver {
    Numbers,
    /// Whether the person is the caller.
    Assignee(bool),
    Author(bool),
    Milestone,
    Label,
    Project,
}

impl Driver {
    pub fn kind(self) -> &'static str {
        match self {
            Driver::Numbers => "number",
            Driver::Assignee(_) => "assignee",
            Driver::Author(_) => "author",
            Driver::Milestone => "milestone",
            Driver::Label => "label",
            Driver::Project => "project",
        }
    }

    /// The key of a range, its next issue in the order of creation, and its issues as a set. The key is not needed if
    /// it is the caller.
    pub fn pieces(self) -> [Piece; 3] {
        match self {
            Driver::Numbers => [sql::project_key, sql::project_step, sql::number_ids],
            Driver::Assignee(true) => [sql::project_key, sql::assignee_step, sql::assignee_ids],
            Driver::Assignee(false) => [sql::assignee_key, sql::assignee_step, sql::assignee_ids],
            Driver::Author(true) => [sql::project_key, sql::author_step, sql::author_ids],
            Driver::Author(false) => [sql::author_key, sql::author_step, sql::author_ids],
            Driver::Milestone => [sql::milestone_key, sql::milestone_step, sql::milestone_ids],
            Driver::Label => [sql::label_key, sql::label_step, sql::label_ids],
            Driver::Project => [sql::project_key, sql::project_step, sql::project_ids],
        }
    }
}

/// A merge reads its ranges row by row in order. Other statements read each range as a set.
#[derive(Clone, Copy, PartialEq)]
pub enum ReadOrder {
    InOrder,
    AsSets,
}

impl Filter {
    pub fn driver(&self, whose: ListPlace) -> Driver {
        match (self.scope, &self.assignee, &self.author, &self.milestone, &self.labels) {
            _ if self.iids.is_some() && whose == ListPlace::Project => Driver::Numbers,
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
        if self.by_update { self.updated } else { self.created }
    }

    /// Whether the driver's ranges hold exactly the issues of the list, apart from the caller's own.
    pub fn is_exact(&self, driver: Driver) -> bool {
        self.conditions().iter().all(|condition| condition.held_by == Some(driver))
    }

    /// Whether counters have the total.
    pub fn is_counted(&self, driver: Driver) -> bool {
        let known = matches!(driver, Driver::Project | Driver::Label | Driver::Milestone);
        known && self.is_exact(driver) && self.span() == Span::default()
    }

    /// 0 opened, 1 closed, 2 opened and confidential, 3 closed and confidential.
    pub fn sections(&self) -> Vec<i64> {
        let takes = |section: &i64| {
            self.state.is_none_or(|state| (section % 2 == 1) == (state == State::Closed))
                && self.confidential.is_none_or(|confidential| (*section > 1) == confidential)
        };
        if self.matches_nothing() { Vec::new() } else { (0..4).filter(takes).collect() }
    }

    /// A search without a letter or digit matches nothing.
    fn matches_nothing(&self) -> bool {
        self.nothing || self.is_contradictory() || self.search.as_ref().is_some_and(|search| search.words().is_empty())
    }

    /// The ranges of each project, as JSON for the piece `ranges`. `reads`: 1 for a range only in projects where the
    /// caller sees all confidential issues, 0 only in the others, null in all.
    pub fn kinds(&self, driver: Driver, read: ReadOrder) -> String {
        let mut kinds: Vec<Value> = Vec::new();
        let mut add = |kind: &str, section: i64, reads: Option<i64>, by_user: bool| {
            let by_user = i64::from(by_user);
            kinds.push(json!({ "kind": kind, "section": section, "reads": reads, "by_user": by_user }));
        };
        let is_caller = matches!(driver, Driver::Author(true) | Driver::Assignee(true));
        for section in self.sections() {
            let is_open = section < 2 || (is_caller && read == ReadOrder::InOrder);
            add(driver.kind(), section, (!is_open).then_some(1), is_caller);
            let own: &[&str] = match read {
                _ if is_open => &[],
                ReadOrder::InOrder => &["author", "assigned"],
                ReadOrder::AsSets => &["own"],
            };
            own.iter().for_each(|kind| add(kind, section, Some(0), true));
        }
        json!(kinds).to_string()
    }

    fn is_contradictory(&self) -> bool {
        use Milestone::{Any, None, Started, Upcoming};
        let (Some(wanted), Some(not)) = (&self.milestone, &self.not.milestone) else { return false };
        let same = std::mem::discriminant(wanted) == std::mem::discriminant(not);
        (same && matches!(wanted, Any | None | Upcoming(_) | Started(_))) || (*wanted != None && *not == Any)
    }
}
