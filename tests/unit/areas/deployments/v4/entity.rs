use super::{old_slug, tier};
use crate::areas::deployments::naming::{last_digits, slugs};

#[test]
fn a_slug_fits_host_names_and_labels() {
    // the last digits of GitLab's own test
    assert_eq!(last_digits(&[0xaa; 32]), "q517sa");
    for (name, begins) in [
        ("staging-12345678901234567", "staging-123456789-"),
        ("9-staging-123456789012345", "env-9-staging-123-"),
        ("staging-1234567890123456", "staging-1234567890123456"),
        ("staging-1234567890123456-", "staging-123456789-"),
        ("production", "production"),
        ("PRODUCTION", "production-"),
        ("review/1-foo", "review-1-foo-"),
        ("1-foo", "env-1-foo-"),
        ("1/foo", "env-1-foo-"),
        ("foo-", "foo"),
        ("foo--bar", "foo-bar-"),
        ("foo**bar", "foo-bar-"),
        ("*-foo", "env-foo-"),
        ("staging-12345678-", "staging-12345678"),
        ("staging-12345678-01234567", "staging-12345678-"),
        ("日本", "env-"),
    ] {
        let found: Vec<String> = serde_json::from_str(&slugs(name)).unwrap();
        let hash = found[0].strip_prefix(begins).unwrap();
        assert_eq!(hash.len(), if begins.ends_with('-') { 6 } else { 0 }, "{name}: {found:?}");
        for slug in &found {
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            assert!(slug.len() <= 24 && slug.bytes().all(plain) && !slug.contains("--") && !slug.ends_with('-'));
            assert!(slug.starts_with(|letter: char| letter.is_ascii_lowercase()), "{slug}");
        }
    }
}

#[test]
fn an_environment_of_a_version_before_keeps_its_slug() {
    for name in ["production", "a", "eu-1"] {
        assert_eq!(old_slug(name), name);
    }
    for (name, begins) in
        [("Staging/EU west é!", "staging-eu-west--"), ("1a", "1a"), (&"a".repeat(25), "aaaaaaaaaaaaaaaaa")]
    {
        let slug = old_slug(name);
        assert!(slug.starts_with(&format!("{begins}-")) && slug.len() == begins.len() + 7, "{slug}");
    }
}

#[test]
fn a_tier_is_what_the_name_says() {
    for (name, expected) in [
        ("Production", "production"),
        ("eu-live", "production"),
        ("review/1", "development"),
        ("staging", "staging"),
        ("QA", "testing"),
        ("canary", "other"),
        ("preprod", "staging"),
    ] {
        assert_eq!(tier(name), expected, "{name}");
    }
}
