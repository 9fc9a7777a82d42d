use super::Issuers;

fn allows(issuers: &Issuers, issuer: &str) -> bool {
    issuers.find(issuer).is_some()
}

#[test]
fn an_issuer_is_allowed_letter_by_letter_or_by_one_segment() {
    let usual = Issuers::read("").unwrap();
    assert!(allows(&usual, "https://token.actions.githubusercontent.com") && allows(&usual, "https://gitlab.com"));
    for other in [
        "",
        "https://gitlab.com/",
        "http://gitlab.com",
        "https://GitLab.com",
        "https://gitlab.com.evil",
        "https://gitlab.com@evil",
        "https://gitlab.co",
        "https://codeberg.org/api/actions/x",
        "https://codeberg.org",
        "file:///etc/passwd",
        "https://169.254.169.254",
    ] {
        assert!(!allows(&usual, other), "{other}");
    }
    let circle = Issuers::read("https://oidc.circleci.com/org/*  https://a.example/x").unwrap();
    let one = "https://oidc.circleci.com/org/7c8a-9";
    assert!(circle.find(one) == Some(true) && circle.find("https://a.example/x") == Some(false));
    for other in ["", "a/b", "..", "a?b", "a#b", "a%2fb", "a b", "a.b", "*", "a\\b"] {
        assert!(!allows(&circle, &format!("https://oidc.circleci.com/org/{other}")), "{other}");
    }
    assert!(!allows(&circle, &format!("https://oidc.circleci.com/org/{}", "a".repeat(240))), "too long for its column");
    assert!(!allows(&circle, "https://oidc.circleci.com/org/*"), "the pattern itself is no issuer");
    assert!(!allows(&circle, "https://gitlab.com"), "the variable takes the place of the usual ones");
    let none = Issuers::read("none").unwrap();
    assert!(!allows(&none, "https://gitlab.com") && !allows(&none, "none") && !allows(&none, ""));
}

#[test]
fn anything_but_https_in_the_list_is_a_fault() {
    for wrong in [
        "http://gitlab.com",
        "gitlab.com",
        "https://",
        "https://localhost",
        "https://gitlab.com/",
        "https://gitlab.com:8443",
        "https://me@gitlab.com",
        "https://GitLab.com",
        "https://*",
        "https://*.example.com",
        "https://a.example/*/b",
        "https://a.example/b*",
        "https://a.example//b",
        "https://a.example/../b",
        "https://a.example?b",
        "https://[::1]",
        "https://gitlab.com none",
        &format!("https://a.example/{}", "a".repeat(240)),
    ] {
        assert!(Issuers::read(wrong).is_err(), "{wrong}");
    }
    let fault = Issuers::read("https://a.example ftp://b.example").unwrap_err();
    assert!(fault.starts_with("CI_ISSUERS has \"ftp://b.example\"; an issuer is https://"), "{fault}");
    for good in ["https://ghes.example.com/_services/token", "https://a.example/org/*", "https://10.1.2.3"] {
        assert!(Issuers::read(good).is_ok(), "{good}");
    }
}
