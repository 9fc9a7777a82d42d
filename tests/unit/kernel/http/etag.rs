use super::*;

#[test]
fn a_tag_is_found_in_a_list_weak_or_strong() {
    for list in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", " W/\"b\" ,W/\"a\" ", "*", " * "] {
        assert!(names(list, "\"a\"") && names(list, "W/\"a\""), "{list}");
    }
    for list in ["", "a", "\"A\"", "\"b\"", "\"aa\"", "W/", "\"*\"", "\"a", "w/\"a\""] {
        assert!(!names(list, "\"a\"") && !names(list, "W/\"a\""), "{list}");
    }
}

#[test]
fn a_weak_tag_is_of_the_body_its_headers_and_the_caller() {
    let reply = |link: &str, body: &str| Reply::json_text(200, body.to_owned()).with("Link", link);
    let tag = weak(&reply("a", "[]"), Some(1));
    assert_eq!(weak(&reply("a", "[]"), Some(1)), tag);
    assert_ne!(weak(&reply("b", "[]"), Some(1)), tag);
    assert_ne!(weak(&reply("a", "[1]"), Some(1)), tag);
    assert_ne!(weak(&reply("a", "[]"), Some(2)), tag);
    assert_ne!(weak(&reply("a", "[]"), None), tag);
}
