use super::entity::{Deployment, WholeEnvironment};
use crate::areas::deployments::{DeploymentRow, EnvironmentRow, sql};
use crate::areas::projects::v4::SimpleProject;
use crate::areas::projects::{Columns, NamespaceRow};
use crate::areas::settings::forms::is_address;
use crate::kernel::call::{Call, Entry, path_number};
use crate::kernel::error::{Error, Result, ValidationErrors};
use crate::kernel::http::Reply;
use crate::kernel::names::check_letters;
use crate::kernel::paging::Page;
use crate::kernel::params::{Parameters, Patch};
use crate::kernel::store::{Row, Statement};
use crate::kernel::walk;

#[derive(Parameters, Default)]
#[param(default)]
struct ListParams {
    name: Option<String>,
    search: Option<String>,
    states: Option<Vec<String>>,
}

const STATES: [&str; 3] = ["available", "stopping", "stopped"];

impl ListParams {
    fn checked(self) -> Result<ListParams> {
        if self.name.is_some() && self.search.is_some() {
            return Err(Error::framework("name, search cannot be used together"));
        }
        if self.search.as_ref().is_some_and(|piece| piece.chars().count() < 3) {
            return Err(Error::message("400 Bad request - Search query is less than 3 characters"));
        }
        if self.states.iter().flatten().any(|state| !STATES.contains(&state.as_str())) {
            return Err(Error::framework("states does not have a valid value"));
        }
        Ok(self)
    }

    fn query(&self, page: &Page) -> Statement {
        let (after, skip) = page.after();
        let most = page.size + 1;
        let states = self.states.as_ref().map(|states| serde_json::json!(states).to_string());
        if let Some(name) = self.name.as_deref() {
            return sql::named_environment { name, after, states, most, skip }.into();
        }
        let search = self.search.as_ref().map(|piece| piece.to_ascii_lowercase());
        let looks = walk::steps(page, skip, search.is_some() || states.is_some());
        sql::search_environments { search, states, after, looks, most, skip }.into()
    }
}

#[derive(Row)]
struct ListProject {
    project: Columns,
    namespace: NamespaceRow,
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|params| Ok((params.checked()?, call.page()?)));
    let query = |(params, page): &(ListParams, Page)| -> [Statement; 2] {
        [sql::project_of_environments {}.into(), params.query(page)]
    };
    let ((_, page), entry) = call.authorize_rows_builds(input, query).await?;
    let (Some(ListProject { project, namespace }), [rows]) = (entry.rows.first()?, entry.more.as_slice())
    else {
        return Err(Error::Internal("the project of a list was not found".to_owned()));
    };
    let simple = || SimpleProject::new(project.clone(), namespace.clone(), &entry.links);
    let key = |row: &EnvironmentRow| [row.number.into()];
    walk::page_of_rows(rows, &page, key)?.reply(call, &page, |row| WholeEnvironment::listed(row, simple()))
}

fn one(id: i64) -> [Statement; 2] {
    [sql::one_environment { id }.into(), sql::last_success { id }.into()]
}

pub async fn show(call: &Call<'_>, environment_id: &str) -> Result<Reply> {
    let number = path_number("environment_id", environment_id);
    let (_, entry) = call.authorize_rows_builds(number, |id| one(*id)).await?;
    let row = entry.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &WholeEnvironment::alone(row, last(&entry)?)))
}

fn last(entry: &Entry) -> Result<Option<Deployment>> {
    let row: Option<DeploymentRow> = entry.more.first().map(|rows| rows.first()).transpose()?.flatten();
    Ok(row.map(|row| Deployment::new(row, &entry.links)))
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

#[derive(Parameters)]
struct NewParams {
    name: String,
    external_url: Option<String>,
    tier: Option<Tier>,
    description: Option<String>,
}

fn check(name: Option<&str>, external_url: Option<&str>, description: Option<&str>) -> Result<()> {
    let mut errors = ValidationErrors::default();
    check_letters(&mut errors, "name", name);
    if external_url.is_some_and(|url| !is_address(url)) {
        errors.add("external_url", "must be a valid URL");
    }
    errors.check_length("description", description, 10_000);
    errors.result()
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input = call.creation::<NewParams>().and_then(|new| {
        check(Some(&new.name), new.external_url.as_deref(), new.description.as_deref()).map(|()| new)
    });
    let (new, entry) = call.authorize_rows_builds(input, |_| Vec::new()).await?;
    let insert = sql::insert_environment {
        project_id: entry.resource.id,
        name: new.name,
        external_url: new.external_url,
        tier: new.tier.map(Tier::word),
        description: new.description,
        now: call.now,
    };
    let row = call.write(insert).await?.first()?;
    let row = row.ok_or_else(|| Error::field("name", "has already been taken"))?;
    Ok(Reply::json(201, &WholeEnvironment::alone(row, None)))
}

/// The name cannot change.
#[derive(Parameters, Default)]
#[param(default)]
struct EditParams {
    external_url: Patch<String>,
    tier: Option<Tier>,
    description: Patch<String>,
}

pub async fn update(call: &Call<'_>, environment_id: &str) -> Result<Reply> {
    let input = path_number("environment_id", environment_id).and_then(|number| {
        let edit = call.edit::<EditParams>()?;
        check(None, edit.external_url.set().map(String::as_str), edit.description.set().map(String::as_str))?;
        Ok((number, edit))
    });
    change(call, input, None).await
}

pub async fn stop(call: &Call<'_>, environment_id: &str) -> Result<Reply> {
    let input = path_number("environment_id", environment_id).map(|number| (number, EditParams::default()));
    change(call, input, Some("stopped")).await
}

async fn change(
    call: &Call<'_>,
    input: Result<(i64, EditParams)>,
    state: Option<&'static str>,
) -> Result<Reply> {
    let ((id, edit), entry) = call.authorize_rows_builds(input, |(id, _)| one(*id)).await?;
    entry.rows.first::<EnvironmentRow>()?.ok_or_else(Error::no_record)?;
    let update = sql::update_environment {
        id,
        keeps_url: edit.external_url.is_keep(),
        external_url: edit.external_url.set(),
        tier: edit.tier.map(Tier::word),
        keeps_description: edit.description.is_keep(),
        description: edit.description.set(),
        state,
        now: call.now,
    };
    let row = call.write(update).await?.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &WholeEnvironment::alone(row, last(&entry)?)))
}

#[derive(Row)]
struct Removal {
    state: String,
    is_large: bool,
    updated_at: i64,
}

/// Deployments that one statement removes. [`CHUNKS`] statements remove the 9,000 that an environment may have.
const CHUNK: i64 = 500;
const CHUNKS: usize = 20;

/// Removes a stopped environment with its deployments.
pub async fn remove(call: &Call<'_>, environment_id: &str) -> Result<Reply> {
    let number = path_number("environment_id", environment_id);
    let (id, entry) = call.authorize_rows_builds(number, |id| sql::environment_removal { id: *id }).await?;
    let before: Removal = entry.rows.first()?.ok_or_else(Error::no_record)?;
    if before.state != "stopped" {
        return Err(Error::FORBIDDEN);
    }
    if before.is_large {
        return Err(Error::message("400 Bad request - The environment has more than 9000 deployments"));
    }
    call.expect_unmodified(before.updated_at)?;
    let mut batch: Vec<Statement> = vec![sql::remove_deployments { id, most: CHUNK }.into(); CHUNKS];
    batch.push(sql::remove_environment { id }.into());
    call.write(batch).await?;
    Ok(Reply::empty(204))
}
