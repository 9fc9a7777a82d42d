//! Environments in v4: listed, made, changed, stopped and removed.

use super::entity::{Deployment, Environment};
use super::{enter, two};
use crate::call::Call;
use crate::call::path_number;
use crate::deployments::pages::{self, Search};
use crate::deployments::sql::environments as sql;
use crate::deployments::sql::{DeploymentRow, EnvironmentRow};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::params::{Parameters, Patch};
use crate::policy::Action;
use crate::projects::sql::{Columns, NamespaceRow};
use crate::projects::v4::Simple;
use crate::settings::forms::is_address;
use crate::store::{Row, Rows};

/// Parameters of `GET /projects/:id/environments`.
#[derive(Parameters, Default)]
#[param(default)]
struct ListParams {
    name: Option<String>,
    search: Option<String>,
    states: Option<Vec<String>>,
}

const STATES: [&str; 3] = ["available", "stopping", "stopped"];

impl ListParams {
    fn search(self) -> Result<Search> {
        if self.name.is_some() && self.search.is_some() {
            return Err(Error::framework("name, search cannot be used together"));
        }
        if self.search.as_ref().is_some_and(|piece| piece.chars().count() < 3) {
            return Err(Error::message("400 Bad request - Search query is less than 3 characters"));
        }
        let known = |name: String| STATES.iter().find(|state| **state == name).copied();
        let states = self.states.map(|names| names.into_iter().map(known).collect::<Option<Vec<_>>>());
        let states =
            states.map(|states| states.ok_or_else(|| Error::framework("states does not have a valid value")));
        Ok(Search { name: self.name, search: self.search, states: states.transpose()? })
    }
}

/// The first row of a list.
#[derive(Row)]
struct Beginning {
    project: Columns,
    namespace: NamespaceRow,
    end: Option<i64>,
}

/// GET /projects/:id/environments
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|params| Ok((params.search()?, call.page()?)));
    let query = |(search, page): &(Search, Page)| pages::environments(search, page);
    let ((search, page), mut entered) = enter(call, id, Action::ReadDeployments, input, query).await?;
    let Some(Beginning { project, namespace, end }) = entered.rows.shift()? else {
        return Err(Error::Internal("a project is gone".to_owned()));
    };
    let mut rows: Vec<EnvironmentRow> = entered.rows.all()?;
    let more = page.has_more(&mut rows);
    let last = rows.last().map(|row| row.number);
    let behind = if more || call.is_cut.get() { last } else { end.filter(|_| search.name.is_none()) };
    let cursor = behind.and_then(|number| page.next([number.into()]));
    let simple = || Simple::new(project.clone(), namespace.clone(), &entered.links);
    let shown: Vec<Environment> = rows.into_iter().map(|row| Environment::listed(row, simple())).collect();
    call.listing(&page, Total::More(behind.is_some()), &[], cursor, &shown)
}

/// GET /projects/:id/environments/:environment_id
pub async fn show(call: &Call<'_>, id: &str, environment_id: &str) -> Result<Reply> {
    let number = path_number("environment_id", environment_id);
    let (_, entered) = enter(call, id, Action::ReadDeployments, number, |id| sql::one(*id)).await?;
    let found: Option<(EnvironmentRow, Option<DeploymentRow>)> = two(&entered.rows.0)?;
    let (row, last) = found.ok_or_else(Error::no_record)?;
    let last = last.map(|last| Deployment::new(last, &entered.resource, &entered.links));
    Ok(Reply::json(200, &Environment::alone(row, last)))
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
enum Tier {
    Production,
    Staging,
    Testing,
    Development,
    Other,
}

impl Tier {
    fn name(self) -> &'static str {
        match self {
            Tier::Production => "production",
            Tier::Staging => "staging",
            Tier::Testing => "testing",
            Tier::Development => "development",
            Tier::Other => "other",
        }
    }
}

/// Parameters of `POST /projects/:id/environments`.
#[derive(Parameters)]
struct NewParams {
    name: String,
    external_url: Option<String>,
    tier: Option<Tier>,
    description: Option<String>,
}

fn check(external_url: Option<&str>, description: Option<&str>) -> Result<()> {
    let mut errors = ValidationErrors::default();
    if external_url.is_some_and(|url| !is_address(url)) {
        errors.add("external_url", "must be a valid URL");
    }
    errors.check_length("description", description, 10_000);
    errors.result()
}

