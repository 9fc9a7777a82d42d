//! Bodies: which are read, which are ignored and which refused (behaviour 4).

use crate::support::{Ask, Sqlite, Visibility, World, spec, templates};
use edgeforge::gzip::Gzip;
use edgeforge::http::{Body, Request, Source};
use edgeforge::{Arrival, BASE_PATH, Config, Moment, Service, token_hash};
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

fn no_title() -> Value {
    json!({ "message": "400 (Bad request) \"title\" not given" })
}

/// A refusal of the framework's kind, whatever its text.
#[track_caller]
fn is_bad_request(ask: Ask) {
    let answer = ask.gives(400);
    assert!(answer.json["error"].is_string(), "{}: {}", answer.what, answer.text);
}

#[test]
fn malformed_json_is_a_bad_request() {
    let world = world();
    let refusal = json!({ "error": "message body does not match declared format" });
    let bodies: &[&[u8]] = &[b"{\"title\": ", b"{", b"nul", b"{'title':1}", b"{\"title\":\"\xff\"}", b"{}{}"];
    for body in bodies {
        let post = world.post("/issues").by(&world.gus).body("application/json", *body);
        post.refused(400, refusal.clone());
    }
    let deep = "[".repeat(100_000);
    is_bad_request(world.post("/issues").by(&world.gus).body("application/json", deep));
}

#[test]
fn json_that_is_no_object_is_ignored() {
    let world = world();
    for body in ["null", "[1]", "\"title\"", "7", "true", "", "  \r\n"] {
        let post = || world.post("/issues").by(&world.gus).body("application/json", body);
        post().refused(400, no_title());
    }
    let post = world.post("/issues?title=query").by(&world.gus).body("application/json", "null");
    assert_eq!(post.gives(200).json["title"], "query");
}

#[test]
fn a_broken_multipart_body_is_a_bad_request() {
    let world = world();
    let post = |content_type: &str, body: &str| {
        is_bad_request(world.post("/issues").by(&world.gus).body(content_type, body));
    };
    post("multipart/form-data", "title=x");
    post("multipart/form-data; boundary=b", "no boundary at all");
    post("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\ncut off");
}

#[test]
fn a_body_over_one_mebibyte_is_refused_and_the_server_goes_on() {
    let world = world();
    let post = |size: usize| {
        let body = format!("title=big&nobody_reads_this={}", "x".repeat(size));
        world.post("/issues").by(&world.gus).body("application/x-www-form-urlencoded", body)
    };
    post(2 << 20).gives(413);
    post(1 << 20).gives(413);
    post((1 << 20) - 100).gives(200);
    world.get("/issues").by(&world.gus).gives(200);
}

#[test]
fn the_body_of_a_get_is_read() {
    let world = world();
    for title in ["1", "2", "3"] {
        world.issue(&world.gus, json!({ "title": title, "description": title }));
    }
    let get = || world.get("/issues").by(&world.gus);
    let asks = [
        get().json(json!({ "iid": [1, 2], "per_page": 1 })),
        get().form(&[("iid[]", "1"), ("iid[]", "2"), ("per_page", "1")]),
        get().multipart(&[("iid[]", "1"), ("iid[]", "2"), ("per_page", "1")]),
        get().query("iid", "3").json(json!({ "iid": "1,2", "per_page": 1 })),
    ];
    for ask in asks {
        let answer = ask.gives(200);
        assert_eq!((answer.each("title"), answer.header("X-Total")), (vec![json!("2")], Some("2")));
        assert_eq!(answer.header("X-Unread-Parameters"), None);
        let link = answer.header("Link").unwrap();
        assert!(link.contains("iid") && link.contains("per_page=1"), "{link}");
    }
    let token = [("private_token", world.gus.token.as_str())];
    assert_eq!(world.get("/issues").form(&token).gives(200).each("title").len(), 3);
    get().form(&[("state", "odd")]).gives(400);
    let head = spec().ask("HEAD", world.at("/issues")).by(&world.gus).json(json!({ "iid": 1 }));
    assert_eq!(head.gives(200).header("X-Total"), Some("1"));
    // one that nobody can read does no harm
    for (kind, body) in [("application/json", "{"), ("application/json", "null"), ("", ""), ("text/plain", "iid=1")] {
        assert_eq!(get().body(kind, body).gives(200).each("title").len(), 3, "{kind} {body}");
    }
}

#[test]
fn v4_reads_forms_in_the_body_of_a_get_and_no_json() {
    let world = world();
    for title in ["1", "2"] {
        world.issue(&world.gus, json!({ "title": title }));
    }
    let get = || world.v4("GET", "/issues").by(&world.gus);
    for ask in [get().form(&[("iids[]", "1")]), get().multipart(&[("iids[]", "1")])] {
        assert_eq!(ask.gives(200).each("title"), ["1"]);
    }
    let answer = get().json(json!({ "iids": [1] })).gives(200);
    assert_eq!(answer.each("title"), ["2", "1"]);
    assert_eq!(answer.header("X-Unread-Parameters"), Some("body:iids"));
}

