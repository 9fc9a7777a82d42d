//! The suite of the whole API. It runs on two hosts: in this process on SQLite, and over HTTP on the built Worker where
//! `EDGEFORGE_URL`, `EDGEFORGE_GITLAB_URL` and `EDGEFORGE_ADMIN_TOKEN` say so (`scripts/test` runs both).

// the lints that keep panics out of the Worker; a test is made of them
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod support;

mod access;
mod activity;
mod audit;
mod awards;
mod badges;
mod comments;
mod commits;
mod contents;
mod cost;
mod deployments;
mod groups;
mod hooks;
mod imports;
mod issues;
mod jwt;
mod labels;
mod leaks;
mod licenses;
mod links;
mod markdown;
mod members;
mod milestones;
mod mirror;
mod notes;
mod packages;
mod pipelines;
mod plans;
mod policy;
mod projects;
mod refs;
mod releases;
mod replicas;
mod reports;
mod requests;
mod search;
mod sessions;
mod settings;
mod statuses;
mod storage;
mod todos;
mod tokens;
mod uploads;
mod users;

/// The host of this run, in the summary of the test runner.
fn host() -> &'static str {
    if support::spec().is_in_process() { "in_process_on_sqlite" } else { "over_http" }
}

#[test]
fn the_suite_runs_on_its_host() {
    println!("the suite ran {}", host());
}
