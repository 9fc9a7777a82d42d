//! The suite of the whole API. It runs on two hosts: in this process on SQLite, and over HTTP on the built Worker where
//! `EDGEFORGE_URL`, `EDGEFORGE_GITLAB_URL` and `EDGEFORGE_ADMIN_TOKEN` say so (`scripts/test` runs both).

// the lints that keep panics out of the Worker; a test is made of them
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod support;

mod abuse;
mod badges;
mod bodies;
mod comments;
mod commit_pages;
mod commits;
mod confidential;
mod costs;
mod counters;
mod cursor;
mod deployments;
mod description;
mod doors;
mod etags;
mod faults;
mod forgotten;
mod groups;
mod idempotency;
mod issue_delete;
mod issue_edit;
mod issue_lists_group;
mod issue_moves;
mod issues;
mod labels;
mod leaks;
mod licenses;
mod limits;
mod long_pages;
mod matrix;
mod members;
mod milestones;
mod mirror;
mod mirror_histories;
mod near;
mod notes;
mod objects;
mod odd;
mod paging;
mod params;

mod plans;
mod policy;
mod portions;
mod project_tokens;
mod projects;
mod quotas;
mod races;
mod rates;
mod refs;
mod retention;
mod routing;
mod schema;
mod settings;
mod statuses;
mod strictness;
mod subscriptions;
mod sudo;
mod times;
mod todos;
mod token_rules;
mod tokens;
mod unread;
mod users;
mod v4;

/// Tells in the runner's own words which host this run had.
fn host() -> &'static str {
    if support::spec().is_in_process() { "in_process_on_sqlite" } else { "over_http" }
}

#[test]
fn the_suite_runs_on_its_host() {
    println!("the suite ran {}", host());
}