#[test]
fn a_body_of_a_type_that_nobody_reads_is_ignored() {
    let world = world();
    for content_type in ["text/xml", "application/octet-stream", "application/jsonp", "x", "text/plain; charset=utf-8"]
    {
        let post = |target: &str| world.post(target).by(&world.gus).body(content_type, "<a/>{%zz=&title=b");
        post("/issues").refused(400, no_title());
        assert_eq!(post("/issues?title=query").gives(200).json["title"], "query");
    }
}

#[test]
fn the_content_type_is_read_in_any_case_and_with_parameters() {
    let world = world();
    for content_type in ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"] {
        let post = world.post("/issues").by(&world.gus).body(content_type, r#"{"title":"t"}"#);
        assert_eq!(post.gives(200).json["title"], "t");
    }
    // a POST without a type is a form
    for content_type in ["", "application/x-www-form-urlencoded; charset=utf-8"] {
        let post = world.post("/issues").by(&world.gus).body(content_type, "title=a+b%2B");
        assert_eq!(post.gives(200).json["title"], "a b+");
    }
}

#[test]
fn a_packed_body_is_unpacked() {
    // the runtime's work, not the service's
    if spec().is_in_process() {
        return;
    }
    let world = world();
    let post = |body: &[u8]| {
        let ask = world.post("/issues").by(&world.gus).body("application/json", body);
        ask.header("Content-Encoding", "gzip")
    };
    is_bad_request(post(b"not gzip"));
    assert_eq!(post(&gzip(br#"{"title":"packed"}"#)).gives(200).json["title"], "packed");
    let blanks = |count: usize| gzip(&[br#"{"title":"long"}"#, &vec![b' '; count][..]].concat());
    assert_eq!(post(&blanks(1_000_000)).gives(200).json["title"], "long");
    post(&blanks(64 << 20)).gives(413);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = Gzip::default();
    [gzip.pack(bytes).unwrap(), gzip.finish().unwrap()].concat()
}

/// The hook's bodies may unpack to megabytes: nobody makes the server do so without a token that may push. Nor are more
/// long parameters read than there is room for.
#[test]
fn a_body_of_the_mirror_is_read_only_for_whoever_may_push() {
    let config = Config { admin_token_hash: Some(token_hash("root")), ..Config::default() };
    let service = Service { backend: Sqlite::new(templates::blobs()), config };
    let send = |method: &str, path: &str, token: Option<&str>, body: Body| {
        let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        headers.extend(token.map(|token| ("private-token".to_owned(), token.to_owned())));
        let request = Request {
            method: method.to_owned(),
            origin: "http://edgeforge.test".to_owned(),
            path: format!("{BASE_PATH}{path}"),
            query: String::new(),
            headers,
            body,
        };
        pollster::block_on(service.respond(&Arrival::of(request), Moment { now: 1_795_000_000_000, random: [7; 32] })).0
    };
    let ask = |path: &str, token: Option<&str>, body: Body| send("POST", path, token, body);
    let json = |text: &str| Body::Bytes(text.as_bytes().to_vec());
    let made = ask("/projects", Some("root"), json(r#"{"name":"one"}"#));
    let id = made.body.split_once("\"id\":").unwrap().1.split_once(',').unwrap().0.to_owned();
    let reads = Rc::new(Cell::new(0));
    let push = |token: Option<&str>| {
        let reads = Rc::clone(&reads);
        let read = move || {
            reads.set(reads.get() + 1);
            let body = async { Body::Bytes(b"{\"commits\":[]}".to_vec()) };
            Box::pin(body) as Pin<Box<dyn Future<Output = Body>>>
        };
        ask(&format!("/projects/{id}/mirror/commits"), token, Body::Unread(Source(Rc::new(read)))).status
    };
    assert_eq!((push(None), push(Some("wrong")), reads.get()), (401, 401, 0));
    assert_eq!((push(Some("root")), reads.get()), (201, 1));
    // filters in a body that was not read are not left out
    for method in ["GET", "POST"] {
        let refused = send(method, &format!("/projects/{id}/issues"), Some("root"), Body::NoRoom);
        assert_eq!((refused.status, refused.header("Retry-After")), (429, Some("1")));
    }
}

#[test]
fn a_body_of_the_mirror_may_have_eight_mebibytes() {
    let world = world();
    let push = |size: usize| {
        let (begin, end) = (r#"{"commits":[],"more":""#, r#""}"#);
        let body = format!("{begin}{}{end}", "x".repeat(size - begin.len() - end.len()));
        world.post("/mirror/commits").by(&world.ann).body("application/json", body)
    };
    push(8 << 20).gives(201);
    push((8 << 20) + 1).gives(413);
}
