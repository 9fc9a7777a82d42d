//! Reports of CI on jobs (behaviour 20).

mod keeping;
mod problems;
mod receiving;
mod views;

use crate::support::git::sha;
use crate::support::{Ask, Person, World};
use edgeforge::gzip::Gzip;
use serde_json::{Value, json};

/// The lines of a report.
pub fn report(kind: &str, head: Value, items: &[Value]) -> Vec<u8> {
    let mut first = json!({ "report": kind, "version": 1 });
    first.as_object_mut().unwrap().extend(head.as_object().unwrap().clone());
    let items: String = items.iter().map(|item| format!("{item}\n")).collect();
    format!("{first}\n{items}{}\n", json!({ "end": items.lines().count() })).into_bytes()
}

/// Tests by state and name.
pub fn tests(cases: &[(&str, &str)]) -> Vec<u8> {
    let case = |(status, name): &(&str, &str)| json!({ "status": status, "name": name, "execution_time": 0.5 });
    report("tests", json!({}), &cases.iter().map(case).collect::<Vec<_>>())
}

pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = Gzip::default();
    [gzip.pack(bytes).unwrap(), gzip.finish().unwrap()].concat()
}

impl World {
    /// The id of a status of the commit with this number.
    pub fn posted_job(&self, person: &Person, commit: u32, name: &str, state: &str) -> i64 {
        let fields = json!({ "state": state, "name": name, "ref": "master" });
        self.v4("POST", &format!("/statuses/{}", sha(commit))).by(person).json(fields).gives(201).id()
    }

    pub fn reporting(&self, job: i64, kind: &str, body: &[u8]) -> Ask {
        let put = self.v4("PUT", &format!("/jobs/{job}/reports/{kind}"));
        put.body("application/x-ndjson", packed(body)).header("Content-Encoding", "gzip")
    }

    /// Bob reports on a new status of a commit.
    pub fn reported(&self, commit: u32, name: &str, cases: &[(&str, &str)]) -> i64 {
        let job = self.posted_job(&self.bob, commit, name, "success");
        self.reporting(job, "tests", &tests(cases)).by(&self.bob).gives(201);
        job
    }
}
