//! Tries every route of v4 with every kind of caller that it must refuse: without a token, with one that is wrong,
//! revoked, expired or of a blocked user, with tokens of other projects, and with SUDO by users without the right.

use super::access_matrix::{Callers, address};
use crate::support::ROUTES_V4;
use crate::support::{Ask, Person, Visibility, World, contract_v4, spec, templated, unique};
use serde_json::{Value, json};

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

/// As in v3, a bad token counts as none for the badge of a public project. Tested in `badges`.
const LENIENT: &[&str] = &[
    r#"["projects", id, "badges", git_ref, "pipeline.svg"]"#,
    r#"["projects", id, "badges", git_ref, "build.svg"]"#,
    r#"["projects", id, "badges", git_ref, "coverage.svg"]"#,
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

/// Where a caller without a token gets 401 for a project that is not public.
const PACKAGES: &str = r#"["projects", id, "packages""#;

/// The rule of the description.
fn open(method: &str, pattern: &str) -> Open {
    let described = &contract_v4().document["paths"][templated(pattern)][method.to_lowercase()];
    let needs_a_token = described["security"][0] != json!({});
    match described["responses"]["401"] {
        _ if needs_a_token => Open::Never,
        Value::Null => Open::Always,
        _ if pattern.starts_with(PACKAGES) => Open::OrUnauthorized,
        _ => Open::WhereIsPublic,
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
