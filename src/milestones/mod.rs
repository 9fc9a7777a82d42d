//! Milestones of a project, in v3's shapes (behaviour 6).

pub mod sql;
pub mod v4;

use crate::call::{Call, Entered, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::issues::entity::Milestone;
use crate::issues::list::{self, Listed, Whose};
use crate::issues::sql::MilestoneRow;
use crate::page::Page;
use crate::params::{Parameters, Patch};
use crate::policy::Action;
use crate::time;

/// Parameters of `GET /projects/:id/milestones`.
#[derive(Debug, Parameters)]
struct ListMilestones {
    state: Option<State>,
    iid: Option<Vec<i64>>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum State {
    Active,
    Closed,
    All,
}

impl ListMilestones {
    /// None: of any state.
    fn state(&self) -> Option<&'static str> {
        match self.state {
            Some(State::Active) => Some("active"),
            Some(State::Closed) => Some("closed"),
            Some(State::All) | None => None,
        }
    }
}

/// GET /projects/:id/milestones
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.filters::<ListMilestones>().and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(ListMilestones, Page)| {
        sql::list(filter.state(), filter.iid.as_deref().filter(|numbers| !numbers.is_empty()), page)
    };
    let ((filter, page), entered) = call.enter_with(id, Action::ReadMilestones, input, query).await?;
    let (total, mut rows) = sql::read(&entered.rows)?;
    if filter.state().is_some() {
        call.store.note_counted(total.unwrap_or(10_001).unsigned_abs());
    }
    let total = page.cut_counted(&mut rows, total);
    let cursor = rows.last().and_then(|row| page.next([row.iid.into()]));
    let milestones: Vec<Milestone> = rows.into_iter().map(Milestone::new).collect();
    call.listing(&page, total, &[("id", id)], cursor, &milestones)
}

/// GET /projects/:id/milestones/:milestone_id
pub async fn show(call: &Call<'_>, id: &str, milestone_id: &str) -> Result<Reply> {
    let (_, entered) =
        call.enter_with(id, Action::ReadMilestones, path_id(milestone_id), |id| sql::one(*id)).await?;
    let row: MilestoneRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Milestone::new(row)))
}

/// GET /projects/:id/milestones/:milestone_id/issues
pub async fn issues(call: &Call<'_>, id: &str, milestone_id: &str) -> Result<Reply> {
    let input = path_id(milestone_id).and_then(|milestone_id| list::read_of_milestone(call, milestone_id));
    let ((filter, page), entered) = call
        .enter_with(id, Action::ReadMilestones, input, |(filter, page)| {
            list::statement(filter, page, Whose::Project)
        })
        .await?;
    let listed = Listed::in_project(&entered.rows, &entered.resource)?;
    if !listed.exists() {
        return Err(Error::no_record());
    }
    let path = [("id", id), ("milestone_id", milestone_id)];
    listed.reply(call, &filter, &page, &path, &entered.links)
}

/// Parameters of `POST /projects/:id/milestones`.
#[derive(Debug, Parameters)]
pub struct NewMilestone {
    #[param(default)]
    title: String,
    description: Option<String>,
    due_date: Option<String>,
    #[param(skip)]
    start_date: Option<String>,
}

/// POST /projects/:id/milestones
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, _) = make(call, id, call.creation_and_errors()).await?;
    Ok(Reply::json(201, &Milestone::new(row)))
}

/// Makes a milestone of what was sent.
async fn make(
    call: &Call<'_>,
    id: &str,
    input: Result<(NewMilestone, ValidationErrors)>,
) -> Result<(MilestoneRow, Entered)> {
    let input = input.and_then(|(new, mut errors)| {
        if new.title.trim().is_empty() {
            errors.missing("title");
        }
        check(new.due_date.as_deref(), new.start_date.as_deref(), errors)?;
        Ok(new)
    });
    let (new, entered) = call.enter_with(id, Action::ManageMilestones, input, |_| sql::nothing()).await?;
    let row = sql::create(&call.store, entered.resource.id, &new, call.now).await?;
    Ok((row.ok_or_else(taken)?, entered))
}

/// Parameters of `PUT /projects/:id/milestones/:milestone_id`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct EditMilestone {
    title: Patch<String>,
    description: Patch<String>,
    due_date: Patch<String>,
    #[param(skip)]
    start_date: Patch<String>,
    state_event: Option<StateEvent>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum StateEvent {
    Close,
    Activate,
}

/// PUT /projects/:id/milestones/:milestone_id
pub async fn update(call: &Call<'_>, id: &str, milestone_id: &str) -> Result<Reply> {
    let (row, _) = change(call, id, path_id(milestone_id), call.edit_and_errors()).await?;
    Ok(Reply::json(200, &Milestone::new(row)))
}

/// Changes a milestone; as it is then.
async fn change(
    call: &Call<'_>,
    id: &str,
    milestone_id: Result<i64>,
    input: Result<(EditMilestone, ValidationErrors)>,
) -> Result<(MilestoneRow, Entered)> {
    let input = input.and_then(|(edit, mut errors)| {
        if edit.title == Patch::Clear {
            errors.add("title", "can't be blank");
        }
        check(edit.due_date.set().map(String::as_str), edit.start_date.set().map(String::as_str), errors)?;
        Ok(edit)
    });
    let (_, entered) =
        call.enter_with(id, Action::ManageMilestones, milestone_id, |id| sql::one(*id)).await?;
    let row: MilestoneRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    let edit = input?;
    let date = |patch: &Patch<String>, was: &Option<String>| match patch {
        Patch::Keep => was.clone(),
        patch => patch.set().cloned(),
    };
    let (due, start) = (date(&edit.due_date, &row.due_date), date(&edit.start_date, &row.start_date));
    in_order(due.as_deref(), start.as_deref())?;
    let state = edit.state_event.map(|event| if event == StateEvent::Close { "closed" } else { "active" });
    let row = sql::update(&call.store, row.id, &edit, state, call.now).await?;
    Ok((row.ok_or_else(taken)?, entered))
}

fn taken() -> Error {
    Error::field("title", "has already been taken")
}

fn check(due_date: Option<&str>, start_date: Option<&str>, mut errors: ValidationErrors) -> Result<()> {
    for (name, date) in [("due_date", due_date), ("start_date", start_date)] {
        if date.is_some_and(|date| time::date(date).is_none()) {
            errors.add(name, "is invalid");
        }
    }
    errors.result()?;
    in_order(due_date, start_date)
}

/// It is not due before it begins.
fn in_order(due_date: Option<&str>, start_date: Option<&str>) -> Result<()> {
    match due_date.zip(start_date) {
        Some((due, start)) if due < start => Err(Error::field("due_date", "must be greater than start date")),
        _ => Ok(()),
    }
}
