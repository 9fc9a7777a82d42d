//! What a list of issues may be asked for, in the terms of both versions of the API.

use std::collections::BTreeSet;

/// The filters of a list and its order. By default a list holds every issue that the caller sees there, newest first.
///
/// A list goes by the narrowest of these that has an index of its own: an assignee or author, else labels and milestone, else
/// the state. What cannot be found that way is looked for among the first few hundred issues behind the cursor, and a page
/// with too few of them ends early, with a `next` that goes on.
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
    /// Fill every page and count every total of up to 10,000, whatever several labels cost: so the third version does.
    pub full: bool,
}

#[derive(Debug, Default, Clone)]
pub struct Without {
    /// None of these.
    pub labels: BTreeSet<String>,
    pub milestone: Option<Milestone>,
    pub author: Option<Person>,
    pub assignee: Option<Assignee>,
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
    /// Whoever asks.
    Caller,
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

/// A text each of whose words begins a word of the title or the description, in whatever case and order. A word is a run of
/// letters and digits, of which 32 count; of a description its first 100 different words do.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub text: String,
    /// Where to look.
    pub title: bool,
    pub description: bool,
}

/// Whose issues a list holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Whose {
    Project,
    Group,
    /// What the caller wrote, has to do or sees: see [`Scope`].
    Caller,
}
