//! Readers of one kind of text each, and what must hold of whatever they make of it.

use crate::support::urlencoded;
use edgeforge::inputs;
use edgeforge_mirror::args;
use edgeforge_mirror::ci::findings::{read_code_quality, read_sarif};
use edgeforge_mirror::ci::report::{Findings, Tests};
use edgeforge_mirror::ci::{coverage, junit};
use edgeforge_mirror::patch;
use edgeforge_mirror::stream::Stream;
use edgeforge_mirror::text::{printable, segment};
use edgeforge_wire::object::{Object, hashes_to};
use edgeforge_wire::{Commit, Commits, Mirror, Push, Received, Swap, Swapped, limits, report};
use std::borrow::Cow;

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The first line, and what comes after it.
fn cut_line(bytes: &[u8]) -> (Cow<'_, str>, &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    (text(&bytes[..end]), bytes.get(end + 1..).unwrap_or_default())
}

/// A line with a type, and a body of that type; the body is a query and a segment of a path, too.
pub fn params(bytes: &[u8]) {
    let (kind, body) = cut_line(bytes);
    let pairs = [inputs::query(&text(body)), inputs::body(&kind, body)];
    for pairs in pairs.into_iter().flatten() {
        let sent: Vec<_> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        // links say again what was asked: a name with a bracket inside it means something else there
        if sent.iter().all(|(name, _)| !name.trim_end_matches("[]").contains('[')) {
            let again = inputs::query(&urlencoded(&sent));
            assert_eq!(again.as_ref(), Some(&pairs), "the same pairs as a query");
        }
    }
    if let Some(decoded) = inputs::decode(&text(body)) {
        assert_eq!(inputs::decode(&segment(&decoded)), Some(decoded));
    }
}

/// A query of a list; a line before it has the name of the last row.
pub fn pages(bytes: &[u8]) {
    let (name, query) = cut_line(bytes);
    let query = text(query);
    let Some((number, size, cursor)) = inputs::page(&query, (&name, 7)) else { return };
    assert!(number >= 1 && (1..=100).contains(&size), "page {number} of {size}");
    // of several cursors and numbers the last counts
    let Some(cursor) = cursor.filter(|_| !name.contains('\0')) else { return };
    let next = inputs::page(&format!("{query}&page={}&cursor={cursor}", number + 1), (&name, 7));
    if let Some((next, ..)) = next {
        assert_eq!(next, number + 1);
    }
}

pub fn times(bytes: &[u8]) {
    let text = text(bytes);
    if let Some(millis) = inputs::time(&text) {
        assert_eq!(inputs::time(&inputs::shown(millis)), Some(millis));
    }
    if inputs::is_date(&text) {
        assert!(inputs::time(&text).is_some(), "a date is a time as well");
    }
}

/// A line with the project's name, one with the author's, and a license.
pub fn licenses(bytes: &[u8]) {
    let (project, rest) = cut_line(bytes);
    let (fullname, content) = cut_line(rest);
    let content = text(content);
    assert_eq!(inputs::license(&content.replace(['<', '{', '['], ""), None, None).find(['<', '{', '[']), None);
    inputs::license(&content, Some(&project), Some(&fullname));
    inputs::licenses(&content);
}

