use super::*;

#[test]
fn a_name_in_a_header_is_ascii() {
    assert_eq!(in_header("a b/ü\n"), "a b/%C3%BC%0A");
    // what was encoded is read back as it was
    assert_eq!([in_header("100%"), in_header("ü%20")], ["100%", "%C3%BC%2520"]);
    // a header loses the blanks at its ends
    assert_eq!([in_header(" a b% "), in_header(" ")], ["%20a%20b%25%20", "%20"]);
    assert_eq!(disposition("inline", "a\"\nü.rb"), "inline; filename=\"a___.rb\"; filename*=UTF-8''a%22%0A%C3%BC.rb");
}