/// POST /projects/:id/environments
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call
        .creation::<NewParams>()
        .and_then(|new| check(new.external_url.as_deref(), new.description.as_deref()).map(|()| new));
    let query = |_: &NewParams| crate::deployments::sql::nothing();
    let (new, entered) = enter(call, id, Action::CreateDeployment, input, query).await?;
    let draft = sql::Draft {
        name: &new.name,
        external_url: new.external_url.as_deref(),
        tier: new.tier.map(Tier::name),
        description: new.description.as_deref(),
    };
    let answers = call.store.batch(sql::make(entered.resource.id, &draft, call.now)).await?;
    let made = answers.last().map(Rows::first).transpose()?.flatten();
    let row = made.ok_or_else(|| Error::field("name", "has already been taken"))?;
    Ok(Reply::json(201, &Environment::alone(row, None)))
}

/// Parameters of `PUT /projects/:id/environments/:environment_id`. Its name stays.
#[derive(Parameters, Default)]
#[param(default)]
struct EditParams {
    external_url: Patch<String>,
    tier: Option<Tier>,
    description: Patch<String>,
}

/// PUT /projects/:id/environments/:environment_id
pub async fn update(call: &Call<'_>, id: &str, environment_id: &str) -> Result<Reply> {
    let input = path_number("environment_id", environment_id).and_then(|number| {
        let edit = call.edit::<EditParams>()?;
        check(edit.external_url.set().map(String::as_str), edit.description.set().map(String::as_str))?;
        Ok((number, edit))
    });
    fn changed(patch: &Patch<String>) -> sql::Change<'_> {
        (!patch.is_keep()).then(|| patch.set().map(String::as_str))
    }
    let query = |(id, _): &(i64, EditParams)| sql::one(*id);
    let ((number, edit), entered) = enter(call, id, Action::CreateDeployment, input, query).await?;
    let tier = edit.tier.map(|tier| Some(tier.name()));
    let changes = [changed(&edit.external_url), tier, changed(&edit.description)];
    changed_to(call, entered, sql::change(number, call.now, changes, None)).await
}

/// POST /projects/:id/environments/:environment_id/stop
pub async fn stop(call: &Call<'_>, id: &str, environment_id: &str) -> Result<Reply> {
    let number = path_number("environment_id", environment_id);
    let (number, entered) = enter(call, id, Action::CreateDeployment, number, |id| sql::one(*id)).await?;
    changed_to(call, entered, sql::change(number, call.now, [None; 3], Some("stopped"))).await
}

/// Changes the environment that was found, and shows it.
async fn changed_to(
    call: &Call<'_>,
    entered: crate::call::Entered,
    statements: Vec<crate::store::Statement>,
) -> Result<Reply> {
    let found: Option<(EnvironmentRow, Option<DeploymentRow>)> = two(&entered.rows.0)?;
    let (_, last) = found.ok_or_else(Error::no_record)?;
    let answers = call.store.batch(statements).await?;
    let row = answers.last().map(Rows::first).transpose()?.flatten().ok_or_else(Error::no_record)?;
    let last = last.map(|last| Deployment::new(last, &entered.resource, &entered.links));
    Ok(Reply::json(200, &Environment::alone(row, last)))
}

/// DELETE /projects/:id/environments/:environment_id: one that was stopped, with its deployments.
pub async fn remove(call: &Call<'_>, id: &str, environment_id: &str) -> Result<Reply> {
    let number = path_number("environment_id", environment_id);
    let (number, entered) = enter(call, id, Action::CreateDeployment, number, |id| sql::before(*id)).await?;
    let before: Option<(String, i64, i64)> = entered.rows.first()?;
    let (state, is_large, updated_at) = before.ok_or_else(Error::no_record)?;
    if state != "stopped" {
        return Err(Error::FORBIDDEN);
    }
    if is_large == 1 {
        return Err(Error::message("400 Bad request - The environment has more than 9000 deployments"));
    }
    call.expect_unmodified(updated_at)?;
    call.store.batch(sql::remove(number)).await?;
    Ok(Reply::empty(204))
}
