use edgeforge_mirror::ci::coverage;
use edgeforge_mirror::ci::findings::{read_code_quality, read_sarif};
use edgeforge_mirror::ci::report::Findings;
use serde_json::{Value, json};

use crate::server::{Folder, Server, said};

type Reader = fn(&[u8], &str, &mut Findings) -> Option<String>;

fn read(reader: Reader, text: &str) -> (Vec<Value>, usize, Option<String>) {
    let mut findings = Findings::default();
    let problem = reader(text.as_bytes(), "/work/project", &mut findings);
    findings.order();
    (findings.findings.iter().map(|finding| json!(finding)).collect(), findings.homeless, problem)
}

fn sarif(run: Value) -> Vec<Value> {
    let (findings, _, problem) = read(read_sarif, &json!({"version": "2.1.0", "runs": [run]}).to_string());
    assert_eq!(problem, None);
    findings
}

/// A result at this place, with more members.
fn result(uri: &str, more: Value) -> Value {
    let mut result = json!({"ruleId": "R1", "message": {"text": "said"}, "locations": [{"physicalLocation":
        {"artifactLocation": {"uri": uri}, "region": {"startLine": 3, "endLine": 4}}}]});
    result.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    result
}

#[test]
fn a_result_of_sarif_is_a_finding() {
    let found =
        sarif(json!({"results": [result("src/a.c", json!({"level": "error", "fingerprints": {"v1": "abc"}}))]}));
    let wanted = json!({"path": "src/a.c", "line": 3, "end_line": 4, "severity": "major", "check_name": "R1",
        "description": "said", "fingerprint": "abc"});
    assert_eq!(found, [wanted]);
}

