//! Random input of `PUT /application/settings`: the answer is 200, or a 400 that names fields, and the record then
//! satisfies the specification's table.

use super::{get, put};
use crate::support::{Ask, Dice, Server, apart, default_settings, urlencoded};
use serde_json::{Map, Value, json};

impl Dice {
    fn scalar(&mut self) -> Value {
        const TEXTS: &[&str] = &[
            "",
            " ",
            "0",
            "1",
            "2",
            "3",
            "10",
            "-1",
            "1.5",
            "1e3",
            "nan",
            "inf",
            "0x10",
            "99999999999999999999",
            "true",
            "False",
            "off",
            "nil",
            "null",
            "ssh",
            "http",
            "ftp",
            "default",
            "custom",
            "default,custom",
            "a.com",
            "*.b.org",
            "a.com, b.com",
            "a b",
            "http://a.com",
            "https://[::1]/x?y#z",
            "ftp://a.com",
            "[]",
            "{}",
            "'",
            "--",
            "\"",
            "\\",
            "é",
            "👋",
            "\u{fffd}",
            "\u{1}",
            "\u{202e}",
            "%00",
            "$.id",
            "?1",
            "drop table settings",
        ];
        match self.roll(12) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(false),
            3 => json!(self.one(&[0, 1, 2, 3, -1, 10, 20, i64::from(i32::MAX), 1 << 31, i64::MAX, i64::MIN])),
            4 => json!(self.one(&[0.0, 1.0, 1.5, -0.5, 1e18, 1e300, -1e300, 5e-324])),
            5 => json!(u64::MAX),
            6 => json!("x".repeat(*self.one(&[63, 64, 255, 256, 2_001, 70_000]))),
            _ => json!(self.one(TEXTS)),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.roll(8) {
            0 | 1 if depth < 3 => (0..self.roll(4)).map(|_| self.value(depth + 1)).collect(),
            2 if depth < 3 => json!({ "a": self.value(depth + 1) }),
            _ => self.scalar(),
        }
    }

    /// Some settings, each with anything or with a value that it may have.
    fn fields(&mut self) -> Map<String, Value> {
        let all = default_settings();
        let names: Vec<&String> = all.as_object().unwrap().keys().collect();
        let mut fields = Map::new();
        for _ in 0..=self.roll(4) {
            let name = (*self.one(&names)).clone();
            let value = if self.roll(3) == 0 { all[&name].clone() } else { self.value(0) };
            fields.insert(name, value);
        }
        let odd = ["id", "created_at", "updated_at", "gravatar_enabled", "unknown", "sign_in_text ", ""];
        if self.roll(6) == 0 {
            fields.insert((*self.one(&odd)).to_owned(), self.value(0));
        }
        fields
    }

    /// The fields in one of the encodings, well formed.
    fn encoded(&mut self, server: &'static Server, fields: &Map<String, Value>) -> Ask {
        let pairs: Vec<(String, String)> = fields.iter().flat_map(|(name, value)| pairs(name, value)).collect();
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        match self.roll(6) {
            0 => put(server).form(&pairs),
            1 => put(server).multipart(&pairs),
            2 if urlencoded(&pairs).len() < 4_000 => {
                pairs.iter().fold(put(server), |ask, (name, value)| ask.query(name, value))
            }
            _ => put(server).json(Value::from(fields.clone())),
        }
    }
}

/// As a form has them; what has no form is left out.
fn pairs(name: &str, value: &Value) -> Vec<(String, String)> {
    match value {
        Value::Array(items) => items.iter().flat_map(|item| pairs(&format!("{name}[]"), item)).collect(),
        Value::Object(members) => {
            members.iter().flat_map(|(key, value)| pairs(&format!("{name}[{key}]"), value)).collect()
        }
        Value::Null => vec![(name.to_owned(), String::new())],
        Value::String(text) => vec![(name.to_owned(), text.clone())],
        other => vec![(name.to_owned(), other.to_string())],
    }
}

