//! Which hooks get what, and how it is sent.

use super::{URL, body, delivered, header, hook, hook_by, log};
use crate::support::git::sha;
use crate::support::{Server, now};
use crate::support::{Visibility, World, spec, unique};
use edgeforge::store::RemoteAnswer;
use serde_json::{Value, json};

const KEY: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_KEY: &str = "whsec_AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

fn server() -> &'static Server {
    Server::with(|config| config.external_url = "https://forge.example.com".to_owned())
}

#[test]
fn a_change_and_its_event_are_written_together_and_sent_once() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    hook(&world, json!({ "issues_events": true, "token": "swordfish" }));
    hook(&world, json!({ "note_events": true }));
    let elsewhere = World::new(server, Visibility::Private);
    hook(&elsewhere, json!({ "issues_events": true }));
    assert_eq!(delivered(server, now()), []);
    world.issue(&world.rae, json!({ "title": "Flood" }));
    // a request that is refused is no event
    world.post("/issues").by(&world.ann).json(json!({ "title": "x", "assignee_id": 99_999_999 })).gives(400);
    let sent = delivered(server, now());
    assert_eq!(sent.len(), 1);
    let [one] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(one.url, URL);
    for (name, value) in [
        ("Content-Type", "application/json"),
        ("User-Agent", "GitLab/17.0.0-edgeforge"),
        ("X-Gitlab-Event", "Issue Hook"),
        ("X-Gitlab-Token", "swordfish"),
        ("X-Gitlab-Instance", "https://forge.example.com"),
    ] {
        assert_eq!(header(one, name), Some(value), "{name}");
    }
    let [id, key, own, chain] = ["webhook-id", "Idempotency-Key", "X-Gitlab-Webhook-UUID", "X-Gitlab-Event-UUID"]
        .map(|name| header(one, name).unwrap());
    assert!(id == key && id != own && chain == id, "{one:?}");
    assert!([id, own].iter().all(|id| id.len() == 36), "{one:?}");
    assert_eq!(header(one, "webhook-signature"), None);
    assert_eq!(body(one)["object_attributes"]["title"], "Flood");
    assert_eq!(delivered(server, now() + 60_000), []);
}

#[test]
fn a_request_without_hooks_writes_no_event() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    hook(&world, json!({ "note_events": true }));
    let issue = world.issue(&world.rae, json!({ "title": "a" }));
    world.v4("PUT", &format!("/issues/{}", issue["iid"])).by(&world.rae).json(json!({ "title": "b" })).gives(200);
    assert_eq!(server.rows("select json_array(count(*)) as v from hook_events"), [json!([0])]);
}

#[test]
fn a_signature_is_made_anew_for_each_try_with_both_keys_of_a_rotation() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    let start = now();
    server.turn_to(start);
    let path = format!("/hooks/{}", hook(&world, json!({ "issues_events": true, "signing_token": KEY })));
    let signed = |at: i64| {
        world.issue(&world.rae, json!({ "title": "a" }));
        let sent = delivered(server, at);
        let [one] = sent.as_slice() else { panic!("{sent:?}") };
        let signatures = header(one, "webhook-signature").unwrap().split(' ').map(str::to_owned).collect::<Vec<_>>();
        let signed = format!(
            "{}.{}.{}",
            header(one, "webhook-id").unwrap(),
            header(one, "webhook-timestamp").unwrap(),
            one.body
        );
        assert_eq!(header(one, "webhook-timestamp").unwrap(), (at / 1000).to_string());
        (signatures, signed)
    };
    let verified = |key: &str, signed: &str| {
        use base64::{Engine, prelude::BASE64_STANDARD};
        let key = BASE64_STANDARD.decode(key.strip_prefix("whsec_").unwrap()).unwrap();
        format!("v1,{}", BASE64_STANDARD.encode(hmac(&key, signed.as_bytes())))
    };
    let (signatures, text) = signed(start);
    assert_eq!(signatures, [verified(KEY, &text)]);
    world.v4("PUT", &path).by(&world.ann).json(json!({ "signing_token": OTHER_KEY })).gives(200);
    let (signatures, text) = signed(start + 1000);
    assert_eq!(signatures, [verified(OTHER_KEY, &text), verified(KEY, &text)]);
    let day = 86_400_000;
    let (signatures, text) = signed(start + day + 2000);
    assert_eq!(signatures, [verified(OTHER_KEY, &text)]);
    world.v4("PUT", &path).by(&world.ann).json(json!({ "signing_token": "" })).gives(200);
    world.issue(&world.rae, json!({ "title": "a" }));
    assert_eq!(header(&delivered(server, start + day + 3000)[0], "webhook-signature"), None);
}

