use super::*;
use serde_json::{Value, json};

const HEAD: &str = r#"{"report":"tests","version":1}"#;

fn written(kind: Kind, sought: &[&str], body: &str) -> Result<(Found, Value)> {
    let mut writer = Writer::new(kind, sought.iter().map(|key| (*key).to_owned()).collect());
    // in pieces that end anywhere
    for piece in body.as_bytes().chunks(7) {
        writer.add(piece)?;
    }
    let (found, json) = writer.finish()?;
    let items = serde_json::from_str(&format!("[{}]", String::from_utf8(json).expect("text"))).expect("JSON");
    Ok((found, items))
}

fn tests(lines: &[Value]) -> Result<(Found, Value)> {
    let items: String = lines.iter().map(|line| format!("{line}\n")).collect();
    written(Kind::Tests, &[], &format!("{HEAD}\n{items}{}", json!({ "end": lines.len() })))
}

#[track_caller]
fn refused(body: &str, line: usize) {
    let Err(Error::Framework(400, text)) = written(Kind::Tests, &[], body) else { panic!("{body:.200} is taken") };
    assert!(text.starts_with(&format!("line {line}: ")) && text.len() < 300, "{text}");
}

#[test]
fn a_report_is_written_in_the_form_of_gitlab() {
    let (found, items) = tests(&[
        json!({ "status": "error", "name": "a", "suite": "s", "classname": "t.A", "file": "t/a.py", "line": 12,
            "execution_time": 0.25, "system_output": "out" }),
        json!({ "status": "failed", "name": "b", "classname": "t.B" }),
        json!({ "status": "success", "name": "c", "file": "", "execution_time": 2, "flaky": true }),
        json!({ "status": "skipped", "name": "d", "suite": "" }),
    ])
    .unwrap();
    let case = |status: &str, name: &str, classname: &str, file: Value, seconds: f64, output: Value, more: Value| {
        let mut case = json!({ "status": status, "name": name, "classname": classname, "file": file,
            "execution_time": seconds, "system_output": output, "stack_trace": null, "recent_failures": null });
        case.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        case
    };
    let expected = json!([
        case("error", "a", "t.A", json!("t/a.py"), 0.25, json!("out"), json!({ "suite": "s", "line": 12 })),
        case("failed", "b", "t.B", json!("t/a.py"), 0.0, Value::Null, json!({ "suite": "s" })),
        case("success", "c", "t.B", Value::Null, 2.0, Value::Null, json!({ "suite": "s", "flaky": true })),
        case("skipped", "d", "t.B", Value::Null, 0.0, Value::Null, json!({})),
    ]);
    assert_eq!(items, expected);
    assert_eq!((found.total, found.failed, found.errors, found.skipped, found.flaky), (4, 1, 1, 1, 1));
    assert_eq!((found.seconds, found.whole), (2.25, true));
    assert_eq!(found.broken, [key(["s", "t.A", "a"]), key(["s", "t.B", "b"])]);
    let slowest: Vec<_> = found.slowest.iter().map(|(_, name, seconds)| (name.as_str(), *seconds)).collect();
    assert_eq!(slowest, [("c", 2.0), ("a", 0.25)]);
}

#[test]
fn cases_that_are_left_out_count() {
    let body = r#"{"report":"tests","version":1,"problem":"cut\u0000\nhere","more":{"success":5,"skipped":2}}"#;
    let (found, items) = written(Kind::Tests, &[], &format!("{body}\n{{\"end\":0}}\n")).unwrap();
    assert_eq!((found.total, found.skipped, items), (7, 2, json!([])));
    // what is not complete may lack what is broken
    assert_eq!((found.problem.as_deref(), found.whole), (Some("cut  here"), false));
    let long = json!({ "report": "tests", "version": 1, "problem": "ä".repeat(900) });
    let (found, _) = written(Kind::Tests, &[], &format!("{long}\n{{\"end\":0}}")).unwrap();
    assert_eq!(found.problem, Some("ä".repeat(500)));
}

#[test]
fn a_key_is_broken_if_one_of_its_cases_is() {
    let [same, other, gone] = ["same", "other", "gone"].map(|name| key(["", "", name]));
    let line = |status: &str, name: &str| json!({ "status": status, "name": name }).to_string();
    let lines = [line("failed", "same"), line("failed", "same"), line("success", "same"), line("success", "other")];
    let body = format!("{HEAD}\n{}\n{{\"end\":4}}", lines.join("\n"));
    let (found, _) = written(Kind::Tests, &[&same, &other, &gone], &body).unwrap();
    assert_eq!((found.failed, found.broken, found.passed), (2, vec![same], vec![(other, "other".to_owned())]));
}

#[test]
fn a_row_has_200_broken_tests_and_the_20_slowest() {
    let lines: Vec<Value> = (0..201)
        .map(|number| json!({ "status": "failed", "name": number.to_string(), "execution_time": (number % 50) + 1 }))
        .collect();
    let (found, _) = tests(&lines).unwrap();
    assert_eq!((found.failed, found.broken.len(), found.whole), (201, 200, false));
    assert_eq!(found.slowest.iter().map(|(.., seconds)| *seconds as i64).sum::<i64>(), 4 * (50 + 49 + 48 + 47 + 46));
}

