use super::*;

#[test]
fn a_key_is_of_the_source_the_kind_and_what_identifies() {
    let maker = Maker { source: "https://GitLab.example.com/Group/proj".to_owned(), ..Maker::default() };
    let other = Maker { source: "http://gitlab.example.com/group/proj".to_owned(), ..Maker::default() };
    assert_eq!(maker.key("issue", &["12"]), other.key("issue", &["12"]));
    assert_ne!(maker.key("issue", &["12"]), maker.key("issue", &["13"]));
    assert_ne!(maker.key("issue", &["12"]), maker.key("label", &["12"]));
    assert_eq!(maker.key("issue", &["12"]).len(), 16);
}

#[test]
fn colors_have_six_digits() {
    assert_eq!(color("#ABC").as_deref(), Some("#aabbcc"));
    assert_eq!(color("#428bca").as_deref(), Some("#428bca"));
    assert_eq!(color("red"), None);
}

#[test]
fn titles_of_labels_and_milestones_are_names() {
    let of = serde_json::json!({"title": "a\u{202e}b"});
    assert_eq!(Maker::default().label(&of).unwrap().body["title"], "ab");
    assert_eq!(Maker::default().milestone(&of).unwrap().body["title"], "ab");
}
