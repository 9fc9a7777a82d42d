//! Lists of issues: filters, orders, pages and totals. Every list is one statement whose cost is its page's.

use super::entity::Issue;
use super::pages;
use super::sql::IssueRow;
use crate::call::{Call, Links, Resource};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page, Total};
use crate::policy;
use crate::sql;
use crate::store::{Rows, Statement, flag};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How many matches are counted where no counter knows the total.
const MOST_COUNTED: i64 = 10_000;

/// Different labels that a list may be asked for: each is looked for by itself.
const MOST_LABELS: usize = 50;

/// Parameters of the issue lists.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
pub struct ListIssues {
    state: Option<State>,
    labels: Option<BTreeSet<String>>,
    milestone: Option<String>,
    iid: Option<Vec<i64>>,
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
    /// Not a parameter: the milestone whose own list this is.
    #[serde(skip)]
    milestone_id: Option<i64>,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum State {
    Opened,
    Closed,
    All,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum OrderBy {
    CreatedAt,
    UpdatedAt,
}

#[derive(Debug, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Asc,
    Desc,
}

/// Filters and page of a list. A filter without a value is none.
pub fn read(call: &Call<'_>) -> Result<(ListIssues, Page)> {
    let mut filter: ListIssues = call.filters()?;
    filter.labels = filter.labels.filter(|names| !names.is_empty());
    if filter.labels.as_ref().is_some_and(|names| names.len() > MOST_LABELS) {
        return Err(Error::framework(format!("labels are too many (maximum is {MOST_LABELS})")));
    }
    filter.iid = filter.iid.filter(|numbers| !numbers.is_empty());
    Ok((filter, call.page()?))
}

/// One row of a list's answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Issue(Box<IssueRow>),
    Total(Length),
}

/// How long a list is.
#[derive(Debug, Deserialize, Default)]
struct Length {
    /// None: it was not counted to the end.
    count: Option<i64>,
    /// Whether there is a further page.
    #[serde(with = "flag")]
    more: bool,
    /// How many rows were read for that.
    counted: u64,
    /// Whether there is what it is a list of.
    #[serde(with = "flag")]
    exists: bool,
}

/// What a list's statement found.
#[derive(Debug, Default)]
pub struct Listed {
    issues: Vec<IssueRow>,
    length: Length,
}

impl Listed {
    pub fn from(rows: &Rows) -> Result<Listed> {
        let mut listed = Listed::default();
        for part in rows.all()? {
            match part {
                Part::Issue(row) => listed.issues.push(*row),
                Part::Total(length) => listed.length = length,
            }
        }
        Ok(listed)
    }

    /// The list of one project: empty where its issues are switched off.
    pub fn in_project(rows: &Rows, resource: &Resource) -> Result<Listed> {
        let mut listed = Listed::from(rows)?;
        if !resource.has_issues() {
            listed = Listed {
                issues: Vec::new(),
                length: Length { count: Some(0), more: false, counted: 0, ..listed.length },
            };
        }
        Ok(listed)
    }

    /// Whether there is what it is a list of.
    pub fn exists(&self) -> bool {
        self.length.exists
    }

    pub fn reply(
        self,
        call: &Call<'_>,
        filter: &ListIssues,
        page: &Page,
        path: &[(&str, &str)],
        links: &Links,
    ) -> Result<Reply> {
        let Length { count, more, counted, .. } = self.length;
        call.store.note_counted(counted);
        let mut rows = self.issues;
        rows.sort_by_key(|row| filter.position(row));
        if !filter.ascending() {
            rows.reverse();
        }
        let cursor = rows.last().and_then(|row| page.next(filter.position(row).map(Key::Int)));
        let issues: Vec<Issue> = rows.into_iter().map(|row| Issue::new(row, links)).collect();
        let total = count.map_or(Total::More(more), |count| Total::Both(count, more));
        call.listing(page, total, path, cursor, &issues)
    }
}

impl ListIssues {
    fn updated(&self) -> bool {
        self.order_by == Some(OrderBy::UpdatedAt)
    }

    fn ascending(&self) -> bool {
        self.sort == Some(Sort::Asc)
    }

