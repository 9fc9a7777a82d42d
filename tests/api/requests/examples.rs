//! Every body of a request has an example in the description, and it works.

use super::text_limits::{Places, apis};
use crate::support::{Visibility, World, apart};

/// Where the answer depends on more than the body.
const OTHERS: [&str; 3] = ["/custom_headers/{key}", "/access_tokens/self/rotate", "/move"];

#[test]
fn the_example_of_every_body_is_taken() {
    let places = Places::new(World::new(apart().server, Visibility::Private));
    let (mut sent, mut wrong) = (0, Vec::new());
    for (dialect, document) in apis() {
        for (path, verbs) in document["paths"].as_object().unwrap() {
            for (verb, told) in verbs.as_object().unwrap() {
                let content = &told["requestBody"]["content"]["application/json"];
                // what the hook sends has tests of its own, and the first token is that of another test
                let is_left_out = path.contains("/mirror/") || path == "/personal_access_tokens/{id}/rotate";
                if content.is_null() || is_left_out {
                    continue;
                }
                let named = content["schema"]["$ref"].as_str();
                let example = match named {
                    Some(name) => &document.pointer(name.trim_start_matches('#')).unwrap()["example"],
                    None => &content["example"],
                };
                assert!(example.is_object(), "{verb} {path} has no example");
                let ask = places.world.server.ask_of(dialect, &verb.to_uppercase(), places.path(path));
                let ask = if path == "/session" { ask.by_page() } else { ask };
                let answer = ask.by(&places.world.root).json(example.clone()).send();
                sent += 1;
                // what it names may be absent or taken
                let is_taken = answer.text.contains("taken") || OTHERS.iter().any(|end| path.ends_with(end));
                if !(answer.status < 300 || [404, 409].contains(&answer.status) || is_taken) {
                    wrong.push(format!("{verb} {path}: {} {}", answer.status, answer.text));
                }
            }
        }
    }
    assert!(sent > 90 && wrong.is_empty(), "{sent}: {wrong:#?}");
}
