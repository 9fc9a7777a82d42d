//! What the options and the variables of a CI system say: the server, the commit, its ref, and the page of the build.

use std::process::{Command, Stdio};

use edgeforge_wire::text::is_hash;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::args::Options;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::roots::roots;
use crate::settings::{TOKEN, checked_address, token_in};
use crate::transport::Transport;

/// Of each system a variable that only it sets, and those of the commit, of its branch or tag, and of the page of the
/// build. The first that is not empty counts: the source of a merge request, because no mirror has the merge that is
/// built. Gitea and Forgejo set those of GitHub. CI_WORKFLOW_NAME is Woodpecker's.
const SYSTEMS: &str = "\
GITHUB_ACTIONS GITHUB_SHA GITHUB_HEAD_REF,GITHUB_REF_NAME GITHUB_RUN_ID
GITLAB_CI CI_MERGE_REQUEST_SOURCE_BRANCH_SHA,CI_COMMIT_SHA CI_MERGE_REQUEST_SOURCE_BRANCH_NAME,CI_COMMIT_REF_NAME CI_JOB_URL
JENKINS_URL GIT_COMMIT TAG_NAME,CHANGE_BRANCH,GIT_BRANCH BUILD_URL
CI_WORKFLOW_NAME CI_COMMIT_SHA CI_COMMIT_TAG,CI_COMMIT_SOURCE_BRANCH,CI_COMMIT_BRANCH CI_PIPELINE_URL
DRONE DRONE_COMMIT_SHA DRONE_TAG,DRONE_SOURCE_BRANCH,DRONE_COMMIT_BRANCH DRONE_BUILD_LINK
BUILDKITE BUILDKITE_COMMIT BUILDKITE_TAG,BUILDKITE_BRANCH BUILDKITE_BUILD_URL";

#[derive(Debug)]
pub struct Build {
    pub sha: String,
    pub git_ref: Option<String>,
    pub url: Option<String>,
}

/// The first of these variables that is not empty.
fn variable(names: &str) -> Option<String> {
    let values = names.split(',').filter_map(|name| std::env::var(name).ok());
    values.map(|value| value.trim().to_owned()).find(|value| !value.is_empty())
}

/// The options first, then the CI system, then HEAD of the work folder.
pub fn build(options: &Options) -> Result<Build> {
    let mut systems = SYSTEMS.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let system = systems.find(|of| of.first().is_some_and(|mark| variable(mark).is_some())).unwrap_or_default();
    let of_system = |number: usize| system.get(number).and_then(|names| variable(names));
    let given = |name| options.ci.last(name).map(str::to_owned);
    // BUILDKITE_COMMIT may be the word HEAD
    let sha = given("sha").or_else(pull_request).or_else(|| of_system(1).filter(|sha| is_hash(sha))).or_else(head);
    // Jenkins has the name of a remote before a branch, and a word in place of none
    let local = |name: String| match system.first() {
        Some(&"JENKINS_URL") => {
            Some(name.strip_prefix("origin/").unwrap_or(&name).to_owned()).filter(|of| of != "detached")
        }
        _ => Some(name),
    };
    let page = |run: String| match system.first() {
        Some(&"GITHUB_ACTIONS") => {
            Some(format!("{}/{}/actions/runs/{run}", variable("GITHUB_SERVER_URL")?, variable("GITHUB_REPOSITORY")?))
        }
        _ => Some(run),
    };
    Ok(Build {
        sha: sha.ok_or_else(|| Error::Usage("the commit is not known; give --sha".to_owned()))?,
        git_ref: given("ref").or_else(|| of_system(2).and_then(local)),
        // a longer one would be refused, and with it the status
        url: given("url").or_else(|| of_system(3).and_then(page).filter(|url| url.len() <= 255)),
    })
}

/// The head of GitHub's pull request. GITHUB_SHA is a merge there.
fn pull_request() -> Option<String> {
    let event = std::fs::read(variable("GITHUB_ACTIONS").and(variable("GITHUB_EVENT_PATH"))?).ok()?;
    let event: Value = serde_json::from_slice(&event).ok()?;
    event.pointer("/pull_request/head/sha")?.as_str().map(str::to_owned)
}

fn head() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "HEAD"]).stderr(Stdio::null()).output().ok()?;
    let hash = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    is_hash(&hash).then_some(hash)
}

/// The project in v4, without a repository.
pub fn project<'a>(options: &Options, console: &'a Console) -> Result<Transport<'a>> {
    let setting = |option: Option<String>, variable_name: &str, name: &str| {
        let missing = || Error::Usage(format!("the {name} is missing; set {variable_name} or give --{name}"));
        option.or_else(|| variable(variable_name)).ok_or_else(missing)
    };
    let address = checked_address(&setting(options.server.clone(), "EDGEFORGE_URL", "server")?, console)?;
    let project = setting(options.project.clone(), "EDGEFORGE_PROJECT", "project")?;
    // scripts with curl have it there as a segment of an address
    let project = percent_decode_str(&project).decode_utf8_lossy();
    let token = options.token_file.as_ref().map(|file| token_in(file, console)).transpose()?;
    let token = setting(token, TOKEN, "token-file")?;
    let roots = roots(options.ca_file.clone())?;
    Ok(Transport::new(&address, &project, token, options.retries, roots, console).v4())
}
