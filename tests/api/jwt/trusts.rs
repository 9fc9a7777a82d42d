//! Making, showing and ending a trust: a token of a project without a secret.

use super::keyless::{ISSUER, trusted};
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

fn refused(world: &World, fields: Value, told: Value) {
    let mut all = json!({ "name": "ci", "issuer": ISSUER, "claims": ["repository_id=12"] });
    fields.as_object().unwrap().iter().for_each(|(name, value)| all[name] = value.clone());
    all.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    world.v4("POST", "/access_tokens").by(&world.ann).json(all).refused(400, json!({ "message": told }));
}

#[test]
fn a_trust_is_a_token_of_the_project_without_a_secret() {
    let world = World::new(spec(), Visibility::Private);
    let made = trusted(&world, &world.ann, json!({ "access_level": 30, "expires_at": "2999-12-31" }));
    let audience = made["audience"].as_str().unwrap();
    let end = audience.strip_prefix("urn:edgeforge:trust:").unwrap();
    assert!(end.len() == 20 && end.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)), "{audience}");
    let mut expected = json!({
        "id": made["id"], "name": "ci", "revoked": false, "created_at": made["created_at"], "description": null,
        "scopes": ["statuses"], "user_id": made["user_id"], "last_used_at": null, "active": true,
        "expires_at": "2999-12-31", "access_level": 30, "resource_type": "project", "resource_id": world.project.id,
        "issuer": ISSUER, "claims": ["repository_id=12", "ref=refs/heads/main", "ref=refs/tags/v*"],
        "audience": audience, "token": null,
    });
    assert_eq!(made, expected);
    expected.as_object_mut().unwrap().remove("token");
    let shown = world.v4("GET", &format!("/access_tokens/{}", made["id"])).by(&world.ann).gives(200).json;
    assert_eq!(shown, expected);
    assert_eq!(world.v4("GET", "/access_tokens").by(&world.ann).gives(200).json, json!([expected]));
    assert_eq!(world.get("/access_tokens").by(&world.ann).gives(200).json[0]["id"], made["id"]);
    // other tokens have these members without a value
    let plain = json!({ "name": "plain", "scopes": ["statuses"] });
    let plain = world.v4("POST", "/access_tokens").by(&world.ann).json(plain).gives(201).json;
    assert_eq!((&plain["issuer"], &plain["claims"], &plain["audience"]), (&Value::Null, &Value::Null, &Value::Null));
    assert!(plain["token"].is_string());
    let scopes = json!({ "scopes": ["api", "deployments"], "access_level": 40 });
    assert_eq!(trusted(&world, &world.ann, scopes)["scopes"], json!(["api", "deployments"]));
    // a reporter makes none
    world.v4("POST", "/access_tokens").by(&world.rae).json(json!({ "name": "x", "issuer": ISSUER })).gives(401);
    let good = json!({ "name": "x", "issuer": ISSUER, "claims": ["repository_id=12"] });
    world.v4("POST", "/access_tokens").by(&world.bob).json(good).gives(401);
}

#[test]
fn a_trust_needs_a_listed_issuer_and_the_id_of_a_repository() {
    let world = World::new(spec(), Visibility::Private);
    let issuer = json!({ "issuer": ["is not in the list of this server"] });
    for other in [
        "file:///etc/passwd",
        "https://169.254.169.254",
        "https://10.0.0.1",
        "https://gitlab.com",
        "https://ci.example.com/",
        "x",
    ] {
        refused(&world, json!({ "issuer": other }), issuer.clone());
    }
    refused(&world, json!({ "issuer": null, "scopes": ["statuses"] }), issuer);
    let id = json!({ "claims": ["must have the repository's id, for example repository_id=123"] });
    for claims in [
        json!(null),
        json!([]),
        json!(["ref=refs/heads/main"]),
        json!(["repository=ann/x"]),
        json!(["repository_id=*"]),
        json!(["repository_id=1*"]),
        json!(["repository_id=12", "repository_id=*"]),
        json!(["repository_ids=12"]),
        json!(["sub=repo:ann/*"]),
    ] {
        refused(&world, json!({ "claims": claims }), id.clone());
    }
    let form = json!({ "claims": ["must be 1 to 20 texts name=value of at most 255 bytes"] });
    for claim in ["ref", "=x", "ref=", "ref=a\nb", &format!("ref={}", "\u{e9}".repeat(126))] {
        refused(&world, json!({ "claims": ["repository_id=12", claim] }), form.clone());
    }
    let long = json!({ "claims": ["is too long (maximum is 255 characters)"] });
    refused(&world, json!({ "claims": ["repository_id=12", format!("ref={}", "x".repeat(252))] }), long);
    refused(&world, json!({ "claims": (0..21).map(|it| format!("sub={it}")).collect::<Vec<_>>() }), form);
    let longest: Vec<String> = (0..20).map(|it| format!("sub={it:02}{}", "\"".repeat(249))).collect();
    let made = trusted(&world, &world.ann, json!({ "claims": longest }));
    assert_eq!(made["claims"], json!(longest));
    for claims in [
        json!(["project_id=7", "ref=a=b"]),
        json!(["pipeline_id=0190", "sub=x*"]),
        json!(["oidc.circleci.com/project-id=7c8a"]),
        json!(["sub=project:7", "aud=*"]),
    ] {
        assert_eq!(trusted(&world, &world.ann, json!({ "claims": claims }))["claims"], claims);
    }
    refused(&world, json!({ "scopes": ["mirror"] }), json!({ "scopes": ["can only contain available scopes"] }));
    refused(&world, json!({ "access_level": 50 }), json!({ "access_level": ["is not included in the list"] }));
}

#[test]
fn a_trust_is_not_rotated_and_is_answered_again_for_a_key() {
    let world = World::new(spec(), Visibility::Private);
    let trust = trusted(&world, &world.ann, json!({}));
    let no_secret = json!({ "message": "400 Bad request - A trust has no secret" });
    let rotate = format!("/access_tokens/{}/rotate", trust["id"]);
    world.v4("POST", &rotate).by(&world.ann).refused(400, no_secret.clone());
    world.post(&rotate).by(&world.ann).refused(400, no_secret);
    let fields = json!({ "name": "ci", "issuer": ISSUER, "claims": ["repository_id=12"] });
    let ask = || world.v4("POST", "/access_tokens").by(&world.ann).header("Idempotency-Key", "k").json(fields.clone());
    let first = ask().gives(201);
    let again = ask().gives(201);
    assert_eq!(again.header("Idempotent-Replayed"), Some("true"));
    assert_eq!(first.json, again.json);
    assert_eq!(world.v4("GET", "/access_tokens").by(&world.ann).gives(200).json.as_array().unwrap().len(), 2);
}
