//! Findings of linters, from SARIF 2.1.0 and from GitLab's Code Quality.

use std::borrow::Cow;
use std::collections::HashMap;

use edgeforge_wire::report::{Finding, Severity};
use edgeforge_wire::text::cut;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::Value;

use super::kept::{Kept, MOST};
use super::report::Findings;
use super::text::{decoded, name, path, plain};

const SARIF: Kept = Kept {
    names: &[
        "arguments",
        "artifactLocation",
        "baselineState",
        "defaultConfiguration",
        "driver",
        "endLine",
        "fingerprints",
        "id",
        "index",
        "kind",
        "level",
        "locations",
        "message",
        "messageStrings",
        "originalUriBaseIds",
        "physicalLocation",
        "region",
        "results",
        "rule",
        "ruleId",
        "ruleIndex",
        "rules",
        "runs",
        "startLine",
        "status",
        "suppressions",
        "text",
        "tool",
        "uri",
        "uriBaseId",
    ],
    dictionaries: &["fingerprints", "messageStrings", "originalUriBaseIds"],
    is_dictionary: false,
};
const CODE_QUALITY: Kept = Kept {
    names: &[
        "begin",
        "check_name",
        "description",
        "end",
        "fingerprint",
        "line",
        "lines",
        "location",
        "path",
        "positions",
        "severity",
    ],
    dictionaries: &[],
    is_dictionary: false,
};
const LONGEST_DESCRIPTION: usize = 2 * 1024;

fn text<'v>(value: &'v Value, pointer: &str) -> Option<&'v str> {
    value.pointer(pointer)?.as_str()
}

fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Adds the findings of a file. Returns what is wrong with it.
pub fn read_sarif(bytes: &[u8], folder: &str, to: &mut Findings) -> Option<String> {
    let sarif = SARIF.read(&decoded(bytes));
    let mut has_more = false;
    for run in list(&sarif, "/runs") {
        let rules = list(run, "/tool/driver/rules");
        has_more |= rules.len() > MOST;
        // the first of a name
        let named = rules.iter().rev().filter_map(|rule| Some((text(rule, "/id")?, rule))).collect();
        list(run, "/results").iter().take(MOST).for_each(|result| add_result(run, &named, result, folder, to));
    }
    let is_sarif = sarif.get("runs").is_some_and(Value::is_array);
    let problem = if is_sarif { "has more rules than are read" } else { "is no SARIF" };
    (has_more || !is_sarif).then(|| problem.to_owned())
}

/// `named`: the rules of the run by their ids.
fn add_result(run: &Value, named: &HashMap<&str, &Value>, result: &Value, folder: &str, to: &mut Findings) {
    let id = text(result, "/ruleId").or_else(|| text(result, "/rule/id"));
    let index = result.get("ruleIndex").or_else(|| result.pointer("/rule/index")).and_then(Value::as_u64);
    let at = || list(run, "/tool/driver/rules").get(usize::try_from(index?).ok()?);
    let rule = id.and_then(|id| named.get(id).copied()).or_else(at).unwrap_or(&Value::Null);
    let severity = match text(result, "/level").or_else(|| text(rule, "/defaultConfiguration/level")) {
        Some("none") => return,
        Some("error") => Severity::Major,
        Some("note") => Severity::Info,
        _ => Severity::Minor,
    };
    let is_suppressed = |one: &Value| text(one, "/status") != Some("rejected");
    if text(result, "/kind").is_some_and(|kind| kind != "fail")
        || text(result, "/baselineState") == Some("absent")
        || list(result, "/suppressions").iter().any(is_suppressed)
    {
        return;
    }
    let place = result.pointer("/locations/0/physicalLocation").unwrap_or(&Value::Null);
    let by_id = text(result, "/message/id").and_then(|id| rule.get("messageStrings")?.get(id)?.get("text")?.as_str());
    let mut message = text(result, "/message/text").or(by_id).unwrap_or_default().to_owned();
    for (number, argument) in list(result, "/message/arguments").iter().take(10).enumerate() {
        message = message.replace(&format!("{{{number}}}"), argument.as_str().unwrap_or_default());
    }
    let print = result.get("fingerprints").and_then(|prints| prints.as_object()?.values().next()?.as_str());
    let texts = [id.or(text(rule, "/id")).unwrap_or_default(), &message, print.unwrap_or_default()];
    let lines = ["/region/startLine", "/region/endLine"].map(|line| place.pointer(line));
    // the base is left out where it leads out of the work folder, because it is a folder of another machine
    let base = text(place, "/artifactLocation/uriBaseId")
        .and_then(|id| run.get("originalUriBaseIds")?.get(id)?.get("uri")?.as_str());
    let path = text(place, "/artifactLocation/uri").and_then(|uri| {
        let uri = percent_decode_str(uri).decode_utf8_lossy();
        let whole = base.and_then(|base| path(&format!("{}/{uri}", base.trim_end_matches('/')), folder));
        whole.or_else(|| path(&uri, folder))
    });
    add(to, severity, path, lines, texts);
}

/// Adds the findings of a file. Returns what is wrong with it.
pub fn read_code_quality(bytes: &[u8], folder: &str, to: &mut Findings) -> Option<String> {
    let all = CODE_QUALITY.read(&decoded(bytes));
    for found in list(&all, "").iter().take(MOST) {
        let line = |one, other| found.pointer(one).or_else(|| found.pointer(other));
        let begin = line("/location/lines/begin", "/location/positions/begin/line");
        let end = line("/location/lines/end", "/location/positions/end/line");
        let texts = ["/check_name", "/description", "/fingerprint"].map(|name| text(found, name).unwrap_or_default());
        let severity = found.get("severity").and_then(|word| Severity::deserialize(word).ok());
        let path = text(found, "/location/path").and_then(|text| path(text, folder));
        add(to, severity.unwrap_or(Severity::Minor), path, [begin, end], texts);
    }
    (!all.is_array()).then(|| "is no Code Quality report".to_owned())
}

fn add(to: &mut Findings, severity: Severity, path: Option<String>, lines: [Option<&Value>; 2], texts: [&str; 3]) {
    let Some(path) = path else { return to.homeless += 1 };
    let [line, end_line] = lines.map(|line| u32::try_from(line?.as_u64()?).ok().filter(|line| *line > 0));
    let [check_name, description, fingerprint] = texts;
    let some = |text| Some(name(text)).filter(|text| !text.is_empty()).map(Cow::Owned);
    to.findings.push(Finding {
        severity,
        path: path.into(),
        // of the file as a whole
        line: line.unwrap_or(1),
        end_line,
        check_name: some(check_name),
        description: plain(cut(description, LONGEST_DESCRIPTION)).trim().to_owned().into(),
        fingerprint: some(fingerprint),
    });
}
