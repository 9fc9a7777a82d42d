//! Lists of issues: filters, orders, pages and totals. Every list is one statement whose cost is its page's.

use super::entity::Issue;
use super::pages;
use super::sql::IssueRow;
use crate::call::{Call, Links};
use crate::error::Result;
use crate::http::Reply;
use crate::page::{Key, Page, Total};
use crate::sql;
use crate::store::{Rows, Statement, Value};
use serde::Deserialize;

/// Parameters of the issue lists.
#[derive(Debug, Deserialize, Default)]
#[serde(default)]
pub struct ListIssues {
    state: Option<State>,
    labels: Option<Vec<String>>,
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
    let mut filter: ListIssues = call.query(&[])?;
    filter.labels = filter.labels.filter(|names| !names.is_empty());
    filter.iid = filter.iid.filter(|numbers| !numbers.is_empty());
    Ok((filter, call.page()?))
}

/// One row of a list's answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Issue(Box<IssueRow>),
    /// Null: there is no such milestone.
    Total(Option<i64>),
}

/// What a list's statement found.
#[derive(Debug, Default)]
pub struct Listed {
    issues: Vec<IssueRow>,
    pub total: Option<i64>,
}

impl Listed {
    pub fn from(rows: &Rows) -> Result<Listed> {
        let mut listed = Listed::default();
        for part in rows.all()? {
            match part {
                Part::Issue(row) => listed.issues.push(*row),
                Part::Total(total) => listed.total = total,
            }
        }
        Ok(listed)
    }

    pub fn reply(
        self,
        call: &Call<'_>,
        filter: &ListIssues,
        page: &Page,
        path: &[(&str, &str)],
        links: &Links,
    ) -> Result<Reply> {
        let mut rows = self.issues;
        let more = page.goes_on(&mut rows);
        let cursor = rows.last().and_then(|row| page.next(filter.keys(row)));
        let issues: Vec<Issue> = rows.into_iter().map(|row| Issue::new(row, links)).collect();
        let total = self.total.unwrap_or_default();
        let total = if page.follows() { Total::Both(total, more) } else { Total::Known(total) };
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

    /// The keys of a row in the list's order: its time and its id.
    fn keys(&self, row: &IssueRow) -> [Key; 2] {
        [Key::Int(if self.updated() { row.updated_at } else { row.created_at }), Key::Int(row.id)]
    }

    /// The keys that come before every row.
    fn beginning(&self) -> [Key; 2] {
        const END: i64 = 1 << 53;
        if self.ascending() { [Key::Int(-END), Key::Int(0)] } else { [Key::Int(END), Key::Int(END)] }
    }

    fn no_label(&self) -> bool {
        self.labels.as_deref().is_some_and(|names| names == ["No Label"])
    }

    fn no_milestone(&self) -> bool {
        self.milestone.as_deref() == Some("No Milestone")
    }

    /// A group's list, which knows no numbers of projects.
    pub fn for_group(mut self) -> ListIssues {
        self.iid = None;
        self
    }

    /// The list of one milestone.
    pub fn of_milestone(mut self, id: i64) -> ListIssues {
        (self.milestone, self.milestone_id) = (Some(String::new()), Some(id));
        self
    }

    /// A text with the order's places filled from a closed set of words.
    fn ordered(&self, text: &str) -> String {
        let (at, by, word, past) = (
            if self.updated() { "updated_at" } else { "created_at" },
            if self.updated() { "update" } else { "creation" },
            if self.ascending() { "asc" } else { "desc" },
            if self.ascending() { ">" } else { "<" },
        );
        text.replace("{at}", at).replace("{by}", by).replace("{sort}", word).replace("{past}", past)
    }
}

/// Whose issues a list holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Whose {
    Project,
    /// All labels must match, and a blank milestone is no filter.
    Group,
    Caller,
}

/// A list's statement.
pub fn statement(filter: &ListIssues, page: &Page, whose: Whose) -> Statement {
    let (no_label, no_milestone) = (filter.no_label(), filter.no_milestone());
    let names = filter.labels.as_ref().map_or(0, Vec::len);
    let labels = filter.labels.is_some();
    let milestone = filter.milestone.is_some();
    // the candidates and the total; where they begin; how many of the binds they have places for
    let ((candidates, total), base, binds) = match whose {
        Whose::Caller if !labels && !milestone => (pages::OWN, "", 5),
        Whose::Caller => (pages::OWN_MATCHED, "", 7),
        _ if filter.iid.is_some() => (pages::MATCHED, pages::BASE_IIDS, 8),
        _ if !labels && !milestone => (pages::PLAIN, "", 5),
        _ if labels && !no_label && !milestone && !filter.updated() && names == 1 => (pages::LABELED, "", 6),
        Whose::Project if labels && !no_label && !milestone && !filter.updated() => {
            (pages::ANY_LABELED, "", 6)
        }
        _ if milestone && !no_milestone && !labels && !filter.updated() => (pages::IN_MILESTONE, "", 7),
        _ if labels && !no_label => (pages::MATCHED, pages::BASE_LABELS, 8),
        _ if milestone && !no_milestone => (pages::MATCHED, pages::BASE_MILESTONE, 8),
        _ => (pages::MATCHED, pages::BASE_PROJECT, 8),
    };
    let (list, places): (&str, &[(&str, &str)]) = match whose {
        Whose::Project => (pages::OF_PROJECT, &pages::PROJECT),
        Whose::Group => (pages::OF_GROUP, &pages::GROUP),
        Whose::Caller => (pages::OF_CALLER, &pages::CALLER),
    };
    let label_rule = if whose == Whose::Group { pages::ALL_LABELS } else { pages::ANY_LABEL };
    let milestone_column = if filter.milestone_id.is_some() { "m.id" } else { "m.title" };
    let mut text = list.replace("{candidates}", candidates).replace("{total}", total).replace("{base}", base);
    let one_label = candidates == pages::LABELED.0;
    text = text.replace("{bearing}", if one_label { pages::BEARING } else { "" });
    for (place, piece) in places {
        text = text.replace(place, piece);
    }
    text = text.replace("{labels}", label_rule).replace("{milestone}", milestone_column);
    let ([at, id], skipped) = page.begin(filter.beginning());
    // without a cursor the total tells whether there is a further page
    let size = page.size + i64::from(page.follows());
    let json = |value: serde_json::Value| value.to_string();
    let labels = filter.labels.clone().map(|names| json(names.into()));
    let iids = filter.iid.clone().map(|iids| json(iids.into()));
    let milestone = filter.milestone_id.map(Value::Int).unwrap_or(filter.milestone.as_deref().into());
    let mut statement = sql!("", filter.state(), at, id, skipped, size, labels, milestone, iids);
    statement.sql = filter.ordered(&text).into();
    statement.binds.truncate(binds);
    statement
}
