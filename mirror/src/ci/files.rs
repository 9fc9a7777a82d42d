//! Finds and reads the files that a job has written.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::findings::{read_code_quality, read_sarif};
use super::report::{Findings, Tests};
use super::{coverage, junit};
use crate::args::Ci;
use crate::console::Console;
use crate::text;

const MOST_FILES: usize = 10_000;
const LONGEST: u64 = 100_000_000;
const MOST_BYTES: u64 = 500_000_000;

/// Some file systems keep times of a second.
const COARSE: Duration = Duration::from_secs(1);

/// What the files of a job say.
#[derive(Debug, Default)]
pub struct Found {
    /// With what is wrong in the files. None if there is no file.
    pub tests: Option<(Tests, Vec<String>)>,
    pub findings: Option<(Findings, Vec<String>)>,
    pub coverage: Option<f64>,
}

/// `since`: when the command began, unless older files are welcome.
pub fn gather(ci: &Ci, since: Option<SystemTime>, console: &Console) -> Found {
    let folder = std::env::current_dir().unwrap_or_default().display().to_string();
    let mut files = Files { ci, since, console, count: 0, bytes: 0 };
    let (mut tests, mut findings, mut lines) = (Tests::default(), Findings::default(), (0.0, 0.0));
    let cases = files.each("junit", |bytes| junit::read(bytes, &folder, &mut tests));
    let sarif = files.each("sarif", |bytes| read_sarif(bytes, &folder, &mut findings));
    let quality = files.each("code-quality", |bytes| read_code_quality(bytes, &folder, &mut findings));
    let number = ci.last("coverage").and_then(|text| text.trim_end_matches('%').parse::<f64>().ok());
    if number.is_none() {
        files.each("coverage", |bytes| coverage::add(bytes, &mut lines));
    }
    let (covered, all) = lines;
    if findings.homeless > 0 {
        console.warn(&format!("{} findings outside of this folder are left out", findings.homeless));
    }
    tests.order();
    findings.order();
    Found {
        tests: cases.map(|problems| (tests, problems)),
        findings: (sarif.is_some() || quality.is_some())
            .then(|| (findings, sarif.into_iter().chain(quality).flatten().collect())),
        // in percent, of two digits. What is no number is null in JSON
        coverage: number.or((all > 0.0).then(|| (10_000.0 * covered / all).round() / 100.0)),
    }
}

struct Files<'a> {
    ci: &'a Ci,
    since: Option<SystemTime>,
    console: &'a Console,
    count: usize,
    bytes: u64,
}

impl Files<'_> {
    /// Reads each file of an option. Returns what is wrong with them, or None if there is no file.
    fn each(&mut self, option: &str, mut read: impl FnMut(&[u8]) -> Option<String>) -> Option<Vec<String>> {
        let mut problems = None;
        for pattern in self.ci.all(option) {
            let (mut count, mut old) = (0, 0);
            let paths = glob::glob(pattern).into_iter().flatten().filter_map(Result::ok);
            for path in paths.filter(|path| path.is_file()) {
                if self.count > MOST_FILES {
                    break;
                }
                let problem = match self.read(&path) {
                    Ok(Some(bytes)) => read(&bytes),
                    Ok(None) => {
                        old += 1;
                        continue;
                    }
                    Err(problem) => Some(problem),
                };
                count += 1;
                let problem = problem.map(|problem| format!("{} {problem}", path.display()));
                problem.iter().for_each(|problem| self.console.warn(problem));
                problems.get_or_insert_with(Vec::new).extend(problem);
            }
            if old > 0 || count == 0 {
                let old = text::count(old, "file");
                self.console
                    .warn(&format!("{pattern}: {count} read, {old} left out as older than this run (see --old)"));
            }
        }
        problems
    }

    /// None if the file is older than the run.
    fn read(&mut self, path: &Path) -> Result<Option<Vec<u8>>, String> {
        let unreadable = |error| format!("cannot be read: {error}");
        let file = File::open(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        if self.since.zip(about.modified().ok()).is_some_and(|(since, written)| written + COARSE < since) {
            return Ok(None);
        }
        self.count += 1;
        if self.count > MOST_FILES || about.len() > LONGEST || self.bytes + about.len() > MOST_BYTES {
            return Err("is left out: at most 10,000 files are read, of 100 MB each and 500 MB in all".to_owned());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or_default());
        file.take(LONGEST).read_to_end(&mut bytes).map_err(unreadable)?;
        self.bytes += bytes.len() as u64;
        Ok(Some(bytes))
    }
}
