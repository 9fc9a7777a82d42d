//! `gate` asks whether a commit may be deployed, and waits for it; `report` sends the reports of a job.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::environment::{build, project};
use super::files::gather;
use super::job::send;
use super::run::END;
use crate::args::Options;
use crate::console::{Console, print};
use crate::error::{Error, Result};
use crate::text::{printable, segment};
use crate::transport::Terms;

/// Without Retry-After.
const PAUSE: Duration = Duration::from_secs(10);

pub fn report(options: &Options, console: &Console) -> Result<u8> {
    let job = options.ci.last("job").and_then(|job| job.parse().ok());
    let job = job.ok_or_else(|| Error::Usage("report needs --job and the id of a status".to_owned()))?;
    let project = project(options, console)?;
    let found = gather(&options.ci, None, console);
    let is_missing = options.ci.last("junit").is_some() && found.tests.is_none();
    let until = Instant::now() + options.ci.time("wait").unwrap_or(END);
    let is_sent = send(&project, job, &found, until, console);
    Ok(if !is_sent || is_missing && options.ci.last("strict").is_some() { 4 } else { 0 })
}

/// Exit codes: 0 green, 1 red, 8 undecided. An error is 4.
pub fn gate(options: &Options, console: &Console) -> Result<u8> {
    let ci = &options.ci;
    let (project, build) = (project(options, console)?, build(options)?);
    let names = ci.words("names").chain(ci.all("name")).map(|name| ("names[]", name));
    let others = ci.words("except").map(|name| ("except[]", name)).chain(ci.words("users").map(|id| ("user_id[]", id)));
    let flag = ci.all("allow-skipped").map(|_| ("allow_skipped", "true"));
    // the ref of the CI system would hide a red status of another one
    let query = names.chain(others).chain(ci.all("ref").map(|name| ("ref", name))).chain(flag);
    let query: Vec<_> = query.map(|(key, value)| format!("{}={}", segment(key), segment(value))).collect();
    let path = format!("/repository/commits/{}/gate?{}", segment(&build.sha), query.join("&"));
    let began = Instant::now();
    let until = began + ci.time("wait").unwrap_or_default();
    let mut shown = String::new();
    loop {
        let terms = Terms { until: Some(until.max(Instant::now() + END)), key: None };
        let answer = project.request_on("GET", &path, None, terms)?;
        let gate: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let word = |of: &Value, name| of.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let checks = gate.get("checks").and_then(Value::as_array).into_iter().flatten();
        let checks: Vec<_> = checks.map(|of| ["state", "name", "ref"].map(|name| word(of, name)).join(" ")).collect();
        let is_unknown = answer.status == 404 && answer.message().contains("Commit Not Found");
        let text = if is_unknown { format!("missing commit {}", build.sha) } else { checks.join("\n") };
        if text != shown {
            text.lines().for_each(|line| print(&printable(line)));
            shown = text;
        }
        match (answer.status, &*word(&gate, "state")) {
            (200, "success") => return Ok(0),
            (409, "failed") => return Ok(1),
            (409, "pending") => {}
            (404, _) if is_unknown => {}
            _ => return Err(Error::Server(format!("there is no answer: {}", answer.told()))),
        }
        let is_missing = shown.is_empty() || shown.lines().any(|line| line.starts_with("missing "));
        let limit = ci.time("missing").filter(|_| is_missing).map_or(until, |missing| until.min(began + missing));
        let pause = answer.after.unwrap_or(PAUSE);
        if Instant::now() + pause > limit {
            console.warn("the gate is undecided");
            return Ok(8);
        }
        thread::sleep(pause);
    }
}
