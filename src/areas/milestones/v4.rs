use super::{MilestoneChange, MilestoneSearchRow, NewMilestone, State, sql};
use crate::areas::issues::MilestoneRow;
use crate::areas::issues::v4::milestone::Milestone;
use crate::kernel::call::path_number;
use crate::kernel::empty_answers;
use crate::kernel::lists::Listed;
use crate::kernel::paging::MOST_FOUND;
use crate::kernel::text::fold::patterns;
use crate::kernel::time::{self, day_of};
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
        page: Page,
    ) -> PreparedQuery<Listed<MilestoneRow>> {
        sql::newest_first {
            state: self.state.and_then(State::stored),
            title: self.title.as_deref(),
            search: self.search.as_deref().map(|text| patterns(text.trim())),
            updated_after,
            updated_before,
            iids: self.iids.as_ref().map(|iids| serde_json::json!(iids).to_string()),
            page,
        }
        .prepare()
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| {
        let page = call.page()?;
        Ok((filter.updated()?, filter, page))
    });
    let query = |(updated, filter, page): &([Option<i64>; 2], Filter, Page)| filter.query(*updated, page.clone());
    let (_, entry, milestones) = call.authorize_with(input, query).await?;
    let shown = |row| Milestone::new(row, &entry.resource.full_path, &entry.links, call.now);
    milestones.reply(call, shown)
}

/// The hint of a search that looked at a part of the milestones.
const NEWEST: &str = "only the newest milestones of each project were looked at: a search in a project looks at all";

#[derive(Debug, Parameters)]
struct Search {
    state: Option<State>,
    search: Option<String>,
}

impl Search {
    /// The milestones, and whether others may not have been looked at.
    fn query(&self, page: Page, in_group: bool) -> PreparedQuery<(Listed<MilestoneSearchRow>, Option<bool>)> {
        let state = self.state.and_then(State::stored);
        let search = patterns(self.search.as_deref().unwrap_or_default().trim());
        match in_group {
            true => (sql::found_in_group { state, search, page }, sql::is_part_in_group {}).prepare(),
            false => (sql::found_anywhere { state, search, page }, sql::is_part_anywhere {}).prepare(),
        }
    }
}

/// Milestones of many projects, the newest first: of a group, or of all that the caller sees.
pub async fn search(call: &Call<'_>, in_group: bool) -> Result<Reply> {
    let input = call.filters::<Search>().and_then(|search| Ok((search, call.page()?.reaching(MOST_FOUND))));
    let query = |(search, page): &(Search, Page)| search.query(page.clone(), in_group);
    let (_, entry, (milestones, is_part)) = call.authorize_with(input, query).await?;
    let milestones = milestones.of_part((is_part == Some(true)).then_some(NEWEST));
    milestones.reply(call, |row| Milestone::new(row.milestone, &row.full_path, &entry.links, call.now))
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
    empty_answers::reply(call, &page)
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
