use std::fs;
use std::path::Path;
use std::process::Command;

use edgeforge_mirror::ci::junit::{read, seconds};
use edgeforge_mirror::ci::report::Tests;
use edgeforge_mirror::server::packed;
use edgeforge_wire::report::{Kind, Status};
use serde_json::json;

use crate::attacks::check;
use crate::server::{Folder, Server, TOKEN, said};

/// A case of a report, with empty texts for those that it has not.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    status: Status,
    name: String,
    classname: String,
    suite: String,
    file: String,
    line: Option<u32>,
    seconds: f64,
    output: String,
    flaky: bool,
}

pub fn cases(text: impl AsRef<[u8]>) -> (Vec<Case>, Option<String>) {
    let mut tests = Tests::default();
    let problem = read(text.as_ref(), "/work/project", &mut tests);
    let cases = tests.cases.into_iter().map(|case| Case {
        status: case.status,
        name: case.name.into_owned(),
        classname: case.classname.unwrap_or_default().into_owned(),
        suite: case.suite.unwrap_or_default().into_owned(),
        file: case.file.unwrap_or_default().into_owned(),
        line: case.line,
        seconds: case.execution_time,
        output: case.system_output.unwrap_or_default().into_owned(),
        flaky: case.flaky,
    });
    (cases.collect(), problem)
}

/// The cases of a file without a problem.
fn well(text: impl AsRef<[u8]>) -> Vec<Case> {
    let (cases, problem) = cases(text);
    assert_eq!(problem, None);
    cases
}

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ci/files").join(name)).unwrap()
}

fn named<'a>(cases: &'a [Case], name: &str) -> &'a Case {
    cases.iter().find(|case| case.name == name).unwrap_or_else(|| panic!("{name}: {cases:#?}"))
}

/// All, error, failed, skipped.
fn counts(cases: &[Case]) -> [usize; 4] {
    let of = |status| cases.iter().filter(|case| case.status == status).count();
    [cases.len(), of(Status::Error), of(Status::Failed), of(Status::Skipped)]
}

