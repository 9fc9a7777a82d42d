use super::*;

#[test]
fn a_template_gets_the_values_of_the_body() {
    let body = r#"{"user":{"name":"Ann \"A\" \\"},"id":7,"labels":[{"title":"x"}],"open":true}"#;
    let template =
        r#"{"text":"{{user.name}} did {{ id }}","id":{{id}},"open":{{open}},"none":{{no.where}},"item":{{labels.0}}}"#;
    let wanted = r#"{"text":"Ann \"A\" \\ did 7","id":7,"open":true,"none":null,"item":null}"#;
    assert_eq!(rendered(template, body, 1000).unwrap(), wanted);
    for bad in ["", "{{user.name}}", r#"{"a":{{user.name}}}"#, "{"] {
        assert!(rendered(bad, body, 1000).is_err(), "{bad}");
    }
}

#[test]
fn a_template_stops_at_the_longest_body() {
    let long = "é".repeat(50_000);
    let body = format!(r#"{{"a":{{"note":"{long}","description":"{long}"}}}}"#);
    let lengths = [1, 2, 4, 8, 16, 186].map(|pieces| {
        let template = format!("[{}]", ["{{a}}"; 186].get(..pieces).unwrap().join(","));
        rendered(&template, &body, 1_000_000).map(|text| text.len())
    });
    let piece = 2 * long.len() + r#"{"description":"","note":""}"#.len();
    assert_eq!(lengths[..3], [1, 2, 4].map(|pieces| Ok(pieces * (piece + 1) + 1)));
    let refused = || Err("the body has more than 1000000 bytes".to_owned());
    assert_eq!(lengths[3..], [refused(), refused(), refused()]);
    // the limit itself fits
    let template = format!(r#"["{}"]"#, "x".repeat(996));
    assert_eq!(rendered(&template, "{}", 1000).map(|text| text.len()), Ok(1000));
    assert!(rendered(&template, "{}", 999).is_err());
}
