use super::filter::{
    Assignee, DueFilter, Exclusions, Field, Filter, Labels, Milestone, Person, Reaction, Scope, Span, State,
};
use super::search::Search;
use super::{CommonParams, ListPlace, check_number};
use crate::areas::words::words_of;
use crate::kernel::text::emoji::stored_name;
use crate::kernel::time;
use crate::kernel::{Call, Error, Parameters, Result};
use chrono::{DateTime, Datelike, Days, Months, NaiveDate};
use std::collections::BTreeSet;

#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct ListParams {
    #[param(flatten)]
    common: CommonParams,
    scope: Option<ScopeName>,
    pub with_labels_details: Option<bool>,
    milestone_id: Option<Wildcard>,
    iids: BTreeSet<i64>,
    author_id: Option<i64>,
    author_username: Option<String>,
    assignee_id: Option<String>,
    assignee_username: Vec<String>,
    search: Option<String>,
    #[param(rename = "in")]
    places: Vec<Place>,
    created_after: Option<String>,
    created_before: Option<String>,
    updated_after: Option<String>,
    updated_before: Option<String>,
    confidential: Option<bool>,
    order_by: Option<OrderBy>,
    due_date: Option<DueName>,
    issue_type: Option<Kind>,
    closed_by_id: Option<i64>,
    non_archived: Option<bool>,
    my_reaction_emoji: Option<String>,
    // filters for fields that no issue has
    weight: Option<String>,
    iteration_id: Option<String>,
    iteration_title: Option<String>,
    epic_id: Option<String>,
    health_status: Option<String>,
    #[param(rename = "not[labels]")]
    not_labels: BTreeSet<String>,
    #[param(rename = "not[milestone]")]
    not_milestone: Option<String>,
    #[param(rename = "not[milestone_id]")]
    not_milestone_id: Option<Wildcard>,
    #[param(rename = "not[iids]")]
    not_iids: BTreeSet<i64>,
    #[param(rename = "not[author_id]")]
    not_author_id: Option<i64>,
    #[param(rename = "not[author_username]")]
    not_author_username: Option<String>,
    #[param(rename = "not[assignee_id]")]
    not_assignee_id: Option<i64>,
    #[param(rename = "not[assignee_username]")]
    not_assignee_username: Vec<String>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum ScopeName {
    CreatedByMe,
    #[param(rename = "created-by-me")]
    CreatedByMeOlder,
    AssignedToMe,
    #[param(rename = "assigned-to-me")]
    AssignedToMeOlder,
    All,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(verbatim)]
enum Wildcard {
    None,
    Any,
    Upcoming,
    Started,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Place {
    Title,
    Description,
}

/// Issues have no priority, popularity or position, so the last four order by creation.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum OrderBy {
    CreatedAt,
    UpdatedAt,
    DueDate,
    MilestoneDue,
    Title,
    Priority,
    LabelPriority,
    Popularity,
    RelativePosition,
}

/// All issues have the first type.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Kind {
    Issue,
    Incident,
    TestCase,
    Requirement,
    Task,
    Ticket,
    Objective,
    KeyResult,
    Epic,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum DueName {
    #[param(rename = "0")]
    None,
    Any,
    Today,
    Tomorrow,
    Overdue,
    Week,
    Month,
    NextMonthAndPreviousTwoWeeks,
}

impl DueName {
    pub fn days(self, today: NaiveDate) -> Option<DueFilter> {
        let first = today.with_day(1)?;
        let end_of_month = |first: NaiveDate| first.checked_add_months(Months::new(1))?.pred_opt();
        let (from, to) = match self {
            DueName::None => return Some(DueFilter::None),
            DueName::Any => return Some(DueFilter::Any),
            DueName::Today => (today, today),
            DueName::Tomorrow => (today.succ_opt()?, today.succ_opt()?),
            DueName::Overdue => (NaiveDate::from_ymd_opt(1, 1, 1)?, today.pred_opt()?),
            DueName::Week => {
                let monday = today.checked_sub_days(Days::new(today.weekday().num_days_from_monday().into()))?;
                (monday, monday.checked_add_days(Days::new(6))?)
            }
            DueName::Month => (first, end_of_month(first)?),
            DueName::NextMonthAndPreviousTwoWeeks => {
                let next = first.checked_add_months(Months::new(1))?;
                (today.checked_sub_days(Days::new(14))?, end_of_month(next)?)
            }
        };
        Some(DueFilter::Between(from.to_string(), to.to_string()))
    }
}

