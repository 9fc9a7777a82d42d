//! The badges of a project: addresses of pictures and of pages (v4, behaviour 8.4).

use super::placeholders::{self, Facts};
use crate::kernel::call::{commit, path_number};
use crate::kernel::text::web_address::{WEB, is_address};
use crate::kernel::{Call, Entry, Error, Page, Parameters, Query, Reply, Result, Row, Statement, ValidationErrors};
use serde::Serialize;

edgeforge_row::statements!(pub mod sql: "src/areas/badges/of_project.sql");

#[derive(Debug, Row)]
pub struct BadgeRow {
    id: i64,
    name: Option<String>,
    link_url: String,
    image_url: String,
}

#[derive(Debug, Serialize)]
struct RenderedBadge {
    link_url: String,
    image_url: String,
    rendered_link_url: String,
    rendered_image_url: String,
}

impl RenderedBadge {
    fn new(link_url: String, image_url: String, facts: &Facts, entry: &Entry) -> RenderedBadge {
        let [rendered_link_url, rendered_image_url] = [&link_url, &image_url].map(|address| facts.fill(address, entry));
        RenderedBadge { link_url, image_url, rendered_link_url, rendered_image_url }
    }
}

#[derive(Debug, Serialize)]
struct Badge {
    id: i64,
    name: Option<String>,
    #[serde(flatten)]
    rendered: RenderedBadge,
    kind: &'static str,
}

impl Badge {
    fn new(row: BadgeRow, facts: &Facts, entry: &Entry) -> Badge {
        let rendered = RenderedBadge::new(row.link_url, row.image_url, facts, entry);
        Badge { id: row.id, name: row.name, rendered, kind: "project" }
    }
}

/// The facts are the rows of the last statement.
#[derive(Debug, Parameters)]
struct Filter {
    name: Option<String>,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter.name, call.page()?)));
    let query = |(name, page): &(Option<String>, Page)| {
        (sql::list { name: name.as_deref(), page: page.clone() }, placeholders::query()).prepare()
    };
    let (_, entry, (badges, facts)) = call.authorize_with(input, query).await?;
    badges.reply(call, |row| Badge::new(row, &facts, &entry))
}

async fn find(call: &Call<'_>, badge_id: &str) -> Result<(BadgeRow, Facts, Entry)> {
    let input = path_number("badge_id", badge_id);
    let query = |badge_id: &i64| (sql::one { badge_id: *badge_id }, placeholders::query());
    let (_, entry, (row, facts)) = call.authorize_with(input, query).await?;
    Ok((row.ok_or_else(|| Error::missing("Badge"))?, facts, entry))
}

pub async fn show(call: &Call<'_>, badge_id: &str) -> Result<Reply> {
    let (row, facts, entry) = find(call, badge_id).await?;
    Ok(Reply::json(200, &Badge::new(row, &facts, &entry)))
}

#[derive(Debug, Parameters)]
struct Addresses {
    link_url: String,
    image_url: String,
}

impl Addresses {
    fn check(&self) -> Result<()> {
        check(Some(&self.link_url), Some(&self.image_url))
    }
}

fn check(link_url: Option<&str>, image_url: Option<&str>) -> Result<()> {
    let mut errors = ValidationErrors::default();
    for (name, address) in [("link_url", link_url), ("image_url", image_url)] {
        // `%{gitlab_server}` may be the host
        let filled = address.map(|address| address.replace("%{", "").replace('}', ""));
        if filled.is_some_and(|address| !is_address(&address, WEB)) {
            errors.add(name, "is blocked: Only allowed schemes are http, https");
        }
    }
    errors.result()
}

/// What a badge with these addresses would show.
pub async fn render(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Addresses>().and_then(|given| given.check().map(|()| given));
    let (Addresses { link_url, image_url }, entry, facts) =
        call.authorize_with(input, |_| placeholders::query()).await?;
    Ok(Reply::json(200, &RenderedBadge::new(link_url, image_url, &facts, &entry)))
}

/// The most badges of a project. The statement `expect_room` has the same number.
const MOST: i64 = 100;

#[derive(Debug, Parameters)]
struct NewBadge {
    name: Option<String>,
    #[param(flatten)]
    addresses: Addresses,
}

async fn write(call: &Call<'_>, steps: Vec<Statement>, refused: Error) -> Result<BadgeRow> {
    let change = commit::Change::new(steps, ());
    let written: commit::WrittenRow<BadgeRow> = call.commit(Ok(change), |_, ()| Ok(refused)).await?;
    Ok(written.row)
}

fn full() -> Error {
    Error::message(format!("400 Bad request - A project has at most {MOST} badges"))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation::<NewBadge>().and_then(|new| new.addresses.check().map(|()| new));
    let query = |_: &NewBadge| (placeholders::query(), sql::total { name: None::<String> });
    let (NewBadge { name, addresses }, entry, (facts, number)) = call.authorize_with(input, query).await?;
    if number.total.is_some_and(|total| total >= MOST) {
        return Err(full());
    }
    let Addresses { link_url, image_url } = addresses;
    let create = sql::create { name, link_url, image_url }.into();
    let row = write(call, vec![sql::expect_room {}.into(), create, sql::newest {}.into()], full()).await?;
    Ok(Reply::json(201, &Badge::new(row, &facts, &entry)))
}

#[derive(Debug, Parameters)]
struct Edit {
    name: Option<String>,
    link_url: Option<String>,
    image_url: Option<String>,
}

pub async fn update(call: &Call<'_>, badge_id: &str) -> Result<Reply> {
    let input = call.edit::<Edit>();
    let (row, facts, entry) = find(call, badge_id).await?;
    let Edit { name, link_url, image_url } = input?;
    check(link_url.as_deref(), image_url.as_deref())?;
    let badge_id = row.id;
    let update = sql::update { badge_id, name, link_url, image_url }.into();
    let steps = vec![sql::expect_badge { badge_id }.into(), update, sql::one { badge_id }.into()];
    let row = write(call, steps, Error::missing("Badge")).await?;
    Ok(Reply::json(200, &Badge::new(row, &facts, &entry)))
}

pub async fn remove(call: &Call<'_>, badge_id: &str) -> Result<Reply> {
    let (row, _, entry) = find(call, badge_id).await?;
    call.write_safely(sql::remove { badge_id: row.id, project_id: entry.resource.id }).await?;
    Ok(Reply::empty(204))
}
