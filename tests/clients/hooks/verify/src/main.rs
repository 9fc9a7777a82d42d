//! What hooks send, read with the reference library of Standard Webhooks for Rust: it makes the same signature, with both secrets of a
//! rotation, and another one for a body with one changed byte. Its `verify` also reads the clock, and cannot be given another one; so
//! this compares signatures. The argument is the file of tests/clients/hooks/deliveries.mjs.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;
use standardwebhooks::Webhook;

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

/// Whether the library makes one of the signatures of the request for this body.
fn signs(secret: &str, headers: &Value, body: &[u8]) -> bool {
    let at = text(headers, "webhook-timestamp").parse().expect("seconds");
    let webhook = Webhook::new(secret).expect("a secret");
    // a text that is no UTF-8 is refused
    let signature = webhook.sign(text(headers, "webhook-id"), at, body);
    signature.is_ok_and(|signature| text(headers, "webhook-signature").split(' ').any(|one| one == signature))
}

fn main() {
    let file = std::env::args().nth(1).expect("the file of deliveries");
    let found: Value = serde_json::from_slice(&std::fs::read(file).expect("a file")).expect("JSON");
    let [new, old, other] = ["signing", "before", "system"].map(|name| text(&found["secrets"], name));
    let (mut accepted, mut refused) = (0, 0);
    for one in found["deliveries"].as_array().expect("a list").iter().filter(|one| one["hook"] == "whole") {
        let headers = &one["headers"];
        let body = BASE64_STANDARD.decode(text(one, "body")).expect("base64");
        for key in [new, old] {
            assert!(signs(key, headers, &body), "{headers}");
            accepted += 1;
        }
        for at in (0..body.len()).step_by(body.len() / 9) {
            let mut changed = body.clone();
            changed[at] ^= 1;
            assert!(!signs(new, headers, &changed), "byte {at}: {headers}");
            refused += 1;
        }
        assert!(!signs(other, headers, &body), "{headers}");
    }
    assert!(accepted > 50, "{accepted}");
    println!("Standard Webhooks for Rust: {accepted} signatures accepted, {refused} changed bytes refused");
}
