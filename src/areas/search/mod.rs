//! Searches (behaviour 17). Each scope is answered by the list of its kind of records.

use crate::areas::{commits, issues, members, milestones, notes, projects, users};
use crate::kernel::call::{Gate, Place};
use crate::kernel::empty_answers;
use crate::kernel::params::Params;
use crate::kernel::{Action, Call, Error, Parameters, Reply, Result};

#[derive(Debug, Clone, Copy, PartialEq, Parameters)]
enum Scope {
    Projects,
    Issues,
    Milestones,
    Users,
    MergeRequests,
    SnippetTitles,
    WikiBlobs,
    Notes,
    Commits,
}

impl Scope {
    const ALL: [Scope; 9] = {
        use Scope::*;
        [Projects, Issues, Milestones, Users, MergeRequests, SnippetTitles, WikiBlobs, Notes, Commits]
    };

    fn is_of(self, place: Place) -> bool {
        match self {
            Scope::Issues | Scope::Users | Scope::MergeRequests | Scope::Milestones => true,
            Scope::Projects => place != Place::Project,
            Scope::WikiBlobs | Scope::Notes | Scope::Commits => place == Place::Project,
            Scope::SnippetTitles => place == Place::User,
        }
    }

    /// The scope of this word. 400 with those of the route if it has none.
    fn named(word: &str, place: Place) -> Result<Scope> {
        let all = || Scope::ALL.into_iter().filter(|scope| scope.is_of(place));
        let words = || all().map(Scope::word).collect::<Vec<_>>();
        all().find(|scope| scope.word() == word).ok_or_else(|| Error::none_of("scope", &words()))
    }

    fn action(self) -> Action {
        match self {
            Scope::Issues | Scope::Notes => Action::ReadIssues,
            Scope::Commits => Action::ReadCommits,
            Scope::Milestones => Action::ReadMilestones,
            Scope::Users => Action::ReadMembers,
            Scope::Projects | Scope::MergeRequests | Scope::SnippetTitles | Scope::WikiBlobs => Action::ReadProject,
        }
    }
}

/// The parameters of a search that the lists read.
const NAMES: [&str; 10] =
    ["scope", "search", "state", "confidential", "order_by", "sort", "ref", "page", "per_page", "cursor"];

#[derive(Debug, Parameters)]
#[expect(dead_code, reason = "the lists read most of them")]
struct SearchParams {
    scope: Option<String>,
    search: Option<String>,
    state: Option<State>,
    confidential: Option<bool>,
    order_by: Option<OrderBy>,
    sort: Option<crate::kernel::paging::Sort>,
    #[param(rename = "ref")]
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, Parameters)]
enum State {
    Opened,
    Closed,
    All,
}

#[derive(Debug, Clone, Copy, Parameters)]
enum OrderBy {
    CreatedAt,
}

fn read(call: &Call<'_>, place: Place) -> Result<Scope> {
    call.will_read::<SearchParams>();
    let params = call.params()?;
    if params.sent().contains_key("scope") || params.sent().contains_key("search") {
        params.refuse_blank(&["scope", "search"])?;
    }
    let SearchParams { scope, search, .. } = call.filters()?;
    let missing = [("scope", scope.is_none()), ("search", search.is_none())];
    let missing: Vec<String> =
        missing.into_iter().filter(|(_, is)| *is).map(|(name, _)| format!("{name} is missing")).collect();
    call.page()?;
    let Some(scope) = scope.filter(|_| missing.is_empty()) else {
        return Err(Error::framework(missing.join(", ")));
    };
    Scope::named(&scope, place)
}

/// The number of an issue, as `#12` or `12`.
fn number(text: &str) -> Option<&str> {
    let digits = text.trim();
    let digits = digits.strip_prefix('#').unwrap_or(digits);
    let is_number = !digits.is_empty() && digits.len() < 10 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

/// The parameters of the list that answers.
fn params_of(params: &Params, scope: Scope, place: Place) -> Params {
    let mut params = params.only(&NAMES);
    match scope {
        Scope::Issues => {
            params.set("scope", "all");
            let number = params.text("search").and_then(|text| number(&text).map(str::to_owned));
            if let Some(number) = number.filter(|_| place == Place::Project) {
                params = params.without(&["search"]);
                params.set("iids", &number);
            }
        }
        Scope::Milestones => params = params.without(&["order_by", "sort", "confidential"]),
        Scope::Users => params = params.without(&["order_by", "sort", "state"]),
        Scope::Notes | Scope::Commits => params = params.without(&["order_by", "sort", "state", "confidential"]),
        Scope::Projects | Scope::MergeRequests | Scope::SnippetTitles | Scope::WikiBlobs => {}
    }
    if scope == Scope::Commits { params } else { params.without(&["ref"]) }
}

async fn list(call: &Call<'_>, scope: Scope, place: Place) -> Result<Reply> {
    match (scope, place) {
        (Scope::Issues, _) => issues::lists::v4::list(call).await,
        (Scope::Projects, _) => projects::v4::lists::search(call).await,
        (Scope::Milestones, Place::Project) => milestones::v4::list(call).await,
        (Scope::Milestones, _) => milestones::v4::search(call, place == Place::Group).await,
        (Scope::Notes, _) => notes::v4::search(call).await,
        (Scope::Commits, _) => commits::search::in_project(call).await,
        (Scope::Users, Place::User) => users::v4::search(call).await,
        (Scope::Users, _) => members::v4::users(call).await,
        _ => empty_answers::list(call).await,
    }
}

/// Of all projects, of a group or of a project: the place of the route.
pub async fn search(call: &Call<'_>) -> Result<Reply> {
    let place = call.route.place;
    let scope = read(call, place);
    if scope.is_err() {
        call.authorize(()).await?;
    }
    let scope = scope?;
    let action = (place != Place::User).then(|| scope.action());
    let below = call
        .part(params_of(call.params()?, scope, place), Gate { place, named: call.named(), action, ..Gate::default() });
    let reply = list(&below, scope, place).await;
    call.params()?.pass_over_all_but(&NAMES);
    reply
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/search.rs"]
mod tests;
