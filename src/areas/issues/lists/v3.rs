use super::filter::{Filter, Labels, Milestone, Scope};
use super::{CommonParams, List, ListPlace, check_number};
use crate::areas::issues::v3::Issue;
use crate::kernel::call::path_id;
use crate::kernel::{Call, Parameters, Reply, Result};
use std::collections::BTreeSet;

#[derive(Debug, Parameters)]
struct ListParams {
    #[param(flatten)]
    common: CommonParams,
    iid: Option<BTreeSet<i64>>,
    order_by: Option<OrderBy>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum OrderBy {
    CreatedAt,
    UpdatedAt,
}

/// Ignores a filter without a value. Only the list of a project reads `iid`.
fn read(call: &Call<'_>, milestone_id: Option<i64>) -> Result<List> {
    let (whose, given): (_, ListParams) = (ListPlace::of(call), call.filters()?);
    let titles = &given.common.labels;
    check_number(titles)?;
    let takes_numbers = whose == ListPlace::Project && milestone_id.is_none();
    if !takes_numbers {
        call.params()?.pass_over("iid");
    }
    let title = given.common.milestone.as_deref().map(|title| match title {
        "No Milestone" => Milestone::None,
        title => Milestone::Titled(title.to_owned()),
    });
    let filter = Filter {
        scope: if whose == ListPlace::Caller { Scope::CreatedByMe } else { Scope::All },
        labels: (!titles.is_empty()).then(|| match whose {
            _ if titles.iter().eq(["No Label"]) => Labels::None,
            ListPlace::Group => Labels::AllOf(titles.clone()),
            _ => Labels::AnyOf(titles.clone()),
        }),
        milestone: milestone_id.map(Milestone::Own).or(title),
        iids: given.iid.filter(|numbers| takes_numbers && !numbers.is_empty()),
        by_update: given.order_by == Some(OrderBy::UpdatedAt),
        full: true,
        ..given.common.filter()
    };
    Ok(List::new(filter, call.page()?, whose))
}

async fn reply(call: &Call<'_>, input: Result<List>, path: &[(&str, &str)]) -> Result<Reply> {
    let (list, entry, answer) = call.authorize_with(input, List::query).await?;
    list.find(call, answer).await?.reply_at(call, path, |row| Issue::new(row, &entry.links))
}

/// Of a project or a group.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    reply(call, read(call, None), &[("id", &call.named())]).await
}

pub async fn of_caller(call: &Call<'_>) -> Result<Reply> {
    reply(call, read(call, None), &[]).await
}

pub async fn of_milestone(call: &Call<'_>, milestone_id: &str) -> Result<Reply> {
    let input = path_id(milestone_id).and_then(|id| read(call, Some(id)));
    reply(call, input, &[("id", &call.named()), ("milestone_id", milestone_id)]).await
}
