//! What a list of issues may be asked for, in the terms of both versions of the API.

use std::collections::BTreeSet;

/// The filters of a list and its order. By default a list holds every issue that the caller sees there, newest first.
#[derive(Debug, Default, Clone)]
pub struct Filter {
    /// None: all.
    pub state: Option<State>,
    pub scope: Scope,
    pub labels: Option<Labels>,
    pub milestone: Option<Milestone>,
    pub author: Option<Person>,
    pub assignee: Option<Assignee>,
    /// The user id of who closed it.
    pub closed_by: Option<i64>,
    /// Whether it is confidential.
    pub confidential: Option<bool>,
    /// Numbers in the project.
    pub iids: Option<BTreeSet<i64>>,
    pub created: Span,
    pub updated: Span,
    pub due: Option<Due>,
    pub search: Option<Search>,
    /// Leave out the issues of archived projects, in lists of more than one project.
    pub active: bool,
    /// Something is asked for that no issue has: the list is empty.
    pub nothing: bool,
    /// What an issue must not have.
    pub not: Without,
    /// By the last update instead of the creation.
    pub by_update: bool,
    /// By a day instead, those without one last: of one project, and without a search and numbers. The newest thousand.
    pub by_day: Option<Day>,
    pub ascending: bool,
    /// Look at up to 10,000 issues for every page and total, whatever the list is asked for. v3 does so.
    pub full: bool,
}

#[derive(Debug, Default, Clone, PartialEq)]
pub struct Without {
    /// None of these.
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
    /// At least one of these titles.
    AnyOf(BTreeSet<String>),
    /// Every one of these titles.
    AllOf(BTreeSet<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Milestone {
    None,
    Any,
    Titled(String),
    /// The next open one of its project that is due after today, as YYYY-MM-DD.
    Upcoming(String),
    /// An open one that began by today; or that has no beginning and is not yet due.
    Started(String),
    /// That milestone: the list is the milestone's own.
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

/// Milliseconds since 1970, both included.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Span {
    pub from: Option<i64>,
    pub to: Option<i64>,
}

/// A day of an issue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Day {
    Due,
    MilestoneDue,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Due {
    None,
    Any,
    /// Both included, as YYYY-MM-DD. What is overdue is open and due before today: the caller says so by the state.
    Between(String, String),
}

/// A text, each of whose words has to be in the title or the description, as a part of a word as well. A word is a run of letters
/// and digits. The case of ASCII letters does not count.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub text: String,
    /// Where to look.
    pub title: bool,
    pub description: bool,
}

impl Search {
    /// The different words, of which 100 count.
    pub fn words(&self) -> BTreeSet<String> {
        let words = self.text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).take(100).map(str::to_ascii_lowercase).collect()
    }
}
