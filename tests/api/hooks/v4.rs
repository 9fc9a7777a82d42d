//! The records of hooks in v4.

use super::{URL, hook};
use crate::support::v4::names;
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

const KEY: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

#[test]
fn hooks_are_the_affair_of_maintainers() {
    let world = World::new(spec(), Visibility::Public);
    let id = hook(&world, json!({}));
    let one = format!("/hooks/{id}");
    let paths = [
        ("GET", "/hooks".to_owned()),
        ("POST", "/hooks".to_owned()),
        ("GET", one.clone()),
        ("PUT", one.clone()),
        ("DELETE", one.clone()),
        ("POST", format!("{one}/test/issues_events")),
        ("GET", format!("{one}/events")),
        ("POST", format!("{one}/events/1/resend")),
        ("PUT", format!("{one}/url_variables/a")),
        ("DELETE", format!("{one}/url_variables/a")),
        ("PUT", format!("{one}/custom_headers/X-A")),
        ("DELETE", format!("{one}/custom_headers/X-A")),
    ];
    for (verb, path) in &paths {
        let body = json!({ "url": URL, "value": "x" });
        let elsewhere = World::new(spec(), Visibility::Private);
        if path != "/hooks" {
            // a hook of another project
            elsewhere.v4(verb, path).by(&world.ann).json(body).refused(404, json!({ "message": "404 Not found" }));
        }
    }
    assert_eq!(world.v4("GET", &one).by(&world.ann).gives(200).id(), id);
    world.v4("DELETE", &one).by(&world.ann).gives(204);
    for verb in ["GET", "PUT", "DELETE"] {
        let gone = json!({ "message": "404 Not found" });
        world.v4(verb, &one).by(&world.ann).json(json!({ "name": "x" })).refused(404, gone.clone());
        world.v4(verb, "/hooks/x").by(&world.ann).json(json!({ "name": "x" })).refused(404, gone);
    }
}

#[test]
fn a_blank_branch_filter_is_shown_and_lets_all_branches_through() {
    let world = World::new(spec(), Visibility::Private);
    let filter = |method: &str, path: &str, filter: Value| {
        let fields = json!({ "url": URL, "push_events_branch_filter": filter });
        let hook = world.v4(method, path).by(&world.ann).json(fields).send().json;
        (format!("/hooks/{}", hook["id"]), hook["push_events_branch_filter"].clone())
    };
    let (one, shown) = filter("POST", "/hooks", json!(""));
    assert_eq!(shown, "");
    for (sent, shown) in
        [(json!("a"), json!("a")), (json!(" "), json!("")), (json!(null), json!(null)), (json!(""), json!(""))]
    {
        assert_eq!(filter("PUT", &one, sent).1, shown);
    }
    assert_eq!(world.v4("GET", &one).by(&world.ann).gives(200).json["push_events_branch_filter"], "");
    let all = json!({ "push_events_branch_filter": "", "branch_filter_strategy": "all_branches" });
    assert_eq!(
        world.v4("PUT", &one).by(&world.ann).json(all).gives(200).json["push_events_branch_filter"],
        json!(null)
    );
}