impl ListParams {
    pub fn read(call: &Call<'_>) -> Result<ListParams> {
        let given: ListParams = call.filters()?;
        let assignee = given.assignee_id.is_some() && !given.assignee_username.is_empty();
        let pairs = [
            (given.author_id.is_some() && given.author_username.is_some(), "author_id, author_username"),
            (assignee, "assignee_id, assignee_username"),
            (given.milestone_id.is_some() && given.common.milestone.is_some(), "milestone_id, milestone"),
        ];
        match pairs.into_iter().find(|(are_both_given, _)| *are_both_given) {
            Some((_, names)) => Err(Error::framework(format!("{names} are mutually exclusive"))),
            None => Ok(given),
        }
    }

    /// Without `scope` a list of the caller holds the issues that they wrote.
    pub fn filter(&self, now: i64, whose: ListPlace) -> Result<Filter> {
        let personal = matches!(whose, ListPlace::Caller | ListPlace::Anywhere);
        let today = DateTime::from_timestamp_millis(now).unwrap_or_default().date_naive();
        let common = self.common.filter();
        let state = common.state;
        let overdue = self.due_date == Some(DueName::Overdue);
        Ok(Filter {
            state: if overdue { Some(State::Opened) } else { state },
            scope: match self.scope {
                Some(ScopeName::CreatedByMe | ScopeName::CreatedByMeOlder) => Scope::CreatedByMe,
                Some(ScopeName::AssignedToMe | ScopeName::AssignedToMeOlder) => Scope::AssignedToMe,
                None if personal => Scope::CreatedByMe,
                Some(ScopeName::All) | None => Scope::All,
            },
            labels: labels(&self.common.labels)?,
            milestone: milestone(self.common.milestone.as_deref(), self.milestone_id, today),
            author: person(self.author_id, self.author_username.as_deref()),
            assignee: self.assignee()?,
            closed_by: self.closed_by_id,
            confidential: self.confidential,
            iids: Some(&self.iids).filter(|numbers| !numbers.is_empty()).cloned(),
            created: span("created", self.created_after.as_deref(), self.created_before.as_deref())?,
            updated: span("updated", self.updated_after.as_deref(), self.updated_before.as_deref())?,
            due: self.due_date.and_then(|name| name.days(today)),
            reaction: self.my_reaction_emoji.as_deref().map(|name| match name {
                name if name.eq_ignore_ascii_case("none") => Reaction::None,
                name if name.eq_ignore_ascii_case("any") => Reaction::Any,
                name => Reaction::Named(stored_name(name)),
            }),
            search: self.search.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(|text| Search {
                words: words_of(text),
                title: self.places.is_empty() || self.places.contains(&Place::Title),
                description: self.places.is_empty() || self.places.contains(&Place::Description),
            }),
            active: self.non_archived != Some(false),
            nothing: (overdue && state == Some(State::Closed))
                || self.issue_type.is_some_and(|kind| kind != Kind::Issue)
                || self.names_what_no_issue_has(),
            not: self.without(today)?,
            by_update: self.order_by == Some(OrderBy::UpdatedAt),
            by_field: match self.order_by {
                _ if self.search.is_some() || !self.iids.is_empty() => None,
                Some(OrderBy::DueDate) => Some(Field::Due),
                Some(OrderBy::MilestoneDue) => Some(Field::MilestoneDue),
                Some(OrderBy::Title) => Some(Field::Title),
                _ => None,
            },
            ..common
        })
    }

