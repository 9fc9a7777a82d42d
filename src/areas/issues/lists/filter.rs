//! What a list is filtered by, and the conditions for its issues. A filter is a field of [`Filter`], one row of
//! [`Filter::conditions`] and one piece of `lists.sql`.

use super::search::Search;
use crate::areas::words::patterns;
use crate::kernel::Parameters;
use crate::kernel::paging::EVER;
use crate::kernel::sql::Piece;
use crate::kernel::store::Value;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;

edgeforge_row::statements!(pub(super) mod sql: "src/areas/issues/lists/lists.sql");

/// The filter and order of a list. The default lists every issue that the caller sees, newest first.
#[derive(Debug, Default, Clone)]
pub struct Filter {
    pub state: Option<State>,
    pub scope: Scope,
    pub labels: Option<Labels>,
    pub milestone: Option<Milestone>,
    pub author: Option<Person>,
    pub assignee: Option<Assignee>,
    pub closed_by: Option<i64>,
    pub confidential: Option<bool>,
    pub iids: Option<BTreeSet<i64>>,
    pub created: Span,
    pub updated: Span,
    pub due: Option<DueFilter>,
    pub reaction: Option<Reaction>,
    pub search: Option<Search>,
    /// Leaves out issues of archived projects. Only for lists of several projects.
    pub active: bool,
    /// The list is empty, because no issue can match the request.
    pub nothing: bool,
    pub not: Exclusions,
    pub by_update: bool,
    /// Orders the newest 1,000 issues by a field, those without it last. `search` and `iids` are unset.
    pub by_field: Option<Field>,
    pub ascending: bool,
    /// Whether every page and total may read up to 10,000 issues, whatever the filters are. Only v3 sets it.
    pub full: bool,
}

