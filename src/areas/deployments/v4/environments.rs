use super::entity::{Deployment, WholeEnvironment};
use crate::areas::deployments::{DeploymentRow, EnvironmentRow, naming, sql};
use crate::areas::projects::RootFiles;
use crate::areas::projects::v4::SimpleProject;
use crate::kernel::call::path_number;
use crate::kernel::lists::Listed;
use crate::kernel::policy;
use crate::kernel::text::fold::patterns;
use crate::kernel::text::names::check_letters;
use crate::kernel::text::web_address::{WEB, is_address};
use crate::kernel::{
    Action, Call, Entry, Error, Page, Parameters, Patch, PreparedQuery, Query, Reply, Result, ValidationErrors,
};

#[derive(Parameters)]
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
            return Err(Error::none_of("states", &STATES));
        }
        Ok(self)
    }

    fn states(&self) -> Option<String> {
        self.states.as_ref().map(|states| serde_json::json!(states).to_string())
    }

    fn search(&self) -> Option<String> {
        self.search.as_deref().map(patterns)
    }

    fn query(&self, page: Page) -> PreparedQuery<Listed<EnvironmentRow>> {
        let states = self.states();
        match self.name.as_deref() {
            Some(name) => sql::named_environment { name, states, page }.prepare(),
            None => sql::search_environments { search: self.search(), states, page }.prepare(),
        }
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListParams>().and_then(|params| Ok((params.checked()?, call.page()?)));
    let query = |(params, page): &(ListParams, Page)| (sql::project_of_environments {}, params.query(page.clone()));
    let (_, entry, (of, environments)) = call.authorize_builds(input, query).await?;
    let (access, visibility) = (entry.resource.access, entry.resource.visibility);
    let reads_code = policy::may(Action::ReadCommits, access, visibility);
    let files = RootFiles::addresses(of.root_files, &of.project, reads_code, &entry.links);
    let simple = || SimpleProject::new(of.project.clone(), of.namespace.clone(), files.readme.clone(), &entry.links);
    environments.reply(call, |row| WholeEnvironment::listed(row, simple()))
}

/// With its newest successful deployment.
fn one(id: i64) -> PreparedQuery<(Option<EnvironmentRow>, Option<DeploymentRow>)> {
    (sql::one_environment { id }, sql::last_success { id }).prepare()
}

pub async fn show(call: &Call<'_>, environment_id: &str) -> Result<Reply> {
    let number = path_number("environment_id", environment_id);
    let (_, entry, (row, last)) = call.authorize_builds(number, |id| one(*id)).await?;
    Ok(alone(row.ok_or_else(Error::no_record)?, last, 200, &entry))
}

fn alone(row: EnvironmentRow, last: Option<DeploymentRow>, status: u16, entry: &Entry) -> Reply {
    let last = last.map(|row| Deployment::new(row, &entry.links));
    Reply::json(status, &WholeEnvironment::alone(row, last))
}

#[derive(Parameters, Clone, Copy)]
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
    if external_url.is_some_and(|url| !is_address(url, WEB)) {
        errors.add("external_url", "must be a valid URL");
    }
    errors.check_length("description", description, 10_000);
    errors.result()
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input = call
        .creation::<NewParams>()
        .and_then(|new| check(Some(&new.name), new.external_url.as_deref(), new.description.as_deref()).map(|()| new));
    let (new, entry, ()) = call.authorize_builds(input, |_| ()).await?;
    let insert = sql::insert_environment {
        project_id: entry.resource.id,
        slugs: naming::slugs(&new.name),
        name: new.name,
        external_url: new.external_url,
        tier: new.tier.map(Tier::word),
        description: new.description,
        now: call.now,
    };
    let row = call.write(insert).await?;
    Ok(alone(row.ok_or_else(|| Error::field("name", "has already been taken"))?, None, 201, &entry))
}

/// The name cannot change.
#[derive(Parameters, Default)]
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

async fn change(call: &Call<'_>, input: Result<(i64, EditParams)>, state: Option<&'static str>) -> Result<Reply> {
    let ((id, edit), entry, (before, last)) = call.authorize_builds(input, |(id, _)| one(*id)).await?;
    let before = before.ok_or_else(Error::no_record)?;
    let is_same = edit.external_url.over(&before.external_url) == before.external_url
        && edit.description.over(&before.description) == before.description
        && edit.tier.is_none_or(|tier| tier.word() == before.tier.as_deref().unwrap_or(naming::tier(&before.name)))
        && state.is_none_or(|state| before.state == state);
    if is_same {
        return Ok(alone(before, last, 200, &entry));
    }
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
    let row = call.write(update).await?;
    Ok(alone(row.ok_or_else(Error::no_record)?, last, 200, &entry))
}

/// Deployments that one statement removes. [`CHUNKS`] statements remove the 9,000 that an environment may have.
const CHUNK: i64 = 500;
const CHUNKS: usize = 20;

/// Removes a stopped environment with its deployments.
pub async fn remove(call: &Call<'_>, environment_id: &str) -> Result<Reply> {
    let number = path_number("environment_id", environment_id);
    let (id, _, before) = call.authorize_builds(number, |id| sql::environment_removal { id: *id }).await?;
    let before = before.ok_or_else(Error::no_record)?;
    if before.state != "stopped" {
        return Err(Error::FORBIDDEN);
    }
    if before.is_large {
        return Err(Error::message("400 Bad request - The environment has more than 9000 deployments"));
    }
    call.expect_unmodified(before.updated_at)?;
    let chunks = [(); CHUNKS].map(|()| sql::remove_deployments { id, most: CHUNK });
    call.write((chunks, sql::remove_environment { id })).await?;
    Ok(Reply::empty(204))
}