#[test]
fn a_line_that_is_wrong_is_named() {
    let case = r#"{"status":"success","name":"a"}"#;
    refused("", 1);
    refused(HEAD, 2);
    refused(&format!("{HEAD}\n{case}\n"), 3);
    refused(&format!("{HEAD}\n{{\"end\":1}}"), 2);
    refused(&format!("{HEAD}\n{case}\n{{\"end\":0}}"), 3);
    refused(&format!("{HEAD}\n{{\"end\":0}}\n{case}"), 3);
    refused(&format!("{HEAD}\n\n{{\"end\":0}}"), 2);
    refused(r#"{"report":"quality","version":1}"#, 1);
    refused(r#"{"report":"tests","version":2}"#, 1);
    refused(r#"{"report":"tests","version":1,"more":{"success":9223372036854775808}}"#, 1);
    refused(r#"{"report":"tests","version":1,"other":1}"#, 1);
    for wrong in [
        r#"{"status":"success","name":"a","other":1}"#,
        r#"{"status":"success","name":"a","name":"b"}"#,
        r#"{"status":"success","name":1}"#,
        r#"{"status":"success","name":"\ud800"}"#,
        r#"{"status":"success","name":"a","execution_time":1e308}"#,
        r#"{"status":"success","name":"a","execution_time":-1}"#,
        r#"{"status":"success","name":"a","line":-1}"#,
        r#"{"status":"success","name":"a","file":"/etc/passwd"}"#,
        r#"{"status":"success","name":"a","file":"../x"}"#,
        r#"{"status":"success","name":"a","file":"C:\\x"}"#,
        r#"{"status":"success","name":"a","file":"javascript:x"}"#,
        r#"{"status":"success","name":"#,
        "[]",
        "\u{0}",
    ] {
        refused(&format!("{HEAD}\n{case}\n{wrong}\n{{\"end\":2}}"), 3);
    }
    // failures are read from the begin
    let skipped = case.replace("success", "skipped");
    refused(&format!("{HEAD}\n{skipped}\n{case}\n{{\"end\":2}}"), 3);
    let long = json!({ "status": "success", "name": "x".repeat(LONGEST_LINE) });
    refused(&format!("{HEAD}\n{long}\n{{\"end\":1}}"), 2);
    let longest = json!({ "status": "success", "name": "x".repeat(LONGEST_LINE - 31) });
    assert_eq!(longest.to_string().len(), LONGEST_LINE - 1);
    written(Kind::Tests, &[], &format!("{HEAD}\n{longest}\n{{\"end\":1}}")).unwrap();
}

#[test]
fn a_report_has_100000_cases_and_1000_findings() {
    let many = |line: &str, count: usize| format!("{line}\n").repeat(count);
    let case = r#"{"status":"success","name":"a"}"#;
    let (found, _) = written(Kind::Tests, &[], &format!("{HEAD}\n{}{{\"end\":100000}}", many(case, 100_000))).unwrap();
    assert_eq!(found.total, 100_000);
    refused(&format!("{HEAD}\n{}{{\"end\":100001}}", many(case, 100_001)), 100_002);
    let finding = r#"{"severity":"minor","path":"a","line":1,"description":"d"}"#;
    let head = r#"{"report":"quality","version":1}"#;
    let body = |count: usize| format!("{head}\n{}{{\"end\":{count}}}", many(finding, count));
    assert_eq!(written(Kind::Quality, &[], &body(1000)).unwrap().0.total, 1000);
    assert!(written(Kind::Quality, &[], &body(1001)).is_err());
}

#[test]
fn findings_are_written_in_the_form_of_code_quality() {
    let lines = [
        json!({ "severity": "blocker", "path": "src/a.rs", "line": 3, "end_line": 4, "check_name": "c",
            "description": "</script>\u{202e}", "fingerprint": "f" }),
        json!({ "severity": "minor", "path": "b", "line": 1, "description": "d" }),
    ];
    let items: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let body = |items: &str| format!("{{\"report\":\"quality\",\"version\":1}}\n{items}{{\"end\":2}}");
    let (found, items) = written(Kind::Quality, &[], &body(&items)).unwrap();
    let unnamed = key(["", "b", "d"]);
    let expected = json!([
        { "description": "</script>\u{202e}", "check_name": "c", "fingerprint": "f", "severity": "blocker",
            "location": { "path": "src/a.rs", "lines": { "begin": 3, "end": 4 } } },
        { "description": "d", "check_name": null, "fingerprint": unnamed, "severity": "minor",
            "location": { "path": "b", "lines": { "begin": 1 } } },
    ]);
    assert_eq!(items, expected);
    assert_eq!((found.total, found.failed, found.broken), (2, 1, vec![key(["", "", "f"]), unnamed]));
    let worse: String = lines.iter().rev().map(|line| format!("{line}\n")).collect();
    assert!(written(Kind::Quality, &[], &body(&worse)).is_err());
    let absolute = r#"{"severity":"minor","path":"/etc/passwd","line":1,"description":"d"}"#;
    assert!(written(Kind::Quality, &[], &body(&format!("{absolute}\n{absolute}\n"))).is_err());
}

#[test]
fn no_text_ends_a_member() {
    let name = "\"},{\"status\":\"success\"\n\u{1}";
    let (_, items) = tests(&[json!({ "status": "failed", "name": name, "system_output": name })]).unwrap();
    assert_eq!(items.as_array().map(Vec::len), Some(1));
    assert_eq!((&items[0]["name"], &items[0]["system_output"]), (&json!(name), &json!(name)));
}
