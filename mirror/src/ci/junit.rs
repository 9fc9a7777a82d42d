//! Reads JUnit XML of many tools. There is no standard: docs/ci.md says what each writes otherwise.

use std::borrow::Cow;

use edgeforge_wire::report::{Case, MOST_SECONDS, PATH, Status};
use edgeforge_wire::text::cut;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::report::Tests;
use super::text::{clip, decoded, name, path, plain};

/// Bytes of the begin of a failure's text, and of its end; of the other outputs half as many.
const TEXT: usize = 4 * 1024;

/// What an element is, by its name and by what it is in.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    /// With the length of the joined names of the suites around.
    Suite(usize),
    Case,
    Verdict(Status),
    /// With the number of its text.
    Output(usize),
    Ignored,
}

/// A case that has not ended.
#[derive(Debug)]
struct Draft {
    case: Case<'static>,
    /// The first one.
    message: String,
    /// The texts of failures, the output, and that of errors.
    texts: [String; 3],
}

#[derive(Debug)]
struct Junit<'a> {
    folder: &'a str,
    open: Vec<Place>,
    /// The names of the suites around, joined.
    suite: String,
    /// The file of the suite, or of one around it.
    file: String,
    drafts: Vec<Draft>,
    tests: &'a mut Tests,
}

/// Adds the cases of a file. Returns what is wrong with it; the cases before that count.
pub fn read(bytes: &[u8], folder: &str, tests: &mut Tests) -> Option<String> {
    let text = decoded(bytes);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().expand_empty_elements = true;
    let (open, suite, file, drafts) = Default::default();
    let mut junit = Junit { folder, open, suite, file, drafts, tests };
    let mut is_begun = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let root = tag.local_name();
                if !std::mem::replace(&mut is_begun, true) && !matches!(root.as_ref(), "testsuites" | "testsuite") {
                    return Some(format!("is no JUnit XML, but <{}>", cut(root.as_ref(), 80)));
                }
                junit.begin(&tag);
            }
            Ok(Event::End(_)) => junit.end(),
            Ok(Event::Text(text)) => junit.text(&text),
            Ok(Event::CData(text)) => junit.text(&text),
            Ok(Event::GeneralRef(of)) => junit.text(&unescaped(&format!("&{};", &*of))),
            Ok(Event::Eof) if !is_begun => return Some("is no JUnit XML".to_owned()),
            Ok(Event::Eof) => return Some("ends early".to_owned()).filter(|_| !junit.open.is_empty()),
            Ok(_) => {}
            Err(error) => return Some(format!("is broken at byte {}: {error}", reader.error_position())),
        }
    }
}

/// Entities of a DTD stay as they are written.
fn unescaped(raw: &str) -> String {
    unescape(raw).map_or_else(|_| raw.to_owned(), Cow::into_owned)
}

/// No more of it is looked at than what is kept, up to the last reference that is whole.
pub fn attribute(tag: &BytesStart<'_>, wanted: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    let found = attributes.with_checks(false).map_while(Result::ok).find(|of| of.key.as_ref() == wanted)?;
    let raw = cut(&found.value, 4 * TEXT);
    let end = raw.rfind('&').filter(|at| raw.len() < found.value.len() && raw.len() - at < 16);
    Some(unescaped(raw.get(..end.unwrap_or(raw.len())).unwrap_or(raw)))
}

/// `14,029.255`, `0,160` and `1.5`. What is no time is 0.
pub fn seconds(text: &str) -> f64 {
    let is_decimal = !text.contains('.') && text.matches(',').count() == 1;
    let text = text.trim().replace(',', if is_decimal { "." } else { "" });
    text.parse().ok().filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds)).unwrap_or(0.0)
}

