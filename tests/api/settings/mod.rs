//! Application settings (specification, "Application settings"; behaviour 9).

mod concurrent;
mod effects;
mod random_input;
mod v4;

use crate::support::{Answer, Ask, Server, apart, default_settings, spec, templates};
use serde_json::{Value, json};

fn put(server: &'static Server) -> Ask {
    server.put("/application/settings").by(&server.root())
}

fn get(server: &'static Server) -> Answer {
    server.get("/application/settings").by(&server.root()).gives(200)
}

/// A refusal of these fields with these texts, and nothing saved.
#[track_caller]
fn refuses(server: &'static Server, sent: Value, faults: Value) {
    let before = get(server).json;
    put(server).json(sent).refused(400, json!({ "message": faults }));
    assert_eq!(get(server).json, before);
}

#[test]
fn the_record_has_the_fields_of_the_specification_in_order_and_its_defaults() {
    let answer = get(Server::own(templates::blobs()));
    let times = (&answer.json["created_at"], &answer.json["updated_at"]);
    let expected = format!(
        r#"{{"id":1,"created_at":{},"updated_at":{},"default_projects_limit":10,"signup_enabled":true,"#,
        times.0, times.1
    ) + r#""signin_enabled":true,"avatar_enabled":true,"sign_in_text":null,"home_page_url":null,"#
        + r#""default_branch_protection":2,"restricted_visibility_levels":[],"max_attachment_size":10,"#
        + r#""session_expire_delay":10080,"default_project_visibility":0,"default_snippet_visibility":0,"#
        + r#""domain_whitelist":null,"domain_blacklist_enabled":false,"domain_blacklist":[],"#
        + r#""user_oauth_applications":true,"after_sign_out_path":null,"#
        + r#""container_registry_token_expire_delay":5,"repository_storage":"default","#
        + r#""enabled_git_access_protocol":null}"#;
    assert_eq!(answer.text, expected);
    let created_at = times.0.as_str().unwrap();
    assert!(created_at.ends_with('Z') && created_at.len() == 24, "{created_at}");
    for (name, value) in default_settings().as_object().unwrap() {
        assert_eq!(&answer.json[name], value, "{name}");
    }
}

#[test]
fn reading_is_one_trip_and_changing_two() {
    assert_eq!(get(spec()).trips, 1);
    let apart = apart();
    let server = apart.server;
    assert_eq!(put(server).json(json!({ "sign_in_text": "a" })).gives(200).trips, 2);
}

#[test]
fn a_change_is_answered_and_seen_by_the_next_request() {
    let apart = apart();
    let server = apart.server;
    let sent = json!({
        "default_projects_limit": 3, "signup_enabled": false, "signin_enabled": false, "avatar_enabled": false,
        "sign_in_text": "Bienvenue \u{1f44b}", "home_page_url": "https://example.com",
        "default_branch_protection": 1, "restricted_visibility_levels": [2, 0], "max_attachment_size": 100,
        "session_expire_delay": 0, "default_project_visibility": 1, "default_snippet_visibility": 2,
        "domain_whitelist": ["example.com", "*.example.org"], "domain_blacklist_enabled": true,
        "domain_blacklist": ["evil.com"], "user_oauth_applications": false,
        "after_sign_out_path": "http://example.com/bye", "container_registry_token_expire_delay": 1,
        "repository_storage": "custom", "enabled_git_access_protocol": "ssh",
    });
    let answer = put(server).json(sent.clone()).gives(200);
    assert_eq!(get(server).json, answer.json);
    for (name, value) in sent.as_object().unwrap() {
        assert_eq!(&answer.json[name], value, "{name}");
    }
    assert_ne!(answer.json["updated_at"], answer.json["created_at"]);
    // a change of nothing, and of what nobody knows
    for odd in [
        json!({}),
        json!({ "id": 7, "created_at": "2001-01-01", "after_sign_up_text": "x" }),
        json!({ "push_event_hooks_limit": "x" }),
    ] {
        assert_eq!(put(server).json(odd).gives(200).json, answer.json);
    }
}

#[test]
fn whatever_was_read_may_be_sent_back() {
    let apart = apart();
    let server = apart.server;
    let read = get(server).json;
    let mut answer = put(server).json(read.clone()).gives(200).json;
    answer["updated_at"] = read["updated_at"].clone();
    assert_eq!(answer, read);
}

