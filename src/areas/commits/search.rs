//! Commits found by a text of their messages, or by their hash (behaviour 17).

use super::history::{Bounds, CommitPage, Listing, Walk};
use super::v4::{Commit, CommitExtras};
use super::{Builds, CommitRow, SingleRow, one};
use crate::areas::words::{Asked, lower, pattern, reach, words_of};
use crate::kernel::lists::{ListTotal, Listed};
use crate::kernel::paging::Total;
use crate::kernel::store::Rows;
use crate::kernel::{Call, Entry, Page, Parameters, PreparedQuery, Query, Reply, Result, Row, Statement};
use serde_json::json;
use std::collections::HashMap;

edgeforge_row::statements!(mod sql: "src/areas/commits/search.sql");

/// Digits of a hash that name a commit.
const SHORTEST_HASH: usize = 7;

#[derive(Parameters)]
struct Search {
    search: Option<String>,
    #[param(rename = "ref")]
    name: Option<String>,
}

#[derive(Row)]
struct FoundRow {
    document: CommitRow,
}

#[derive(Row)]
struct Known {
    is_known: bool,
    #[row(flatten)]
    all: ListTotal,
}

/// The page that the index of words has, and whether it is right.
type Indexed = PreparedQuery<(Listed<FoundRow>, Option<Known>)>;

impl Search {
    /// The page of a walk through the history of the ref, which reads the messages.
    fn walked(&self, page: &Page) -> Result<Statement> {
        Listing { name: self.name.as_deref(), message: Some(self.text()), ..Listing::default() }.query(page)
    }

    /// The walk where the text has no word and on its further pages, else the index, and the commit of the hash.
    fn query(&self, page: &Page, walked: &Statement) -> (Option<Statement>, Option<Indexed>, Option<Statement>) {
        let text = self.text();
        let is_hash = text.len() >= SHORTEST_HASH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_walk = Walk::begin(page).is_ok_and(|(walk, _)| walk.is_some());
        let indexed = if is_walk { None } else { self.indexed(page) };
        let walked = indexed.is_none().then(|| walked.clone());
        (walked, indexed, (is_hash && !page.follows()).then(|| one(text)))
    }

    fn text(&self) -> &str {
        self.search.as_deref().unwrap_or_default().trim()
    }

    fn indexed(&self, page: &Page) -> Option<Indexed> {
        let text = lower(self.text());
        let words = words_of(&text);
        let asked = Asked::of(&words);
        let is_exact = asked.is_exact && words.contains(&text);
        let pattern = json!([pattern(&text)]).to_string();
        let page = page.clone().reaching(reach(is_exact));
        let inexact = (!is_exact).then(|| pattern.clone());
        let name = self.name.as_deref();
        // commits that a total counts: fewer if their messages are read
        let most = if is_exact { 10_000 } else { 2000 };
        let known =
            sql::known { name, asked: asked.text.clone(), text: pattern.clone(), inexact: inexact.clone(), most };
        let found = sql::found { asked: asked.text, text: pattern, inexact, page };
        (!words.is_empty()).then(|| (found, known).prepare())
    }
}

#[derive(Row)]
struct CommitBuilds {
    sha: String,
    #[row(flatten)]
    builds: Builds,
}

fn shown(row: CommitRow, builds: Builds, entry: &Entry) -> Commit {
    Commit::single(row, builds, entry, CommitExtras { stats: true, trailers: false })
}

/// Lists the matches in the order of the list of commits.
pub async fn in_project(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Search>().and_then(|search| {
        let page = call.page()?;
        Ok((search.walked(&page)?, search, page))
    });
    let query = |(walked, search, page): &(Statement, Search, Page)| search.query(page, walked);
    let ((walked, _, page), entry, (rows, indexed, named)) = call.authorize_with(input, query).await?;
    if let Some(row) = named.unwrap_or_default().first::<SingleRow>()? {
        let commit = shown(row.commit, row.builds, &entry);
        let first: Vec<Commit> = page.is_first().then_some(commit).into_iter().collect();
        return call.listing(&page, Total::Hidden(false), &[], None, &first);
    }
    match indexed.and_then(|indexed| complete(indexed, &page)) {
        Some(found) => of_index(call, &entry, found).await,
        None => of_walk(call, &entry, page, rows, walked).await,
    }
}

/// The page with its total, if it is right. The pages behind it by a cursor are of the index, too.
fn complete((found, known): (Listed<FoundRow>, Option<Known>), page: &Page) -> Option<Listed<FoundRow>> {
    let known = known.filter(|known| known.is_known);
    let is_right = known.is_some() || page.follows();
    let count = known.map(|known| known.all).filter(|_| page.is_counted());
    is_right.then(|| found.with_count(count))
}

async fn of_index(call: &Call<'_>, entry: &Entry, found: Listed<FoundRow>) -> Result<Reply> {
    let commits = found.rows.iter().map(|row| row.document.clone()).collect();
    let mut commits = with_builds(call, entry, commits).await?.into_iter();
    found.reply(call, |_| commits.next())
}

/// `rows`: of the statement, None if it has not run yet.
async fn of_walk(call: &Call<'_>, entry: &Entry, page: Page, rows: Option<Rows>, walked: Statement) -> Result<Reply> {
    let rows = match rows {
        Some(rows) => rows,
        None => call.authorize(walked).await?.1,
    };
    let listed = CommitPage::read(&rows, None, Bounds::default(), &page)?;
    let commits = with_builds(call, entry, listed.commits).await?;
    call.listing(&page, Total::Hidden(listed.has_more), &[], listed.cursor, &commits)
}

async fn with_builds(call: &Call<'_>, entry: &Entry, commits: Vec<CommitRow>) -> Result<Vec<Commit>> {
    if commits.is_empty() {
        return Ok(Vec::new());
    }
    let shas: Vec<&str> = commits.iter().map(|row| row.sha.as_str()).collect();
    let query = super::sql::built { project_id: entry.resource.id, shas: json!(shas).to_string() };
    let built: Vec<CommitBuilds> = call.store.ask(query).await?.all()?;
    let mut builds: HashMap<String, Builds> = built.into_iter().map(|row| (row.sha, row.builds)).collect();
    let with = |row: CommitRow| {
        let builds = builds.remove(&row.sha).unwrap_or_default();
        shown(row, builds, entry)
    };
    Ok(commits.into_iter().map(with).collect())
}