/// Labels, mentions, names, addresses, domains: a line and the rest.
pub fn texts(bytes: &[u8]) {
    let (line, rest) = cut_line(bytes);
    let rest = text(rest);
    for name in inputs::mentions(&rest) {
        // a letter may be written as an entity
        let is_written = rest.contains('&') || rest.to_lowercase().contains(&format!("@{name}"));
        assert!(!name.is_empty() && is_written, "{name}");
    }
    let labels = inputs::labels(rest.split(',').map(str::to_owned).collect()).unwrap_or_default();
    assert!(labels.iter().all(|label| !label.trim().is_empty() && !label.contains(',')), "{labels:?}");
    let slug = inputs::slug(&rest);
    assert_eq!(inputs::slug(&slug), slug);
    inputs::forms(&rest);
    assert!(inputs::fits("*", &rest) && (line.contains('*') || inputs::fits(&line, &line)));
    inputs::fits(&line, &rest);
    inputs::is_changed(&rest, &line, 3, true);
    let diff = serde_json::json!([{ "new_path": line, "diff": rest }]).to_string();
    for line_number in [1, 2, i64::MAX] {
        inputs::is_changed(&diff, &line, line_number, line_number == 1);
    }
    assert!(!printable(&rest).contains('\u{1b}'));
    // a command line
    let _ = args::read(rest.split('\n'));
}

/// A commit object as the hook sends it and the server reads it.
pub fn objects(bytes: &[u8]) {
    let mut commit = Commit::default();
    commit.set_object(bytes.to_vec());
    assert_eq!(commit.object().as_deref(), Some(bytes), "the object arrives as it was sent");
    assert!(!hashes_to(bytes, &text(bytes)));
    let Ok(object) = Object::read(bytes) else { return };
    let texts = &object.texts;
    assert!(!texts.has_nul());
    assert!(serde_json::to_string(&texts.message).unwrap().len() <= limits::MESSAGE_AS_JSON + 2);
    assert!([&texts.author_name, &texts.committer_email].iter().all(|name| name.len() <= limits::NAME));
    for date in [object.authored, object.committed] {
        let shown = edgeforge_mirror::date::show(&date);
        assert!(inputs::time(&shown).is_some() || shown.starts_with("0000") || shown.len() > 25, "{shown}");
        assert_eq!(date.zone_text().len(), 5);
    }
}

/// What `git log` prints of a commit's changes.
pub fn git(bytes: &[u8]) {
    let mut stream = Stream::new(bytes);
    while let Ok(Some(_)) = stream.peek() {
        let Ok(changes) = patch::read(&mut stream, 100) else { return };
        let list: Vec<serde_json::Value> = serde_json::from_str(&changes.diff).unwrap();
        assert!(list.iter().all(|file| file["new_path"].is_string()));
        // the NUL before the next commit
        if stream.expect(0).is_err() {
            return;
        }
    }
}

/// Files of tests, findings and coverage, as tools of CI write them.
pub fn reports(bytes: &[u8]) {
    let (mut tests, mut findings, mut lines) = (Tests::default(), Findings::default(), (0.0, 0.0));
    let problem = junit::read(bytes, "/work", &mut tests);
    read_sarif(bytes, "/work", &mut findings);
    read_code_quality(bytes, "/work", &mut findings);
    coverage::add(bytes, &mut lines);
    tests.order();
    findings.order();
    tests.body(problem.as_slice()).unwrap();
    findings.body(&[]).unwrap();
    assert!(tests.cases.iter().all(|case| (0.0..=report::MOST_SECONDS).contains(&case.execution_time)));
    let files = tests.cases.iter().filter_map(|case| case.file.as_deref()).filter(|file| !file.is_empty());
    let paths = files.chain(findings.findings.iter().map(|finding| &*finding.path));
    paths.for_each(|path| assert!(report::is_path(path), "{path}"));
}

/// Answers of the server, or of a proxy before it, to the hook; and bodies that the hook sends.
pub fn answers(bytes: &[u8]) {
    fn read<T: serde::Serialize + serde::de::DeserializeOwned>(bytes: &[u8]) {
        if let Ok(read) = serde_json::from_slice::<T>(bytes) {
            let text = serde_json::to_string(&read).unwrap();
            let again: T = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&again).unwrap(), text);
        }
    }
    read::<Mirror>(bytes);
    read::<Commits>(bytes);
    read::<Received>(bytes);
    read::<Swapped>(bytes);
    read::<Push>(bytes);
    read::<Swap>(bytes);
    segment(&printable(&text(bytes)));
}