    fn names_what_no_issue_has(&self) -> bool {
        let ListParams { weight, iteration_id, iteration_title, epic_id, health_status, .. } = self;
        let values = [weight, iteration_id, iteration_title, epic_id, health_status];
        values.into_iter().flatten().any(|value| !value.trim().eq_ignore_ascii_case("none"))
    }

    fn assignee(&self) -> Result<Option<Assignee>> {
        if let Some(name) = only("assignee_username", &self.assignee_username)? {
            return Ok(Some(Assignee::Is(Person::Text(name.to_lowercase()))));
        }
        Ok(match self.assignee_id.as_deref().map(str::trim) {
            None => None,
            Some(word) if word == "0" || word.eq_ignore_ascii_case("none") => Some(Assignee::None),
            Some(word) if word.eq_ignore_ascii_case("any") => Some(Assignee::Any),
            Some(id) => Some(Assignee::Is(Person::Int(id.parse().map_err(|_| Error::invalid("assignee_id"))?))),
        })
    }

    fn without(&self, today: NaiveDate) -> Result<Exclusions> {
        check_number(&self.not_labels)?;
        let name = only("not[assignee_username]", &self.not_assignee_username)?;
        Ok(Exclusions {
            labels: self.not_labels.clone(),
            milestone: milestone(self.not_milestone.as_deref(), self.not_milestone_id, today),
            author: person(self.not_author_id, self.not_author_username.as_deref()),
            assignee: person(self.not_assignee_id, name),
            iids: self.not_iids.clone(),
        })
    }
}

fn labels(titles: &BTreeSet<String>) -> Result<Option<Labels>> {
    check_number(titles)?;
    let is_only = |word: &str| titles.len() == 1 && titles.iter().all(|title| title.eq_ignore_ascii_case(word));
    Ok(match titles {
        titles if titles.is_empty() => None,
        _ if is_only("none") || is_only("no label") => Some(Labels::None),
        _ if is_only("any") => Some(Labels::Any),
        titles => Some(Labels::AllOf(titles.clone())),
    })
}

fn milestone(title: Option<&str>, wildcard: Option<Wildcard>, today: NaiveDate) -> Option<Milestone> {
    match (title, wildcard) {
        (Some(title), _) if title.eq_ignore_ascii_case("none") || title == "No Milestone" => Some(Milestone::None),
        (Some(title), _) if title.eq_ignore_ascii_case("any") => Some(Milestone::Any),
        (Some(title), _) => Some(Milestone::Titled(title.to_owned())),
        (None, Some(Wildcard::None)) => Some(Milestone::None),
        (None, Some(Wildcard::Any)) => Some(Milestone::Any),
        (None, Some(Wildcard::Upcoming)) => Some(Milestone::Upcoming(today.to_string())),
        (None, Some(Wildcard::Started)) => Some(Milestone::Started(today.to_string())),
        (None, None) => None,
    }
}

fn person(id: Option<i64>, name: Option<&str>) -> Option<Person> {
    id.map(Person::Int).or_else(|| name.map(|name| Person::Text(name.to_lowercase())))
}

fn only<'a>(parameter: &str, names: &'a [String]) -> Result<Option<&'a str>> {
    if names.len() > 1 {
        let (number, names) = (names.len(), names.join(", "));
        return Err(Error::framework(format!("{parameter} allows one value, but found {number}: [{names}]")));
    }
    Ok(names.first().map(String::as_str))
}

fn span(name: &str, after: Option<&str>, before: Option<&str>) -> Result<Span> {
    let read = |end: &str, text: Option<&str>| match text {
        None => Ok(None),
        Some(text) => time::read(text).map(Some).ok_or_else(|| Error::invalid(&format!("{name}_{end}"))),
    };
    Ok(Span { from: read("after", after)?, to: read("before", before)? })
}

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/lists/parameters.rs"]
mod tests;