impl Junit<'_> {
    fn begin(&mut self, tag: &BytesStart<'_>) {
        let (tag_name, parent) = (tag.local_name(), self.open.last().copied());
        let get = |wanted: &str| attribute(tag, wanted).unwrap_or_default();
        let place = match (tag_name.as_ref(), parent) {
            ("testsuites" | "testsuite", None | Some(Place::Suite(_))) => Place::Suite(self.suite.len()),
            ("testcase", Some(Place::Suite(_) | Place::Case)) => Place::Case,
            ("failure", Some(Place::Suite(_) | Place::Case)) => Place::Verdict(Status::Failed),
            ("error", Some(Place::Suite(_) | Place::Case)) => Place::Verdict(Status::Error),
            ("skipped", Some(Place::Case)) => Place::Verdict(Status::Skipped),
            ("system-out", Some(Place::Case)) => Place::Output(1),
            ("system-err", Some(Place::Case)) => Place::Output(2),
            _ => Place::Ignored,
        };
        self.open.push(place);
        let draft = |case| Draft { case, message: String::new(), texts: Default::default() };
        match (place, parent) {
            (Place::Suite(before), _) if tag_name.as_ref() == "testsuite" => {
                let name = name(&get("name"));
                if !name.is_empty() && before + name.len() < PATH {
                    self.suite += if before == 0 { "" } else { " > " };
                    self.suite += &name;
                }
                match attribute(tag, "file") {
                    Some(file) => self.file = path(&file, self.folder).unwrap_or_default(),
                    None if before == 0 => self.file.clear(),
                    None => {}
                }
            }
            (Place::Case, _) => self.drafts.push(draft(self.case(get))),
            (Place::Verdict(status), _) => {
                if let Some(Place::Suite(before)) = parent {
                    // the suite failed as a whole
                    let name = self.suite.get(before..).unwrap_or_default().trim_start_matches(" > ").to_owned();
                    self.drafts.push(draft(Case { name: name.into(), ..self.case(|_| String::new()) }));
                }
                let Some(Draft { case, message, texts: [text, ..] }) = self.drafts.last_mut() else { return };
                // as in GitLab a failure beats an error, and both a skipped case
                let is = |one| status == one || case.status == one;
                case.status =
                    [Status::Failed, Status::Error].into_iter().find(|one| is(*one)).unwrap_or(Status::Skipped);
                *text += if text.is_empty() { "" } else { "\n\n" };
                if message.is_empty() {
                    *message = plain(cut(&get("message"), TEXT)).trim().to_owned();
                }
            }
            (Place::Ignored, Some(Place::Case)) if tag_name.as_ref().starts_with("flaky") => {
                let Some(draft) = self.drafts.last_mut() else { return };
                draft.case.flaky = true;
            }
            _ => {}
        }
    }

    fn case(&self, get: impl Fn(&str) -> String) -> Case<'static> {
        let is_skipped = |name| matches!(&*get(name), "notrun" | "suppressed" | "skipped" | "disabled");
        let file = Some(get("file")).filter(|file| !file.is_empty());
        let file = file.map_or_else(|| Some(self.file.clone()), |file| path(&file, self.folder));
        let line = get("line").parse().ok();
        Case {
            status: if is_skipped("status") || is_skipped("result") { Status::Skipped } else { Status::Success },
            name: name(&get("name")).into(),
            suite: Some(self.suite.clone().into()),
            classname: Some(name(&get("classname")).into()),
            file: file.map(Cow::Owned),
            // pytest counts from 0
            line: line.map(|line: u32| line.saturating_add((self.suite == "pytest").into())),
            execution_time: seconds(&get("time")),
            system_output: None,
            flaky: false,
        }
    }

    fn text(&mut self, piece: &str) {
        let (number, most) = match self.open.last() {
            Some(Place::Verdict(_)) => (0, TEXT),
            Some(Place::Output(number)) => (*number, TEXT / 2),
            _ => return,
        };
        let Some(text) = self.drafts.last_mut().and_then(|draft| draft.texts.get_mut(number)) else { return };
        *text += &clip(piece, most);
        if text.len() > 16 * TEXT {
            *text = clip(text, most).into_owned();
        }
    }

    fn end(&mut self) {
        match (self.open.pop(), self.open.last()) {
            (Some(Place::Suite(before)), _) => return self.suite.truncate(before),
            (Some(Place::Case), _) | (Some(Place::Verdict(_)), Some(Place::Suite(_))) => {}
            _ => return,
        }
        let Some(Draft { mut case, message, texts: [text, out, err] }) = self.drafts.pop() else { return };
        let shown = |text: &str, most| clip(&plain(text), most).trim().to_owned();
        let mut output = shown(&text, TEXT);
        if !output.contains(message.lines().next().unwrap_or_default()) {
            output = format!("{message}\n{output}");
        }
        // as GitLab joins them
        for (title, text) in [("System Out", out), ("System Err", err)] {
            let text = shown(&text, TEXT / 2);
            if case.status.is_broken() && !text.is_empty() {
                output += &format!("\n\n{title}:\n\n{text}");
            }
        }
        let has_output = case.status != Status::Success && !output.trim().is_empty();
        case.system_output = has_output.then(|| output.trim().to_owned().into());
        case.flaky &= case.status == Status::Success;
        self.tests.add(case);
    }
}
