use super::*;

#[test]
fn an_item_of_a_checklist_is_a_list_item_with_a_box() {
    let text = "- [ ] one\n  * [x] two\n> + [X] three\n1. [ ] four\n1) [x] five";
    assert_eq!(Tasks::of(text), Tasks { count: 5, completed_count: 3 });
    assert_eq!(Tasks::of(text).summary().as_deref(), Some("3 of 5 checklist items completed"));
    assert_eq!(Tasks::of("- [x] one").summary().as_deref(), Some("1 of 1 checklist item completed"));
    for none in
        ["- [y] a", "-[ ] a", "- [ ]", "- [ ]\n", "1. [x] \n2. [ ]\n\n3. [ ]", "[ ] a", "- [x]a", "x - [ ] a", ""]
    {
        assert_eq!(Tasks::of(none), Tasks::default(), "{none}");
    }
}

#[test]
fn numbered_items_have_boxes() {
    for text in ["1. [ ] a\n2. [x] b\n3. [ ] c", "2) [ ] a\n3) [x] b\n4) [ ] c", "10. [ ] a\n11. [x] b\n12. [ ] c"] {
        assert_eq!(Tasks::of(text), Tasks { count: 3, completed_count: 1 }, "{text}");
    }
}

#[test]
fn what_stands_between_fences_is_code() {
    for (text, count) in [
        ("```\n- [ ] no\n~~~\n```\n- [x] yes\n~~~ sh\n- [ ] no", 1),
        ("`````\n```\n- [ ] no\n`````\n- [x] yes", 1),
        ("```\n```` text ````\n- [ ] no\n```\n- [x] yes", 1),
        ("``` a`b\n- [x] yes\n- [x] yes", 2),
        ("- a\n\n      - [ ] no", 0),
        ("    - [ ] no", 0),
    ] {
        assert_eq!(Tasks::of(text), Tasks { count, completed_count: count }, "{text}");
    }
}