/// What is wrong with a record by the specification's table and behaviour 9.
fn flaw(record: &Value) -> Option<String> {
    let number =
        |value: &Value, least: i64, most: i64| value.as_i64().is_some_and(|number| (least..=most).contains(&number));
    let address = |value: &Value| {
        value.is_null()
            || value.as_str().is_some_and(|text| {
                let rest = text.strip_prefix("http://").or(text.strip_prefix("https://"));
                rest.is_some_and(|rest| !rest.is_empty()) && !text.contains(char::is_whitespace)
            })
    };
    let domains = |value: &Value| {
        let domain = |text: &str| !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "@/:,".contains(c));
        value.as_array().is_some_and(|list| list.iter().all(|entry| entry.as_str().is_some_and(domain)))
    };
    let most = i64::from(i32::MAX);
    let holds = |name: &str, value: &Value| match name {
        "id" => *value == 1,
        "created_at" | "updated_at" => value.as_str().is_some_and(|text| text.len() == 24 && text.ends_with('Z')),
        "default_projects_limit" | "session_expire_delay" => number(value, 0, most),
        "max_attachment_size" | "container_registry_token_expire_delay" => number(value, 1, most),
        "default_branch_protection" | "default_project_visibility" | "default_snippet_visibility" => {
            number(value, 0, 2)
        }
        "restricted_visibility_levels" => {
            value.as_array().is_some_and(|levels| levels.iter().all(|level| number(level, 0, 2)))
        }
        "sign_in_text" => value.is_null() || value.as_str().is_some_and(|text| !text.trim().is_empty()),
        "home_page_url" | "after_sign_out_path" => address(value),
        "domain_whitelist" => value.is_null() || domains(value),
        "domain_blacklist" => domains(value),
        "repository_storage" => [json!("default"), json!("custom")].contains(value),
        "enabled_git_access_protocol" => [json!(null), json!("ssh"), json!("http")].contains(value),
        "signup_enabled"
        | "signin_enabled"
        | "avatar_enabled"
        | "domain_blacklist_enabled"
        | "user_oauth_applications" => value.is_boolean(),
        _ => false,
    };
    let record = record.as_object()?;
    if record.len() != 23 {
        return Some(format!("{} fields", record.len()));
    }
    if record["domain_blacklist_enabled"] == true && record["domain_blacklist"] == json!([]) {
        return Some("an enabled blacklist without a domain".to_owned());
    }
    record.iter().find(|(name, value)| !holds(name, value)).map(|(name, value)| format!("{name}: {value}"))
}

#[test]
fn whatever_is_sent_the_answer_names_fields_and_the_record_satisfies_the_table() {
    let apart = apart();
    let server = apart.server;
    let rounds = if server.is_in_process() { 1_500 } else { 300 };
    let mut dice = Dice(20_161_004);
    let (mut taken, mut refused) = (0, 0);
    let mut before = get(server).json;
    for round in 0..rounds {
        let fields = dice.fields();
        let answer = dice.encoded(server, &fields).send();
        let told = format!("round {round}: {} gives {}", Value::from(fields.clone()), answer.text);
        let after = get(server).json;
        assert_eq!(flaw(&after), None, "{told}");
        match answer.status {
            200 => {
                taken += 1;
                assert_eq!(answer.json, after, "{told}");
                for (name, value) in after.as_object().unwrap() {
                    let sent = fields.contains_key(name)
                        || name == "updated_at"
                        || (name == "avatar_enabled" && fields.contains_key("gravatar_enabled"));
                    assert!(sent || before[name] == *value, "{name} changed; {told}");
                }
            }
            400 => {
                refused += 1;
                assert_eq!(after, before, "{told}");
                // a form whose names clash is refused as a whole
                let faults = match answer.json["message"].as_object() {
                    Some(faults) => faults,
                    None => {
                        let error = answer.json["error"].as_str().expect(&told);
                        assert!(fields.keys().any(|name| error == format!("{name} is invalid")), "{told}");
                        continue;
                    }
                };
                assert!(!faults.is_empty(), "{told}");
                for (name, texts) in faults {
                    assert!(fields.contains_key(name) || name == "domain_blacklist", "{told}");
                    let texts = texts.as_array().expect(&told);
                    assert!(!texts.is_empty() && texts.iter().all(Value::is_string), "{told}");
                }
            }
            other => panic!("{other}; {told}"),
        }
        before = after;
    }
    assert!(taken > rounds / 10 && refused > rounds / 10, "{taken} taken, {refused} refused");
}

#[test]
fn a_body_that_cannot_be_read_changes_nothing() {
    let apart = apart();
    let server = apart.server;
    let before = get(server).json;
    let form = "application/x-www-form-urlencoded";
    for (kind, body) in [
        ("application/json", r#"{"sign_in_text":"a""#),
        ("application/json", r#"{"sign_in_text":"\u0000"}"#),
        ("application/json", r#"{"sign_in_text":"\ud800"}"#),
        ("application/json", r#"{"max_attachment_size":1e999}"#),
        (form, "sign_in_text=%zz"),
        (form, "sign_in_text=%ff"),
        (form, "sign_in_text=a%00"),
        (form, "sign_in_text=a&sign_in_text[b]=c"),
        ("multipart/form-data", "sign_in_text"),
    ] {
        let answer = put(server).body(kind, body).gives(400);
        assert!(answer.json["error"].is_string(), "{kind} {body}: {}", answer.text);
    }
    let bytes = put(server).body("application/json", b"{\"sign_in_text\":\"\xff\"}".to_vec()).gives(400);
    assert!(bytes.json["error"].is_string(), "{}", bytes.text);
    // a body that is not an object, or has an unknown type, has no parameters
    for (kind, body) in [
        ("application/json", "null"),
        ("application/json", "[1]"),
        ("application/json", "\"sign_in_text\""),
        ("text/plain", "sign_in_text=a"),
        ("application/xml", "<sign_in_text>a</sign_in_text>"),
    ] {
        assert_eq!(put(server).body(kind, body).gives(200).json, before, "{kind} {body}");
    }
    assert_eq!(get(server).json, before);
}
