//! Tries every route of v4 with every kind of caller that it must refuse: without a token, with one that is wrong,
//! revoked, expired or of a blocked user, with tokens of other projects, and with SUDO by users without the right.

use super::access_matrix::{Callers, address};
use crate::support::ROUTES_V4;
use crate::support::{Ask, Person, Visibility, World, spec, unique};
use serde_json::json;

/// The rule of a route for callers without a token.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Open {
    /// Everyone; an invalid token is ignored.
    Always,
    /// Everyone if the record is public; an invalid token is refused.
    WhereIsPublic,
    /// The same, but without a token a record that is not public is 401.
    OrUnauthorized,
    /// Every user with a token.
    Never,
}

/// The GET routes that need no token, by the beginnings of their patterns. All others need one. A longer pattern comes
/// before a shorter one.
const OPEN: &[(&str, Open)] = &[
    (r#"[]"#, Open::Always),
    (r#"["templates", "#, Open::Always),
    (r#"["projects"]"#, Open::WhereIsPublic),
    (r#"["projects", id]"#, Open::WhereIsPublic),
    (r#"["groups"]"#, Open::WhereIsPublic),
    (r#"["groups", id]"#, Open::WhereIsPublic),
    (r#"["groups", id, "projects"]"#, Open::WhereIsPublic),
    (r#"["groups", id, "issues"]"#, Open::WhereIsPublic),
    (r#"["groups", id, "issues_statistics"]"#, Open::WhereIsPublic),
    (r#"["groups", id, "releases"]"#, Open::WhereIsPublic),
    (r#"["groups", id, "packages"]"#, Open::WhereIsPublic),
    (r#"["users", id, "projects"]"#, Open::WhereIsPublic),
    (r#"["users", id, "status"]"#, Open::WhereIsPublic),
    (r#"["users", id, "keys"]"#, Open::WhereIsPublic),
    (r#"["users", id, "starred_projects"]"#, Open::WhereIsPublic),
    (r#"["users", id, "events"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "events"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "feeds", "issues.atom"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "feeds", git_ref, "commits.atom"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "templates", "licenses"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "templates", "licenses", key]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues_statistics"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "participants"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "time_stats"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "closed_by"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "related_merge_requests"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "award_emoji"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "award_emoji", award_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "notes", note_id, "award_emoji"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "notes", note_id, "award_emoji", award_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "badges", badge_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "notes"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "notes", note_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "discussions"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "discussions", discussion_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "issues", issue_iid, "discussions", discussion_id, "notes", note_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "labels"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "labels", name]"#, Open::WhereIsPublic),
    (r#"["projects", id, "milestones"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "milestones", milestone_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "milestones", milestone_id, "issues"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "milestones", milestone_id, "merge_requests"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "members"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "members", "all"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "members", "all", user_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "members", user_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "users"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha, "discussions"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha, "discussions", discussion_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha, "statuses"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "deployments"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "deployments", deployment_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "deployments", deployment_id, "merge_requests"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "environments"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "environments", environment_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha, "diff"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha, "comments"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha, "refs"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha, "sequence"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "commits", sha, "signature"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "protected_branches"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "protected_branches", name]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "branches"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "branches", name]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "tags"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "tags", name]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "tags", name, "signature"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "tree"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "files", file_path]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "files", file_path, "raw"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "files", file_path, "blame"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "releases"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "releases", "permalink", "latest"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "releases", "permalink", "latest", suffix]"#, Open::WhereIsPublic),
    (r#"["projects", id, "releases", tag]"#, Open::WhereIsPublic),
    (r#"["projects", id, "releases", tag, "downloads", path]"#, Open::WhereIsPublic),
    (r#"["projects", id, "releases", tag, "assets", "links"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "releases", tag, "assets", "links", link_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "uploads", secret, filename]"#, Open::WhereIsPublic),
    (r#"["projects", id, "packages"]"#, Open::OrUnauthorized),
    (r#"["projects", id, "packages", package_id]"#, Open::OrUnauthorized),
    (r#"["projects", id, "packages", package_id, "package_files"]"#, Open::OrUnauthorized),
    (r#"["projects", id, "packages", "generic", name, version, file_name]"#, Open::OrUnauthorized),
    (r#"["projects", id, "repository", "archive"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "archive", format]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "raw", name]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "contributors"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "compare"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "merge_base"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "blobs", sha]"#, Open::WhereIsPublic),
    (r#"["projects", id, "repository", "blobs", sha, "raw"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "pipelines"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "pipelines", "latest"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "pipelines", pipeline_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "pipelines", pipeline_id, "jobs"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "pipelines", pipeline_id, "bridges"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "badges", "release.svg"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "jobs"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "jobs", job_id]"#, Open::WhereIsPublic),
    (r#"["projects", id, "jobs", job_id, "trace"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "pipelines", pipeline_id, "test_report"]"#, Open::WhereIsPublic),
    (r#"["projects", id, "pipelines", pipeline_id, "test_report_summary"]"#, Open::WhereIsPublic),
];

/// As in v3, a bad token counts as none for the badge of a public project. Tested in `badges`.
const LENIENT: &[&str] = &[
    r#"["projects", id, "badges", git_ref, "pipeline.svg"]"#,
    r#"["projects", id, "badges", git_ref, "build.svg"]"#,
    r#"["projects", id, "badges", git_ref, "coverage.svg"]"#,
];

/// Lists that are always empty here. Everyone who sees the project or group may read them.
const EMPTY: &[&str] = &[
    "subgroups",
    "descendant_groups",
    "shared",
    "groups",
    "forks",
    "protected_tags",
    "variables",
    "snippets",
    "badges",
    "languages",
    "merge_requests",
    "triggers",
    "runners",
    "boards",
    "cluster_agents",
];

/// Routes that are left out without a token: a list without records is the same for everyone, and users are only found
/// by name.
const OWN_AFFAIR: &[&str] = &[
    r#"["users"]"#,
    r#"["users", id]"#,
    r#"["issues"]"#,
    r#"["issues_statistics"]"#,
    r#"["merge_requests"]"#,
    r#"["events"]"#,
];

fn open(method: &str, pattern: &str) -> Open {
    let is_row = |row: &&(&str, Open)| pattern == row.0 || (row.0.ends_with(' ') && pattern.starts_with(row.0));
    let last = pattern.trim_matches(['[', ']', '"']).rsplit('"').next().unwrap_or_default();
    let is_empty = EMPTY.contains(&last)
        || pattern == r#"["groups", id, "labels"]"#
        || pattern == r#"["groups", id, "hooks"]"#
        || pattern == r#"["groups", id, "milestones"]"#;
    // below a pipeline always-empty lists need a token, and so does the log of a hook
    let is_empty = is_empty && !["pipeline_id", "hook_id"].iter().any(|id| pattern.contains(id));
    match OPEN.iter().find(is_row) {
        _ if method != "GET" => Open::Never,
        Some((_, open)) => *open,
        None if is_empty && pattern.contains(", id, ") => Open::WhereIsPublic,
        None => Open::Never,
    }
}

#[test]
fn every_open_route_is_a_route() {
    for (known, _) in OPEN {
        let is_route = |(method, pattern): &(&str, &str)| *method == "GET" && pattern.starts_with(known);
        assert!(ROUTES_V4.iter().any(is_route), "GET {known} is not a route of v4");
    }
}

#[test]
fn every_route_that_is_not_open_refuses_a_wrong_token_and_needs_one() {
    let world = World::new(spec(), Visibility::Public);
    let wrong = Person { token: "wrong".to_owned(), ..world.eve.clone() };
    for (method, pattern) in ROUTES_V4.iter().filter(|(_, pattern)| !LENIENT.contains(pattern)) {
        let ask = || spec().ask_v4(method, address(pattern, world.project.id, world.group));
        let open = open(method, pattern);
        if open != Open::Always {
            ask().by(&wrong).refused(401, json!({ "message": "401 Unauthorized" }));
        }
        if !OWN_AFFAIR.contains(pattern) {
            let alone = ask().send();
            assert_eq!(alone.status == 401, open == Open::Never, "{}: {}", alone.what, alone.status);
        }
    }
}

#[test]
fn a_query_that_cannot_be_read_is_refused_by_every_route_of_v4() {
    let world = World::new(spec(), Visibility::Public);
    for (method, pattern) in ROUTES_V4.iter() {
        let address = format!("{}?a=%zz", address(pattern, world.project.id, world.group));
        let answer = spec().ask_v4(method, address).by(&world.root).send();
        // a record 1 may be missing
        assert!([400, 404].contains(&answer.status), "{}: {} {}", answer.what, answer.status, answer.text);
    }
}

#[test]
fn nobody_comes_in_with_what_is_no_token_of_theirs() {
    let callers = Callers::new();
    let unauthorized = json!({ "message": "401 Unauthorized" });
    for visibility in [Visibility::Public, Visibility::Private] {
        let world = World::new(spec(), visibility);
        let path = unique("refusals");
        let fields = json!({ "name": path, "path": path, "visibility_level": visibility as i64 });
        let group = spec().post("/groups").by(&world.ann).json(fields).gives(201).id();
        for (route, (method, pattern)) in ROUTES_V4.iter().enumerate() {
            if LENIENT.contains(pattern) {
                continue;
            }
            let at = address(pattern, world.project.id, group);
            let ask = || -> Ask { spec().ask_v4(method, &at) };
            let open = open(method, pattern);
            if open != Open::Always {
                for (why, person) in callers.nobodies_at(route) {
                    for sudo in [false, true] {
                        let ask = ask().by(person);
                        let answer = if sudo { ask.header("SUDO", "root") } else { ask }.send();
                        let told = format!("{why}: {} (SUDO: {sudo})", answer.what);
                        assert_eq!((answer.status, &answer.json["message"]), (401, &unauthorized["message"]), "{told}");
                    }
                }
                for sent in [ask().header("JOB-TOKEN", "job"), ask().query("job_token", "job")] {
                    sent.refused(401, unauthorized.clone());
                }
            }
            if OWN_AFFAIR.contains(pattern) {
                continue;
            }
            let alone = ask().send();
            match open {
                Open::OrUnauthorized if visibility == Visibility::Private => {
                    assert_eq!(
                        (alone.status, &alone.json["message"]),
                        (401, &unauthorized["message"]),
                        "{}",
                        alone.what
                    )
                }
                Open::Never => {
                    assert_eq!(
                        (alone.status, &alone.json["message"]),
                        (401, &unauthorized["message"]),
                        "{}",
                        alone.what
                    )
                }
                Open::WhereIsPublic
                    if visibility == Visibility::Private
                        && at != "/projects"
                        && at != "/groups"
                        && !at.starts_with("/users/") =>
                {
                    assert_eq!(alone.status, 404, "{}", alone.what);
                }
                // 403 without a pipeline
                _ if pattern.contains(r#""pipelines", "latest""#) => {
                    assert_eq!(alone.status, 403, "{}", alone.what)
                }
                _ => assert!(alone.status != 401 && alone.status != 403, "{}: {}", alone.what, alone.status),
            }
        }
    }
}

#[test]
fn a_token_that_only_reads_writes_nothing_and_one_of_another_project_does_not_come_in() {
    let callers = Callers::new();
    let world = World::new(spec(), Visibility::Private);
    let path = unique("scopes");
    let group = json!({ "name": path, "path": path });
    let group = spec().post("/groups").by(&world.ann).json(group).gives(201).id();
    let scopes = json!({ "message": "403 Forbidden - The scopes of the token do not allow this" });
    for (method, pattern) in ROUTES_V4.iter() {
        let at = address(pattern, world.project.id, group);
        // rendering writes nothing
        if *method != "GET" && *pattern != r#"["markdown"]"# {
            let answer = spec().ask_v4(method, &at).by(&callers.reader).send();
            let refused = (answer.status, &answer.json["message"]) == (403, &scopes["message"]) || answer.status == 404;
            assert!(refused, "{}: {} {}", answer.what, answer.status, answer.text);
        }
        if pattern.starts_with(r#"["projects", id"#) {
            for stranger in [&callers.hook, &callers.project] {
                let answer = spec().ask_v4(method, &at).by(stranger).send();
                assert!([403, 404].contains(&answer.status), "{}: {}", answer.what, answer.status);
            }
        }
    }
}