#[test]
fn a_level_comes_from_the_result_or_else_from_its_rule() {
    let rules = json!([{"id": "R1", "defaultConfiguration": {"level": "note"}, "messageStrings": {"m": {"text": "{0} is {1}"}}},
        {"id": "R2", "defaultConfiguration": {"level": "error"}}, {"id": "R3", "defaultConfiguration": {"level": "none"}}]);
    let severities = |results: &[Value]| {
        let found = sarif(json!({"results": results, "tool": {"driver": {"name": "x", "rules": rules}}}));
        found.iter().map(|finding| finding["severity"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let one = |more| severities(&[result("a", more)]).join("");
    assert_eq!(one(json!({})), "info");
    assert_eq!(one(json!({"level": "warning"})), "minor");
    assert_eq!(one(json!({"ruleId": null, "ruleIndex": 1})), "major");
    assert_eq!(one(json!({"ruleId": null, "rule": {"index": 1}})), "major");
    assert_eq!(one(json!({"ruleId": "other"})), "minor");
    for left_out in [
        json!({"ruleId": "R3"}),
        json!({"level": "none"}),
        json!({"kind": "pass"}),
        json!({"baselineState": "absent"}),
        json!({"suppressions": [{"kind": "inSource"}]}),
    ] {
        assert_eq!(one(left_out.clone()), "", "{left_out}");
    }
    assert_eq!(one(json!({"suppressions": [{"kind": "external", "status": "rejected"}]})), "info");
    assert_eq!(one(json!({"suppressions": [], "baselineState": "new"})), "info");
    let text = result("a", json!({"message": {"id": "m", "arguments": ["x", "unused"]}}));
    let found = sarif(json!({"results": [text], "tool": {"driver": {"rules": rules}}}));
    assert_eq!(found[0]["description"], "x is unused");
}

#[test]
fn addresses_of_sarif_become_paths_of_the_project() {
    let bases = json!({"ROOT": {"uri": "file:///work/project/"}, "SRC": {"uri": "file:///work/project/src"}, "FAR": {"uri": "file:///home/ci/x/"}});
    let path = |artifact: Value| {
        let mut one = result("", json!({}));
        one["locations"][0]["physicalLocation"]["artifactLocation"] = artifact;
        let run = json!({"results": [one], "originalUriBaseIds": bases});
        sarif(run).first().map(|finding| finding["path"].as_str().unwrap().to_owned())
    };
    let some = |path: &str| Some(path.to_owned());
    assert_eq!(path(json!({"uri": "a%20b.c"})), some("a b.c"));
    assert_eq!(path(json!({"uri": "file:///work/project/a%20b.c"})), some("a b.c"));
    assert_eq!(path(json!({"uri": "a.c", "uriBaseId": "ROOT"})), some("a.c"));
    assert_eq!(path(json!({"uri": "a.c", "uriBaseId": "SRC"})), some("src/a.c"));
    assert_eq!(path(json!({"uri": "a.c", "uriBaseId": "FAR"})), some("a.c"));
    assert_eq!(path(json!({"uri": "a.c", "uriBaseId": "%SRCROOT%"})), some("a.c"));
    for elsewhere in ["/etc/passwd", "file:///etc/passwd", "../x", "C:\\x", "javascript:alert(1)", "https://x/y", ""] {
        assert_eq!(path(json!({"uri": elsewhere})), None, "{elsewhere}");
    }
}

#[test]
fn code_quality_has_lines_or_positions() {
    let text = json!([
        {"description": "b", "check_name": "c", "fingerprint": "f", "severity": "blocker", "location": {"path": "./b.rb", "lines": {"begin": 4}}},
        {"description": "a", "severity": "info", "location": {"path": "a.rb", "positions": {"begin": {"line": 7, "column": 1}, "end": {"line": 8}}}},
        {"description": "?", "severity": "strange", "location": {"path": "/work/project/c.rb", "lines": {"begin": -1}}},
        {"description": "nowhere", "location": {"path": "../x"}}, {}]);
    let (found, homeless, problem) = read(read_code_quality, &text.to_string());
    assert_eq!((homeless, problem), (2, None));
    let shown: Vec<_> =
        found.iter().map(|of| format!("{} {} {} {}", of["severity"], of["path"], of["line"], of["end_line"])).collect();
    assert_eq!(shown, [r#""blocker" "b.rb" 4 null"#, r#""minor" "c.rb" 1 null"#, r#""info" "a.rb" 7 8"#]);
    assert_eq!((&found[0]["fingerprint"], &found[0]["check_name"]), (&json!("f"), &json!("c")));
}

#[test]
fn files_of_real_tools_say_the_same_in_both_formats() {
    let file =
        |name: &str| std::fs::read_to_string(format!("{}/tests/ci/files/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (sarif, homeless, problem) = read(read_sarif, &file("ruff.sarif"));
    assert_eq!((sarif.len(), homeless, problem), (10, 0, None));
    let (quality, ..) = read(read_code_quality, &file("ruff.json"));
    let short = |found: &[Value]| -> Vec<_> {
        found
            .iter()
            .map(|of| [&of["path"], &of["line"], &of["severity"], &of["check_name"]].map(Value::to_string))
            .collect()
    };
    assert_eq!(short(&sarif), short(&quality));
    assert!(sarif.iter().all(|of| of["path"] == "a.py" || of["path"] == "b.py"));
    for name in ["coverage.lcov", "coverage.xml"] {
        let mut lines = (0.0, 0.0);
        assert_eq!(coverage::add(file(name).as_bytes(), &mut lines), None);
        assert_eq!(lines, (3.0, 4.0), "{name}");
    }
}

#[test]
fn what_is_no_report_is_a_problem() {
    for text in ["", "{", "[]", "{}", r#"{"runs": 1}"#, "<x/>"] {
        assert_eq!(read(read_sarif, text).2, Some("is no SARIF".to_owned()), "{text}");
    }
    for text in ["", "[", "{}", "1"] {
        assert_eq!(read(read_code_quality, text).2, Some("is no Code Quality report".to_owned()), "{text}");
    }
    assert_eq!(read(read_sarif, "\u{feff}{\"runs\": [{\"results\": null}]}"), (vec![], 0, None));
    assert_eq!(read(read_code_quality, "[1, {}]"), (vec![], 2, None));
}

#[test]
fn the_worst_thousand_are_sent_in_order() {
    let (folder, server) = (Folder::new(), Server::new());
    let results: Vec<_> = (0..2000)
        .map(|number| {
            let level = ["note", "warning", "error", "note"][number % 4];
            result(&format!("{:04}.c", 9000 - number), json!({"level": level}))
        })
        .collect();
    folder.write(
        "a.sarif",
        json!({"runs": [{"results": results}, {"results": [result("/etc/x", json!({}))]}]}).to_string(),
    );
    folder
        .write("b.json", r#"[{"severity": "critical", "description": "x", "location": {"path": "z.c"}}]"#)
        .write("c.json", "oops");
    let options = ["--sarif", "*.sarif", "--code-quality", "?.json"];
    let output = folder.program(&server.address, "report").args(["--job", "5"]).args(options).output().unwrap();
    assert!(said(&output).contains("c.json is no Code Quality report"), "{}", said(&output));
    assert!(said(&output).contains("1 findings outside of this folder are left out"), "{}", said(&output));
    let request = &server.requests()[0];
    assert_eq!(request.line, "PUT /api/v4/projects/ann%2Fproj/jobs/5/reports/quality");
    let lines = request.lines();
    assert_eq!((lines.len(), &lines[0]["report"], &lines[1001]), (1002, &json!("quality"), &json!({"end": 1000})));
    assert_eq!(
        (&lines[1]["severity"], &lines[2]["path"], &lines[502]["severity"]),
        (&json!("critical"), &json!("7002.c"), &json!("minor"))
    );
    let problem = lines[0]["problem"].as_str().unwrap();
    assert!(problem.contains("c.json") && problem.contains("1001 more findings are less severe"), "{problem}");
}

#[test]
fn coverage_is_that_of_lcov_or_cobertura_or_a_number() {
    let of = |text: &str| {
        let mut lines = (0.0, 0.0);
        coverage::add(text.as_bytes(), &mut lines);
        lines
    };
    let lcov = "TN:\nSF:a.c\nDA:1,1\nLF:3\nLH:2\nend_of_record\nSF:b.c\nLF:1\nLH:0\nend_of_record\n";
    assert_eq!(of(lcov), (2.0, 4.0));
    let cobertura = r#"<!DOCTYPE coverage SYSTEM "x.dtd"><coverage line-rate="0.9" lines-covered="2" lines-valid="3">"#;
    assert_eq!(of(&format!("<?xml version=\"1.0\"?>{cobertura}")), (2.0, 3.0));
    assert_eq!(of(r#"<coverage line-rate="0.8125" branch-rate="0"/>"#), (0.8125, 1.0));
    for nothing in [
        "",
        "TN:\n",
        "LF:0\nLH:0\n",
        "<coverage/>",
        "<report line-rate=\"1\"/>",
        "<",
        "{}",
        "<coverage line-rate=\"x\"/>",
    ] {
        assert_eq!(of(nothing), (0.0, 0.0), "{nothing}");
    }
    let (folder, server) = (Folder::new(), Server::new());
    folder.write("a.info", "LF:3\nLH:1\n").write("b.xml", r#"<coverage lines-covered="5" lines-valid="5"/>"#);
    let posted = |given: &[&str]| {
        let options: Vec<_> = given.iter().flat_map(|given| ["--coverage", given]).collect();
        folder
            .program(&server.address, "run")
            .args(["--name", "x", "--sha", crate::server::SHA])
            .args(options)
            .args(["--old", "--", "true"])
            .output()
            .unwrap();
        server.requests().last().unwrap().json()["coverage"].clone()
    };
    assert_eq!(posted(&["a.info", "b.xml"]), json!(75.0));
    assert_eq!(posted(&["83.5"]), json!(83.5));
    assert_eq!(posted(&["100%"]), json!(100.0));
    folder.write("c.xml", r#"<coverage lines-covered="2" lines-valid="3"/>"#);
    assert_eq!(posted(&["c.xml"]), json!(66.67));
    assert_eq!(posted(&["NaN"]), json!(null));
    assert_eq!(posted(&["none.info"]), json!(null));
}
