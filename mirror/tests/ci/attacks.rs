//! Files that are made to hurt: each ends soon, in little memory, and opens nothing else.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use edgeforge_mirror::ci::findings::{read_code_quality, read_sarif};
use edgeforge_mirror::ci::report::{Findings, Tests};
use edgeforge_mirror::ci::{coverage, junit};
use edgeforge_wire::report::{self, End, Head, Kind, LONGEST_LINE, PACKED, PROBLEM, UNPACKED};
use serde_json::{Value, json};

use crate::junit::cases;
use crate::server::{Folder, Server, said};

/// The size of an attack. `make prove` makes it whole.
fn part(of: usize) -> usize {
    if std::env::var("CI_ATTACKS").is_ok_and(|size| size == "whole") { of } else { of / 20 }
}

/// Sends a file with at most 200 MB of memory and 5 seconds of the processor. Returns the lines of the report, if one
/// was sent.
fn sent(options: &[&str], folder: &Folder) -> (Output, Vec<Value>) {
    let server = Server::new();
    let program = folder.program(&server.address, "report");
    let mut limited = Command::new("sh");
    // of the processor, because a busy machine has no other clock
    limited
        .args(["-c", "ulimit -v 204800; ulimit -t 5; exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(program.get_args());
    limited.args(["--job", "1"]).args(options).current_dir(&folder.0);
    limited.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = limited.output().unwrap();
    assert!(output.status.code().is_some_and(|code| code != 101), "{:?} {}", output.status, said(&output));
    let lines = server.requests().first().map(|request| request.lines()).unwrap_or_default();
    (output, lines)
}

fn junit(text: impl AsRef<[u8]>) -> Vec<Value> {
    let folder = Folder::new();
    folder.write("a.xml", text);
    let (output, lines) = sent(&["--junit", "a.xml"], &folder);
    assert!(output.status.success(), "{}", said(&output));
    lines
}

#[test]
fn entities_are_not_expanded_and_nothing_is_opened() {
    let mut bomb = "<!DOCTYPE x [<!ENTITY a0 \"ha\">".to_owned();
    for number in 1..30 {
        bomb += &format!("<!ENTITY a{number} \"{}\">", format!("&a{};", number - 1).repeat(10));
    }
    bomb += "]><testsuite><testcase name='&a29;'><failure message='&a29;'>&a29;</failure></testcase></testsuite>";
    let lines = junit(&bomb);
    assert_eq!((&lines[1]["name"], &lines[1]["system_output"]), (&json!("&a29;"), &json!("&a29;")));
    let outside = "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\"><!ENTITY % p SYSTEM \"http://127.0.0.1:9/\"> %p;]>\
        <testsuite><testcase name='a'><failure>&e;</failure></testcase></testsuite>";
    assert_eq!(junit(outside)[1]["system_output"], "&e;");
}

#[test]
fn a_dtd_of_50_mb_is_passed_over() {
    let text = format!(
        "<!DOCTYPE x [{}]><testsuite><testcase name='a'/></testsuite>",
        "<!ENTITY e \"x\">".repeat(part(3_400_000))
    );
    assert_eq!(junit(&text)[1]["name"], "a");
}

#[test]
fn eight_hundred_thousand_attributes_are_looked_at_once() {
    let attributes: String = (0..part(800_000)).map(|number| format!(" a{number}='x'")).collect();
    let lines =
        junit(format!("<testsuite><testcase{attributes} name='last'><failure{attributes}/></testcase></testsuite>"));
    assert_eq!(lines[1]["name"], "last");
}

#[test]
fn a_depth_of_100_000_is_one_report() {
    let count = part(100_000);
    let suites =
        format!("{}<testcase name='deep'/>{}", "<testsuite name='suite'>".repeat(count), "</testsuite>".repeat(count));
    let lines = junit(&suites);
    assert!(lines[1]["suite"].as_str().unwrap().len() <= 1024 && lines[1]["name"] == "deep");
    let cases =
        format!("<testsuite>{}{}</testsuite>", "<testcase name='c'>".repeat(count), "</testcase>".repeat(count));
    assert_eq!(junit(&cases).last().unwrap(), &json!({"end": count}));
    let unknown = format!("<testsuite><testcase name='a'>{}", "<x>".repeat(count));
    assert!(junit(&unknown)[0]["problem"].as_str().unwrap().contains("ends early"));
}

#[test]
fn a_text_of_90_mb_is_cut() {
    let text = format!(
        "<testsuite><testcase name='a'><failure><![CDATA[begin {} end]]></failure></testcase></testsuite>",
        "x".repeat(part(90_000_000))
    );
    let output = junit(text)[1]["system_output"].as_str().unwrap().to_owned();
    assert!(output.len() < 9000 && output.starts_with("begin ") && output.ends_with(" end"));
    let latin = [
        &b"<testsuite><testcase name='a'><failure>"[..],
        &vec![0xe9; part(20_000_000)],
        b"</failure></testcase></testsuite>",
    ];
    assert!(junit(latin.concat())[1]["system_output"].as_str().unwrap().starts_with("????"));
    let text = format!(
        "<testsuite><testcase name='{0}'><failure message='{0}'/></testcase></testsuite>",
        "y".repeat(part(40_000_000))
    );
    assert_eq!(junit(text)[1]["name"].as_str().unwrap().len(), 1024);
}

#[test]
fn a_file_of_6_gb_is_left_out() {
    let folder = Folder::new();
    fs::File::create(folder.0.join("a.xml")).unwrap().set_len(6_000_000_000).unwrap();
    folder.write("b.xml", "<testsuite><testcase name='b'/></testsuite>");
    let (output, lines) = sent(&["--junit", "*.xml"], &folder);
    assert!(said(&output).contains("a.xml is left out: at most"), "{}", said(&output));
    assert!(lines[0]["problem"].as_str().unwrap().contains("a.xml is left out") && lines[1]["name"] == "b");
}

#[test]
fn what_is_no_file_is_not_read() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.0.join("pipe.xml")).status().unwrap().success());
    fs::create_dir(folder.0.join("folder.xml")).unwrap();
    symlink("/dev/zero", folder.0.join("zero.xml")).unwrap();
    symlink("loop.xml", folder.0.join("loop.xml")).unwrap();
    symlink(".", folder.0.join("round")).unwrap();
    let (output, lines) = sent(&["--junit", "**/*.xml"], &folder);
    assert!(output.status.success() && lines.is_empty() && said(&output).contains(": 0 read"), "{}", said(&output));
}