#[test]
fn a_branch_filter_takes_regular_expressions_of_re2() {
    let world = World::new(spec(), Visibility::Private);
    let regex =
        |filter: &str| json!({ "url": URL, "branch_filter_strategy": "regex", "push_events_branch_filter": filter });
    let (ann, root) = (&world.ann, &world.root);
    let system = world.server.ask_v4("POST", "/hooks").by(root).json(json!({ "url": URL })).gives(201).json;
    for filter in [
        "feature/.*",
        "^(main|release/.*)$",
        "[^/]+",
        r"\S",
        r"\D",
        r"\W",
        r"^\d+\.\w+\s?$",
        "(?s).",
        "(?i)^ä",
        r"^\p{L}+$",
        r"^(?:\p{Lu}\p{Ll}*|\p{Nd}+)+$",
        r"^[^\p{Lu}/]+$",
        r"^[\w--]+$",
        r"^\x{65e5}.$",
    ] {
        let made = world.v4("POST", "/hooks").by(ann).json(regex(filter)).gives(201).json;
        assert_eq!(made["push_events_branch_filter"], filter);
        let id = &made["id"];
        world.v4("PUT", &format!("/hooks/{id}")).by(ann).json(regex(filter)).gives(200);
        world.v4("DELETE", &format!("/hooks/{id}")).by(ann).gives(204);
        let one = format!("/hooks/{}", system["id"]);
        world.server.ask_v4("PUT", &one).by(root).json(regex(filter)).gives(200);
        let made = world.server.ask_v4("POST", "/hooks").by(root).json(regex(filter)).gives(201).json;
        world.server.ask_v4("DELETE", format!("/hooks/{}", made["id"])).by(root).send();
        let form = [("url", URL), ("branch_filter_strategy", "regex"), ("push_events_branch_filter", filter)];
        let made = world.v4("POST", "/hooks").by(ann).form(&form).gives(201).json;
        assert_eq!(made["push_events_branch_filter"], filter);
        world.v4("DELETE", &format!("/hooks/{}", made["id"])).by(ann).gives(204);
    }
    // the strategy and the filter fit each other, whichever of them changes
    let two = |strategy: &str, filter: &str, change: Value| {
        let first = json!({ "url": URL, "branch_filter_strategy": strategy, "push_events_branch_filter": filter });
        let id = world.v4("POST", "/hooks").by(ann).json(first).gives(201).id();
        let status = world.v4("PUT", &format!("/hooks/{id}")).by(ann).json(change).send().status;
        world.v4("DELETE", &format!("/hooks/{id}")).by(ann).gives(204);
        status
    };
    let (to_regex, to_wildcard) =
        (json!({ "branch_filter_strategy": "regex" }), json!({ "branch_filter_strategy": "wildcard" }));
    assert_eq!(two("wildcard", "feature/*", to_regex.clone()), 200);
    assert_eq!(two("wildcard", "*(x", to_regex), 422);
    assert_eq!(two("regex", "feature/.*", to_wildcard.clone()), 200);
    assert_eq!(two("regex", "^[äö]", to_wildcard), 422);
    assert_eq!(two("regex", "ä", json!({ "push_events_branch_filter": "(?=ä)" })), 422);
    assert_eq!(two("regex", "ä", json!({ "push_events_branch_filter": "^ö|日" })), 200);
}

