//! Who wrote the commits of a branch.

use super::reader::Revision;
use super::sql;
use crate::kernel::paging::{Sort, Total};
use crate::kernel::{Call, Error, Page, Parameters, PreparedQuery, Query, Reply, Result, Row};
use serde::Serialize;

/// The most people in an answer without pages.
const MOST: i64 = 10_000;

#[derive(Parameters, Clone, Copy, PartialEq)]
enum Order {
    Commits,
    Name,
    Email,
}

#[derive(Parameters, Default)]
struct ContributorParams {
    #[param(rename = "ref")]
    git_ref: Option<String>,
    order_by: Option<Order>,
    sort: Option<Sort>,
}

impl ContributorParams {
    fn words(&self) -> [&'static str; 2] {
        [self.order_by.unwrap_or_default().word(), self.sort.unwrap_or_default().word()]
    }

    fn query(&self, skip: i64, most: i64) -> PreparedQuery<(Option<Revision>, Vec<Person>)> {
        let name = self.git_ref.as_deref().filter(|name| !name.trim().is_empty());
        let sort = self.words().join("_");
        (sql::at { name }, sql::contributors { name, sort, skip, most }).prepare()
    }
}

#[derive(Row)]
pub struct Person {
    name: Option<String>,
    email: Option<String>,
    commits: Option<i64>,
    /// The number of all people.
    total: i64,
}

/// A person in an answer. Their added and deleted lines are not counted.
#[derive(Serialize)]
struct Contributor {
    name: String,
    email: String,
    commits: i64,
    additions: u8,
    deletions: u8,
}

impl Contributor {
    /// None for the row that follows the last person.
    fn new(Person { name, email, commits, .. }: Person) -> Option<Contributor> {
        let email = email.unwrap_or_default();
        Some(Contributor { name: name?, email, commits: commits?, additions: 0, deletions: 0 })
    }
}

fn absent() -> Error {
    Error::NotFound("404 Not Found".to_owned())
}

pub async fn v3(call: &Call<'_>) -> Result<Reply> {
    let (_, (at, people)) = call.authorize(ContributorParams::default().query(0, MOST)).await?;
    at.ok_or_else(absent)?;
    let people: Vec<Contributor> = people.into_iter().filter_map(Contributor::new).collect();
    Ok(Reply::json(200, &people))
}

pub async fn v4(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ContributorParams>().and_then(|asked| Ok((asked, call.page()?)));
    let query = |(asked, page): &(ContributorParams, Page)| asked.query(page.offset(), page.size);
    let ((asked, page), _, (at, people)) = call.authorize_with(input, query).await?;
    // pages are found by their numbers alone
    call.params()?.pass_over("cursor");
    at.ok_or_else(absent)?;
    let total = people.first().map_or(0, |person| person.total);
    let shown: Vec<Contributor> = people.into_iter().filter_map(Contributor::new).collect();
    let total = Total::Both(total, total > page.offset() + shown.len() as i64);
    let [order, sort] = asked.words();
    call.listing(&page, total, &[("order_by", order), ("sort", sort)], None, &shown)
}