#[test]
#[ignore = "a proof: make prove"]
fn more_than_ten_thousand_files_and_500_mb_are_left_out() {
    let folder = Folder::new();
    for number in 0..10_005 {
        folder.write(&format!("{number:05}.xml"), "<testsuite><testcase name='b'/></testsuite>");
    }
    let (_, lines) = sent(&["--junit", "*.xml"], &folder);
    assert_eq!(lines.last().unwrap(), &json!({"end": 10_000}));
    assert!(lines[0]["problem"].as_str().unwrap().contains("10000.xml is left out: at most"));
    let folder = Folder::new();
    for number in 0..6 {
        fs::File::create(folder.0.join(format!("{number}.info"))).unwrap().set_len(99_000_000).unwrap();
    }
    let (output, _) = sent(&["--code-quality", "*.info"], &folder);
    assert_eq!(said(&output).matches("is left out: at most").count(), 1, "{}", said(&output));
}

#[test]
#[ignore = "a proof: make prove"]
fn more_cases_than_a_report_takes_are_counted() {
    let mut text = "<testsuite name='s'>".to_owned();
    for number in 0..250_000 {
        text += match number % 5 {
            0 => "<testcase name='s' time='3'><skipped/></testcase>",
            1 if number % 25 == 1 => "<testcase name='f'><failure/></testcase>",
            _ => "<testcase name='p' classname='c' time='2'/>",
        };
    }
    let lines = junit(text + "</testsuite>");
    assert_eq!(lines[0]["more"], json!({"success": 100_000, "skipped": 50_000}));
    assert_eq!((lines[1]["status"].as_str(), lines[10_001]["status"].as_str()), (Some("failed"), Some("success")));
    assert_eq!((lines.len(), lines.last().unwrap()), (100_002, &json!({"end": 100_000})));
}