#[test]
fn a_hook_answers_what_it_was_given_and_no_secret() {
    let world = World::new(spec(), Visibility::Private);
    let bare = world.v4("POST", "/hooks").by(&world.ann).json(json!({ "url": URL })).gives(201).json;
    assert_eq!(bare["push_events"], true);
    assert_eq!((&bare["issues_events"], &bare["enable_ssl_verification"]), (&json!(false), &json!(true)));
    assert_eq!((&bare["alert_status"], &bare["token_present"]), (&json!("executable"), &json!(false)));
    let fields = json!({
        "url": "https://ann:swordfish@hooks.example.org/{place}?x=1", "name": "CI", "description": "tells CI", "push_events": false,
        "issues_events": true, "confidential_note_events": true, "vulnerability_events": true, "enable_ssl_verification": false,
        "push_events_branch_filter": "release/*", "custom_webhook_template": "{\"a\":{{object_kind}}}", "token": "swordfish",
        "signing_token": KEY, "url_variables": [{ "key": "place", "value": "swordfish" }],
        "custom_headers": [{ "key": "X-Custom", "value": "swordfish" }],
    });
    let made = world.v4("POST", "/hooks").by(&world.ann).json(fields).gives(201);
    assert!(!made.text.contains("swordfish") && !made.text.contains("whsec_"), "{}", made.text);
    let shown = &made.json;
    let listed = world.v4("GET", "/hooks").by(&world.ann).gives(200);
    assert_eq!((&listed.json[1], listed.header("X-Total")), (shown, Some("2")));
    assert_eq!(world.v4("GET", &format!("/hooks/{}", shown["id"])).by(&world.ann).gives(200).json, *shown);
    for (name, value) in [
        ("url", json!("https://ann:*****@hooks.example.org/{place}?x=1")),
        ("name", json!("CI")),
        ("description", json!("tells CI")),
        ("push_events", json!(false)),
        ("issues_events", json!(true)),
        ("confidential_note_events", json!(true)),
        ("vulnerability_events", json!(true)),
        ("enable_ssl_verification", json!(false)),
        ("push_events_branch_filter", json!("release/*")),
        ("branch_filter_strategy", json!("wildcard")),
        ("custom_webhook_template", json!("{\"a\":{{object_kind}}}")),
        ("token_present", json!(true)),
        ("signing_token_present", json!(true)),
        ("url_variables", json!([{ "key": "place" }])),
        ("custom_headers", json!([{ "key": "X-Custom" }])),
        ("project_id", json!(world.project.id)),
        ("disabled_until", Value::Null),
    ] {
        assert_eq!(shown[name], value, "{name}");
    }
    assert_eq!(
        names(shown),
        "alert_status branch_filter_strategy confidential_issues_events confidential_note_events created_at custom_headers custom_webhook_template deployment_events description disabled_until emoji_events enable_ssl_verification feature_flag_events id issues_events job_events merge_requests_events milestone_events name note_events pipeline_events project_id push_events push_events_branch_filter releases_events repository_update_events resource_access_token_events resource_deploy_token_events signing_token_present tag_push_events token_present url url_variables vulnerability_events wiki_page_events"
    );
    if spec().is_in_process() {
        let stored = spec().rows("select json_group_array(json_array(url, sealed_url, token, signing_token, url_variables, custom_headers)) as row from hooks");
        assert!(!stored[0].to_string().contains("swordfish"), "{stored:?}");
    }
}

#[test]
fn a_change_of_a_hook_keeps_what_it_does_not_name() {
    let world = World::new(spec(), Visibility::Private);
    let headers = json!([{ "key": "X-A", "value": "1" }]);
    let fields =
        json!({ "issues_events": true, "token": "t", "signing_token": KEY, "custom_headers": headers, "name": "n" });
    let path = format!("/hooks/{}", hook(&world, fields));
    let put = |fields: Value| world.v4("PUT", &path).by(&world.ann).json(fields).gives(200).json;
    let flags = |hook: &Value| {
        [&hook["token_present"], &hook["signing_token_present"], &json!(hook["custom_headers"] != json!([]))]
            .map(|flag| flag.as_bool().unwrap())
    };
    let changed = put(json!({ "note_events": true, "name": "" }));
    assert_eq!(
        (&changed["issues_events"], &changed["note_events"], &changed["name"]),
        (&json!(true), &json!(true), &Value::Null)
    );
    assert_eq!(flags(&changed), [true, true, true]);
    // the same address as it is shown
    assert_eq!(flags(&put(json!({ "url": URL }))), [true, true, true]);
    assert_eq!(flags(&put(json!({ "token": "" }))), [false, true, true]);
    // another address does not get the secrets of the one before
    assert_eq!(flags(&put(json!({ "url": "https://other.example.org/" }))), [false, false, false]);
    let moved = put(json!({ "url": URL, "token": "t2", "custom_headers": [{ "key": "X-B", "value": "2" }] }));
    assert_eq!(flags(&moved), [true, false, true]);
    let with_variable = put(
        json!({ "url": "https://{host}/", "url_variables": [{ "key": "host", "value": "a.example.org" }], "token": "t3" }),
    );
    assert_eq!((flags(&with_variable)[0], &with_variable["url_variables"]), (true, &json!([{ "key": "host" }])));
    // neither does one that a variable makes
    world
        .v4("PUT", &format!("{path}/url_variables/host"))
        .by(&world.ann)
        .json(json!({ "value": "b.example.org" }))
        .gives(204);
    let shown = world.v4("GET", &path).by(&world.ann).gives(200).json;
    assert!(!flags(&shown)[0]);
    assert_eq!(
        put(json!({ "branch_filter_strategy": "all_branches", "push_events_branch_filter": "x" }))["push_events_branch_filter"],
        Value::Null
    );
}

