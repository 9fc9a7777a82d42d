//! What a list is filtered by, and the conditions for its issues. A filter is a field of [`Filter`], one row of
//! [`Filter::conditions`] and one piece of `lists.sql`.

use crate::areas::words::{Asked, is_latin, is_letter};
use crate::kernel::Parameters;
use crate::kernel::paging::EVER;
use crate::kernel::sql::Piece;
use crate::kernel::store::Value;
use crate::kernel::text::fold::{Pattern, cut};
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

/// Each word must begin a word of the title or the description. A word with letters of a script other than Latin may
/// be anywhere (v4, section 7). A word is a run of letters and digits ([`is_letter`]). Case does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub text: String,
    pub title: bool,
    pub description: bool,
}

impl Search {
    /// The first 100 words in lower case, each once.
    pub fn words(&self) -> BTreeSet<String> {
        // its lower case has a sign behind the letter
        let text = self.text.replace('İ', "i").to_lowercase();
        let words = text.split(|letter: char| !is_letter(letter));
        words.filter(|word| !word.is_empty()).take(100).map(str::to_owned).collect()
    }

    /// Whether it has no letter or digit.
    pub fn finds_nothing(&self) -> bool {
        self.words().is_empty() || !(self.title || self.description)
    }

    /// What it asks of the index of words.
    pub fn asked(&self) -> Asked {
        let Asked { text, is_exact } = Asked::of(&self.words());
        let text = match (self.title, self.description) {
            (true, false) => format!("{{title}} : ({text})"),
            (false, true) => format!("{{description}} : ({text})"),
            _ => text,
        };
        Asked { text, is_exact }
    }

    /// The check of an issue. `of_index`: the range is one of the index of words, which may have no other issues.
    pub fn condition(&self, of_index: bool) -> Condition {
        let piece = if of_index && self.asked().is_exact { sql::is_indexed_or_found } else { sql::is_found };
        let (title, description) = (self.title.into(), self.description.into());
        when(piece, [("words", list(&self.patterns())), ("in_title", title), ("in_description", description)])
    }

    /// For each word a pattern, and as plain text the rest of a word that is too long for a pattern.
    pub fn patterns(&self) -> Vec<Pattern> {
        self.words().iter().map(|word| pattern(word)).collect()
    }
}

fn pattern(word: &str) -> Pattern {
    // all letters up to the last Latin one
    let begin = if word.chars().all(is_latin) { "*[^0-9a-zªµºÀ-ÖØ-öø-\u{2c1}]" } else { "*" };
    let (glob, rest) = cut(begin, word);
    Pattern { glob, text: rest.to_owned() }
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