#[test]
#[ignore = "a proof: make prove"]
fn a_report_keeps_its_size_whatever_the_names_and_outputs() {
    // names that no packer makes smaller
    let mut random = 1_u64;
    let mut letters = |count: usize| -> String {
        let mut letter = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from_u32(0x4e00 + (random >> 50) as u32 % 20_000).unwrap()
        };
        (0..count).map(|_| letter()).collect()
    };
    let mut tests = Tests::default();
    let mut text = "<testsuite>".to_owned();
    for _ in 0..30_000 {
        text += &format!("<testcase name='{}'/>", letters(200));
    }
    for _ in 0..2_000 {
        text += &format!("<testcase name='{}'><failure>{}</failure></testcase>", letters(10), letters(2000));
    }
    assert_eq!(junit::read((text + "</testsuite>").as_bytes(), "", &mut tests), None);
    tests.order();
    let packed = tests.body(&[]).unwrap();
    let mut lines = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed[..]), &mut lines).unwrap();
    check(&packed, Kind::Tests);
    let head: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    let failed = head["problem"].as_str().unwrap().split(' ').next().unwrap().parse::<u64>().unwrap();
    let left_out = head["more"]["success"].as_u64().unwrap() + failed;
    assert_eq!(lines.lines().count() as u64 - 2 + left_out, 32_000);
    let outputs: usize = tests.cases.iter().filter_map(|case| Some(case.system_output.as_ref()?.len())).sum();
    assert!(outputs <= 4 << 20 && outputs > 3 << 20, "{outputs}");
}

#[test]
fn a_list_of_results_is_read_to_its_limit() {
    let folder = Folder::new();
    let results = "{},".repeat(26_000);
    folder.write("a.json", format!("[{results}{{}}]"));
    folder.write("a.sarif", format!("{{\"runs\": [{{\"results\": [{results}{{}}]}}]}}"));
    for options in [["--code-quality", "a.json"], ["--sarif", "a.sarif"]] {
        let (output, lines) = sent(&options, &folder);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!((lines.len(), &lines[0]["problem"]), (2, &json!(null)));
        assert!(said(&output).contains("25000 findings outside of this folder"), "{}", said(&output));
    }
    let deep = format!("{{\"runs\": {}", "[".repeat(1_000_000));
    assert!(read_sarif(deep.as_bytes(), "", &mut Findings::default()).is_some());
}

const PLACE: &str = "\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"a.c\"}}}]";

/// The lines that are sent of a file with this run.
fn sarif(run: &str) -> Vec<Value> {
    let folder = Folder::new();
    folder.write("a.sarif", format!("{{\"runs\":[{{{run}}}]}}"));
    let (output, lines) = sent(&["--sarif", "a.sarif"], &folder);
    assert!(output.status.success(), "{}", said(&output));
    lines
}

/// A run with so many rules, and results of the last one.
fn of_last_rule(rules: usize, results: usize) -> String {
    let all: Vec<String> = (1..rules).map(|number| format!("{{\"id\":\"R{number}\"}}")).collect();
    let last = format!("{{\"id\":\"R{rules}\",\"defaultConfiguration\":{{\"level\":\"error\"}}}}");
    let results = vec![format!("{{\"ruleId\":\"R{rules}\",{PLACE}}}"); results].join(",");
    format!("\"tool\":{{\"driver\":{{\"rules\":[{},{last}]}}}},\"results\":[{results}]", all.join(","))
}

#[test]
fn results_find_their_rules_by_one_look_at_all_rules() {
    assert_eq!(sarif(&of_last_rule(part(500_000), part(100_000))).len(), 1_002);
}

#[test]
fn more_rules_than_are_read_are_a_problem() {
    for (rules, problem) in [(25_000, json!(null)), (25_001, json!("a.sarif has more rules than are read"))] {
        let lines = sarif(&of_last_rule(rules, 1));
        assert_eq!((&lines[0]["problem"], &lines[1]["severity"]), (&problem, &json!("major")), "{rules}");
    }
}

#[test]
fn what_nobody_asks_for_is_not_kept() {
    let flow = "{\"location\":{\"message\":{\"text\":\"a step\"}}},".repeat(part(60_000));
    let flows = format!("\"codeFlows\":[{{\"threadFlows\":[{{\"locations\":[{flow}{{}}]}}]}}]");
    let results = vec![format!("{{{flows},{PLACE}}}"); 20].join(",");
    assert_eq!(sarif(&format!("\"results\":[{results}]")).len(), 22);
}

