use std::process::Command;

use crate::server::{Folder, Server};

const HEAD: &str = "1111111111111111111111111111111111111111";
const MERGE: &str = "2222222222222222222222222222222222222222";

/// The hash, ref and address of a status in this environment.
fn posted(options: &[&str], variables: &[(&str, &str)]) -> (String, Option<String>, Option<String>) {
    let (folder, server) = (Folder::new(), Server::new());
    folder.write("event.json", format!(r#"{{"pull_request": {{"head": {{"sha": "{HEAD}", "ref": "x"}}}}}}"#));
    let git = |arguments: &[&str]| {
        assert!(Command::new("git").current_dir(&folder.0).args(arguments).status().unwrap().success())
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["-c", "user.name=A", "-c", "user.email=a@x", "commit", "-q", "--allow-empty", "-m", "x"]);
    let mut program = folder.program(&server.address, "run");
    program.args(["--name", "x"]).args(options).args(["--", "true"]).envs(variables.iter().copied());
    assert!(program.status().unwrap().success());
    let (request, body) = (server.requests()[0].line.clone(), server.requests()[0].json());
    let text = |name: &str| body[name].as_str().map(str::to_owned);
    let head = Command::new("git").current_dir(&folder.0).args(["rev-parse", "HEAD"]).output().unwrap().stdout;
    let sha = request.rsplit_once('/').unwrap().1.replace(String::from_utf8(head).unwrap().trim(), "HEAD");
    (sha, text("ref"), text("target_url"))
}

fn is(found: (String, Option<String>, Option<String>), sha: &str, git_ref: &str, url: &str) {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    assert_eq!(found, (sha.to_owned(), some(git_ref), some(url)));
}

#[test]
fn without_a_ci_system_it_is_the_head_of_the_work_folder() {
    is(posted(&[], &[]), "HEAD", "", "");
    is(posted(&["--sha", MERGE, "--ref", "r", "--url", "https://u"], &[]), MERGE, "r", "https://u");
}

#[test]
fn github_names_the_commit_and_of_a_pull_request_its_head() {
    let push = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_SHA", MERGE),
        ("GITHUB_REF_NAME", "main"),
        ("GITHUB_HEAD_REF", ""),
        ("GITHUB_SERVER_URL", "https://github.com"),
        ("GITHUB_REPOSITORY", "a/b"),
        ("GITHUB_RUN_ID", "9"),
    ];
    is(posted(&[], &push), MERGE, "main", "https://github.com/a/b/actions/runs/9");
    let pull = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_SHA", MERGE),
        ("GITHUB_REF_NAME", "5/merge"),
        ("GITHUB_HEAD_REF", "topic"),
        ("GITHUB_EVENT_PATH", "event.json"),
    ];
    is(posted(&[], &pull), HEAD, "topic", "");
}

#[test]
fn every_system_has_its_variables() {
    let gitlab = [
        ("GITLAB_CI", "true"),
        ("CI_COMMIT_SHA", MERGE),
        ("CI_COMMIT_REF_NAME", "main"),
        ("CI_JOB_URL", "https://g/1"),
        ("CI_PIPELINE_URL", "https://g/2"),
    ];
    is(posted(&[], &gitlab), MERGE, "main", "https://g/1");
    let merge = [("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", HEAD), ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "topic")];
    is(posted(&[], &[&gitlab[..], &merge].concat()), HEAD, "topic", "https://g/1");
    let jenkins = [("JENKINS_URL", "https://j"), ("GIT_COMMIT", HEAD), ("BUILD_URL", "https://j/1/")];
    is(posted(&[], &[&jenkins[..], &[("GIT_BRANCH", "origin/topic/a")]].concat()), HEAD, "topic/a", "https://j/1/");
    is(posted(&[], &[&jenkins[..], &[("GIT_BRANCH", "detached")]].concat()), HEAD, "", "https://j/1/");
    let woodpecker = [
        ("CI_WORKFLOW_NAME", "test"),
        ("CI_COMMIT_SHA", HEAD),
        ("CI_COMMIT_TAG", ""),
        ("CI_COMMIT_SOURCE_BRANCH", "topic"),
        ("CI_COMMIT_BRANCH", "main"),
        ("CI_PIPELINE_URL", "https://w/1"),
    ];
    is(posted(&[], &woodpecker), HEAD, "topic", "https://w/1");
    let drone = [
        ("DRONE", "true"),
        ("DRONE_COMMIT_SHA", HEAD),
        ("DRONE_COMMIT_BRANCH", "main"),
        ("DRONE_BUILD_LINK", "https://d/1"),
    ];
    is(posted(&[], &drone), HEAD, "main", "https://d/1");
    let buildkite = [("BUILDKITE", "true"), ("BUILDKITE_BRANCH", "main"), ("BUILDKITE_BUILD_URL", "https://b/1")];
    is(posted(&[], &[&buildkite[..], &[("BUILDKITE_COMMIT", HEAD)]].concat()), HEAD, "main", "https://b/1");
    is(posted(&[], &[&buildkite[..], &[("BUILDKITE_COMMIT", "HEAD")]].concat()), "HEAD", "main", "https://b/1");
    let long = "https://b/".repeat(30);
    let build = [("BUILDKITE", "true"), ("BUILDKITE_COMMIT", HEAD), ("BUILDKITE_BUILD_URL", &long)];
    is(posted(&[], &build), HEAD, "", "");
}
