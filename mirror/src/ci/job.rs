//! The posts of a job: its status, and its reports.

use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

use edgeforge_wire::report::{Kind, Status};
use serde_json::{Value, json};

use super::environment::Build;
use super::files::Found;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::text::{count, segment};
use crate::transport::{Body, Content, Terms, Transport};

#[derive(Debug)]
pub struct Job<'a> {
    pub project: Transport<'a>,
    pub build: Build,
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Posted {
    /// With the id of the job.
    Taken(u64),
    /// The job is in this state already.
    Ahead,
    /// CI is faster than the mirror.
    NoCommit,
}

impl Job<'_> {
    /// The description and the coverage come with the end.
    pub fn post(
        &self,
        state: &str,
        description: Option<&str>,
        coverage: Option<f64>,
        until: Instant,
    ) -> Result<Posted> {
        let Build { sha, git_ref, url } = &self.build;
        let body = json!({"state": state, "name": self.name, "ref": git_ref, "target_url": url,
            "description": description, "coverage": coverage});
        let bytes = Content::Json(body.to_string().into_bytes().into());
        // the seed is random
        let key = format!("{:016x}-{state}", RandomState::new().hash_one(state));
        let terms = Terms { until: Some(until), key: Some(&key) };
        let path = format!("/statuses/{}", segment(sha));
        let answer = self.project.request_on("POST", &path, Some(&Body { bytes, gzip: false }), terms)?;
        let (message, body) = (answer.message(), serde_json::from_slice::<Value>(&answer.body).unwrap_or_default());
        match (answer.status, body.get("id").and_then(Value::as_u64)) {
            (201, Some(id)) => Ok(Posted::Taken(id)),
            (400, _) if message.contains("Cannot transition") => Ok(Posted::Ahead),
            (404, _) if message.contains("Commit Not Found") => Ok(Posted::NoCommit),
            (status, _) => Err(Error::Server(format!("the status {state} is not taken: {status} {message}"))),
        }
    }
}

/// `3 of 120 tests failed`. None if there is nothing to count.
pub fn description(found: &Found) -> Option<String> {
    let tests = found.tests.as_ref().map(|(tests, _)| {
        let failed = tests.count(Status::Error) + tests.count(Status::Failed);
        let (all, skipped) = (count(failed + tests.count(Status::Success), "test"), tests.count(Status::Skipped));
        let text = if failed > 0 { format!("{failed} of {all} failed") } else { format!("{all} passed") };
        if skipped > 0 { format!("{text}, {skipped} skipped") } else { text }
    });
    let findings = found.findings.as_ref().map(|(findings, _)| count(findings.findings.len() as u64, "finding"));
    tests.into_iter().chain(findings).reduce(|one, other| format!("{one}, {other}"))
}

/// Sends what was found to a job. Returns whether the server has all of it.
pub fn send(project: &Transport<'_>, job: u64, found: &Found, until: Instant, console: &Console) -> bool {
    let tests = found.tests.as_ref().map(|(tests, problems)| (Kind::Tests, tests.body(problems)));
    let findings = found.findings.as_ref().map(|(findings, problems)| (Kind::Quality, findings.body(problems)));
    let sent = tests.into_iter().chain(findings).map(|(kind, body)| {
        let outcome = body.and_then(|body| {
            let body = Body { bytes: Content::Objects(&body), gzip: true };
            let path = format!("/jobs/{job}/reports/{}", kind.word());
            project.request_on("PUT", &path, Some(&body), Terms { until: Some(until), key: None })
        });
        let refusal = match outcome {
            Ok(answer) if matches!(answer.status, 200 | 201) => return true,
            Ok(answer) => answer.told(),
            Err(error) => error.to_string(),
        };
        console.warn(&format!("the report of {} is not taken: {refusal}", kind.word()));
        false
    });
    // both are sent
    sent.filter(|is_taken| !is_taken).count() == 0
}