/// HMAC-SHA256, written out.
fn hmac(key: &[u8], text: &[u8]) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let pad = |byte: u8| (0..64).map(|at| key.get(at).copied().unwrap_or_default() ^ byte).collect::<Vec<u8>>();
    let inner = Sha256::digest([pad(0x36), text.to_vec()].concat());
    Sha256::digest([pad(0x5c), inner.to_vec()].concat()).to_vec()
}

#[test]
fn confidential_things_go_only_to_hooks_that_ask_for_them() {
    let server = server();
    let world = World::new(server, Visibility::Public);
    hook(&world, json!({ "issues_events": true, "note_events": true, "url": "https://open.example.org/" }));
    hook(
        &world,
        json!({ "confidential_issues_events": true, "confidential_note_events": true, "url": "https://closed.example.org/" }),
    );
    let kinds = || {
        let sent = delivered(server, now());
        sent.iter().map(|one| format!("{} {}", one.url, header(one, "X-Gitlab-Event").unwrap())).collect::<Vec<_>>()
    };
    let issue = world.issue(&world.rae, json!({ "title": "secret", "confidential": true }));
    assert_eq!(kinds(), ["https://closed.example.org/ Confidential Issue Hook"]);
    let path = format!("/issues/{}", issue["iid"]);
    world.v4("POST", &format!("{path}/notes")).by(&world.rae).json(json!({ "body": "x" })).gives(201);
    assert_eq!(kinds(), ["https://closed.example.org/ Confidential Note Hook"]);
    // what it is now counts
    world.v4("PUT", &path).by(&world.rae).json(json!({ "confidential": false })).gives(200);
    assert_eq!(kinds(), ["https://open.example.org/ Issue Hook"]);
    world.v4("PUT", &path).by(&world.rae).json(json!({ "confidential": true })).gives(200);
    assert_eq!(kinds(), ["https://closed.example.org/ Confidential Issue Hook"]);
}

#[test]
fn a_hook_hears_no_more_than_who_saved_it_may_see() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    let max = server.person("Max");
    world.admit(&max, 40);
    let id = hook_by(&world, &max, json!({ "issues_events": true, "confidential_issues_events": true }));
    let issue = |confidential: bool| world.issue(&world.rae, json!({ "title": "a", "confidential": confidential }));
    let member = |level: i64| {
        world.put(&format!("/members/{}", max.id)).by(&world.ann).json(json!({ "access_level": level })).gives(200)
    };
    issue(true);
    assert_eq!(delivered(server, now()).len(), 1);
    // when it is sent
    issue(true);
    member(10);
    assert_eq!(delivered(server, now()), []);
    assert_eq!(log(&world, id)[0]["response_body"], "Who made this hook may not see this");
    assert_eq!(log(&world, id)[0]["response_status"], "internal error");
    // when it happens
    issue(true);
    member(40);
    assert_eq!(delivered(server, now()), []);
    member(10);
    issue(false);
    assert_eq!(delivered(server, now()).len(), 1);
    world.delete(&format!("/members/{}", max.id)).by(&world.ann).gives(200);
    issue(false);
    assert_eq!(delivered(server, now()), []);
    // who saves it speaks for it
    world.v4("PUT", &format!("/hooks/{id}")).by(&world.ann).json(json!({ "name": "mine" })).gives(200);
    issue(true);
    assert_eq!(delivered(server, now()).len(), 1);
    server.put(format!("/users/{}/block", world.ann.id)).by(&server.root()).gives(200);
    issue(false);
    assert_eq!(delivered(server, now()), []);
}

