use super::{MilestoneChange, MilestoneSearchRow, NewMilestone, State, sql};
use crate::areas::issues::MilestoneRow;
use crate::areas::issues::v4::milestone::Milestone;
use crate::kernel::call::path_number;
use crate::kernel::empty;
use crate::kernel::fold::patterns;
use crate::kernel::paging::{EVER, Key, MOST_FOUND};
use crate::kernel::time::{self, day_of};
use crate::kernel::walk::{self, CountedRows, WalkRow};
use crate::kernel::{Call, Entry, Error, Page, Parameters, PreparedQuery, Query, Reply, Result, ValidationErrors};

fn reply(call: &Call<'_>, status: u16, (row, entry): (MilestoneRow, Entry)) -> Reply {
    Reply::json(status, &Milestone::new(row, &entry.resource.full_path, &entry.links, call.now))
}

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
    /// `updated_after` and `updated_before`.
    fn updated(&self) -> Result<[Option<i64>; 2]> {
        let at = |name: &str, text: &Option<String>| match text {
            Some(text) => time::read(text).map(Some).ok_or_else(|| Error::invalid(name)),
            None => Ok(None),
        };
        Ok([at("updated_after", &self.updated_after)?, at("updated_before", &self.updated_before)?])
    }

    fn query(
        &self,
        [updated_after, updated_before]: [Option<i64>; 2],
        page: &Page,
    ) -> PreparedQuery<CountedRows<MilestoneRow>> {
        let (state, title) = (self.state.and_then(State::stored), self.title.as_deref());
        let words = self.search.as_deref().map(|text| patterns(text.trim()));
        let numbers = self.iids.as_ref().map(|iids| serde_json::json!(iids).to_string());
        let (search, iids) = (words.as_deref(), numbers.as_deref());
        let ([before], skip) = page.begin([Key::from(EVER)]);
        let (most, looks) = (page.size + 1, if search.is_some() { 1_000 } else { 10_000 });
        let count = sql::count_newest { state, title, search, updated_after, updated_before, iids, looks };
        let list =
            sql::newest_first { state, title, search, updated_after, updated_before, iids, before, looks, most, skip };
        (list, count).prepare()
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| {
        let page = call.page()?;
        Ok((filter.updated()?, filter, page))
    });
    let query = |(updated, filter, page): &([Option<i64>; 2], Filter, Page)| filter.query(*updated, page);
    let ((.., page), entry, (rows, total)) = call.authorize_with(input, query).await?;
    let rows = walk::page(rows, &page, |row| [row.iid.into()]).with_count(total);
    let shown = |row| Milestone::new(row, &entry.resource.full_path, &entry.links, call.now);
    rows.reply(call, &page, shown)
}

#[derive(Debug, Parameters)]
struct Search {
    state: Option<State>,
    search: Option<String>,
}

impl Search {
    fn query(&self, page: &Page, in_group: bool) -> PreparedQuery<Vec<WalkRow<MilestoneSearchRow>>> {
        let state = self.state.and_then(State::stored);
        let search = patterns(self.search.as_deref().unwrap_or_default().trim());
        let (([before], skip), most) = (page.begin([Key::from(EVER)]), page.size + 1);
        match in_group {
            true => sql::found_in_group { state, search, before, most, skip }.prepare(),
            false => sql::found_anywhere { state, search, before, most, skip }.prepare(),
        }
    }
}

/// Milestones of many projects, the newest first: of a group, or of all that the caller sees.
pub async fn search(call: &Call<'_>, in_group: bool) -> Result<Reply> {
    let input = call.filters::<Search>().and_then(|search| Ok((search, call.page()?.reaching(MOST_FOUND))));
    let query = |(search, page): &(Search, Page)| search.query(page, in_group);
    let ((_, page), entry, rows) = call.authorize_with(input, query).await?;
    let rows = walk::page(rows, &page, |row| [row.milestone.id.into()]);
    rows.reply(call, &page, |row| Milestone::new(row.milestone, &row.full_path, &entry.links, call.now))
}

fn named(milestone_id: &str) -> Result<i64> {
    path_number("milestone_id", milestone_id)
}

pub async fn show(call: &Call<'_>, milestone_id: &str) -> Result<Reply> {
    let (_, entry, row) = call.authorize_with(named(milestone_id), |id| sql::one { id: *id }).await?;
    Ok(reply(call, 200, (row.ok_or_else(Error::no_record)?, entry)))
}

/// Always empty.
pub async fn merge_requests(call: &Call<'_>, milestone_id: &str) -> Result<Reply> {
    let input = named(milestone_id).and_then(|milestone_id| Ok((milestone_id, call.page()?)));
    let ((_, page), _, row) = call.authorize_with(input, |(id, _)| sql::one { id: *id }).await?;
    row.ok_or_else(Error::no_record)?;
    empty::reply(call, &page)
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation_and_errors::<NewMilestone>().map(|(mut new, errors)| {
        (new.due_date, new.start_date) = (new.due_date.map(day_of), new.start_date.map(day_of));
        (new, errors)
    });
    Ok(reply(call, 201, super::create(call, input).await?))
}

fn read_change(call: &Call<'_>) -> Result<(MilestoneChange, ValidationErrors)> {
    let (mut change, errors) = call.edit_and_errors::<MilestoneChange>()?;
    call.params()?.require_one_of(&["title", "description", "start_date", "due_date", "state_event"])?;
    (change.due_date, change.start_date) = (change.due_date.map(day_of), change.start_date.map(day_of));
    Ok((change, errors))
}

pub async fn update(call: &Call<'_>, milestone_id: &str) -> Result<Reply> {
    Ok(reply(call, 200, super::update(call, named(milestone_id), read_change(call)).await?))
}

pub async fn delete(call: &Call<'_>, milestone_id: &str) -> Result<Reply> {
    super::delete(call, named(milestone_id)).await?;
    Ok(Reply::empty(204))
}
