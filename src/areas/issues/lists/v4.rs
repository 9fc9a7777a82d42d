use super::filter::{Filter, Milestone, Scope};
use super::parameters::ListParams;
use super::{Count, List, ListPlace, MOST_COUNTED};
use crate::areas::issues::IssueRow;
use crate::areas::issues::v4::entity::{Issue, RelativeTo, View};
use crate::areas::labels::{self, v4::WholeLabels};
use crate::kernel::call::path_number;
use crate::kernel::lists::Listed;
use crate::kernel::paging::behind_early_end;
use crate::kernel::{Call, Error, Page, Reply, Result};
use serde_json::json;

/// The list, and whether the answer has whole labels.
type ListRequest = (List, bool);

fn read(call: &Call<'_>) -> Result<ListRequest> {
    let (whose, given) = (ListPlace::of(call), ListParams::read(call)?);
    let filter = given.filter(call.now, whose)?;
    let page = if whose == ListPlace::Project { call.page_or_keyset()? } else { call.page()? };
    let whose = place(whose, &filter);
    Ok((List::new(filter, page, whose), given.with_labels_details == Some(true)))
}

/// The scope `all` extends a list of the caller to all projects.
fn place(whose: ListPlace, filter: &Filter) -> ListPlace {
    if whose == ListPlace::Caller && filter.scope == Scope::All { ListPlace::Anywhere } else { whose }
}

async fn reply(call: &Call<'_>, input: Result<ListRequest>) -> Result<Reply> {
    let ((list, whole_labels), entry, answer) = call.authorize_with(input, |(list, _)| list.query()).await?;
    if whole_labels && list.page.skips() {
        check_before(call, &list).await?;
    }
    let mut found = list.find(call, answer).await?;
    let mut labels = None;
    if whole_labels && !found.rows.is_empty() {
        let (whole, fitting) = whole_labels_of(call, &found).await?;
        labels = Some(whole);
        found.cut(fitting);
    }
    let relative_to = match list.whose {
        ListPlace::Project => RelativeTo::Project,
        ListPlace::Group => RelativeTo::Group,
        ListPlace::Caller | ListPlace::Anywhere => RelativeTo::Nowhere,
    };
    let view = View { links: &entry.links, now: call.now, relative_to, labels: labels.as_ref(), single: false };
    found.reply(call, |row| Issue::new(row, &view))
}

async fn whole_labels_of(call: &Call<'_>, found: &Listed<IssueRow>) -> Result<(WholeLabels, usize)> {
    let issues: Vec<_> = found.rows.iter().map(|row| (row.project_id, &row.labels)).collect();
    labels::v4::of_page(call.store, &issues).await
}

/// 400 if the page before ended early because of its labels.
async fn check_before(call: &Call<'_>, list: &List) -> Result<()> {
    let before = List { page: list.page.before(), ..list.clone() };
    let (_, answer) = call.authorize(before.query()).await?;
    let found = before.find(call, answer).await?;
    let (_, fitting) = whole_labels_of(call, &found).await?;
    if fitting < found.rows.len() { Err(behind_early_end()) } else { Ok(()) }
}

/// Without a token only the scope `all` is allowed, unless the list is of a project or a group.
fn check_anonymous(call: &Call<'_>, filter: Option<&Filter>) -> Result<()> {
    let is_all = filter.is_some_and(|filter| filter.scope == Scope::All);
    let is_open = is_all || ListPlace::of(call) != ListPlace::Caller;
    if call.has_credentials() || is_open { Ok(()) } else { Err(Error::Unauthorized) }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = read(call);
    check_anonymous(call, input.as_ref().ok().map(|(list, _)| &list.filter))?;
    reply(call, input).await
}

pub async fn of_milestone(call: &Call<'_>, milestone_id: &str) -> Result<Reply> {
    let input = path_number("milestone_id", milestone_id).and_then(|id| {
        let filter = Filter { milestone: Some(Milestone::Own(id)), ..Filter::default() };
        Ok((List::new(filter, call.page()?, ListPlace::Project), false))
    });
    reply(call, input).await
}

/// Ignores the filter's state. Null if there are more than 10,000 issues and no counter has the total.
pub async fn count(call: &Call<'_>) -> Result<Reply> {
    let whose = ListPlace::of(call);
    let input = ListParams::read(call).and_then(|given| given.filter(call.now, whose));
    check_anonymous(call, input.as_ref().ok())?;
    let input = input.map(|filter| Filter { state: None, by_field: None, ..filter });
    let query = |filter: &Filter| List::new(filter.clone(), Page::first(), place(whose, filter)).count(MOST_COUNTED);
    let (_, _, rows) = call.authorize_with(input, query).await?;
    let Count { all, closed, .. } = Count::read(&rows)?;
    call.store.note_counted(all.counted.unsigned_abs());
    let all = all.total;
    let closed = all.map(|_| closed.unwrap_or_default());
    let opened = all.zip(closed).map(|(all, closed)| all - closed);
    let counts = json!({ "all": all, "closed": closed, "opened": opened });
    Ok(Reply::json(200, &json!({ "statistics": { "counts": counts } })))
}