#[test]
fn headers_and_variables_are_set_one_by_one() {
    let world = World::new(spec(), Visibility::Private);
    let id = hook(&world, json!({}));
    let at =
        |verb: &str, path: &str, body: Value| world.v4(verb, &format!("/hooks/{id}/{path}")).by(&world.ann).json(body);
    at("PUT", "custom_headers/X-One", json!({ "value": "1" })).gives(204);
    at("PUT", "custom_headers/X-One", json!({ "value": "2" })).gives(204);
    at("PUT", "url_variables/one", json!({ "value": "1" })).gives(204);
    let shown = world.v4("GET", &format!("/hooks/{id}")).by(&world.ann).gives(200).json;
    assert_eq!(
        (&shown["custom_headers"], &shown["url_variables"]),
        (&json!([{ "key": "X-One" }]), &json!([{ "key": "one" }]))
    );
    let illegal = json!({ "error": "Illegal key or value" });
    for path in
        ["custom_headers/Host", "custom_headers/cf-ray", "custom_headers/X--A", "custom_headers/1a", "url_variables/a-"]
    {
        at("PUT", path, json!({ "value": "1" })).refused(422, illegal.clone());
    }
    at("PUT", "custom_headers/X-Two", json!({ "value": "a\r\nb" })).refused(422, illegal);
    at("PUT", "custom_headers/X-Two", json!({})).refused(400, json!({ "error": "value is missing" }));
    at("DELETE", "custom_headers/X-Two", json!({})).refused(404, json!({ "message": "404 Custom header Not Found" }));
    at("DELETE", "url_variables/two", json!({})).refused(404, json!({ "message": "404 URL variable Not Found" }));
    at("DELETE", "custom_headers/X-One", json!({})).gives(204);
    at("DELETE", "url_variables/one", json!({})).gives(204);
    for number in 0..20 {
        at("PUT", &format!("url_variables/v{number}"), json!({ "value": "1" })).gives(204);
    }
    at("PUT", "url_variables/w", json!({ "value": "1" })).refused(422, json!({ "error": "Illegal key or value" }));
}

#[test]
fn a_project_has_at_most_20_hooks() {
    let world = World::new(spec(), Visibility::Private);
    for _ in 0..20 {
        hook(&world, json!({}));
    }
    let full = json!({ "message": { "base": ["Maximum number of project hooks (20) exceeded"] } });
    world.v4("POST", "/hooks").by(&world.ann).json(json!({ "url": URL })).refused(422, full);
    let pages = world.v4("GET", "/hooks?per_page=12").by(&world.ann).gives(200);
    assert_eq!((pages.json.as_array().unwrap().len(), pages.header("X-Total")), (12, Some("20")));
    assert!(pages.next().is_some());
}

#[test]
fn a_variable_or_header_of_a_hook_may_be_called_like_a_file() {
    let world = World::new(spec(), Visibility::Private);
    let of_project = format!("/hooks/{}", hook(&world, json!({})));
    let made = spec().ask_v4("POST", "/hooks").by(&spec().root()).json(json!({ "url": URL })).gives(201);
    let of_system = format!("/hooks/{}", made.id());
    for (is_system, one) in [(false, of_project), (true, of_system)] {
        let ask = |verb: &str, below: &str| match is_system {
            true => spec().ask_v4(verb, format!("{one}{below}")).by(&spec().root()),
            false => world.v4(verb, &format!("{one}{below}")).by(&world.ann),
        };
        for (list, key) in [("url_variables", "place"), ("custom_headers", "X-Place")] {
            let set = |key: &str| ask("PUT", &format!("/{list}/{key}")).json(json!({ "value": "v" }));
            set(key).gives(204);
            set(&format!("{key}.json")).gives(204);
            ask("DELETE", &format!("/{list}/{key}.json")).gives(204);
            assert_eq!(ask("GET", "").gives(200).json[list], json!([{ "key": key }]));
        }
        if is_system {
            ask("DELETE", "").gives(204);
        }
    }
}