#[test]
fn events_of_a_hook_go_in_their_order() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    hook(&world, json!({ "issues_events": true }));
    for number in 0..30 {
        world.issue(&world.rae, json!({ "title": format!("{number}") }));
    }
    let titles: Vec<Value> =
        delivered(server, now()).iter().map(|one| body(one)["object_attributes"]["title"].clone()).collect();
    assert_eq!(titles, (0..30).map(|number| json!(number.to_string())).collect::<Vec<_>>());
}

#[test]
fn a_hook_of_a_chain_is_not_called_again_in_it() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    let id = hook(&world, json!({ "issues_events": true, "url": "https://one.example.org/" }));
    let issue = world.issue(&world.rae, json!({ "title": "a" }));
    let chain = header(&delivered(server, now())[0], "X-Gitlab-Event-UUID").unwrap().to_owned();
    hook(&world, json!({ "issues_events": true, "url": "https://two.example.org/" }));
    // the receiver answers by a change of its own
    let path = format!("/issues/{}", issue["iid"]);
    let close = |event: &str| {
        world
            .v4("PUT", &path)
            .by(&world.rae)
            .json(json!({ "state_event": event }))
            .header("X-Gitlab-Event-UUID", chain.clone())
    };
    close("close").gives(200);
    let sent = delivered(server, now());
    assert_eq!(sent.iter().map(|one| one.url.as_str()).collect::<Vec<_>>(), ["https://two.example.org/"]);
    assert_eq!(header(&sent[0], "X-Gitlab-Event-UUID"), Some(chain.as_str()));
    assert_eq!(log(&world, id)[0]["response_body"], "This hook was called in the same chain of requests");
    close("reopen").gives(200);
    assert_eq!(delivered(server, now()), []);
    // it is no failure
    let shown = world.v4("GET", &format!("/hooks/{id}")).by(&world.ann).gives(200).json;
    assert_eq!(shown["alert_status"], "executable");
    // half an hour later the chain is forgotten
    close("close").gives(200);
    assert_eq!(delivered(server, now() + 31 * 60_000).len(), 2);
    // a chain is a UUID
    world
        .v4("PUT", &path)
        .by(&world.rae)
        .json(json!({ "state_event": "reopen" }))
        .header("X-Gitlab-Event-UUID", "x")
        .gives(200);
    let sent = delivered(server, now() + 32 * 60_000);
    assert_ne!(header(&sent[0], "X-Gitlab-Event-UUID"), Some("x"));
}

#[test]
fn no_chain_holds_back_a_push_or_a_hook_of_the_system() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    world.push_line(3);
    hook(&world, json!({ "push_events": true, "tag_push_events": true, "issues_events": true }));
    let url = json!({ "url": "https://system.example.org/", "push_events": true, "tag_push_events": true });
    server.ask_v4("POST", "/hooks").by(&world.root).json(url).gives(201);
    world.issue(&world.rae, json!({ "title": "a" }));
    let chain = header(&delivered(server, now())[0], "X-Gitlab-Event-UUID").unwrap().to_owned();
    for name in ["heads/a", "tags/b", "heads/c"] {
        let change = json!({ "name": format!("refs/{name}"), "old": null, "new": sha(2), "message": null });
        let swap = json!({ "default_branch": "master", "changes": [change] });
        world.put("/mirror/refs").by(&world.ann).json(swap).header("X-Gitlab-Event-UUID", chain.clone()).gives(200);
        let mut sent = delivered(server, now());
        sent.extend(delivered(server, now()));
        // the hook of the project, and a push and an update of the repository for that of the system
        assert_eq!(sent.len(), 3, "{name}");
        assert!(sent.iter().all(|one| header(one, "X-Gitlab-Event-UUID") == Some(chain.as_str())));
        let new = json!({ "name": unique("p") });
        server
            .ask_v4("POST", "/projects")
            .by(&world.ann)
            .json(new)
            .header("X-Gitlab-Event-UUID", chain.clone())
            .gives(201);
        assert_eq!(delivered(server, now()).len(), 1, "{name}");
    }
}

