//! Who wrote the commits of a branch.

use super::sql;
use crate::kernel::call::{Call, Entry};
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{Page, Sort, Total};
use crate::kernel::params::Parameters;
use crate::kernel::store::{Row, Rows, Statement};
use serde::Serialize;

/// Of an answer that is not in pages.
const MOST: i64 = 10_000;

#[derive(Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum Order {
    Commits,
    Name,
    Email,
}

#[derive(Parameters, Default)]
#[param(default)]
struct ContributorParams {
    #[param(rename = "ref")]
    git_ref: Option<String>,
    order_by: Option<Order>,
    sort: Option<Sort>,
}

impl ContributorParams {
    fn words(&self) -> [&'static str; 2] {
        let order = match self.order_by {
            Some(Order::Name) => "name",
            Some(Order::Email) => "email",
            Some(Order::Commits) | None => "commits",
        };
        [order, if self.sort == Some(Sort::Desc) { "desc" } else { "asc" }]
    }

    fn query(&self, skip: i64, most: i64) -> [Statement; 2] {
        let name = self.git_ref.as_deref().filter(|name| !name.trim().is_empty());
        let sort = self.words().join("_");
        [sql::at { name }.into(), sql::contributors { name, sort, skip, most }.into()]
    }
}

#[derive(Row)]
struct Person {
    name: String,
    email: String,
    commits: i64,
    total: i64,
}

/// The lines that somebody added and deleted are not counted.
#[derive(Serialize)]
struct Contributor {
    name: String,
    email: String,
    commits: i64,
    additions: u8,
    deletions: u8,
}

impl Contributor {
    fn new(Person { name, email, commits, .. }: Person) -> Contributor {
        Contributor { name, email, commits, additions: 0, deletions: 0 }
    }
}

fn people(entry: &Entry) -> Result<Vec<Person>> {
    if entry.rows.is_empty() {
        return Err(Error::NotFound("404 Not Found".to_owned()));
    }
    Ok(entry.more.first().map(Rows::all).transpose()?.unwrap_or_default())
}

pub async fn v3(call: &Call<'_>) -> Result<Reply> {
    let entry = call.authorize_rows(ContributorParams::default().query(0, MOST)).await?;
    let people: Vec<Contributor> = people(&entry)?.into_iter().map(Contributor::new).collect();
    Ok(Reply::json(200, &people))
}

pub async fn v4(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ContributorParams>().and_then(|asked| Ok((asked, call.page()?)));
    let query = |(asked, page): &(ContributorParams, Page)| asked.query(page.offset(), page.size);
    let ((asked, page), entry) = call.authorize_rows_with(input, query).await?;
    // pages are found by their numbers alone
    call.params()?.pass_over("cursor");
    let people = people(&entry)?;
    let total = match people.first() {
        Some(Person { total, .. }) => Total::Both(*total, *total > page.offset() + people.len() as i64),
        None if page.is_first() => Total::Both(0, false),
        None => Total::More(false),
    };
    let shown: Vec<Contributor> = people.into_iter().map(Contributor::new).collect();
    let [order, sort] = asked.words();
    call.listing(&page, total, &[("order_by", order), ("sort", sort)], None, &shown)
}
