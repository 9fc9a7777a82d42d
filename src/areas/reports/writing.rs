//! Checks the lines of a report, counts what is in them, and writes the JSON of answers.

use crate::kernel::{Error, Result};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use edgeforge_wire::report::{
    Case, End, Finding, Head, Kind, LONGEST_LINE, MOST_CASES, MOST_FINDINGS, MOST_SECONDS, PROBLEM, Status, VERSION,
    is_path,
};
use edgeforge_wire::text::{cut, cut_escaped};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashSet;

/// Keys in a row.
const MOST_BROKEN: usize = 200;
const MOST_PASSED: usize = 400;
const MOST_SLOWEST: usize = 20;
/// Bytes of a name in a row, as JSON.
const LONGEST_NAME: usize = 200;

/// What the row of a report has of it.
#[derive(Debug, Default, Serialize)]
pub struct Found {
    pub total: i64,
    pub failed: i64,
    pub errors: i64,
    pub skipped: i64,
    pub flaky: i64,
    pub seconds: f64,
    pub broken: Vec<String>,
    /// Keys and names.
    pub passed: Vec<(String, String)>,
    /// Whether `broken` has all.
    pub whole: bool,
    /// Keys, names and seconds.
    pub slowest: Vec<(String, String, f64)>,
    pub problem: Option<String>,
}

#[derive(Default)]
pub struct Writer {
    kind: Kind,
    /// The keys of tests that were broken lately.
    sought: HashSet<String>,
    is_ended: bool,
    /// The begin of a line whose end has not come.
    rest: Vec<u8>,
    lines: usize,
    count: usize,
    /// That of the line before.
    rank: usize,
    suite: String,
    classname: String,
    file: String,
    broken: HashSet<String>,
    found: Found,
    /// What is written. The caller takes and clears it.
    pub json: Vec<u8>,
}

/// In GitLab's form. The last three members are beyond that.
#[derive(Serialize)]
struct StoredCase<'a> {
    status: &'static str,
    name: &'a str,
    classname: Option<&'a str>,
    file: Option<&'a str>,
    execution_time: f64,
    system_output: Option<&'a str>,
    stack_trace: Option<()>,
    recent_failures: Option<()>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    flaky: bool,
}

/// What names a test or a finding: 64 bits of a hash.
pub fn key(parts: [&str; 3]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
        hash.update([0]);
    }
    BASE64_URL_SAFE_NO_PAD.encode(hash.finalize().get(..8).unwrap_or_default())
}

fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn why(error: serde_json::Error) -> String {
    error.to_string().split(" at line ").next().unwrap_or_default().to_owned()
}

fn read<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    // serde would take the members in their order, too
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err("it is no object".to_owned());
    }
    serde_json::from_slice(line).map_err(why)
}

fn keep(place: &mut String, sent: Option<Cow<'_, str>>) {
    if let Some(text) = sent {
        *place = text.into_owned();
    }
}

impl Writer {
    pub fn new(kind: Kind, sought: Vec<String>) -> Writer {
        Writer { kind, sought: sought.into_iter().collect(), ..Writer::default() }
    }

