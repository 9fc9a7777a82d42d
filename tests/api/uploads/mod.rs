//! Uploads of a project (behaviour 19).

mod moving;
mod serving;
mod storing;
mod v3;

use crate::support::v4::ask;
use crate::support::{Answer, Ask, Person, World};
use serde_json::Value;

pub const FORM: &str = "multipart/form-data; boundary=xXx";

/// A form with this file.
pub fn form(filename: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("--xXx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{filename}\"\r\n\r\n");
    [head.as_bytes(), bytes, b"\r\n--xXx--\r\n"].concat()
}

pub fn uploading(world: &World, filename: &str, bytes: &[u8]) -> Ask {
    ask(world, "POST", "/uploads").body(FORM, form(filename, bytes))
}

pub fn uploaded(world: &World, person: &Person, filename: &str, bytes: &[u8]) -> Value {
    uploading(world, filename, bytes).by(person).gives(201).json
}

/// The address of an upload below the project.
pub fn address(upload: &Value) -> String {
    upload["url"].as_str().expect("an address").to_owned()
}

/// A file that may be shown only by its own headers.
#[track_caller]
pub fn is_sealed(answer: &Answer) {
    assert_eq!(answer.header("Content-Security-Policy"), Some("sandbox; default-src 'none'"));
    assert_eq!(answer.header("X-Content-Type-Options"), Some("nosniff"));
}