#[test]
fn a_delivery_that_dies_is_sent_again_with_the_same_id() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    hook(&world, json!({ "issues_events": true }));
    world.issue(&world.rae, json!({ "title": "a" }));
    // the outcome of the first try is lost
    let mut batches = 0;
    server.database().break_down(move || {
        batches += 1;
        (batches == 2).then_some(crate::support::Fault::Before("D1_ERROR: Network connection lost."))
    });
    let first = server.try_to_deliver(now());
    assert!(first.is_err());
    server.database().mend();
    let first = server.database().take_sent();
    assert_eq!(first.len(), 1);
    // the lease holds for a minute
    assert_eq!(delivered(server, now() + 30_000), []);
    let again = delivered(server, now() + 62_000);
    assert_eq!(again.len(), 1);
    assert_eq!(header(&again[0], "webhook-id"), header(&first[0], "webhook-id"));
    assert_ne!(header(&again[0], "X-Gitlab-Webhook-UUID"), header(&first[0], "X-Gitlab-Webhook-UUID"));
    assert_eq!(again[0].body, first[0].body);
}

#[test]
fn custom_headers_templates_variables_and_passwords_are_sent() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    let id = hook(
        &world,
        json!({
            "issues_events": true, "url": "https://ann:pass%20word@hooks.example.org/{place}/x", "url_variables": [{ "key": "place", "value": "in" }],
            "custom_headers": [{ "key": "X-Custom", "value": "a b" }, { "key": "user-agent", "value": "mine" }],
            "custom_webhook_template": "{\"what\":\"{{object_kind}} {{object_attributes.title}}\",\"iid\":{{object_attributes.iid}}}",
        }),
    );
    world.issue(&world.rae, json!({ "title": "say \"hi\"" }));
    let sent = delivered(server, now());
    let [one] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(one.url, "https://hooks.example.org/in/x");
    assert_eq!(header(one, "Authorization"), Some("Basic YW5uOnBhc3Mgd29yZA=="));
    assert_eq!((header(one, "X-Custom"), header(one, "user-agent")), (Some("a b"), None));
    assert_eq!(one.body, r#"{"what":"issue say \"hi\"","iid":1}"#);
    let logged = log(&world, id);
    assert_eq!(logged[0]["request_headers"]["X-Custom"], "[REDACTED]");
    assert!(!logged.to_string().contains("YW5u") && !logged.to_string().contains("pass%20word"), "{logged}");
    world
        .v4("PUT", &format!("/hooks/{id}"))
        .by(&world.ann)
        .json(json!({ "custom_webhook_template": "{\"a\":{{object_attributes.title}}}" }))
        .gives(200);
    world.issue(&world.rae, json!({ "title": "b" }));
    assert_eq!(delivered(server, now()), []);
    let text = log(&world, id)[0]["response_body"].as_str().unwrap().to_owned();
    assert!(text.starts_with("Error while parsing rendered custom webhook template: "), "{text}");
}

#[test]
fn an_address_is_judged_again_when_it_is_sent() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    let id = hook(&world, json!({ "issues_events": true }));
    server.tamper("update hooks set url = 'http://127.0.0.1:8080/'");
    world.issue(&world.rae, json!({ "title": "a" }));
    assert_eq!(delivered(server, now()), []);
    let logged = &log(&world, id)[0];
    assert_eq!(
        (&logged["response_status"], &logged["response_body"]),
        (&json!("internal error"), &json!("URL is blocked: it is not on the public internet"))
    );
    assert_eq!(logged["next_attempt_at"], Value::Null);
}

