use super::*;

#[test]
fn an_item_of_a_checklist_is_a_list_item_with_a_box_and_a_text() {
    let text = "- [ ] one\n  * [x] two\n> + [X] three\n1. [ ] four\n1) [x] five";
    assert_eq!(Tasks::of(text), Tasks { count: 5, completed_count: 3 });
    assert_eq!(Tasks::of(text).summary().as_deref(), Some("3 of 5 checklist items completed"));
    assert_eq!(Tasks::of("- [x] one").summary().as_deref(), Some("1 of 1 checklist item completed"));
    for none in ["- [y] a", "-[ ] a", "- [ ]", "- [ ] ", "[ ] a", "- [x]a", "x - [ ] a", ""] {
        assert_eq!(Tasks::of(none), Tasks::default(), "{none}");
    }
}

#[test]
fn what_stands_between_fences_is_code() {
    let text = "```\n- [ ] no\n~~~\n```\n- [x] yes\n~~~ sh\n- [ ] no";
    assert_eq!(Tasks::of(text), Tasks { count: 1, completed_count: 1 });
}
