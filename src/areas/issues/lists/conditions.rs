//! The conditions of the filters. A filter is one row of [`Filter::conditions`] and one piece of `conditions.sql`.

use super::filter::{Assignee, DueFilter, Filter, Labels, Milestone, Person, Reaction, Scope, Span};
use super::index_ranges::Driver;
use super::pieces::sql;
use crate::kernel::paging::EVER;
use crate::kernel::sql::Piece;
use crate::kernel::store::Value;
use serde_json::json;

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
    fn held_by(self, driver: Driver) -> Condition {
        Condition { held_by: Some(driver), ..self }
    }

    fn held_if(self, is_held: bool, driver: Driver) -> Condition {
        if is_held { self.held_by(driver) } else { self }
    }
}

impl From<&Person> for Value {
    fn from(person: &Person) -> Value {
        match person {
            Person::Id(id) => (*id).into(),
            Person::Name(name) => name.into(),
        }
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
    /// The conditions in the order in which an issue is checked: the costly ones come last.
    pub fn conditions(&self) -> Vec<Condition> {
        let not = &self.not;
        [
            self.created
                .within(sql::created_within, ["created_from", "created_to"])
                .map(|it| it.held_if(!self.by_update, Driver::Project)),
            self.updated
                .within(sql::updated_within, ["updated_from", "updated_to"])
                .map(|it| it.held_if(self.by_update, Driver::Project)),
            match self.scope {
                Scope::All => None,
                Scope::CreatedByMe => Some(when(sql::is_mine, []).held_by(Driver::Author(true))),
                Scope::AssignedToMe => Some(when(sql::is_mine, []).held_by(Driver::Assignee(true))),
            },
            self.author
                .as_ref()
                .map(|person| when(sql::is_by, [("author", person.into())]).held_by(Driver::Author(false))),
            not.author.as_ref().map(|person| when(sql::is_not_by, [("not_author", person.into())])),
            self.assignee.as_ref().map(|assignee| match assignee {
                Assignee::None => when(sql::is_assigned, [("assigned", 0.into())]),
                Assignee::Any => when(sql::is_assigned, [("assigned", 1.into())]),
                Assignee::Is(person) => {
                    when(sql::is_assigned_to, [("assignee", person.into())]).held_by(Driver::Assignee(false))
                }
            }),
            not.assignee.as_ref().map(|person| when(sql::is_not_assigned_to, [("not_assignee", person.into())])),
            self.closed_by.map(|id| when(sql::was_closed_by, [("closed_by", id.into())])),
            self.iids
                .as_ref()
                .map(|iids| when(sql::has_number, [("iids", json!(iids).to_string().into())]).held_by(Driver::Numbers)),
            (!not.iids.is_empty())
                .then(|| when(sql::has_other_number, [("not_iids", json!(not.iids).to_string().into())])),
            self.due.as_ref().map(|due| match due {
                DueFilter::None => when(sql::has_due_date, [("due", 0.into())]),
                DueFilter::Any => when(sql::has_due_date, [("due", 1.into())]),
                DueFilter::Between(from, to) => {
                    when(sql::is_due_within, [("due_from", from.into()), ("due_to", to.into())])
                }
            }),
            self.reaction.as_ref().map(|reaction| match reaction {
                Reaction::None => reacted(0, Value::Null),
                Reaction::Any => reacted(1, Value::Null),
                Reaction::Named(name) => reacted(1, name.into()),
            }),
            self.labels.as_ref().map(|labels| match labels {
                Labels::None => when(sql::has_label, [("labeled", 0.into())]),
                Labels::Any => when(sql::has_label, [("labeled", 1.into())]),
                Labels::AllOf(all) => {
                    bears(all.iter().map(|title| [title]).collect::<Vec<_>>()).held_if(all.len() == 1, Driver::Label)
                }
                Labels::AnyOf(any) => bears([any]).held_if(any.len() == 1, Driver::Label),
            }),
            (!not.labels.is_empty())
                .then(|| when(sql::bears_none_of, [("not_labels", json!(not.labels).to_string().into())])),
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
            self.search.as_ref().map(|search| {
                let words = json!(search.patterns()).to_string();
                let (title, description) = (search.title.into(), search.description.into());
                when(sql::is_found, [("words", words.into()), ("in_title", title), ("in_description", description)])
            }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

fn reacted(reacted: i64, name: Value) -> Condition {
    when(sql::has_reaction, [("reacted", reacted.into()), ("reaction", name)])
}

/// `lists`: lists of titles. The issue has a label of each list.
fn bears(lists: impl serde::Serialize) -> Condition {
    when(sql::bears_labels, [("labels", json!(lists).to_string().into())])
}

/// The issue has a milestone that the request describes or, unless `wanted`, does not have one.
fn planned(milestone: &Milestone, wanted: bool) -> Condition {
    let on = |today: &String| ("today", today.into());
    match milestone {
        Milestone::Upcoming(today) => when(sql::is_upcoming, [("upcoming", wanted.into()), on(today)]),
        Milestone::Started(today) => when(sql::is_started, [("started", wanted.into()), on(today)]),
        Milestone::None => when(sql::has_milestone, [("planned", (!wanted).into())]),
        Milestone::Any | Milestone::Titled(_) | Milestone::Own(_) => {
            when(sql::has_milestone, [("planned", wanted.into())])
        }
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/lists/conditions.rs"]
mod tests;