#[test]
fn the_log_has_each_try_and_no_secret() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    let id = hook(&world, json!({ "issues_events": true, "token": "swordfish", "signing_token": KEY }));
    let headers = vec![("content-type".to_owned(), "text/plain".to_owned()), ("x-long".to_owned(), "y".repeat(5000))];
    server
        .database()
        .receive(move |_| Ok(RemoteAnswer { status: 201, headers: headers.clone(), body: "z".repeat(9000) }));
    world.issue(&world.rae, json!({ "title": "a" }));
    delivered(server, now());
    let logged = log(&world, id);
    let one = &logged[0];
    assert_eq!(
        (&one["trigger"], &one["response_status"], &one["attempt"]),
        (&json!("issue_hooks"), &json!("201"), &json!(1))
    );
    assert_eq!(
        (&one["request_headers"]["X-Gitlab-Token"], &one["response_headers"]["Content-Type"]),
        (&json!("[REDACTED]"), &json!("text/plain"))
    );
    assert_eq!(one["response_headers"]["X-Long"].as_str().unwrap().len(), 1024);
    assert_eq!(one["response_body"].as_str().unwrap().len(), 8192);
    assert_eq!(one["request_data"]["object_attributes"]["title"], "a");
    assert!(one["request_headers"]["webhook-signature"].as_str().unwrap().starts_with("v1,"));
    assert!(!logged.to_string().contains("swordfish"));
    let events = |query: &str| world.v4("GET", &format!("/hooks/{id}/events?{query}")).by(&world.ann);
    for (query, found) in [
        ("status=201", 1),
        ("status[]=200&status[]=201", 1),
        ("status=successful", 1),
        ("status=client_failure,server_failure", 0),
        ("status=404", 0),
    ] {
        assert_eq!(events(query).gives(200).json.as_array().unwrap().len(), found, "{query}");
    }
    // each row of the log is compared with every status
    let codes = |most: i64| (0..most).map(|number| (200 + number % 21).to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(events(&format!("status={}", codes(20))).gives(200).json.as_array().unwrap().len(), 1);
    let many = json!({ "error": "status does not have a valid value" });
    events(&format!("status={}", codes(1000))).refused(400, many);
    events("status=bad").refused(400, json!({ "error": "status does not have a valid value" }));
    events("per_page=21").refused(400, json!({ "error": "per_page does not have a valid value" }));
    // seven days later
    server.turn_to(now() + 8 * 86_400_000);
    assert_eq!(events("").gives(200).json, json!([]));
}

#[test]
fn a_long_text_is_cut_in_an_event_and_a_long_body_left_out_of_the_log() {
    let server = server();
    let world = World::new(server, Visibility::Private);
    let id = hook(&world, json!({ "issues_events": true, "note_events": true }));
    let issue = world.issue(&world.rae, json!({ "title": "a", "description": "x".repeat(100_000) }));
    assert_eq!(body(&delivered(server, now())[0])["object_attributes"]["description"].as_str().unwrap().len(), 100_000);
    assert_eq!(log(&world, id)[0]["request_data"], json!({ "oversize": true }));
    let path = format!("/issues/{}", issue["iid"]);
    world.v4("PUT", &path).by(&world.rae).json(json!({ "description": "é".repeat(300_000) })).gives(200);
    let sent = delivered(server, now());
    assert!(sent[0].body.len() < 1_000_000);
    assert_eq!(body(&sent[0])["object_attributes"]["description"].as_str().unwrap().chars().count(), 8192);
    world
        .v4("POST", &format!("{path}/notes"))
        .by(&world.rae)
        .json(json!({ "body": "\u{1}".repeat(60_000) }))
        .gives(201);
    assert!(delivered(server, now())[0].body.len() <= 1_000_000);
}

#[test]
fn a_write_says_whether_there_is_something_to_send() {
    if !spec().is_in_process() {
        return;
    }
    let server = server();
    let world = World::new(server, Visibility::Private);
    let made = |world: &World| {
        world.post("/issues").by(&world.rae).json(json!({ "title": "a" })).send().record.unwrap().has_events
    };
    assert!(!made(&world));
    hook(&world, json!({ "issues_events": true }));
    assert!(made(&world));
}

#[test]
fn an_issue_that_becomes_public_shows_nothing_of_what_it_was() {
    let server = server();
    let world = World::new(server, Visibility::Public);
    hook(&world, json!({ "issues_events": true }));
    let hidden = json!({ "title": "The word is swordfish", "description": "swordfish", "confidential": true });
    let issue = world.issue(&world.rae, hidden);
    let change = json!({ "title": "A word", "description": "", "confidential": false, "state_event": "close" });
    world.v4("PUT", &format!("/issues/{}", issue["iid"])).by(&world.rae).json(change).gives(200);
    let sent = delivered(server, now());
    let actions: Vec<Value> = sent.iter().map(|one| body(one)["object_attributes"]["action"].clone()).collect();
    assert_eq!(actions, ["close", "update"]);
    assert!(sent.iter().all(|one| !one.body.contains("swordfish")), "{sent:?}");
    let changed = body(&sent[1])["changes"]["confidential"].clone();
    assert_eq!(changed, json!({ "previous": true, "current": false }));
}
