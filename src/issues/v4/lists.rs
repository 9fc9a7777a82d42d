//! Lists of issues in v4, and how many there are (behaviour 13.2).

use super::entity::{Issue, Seat, View};
use super::filter::Given;
use crate::call::path_number;
use crate::call::{Call, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::issues::filter::{Filter, Milestone, Scope};
use crate::issues::list::{self, Found, Listed, Whose};
use crate::labels;
use crate::page::Page;
use crate::policy::Action;
use serde_json::json;

/// What a list is asked for.
struct Asked {
    filter: Filter,
    page: Page,
    /// Whether labels are shown whole.
    whole_labels: bool,
}

impl Asked {
    fn read(call: &Call<'_>, whose: Whose) -> Result<Asked> {
        let given = Given::read(call)?;
        let filter = given.filter(call.now, whose)?;
        let page = if whose == Whose::Project { call.page_or_keyset()? } else { call.page()? };
        Ok(Asked { filter, page, whole_labels: given.with_labels_details == Some(true) })
    }

    async fn reply(&self, call: &Call<'_>, listed: Listed, links: &Links, seat: Seat) -> Result<Reply> {
        call.store.note_counted(listed.counted());
        let Found { rows, total, cursor } = listed.finish(&self.filter, &self.page, call.is_cut.get())?;
        let named = rows.iter().flat_map(|row| row.labels.iter().map(|title| (row.project_id, title)));
        let labels = match self.whole_labels {
            true => Some(labels::v4::titled(&call.store, named.collect()).await?),
            false => None,
        };
        let view = View { links, now: call.now, seat, labels: labels.as_ref(), single: false };
        let issues: Vec<Issue> = rows.into_iter().map(|row| Issue::new(row, &view)).collect();
        call.listing(&self.page, total, &[], cursor, &issues)
    }
}

/// Without a token only what everybody sees may be asked for.
fn for_anybody(call: &Call<'_>, scope: Result<Scope>) -> Result<()> {
    if call.has_credentials() || scope == Ok(Scope::All) { Ok(()) } else { Err(Error::Unauthorized) }
}

/// GET /issues
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = Asked::read(call, Whose::Caller);
    for_anybody(call, input.as_ref().map(|asked| asked.filter.scope).map_err(Error::clone))?;
    let query = |asked: &Asked| list::statement(&asked.filter, &asked.page, Whose::Caller);
    let (asked, found) = call.browse_with(input, query).await?;
    asked.reply(call, Listed::from(&found.rows)?, &found.links, Seat::Nowhere).await
}

/// GET /groups/:id/issues
pub async fn list_in_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |asked: &Asked| list::statement(&asked.filter, &asked.page, Whose::Group);
    let input = Asked::read(call, Whose::Group);
    let (asked, found) = call.visit_group_with(id, Action::ReadIssues, input, query).await?;
    asked.reply(call, Listed::from(&found.rows)?, &found.links, Seat::Group).await
}

/// GET /projects/:id/issues
pub async fn list_in_project(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |asked: &Asked| list::statement(&asked.filter, &asked.page, Whose::Project);
    let input = Asked::read(call, Whose::Project);
    let (asked, found) = call.visit_with(id, Action::ReadIssues, input, query).await?;
    let listed = Listed::in_project(&found.rows, &found.resource)?;
    asked.reply(call, listed, &found.links, Seat::Project).await
}

/// GET /projects/:id/milestones/:milestone_id/issues
pub async fn list_in_milestone(call: &Call<'_>, id: &str, milestone_id: &str) -> Result<Reply> {
    let input = path_number("milestone_id", milestone_id).and_then(|id| {
        let filter = Filter { milestone: Some(Milestone::Own(id)), ..Filter::default() };
        Ok(Asked { filter, page: call.page()?, whole_labels: false })
    });
    let query = |asked: &Asked| list::statement(&asked.filter, &asked.page, Whose::Project);
    let (asked, found) = call.enter_with(id, Action::ReadMilestones, input, query).await?;
    let listed = Listed::in_project(&found.rows, &found.resource)?;
    if !listed.exists() {
        return Err(Error::no_record());
    }
    asked.reply(call, listed, &found.links, Seat::Project).await
}

/// The filter of a count. Null where there are more than 10,000 that no counter knows.
fn counted(call: &Call<'_>, whose: Whose) -> Result<Filter> {
    Given::read(call)?.filter(call.now, whose)
}

fn counts(call: &Call<'_>, listed: &Listed) -> Reply {
    call.store.note_counted(listed.counted());
    let counts = listed.counts();
    let counts = json!({ "all": counts.all, "closed": counts.closed, "opened": counts.opened });
    Reply::json(200, &json!({ "statistics": { "counts": counts } }))
}

/// GET /issues_statistics
pub async fn count(call: &Call<'_>) -> Result<Reply> {
    let input = counted(call, Whose::Caller);
    for_anybody(call, input.as_ref().map(|filter| filter.scope).map_err(Error::clone))?;
    let (_, found) = call.browse_with(input, |filter| list::statistics(filter, Whose::Caller)).await?;
    Ok(counts(call, &Listed::from(&found.rows)?))
}

/// GET /groups/:id/issues_statistics
pub async fn count_in_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |filter: &Filter| list::statistics(filter, Whose::Group);
    let input = counted(call, Whose::Group);
    let (_, found) = call.visit_group_with(id, Action::ReadIssues, input, query).await?;
    Ok(counts(call, &Listed::from(&found.rows)?))
}

/// GET /projects/:id/issues_statistics
pub async fn count_in_project(call: &Call<'_>, id: &str) -> Result<Reply> {
    let query = |filter: &Filter| list::statistics(filter, Whose::Project);
    let input = counted(call, Whose::Project);
    let (_, found) = call.visit_with(id, Action::ReadIssues, input, query).await?;
    Ok(counts(call, &Listed::in_project(&found.rows, &found.resource)?))
}