#[test]
fn null_and_blank_clear_what_may_be_null_and_leave_the_rest() {
    let apart = apart();
    let server = apart.server;
    let names =
        ["sign_in_text", "home_page_url", "after_sign_out_path", "enabled_git_access_protocol", "domain_whitelist"];
    let lists = ["restricted_visibility_levels", "domain_blacklist"];
    for blank in [json!(null), json!(""), json!(" ")] {
        let full = json!({
            "sign_in_text": "a", "home_page_url": "http://a", "after_sign_out_path": "http://b",
            "enabled_git_access_protocol": "http", "restricted_visibility_levels": [1],
            "domain_whitelist": ["a.com"], "domain_blacklist": ["b.com"],
        });
        put(server).json(full).gives(200);
        let everything = get(server).json;
        let sent: serde_json::Map<String, Value> =
            everything.as_object().unwrap().keys().map(|name| (name.clone(), blank.clone())).collect();
        let answer = put(server).json(Value::from(sent)).gives(200).json;
        for (name, value) in everything.as_object().unwrap() {
            let expected = match name.as_str() {
                name if names.contains(&name) => &Value::Null,
                name if lists.contains(&name) => &json!([]),
                "updated_at" => continue,
                _ => value,
            };
            assert_eq!(&answer[name], expected, "{name} after {blank:?}");
        }
    }
}

#[test]
fn nil_allows_both_git_protocols() {
    let apart = apart();
    let server = apart.server;
    put(server).form(&[("enabled_git_access_protocol", "ssh")]).gives(200);
    let answer = put(server).form(&[("enabled_git_access_protocol", "nil")]).gives(200);
    assert_eq!(answer.json["enabled_git_access_protocol"], Value::Null);
    refuses(
        server,
        json!({ "enabled_git_access_protocol": "ftp" }),
        json!({ "enabled_git_access_protocol": ["is not included in the list"] }),
    );
}

#[test]
fn lists_come_as_json_as_repeated_fields_and_joined_with_commas() {
    let apart = apart();
    let server = apart.server;
    let forms: [&[(&str, &str)]; 3] = [
        &[("restricted_visibility_levels[]", "1"), ("restricted_visibility_levels[]", "2")],
        &[("restricted_visibility_levels", "1,2")],
        &[("restricted_visibility_levels", "1, 2,")],
    ];
    let bodies = [json!([1, 2]), json!(["1", "2"]), json!("1,2"), json!([1.0, 2, 1])];
    let name = "restricted_visibility_levels";
    let asks = forms
        .iter()
        .flat_map(|form| [put(server).form(form), put(server).multipart(form)])
        .chain(bodies.iter().map(|body| put(server).json(json!({ name: body }))));
    for ask in asks {
        let answer = ask.gives(200);
        assert_eq!(answer.json[name], json!([1, 2]));
        // as Ruby sends an empty one
        assert_eq!(put(server).form(&[(&format!("{name}[]"), "")]).gives(200).json[name], json!([]));
    }
    let domains = [("domain_whitelist", "a.com,B.com , a.com")];
    assert_eq!(put(server).form(&domains).gives(200).json["domain_whitelist"], json!(["a.com", "b.com"]));
}

#[test]
fn booleans_come_in_all_their_forms() {
    let apart = apart();
    let server = apart.server;
    for (text, truth) in [("false", false), ("1", true), ("0", false), ("True", true), ("off", false)] {
        assert_eq!(put(server).form(&[("signup_enabled", text)]).gives(200).json["signup_enabled"], truth);
    }
    let query = server.put("/application/settings?signup_enabled=true").by(&server.root());
    assert_eq!(query.gives(200).json["signup_enabled"], true);
    refuses(server, json!({ "signup_enabled": "perhaps" }), json!({ "signup_enabled": ["is invalid"] }));
}

#[test]
fn the_original_name_of_avatar_enabled_is_taken_too() {
    let apart = apart();
    let server = apart.server;
    let answer = put(server).form(&[("gravatar_enabled", "false")]).gives(200);
    assert_eq!(answer.json["avatar_enabled"], false);
    assert_eq!(answer.json.get("gravatar_enabled"), None);
    let both = json!({ "gravatar_enabled": false, "avatar_enabled": true });
    assert_eq!(put(server).json(both).gives(200).json["avatar_enabled"], true);
}

#[test]
fn numbers_are_whole_and_within_their_bounds() {
    let apart = apart();
    let server = apart.server;
    let integer = ["must be an integer"];
    let most = ["must be less than or equal to 2147483647"];
    let listed = ["is not included in the list"];
    for (name, least) in [
        ("max_attachment_size", 1),
        ("container_registry_token_expire_delay", 1),
        ("session_expire_delay", 0),
        ("default_projects_limit", 0),
    ] {
        let low = if least == 0 { "must be greater than or equal to 0" } else { "must be greater than 0" };
        refuses(server, json!({ name: least - 1 }), json!({ name: [low] }));
        for fraction in [json!(1.5), json!("1.5")] {
            refuses(server, json!({ name: fraction }), json!({ name: integer }));
        }
        for odd in [json!("many"), json!(true), json!("0x10"), json!("nan"), json!("1e999")] {
            refuses(server, json!({ name: odd }), json!({ name: ["is not a number"] }));
        }
        for odd in [json!([1]), json!({ "a": 1 })] {
            refuses(server, json!({ name: odd }), json!({ name: ["is invalid"] }));
        }
        for big in [json!(2_147_483_648_i64), json!(i64::MAX), json!(u64::MAX), json!(1e300), json!("9".repeat(40))] {
            refuses(server, json!({ name: big }), json!({ name: most }));
        }
        for good in [json!(least), json!(2_147_483_647), json!("7"), json!(" 8 "), json!(9.0)] {
            put(server).json(json!({ name: good })).gives(200);
        }
        assert_eq!(get(server).json[name], 9);
    }
    for name in ["default_branch_protection", "default_project_visibility", "default_snippet_visibility"] {
        for odd in [json!(-1), json!(3), json!(10), json!(1.5), json!("public"), json!(i64::MIN), json!(1e300)] {
            refuses(server, json!({ name: odd }), json!({ name: listed }));
        }
        for good in [json!(0), json!("1"), json!(2)] {
            put(server).json(json!({ name: good })).gives(200);
        }
        assert_eq!(get(server).json[name], 2);
    }
}

