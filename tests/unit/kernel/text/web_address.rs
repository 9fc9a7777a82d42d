use super::*;

#[test]
fn an_address_has_a_known_scheme_and_a_host() {
    for good in [
        "http://a",
        "HTTPS://example.com",
        "https://u:p@example.com:8443/a?b=c#d",
        "http://[::1]:80/",
        "http://10.0.0.1/%20",
        "https://ci/a b/\u{fc}?x={y}|z",
    ] {
        assert!(is_address(good, WEB), "{good}");
    }
    for bad in [
        "ftp://example.com",
        "example.com",
        "/path",
        "http:/a",
        "http://",
        "http:///a",
        "https://?a",
        "http://:80/",
        "http://#",
        "javascript://a",
        "http://a b",
        "http://exa mple.org/",
        "http://a:b",
        "http://ex\u{e4}mple.com",
        "http://a\n",
        "http://[::g]/",
        "http://u@",
        "http://a/<b>",
        "http://%/",
        "http://a..b/",
        "http://a:99999/",
    ] {
        assert!(!is_address(bad, WEB), "{bad}");
    }
    assert!(is_address("ftp://x/y?z", &["http", "ftp"]));
}
