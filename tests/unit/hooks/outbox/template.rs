use super::*;

#[test]
fn a_template_gets_the_values_of_the_body() {
    let body = r#"{"user":{"name":"Ann \"A\" \\"},"id":7,"labels":[{"title":"x"}],"open":true}"#;
    let template = r#"{"text":"{{user.name}} did {{ id }}","id":{{id}},"open":{{open}},"none":{{no.where}},"item":{{labels.0}}}"#;
    let wanted = r#"{"id":7,"item":null,"none":null,"open":true,"text":"Ann \"A\" \\ did 7"}"#;
    assert_eq!(rendered(template, body).unwrap(), wanted);
    for bad in ["", "{{user.name}}", r#"{"a":{{user.name}}}"#, "{"] {
        assert!(rendered(bad, body).is_err(), "{bad}");
    }
}
