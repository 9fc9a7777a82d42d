use super::{MilestoneChange, NewMilestone, State, StateEvent, sql};
use crate::areas::issues::MilestoneRow;
use crate::kernel::call::path_id;
use crate::kernel::lists::Listed;
use crate::kernel::{Call, Error, Page, Parameters, Patch, PreparedQuery, Query, Reply, Result};
use serde_json::json;

#[derive(Debug, Parameters)]
struct List {
    state: Option<State>,
    iid: Option<Vec<i64>>,
}

impl List {
    fn query(&self, page: Page) -> PreparedQuery<Listed<MilestoneRow>> {
        let state = self.state.and_then(State::stored);
        let iids = self.iid.as_deref().filter(|numbers| !numbers.is_empty());
        match (iids, state) {
            (Some(iids), _) => sql::numbered { state, iids: json!(iids).to_string(), page }.prepare(),
            (None, Some(state)) => sql::in_state { state, page }.prepare(),
            (None, None) => sql::list { page }.prepare(),
        }
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<List>().and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(List, Page)| filter.query(page.clone());
    let (_, _, milestones) = call.authorize_with(input, query).await?;
    milestones.reply_at(call, &[("id", &call.named())], |row| row)
}

pub async fn show(call: &Call<'_>, milestone_id: &str) -> Result<Reply> {
    let (_, _, row) = call.authorize_with(path_id(milestone_id), |id| sql::one { id: *id }).await?;
    Ok(Reply::json(200, &row.ok_or_else(Error::no_record)?))
}

#[derive(Debug, Parameters)]
struct Creation {
    #[param(default)]
    title: String,
    description: Option<String>,
    due_date: Option<String>,
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation_and_errors::<Creation>().map(|(new, errors)| {
        let Creation { title, description, due_date } = new;
        (NewMilestone { title, description, due_date, start_date: None }, errors)
    });
    let (row, _) = super::create(call, input).await?;
    Ok(Reply::json(201, &row))
}

#[derive(Debug, Parameters)]
struct Edit {
    title: Patch<String>,
    description: Patch<String>,
    due_date: Patch<String>,
    state_event: Option<StateEvent>,
}

pub async fn update(call: &Call<'_>, milestone_id: &str) -> Result<Reply> {
    let input = call.edit_and_errors::<Edit>().map(|(edit, errors)| {
        let Edit { title, description, due_date, state_event } = edit;
        (MilestoneChange { title, description, due_date, start_date: Patch::Keep, state_event }, errors)
    });
    let (row, _) = super::update(call, path_id(milestone_id), input).await?;
    Ok(Reply::json(200, &row))
}
