use super::{Trust, key_of};
use serde_json::{Value, json};

fn fits(rules: &[&str], claims: Value) -> bool {
    let rules = rules.iter().map(|rule| (*rule).to_owned()).collect();
    Trust { issuer: String::new(), rules }.fits(claims.as_object().unwrap())
}

#[test]
fn every_name_fits_by_one_of_its_values() {
    let rules = ["repository_id=12", "ref=refs/heads/main", "ref=refs/tags/v*"];
    assert!(fits(&rules, json!({ "repository_id": "12", "ref": "refs/heads/main", "other": 1 })));
    assert!(fits(&rules, json!({ "repository_id": "12", "ref": "refs/tags/v1.2" })));
    for claims in [
        json!({}),
        json!({ "ref": "refs/heads/main" }),
        json!({ "repository_id": "12" }),
        json!({ "repository_id": "13", "ref": "refs/heads/main" }),
        json!({ "repository_id": "12", "ref": "refs/heads/mainx" }),
        json!({ "repository_id": "12", "ref": "refs/heads/Main" }),
        json!({ "repository_id": "12", "ref": "refs/pull/1/merge" }),
        json!({ "repository_id": "12", "ref": ["refs/heads/main"] }),
        json!({ "repository_id": ["12"], "ref": "refs/heads/main" }),
        json!({ "repository_id": { "12": "12" }, "ref": "refs/heads/main" }),
        json!({ "repository_id": null, "ref": "refs/heads/main" }),
        json!({ "repository_id": "12*", "ref": "refs/heads/main" }),
    ] {
        assert!(!fits(&rules, claims.clone()), "{claims}");
    }
    assert!(!fits(&[], json!({ "a": "b" })), "a trust without rules trusts nobody");
}

#[test]
fn numbers_and_booleans_are_compared_as_json_writes_them() {
    assert!(fits(&["id=12", "ok=true"], json!({ "id": 12, "ok": true })));
    assert!(!fits(&["id=12.0"], json!({ "id": 12 })) && !fits(&["id=12"], json!({ "id": 12.0 })));
    assert!(!fits(&["ok=1"], json!({ "ok": true })) && !fits(&["no=null"], json!({ "no": null })));
}

#[test]
fn a_star_counts_at_the_end_alone_and_a_value_may_have_an_equals_sign() {
    assert!(fits(&["a=*"], json!({ "a": "" })) && !fits(&["a=*"], json!({})));
    assert!(fits(&["a=b*d"], json!({ "a": "b*d" })) && !fits(&["a=b*d"], json!({ "a": "bcd" })));
    assert!(fits(&["a=b=c"], json!({ "a": "b=c" })) && !fits(&["a=b=c"], json!({ "a": "b" })));
    // a name that begins as another one
    assert!(!fits(&["ref=x", "ref_path=y"], json!({ "ref": "x", "ref_path": "x" })));
}

#[test]
fn an_audience_has_one_form() {
    assert_eq!(
        key_of("urn:edgeforge:trust:0123456789abcdefghi-").as_deref(),
        Some("trust urn:edgeforge:trust:0123456789abcdefghi-")
    );
    for other in [
        "",
        "urn:edgeforge:trust:",
        "urn:edgeforge:trust:0123456789abcdefghi",
        "URN:edgeforge:trust:0123456789abcdefghij",
    ] {
        assert_eq!(key_of(other), None, "{other}");
    }
    assert_eq!(key_of("urn:edgeforge:trust:0123456789abcdefgh %"), None);
}
