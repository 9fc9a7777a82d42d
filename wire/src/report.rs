//! `PUT /projects/:id/jobs/:job_id/reports/:kind`: what CI found in a job, as lines of JSON.
//!
//! The first line is a [`Head`], the last one an [`End`]. Between them is a line for each [`Case`] of a report of
//! tests, or for each [`Finding`] of a report of quality, the worst first: in the order of [`Status`] or of
//! [`Severity`].

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    #[default]
    Tests = 1,
    Quality = 2,
}

impl Kind {
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Tests => "tests",
            Kind::Quality => "quality",
        }
    }

    pub fn read(word: &str) -> Option<Kind> {
        [Kind::Tests, Kind::Quality].into_iter().find(|kind| kind.word() == word)
    }
}

pub const VERSION: u32 = 1;

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Head<'a> {
    pub report: Kind,
    /// [`VERSION`]
    pub version: u32,
    /// Why the report is not complete.
    #[serde(borrow, default)]
    pub problem: Option<Cow<'a, str>>,
    #[serde(default)]
    pub more: More,
}

/// Cases that the report leaves out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct More {
    #[serde(default)]
    pub success: u32,
    #[serde(default)]
    pub skipped: u32,
}

/// Of a case. Their order is that of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Error,
    Failed,
    Success,
    Skipped,
}

impl Status {
    pub const fn word(self) -> &'static str {
        match self {
            Status::Error => "error",
            Status::Failed => "failed",
            Status::Success => "success",
            Status::Skipped => "skipped",
        }
    }

    pub fn is_broken(self) -> bool {
        self <= Status::Failed
    }
}

/// A test. `suite`, `classname` and `file` are those of the line before where they are absent. An empty text ends that.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Case<'a> {
    pub status: Status,
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub classname: Option<Cow<'a, str>>,
    /// A path as in [`is_path`].
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Seconds, from 0 to [`MOST_SECONDS`].
    #[serde(default)]
    pub execution_time: f64,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub system_output: Option<Cow<'a, str>>,
    /// Whether it failed first and passed when it was tried again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flaky: bool,
}

/// Of a finding. Their order is that of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Blocker,
    Critical,
    Major,
    Minor,
    Info,
}

impl Severity {
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Blocker => "blocker",
            Severity::Critical => "critical",
            Severity::Major => "major",
            Severity::Minor => "minor",
            Severity::Info => "info",
        }
    }

    pub fn is_broken(self) -> bool {
        self <= Severity::Major
    }
}

/// What a linter says of a line of a file.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Finding<'a> {
    pub severity: Severity,
    /// As in [`is_path`].
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// From 1.
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub check_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub description: Cow<'a, str>,
    /// The same in each report with this finding.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Cow<'a, str>>,
}

/// How many cases or findings were before it.
#[derive(Debug, Clone, Copy, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    pub end: usize,
}

/// Bytes of a line.
pub const LONGEST_LINE: usize = 64 << 10;
pub const MOST_CASES: usize = 100_000;
pub const MOST_FINDINGS: usize = 1000;
/// Bytes of a body, packed and unpacked.
pub const PACKED: usize = 4 << 20;
pub const UNPACKED: usize = 16 << 20;
/// Bytes of [`Head::problem`].
pub const PROBLEM: usize = 1000;
/// Three years.
pub const MOST_SECONDS: f64 = 1e8;
/// Bytes of a path.
pub const PATH: usize = 1024;

/// Whether the text names a file below the root of a repository: with `/` between the names, without `.` and `..`, drives
/// and schemes.
pub fn is_path(text: &str) -> bool {
    let is_name = |name: &str| !matches!(name, "" | "." | "..");
    let first = text.split('/').next().unwrap_or_default();
    text.len() <= PATH
        && text.split('/').all(is_name)
        && !first.contains(':')
        && !text.contains(|letter: char| letter == '\\' || letter.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_below_the_root() {
        for path in ["a", "src/a b.rs", "a/..b/c", "a/b:c", "ä/ö"] {
            assert!(is_path(path), "{path}");
        }
        for path in ["", "/etc/passwd", "../x", "a/../b", "./a", "a//b", "a/", "C:\\x", "C:/x", "javascript:x", "a\n"] {
            assert!(!is_path(path), "{path}");
        }
        assert!(!is_path(&"x".repeat(PATH + 1)));
    }

    #[test]
    fn what_is_absent_is_not_sent_and_what_is_unknown_is_refused() {
        let line = r#"{"status":"success","name":"a","execution_time":0.5}"#;
        let case: Case<'_> = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&case).unwrap(), line);
        for wrong in [
            r#"{"status":"success","name":"a","time":1}"#,
            r#"{"status":"success","status":"failed","name":"a"}"#,
            r#"{"status":"passed","name":"a"}"#,
            r#"{"status":"success"}"#,
            r#"{"status":"success","name":"\ud800"}"#,
            r#"{"status":"success","name":"a","execution_time":"1"}"#,
        ] {
            assert!(serde_json::from_str::<Case<'_>>(wrong).is_err(), "{wrong}");
        }
        let more = r#"{"report":"tests","version":1,"more":{"success":9223372036854775808}}"#;
        assert!(serde_json::from_str::<Head<'_>>(more).is_err());
        let head: Head<'_> = serde_json::from_str(r#"{"report":"tests","version":1}"#).unwrap();
        assert_eq!((head.report, head.more), (Kind::Tests, More::default()));
    }

    #[test]
    fn the_worst_come_first() {
        assert!(
            Status::Error < Status::Failed && Status::Failed < Status::Success && Status::Success < Status::Skipped
        );
        assert!(Status::Failed.is_broken() && !Status::Success.is_broken());
        assert!(Severity::Blocker < Severity::Info && Severity::Major.is_broken() && !Severity::Minor.is_broken());
    }
}
