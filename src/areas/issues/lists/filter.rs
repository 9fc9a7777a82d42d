use crate::kernel::Parameters;
use crate::kernel::paging::Sort;
use crate::kernel::text::fold::{Pattern, cut};
use std::collections::BTreeSet;

/// The parameters of a list that both APIs take under one name. What labels and milestones mean differs.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct CommonParams {
    state: Option<StateName>,
    pub labels: BTreeSet<String>,
    pub milestone: Option<String>,
    sort: Option<Sort>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum StateName {
    Opened,
    Closed,
    All,
}

impl CommonParams {
    pub fn filter(&self) -> Filter {
        Filter {
            state: match self.state {
                Some(StateName::Opened) => Some(State::Opened),
                Some(StateName::Closed) => Some(State::Closed),
                Some(StateName::All) | None => None,
            },
            ascending: self.sort == Some(Sort::Asc),
            ..Filter::default()
        }
    }
}

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

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum State {
    Opened,
    Closed,
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

#[derive(Debug, Clone, PartialEq)]
pub enum Person {
    Id(i64),
    /// A user name in lower case.
    Name(String),
}

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
/// be anywhere (v4, section 7). A word is a run of letters and digits. Case does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub text: String,
    pub title: bool,
    pub description: bool,
}

impl Search {
    /// The first 100 words in lower case, each once.
    pub fn words(&self) -> BTreeSet<String> {
        let words = self.text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).take(100).map(str::to_lowercase).collect()
    }

    /// For each word a pattern, and as plain text the rest of a word that is too long for a pattern.
    pub fn patterns(&self) -> Vec<Pattern> {
        self.words().iter().map(|word| pattern(word)).collect()
    }
}

const LAST_LATIN: char = '\u{2ff}';

fn pattern(word: &str) -> Pattern {
    let is_latin = word.chars().all(|letter| letter <= LAST_LATIN);
    let begin = if is_latin { format!("*[^0-9a-zÀ-{LAST_LATIN}]") } else { "*".to_owned() };
    let (glob, rest) = cut(&begin, word);
    Pattern { glob, text: rest.to_owned() }
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/lists/filter.rs"]
mod tests;
