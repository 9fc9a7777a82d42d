use super::*;

#[test]
fn an_address_is_http_or_https_with_a_host() {
    for good in [
        "http://a",
        "HTTPS://example.com",
        "https://u:p@example.com:8443/a?b=c#d",
        "http://[::1]:80/",
        "http://10.0.0.1/%20",
    ] {
        assert!(is_address(good), "{good}");
    }
    for bad in [
        "ftp://example.com",
        "example.com",
        "/path",
        "http:/a",
        "http://",
        "http:///a",
        "https://?a",
        "javascript://a",
        "http://a b",
        "http://a:b",
        "http://exämple.com",
        "http://a\n",
        "http://[::g]/",
        "http://u@",
        "http://a/<b>",
    ] {
        assert!(!is_address(bad), "{bad}");
    }
}

#[test]
fn a_domain_is_labels_between_dots() {
    for good in
        ["example.com", "*.example.com", "localhost", "*", "*mail.*", "a-b.c_d.EXAMPLE", "bücher.example"]
    {
        assert!(is_domain(good), "{good}");
    }
    let long = "a.".repeat(127) + "a";
    for bad in ["", ".", "a..b", "example.com.", "-a.com", "a b", "a@b.com", "http://a.com", &long] {
        assert!(!is_domain(bad), "{bad}");
    }
}
