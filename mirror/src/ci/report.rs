//! A report as the server takes it: lines of JSON, packed.

use std::borrow::Cow;

use edgeforge_wire::report::{
    Case, End, Finding, Head, Kind, MOST_CASES, MOST_FINDINGS, More, PACKED, PROBLEM, Status, UNPACKED, VERSION,
};
use edgeforge_wire::text::cut;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::server::packed;

/// Bytes of the outputs of all cases that fail.
const MOST_OUTPUT: usize = 4 << 20;

/// The cases of a job, from any number of files.
#[derive(Debug, Default)]
pub struct Tests {
    pub cases: Vec<Case<'static>>,
    /// How many of each status are left out.
    pub more: [u32; 4],
    output: usize,
}

#[derive(Debug, Default)]
pub struct Findings {
    pub findings: Vec<Finding<'static>>,
    /// How many have no path in the project.
    pub homeless: usize,
}

impl Tests {
    pub fn add(&mut self, mut case: Case<'static>) {
        self.output += case.system_output.as_ref().map_or(0, |output| output.len());
        if self.output > MOST_OUTPUT {
            case.system_output = None;
        }
        self.cases.push(case);
        if self.cases.len() >= 2 * MOST_CASES {
            self.order();
        }
    }

    /// The worst first, and of each status the slowest. Leaves out what is too much.
    pub fn order(&mut self) {
        let key = |case: &Case<'_>| case.execution_time;
        self.cases.sort_by(|one, other| one.status.cmp(&other.status).then(key(other).total_cmp(&key(one))));
        for case in self.cases.drain(MOST_CASES.min(self.cases.len())..) {
            self.more.get_mut(case.status as usize).into_iter().for_each(|count| *count += 1);
        }
    }

    /// With those left out.
    pub fn count(&self, status: Status) -> u64 {
        let more = self.more.get(status as usize).copied().unwrap_or_default();
        u64::from(more) + self.cases.iter().filter(|case| case.status == status).count() as u64
    }

    /// They are in order.
    pub fn body(&self, problems: &[String]) -> Result<Vec<u8>> {
        let mut room = UNPACKED - (1 << 20);
        loop {
            let packed = packed(&self.lines(problems, room)?)?;
            if packed.len() <= PACKED {
                return Ok(packed);
            }
            room -= room / 4;
        }
    }

    fn lines(&self, problems: &[String], room: usize) -> Result<Vec<u8>> {
        let (mut lines, mut sent, mut more) = (Vec::new(), 0, self.more);
        let mut before = [""; 3];
        for case in &self.cases {
            if lines.len() > room {
                more.get_mut(case.status as usize).into_iter().for_each(|count| *count += 1);
                continue;
            }
            let texts = [&case.suite, &case.classname, &case.file].map(|text| text.as_deref().unwrap_or_default());
            // what is as in the line before is absent
            let mut changed =
                texts.iter().zip(before).map(|(text, old)| (*text != old).then_some(Cow::Borrowed(*text)));
            let [suite, classname, file] = [(); 3].map(|()| changed.next().flatten());
            write(&mut lines, &Case { suite, classname, file, ..case.clone() })?;
            before = texts;
            sent += 1;
        }
        let [errors, failed, success, skipped] = more;
        let left_out = Some(errors + failed).filter(|count| *count > 0);
        let left_out = left_out.map(|count| format!("{count} more cases failed"));
        let problems = left_out.iter().chain(problems).map(String::as_str).collect::<Vec<_>>().join("; ");
        whole(Kind::Tests, &problems, More { success, skipped }, &lines, sent)
    }
}

impl Findings {
    /// The worst first, then by path.
    pub fn order(&mut self) {
        self.findings
            .sort_by(|one, other| (one.severity, &one.path, one.line).cmp(&(other.severity, &other.path, other.line)));
    }

    /// They are in order.
    pub fn body(&self, problems: &[String]) -> Result<Vec<u8>> {
        let sent = self.findings.get(..MOST_FINDINGS).unwrap_or(&self.findings);
        let mut lines = Vec::new();
        sent.iter().try_for_each(|finding| write(&mut lines, finding))?;
        let more = Some(self.findings.len() - sent.len()).filter(|count| *count > 0);
        let more = more.map(|count| format!("{count} more findings are less severe"));
        let problems = problems.iter().cloned().chain(more).collect::<Vec<_>>().join("; ");
        packed(&whole(Kind::Quality, &problems, More::default(), &lines, sent.len())?)
    }
}

fn write(lines: &mut Vec<u8>, line: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *lines, line).map_err(|error| Error::Server(error.to_string()))?;
    lines.push(b'\n');
    Ok(())
}

fn whole(report: Kind, problem: &str, more: More, lines: &[u8], end: usize) -> Result<Vec<u8>> {
    let problem = Some(cut(problem, PROBLEM)).filter(|problem| !problem.is_empty()).map(Cow::Borrowed);
    let mut body = Vec::with_capacity(lines.len() + 2 * PROBLEM);
    write(&mut body, &Head { report, version: VERSION, problem, more })?;
    body.extend_from_slice(lines);
    write(&mut body, &End { end })?;
    Ok(body)
}
