use super::filter::{Assignee, Exclusions, Filter, Labels, Milestone, Scope, Span, State};
use super::statements::ListPlace;
use serde_json::{Value, json};

/// The index ranges that a list reads: the first kind of these that the filter allows.
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

    /// Whether the driver's ranges hold exactly the issues of the list.
    pub fn is_exact(&self, driver: Driver) -> bool {
        let bears_one =
            matches!(&self.labels, Some(Labels::AllOf(titles) | Labels::AnyOf(titles)) if titles.len() == 1);
        let other_span = if self.by_update { self.created } else { self.updated };
        driver != Driver::Numbers
            && (self.labels.is_none() || (driver == Driver::Label && bears_one))
            && (self.milestone.is_none() || driver == Driver::Milestone)
            && (self.author.is_none() || driver == Driver::Author(false))
            && (self.assignee.is_none() || driver == Driver::Assignee(false))
            && (self.span() == Span::default() || driver == Driver::Project)
            && other_span == Span::default()
            && self.iids.is_none()
            && self.closed_by.is_none()
            && self.due.is_none()
            && self.reaction.is_none()
            && self.search.is_none()
            && self.not == Exclusions::default()
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
        self.nothing
            || self.is_contradictory()
            || self.search.as_ref().is_some_and(|search| search.words().is_empty())
    }

    /// The ranges of each project, JSON `[kind, section, reads, whether it is the caller's own]`. A range with `reads` 1
    /// exists where the caller sees all confidential issues, with 0 where not, with null everywhere.
    pub fn kinds(&self, driver: Driver, kind: &str, read: ReadOrder) -> String {
        let mut kinds: Vec<Value> = Vec::new();
        let is_caller =
            matches!(driver, Driver::Author(true) | Driver::Assignee(true)) && kind == driver.kind();
        for section in self.sections() {
            let is_open = section < 2 || (is_caller && read == ReadOrder::InOrder);
            kinds.push(json!([kind, section, (!is_open).then_some(1), i64::from(is_caller)]));
            let own: &[&str] = match read {
                _ if is_open => &[],
                ReadOrder::InOrder => &["author", "assigned"],
                ReadOrder::AsSets => &["own"],
            };
            kinds.extend(own.iter().map(|kind| json!([kind, section, 0, 1])));
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