#[test]
fn files_of_real_tools_have_the_counts_that_another_reader_finds() {
    let count = "import sys, xml.etree.ElementTree as E\n\
        for path in sys.argv[1:]:\n\
        \x20 cases = list(E.parse(path).iter('testcase'))\n\
        \x20 failed = [c for c in cases if c.find('failure') is not None]\n\
        \x20 errors = [c for c in cases if c.find('error') is not None and c not in failed]\n\
        \x20 skipped = [c for c in cases if c.get('result') == 'suppressed' or c.find('skipped') is not None]\n\
        \x20 print([len(cases), len(errors), len(failed), len([c for c in skipped if c not in failed + errors])])";
    let files = [
        ("gtest.xml", [4, 0, 1, 2]),
        ("jest.xml", [4, 0, 2, 1]),
        ("mocha.xml", [4, 0, 1, 0]),
        ("nextest.xml", [3, 0, 1, 0]),
        ("node.xml", [7, 0, 2, 2]),
        ("pytest.xml", [12, 2, 4, 2]),
        ("pytest-xunit1.xml", [12, 2, 4, 2]),
        ("pytest-rerun.xml", [26, 2, 3, 2]),
        ("vitest.xml", [4, 0, 1, 1]),
    ];
    for (name, counted) in &files {
        assert_eq!(counts(&well(file(name))), *counted, "{name}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ci/files");
    let paths = files.iter().map(|(name, _)| folder.join(name));
    if let Ok(output) = Command::new("python3").args(["-c", count]).args(paths).output() {
        let other = String::from_utf8(output.stdout).unwrap();
        assert_eq!(other.lines().collect::<Vec<_>>(), files.map(|(_, counted)| format!("{counted:?}")));
    }
}

#[test]
fn pytest_counts_lines_from_0_and_writes_escapes_as_text() {
    let cases = well(file("pytest-xunit1.xml"));
    let bad = named(&cases, "test_bad");
    assert_eq!((&*bad.file, bad.line, &*bad.classname, &*bad.suite), ("test_a.py", Some(3), "test_a", "pytest"));
    assert!(bad.output.starts_with("def test_bad():\n"), "the text has the message: {}", bad.output);
    assert!(bad.output.contains("\n\nSystem Out:\n\n") && bad.output.contains("red out"), "{}", bad.output);
    assert!(bad.output.contains("\n\nSystem Err:\n\n") && !bad.output.contains("#x1B"), "{}", bad.output);
    let skipped = named(&cases, "test_skip");
    assert_eq!(skipped.output, "/work/project/test_a.py:6: not now");
    assert!(named(&cases, "test_ok").output.is_empty(), "outputs of passed tests stay");
}

#[test]
fn a_retried_test_that_passed_is_flaky_and_one_that_failed_keeps_its_first_text() {
    let cases = well(file("nextest.xml"));
    let flaky = named(&cases, "tests::flaky");
    assert_eq!((flaky.status, flaky.flaky, &*flaky.output), (Status::Success, true, ""));
    let fails = named(&cases, "tests::fails");
    assert_eq!((fails.status, fails.flaky), (Status::Failed, false));
    assert!(fails.output.starts_with("thread 'tests::fails' (7484) panicked") && fails.output.contains("boom <&>"));
    assert!(!fails.output.contains("7632"), "the second text is left out");
    let surefire = r#"<testsuite name="SumTest" tests="3"><properties><property name="secret" value="x"/></properties>
        <testcase name="flaky" classname="SumTest" time="0.018"><flakyFailure message="once" type="AssertionError">
            <stackTrace>at SumTest.flaky</stackTrace><system-out>first</system-out></flakyFailure></testcase>
        <testcase name="errs" classname="SumTest" time="1,002.5"><error message="boom" type="E">E: boom</error>
            <rerunError message="again" type="E"><stackTrace>E: again</stackTrace></rerunError></testcase>
        <testcase name="both" classname="SumTest"><flakyError message="x" type="E"/><failure>at last</failure></testcase></testsuite>"#;
    let cases = well(surefire);
    assert_eq!((cases[0].status, cases[0].flaky, &*cases[0].output), (Status::Success, true, ""));
    assert_eq!((cases[1].status, &*cases[1].output, cases[1].seconds), (Status::Error, "E: boom", 1002.5));
    assert_eq!((cases[2].status, cases[2].flaky), (Status::Failed, false));
}

#[test]
fn gtest_marks_what_did_not_run_and_may_fail_several_times() {
    let cases = well(file("gtest.xml"));
    assert_eq!(named(&cases, "DISABLED_Later").status, Status::Skipped);
    let fails = named(&cases, "Fails");
    assert_eq!((&*fails.file, fails.line), ("g.cc", Some(3)));
    assert!(
        fails.output.starts_with("g.cc:3\nExpected equality")
            && fails.output.contains("one & <two>\n\ng.cc:3\nValue of")
    );
}

#[test]
fn nested_suites_are_joined_and_files_come_from_them() {
    let cases = well(file("node.xml"));
    assert_eq!(named(&cases, "fails").suite, "suite > deep");
    assert_eq!((&*named(&cases, "child").suite, &*named(&cases, "top").suite), ("parent", ""));
    let cases = well(file("mocha.xml"));
    assert_eq!((&*named(&cases, "second adds").file, &*named(&cases, "outer inner in").file), ("js/m2.js", "js/m.js"));
    let php = r#"<testsuites><testsuite name="all"><testsuite name="SumTest" file="/work/project/SumTest.php">
        <testcase name="a" line="12"/><testsuite name="SumTest::data"><testcase name="b with data set #0"/></testsuite>
        </testsuite><testsuite name="other"><testcase name="c"/></testsuite></testsuite></testsuites>"#;
    let cases = well(php);
    assert_eq!((&*cases[0].file, cases[0].line, &*cases[0].suite), ("SumTest.php", Some(12), "all > SumTest"));
    assert_eq!((&*cases[1].file, &*cases[1].suite), ("SumTest.php", "all > SumTest > SumTest::data"));
    assert_eq!((&*cases[2].suite, cases.len()), ("all > other", 3));
}

#[test]
fn a_suite_that_failed_as_a_whole_is_a_case() {
    let bazel = r#"<testsuites><testsuite name="//pkg:test" tests="1"><error message="exited with error code 1"></error>
        <system-out>not kept</system-out></testsuite></testsuites>"#;
    let cases = well(bazel);
    assert_eq!((cases[0].status, &*cases[0].name, &*cases[0].suite), (Status::Error, "//pkg:test", "//pkg:test"));
    assert_eq!((&*cases[0].output, cases.len()), ("exited with error code 1", 1));
}

#[test]
fn equal_names_all_count_and_a_failure_beats_an_error() {
    let eslint = r#"<testsuites><testsuite name="a.js"><testcase name="no-undef"><failure/></testcase>
        <testcase name="no-undef"><failure/></testcase><testcase><error/><failure/><skipped/></testcase>
        <testcase><skipped/><error/></testcase></testsuite></testsuites>"#;
    assert_eq!(counts(&well(eslint)), [4, 1, 3, 0]);
}

#[test]
fn times_of_every_tool_are_seconds() {
    for (text, time) in [
        ("14,029.255", 14029.255),
        ("0,160", 0.16),
        ("1.5", 1.5),
        ("NaN", 0.0),
        ("", 0.0),
        (" 2 ", 2.0),
        ("1,234,567", 1_234_567.0),
        ("-1", 0.0),
        ("1e308", 0.0),
        ("inf", 0.0),
        ("1e-3", 0.001),
    ] {
        assert_eq!(seconds(text), time, "{text}");
    }
}

#[test]
fn a_file_that_ends_early_has_the_cases_before_and_a_problem() {
    let whole = r#"<?xml version="1.0"?><testsuites><testsuite name="s"><testcase name="a"/><testcase name="b"/><testcase name="c">"#;
    for (text, problem) in [
        (format!("{whole}<fail"), "is broken at byte"),
        (whole.to_owned(), "ends early"),
        (format!("{whole}<failure>a & b"), "is broken at byte"),
        (format!("{whole}</testsuite>"), "is broken at byte"),
    ] {
        let (cases, said) = cases(&text);
        assert_eq!(cases.len(), 2, "{text}");
        assert!(said.as_ref().unwrap().contains(problem), "{text}: {said:?}");
    }
}

#[test]
fn other_formats_are_a_problem() {
    for (text, problem) in [
        ("<test-run id=\"2\"><test-suite><test-case/></test-suite></test-run>", "is no JUnit XML, but <test-run>"),
        ("<TestRun/>", "is no JUnit XML, but <TestRun>"),
        ("TAP version 13\n1..2\nok 1\nnot ok 2\n", "is no JUnit XML"),
        ("", "is no JUnit XML"),
        ("{\"numFailedTests\": 1}", "is no JUnit XML"),
    ] {
        assert_eq!(cases(text), (vec![], Some(problem.to_owned())));
    }
}

#[test]
fn texts_are_bounded_and_have_their_begin_and_end() {
    let long = format!("begin {}\u{1b}[31mred\u{1b}[0m end", "ä".repeat(90_000));
    let text = format!(
        "<testsuite><testcase name='{0}' file='{0}'><failure message='{0}&lt;'>{long}</failure>\
        <system-out>{long}</system-out><system-err>{long}</system-err></testcase></testsuite>",
        "n".repeat(70_000)
    );
    let cases = well(text);
    let output = &cases[0].output;
    assert!(output.len() < 22 * 1024 && output.matches("begin ").count() == 3, "{}", output.len());
    assert!(output.contains("red end\n\nSystem Out:\n\nbegin") && output.ends_with("red end"), "{output}");
    assert_eq!((output.matches("\n[..]\n").count(), cases[0].name.len(), &*cases[0].file), (3, 1024, ""));
    // in small pieces
    let text = format!(
        "<testsuite><testcase><failure>begin {} end</failure></testcase></testsuite>",
        "a&amp;".repeat(200_000)
    );
    let output = &well(text)[0].output;
    assert!(output.starts_with("begin a&a&") && output.ends_with("&a& end") && output.len() < 9000, "{}", output.len());
}

#[test]
fn entities_and_encodings_are_read() {
    let text = "<testsuite><testcase name='a&lt;&#x65E5;&#10;b&#0;&nbsp;'><failure>1 &lt; 2 &#38; &#x1F600; &nbsp; &#xD800;</failure></testcase></testsuite>";
    let case = &well(text)[0];
    assert_eq!(case.output, "1 < 2 & \u{1f600} &nbsp; &#xD800;");
    assert_eq!(well([b"\xef\xbb\xbf", text.as_bytes()].concat())[0], *case);
    let latin = b"<testsuite><testcase name='caf\xe9'/></testsuite>";
    assert_eq!(well(latin)[0].name, "caf?");
}

#[test]
fn what_looks_like_markup_is_text() {
    let name = r#""},{"status":"success"#;
    let text =
        format!("<testsuite><testcase name='{}&#x202E;&lt;/script&gt;'/></testsuite>", name.replace('"', "&quot;"));
    assert_eq!(well(text)[0].name, format!("{name}\u{202e}</script>"));
}

#[test]
fn paths_lead_nowhere_else() {
    for (given, path) in [
        ("/work/project/t/a.py", "t/a.py"),
        ("./t/a.py", "t/a.py"),
        ("t\\a.py", "t/a.py"),
        ("file:///work/project/a%20b.py", "a b.py"),
        ("/etc/passwd", ""),
        ("../x", ""),
        ("t/../../x", ""),
        ("C:\\x", ""),
        ("javascript:alert(1)", ""),
        ("/work/project2/x", ""),
        ("", ""),
        ("a//b", ""),
        ("http://x/y", ""),
        ("a&#9;b", ""),
    ] {
        assert_eq!(well(format!("<testsuite><testcase file='{given}'/></testsuite>"))[0].file, path, "{given}");
    }
}

/// The lines of Python in docs/ci.md send what the program sends, but for the outputs.
#[test]
fn a_report_is_sent_without_the_program() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ci.md")).unwrap();
    let script = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let (folder, server) = (Folder::new(), Server::new());
    folder.write("send.py", script).write("a.xml", file("pytest.xml"));
    let python = || {
        let mut python = Command::new("python3");
        python.current_dir(&folder.0).env("EDGEFORGE_URL", &server.address).env("EDGEFORGE_PROJECT", "ann%2Fproj");
        python.env("EDGEFORGE_TOKEN", TOKEN);
        python
    };
    if python().arg("--version").output().is_err() {
        return;
    }
    let output = python().args(["send.py", "a.xml", "812"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let request = &server.requests()[0];
    assert_eq!(request.line, "PUT /api/v4/projects/ann%2Fproj/jobs/812/reports/tests");
    check(&packed(&request.body).unwrap(), Kind::Tests);
    assert_eq!((request.lines().len(), &request.lines()[1]["status"]), (14, &json!("failed")));
}