#[test]
fn a_restricted_level_is_one_of_three() {
    refuses(
        apart().server,
        json!({ "restricted_visibility_levels": [1, 7, "x"] }),
        json!({ "restricted_visibility_levels":
            ["'7' is not a valid visibility level", "'x' is not a valid visibility level"] }),
    );
}

#[test]
fn a_storage_is_one_of_the_configured() {
    let apart = apart();
    let server = apart.server;
    let wrong = json!({ "repository_storage": ["is not included in the list"] });
    for odd in ["alternative", "Default", "default,custom"] {
        refuses(server, json!({ "repository_storage": odd }), wrong.clone());
    }
    let answer = put(server).form(&[("repository_storage", "custom")]).gives(200);
    assert_eq!(answer.json["repository_storage"], "custom");
}

#[test]
fn an_address_is_one_of_http() {
    let apart = apart();
    let server = apart.server;
    for name in ["home_page_url", "after_sign_out_path"] {
        for odd in ["ftp://example.com", "example.com", "/bye", "javascript:alert(1)", "http://", "http://a b"] {
            refuses(server, json!({ name: odd }), json!({ name: ["must be a valid URL"] }));
        }
        let answer = put(server).json(json!({ name: "https://example.com/a?b#c" })).gives(200);
        assert_eq!(answer.json[name], "https://example.com/a?b#c");
        let long = format!("http://{}", "a".repeat(2_000));
        refuses(server, json!({ name: long }), json!({ name: ["is too long (maximum is 2000 characters)"] }));
    }
}

#[test]
fn a_domain_is_named_as_domains_are() {
    let apart = apart();
    let server = apart.server;
    for name in ["domain_whitelist", "domain_blacklist"] {
        let wrong = json!({ name: ["'a@b.com' is not a valid domain name"] });
        refuses(server, json!({ name: ["a.com", "a@b.com"] }), wrong);
    }
    refuses(server, json!({ "domain_whitelist": [{}] }), json!({ "domain_whitelist": ["is invalid"] }));
}

#[test]
fn an_enabled_blacklist_holds_a_domain() {
    let apart = apart();
    let server = apart.server;
    let empty = json!({ "domain_blacklist": ["Domain blacklist cannot be empty if Blacklist is enabled."] });
    refuses(server, json!({ "domain_blacklist_enabled": true }), empty.clone());
    let both = [("domain_blacklist_enabled", "true"), ("domain_blacklist[]", "evil.com")];
    let answer = put(server).form(&both).gives(200).json;
    assert_eq!(answer["domain_blacklist_enabled"], true);
    assert_eq!(answer["domain_blacklist"], json!(["evil.com"]));
    for nothing in [json!([]), json!(null), json!(""), json!([""])] {
        refuses(server, json!({ "domain_blacklist": nothing }), empty.clone());
    }
    let off = json!({ "domain_blacklist_enabled": false, "domain_blacklist": [] });
    put(server).json(off).gives(200);
    // what is stored counts
    put(server).json(json!({ "domain_blacklist": ["evil.com"] })).gives(200);
    put(server).json(json!({ "domain_blacklist_enabled": true })).gives(200);
}

#[test]
fn all_failing_fields_are_told_at_once_and_nothing_is_saved() {
    let sent = json!({
        "sign_in_text": "not saved", "max_attachment_size": 0, "signup_enabled": 7, "home_page_url": "ftp://a",
        "default_branch_protection": 9, "repository_storage": ["a"], "domain_blacklist_enabled": true,
    });
    let faults = json!({
        "max_attachment_size": ["must be greater than 0"], "signup_enabled": ["is invalid"],
        "home_page_url": ["must be a valid URL"], "default_branch_protection": ["is not included in the list"],
        "repository_storage": ["is invalid"],
        "domain_blacklist": ["Domain blacklist cannot be empty if Blacklist is enabled."],
    });
    refuses(apart().server, sent, faults);
}

#[test]
fn only_an_administrator_sees_and_changes_them() {
    let eve = &spec().cast().eve;
    let put = || spec().put("/application/settings").by(eve);
    put().json(json!({ "max_attachment_size": 0 })).refused(403, json!({ "message": "403 Forbidden" }));
    put().body("application/json", "{").refused(403, json!({ "message": "403 Forbidden" }));
}