    /// The next bytes, which end anywhere in a line.
    pub fn add(&mut self, bytes: &[u8]) -> Result<()> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.rest.len() + part.len() > LONGEST_LINE {
                return Err(self.refused(1, "it is longer than 64 KiB"));
            }
            self.rest.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.line()?;
            }
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<(Found, Vec<u8>)> {
        if !self.rest.is_empty() {
            self.line()?;
        }
        if !self.is_ended {
            return Err(self.refused(1, "the end is missing"));
        }
        self.found.whole = self.found.broken.len() == self.broken.len() && self.found.problem.is_none();
        Ok((self.found, self.json))
    }

    /// `further`: how many lines behind the last one that was read.
    fn refused(&self, further: usize, why: &str) -> Error {
        Error::framework(format!("line {}: {why}", self.lines + further))
    }

    fn line(&mut self) -> Result<()> {
        self.lines += 1;
        let line = std::mem::take(&mut self.rest);
        let outcome = match self.kind {
            _ if self.is_ended => Err("it follows the end".to_owned()),
            _ if self.lines == 1 => read(&line).and_then(|head| self.head(head)),
            Kind::Tests => read(&line).map(|case| self.case(case)).unwrap_or_else(|why| self.end(&line, why)),
            Kind::Quality => read(&line).map(|item| self.finding(&item)).unwrap_or_else(|why| self.end(&line, why)),
        };
        outcome.map_err(|why| self.refused(0, &why))?;
        // its room serves the next line
        self.rest = line;
        self.rest.clear();
        Ok(())
    }

    fn head(&mut self, head: Head<'_>) -> Result<(), String> {
        if head.report != self.kind || head.version != VERSION {
            return Err(format!("it does not begin a report of {}, version {VERSION}", self.kind.word()));
        }
        let problem = head.problem.map(|text| text.replace(char::is_control, " "));
        self.found.problem = problem.map(|text| cut(&text, PROBLEM).to_owned());
        self.found.skipped = head.more.skipped.into();
        self.found.total = i64::from(head.more.success) + self.found.skipped;
        Ok(())
    }

    fn end(&mut self, line: &[u8], why: String) -> Result<(), String> {
        let End { end } = read(line).map_err(|_| why)?;
        self.is_ended = true;
        if end == self.count { Ok(()) } else { Err(format!("end is {end} after {} lines", self.count)) }
    }

    /// Counts a line with this place in the order.
    fn count(&mut self, rank: usize, most: usize) -> Result<(), String> {
        if rank < self.rank {
            return Err("it is worse than the line before".to_owned());
        }
        if self.count == most {
            return Err(format!("there are more than {most}"));
        }
        self.rank = rank;
        self.count += 1;
        self.found.total += 1;
        if self.count > 1 {
            self.json.extend_from_slice(b",\n");
        }
        Ok(())
    }

    fn is_broken(&mut self, key: String, most: usize) {
        if self.broken.insert(key.clone()) && self.found.broken.len() < most {
            self.found.broken.push(key);
        }
    }

    fn case(&mut self, case: Case<'_>) -> Result<(), String> {
        let Case { status, name, suite, classname, file, line, execution_time, system_output, flaky } = case;
        self.count(status as usize, MOST_CASES)?;
        if !(0.0..=MOST_SECONDS).contains(&execution_time) {
            return Err("execution_time is out of range".to_owned());
        }
        if file.as_deref().is_some_and(|file| !file.is_empty() && !is_path(file)) {
            return Err("file is no path below the root".to_owned());
        }
        keep(&mut self.suite, suite);
        keep(&mut self.classname, classname);
        keep(&mut self.file, file);
        let key = || key([&self.suite, &self.classname, &name]);
        let slowest = &mut self.found.slowest;
        if execution_time > slowest.get(MOST_SLOWEST - 1).map_or(0.0, |(.., seconds)| *seconds) {
            let at = slowest.iter().position(|(.., seconds)| *seconds < execution_time).unwrap_or(slowest.len());
            slowest.insert(at, (key(), cut_escaped(&name, LONGEST_NAME).to_owned(), execution_time));
            slowest.truncate(MOST_SLOWEST);
        }
        match status {
            Status::Success if self.sought.is_empty() => {}
            Status::Success => {
                let key = key();
                let is_sought = !self.broken.contains(&key) && self.sought.remove(&key);
                if is_sought && self.found.passed.len() < MOST_PASSED {
                    self.found.passed.push((key, cut_escaped(&name, LONGEST_NAME).to_owned()));
                }
            }
            Status::Skipped => self.found.skipped += 1,
            Status::Failed | Status::Error => {
                let key = key();
                self.is_broken(key, MOST_BROKEN);
                *(if status == Status::Error { &mut self.found.errors } else { &mut self.found.failed }) += 1;
            }
        }
        self.found.seconds += execution_time;
        self.found.flaky += i64::from(flaky);
        let case = StoredCase {
            status: status.word(),
            name: &name,
            classname: filled(&self.classname),
            file: filled(&self.file),
            execution_time,
            system_output: system_output.as_deref(),
            stack_trace: None,
            recent_failures: None,
            suite: filled(&self.suite),
            line,
            flaky,
        };
        serde_json::to_writer(&mut self.json, &case).map_err(why)
    }

    fn finding(&mut self, finding: &Finding<'_>) -> Result<(), String> {
        let Finding { severity, path, line, end_line, check_name, description, fingerprint } = finding;
        self.count(*severity as usize, MOST_FINDINGS)?;
        if !is_path(path) {
            return Err("path is no path below the root".to_owned());
        }
        let check_name = check_name.as_deref();
        let key = match fingerprint.as_deref().and_then(filled) {
            Some(fingerprint) => key(["", "", fingerprint]),
            None => key([check_name.unwrap_or_default(), path, description]),
        };
        self.found.failed += i64::from(severity.is_broken());
        self.is_broken(key.clone(), MOST_FINDINGS);
        let lines = end_line.map_or_else(|| json!({ "begin": line }), |end| json!({ "begin": line, "end": end }));
        // in the form of GitLab's Code Quality
        let finding = json!({
            "description": description, "check_name": check_name, "severity": severity.word(),
            "fingerprint": fingerprint.as_deref().and_then(filled).unwrap_or(&key),
            "location": { "path": path, "lines": lines },
        });
        serde_json::to_writer(&mut self.json, &finding).map_err(why)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/reports/writing.rs"]
mod tests;