#[derive(Debug, Default, Clone, PartialEq)]
pub struct Exclusions {
    pub labels: BTreeSet<String>,
    pub milestone: Option<Milestone>,
    pub author: Option<Person>,
    pub assignee: Option<Person>,
    pub iids: BTreeSet<i64>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum State {
    Opened,
    Closed,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Scope {
    #[default]
    All,
    CreatedByMe,
    AssignedToMe,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Labels {
    None,
    Any,
    AnyOf(BTreeSet<String>),
    AllOf(BTreeSet<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Milestone {
    None,
    Any,
    Titled(String),
    /// The next open milestone of the project that is due after this day, YYYY-MM-DD.
    Upcoming(String),
    /// An open milestone that started by this day, or that has no start date and is due on this day or later.
    Started(String),
    /// The id in the path of a milestone's list.
    Own(i64),
}

/// The id of a user, or the name in lower case.
pub type Person = Value;

#[derive(Debug, Clone, PartialEq)]
pub enum Assignee {
    None,
    Any,
    Is(Person),
}

/// The caller's emoji on the issue.
#[derive(Debug, Clone, PartialEq)]
pub enum Reaction {
    None,
    Any,
    Named(String),
}

/// Milliseconds since 1970, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Span {
    pub from: Option<i64>,
    pub to: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field {
    Due,
    MilestoneDue,
    Title,
}

#[derive(Debug, Clone, PartialEq)]
pub enum DueFilter {
    None,
    Any,
    /// YYYY-MM-DD, inclusive. The request `overdue` also sets the state to opened.
    Between(String, String),
}

/// The kind of index ranges that a list reads: the first of these that the filter allows (plan.rs).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Driver {
    Numbers,
    /// The issues with the words of the search.
    Words,
    /// Whether the person is the caller.
    Assignee(bool),
    Author(bool),
    Milestone,
    Label,
    Project,
}

pub struct Condition {
    pub piece: Piece,
    pub binds: Vec<(&'static str, Value)>,
    /// The kind of index ranges that have only issues for which the condition is true.
    pub held_by: Option<Driver>,
}

fn when<const N: usize>(piece: Piece, binds: [(&'static str, Value); N]) -> Condition {
    Condition { piece, binds: binds.into(), held_by: None }
}

impl Condition {
    fn held_by(self, driver: impl Into<Option<Driver>>) -> Condition {
        Condition { held_by: driver.into(), ..self }
    }
}

impl Span {
    /// Both ends, in numbers that D1 binds exactly.
    pub fn ends(self) -> [i64; 2] {
        [self.from.unwrap_or(-EVER), self.to.unwrap_or(EVER)].map(|end| end.clamp(-EVER, EVER))
    }

    fn within(self, piece: Piece, [from, to]: [&'static str; 2]) -> Option<Condition> {
        let [first, last] = self.ends();
        (self != Span::default()).then(|| when(piece, [(from, first.into()), (to, last.into())]))
    }
}

impl Filter {
    /// The conditions in the order in which an issue is checked: the costly ones come last, and then that of the search.
    pub fn conditions(&self) -> Vec<Condition> {
        let (not, by_update) = (&self.not, self.by_update);
        let of_list = |held: bool| held.then_some(Driver::Project);
        let created = self.created.within(sql::created_within, ["created_from", "created_to"]);
        let updated = self.updated.within(sql::updated_within, ["updated_from", "updated_to"]);
        [
            created.map(|it| it.held_by(of_list(!by_update))),
            updated.map(|it| it.held_by(of_list(by_update))),
            match self.scope {
                Scope::All => None,
                Scope::CreatedByMe => Some(when(sql::is_mine, []).held_by(Driver::Author(true))),
                Scope::AssignedToMe => Some(when(sql::is_mine, []).held_by(Driver::Assignee(true))),
            },
            self.author
                .as_ref()
                .map(|person| when(sql::is_by, [("author", person.clone())]).held_by(Driver::Author(false))),
            not.author.as_ref().map(|person| when(sql::is_not_by, [("not_author", person.clone())])),
            self.assignee.as_ref().map(|assignee| match assignee {
                Assignee::None => when(sql::is_assigned, [("assigned", 0.into())]),
                Assignee::Any => when(sql::is_assigned, [("assigned", 1.into())]),
                Assignee::Is(person) => {
                    when(sql::is_assigned_to, [("assignee", person.clone())]).held_by(Driver::Assignee(false))
                }
            }),
            not.assignee.as_ref().map(|person| when(sql::is_not_assigned_to, [("not_assignee", person.clone())])),
            self.closed_by.map(|id| when(sql::was_closed_by, [("closed_by", id.into())])),
            self.iids.as_ref().map(|iids| when(sql::has_number, [("iids", list(iids))]).held_by(Driver::Numbers)),
            (!not.iids.is_empty()).then(|| when(sql::has_other_number, [("not_iids", list(&not.iids))])),
            self.due.as_ref().map(|due| match due {
                DueFilter::None => when(sql::has_due_date, [("due", 0.into())]),
                DueFilter::Any => when(sql::has_due_date, [("due", 1.into())]),
                DueFilter::Between(from, to) => {
                    when(sql::is_due_within, [("due_from", from.into()), ("due_to", to.into())])
                }
            }),
            self.reaction.as_ref().map(|reaction| {
                let name = if let Reaction::Named(name) = reaction { name.into() } else { Value::Null };
                when(sql::has_reaction, [("reacted", (*reaction != Reaction::None).into()), ("reaction", name)])
            }),
            // the issue has a label of each list of titles
            self.labels.as_ref().map(|labels| match labels {
                Labels::None => when(sql::has_label, [("labeled", 0.into())]),
                Labels::Any => when(sql::has_label, [("labeled", 1.into())]),
                Labels::AllOf(all) => {
                    let lists: Vec<[&String; 1]> = all.iter().map(|title| [title]).collect();
                    when(sql::bears_labels, [("labels", list(&lists))])
                        .held_by((all.len() == 1).then_some(Driver::Label))
                }
                Labels::AnyOf(any) => when(sql::bears_labels, [("labels", list(&[any]))])
                    .held_by((any.len() == 1).then_some(Driver::Label)),
            }),
            (!not.labels.is_empty()).then(|| when(sql::bears_none_of, [("not_labels", list(&not.labels))])),
            self.milestone.as_ref().map(|milestone| match milestone {
                Milestone::Titled(title) => {
                    when(sql::is_of_milestone, [("milestone", title.into())]).held_by(Driver::Milestone)
                }
                Milestone::Own(id) => {
                    when(sql::is_of_milestone, [("milestone", (*id).into())]).held_by(Driver::Milestone)
                }
                other => planned(other, true),
            }),
            not.milestone.as_ref().map(|milestone| match milestone {
                Milestone::Titled(title) => when(sql::is_of_other_milestone, [("not_milestone", title.into())]),
                other => planned(other, false),
            }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The check of the search. `of_index`: the range is one of the index of words, which may have no other issues.
    pub fn search_condition(&self, of_index: bool) -> Option<Condition> {
        let search = self.search.as_ref()?;
        let piece = if of_index && search.asked().is_exact { sql::is_indexed_or_found } else { sql::is_found };
        let (title, description) = (search.title.into(), search.description.into());
        Some(when(
            piece,
            [("words", list(&patterns(&search.words))), ("in_title", title), ("in_description", description)],
        ))
    }
}

fn list(values: &impl Serialize) -> Value {
    json!(values).to_string().into()
}

/// The issue has a milestone that the request describes or, unless `wanted`, does not have one.
fn planned(milestone: &Milestone, wanted: bool) -> Condition {
    let on = |today: &String| ("today", today.into());
    match milestone {
        Milestone::Upcoming(today) => when(sql::is_upcoming, [("upcoming", wanted.into()), on(today)]),
        Milestone::Started(today) => when(sql::is_started, [("started", wanted.into()), on(today)]),
        other => when(sql::has_milestone, [("planned", (wanted == (*other != Milestone::None)).into())]),
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/lists/filter.rs"]
mod tests;