#[test]
fn no_cut_of_a_file_stops_the_reader() {
    let text = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ci/files/pytest.xml")).unwrap();
    for end in 0..text.len() {
        let (found, problem) = cases(&text[..end]);
        assert!(problem.is_some() || end + 1 == text.len() && found.len() == 12, "{end}");
    }
}

/// What the server holds a report against.
pub fn check(packed: &[u8], kind: Kind) {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed), &mut text).unwrap();
    assert!(packed.len() <= PACKED && text.len() <= UNPACKED && text.lines().all(|line| line.len() <= LONGEST_LINE));
    let lines: Vec<&str> = text.lines().collect();
    let (head, rest) = lines.split_first().unwrap();
    let (end, rest) = rest.split_last().unwrap();
    let head: Head<'_> = serde_json::from_str(head).unwrap();
    assert!(head.report == kind && head.problem.is_none_or(|problem| problem.len() <= PROBLEM));
    assert_eq!(serde_json::from_str::<End>(end).unwrap().end, rest.len());
    match kind {
        Kind::Tests => {
            let cases: Vec<report::Case<'_>> = rest.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert!(cases.is_sorted_by_key(|case| case.status));
            for case in cases {
                assert!((0.0..=report::MOST_SECONDS).contains(&case.execution_time));
                assert!(case.file.is_none_or(|file| file.is_empty() || report::is_path(&file)));
            }
        }
        Kind::Quality => {
            let findings: Vec<report::Finding<'_>> =
                rest.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert!(findings.is_sorted_by_key(|finding| finding.severity));
            assert!(findings.iter().all(|finding| report::is_path(&finding.path) && finding.line > 0));
        }
    }
}

/// `CI_MUTATIONS` tries more, and `SEED` others.
#[test]
fn whatever_a_file_has_the_report_is_one_that_the_server_takes() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ci/files");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap()).collect();
    files.push(br#"{"runs":[{"results":[{"ruleId":"R","level":"error","message":{"text":"m {0}","arguments":["x"]},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a/b.c","uriBaseId":"S"},"region":{"startLine":3}}}]}],"originalUriBaseIds":{"S":{"uri":"file:///w/"}},"tool":{"driver":{"rules":[{"id":"R"}]}}}]}"#.to_vec());
    files.push(
        br#"[{"description":"d","check_name":"c","severity":"major","location":{"path":"a.rb","lines":{"begin":1}}}]"#
            .to_vec(),
    );
    files.push(b"SF:a\nLF:3\nLH:1\n<coverage lines-covered='1' lines-valid='2'>".to_vec());
    let mut random = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7_u64);
    let mut below = |most: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % most
    };
    let rounds = std::env::var("CI_MUTATIONS").map_or(1_000, |rounds| rounds.parse().unwrap());
    let words: &[&[u8]] = &[
        b"<",
        b">",
        b"&",
        b"<![CDATA[",
        b"]]>",
        b"<testcase ",
        b"</testcase>",
        b"<failure>",
        b"\xff",
        b"\0",
        b"name=\"",
        b"\"",
        b"-1",
        b"99999999999",
        b"null",
        b"{",
        b"[",
        b"../",
        b"file:///",
        b"<error/>",
        b"<!--",
        b"<?",
    ];
    for _ in 0..rounds {
        let mut bytes = files[below(files.len())].clone();
        for _ in 0..1 + below(6) {
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 => drop(bytes.drain(at..(at + below(200)).min(bytes.len()))),
                2 => drop(bytes.splice(at..at, words[below(words.len())].iter().copied())),
                _ => {
                    let part = bytes[at..(at + below(300)).min(bytes.len())].to_vec();
                    let to = below(bytes.len());
                    drop(bytes.splice(to..to, part));
                }
            }
            bytes.push(b' ');
        }
        let (mut tests, mut findings) = (Tests::default(), Findings::default());
        let problems: Vec<_> = junit::read(&bytes, "/work/project", &mut tests).into_iter().collect();
        tests.order();
        check(&tests.body(&problems).unwrap(), Kind::Tests);
        read_sarif(&bytes, "/w", &mut findings);
        read_code_quality(&bytes, "/w", &mut findings);
        findings.order();
        check(&findings.body(&[]).unwrap(), Kind::Quality);
        coverage::add(&bytes, &mut (0.0, 0.0));
    }
}
