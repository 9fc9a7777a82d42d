use super::*;

#[test]
fn a_profile_is_one_of_two_or_not_given() {
    assert_eq!(Profile::read(""), Ok(Profile::Spec));
    assert_eq!(Profile::read("spec"), Ok(Profile::Spec));
    assert_eq!(Profile::read("gitlab"), Ok(Profile::Gitlab));
    for bad in ["foo", "Gitlab", "gitlab "] {
        assert!(Profile::read(bad).is_err_and(|text| text.contains("\"spec\" or \"gitlab\"")), "{bad}");
    }
}

#[test]
fn a_path_is_of_one_api_or_of_none() {
    let of = |path| Dialect::of(path, Profile::Gitlab);
    assert_eq!(of("/api/v3/issues"), Some((Dialect::V3(Profile::Gitlab), "/issues")));
    assert_eq!(of("/api/v4"), Some((Dialect::V4, "")));
    for path in ["/api/v5/issues", "/api/v40", "/", "/api"] {
        assert_eq!(of(path), None, "{path}");
    }
}
