use super::*;

#[test]
fn a_placeholder_is_known_by_its_address() {
    let people = People::new("http://GitLab.example.com:8080/group/proj");
    assert_eq!(people.address(7), "7@gitlab.example.com-8080.import.invalid");
    assert_eq!(people.address(NOBODY), "nobody@gitlab.example.com-8080.import.invalid");
}

#[test]
fn a_user_name_is_one_that_the_server_takes() {
    assert_eq!(allowed("anna", 7), "anna");
    assert_eq!(allowed("12345", 7), "user-7");
    assert_eq!(allowed("", 7), "user-7");
    assert_eq!(allowed("a.json", 7), "user-7");
    assert_eq!(allowed("-ä-b.", 7), "b");
}
