//! The table of kinds, and values that no field takes.

use super::{KINDS, Records, field};
use serde_json::{Value, json};

/// Each field with its form, without the mark of those that may be absent.
fn fields() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pairs = KINDS.iter().flat_map(|(_, _, fields)| fields.split_whitespace());
    pairs.filter_map(|pair| pair.split_once(':')).map(|(name, form)| (name, form.trim_end_matches('?')))
}

/// A good value of a form.
fn sample(form: &str) -> Value {
    match form {
        "id" | "number" | "time" | "seconds" => json!(7),
        "flag" => json!(true),
        "real" => json!(1.5),
        "labels" | "titles" => json!(["a", "b"]),
        "links" => json!([["a", "https://x.example", null, "other"]]),
        "color" => json!("#ff0000"),
        "date" => json!("2020-02-29"),
        "sha" => json!("0123456789012345678901234567890123456789"),
        "key" => json!("0123456789abcdef"),
        "emoji" => json!("thumbsup"),
        "web" => json!("https://x.example"),
        "line" | "title" | "label" | "short" | "medium" | "long" | "path" | "tag_name" => json!("text"),
        words => json!(words.split('|').next()),
    }
}

#[test]
fn each_form_of_the_table_takes_its_values_and_no_others() {
    for (name, form) in fields() {
        let good = sample(form);
        assert!(form.contains('|') || !good.is_string() || good != json!(form), "{name}: {form} is no form");
        assert_eq!(field(form, good.clone()), Ok(good), "{name}: {form}");
        for wrong in [json!({}), json!([{}]), json!([[]]), json!(-1), json!(1e300), json!("\u{0}"), json!(null)] {
            let is_number = form == "real" && wrong.is_number() || form == "time" && wrong == json!(-1);
            assert!(is_number || field(form, wrong.clone()).is_err(), "{name}: {form} takes {wrong}");
        }
    }
}

#[test]
fn equal_fields_are_fields_of_the_kind() {
    for (kind, equal, fields) in KINDS {
        for name in equal.split([' ', '+']).filter(|name| !name.is_empty()) {
            assert!(fields.split_whitespace().any(|field| field.starts_with(&format!("{name}:"))), "{kind}: {name}");
        }
    }
}

#[test]
fn a_digest_follows_from_the_fields_alone() {
    let digest = |record: Value| {
        let read = Records::read(vec![record]);
        read.of_kind.iter().flatten().next().map(|record| record["digest"].clone())
    };
    let label = json!({ "kind": "label", "key": "0123456789abcdef", "title": "a", "color": "#ff0000" });
    let mut other = label.clone();
    other["unknown"] = json!([1]);
    other["description"] = json!(null);
    assert_eq!(digest(label.clone()), digest(other.clone()));
    other["description"] = json!("");
    assert_ne!(digest(label), digest(other));
}
