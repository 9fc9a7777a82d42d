use super::{MilestoneChange, NewMilestone, State, StateEvent, sql};
use crate::areas::issues::MilestoneRow;
use crate::kernel::call::path_id;
use crate::kernel::walk::{self, CountedRows};
use crate::kernel::{Call, Error, Page, Parameters, Patch, PreparedQuery, Query, Reply, Result};

#[derive(Debug, Parameters)]
struct List {
    state: Option<State>,
    iid: Option<Vec<i64>>,
}

impl List {
    fn query(&self, page: &Page) -> PreparedQuery<CountedRows<MilestoneRow>> {
        let state = self.state.and_then(State::stored);
        let iids = self.iid.as_deref().filter(|numbers| !numbers.is_empty());
        let iids = iids.map(|iids| serde_json::json!(iids).to_string());
        let iids = iids.as_deref();
        let ((after, skip), most) = (page.after(), page.size + 1);
        let page = match iids {
            Some(_) => sql::numbered { state, iids, after, most, skip }.prepare(),
            None => sql::list { state, after, most, skip }.prepare(),
        };
        let is_whole = iids.is_none() && state.is_none();
        let count = if is_whole { sql::total {}.prepare() } else { sql::count { state, iids }.prepare() };
        (page, count).prepare()
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<List>().and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(List, Page)| filter.query(page);
    let ((_, page), _, (rows, total)) = call.authorize_with(input, query).await?;
    let rows = walk::page(rows, &page, |row| [row.iid.into()]).with_count(total);
    rows.reply_at(call, &page, &[("id", &call.named())], |row| row)
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