    /// The state to keep, or none for all.
    fn state(&self) -> Option<&'static str> {
        match self.state {
            Some(State::Opened) => Some("opened"),
            Some(State::Closed) => Some("closed"),
            Some(State::All) | None => None,
        }
    }

    /// Where a row stands in the list's order: its time and its id.
    fn position(&self, row: &IssueRow) -> [i64; 2] {
        [if self.updated() { row.updated_at } else { row.created_at }, row.id]
    }

    /// The keys that come before every row.
    fn beginning(&self) -> [Key; 2] {
        const END: i64 = 1 << 53;
        if self.ascending() { [Key::Int(-END), Key::Int(0)] } else { [Key::Int(END), Key::Int(END)] }
    }

    fn no_label(&self) -> bool {
        self.labels.as_ref().is_some_and(|names| names.iter().eq(["No Label"]))
    }

    fn no_milestone(&self) -> bool {
        self.milestone.as_deref() == Some("No Milestone")
    }

    /// A list that is not a project's own: it passes over numbers in a project.
    pub fn without_numbers(mut self, call: &Call<'_>) -> Result<ListIssues> {
        call.params()?.pass_over("iid");
        self.iid = None;
        Ok(self)
    }

    /// The list of one milestone.
    pub fn of_milestone(mut self, id: i64) -> ListIssues {
        (self.milestone, self.milestone_id) = (Some(String::new()), Some(id));
        self
    }

    /// What issues of a group's list may stand under: JSON `[label, milestone, hidden, closed]`, null for the label or
    /// milestone that is named. All, and those of hidden issues.
    fn classes(&self, labelled: bool, planned: bool) -> [Vec<[Option<i64>; 4]>; 2] {
        let either = |named: bool, without: bool| match (named, without) {
            (true, _) => vec![None],
            (false, true) => vec![Some(0)],
            (false, false) => vec![Some(0), Some(-1)],
        };
        let states: Vec<i64> = match self.state {
            Some(State::Opened) => vec![0],
            Some(State::Closed) => vec![1],
            Some(State::All) | None => vec![0, 1],
        };
        let mut found = [Vec::new(), Vec::new()];
        for label in either(labelled, self.no_label()) {
            for milestone in either(planned, self.no_milestone()) {
                for &closed in &states {
                    let [all, of_hidden] = &mut found;
                    let class = |hidden| [label, milestone, Some(hidden), Some(closed)];
                    all.extend([class(0), class(1)]);
                    of_hidden.push(class(1));
                }
            }
        }
        found
    }

    /// What a list's statement asks for, in the terms of the postings: a class (0: without, -1: with some) or a name.
    fn query(&self, whose: Whose) -> Value {
        let names = self.labels.as_ref().filter(|_| !self.no_label());
        let labels = match &names {
            None if self.no_label() => json!([0]),
            None => json!([0, -1]),
            Some(names) => json!(names),
        };
        let title = self.milestone.as_ref().filter(|_| !self.no_milestone() && self.milestone_id.is_none());
        let milestones = match (self.milestone_id, title) {
            (Some(id), _) => json!([id]),
            (None, Some(title)) => json!([title]),
            (None, None) if self.no_milestone() => json!([0]),
            (None, None) => json!([0, -1]),
        };
        let planned = self.milestone_id.is_some() || self.milestone.is_some();
        let counter = match &names {
            _ if self.iid.is_some() => None,
            None if self.no_label() => None,
            None if !planned => Some("project"),
            None if self.no_milestone() => None,
            None => Some("milestone"),
            Some(names) if names.len() == 1 && !planned => Some("label"),
            Some(_) => None,
        };
        // an issue may be counted under each of its labels, in a group as hidden and as somebody's own; and of several labels
        // that it has to bear, it is looked for under one
        let named = names.as_ref().map_or(1, |names| i64::try_from(names.len()).unwrap_or(1).max(1));
        let every = names.as_ref().filter(|names| whose == Whose::Group && names.len() > 1);
        let times = if every.is_some() { 5 } else { named * if whose == Whose::Group { 2 } else { 1 } };
        let [opened, closed] =
            ["opened", "closed"].map(|state| self.state().is_none_or(|kept| kept == state));
        let states = [(opened, 0), (closed, 1)].into_iter().filter(|(kept, _)| *kept);
        let stands: Vec<Value> =
            states.flat_map(|(_, state)| [json!([state, 0]), json!([state, 1])]).collect();
        let [classes, hidden] = self.classes(names.is_some(), title.is_some());
        let numbers: Option<BTreeSet<i64>> =
            self.iid.as_ref().map(|numbers| numbers.iter().copied().collect());
        json!({
            "labels": labels, "names": names, "every": every, "milestones": milestones, "milestone": self.milestone_id,
            "unnamed": i64::from(names.is_none() && title.is_none() && self.milestone_id.is_none()),
            "title": title, "classes": classes, "hidden_classes": hidden, "stands": stands, "opened": i64::from(opened), "closed_too": i64::from(closed), "iids": numbers,
            "updated": i64::from(self.updated()), "counter": counter, "most": MOST_COUNTED,
            "rows": (MOST_COUNTED + 1) * times,
            "hidden": policy::confidential_level(),
        })
    }
}

/// Whose issues a list holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Whose {
    Project,
    /// All labels must match.
    Group,
    Caller,
}

/// A list's statement.
pub fn statement(filter: &ListIssues, page: &Page, whose: Whose) -> Statement {
    let [newest_first, oldest_first] = match whose {
        Whose::Project if filter.iid.is_some() => pages::NUMBERED,
        Whose::Project => pages::OF_PROJECT,
        Whose::Group => pages::OF_GROUP,
        Whose::Caller => pages::OF_CALLER,
    };
    let text = if filter.ascending() { oldest_first } else { newest_first };
    let ([at, id], skipped) = page.begin(filter.beginning());
    sql!(text, filter.query(whose).to_string(), at, id, skipped, page.size)
}
