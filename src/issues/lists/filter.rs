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

/// A text, each of whose words has to begin a word of the title or the description; a word with letters of a script other than Latin
/// may stand anywhere in it (v4, section 7). A word is a run of letters and digits. Case does not count.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub text: String,
    /// Where to look.
    pub title: bool,
    pub description: bool,
}

impl Search {
    /// The different words in lower case, of which 100 count.
    pub fn words(&self) -> BTreeSet<String> {
        let words = self.text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).take(100).map(str::to_lowercase).collect()
    }

    /// For each word a pattern of GLOB, and a text that has to be there as well: the rest of a word of which the pattern holds only the
    /// beginning.
    pub fn patterns(&self) -> Vec<[String; 2]> {
        self.words().iter().map(|word| pattern(word)).collect()
    }
}

/// D1 refuses longer patterns, in bytes.
const LONGEST_PATTERN: usize = 50;

/// The last letter of the Latin script.
const LAST_LATIN: char = '\u{2ff}';

fn pattern(word: &str) -> [String; 2] {
    let is_latin = word.chars().all(|letter| letter <= LAST_LATIN);
    let mut pattern = if is_latin { format!("*[^0-9a-zÀ-{LAST_LATIN}]") } else { "*".to_owned() };
    let mut letters = word.chars();
    while let Some(letter) = letters.next() {
        let class = in_any_case(letter);
        if pattern.len() + class.len() >= LONGEST_PATTERN {
            return [pattern + "*", format!("{letter}{}", letters.as_str())];
        }
        pattern += &class;
    }
    [pattern + "*", String::new()]
}

/// SQLite's `lower` knows the letters of ASCII alone: others are looked for in both cases.
fn in_any_case(letter: char) -> String {
    let upper: String = letter.to_uppercase().collect();
    match upper.chars().count() {
        1 if !letter.is_ascii() && !upper.starts_with(letter) => format!("[{letter}{upper}]"),
        _ => letter.to_string(),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/issues/lists/filter.rs"]
mod tests;
