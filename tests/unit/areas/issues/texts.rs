use super::*;

#[test]
fn a_mention_is_a_user_name_after_an_at_sign() {
    assert_eq!(mentions(&["@ann, see @bob.", "mail a@eve.org @ann"]), ["ann", "bob"]);
}

#[test]
fn a_label_name_is_trimmed_stripped_of_tags_and_taken_once() {
    let names = ["bug", " bug ", "", "<b>big</b>"].map(str::to_owned).to_vec();
    assert_eq!(label_names(names, &mut ValidationErrors::default()), ["big", "bug"]);
}
