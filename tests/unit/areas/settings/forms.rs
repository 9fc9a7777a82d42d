use super::*;

#[test]
fn a_domain_is_labels_between_dots() {
    for good in ["example.com", "*.example.com", "localhost", "*", "*mail.*", "a-b.c_d.EXAMPLE", "bücher.example"] {
        assert!(is_domain(good), "{good}");
    }
    let long = "a.".repeat(127) + "a";
    for bad in ["", ".", "a..b", "example.com.", "-a.com", "a b", "a@b.com", "http://a.com", &long] {
        assert!(!is_domain(bad), "{bad}");
    }
}
