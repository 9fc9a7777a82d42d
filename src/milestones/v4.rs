//! Milestones in v4 (behaviour 13.2).

use super::{EditMilestone, NewMilestone, State, StateEvent, change, make, sql};
use crate::call::path_number;
use crate::call::{Call, Entered};
use crate::empty;
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::issues::sql::MilestoneRow;
use crate::issues::v4::milestone::Milestone;
use crate::page::Page;
use crate::params::{Parameters, Patch};
use crate::policy::Action;
use crate::time::{self, day_of};
use serde_json::json;

fn reply(call: &Call<'_>, status: u16, (row, entered): (MilestoneRow, Entered)) -> Reply {
    let Entered { resource, links, .. } = entered;
    Reply::json(status, &Milestone::new(row, &resource.full_path, &links, call.now))
}

/// Parameters of `GET /projects/:id/milestones`.
#[derive(Debug, Parameters)]
struct Filter {
    iids: Option<Vec<i64>>,
    state: Option<State>,
    title: Option<String>,
    search: Option<String>,
    updated_after: Option<String>,
    updated_before: Option<String>,
}

impl Filter {
    fn json(&self) -> Result<String> {
        let state = match self.state {
            Some(State::Active) => Some("active"),
            Some(State::Closed) => Some("closed"),
            Some(State::All) | None => None,
        };
        let at = |name: &str, text: &Option<String>| match text {
            Some(text) => time::read(text).map(Some).ok_or_else(|| Error::invalid(name)),
            None => Ok(None),
        };
        let after = at("updated_after", &self.updated_after)?;
        let before = at("updated_before", &self.updated_before)?;
        let search = self.search.as_deref().map(|text| text.trim().to_ascii_lowercase());
        Ok(json!([state, self.title, search, after, before, self.iids]).to_string())
    }
}

/// GET /projects/:id/milestones
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter.json()?, call.page()?)));
    let query = |(filter, page): &(String, Page)| sql::newest_first(filter.clone(), page);
    let ((_, page), entered) = call.enter_with(id, Action::ReadMilestones, input, query).await?;
    let (total, mut rows) = sql::read(&entered.rows)?;
    call.store.note_counted(total.unwrap_or(10_001).unsigned_abs());
    let total = page.cut_counted(&mut rows, total);
    let cursor = rows.last().and_then(|row| page.next([row.iid.into()]));
    let (path, links) = (&entered.resource.full_path, &entered.links);
    let shown = |row| Milestone::new(row, path, links, call.now);
    let milestones: Vec<Milestone> = rows.into_iter().map(shown).collect();
    call.listing(&page, total, &[], cursor, &milestones)
}

/// The milestone that a path names by its id.
fn named(milestone_id: &str) -> Result<i64> {
    path_number("milestone_id", milestone_id)
}

async fn find(call: &Call<'_>, id: &str, milestone_id: Result<i64>) -> Result<(MilestoneRow, Entered)> {
    let (_, entered) = call.enter_with(id, Action::ReadMilestones, milestone_id, |id| sql::one(*id)).await?;
    let row: MilestoneRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    Ok((row, entered))
}

/// GET /projects/:id/milestones/:milestone_id
pub async fn show(call: &Call<'_>, id: &str, milestone_id: &str) -> Result<Reply> {
    Ok(reply(call, 200, find(call, id, named(milestone_id)).await?))
}

/// GET /projects/:id/milestones/:milestone_id/merge_requests: there are none.
pub async fn merge_requests(call: &Call<'_>, id: &str, milestone_id: &str) -> Result<Reply> {
    let input = named(milestone_id).and_then(|milestone_id| Ok((milestone_id, call.page()?)));
    let page = input.as_ref().map_err(Error::clone).map(|(_, page)| page.clone());
    find(call, id, input.map(|(milestone_id, _)| milestone_id)).await?;
    empty::reply(call, &page?)
}

/// Parameters of `POST /projects/:id/milestones`.
#[derive(Debug, Parameters)]
struct New {
    title: String,
    description: Option<String>,
    due_date: Option<String>,
    start_date: Option<String>,
}

/// POST /projects/:id/milestones
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation_and_errors::<New>().map(|(new, errors)| {
        let New { title, description, due_date, start_date } = new;
        let (due_date, start_date) = (due_date.map(day_of), start_date.map(day_of));
        (NewMilestone { title, description, due_date, start_date }, errors)
    });
    Ok(reply(call, 201, make(call, id, input).await?))
}

/// Parameters of `PUT /projects/:id/milestones/:milestone_id`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Edit {
    title: Patch<String>,
    description: Patch<String>,
    due_date: Patch<String>,
    start_date: Patch<String>,
    state_event: Option<StateEvent>,
}

impl Edit {
    fn read(call: &Call<'_>) -> Result<(EditMilestone, ValidationErrors)> {
        let (edit, errors) = call.edit_and_errors::<Edit>()?;
        call.params()?.refuse_blank(&["title"])?;
        let fields = ["title", "description", "start_date", "due_date", "state_event"];
        call.params()?.require_one_of(&fields)?;
        let Edit { title, description, due_date, start_date, state_event } = edit;
        let (due_date, start_date) = (due_date.map(day_of), start_date.map(day_of));
        Ok((EditMilestone { title, description, due_date, start_date, state_event }, errors))
    }
}

/// PUT /projects/:id/milestones/:milestone_id
pub async fn update(call: &Call<'_>, id: &str, milestone_id: &str) -> Result<Reply> {
    Ok(reply(call, 200, change(call, id, named(milestone_id), Edit::read(call)).await?))
}

/// DELETE /projects/:id/milestones/:milestone_id: its issues lose it.
pub async fn delete(call: &Call<'_>, id: &str, milestone_id: &str) -> Result<Reply> {
    let query = |id: &i64| sql::held(*id);
    let (_, entered) = call.enter_with(id, Action::ManageMilestones, named(milestone_id), query).await?;
    let Some((milestone_id, issues, updated_at)) = entered.rows.first()? else {
        // who asks again for what was too large for one request
        sql::go_on(&call.store, entered.resource.id).await?;
        return Err(Error::no_record());
    };
    call.expect_unmodified(updated_at)?;
    sql::delete(&call.store, entered.resource.id, milestone_id, issues).await?;
    Ok(Reply::empty(204))
}
